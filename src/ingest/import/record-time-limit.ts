/**
 * Limits the processing time of one record: aborts synchronous work that does not end, such as a regular expression or
 * loop on malicious text. Node.js watches it from another thread, so the event loop need not run.
 */
import { Script } from 'node:vm';

/** In ms. A record takes a few, at most about 50. Short enough that a shutdown request is not delayed noticeably. */
export const maxRecordMs = 1_500;
/** Factor by which the limit is extended for a retry, on a machine so busy that the work hardly ran. */
const retryFactor = 4;

/** Runs the work of one import within the limit, and tells work that is slow itself from work on a busy machine. */
export class RecordTimeLimit {
  readonly #maxMs: number;
  #limitMs: number;
  /** Whether the last aborted work is too slow itself; if false, it hardly ran and is to be retried. */
  isTooSlow = false;

  /** @param maxMs the limit in ms */
  constructor(maxMs = maxRecordMs) {
    this.#maxMs = maxMs;
    this.#limitMs = maxMs;
  }

  /** Runs synchronous work. Throws `TimeLimitExceeded` if it was aborted. */
  run<T>(work: () => T): T {
    const before = process.threadCpuUsage();
    try {
      const result = withTimeLimit(this.#limitMs, work);
      this.#limitMs = this.#maxMs;
      return result;
    } catch (failure) {
      if (failure instanceof TimeLimitExceeded) this.#classify(before);
      throw failure;
    }
  }

  #classify(before: NodeJS.CpuUsage): void {
    const { user, system } = process.threadCpuUsage(before);
    const maxRetryMs = this.#maxMs * retryFactor ** 2;
    this.isTooSlow = (user + system) / 1_000 > this.#maxMs / 2 || this.#limitMs >= maxRetryMs;
    this.#limitMs = this.isTooSlow ? this.#maxMs : this.#limitMs * retryFactor;
  }
}

/** The global key under which the script finds the work; a symbol avoids conflicts. */
const workSymbol = Symbol.for('cratebase.time-limit');
const globalSlots: Record<symbol, (() => unknown) | undefined> = globalThis;
const script = new Script(`globalThis[Symbol.for('cratebase.time-limit')]()`, {
  filename: 'time-limit',
});

/** The work exceeded its time limit and was aborted; state that it was changing may be inconsistent. */
export class TimeLimitExceeded extends Error {
  constructor() {
    super('took too long');
  }
}

/**
 * Runs synchronous work and aborts it after `ms`. Costs about 0.1 ms: call it per group of records, not per step. A
 * single SQLite statement is not aborted.
 * @throws TimeLimitExceeded after `ms`
 */
export function withTimeLimit<T>(ms: number, work: () => T): T {
  const before = globalSlots[workSymbol];
  globalSlots[workSymbol] = work;
  try {
    return script.runInThisContext({ timeout: ms, displayErrors: false }) as T;
  } catch (failure) {
    if ((failure as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeLimitExceeded();
    throw failure;
  } finally {
    globalSlots[workSymbol] = before;
  }
}
