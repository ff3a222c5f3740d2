/** A limit on the time that one record may take. */
import { TimeLimitExceeded, withTimeLimit } from './time-limit.ts';

/** ms; a record takes a few, and 50 at worst. Below what somebody who asks the work to end has patience for. */
export const maxRecordMs = 1_500;
/** On a machine that is so busy that the work hardly ran, it is tried again with this many times as long. */
const retryFactor = 4;
const maxRetryMs = maxRecordMs * retryFactor ** 2;

export class RecordTimeLimit {
  #limitMs = maxRecordMs;
  /** Whether what was ended last is too slow by itself; else it hardly ran, and is to be tried again. */
  isTooSlow = false;

  /** Runs `work`, which must not wait for anything. Throws `TimeLimitExceeded` where it was ended. */
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
