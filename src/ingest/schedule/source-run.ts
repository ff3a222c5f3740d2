/**
 * Stores the beginning and the outcome of one run of a source. Waits for the file lock in short attempts, because other processes use the file and
 * signals must be handled meanwhile.
 */
import type Database from 'better-sqlite3';
import { isBusy, withBusyTimeout } from '../../store/file/busy-timeout.ts';
import { deleteRun } from '../../store/schedule/active-runs.ts';
import type { ScheduleStore } from '../../store/schedule/schedules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { currentRunner } from './dead-runs.ts';

/** Maximum wait in ms for storing the end of an interrupted run; the process has 5 s to exit. */
const interruptedMs = 1_000;
/** Maximum wait in ms for the lock when the process exits. */
const exitMs = 100;

/** One run of a source that was due at `planned`. */
export class SourceRun {
  readonly #sqlite: Database.Database;
  readonly #schedules: ScheduleStore;
  readonly #lockRetry: LockRetry;
  readonly #source: number;
  readonly #planned: number;
  readonly #exit = () => this.#giveUpAtExit();

  /** @param signal stops waiting for the lock and throws the abort reason */
  constructor(
    sqlite: Database.Database,
    schedules: ScheduleStore,
    { source, planned, signal }: { source: number; planned: number; signal: AbortSignal | undefined },
  ) {
    this.#sqlite = sqlite;
    this.#schedules = schedules;
    this.#lockRetry = new LockRetry(sqlite, signal);
    this.#source = source;
    this.#planned = planned;
  }

  /** Marks the run as begun. A process that exits normally removes the mark, so that it does not count as a failure. */
  async begin(next: number): Promise<void> {
    await this.#lockRetry.write(() => this.#schedules.startRun(this.#source, next, currentRunner()));
    process.once('exit', this.#exit);
  }

  /** Must be called when the run has ended in any way. */
  close(): void {
    process.off('exit', this.#exit);
  }

  /** Stores a finished run and the next time; see `ScheduleStore.completeRun`. */
  succeed(...args: Tail<Parameters<ScheduleStore['completeRun']>>): Promise<void> {
    return this.#lockRetry.write(() => this.#schedules.completeRun(this.#source, ...args));
  }

  /** Stores a failed run and the next time; see `ScheduleStore.failRun`. */
  fail(...args: Tail<Parameters<ScheduleStore['failRun']>>): Promise<void> {
    return this.#lockRetry.write(() => this.#schedules.failRun(this.#source, ...args));
  }

  /** Removes the mark and keeps the source due as before. */
  giveUp(): Promise<void> {
    return this.#lockRetry.write(() => this.#schedules.cancelRun(this.#source, this.#planned));
  }

  /**
   * Like `giveUp`, after an interruption. If the lock is not free within a second the mark stays, and the next process
   * treats this run as dead.
   */
  async giveUpSoon(): Promise<void> {
    this.#rollback();
    const lockRetry = new LockRetry(this.#sqlite, undefined, interruptedMs);
    try {
      await lockRetry.write(() => this.#schedules.cancelRun(this.#source, this.#planned));
    } catch (failure) {
      if (!lockRetry.isSpent) throw failure;
    }
  }

  /** Removes the mark after the data file itself ended the run, if the file can be written. */
  unnote(): void {
    try {
      this.#rollback();
      withBusyTimeout(this.#sqlite, exitMs, () => deleteRun(this.#sqlite, this.#source));
    } catch {
      // The mark stays; the next process treats this run as dead, which is correct by then.
    }
  }

  #giveUpAtExit(): void {
    this.#rollback();
    try {
      withBusyTimeout(this.#sqlite, exitMs, () => this.#schedules.cancelRun(this.#source, this.#planned));
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
  }

  #rollback(): void {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;
