/** Keyed digests (HMAC) that only the owner of this data file can compute. */
import { createHmac } from 'node:crypto';

export class InstanceSecret {
  readonly #key: Buffer;

  /** @param key the key in the table `settings` */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The digest of texts. Each `purpose` has its own. */
  digest(purpose: string, ...texts: string[]): string {
    const text = JSON.stringify([purpose, ...texts]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
