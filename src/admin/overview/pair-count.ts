/** Counts the pairs that wait for review, for the overview of the console. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCaller } from '../../contract/action-runner.ts';

/** How long a page waits for the exact number, in ms. Afterwards it shows the estimate. */
const maxWaitMs = 1_000;

export type PairCounter = (caller: ActionCaller) => Promise<number>;

/**
 * Returns a function that counts the pairs in the review. Requests at the same time share one count. If the count is
 * refused or takes longer than a page waits, the function returns the estimate.
 * @param count counts the pairs that the review shows, in the process of the actions
 * @param estimate counts the stored pairs in this process
 */
export function createPairCounter(
  count: (caller: ActionCaller) => Promise<number>,
  estimate: () => number,
  waitMs = maxWaitMs,
): PairCounter {
  let counting: Promise<number | null> | null = null;
  return async (caller) => {
    counting ??= count(caller)
      .catch(() => null)
      .finally(() => {
        counting = null;
      });
    const timeout = new AbortController();
    const late = delay(waitMs, null, { signal: timeout.signal }).catch(() => null);
    const exact = await Promise.race([counting, late]);
    timeout.abort();
    return exact ?? estimate();
  };
}
