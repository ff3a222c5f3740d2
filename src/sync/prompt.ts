/** Reading from a source that may let one wait, without holding anything up meanwhile. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** What comes within this time was not waited for. */
const graceMs = 5;

export class Prompt<T> {
  readonly #items: AsyncIterator<T>;
  readonly #beforeWaiting: () => Promise<void>;

  /** @param beforeWaiting called where the next item is not there at once, and where the source fails */
  constructor(items: AsyncIterable<T>, beforeWaiting: () => Promise<void>) {
    this.#items = items[Symbol.asyncIterator]();
    this.#beforeWaiting = beforeWaiting;
  }

  /** The next item; null after the last. */
  async next(): Promise<T | null> {
    try {
      const next = this.#items.next();
      const isThere = next.then(() => true);
      const isPrompt =
        (await Promise.race([isThere, nextTurn(false)])) ||
        (await Promise.race([isThere, sleep(graceMs, false)]));
      if (!isPrompt) await this.#beforeWaiting();
      const { value, done } = await next;
      return done ? null : value;
    } catch (failure) {
      // What came before it stays.
      await this.#beforeWaiting();
      throw failure;
    }
  }
}
