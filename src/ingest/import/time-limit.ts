/**
 * Ending work that does not come to an end by itself: a regular expression or a loop that a hostile text keeps busy. Node
 * watches from a thread of its own, so the event loop need not turn for it.
 */
import { Script } from 'node:vm';

/** Where the script finds the work: under a symbol, since anything else could be in the way of others. */
const workSymbol = Symbol.for('cratebase.time-limit');
const globalSlots = globalThis as unknown as Record<symbol, (() => unknown) | undefined>;
const script = new Script(`globalThis[Symbol.for('cratebase.time-limit')]()`, {
  filename: 'time-limit',
});

/** The work took longer than it may, and was ended where it stood: what it was changing may be half changed. */
export class TimeLimitExceeded extends Error {
  constructor() {
    super('took too long');
  }
}

/**
 * Runs `work`, which must not wait for anything, and ends it after `ms`. Costs about 0.1 ms: for a handful of records,
 * not for each step of one. A single SQLite statement is not ended in its midst.
 * @throws TookTooLong after `ms`
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
