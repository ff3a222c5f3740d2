/** What only this data file can make: digests and signatures under a key of its own, apart by what they are for. */
import { createHmac } from 'node:crypto';

export class InstanceSecret {
  readonly #key: Buffer;

  /** @param key the file's own, as `settings` holds it */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The same for the same texts; under another `purpose`, another. */
  digest(purpose: string, ...texts: string[]): string {
    const text = JSON.stringify([purpose, ...texts]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
