/** Limits the processing time of one record. */
import { TimeLimitExceeded, withTimeLimit } from './time-limit.ts';

/** In ms. A record takes a few, at most about 50. Short enough that a shutdown request is not delayed noticeably. */
export const maxRecordMs = 1_500;
/** Factor by which the limit is extended for a retry, on a machine so busy that the work hardly ran. */
const retryFactor = 4;
const maxRetryMs = maxRecordMs * retryFactor ** 2;

export class RecordTimeLimit {
  #limitMs = maxRecordMs;
  /** Whether the last aborted work is too slow itself; if false, it hardly ran and is to be retried. */
  isTooSlow = false;

  /** Runs synchronous work. Throws `TimeLimitExceeded` if it was aborted. */
  run<T>(work: () => T): T {
    const before = process.threadCpuUsage();
    try {
      const result = withTimeLimit(this.#limitMs, work);
      this.#limitMs = maxRecordMs;
      return result;
    } catch (failure) {
      if (failure instanceof TimeLimitExceeded) this.#classify(before);
      throw failure;
    }
  }

  #classify(before: NodeJS.CpuUsage): void {
    const { user, system } = process.threadCpuUsage(before);
    this.isTooSlow = (user + system) / 1_000 > maxRecordMs / 2 || this.#limitMs >= maxRetryMs;
    this.#limitMs = this.isTooSlow ? maxRecordMs : this.#limitMs * retryFactor;
  }
}
