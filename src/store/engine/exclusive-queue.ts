/** Runs one piece of asynchronous work at a time, in the order of the calls. */
export class ExclusiveQueue {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Whether `run` would begin at once. */
  get isFree(): boolean {
    return !this.#isTaken;
  }

  /** Runs `work` when all work before it has ended, well or not. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      // The next call takes over before the queue is free, so that a later one cannot pass it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#isTaken = false;
      else next();
    }
  }
}
