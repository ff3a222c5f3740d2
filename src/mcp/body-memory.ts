/** Bounds the memory of bodies that are being received: a client may send a megabyte on each of many connections, and stop. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { readBody } from '../http/request-body.ts';
import { maxBodyBytes } from './request-adapter.ts';

/** Bytes of unfinished bodies: of one key, and of all. A call has a few hundred. */
const maxBytes = { key: 8 * maxBodyBytes, all: 64 * maxBodyBytes };

/** Reads bodies within two bounds: 8 MB of unfinished ones of one key, 64 MB of all. */
export class BodyMemory {
  readonly #byKey = new Map<string, number>();
  #all = 0;

  /**
   * Reads the body of a request.
   * @param key the key or grant of the request
   * @returns see `readBody`; rejects with a Problem `rate_limited` if the unfinished bodies of the key, or of all, take too much
   */
  async read(request: IncomingMessage, key: string): Promise<Buffer | 'too large' | null> {
    let total = 0;
    try {
      return await readBody(request, maxBodyBytes, (bytes) => {
        total += bytes;
        this.#add(key, bytes);
        this.#check(key);
      });
    } finally {
      this.#add(key, -total);
    }
  }

  #add(key: string, bytes: number): void {
    this.#all += bytes;
    const own = (this.#byKey.get(key) ?? 0) + bytes;
    if (own === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, own);
  }

  #check(key: string): void {
    const own = this.#byKey.get(key) ?? 0;
    if (own <= maxBytes.key && this.#all <= maxBytes.all) return;
    const whose = own > maxBytes.key ? 'The bodies that this key sends' : 'All bodies that are being sent';
    throw new Problem(
      'rate_limited',
      `${whose} have too many bytes together. Wait until some of them have arrived.`,
    );
  }
}
