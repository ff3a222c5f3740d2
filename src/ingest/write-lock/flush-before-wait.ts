/** Reading from a source that may let one wait, without holding anything up meanwhile. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from './unless-aborted.ts';

/** What comes within this time was not waited for. */
const graceMs = 5;

export class FlushingIterator<T> {
  readonly #items: AsyncIterator<T>;
  readonly #flush: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param beforeWaiting called where the next item is not there at once, and where the source fails
   * @param signal ends the waiting
   */
  constructor(items: AsyncIterable<T>, beforeWaiting: () => Promise<void>, signal?: AbortSignal | undefined) {
    this.#items = items[Symbol.asyncIterator]();
    this.#flush = beforeWaiting;
    this.#signal = signal;
  }

  /** The next item; null after the last. Throws what the source does, and what the signal is aborted with. */
  async next(): Promise<T | null> {
    const next = this.#items.next();
    // Where the source fails: what came before it stays.
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

  /** Tells the source that no more is wanted; what it is waiting for at present is not waited for. */
  cancel(): void {
    void this.#items.return?.()?.catch(() => {});
  }
}
