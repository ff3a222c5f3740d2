/** Aborts a run from outside, for failures that no call of the run throws, such as socket errors. */

/** The abort of one run. The first failure counts. */
export class RunAbort {
  readonly #controller = new AbortController();
  #reject: ((reason: unknown) => void) | null = null;
  #reason: { failure: unknown } | null = null;

  /** Aborted with the failure; passed to downloads and waits. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Makes the items fail with this error, now and from then on. */
  abort(failure: unknown): void {
    this.#reason ??= { failure };
    this.#controller.abort(failure);
    this.#reject?.(failure);
  }

  /** Yields the items of another iterable until the run is aborted. */
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
      const closing = iterator.return?.();
      // After an abort the source may never answer, so its return is not awaited.
      if (this.#reason === null) await closing;
      else closing?.catch(() => {});
    }
  }
}
