/** Passwords compared: always with the same work, and only so many at once. */
import { availableParallelism } from 'node:os';
import { FairLimiter } from './fair-limiter.ts';
import { hashPassword, matchesSecret } from './hashing.ts';

/** The hash of no known password: what is compared where there is none, so that it takes as long. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$MUKz7ORTdOmISNgOuRtHUw$fp6oG9jAA0j8LCeEYIAc7rvITETYvsFILxrZlhXkqYk';

/** Half of libuv's four threads at most: a flood of sign-ins must not hold up the keys of programs. */
const maxConcurrentHashes = Math.min(2, availableParallelism());

export class Passwords {
  readonly #turnstile = new FairLimiter(maxConcurrentHashes);

  /**
   * Whether it is the password that was hashed; null: there is none, which is found out as slowly. Who asks from one
   * `queueKey` waits behind the others of that lane alone.
   */
  async matches(hash: string | null, password: string, queueKey: string): Promise<boolean> {
    const same = await this.#turnstile.run(queueKey, () =>
      matchesSecret(hash ?? dummyHash, password.normalize('NFKC')),
    );
    return same && hash !== null;
  }

  /** What the file keeps of it. */
  hash(password: string, lane: string): Promise<string> {
    return this.#turnstile.run(lane, () => hashPassword(password));
  }
}
