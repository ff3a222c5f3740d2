/**
 * Encrypted values for cookies of a sign-in in progress: the browser carries them and can neither read nor change them.
 * They expire, so nothing is stored for a sign-in that is not completed.
 */
import type { Clock } from '../../clock.ts';
import type { InstanceSecret } from '../instance-secret.ts';

/** Browsers refuse cookies above 4,096 bytes. */
const maxSealedLength = 3_800;

/** Encrypts values that expire, and decrypts them. */
export class SealedValues {
  readonly #secret: InstanceSecret;
  readonly #clock: Clock;

  constructor(secret: InstanceSecret, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Seals a value (JSON) for a purpose; it is valid for `lifetimeMs`. */
  seal(purpose: string, value: unknown, lifetimeMs: number): string {
    const text = JSON.stringify([this.#clock.now() + lifetimeMs, value]);
    return this.#secret.encrypt('sealed', purpose, text);
  }

  /** Returns a value that was sealed for this purpose; null if it is none or has expired. */
  unseal<T>(purpose: string, sealed: string | undefined): T | null {
    if (sealed === undefined || sealed.length > maxSealedLength) return null;
    const text = this.#secret.decrypt('sealed', purpose, sealed);
    if (text === null) return null;
    const [expiresTs, value] = JSON.parse(text) as [number, T];
    return expiresTs > this.#clock.now() ? value : null;
  }
}
