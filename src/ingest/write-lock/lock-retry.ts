/**
 * Waits for the write lock of the file in short attempts with pauses. SQLite's own busy handler sleeps, and signals are
 * not handled meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { isBusy, withBusyTimeout } from '../../store/file/busy-timeout.ts';
import { LockRequester } from '../../store/file/lock-requests.ts';

/** Duration in ms of one attempt inside SQLite, and of the pause between two attempts. */
const attemptTimeoutMs = 20;
const retryPauseMs = 1;
/** Maximum total wait in ms. */
const maxWaitMs = 10_000;

/** Attempts to take the write lock of one connection; a series of refused attempts has a limit in time. */
export class LockRetry {
  readonly #sqlite: Database.Database;
  readonly #signal: AbortSignal | undefined;
  readonly #maxMs: number;
  readonly #requester: LockRequester;
  /** Whether the last wait timed out. */
  isSpent = false;
  /** Time of the first failed attempt in the current series; null if the last attempt succeeded. */
  #refusedSince: number | null = null;

  /**
   * @param signal stops the waiting and throws the abort reason
   * @param maxMs maximum total wait in ms
   */
  constructor(sqlite: Database.Database, signal?: AbortSignal, maxMs = maxWaitMs) {
    this.#sqlite = sqlite;
    this.#signal = signal;
    this.#maxMs = maxMs;
    this.#requester = new LockRequester(sqlite.name);
  }

  /** Whether the last attempt failed, so that a pause is due before the next one. */
  get isRefused(): boolean {
    return this.#refusedSince !== null;
  }

  /**
   * Runs `work` once, which begins by taking the lock. A refused attempt asks an import that holds the lock to release it.
   * @param timeoutMs how long SQLite may wait for the lock
   * @returns false if another process holds the lock
   * @throws Failure if all attempts within `maxMs` failed
   */
  attempt(work: () => void, timeoutMs = attemptTimeoutMs): boolean {
    const startedAt = performance.now();
    try {
      withBusyTimeout(this.#sqlite, timeoutMs, work);
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
      this.#refusedSince ??= startedAt;
      if (performance.now() - this.#refusedSince <= this.#maxMs) {
        this.#requester.request();
        return false;
      }
      this.#requester.done();
      this.#refusedSince = null;
      this.isSpent = true;
      throw new Failure(
        `The data file cannot be written: ${(failure as Error).message}. Try again when no other process writes to it.`,
        1,
        { code: 'file_busy' },
      );
    }
    this.#requester.done();
    this.#refusedSince = null;
    return true;
  }

  /** Lets the event loop run before the next attempt. */
  async pause(): Promise<void> {
    await unlessAborted(this.#signal, sleep(retryPauseMs));
  }

  /** Runs `work`, a transaction or statement of its own, as soon as the lock is free. Throws as `attempt` does. */
  async write<T>(work: () => T): Promise<T> {
    let result: { value: T } | undefined;
    while (
      !this.attempt(() => {
        result = { value: work() };
      })
    )
      await this.pause();
    return (result as { value: T }).value;
  }
}

/**
 * Waits for `work` until `signal` is aborted. Abandoned work continues, and its result is ignored.
 * @throws the abort reason
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Abandoned work may reject later; the rejection must be handled.
    work.catch(() => {});
  }
}
