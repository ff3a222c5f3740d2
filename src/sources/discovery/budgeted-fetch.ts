/**
 * Limits the requests of the recognition of an address: their number, size and time. A response is kept, so that the
 * preview that follows does not request it again.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { FetchFailure } from '../../fetch/fetch-failure.ts';
import type { FetchResponse, GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { getOrCreate } from '../../memoize.ts';
import { parseJson } from '../common/parse-json.ts';

/** Max bytes that are kept of a response. */
const maxKeptBytes = 20 * 1024 * 1024;
/** Time between two requests, ms: they go to one small site. */
const pauseMs = 200;
const maxRequestMs = 10_000;

type Kept = Pick<FetchResponse, 'status' | 'headers' | 'url'> & { bytes: Buffer; isCut: boolean };
export type BudgetSettings = { maxRequests: number; signal: AbortSignal; pauseMs?: number };

/** A guarded fetch with a limited number of requests. */
export class BudgetedFetch {
  readonly #fetch: GuardedFetch;
  readonly #signal: AbortSignal;
  readonly #pauseMs: number;
  readonly #kept = new Map<string, Promise<Kept>>();
  #left: number;
  #count = 0;

  constructor(fetch: GuardedFetch, settings: BudgetSettings) {
    this.#fetch = fetch;
    this.#left = settings.maxRequests;
    this.#signal = settings.signal;
    this.#pauseMs = settings.pauseMs ?? pauseMs;
  }

  /** Requests that were sent. */
  get count(): number {
    return this.#count;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  /** Allows further requests. */
  extend(requests: number): void {
    this.#left += requests;
  }

  readonly fetch: GuardedFetch = async (address, options = {}) => {
    const key = `${options.method ?? 'GET'} ${address} ${options.body ?? ''}`;
    // A second request for the address gets the same failure.
    return toResponse(await getOrCreate(this.#kept, key, () => this.#request(String(address), options)));
  };

  async #request(address: string, options: Parameters<GuardedFetch>[1]): Promise<Kept> {
    if (this.#left <= 0)
      throw new FetchFailure('refused', 'The number of requests for recognizing an address is used up.');
    this.#left--;
    if (this.#count++ > 0) await sleep(this.#pauseMs, undefined, { signal: this.#signal });
    const response = await this.#fetch(address, {
      ...options,
      spool: false,
      deadlineMs: maxRequestMs,
      signal: this.#signal,
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of response.body) {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= maxKeptBytes) break;
      }
    } finally {
      response.cancel();
    }
    const { status, headers, url } = response;
    return { status, headers, url, bytes: Buffer.concat(chunks), isCut: length >= maxKeptBytes };
  }
}

function toResponse({ bytes, isCut, ...head }: Kept): FetchResponse {
  return {
    ...head,
    body: bodyOf(bytes, isCut),
    bytes: async () => bytes,
    text: async () => bytes.toString('utf8'),
    json: async () => parseJson(bytes.toString('utf8')) as unknown,
    cancel: () => {},
  };
}

async function* bodyOf(bytes: Buffer, isCut: boolean): AsyncGenerator<Uint8Array> {
  const size = 65_536;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  if (isCut)
    throw new FetchFailure('too_large', `Only its first ${maxKeptBytes / 1024 / 1024} MiB were read.`);
}
