/** Limits how many hashes are computed at once. Forged keys with one public id delay no other key. */
import { Problem } from '../contract/errors.ts';
import { FairQueue } from '../fair-queue.ts';

/** Tasks of one caller beyond this bound are rejected. */
const maxQueueLength = 100;

/** Runs at most a given number of tasks at once. The callers of waiting tasks take turns. */
export class FairLimiter {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  /** @param concurrency how many tasks may run at once */
  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  /** Runs `task` when its turn comes, and returns its result. Rejects with `unavailable` if too many tasks of the caller wait. */
  async run<T>(queueKey: string, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(queueKey);
    try {
      return await task();
    } finally {
      const start = this.#waiting.shift();
      if (start === undefined) this.#free += 1;
      else start();
    }
  }

  #wait(queueKey: string): Promise<void> {
    if (this.#waiting.sizeOf(queueKey) >= maxQueueLength) {
      throw new Problem('unavailable', 'Too many keys and passwords wait to be checked. Try again shortly.');
    }
    return new Promise((start) => this.#waiting.push(queueKey, start));
  }
}
