/**
 * Waiting for the file's write lock in short tries, with pauses between them: SQLite's own way to wait is to sleep, and
 * signals are not heard meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { isBusy, withBusyTimeout } from '../../store/file/busy-timeout.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How long a single try sleeps inside SQLite, and how long a pause between two tries is, ms. */
const attemptTimeoutMs = 20;
const retryPauseMs = 1;
/** How long a locked file is tried in all, ms. */
const maxWaitMs = 10_000;

export class LockRetry {
  readonly #sqlite: Database.Database;
  readonly #signal: AbortSignal | undefined;
  readonly #maxMs: number;
  /** Whether the last wait ended because the lock was not free in time. */
  isSpent = false;
  /** Since when every try was refused; null where the last one was not. */
  #refusedSince: number | null = null;

  /**
   * @param signal ends the waiting; what it is aborted with is thrown
   * @param maxMs how long a locked file is tried in all
   */
  constructor(sqlite: Database.Database, signal?: AbortSignal, maxMs = maxWaitMs) {
    this.#sqlite = sqlite;
    this.#signal = signal;
    this.#maxMs = maxMs;
  }

  /** Whether the last try was refused: a pause is due before the next one. */
  get isRefused(): boolean {
    return this.#refusedSince !== null;
  }

  /**
   * Tries `work` once, which begins with taking the lock.
   * @returns false where another process holds the lock
   * @throws Failure where every try was refused for 10 s, or the time that was given
   */
  attempt(work: () => void): boolean {
    const began = performance.now();
    try {
      withBusyTimeout(this.#sqlite, attemptTimeoutMs, work);
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
      this.#refusedSince ??= began;
      if (performance.now() - this.#refusedSince <= this.#maxMs) return false;
      this.#refusedSince = null;
      this.isSpent = true;
      throw new Failure(
        `The data file cannot be written: ${(failure as Error).message}. Try again when nobody else writes to it.`,
      );
    }
    this.#refusedSince = null;
    return true;
  }

  /** Lets the event loop run before the next try. */
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
