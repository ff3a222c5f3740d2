/** Limits the duration of a fetch and translates its errors. */
import { errors } from 'undici';
import { FetchFailure } from './fetch-failure.ts';
import type { FetchOptions } from './request.ts';

export type FetchDeadline = { signal: AbortSignal; hasPassed: boolean; stop: () => void };

/**
 * Starts the time limit of a fetch, 30 s unless stated. The returned signal aborts when the time has passed, which sets
 * `hasPassed`, or when the caller's signal aborts. Call `stop` after the fetch.
 */
export function startDeadline({ deadlineMs: totalMs = 30_000, signal }: FetchOptions): FetchDeadline {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const deadline: FetchDeadline = {
    signal: controller.signal,
    hasPassed: false,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
  const timer = setTimeout(() => {
    deadline.hasPassed = true;
    abort();
  }, totalMs).unref();
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return deadline;
}

/** Translates an error of the system or a library into a `FetchFailure`. The original text may hold private details. */
export function toFetchFailure(failure: unknown, deadline: FetchDeadline): unknown {
  if (failure instanceof FetchFailure) return failure;
  if (deadline.hasPassed || isTimeout(failure))
    return new FetchFailure('timeout', 'It took too long to answer.');
  const code = String((failure as { code?: unknown }).code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new FetchFailure('unreachable', 'Its host name cannot be resolved.');
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new FetchFailure('unreachable', 'Its certificate is not valid.');
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI')) {
    return new FetchFailure('unreadable', 'The response is not encoded as its headers say.');
  }
  return new FetchFailure('unreachable', 'The connection failed or was closed early.');
}

const isTimeout = (failure: unknown): boolean =>
  failure instanceof errors.ConnectTimeoutError ||
  failure instanceof errors.HeadersTimeoutError ||
  failure instanceof errors.BodyTimeoutError;
