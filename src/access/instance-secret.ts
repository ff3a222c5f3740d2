/** Computes digests (HMAC) and encrypts texts (AES-256-GCM) with the secret key of this data file or cluster. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The secret of a data file or cluster, and what is derived from it: digests and encrypted texts. */
export class InstanceSecret {
  /** A key object: with a buffer, `createHmac` takes five times as long. */
  readonly #key: KeyObject;

  /** @param key the setting `cursor_key` of the data file, or the secret of the cluster */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  /** Returns the digest of texts (HMAC-SHA256, base64url). Each `purpose` has its own. */
  digest(purpose: string, ...texts: string[]): string {
    const text = JSON.stringify([purpose, ...texts]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  /** Encrypts a text. Only `decrypt` with the same `purpose` and `context` returns it. */
  encrypt(purpose: string, context: string, text: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(cipherName, this.#cipherKey(purpose), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
  }

  /** Returns the text that `encrypt` was given; null if it was changed, or encrypted for something else. */
  decrypt(purpose: string, context: string, sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return null;
    const decipher = createDecipheriv(cipherName, this.#cipherKey(purpose), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      const body = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  #cipherKey(purpose: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(['cipher', purpose]))
      .digest();
  }
}
