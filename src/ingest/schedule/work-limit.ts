/**
 * Ends a run that makes little progress, so that the other sources are read: a source may list records that are costly to
 * compare (docs/decisions/57-turns-of-sources.md).
 */

/** Processor time of a run in ms: what each has, and what each record adds. An ordinary record takes 1 to 5 ms. */
const baseMs = 5 * 60_000;
const perRecordMs = 20;

/** Returns the processor time of this process in ms. */
export type ProcessorTime = () => number;
const processorTime: ProcessorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

export class WorkLimit {
  readonly #now: ProcessorTime;
  readonly #beganMs: number;
  #records = 0;
  /** Why the run was ended; null if it was not. */
  reason: string | null = null;

  /** @param now the processor time; only tests replace it */
  constructor(now: ProcessorTime = processorTime) {
    this.#now = now;
    this.#beganMs = now();
  }

  /** Yields records until the limit is reached; `reason` is set then. */
  async *limit<T>(records: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const record of records) {
      yield record;
      this.#records++;
      const spentMs = this.#now() - this.#beganMs;
      if (spentMs <= baseMs + perRecordMs * this.#records) continue;
      const [count, seconds] = [this.#records.toLocaleString('en'), Math.round(spentMs / 1_000)];
      this.reason = `Reading was stopped after ${count} records, because they took ${seconds.toLocaleString('en')} s of processor time. What was read is in the catalogue, and the next run continues.`;
      return;
    }
  }
}
