/** Passwords of people. A comparison takes the same time whether the account exists or not. */
import { availableParallelism } from 'node:os';
import { FairLimiter } from './fair-limiter.ts';
import { hashPassword, matchesSecret } from './hashing.ts';

/** The hash of an unknown password. Compared if an account has none, so that the response takes as long. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$MUKz7ORTdOmISNgOuRtHUw$fp6oG9jAA0j8LCeEYIAc7rvITETYvsFILxrZlhXkqYk';

/** At most half of the four threads of libuv, so that sign-ins do not delay the verification of keys. */
const maxConcurrentHashes = Math.min(2, availableParallelism());

/** Hashes passwords and compares them with their hashes, at most two at once. */
export class Passwords {
  readonly #limiter = new FairLimiter(maxConcurrentHashes);

  /**
   * Compares a password with its hash; false if the hash is null. Calls that wait take turns by their `queueKey`.
   */
  async matches(hash: string | null, password: string, queueKey: string): Promise<boolean> {
    const isMatch = await this.#limiter.run(queueKey, () =>
      matchesSecret(hash ?? dummyHash, password.normalize('NFKC')),
    );
    return isMatch && hash !== null;
  }

  /** Hashes a password (`hashPassword`). Calls that wait take turns by their `queueKey`. */
  hash(password: string, queueKey: string): Promise<string> {
    return this.#limiter.run(queueKey, () => hashPassword(password));
  }
}
