/**
 * Opens the files and addresses of a source. Addresses use the guarded fetch with retries and conditional requests
 * (docs/spec/imports.md#sources).
 */

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import { FetchFailure } from '../../fetch/fetch-failure.ts';
import type { FetchResponse, GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { plural } from '../../plural.ts';
import type { AdapterContext, OpenedResource, OpenResourceOptions } from '../adapter.ts';
import { describeErrorResponse, toFailure } from './fetch-error.ts';
import { fileChunkBytes } from './input-items.ts';
import { readPipe } from './named-pipe.ts';
import { isHttpUrl, redactUrl } from './redact.ts';
import { gunzipIfNeeded, limitBytes, requireThroughput } from './streams.ts';
import { stated } from './values.ts';

/** Cache validators of a response, for conditional requests (RFC 9110, section 8.8). */
export type CacheValidator = { etag: string | null; lastModified: string | null };

/**
 * Stores validators by address and variant. `put` is called with nulls when a response arrives, and with its validators
 * when its body was read to the end. Stored values must take effect only when the run has finished; otherwise its
 * records would be lost for ever.
 */
export type ValidatorStore = {
  get(key: string): CacheValidator | null;
  put(key: string, validator: CacheValidator): void;
  /** Keys that the last finished run stored. */
  previousKeys?(): readonly string[];
};

export type OpenerSettings = {
  /** Start of the source. */
  location: string;
  /** Files and folders, where the source consists of several. */
  files?: readonly string[];
  fetch: GuardedFetch;
  validators?: ValidatorStore;
  signal?: AbortSignal;
  /** Input of `-`. */
  stdin?: Readable;
  /** Max ms of waiting for a body that sends almost nothing. */
  minThroughputGraceMs?: number;
  /** Max total ms of waiting for responses and bodies in one run. */
  maxTotalWaitMs?: number;
  /** Max bytes of each resource after unpacking, where less than the adapter allows. */
  maxBytes?: number;
  /** Waits between retries; tests replace it. */
  pause?: (ms: number) => Promise<unknown>;
};

/** Used unless the adapter sets a limit. */
const defaultMaxBytes = 256 * 1024 * 1024;
/** Max duration of a body: dumps are large. */
const maxTotalMs = 60 * 60_000;
const idleTimeoutMs = 30_000;
/** A transfer that sends single bytes never idles, so its throughput is limited as well. */
const defaultGraceMs = 60_000;
/** Thousands of slow pages would block all other sources for days. */
const defaultMaxTotalWaitMs = 3 * 60 * 60_000;
/** Delays between retries, unless the server sends Retry-After. */
const retryDelaysMs = [1_000, 5_000, 20_000] as const;
/** A longer Retry-After is left to the next run. */
const maxRetryAfterMs = 90_000;
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The resource does not exist (404 or 410). */
export class NotFoundError extends Failure {}

/**
 * Creates the `open` and `list` functions of an adapter context. Only a source that starts with a file may open files.
 */
export function makeOpener(
  settings: OpenerSettings,
): Pick<AdapterContext, 'open' | 'list' | 'previousPages'> {
  const local = !isHttpUrl(settings.location);
  const opener = new Opener(settings);
  const checkLocal = (location: string): void => {
    if (!local) throw new Failure(`${redactUrl(location)} is not an http or https address.`);
  };
  return {
    async open(location, options = {}) {
      if (isHttpUrl(location)) return await opener.openUrl(location, options);
      checkLocal(location);
      return await opener.openFile(location, options);
    },
    previousPages: () => settings.validators?.previousKeys?.() ?? [],
    async list(location) {
      const { files } = settings;
      if (files !== undefined && location === settings.location) {
        return (await Promise.all(files.map((file) => listFiles(file)))).flat();
      }
      if (isHttpUrl(location) || location === '-') return [location];
      checkLocal(location);
      return await listFiles(location);
    },
  };
}

async function listFiles(location: string): Promise<string[]> {
  const stats = await stat(location).catch((failure: NodeJS.ErrnoException) => {
    throw unreadableError(location, failure);
  });
  if (!stats.isDirectory()) return [location];
  const entries = await readdir(location, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(location, entry.name))
    .sort();
}

const unreadableError = (file: string, { code }: NodeJS.ErrnoException): Failure =>
  new Failure(
    code === 'ENOENT'
      ? `There is no file ${file}.`
      : `${file} cannot be read (${code === 'EISDIR' ? 'it is a folder' : code}).`,
  );

class Opener {
  readonly #settings: OpenerSettings;
  readonly #pause: (ms: number) => Promise<unknown>;
  #waitedMs = 0;

  constructor(settings: OpenerSettings) {
    this.#settings = settings;
    this.#pause = settings.pause ?? ((ms) => sleep(ms, undefined, stated({ signal: settings.signal })));
  }

  /** The options of a resource within the limit of the source. */
  #limited(options: OpenResourceOptions): OpenResourceOptions {
    const { maxBytes } = this.#settings;
    if (maxBytes === undefined) return options;
    return { ...options, maxBytes: Math.min(maxBytes, options.maxBytes ?? defaultMaxBytes) };
  }

  async openFile(location: string, given: OpenResourceOptions): Promise<OpenedResource> {
    const options = this.#limited(given);
    const name = location === '-' ? 'standard input' : location;
    return { url: location, contentType: null, body: readBody(await this.#stream(location), name, options) };
  }

  async #stream(location: string): Promise<AsyncIterable<Uint8Array>> {
    if (location === '-') return this.#settings.stdin ?? process.stdin;
    const isPipe = (await stat(location).catch(() => null))?.isFIFO() === true;
    if (!isPipe) return createReadStream(location, { highWaterMark: fileChunkBytes });
    const { minThroughputGraceMs: graceMs = defaultGraceMs, signal } = this.#settings;
    return requireThroughput(readPipe(location, graceMs, signal), location, graceMs, (waited) =>
      this.#addWait(location, waited),
    );
  }

  async openUrl(location: string, given: OpenResourceOptions): Promise<OpenedResource | null> {
    const options = this.#limited(given);
    const name = redactUrl(location, options.secrets);
    const key = options.variant === undefined ? location : `${location}#${options.variant}`;
    const isConditional = options.conditional === true && options.ignoreValidator !== true;
    const validator = isConditional ? (this.#settings.validators?.get(key) ?? null) : null;
    this.#addWait(name, 0);
    const startedAt = performance.now();
    const response = await this.#fetchWithRetry(location, name, options, validator);
    this.#addWait(name, performance.now() - startedAt);
    if (response.status === 304) {
      response.cancel();
      return null;
    }
    const clearValidator = () => this.#settings.validators?.put(key, { etag: null, lastModified: null });
    if (response.status >= 300 || response.status === 204 || response.status === 206) {
      const reason = await describeErrorResponse(response, name, options);
      if (response.status !== 404 && response.status !== 410) throw new Failure(reason);
      if (options.conditional === true) clearValidator();
      throw new NotFoundError(reason);
    }
    // The validator is valid only after the body was read to its end.
    if (options.conditional === true) clearValidator();
    return {
      url: response.url,
      contentType: response.headers['content-type'] ?? null,
      body: this.#storeValidatorAtEnd(
        readBody(
          requireThroughput(
            response.body,
            name,
            this.#settings.minThroughputGraceMs ?? defaultGraceMs,
            (ms) => this.#addWait(name, ms),
          ),
          name,
          options,
        ),
        key,
        response,
        options,
      ),
      clearValidator,
    };
  }

  /**
   * Adds a wait.
   * @throws Failure once all waits together exceed the limit
   */
  #addWait(name: string, ms: number): void {
    this.#waitedMs += ms;
    const { maxTotalWaitMs = defaultMaxTotalWaitMs } = this.#settings;
    if (this.#waitedMs <= maxTotalWaitMs) return;
    const minutes = Math.max(1, Math.round(this.#waitedMs / 60_000));
    throw new Failure(
      `Reading stopped at ${name}: this source used up its ${plural(minutes, 'minute')} of waiting. The rest follows in the next run.`,
    );
  }

  /** Fetches an address and retries transient errors. */
  async #fetchWithRetry(
    location: string,
    name: string,
    options: OpenResourceOptions,
    validator: CacheValidator | null,
  ): Promise<FetchResponse> {
    for (let attempt = 0; ; attempt++) {
      const retryDelayMs = retryDelaysMs[attempt];
      let delayMs = retryDelayMs ?? 0;
      try {
        const response = await this.#settings.fetch(location, {
          allowHttp: true,
          accept: options.accept ?? '*/*',
          ...(options.body === undefined ? {} : { method: 'POST' as const, body: options.body }),
          headers: { ...options.headers, ...conditionalHeaders(validator) },
          maxBytes: options.maxBytes ?? defaultMaxBytes,
          timeoutMs: idleTimeoutMs,
          deadlineMs: maxTotalMs,
          spool: true,
          ...stated({ signal: this.#settings.signal }),
        });
        const requestedMs = transientStatuses.has(response.status) ? retryAfterMs(response) : null;
        if (requestedMs === null || retryDelayMs === undefined || requestedMs > maxRetryAfterMs)
          return response;
        response.cancel();
        delayMs = Math.max(requestedMs, delayMs);
      } catch (failure) {
        this.#settings.signal?.throwIfAborted();
        const isRetryable =
          failure instanceof FetchFailure && /^(?:unreachable|timeout)$/.test(failure.reason);
        if (!isRetryable || retryDelayMs === undefined) throw toFailure(failure, name);
      }
      await this.#pause(delayMs);
    }
  }

  /** Stores the validators of a response once its body was read to the end. */
  async *#storeValidatorAtEnd(
    body: AsyncIterable<Uint8Array>,
    key: string,
    response: FetchResponse,
    options: OpenResourceOptions,
  ): AsyncGenerator<Uint8Array> {
    yield* body;
    const lastModified = response.headers['last-modified'] ?? null;
    // An empty ETag records that the page exists, even without validators.
    const etag = response.headers.etag ?? (lastModified === null ? '' : null);
    if (options.conditional === true) this.#settings.validators?.put(key, { etag, lastModified });
  }
}

const conditionalHeaders = (validator: CacheValidator | null): Record<string, string> => ({
  ...(validator?.etag ? { 'if-none-match': validator.etag } : {}),
  ...(validator?.lastModified ? { 'if-modified-since': validator.lastModified } : {}),
});

/** Returns the delay of Retry-After (RFC 9110, section 10.2.3) in ms; 0 without one. */
function retryAfterMs(response: FetchResponse): number {
  const text = response.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.parse(response.headers.date ?? '') || 0);
}

/** Reads a file or response: unzipped, and limited in size. */
async function* readBody(
  source: AsyncIterable<Uint8Array>,
  name: string,
  { maxBytes = defaultMaxBytes }: OpenResourceOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* limitBytes(gunzipIfNeeded(source), maxBytes, name);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (failure instanceof FetchFailure) {
      throw failure.reason === 'too_large'
        ? new Failure(`${name} is larger than ${maxBytes} bytes.`)
        : toFailure(failure, name);
    }
    if (failure instanceof Failure || typeof code !== 'string') throw failure;
    if (code.startsWith('Z_')) throw new Failure(`${name} is not a complete gzip file.`);
    throw unreadableError(name, failure as NodeJS.ErrnoException);
  }
}
