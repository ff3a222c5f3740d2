/** Measures how long transactions hold the write lock. */

/** Upper bounds of the histogram buckets in ms. */
const bucketBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1_000, Number.POSITIVE_INFINITY] as const;

export type LockReport = {
  /** Number of transactions; the longest and the total time in ms that they held the lock. */
  transactions: number;
  longest_ms: number;
  /** What the longest transaction wrote: "event berghain-12 and 3 more". */
  longest_wrote: string;
  /**
   * Processor time of the longest transaction in ms; on a busy machine most of its duration belongs to other programs.
   */
  longest_cpu_ms: number;
  /** Processor time in ms of the transaction that took the most of it; it does not depend on the load of the machine. */
  max_cpu_ms: number;
  total_ms: number;
  /**
   * How often another process asked for the lock and got it; the longest and the total time in ms until it had it and
   * released it, during which the next record is compared.
   */
  handovers: number;
  longest_handover_ms: number;
  total_handover_ms: number;
  /** Number of transactions per bucket, by upper bound in ms: `{"1": 120, "2": 30, …, "more": 0}`. */
  up_to_ms: Record<string, number>;
};

/** The lock times of one import. */
export class LockTimes {
  readonly #counts = bucketBoundsMs.map(() => 0);
  #count = 0;
  #longestMs = 0;
  #longestWrote = '';
  #longestCpuMs = 0;
  #maxCpuMs = 0;
  #totalMs = 0;
  #handovers = 0;
  #longestHandoverMs = 0;
  #totalHandoverMs = 0;

  /** The number of transactions so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * @param ms duration of the transaction
   * @param cpuMs processor time of its thread
   * @param describeWork describes what it wrote; called only for the longest one
   */
  add(ms: number, cpuMs: number, describeWork: () => string): void {
    const at = bucketBoundsMs.findIndex((bound) => ms <= bound);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#count++;
    if (ms > this.#longestMs) {
      this.#longestMs = ms;
      this.#longestWrote = describeWork();
      this.#longestCpuMs = cpuMs;
    }
    this.#maxCpuMs = Math.max(this.#maxCpuMs, cpuMs);
    this.#totalMs += ms;
  }

  /** Counts a request of another process, and how long it took that process to use the free lock. */
  addHandover(ms: number): void {
    this.#handovers++;
    this.#totalHandoverMs += ms;
    this.#longestHandoverMs = Math.max(this.#longestHandoverMs, ms);
  }

  /** The lock times so far, in tenths of milliseconds. */
  report(): LockReport {
    const upTo = bucketBoundsMs.map((bound, at) => [
      bound === Number.POSITIVE_INFINITY ? 'more' : `${bound}`,
      this.#counts[at],
    ]);
    return {
      transactions: this.#count,
      longest_ms: roundToTenths(this.#longestMs),
      longest_wrote: this.#longestWrote,
      longest_cpu_ms: roundToTenths(this.#longestCpuMs),
      max_cpu_ms: roundToTenths(this.#maxCpuMs),
      total_ms: roundToTenths(this.#totalMs),
      handovers: this.#handovers,
      longest_handover_ms: roundToTenths(this.#longestHandoverMs),
      total_handover_ms: roundToTenths(this.#totalHandoverMs),
      up_to_ms: Object.fromEntries(upTo) as Record<string, number>,
    };
  }
}

const roundToTenths = (ms: number): number => Math.round(ms * 10) / 10;
