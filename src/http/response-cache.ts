/** The cache of rendered responses, with their compressed forms. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RecentTexts } from '../recent-texts.ts';
import {
  type Coding,
  type ContentCoding,
  compressBody,
  contentCodings,
  minCompressedBytes,
  negotiateCoding,
} from './compression.ts';

export type CachedResponse = {
  tag: string;
  body: Buffer;
  /** The address of the next page of a list; null if there is none. */
  next: string | null;
  /** When the record of a detail last changed, as an HTTP date; null for other bodies. */
  modified: string | null;
  /** The body in the content codings that were asked for. */
  compressed: Partial<Record<ContentCoding, Buffer>>;
};

const maxUrlLength = 1_000;

/**
 * A cache of rendered bodies by URL. An entry is valid while the catalogue has the state from which it was rendered. Its ETag is
 * a digest of that state and the URL, so equal tags mean equal bodies.
 */
export class ResponseCache {
  readonly #bodies: LRUCache<string, CachedResponse & { state: string }>;
  /** URLs requested once. A body is cached from the second request on, so that a crawler evicts nothing. */
  readonly #once = new RecentTexts(16_384);
  readonly #secret: string;
  readonly #edition: string;

  /**
   * @param secret the key of the data file: a tag that matches was issued by this service
   * @param edition what else bodies depend on in this process: program version and base URL
   * @param maxBytes memory for bodies
   */
  constructor(secret: Buffer, edition: string, maxBytes = 16 * 1024 * 1024) {
    this.#bodies = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 8,
      // Compressed, a body takes about a tenth to a sixth: all codings together less than half of it.
      sizeCalculation: ({ body }, url) => Math.ceil(body.length * 1.5) + url.length * 2 + 300,
    });
    this.#secret = secret.toString('base64url');
    this.#edition = edition;
  }

  /** The weak entity tag of a URL in a state. */
  tag(url: string, state: string): string {
    // Not an HMAC, which takes four times as long: a truncated digest allows no length extension.
    const mac = hash('sha256', `${this.#secret}\n${this.#edition}\n${state}\n${url}`, 'base64url');
    return `W/"${mac.slice(0, 22)}"`;
  }

  /** Returns the response to a URL; undefined if it was not rendered in this state, or is not cached. */
  get(url: string, state: string): CachedResponse | undefined {
    const response = this.#bodies.get(url);
    return response?.state === state ? response : undefined;
  }

  /** Returns the response with a body, and caches it if the URL was requested before. */
  set(
    url: string,
    state: string,
    body: Buffer,
    { next = null, modified = null }: Partial<Pick<CachedResponse, 'next' | 'modified'>> = {},
  ): CachedResponse {
    const response = { tag: this.tag(url, state), body, next, modified, compressed: {}, state };
    if (url.length < maxUrlLength && this.#once.add(url)) {
      this.#bodies.set(url, { ...response, body: ownBytes(body) });
    }
    return response;
  }
}

/** Returns the bytes in memory of their own: a part of a pool would keep the whole pool. */
function ownBytes(body: Buffer): Buffer {
  if (body.length === body.buffer.byteLength) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/**
 * The bytes of a response in the content coding that a request accepts, compressed at the first request for it.
 *
 * @param response the response, which keeps its compressed forms
 * @param acceptEncoding the `Accept-Encoding` header of the request
 * @returns the bytes, and their coding: `identity` for a body too short to gain
 */
export function encodeBody(
  response: Pick<CachedResponse, 'body' | 'compressed'>,
  acceptEncoding: string | string[] | undefined,
): { body: Buffer; coding: Coding } {
  const { body, compressed } = response;
  const coding =
    body.length < minCompressedBytes ? 'identity' : negotiateCoding(acceptEncoding, contentCodings);
  if (coding === 'identity') return { body, coding };
  compressed[coding] ??= compressBody(body, coding);
  return { body: compressed[coding], coding };
}
