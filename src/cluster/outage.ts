/** How long callers wait for a PostgreSQL that is away, and when they are refused without waiting. */
import { databaseAway } from './connection.ts';

/** How long a caller waits for a server that is away (ms). */
export const awayTimeoutMs = 2_000;
/** How long later callers are refused at once after that (ms). */
const refuseAtOnceMs = 1_000;

/** Remembers when the server of some connections was last found to be away. */
export class Outage {
  #foundAt = Number.NEGATIVE_INFINITY;

  /** Whether a caller gave up less than a second ago. */
  get isRecent(): boolean {
    return performance.now() - this.#foundAt < refuseAtOnceMs;
  }

  /**
   * Notes that a try failed because the server is away. It returns if the caller should try again.
   * @param startedAt when the caller tried first, by `performance.now()`
   * @throws Problem `unavailable` if the caller has waited for two seconds, or another one gave up less than a second
   *   ago
   */
  note(startedAt: number, failure: unknown): void {
    if (!this.isRecent && performance.now() - startedAt <= awayTimeoutMs) return;
    this.#foundAt = performance.now();
    throw databaseAway(failure);
  }

  /** Notes that the server has answered. */
  end(): void {
    this.#foundAt = Number.NEGATIVE_INFINITY;
  }
}
