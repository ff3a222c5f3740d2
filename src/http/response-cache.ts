/**
 * Bodies that were rendered and are still right. An entry is good as long as the state it was made from is the present
 * one; its tag (`ETag`) comes from that state and the address, so that equal tags mean equal bodies.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export type CachedResponse = { tag: string; body: Buffer };

const maxUrlLength = 1_000;

export class ResponseCache {
  readonly #bodies: LRUCache<string, CachedResponse & { state: string }>;
  /** Addresses asked for once: a body is kept from the second time on, so that a crawl drives nothing out. */
  readonly #once = new LRUCache<string, true>({ max: 10_000 });
  readonly #secret: string;
  readonly #edition: string;

  /**
   * @param secret the file's key: tags cannot be guessed, so one that fits was given out
   * @param editionReader what else bodies depend on in this process: program version and base address
   * @param mostBytes of memory that bodies may take
   */
  constructor(secret: Buffer, edition: string, mostBytes = 32 * 1024 * 1024) {
    this.#bodies = new LRUCache({
      maxSize: mostBytes,
      maxEntrySize: mostBytes / 8,
      sizeCalculation: ({ body }, url) => body.length + url.length * 2 + 300,
    });
    this.#secret = secret.toString('base64url');
    this.#edition = edition;
  }

  /** The weak entity tag of an address in a state. */
  tag(url: string, state: string): string {
    // Not an HMAC, which takes four times as long: of a truncated digest nobody can make another with more text after it.
    const mac = hash('sha256', `${this.#secret}\n${this.#edition}\n${state}\n${url}`, 'base64url');
    return `W/"${mac.slice(0, 22)}"`;
  }

  get(url: string, state: string): CachedResponse | undefined {
    const known = this.#bodies.get(url);
    return known?.state === state ? known : undefined;
  }

  set(url: string, state: string, body: Buffer): CachedResponse {
    const rendered = { tag: this.tag(url, state), body, state };
    if (this.#once.has(url)) this.#bodies.set(url, rendered);
    else if (url.length < maxUrlLength) this.#once.set(url, true);
    return rendered;
  }
}
