/**
 * Opening what a source names: files and folders where it begins in one, addresses through the guarded fetch, with
 * retries, and with what the last run remembered of them (docs/spec/imports.md#sources).
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import { FetchFailure, type FetchResponse, type GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { AdapterContext, OpenedResource, OpenResourceOptions } from '../adapter.ts';
import { describeErrorResponse, toFailure } from './fetch-error.ts';
import { readPipe } from './named-pipe.ts';
import { isHttpUrl, redactUrl } from './redact.ts';
import { gunzipIfNeeded, limitBytes, requireThroughput } from './streams.ts';

/** What an address said of its state, to be asked with the next time (RFC 9110, 8.8). */
export type CacheValidator = { etag: string | null; lastModified: string | null };

/**
 * Where validators are kept, by address and variant. `put` is called when an answer comes (with nothing: it says what it
 * is only once it is whole), and when its body was read to its end; what was put must count only once the run that read
 * it is finished, or its records would be missed for ever.
 */
export type ValidatorStore = {
  get(key: string): CacheValidator | null;
  put(key: string, validator: CacheValidator): void;
  /** The keys of what was put in the last finished run. */
  previousKeys?(): readonly string[];
};

export type OpenerSettings = {
  /** Where the source begins. */
  location: string;
  /** The files and folders that it is, where it is several. */
  files?: readonly string[];
  fetch: GuardedFetch;
  validators?: ValidatorStore;
  signal?: AbortSignal;
  /** What `-` reads. */
  stdin?: Readable;
  /** Who has sent hardly anything after so many ms of waiting for it is given up. */
  minThroughputGraceMs?: number;
  /** So many ms are waited for answers and bodies in one run, all of them together. */
  maxTotalWaitMs?: number;
  /** Waits; tests do not. */
  pause?: (ms: number) => Promise<unknown>;
};

/** Unless an adapter says otherwise. */
const defaultMaxBytes = 256 * 1024 * 1024;
/** A body may take this long in all: dumps are large. */
const maxTotalMs = 60 * 60_000;
const idleTimeoutMs = 30_000;
/** A byte now and then is no silence: whoever sends so slowly for so long is given up as well. */
const defaultGraceMs = 60_000;
/** A site of thousands of pages that lets each of them wait would hold up all other sources for days. */
const defaultMaxTotalWaitMs = 3 * 60 * 60_000;
/** Between the tries of one address, unless the other side says how long. */
const retryDelaysMs = [1_000, 5_000, 20_000] as const;
/** Who asks for more patience than this is left alone until the next run. */
const maxRetryAfterMs = 90_000;
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Nothing is there, and most likely never will be again. */
export class NotFoundError extends Failure {}

