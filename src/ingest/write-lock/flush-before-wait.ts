/** An iterator that calls a function before it waits for a slow source, so that no lock is held meanwhile. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from './lock-retry.ts';

/** Items that arrive within this time in ms do not count as waiting. */
const graceMs = 5;

/** Iterates over a source once. */
export class FlushingIterator<T> {
  readonly #items: AsyncIterator<T>;
  readonly #flush: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param beforeWaiting called if the next item is not available at once, and if the source fails
   * @param signal stops the waiting
   */
  constructor(items: AsyncIterable<T>, beforeWaiting: () => Promise<void>, signal?: AbortSignal | undefined) {
    this.#items = items[Symbol.asyncIterator]();
    this.#flush = beforeWaiting;
    this.#signal = signal;
  }

  /** Returns the next item, or null after the last. Throws the error of the source or the abort reason. */
  async next(): Promise<T | null> {
    const next = this.#items.next();
    // If the source fails, the items before the failure are kept.
    const isThere = next.then(
      () => true,
      () => false,
    );
    const isPrompt =
      (await Promise.race([isThere, nextTurn(false)])) ||
      (await Promise.race([isThere, sleep(graceMs, false)]));
    if (!isPrompt) await this.#flush();
    const { value, done } = await unlessAborted(this.#signal, next);
    return done ? null : value;
  }

  /** Closes the source without waiting for its current item. */
  cancel(): void {
    void this.#items.return?.()?.catch(() => {});
  }
}
