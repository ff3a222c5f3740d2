/** When a fetch is over, and in which words it failed. */
import { errors } from 'undici';
import { FetchFailure } from './fetch-failure.ts';
import type { FetchOptions } from './request.ts';

export type FetchDeadline = { signal: AbortSignal; hasPassed: boolean; stop: () => void };

export function startDeadline({ deadlineMs: totalMs = 30_000, signal }: FetchOptions): FetchDeadline {
  const controller = new AbortController();
  const end = () => controller.abort();
  const deadline: FetchDeadline = {
    signal: controller.signal,
    hasPassed: false,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
  const timer = setTimeout(() => {
    deadline.hasPassed = true;
    end();
  }, totalMs).unref();
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });
  return deadline;
}

/** In our words: what a library or the system says may tell what only the operator should know. */
export function toFetchFailure(failure: unknown, deadline: FetchDeadline): unknown {
  if (failure instanceof FetchFailure) return failure;
  if (deadline.hasPassed || isTimeout(failure))
    return new FetchFailure('timeout', 'It took too long to answer.');
  const code = String((failure as { code?: unknown }).code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new FetchFailure('unreachable', 'Its name is not known.');
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new FetchFailure('unreachable', 'Its certificate is not valid.');
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI')) {
    return new FetchFailure('unreadable', 'The answer is not encoded as it says.');
  }
  return new FetchFailure('unreachable', 'It could not be connected to, or broke off.');
}

const isTimeout = (failure: unknown): boolean =>
  failure instanceof errors.ConnectTimeoutError ||
  failure instanceof errors.HeadersTimeoutError ||
  failure instanceof errors.BodyTimeoutError;