/** The two ways in that an adapter is given. Only a source that begins in a file may open files. */
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
  const about = await stat(location).catch((failure: NodeJS.ErrnoException) => {
    throw unreadableError(location, failure);
  });
  if (!about.isDirectory()) return [location];
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
  /** ms. */
  #waitedMs = 0;

  constructor(settings: OpenerSettings) {
    this.#settings = settings;
    this.#pause = settings.pause ?? ((ms) => sleep(ms, undefined, { ...signalOption(settings) }));
  }

  async openFile(location: string, options: OpenResourceOptions): Promise<OpenedResource> {
    const name = location === '-' ? 'standard input' : location;
    return { url: location, contentType: null, body: readBody(await this.#stream(location), name, options) };
  }

  async #stream(location: string): Promise<AsyncIterable<Uint8Array>> {
    if (location === '-') return this.#settings.stdin ?? process.stdin;
    const isPipe = (await stat(location).catch(() => null))?.isFIFO() === true;
    if (!isPipe) return createReadStream(location);
    const { minThroughputGraceMs: graceMs = defaultGraceMs, signal } = this.#settings;
    return requireThroughput(readPipe(location, graceMs, signal), location, graceMs, (waited) =>
      this.#addWait(location, waited),
    );
  }

  async openUrl(location: string, options: OpenResourceOptions): Promise<OpenedResource | null> {
    const name = redactUrl(location, options.secrets);
    const key = options.variant === undefined ? location : `${location}#${options.variant}`;
    const isAsked = options.conditional === true && options.ignoreValidator !== true;
    const known = isAsked ? (this.#settings.validators?.get(key) ?? null) : null;
    this.#addWait(name, 0);
    const began = performance.now();
    const answer = await this.#fetchWithRetry(location, name, options, known);
    this.#addWait(name, performance.now() - began);
    if (answer.status === 304) {
      answer.cancel();
      return null;
    }
    const forget = () => this.#settings.validators?.put(key, { etag: null, lastModified: null });
    if (answer.status >= 300 || answer.status === 204 || answer.status === 206) {
      const reason = await describeErrorResponse(answer, name, options);
      if (answer.status !== 404 && answer.status !== 410) throw new Failure(reason);
      if (options.conditional === true) forget();
      throw new NotFoundError(reason);
    }
    // Until it is read to its end, nothing is known of it.
    if (options.conditional === true) forget();
    return {
      url: answer.url,
      contentType: answer.headers['content-type'] ?? null,
      body: this.#storeValidatorAtEnd(
        readBody(
          requireThroughput(answer.body, name, this.#settings.minThroughputGraceMs ?? defaultGraceMs, (ms) =>
            this.#addWait(name, ms),
          ),
          name,
          options,
        ),
        key,
        answer,
        options,
      ),
      clearValidator: forget,
    };
  }

  /** Throws a `Failure` once all waits together were too long. */
  #addWait(name: string, ms: number): void {
    this.#waitedMs += ms;
    const { maxTotalWaitMs = defaultMaxTotalWaitMs } = this.#settings;
    if (this.#waitedMs <= maxTotalWaitMs) return;
    const minutes = Math.round(this.#waitedMs / 60_000);
    throw new Failure(
      `${name} was left: ${minutes} minutes were spent waiting for this source. The rest waits for its next run.`,
    );
  }

  /** Asks until there is an answer that will not be another one in a while. */
  async #fetchWithRetry(
    location: string,
    name: string,
    options: OpenResourceOptions,
    known: CacheValidator | null,
  ): Promise<FetchResponse> {
    for (let turn = 0; ; turn++) {
      const wait = retryDelaysMs[turn];
      let due = wait ?? 0;
      try {
        const answer = await this.#settings.fetch(location, {
          allowHttp: true,
          accept: options.accept ?? '*/*',
          headers: { ...options.headers, ...conditionalHeaders(known) },
          maxBytes: options.maxBytes ?? defaultMaxBytes,
          timeoutMs: idleTimeoutMs,
          deadlineMs: maxTotalMs,
          spool: true,
          ...signalOption(this.#settings),
        });
        const asked = transientStatuses.has(answer.status) ? retryAfterMs(answer) : null;
        if (asked === null || wait === undefined || asked > maxRetryAfterMs) return answer;
        answer.cancel();
        due = Math.max(asked, due);
      } catch (failure) {
        this.#settings.signal?.throwIfAborted();
        const again = failure instanceof FetchFailure && /^(?:unreachable|timeout)$/.test(failure.reason);
        if (!again || wait === undefined) throw toFailure(failure, name);
      }
      await this.#pause(due);
    }
  }

  /** Keeps what the answer said of its state once it was read to its end. */
  async *#storeValidatorAtEnd(
    body: AsyncIterable<Uint8Array>,
    key: string,
    answer: FetchResponse,
    options: OpenResourceOptions,
  ): AsyncGenerator<Uint8Array> {
    yield* body;
    const lastModified = answer.headers['last-modified'] ?? null;
    // That it was there is known even of what says nothing of its state.
    const etag = answer.headers.etag ?? (lastModified === null ? '' : null);
    if (options.conditional === true) this.#settings.validators?.put(key, { etag, lastModified });
  }
}

const signalOption = ({ signal }: OpenerSettings): { signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

const conditionalHeaders = (known: CacheValidator | null): Record<string, string> => ({
  ...(known?.etag ? { 'if-none-match': known.etag } : {}),
  ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
});

/** How long the other side wants to be left alone (RFC 9110, 10.2.3), ms; 0 where it does not say. */
function retryAfterMs(answer: FetchResponse): number {
  const text = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.parse(answer.headers.date ?? '') || 0);
}

/** The bytes behind a file or an answer: unpacked where they are gzipped, and never more than allowed. */
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
    if (code.startsWith('Z_')) throw new Failure(`${name} is not a whole gzip file.`);
    throw unreadableError(name, failure as NodeJS.ErrnoException);
  }
}
