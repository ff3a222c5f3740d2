/** A limit on the time that one record may take. */
import { TookTooLong, withTimeLimit } from './time-limit.ts';

/** ms; a record takes a few, and 50 at worst. Below what somebody who asks the work to end has patience for. */
export const longestMs = 1_500;
/** On a machine that is so busy that the work hardly ran, it is tried again with this many times as long. */
const morePatience = 4;
const mostPatienceMs = longestMs * morePatience ** 2;

export class Guard {
  #limitMs = longestMs;
  /** Whether what was ended last is too slow by itself; else it hardly ran, and is to be tried again. */
  isTooSlow = false;

  /** Runs `work`, which must not wait for anything. Throws `TookTooLong` where it was ended. */
  run<T>(work: () => T): T {
    const before = process.threadCpuUsage();
    try {
      const result = withTimeLimit(this.#limitMs, work);
      this.#limitMs = longestMs;
      return result;
    } catch (failure) {
      if (failure instanceof TookTooLong) this.#judge(before);
      throw failure;
    }
  }

  #judge(before: NodeJS.CpuUsage): void {
    const { user, system } = process.threadCpuUsage(before);
    this.isTooSlow = (user + system) / 1_000 > longestMs / 2 || this.#limitMs >= mostPatienceMs;
    this.#limitMs = this.isTooSlow ? longestMs : this.#limitMs * morePatience;
  }
}
