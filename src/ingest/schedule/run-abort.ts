/** Ending a run from outside, whatever it is waiting for: a failure that no call of it can throw, such as one of a socket. */

export class RunAbort {
  readonly #controller = new AbortController();
  #reject: ((reason: unknown) => void) | null = null;
  #reason: { failure: unknown } | null = null;

  /** Aborted with the failure: for what is being fetched and waited for. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Has the items end with this failure, at once and from now on. */
  abort(failure: unknown): void {
    this.#reason ??= { failure };
    this.#controller.abort(failure);
    this.#reject?.(failure);
  }

  /** The items of another iterable, until `fail` is called. */
  async *untilAborted<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        if (this.#reason !== null) throw this.#reason.failure;
        const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
          this.#reject = reject;
          iterator.next().then(resolve, reject);
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      this.#reject = null;
      const returned = iterator.return?.();
      // It may be waiting for what never comes: that holds nobody up.
      if (this.#reason === null) await returned;
      else returned?.catch(() => {});
    }
  }
}
