/**
 * The state of a source's runs, written while other processes use the file: the file's lock is waited for in short
 * attempts, so that signals are heard meanwhile.
 */
import type Database from 'better-sqlite3';
import { isBusy, withBusyTimeout } from '../../store/file/busy-timeout.ts';
import { deleteRun } from '../../store/schedule/active-runs.ts';
import type { ScheduleStore } from '../../store/schedule/schedules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { currentRunner } from './dead-runs.ts';

/** How long the end of an interrupted run is tried to be written, ms; the process has 5 s to end. */
const interruptedMs = 1_000;
/** How long a process that exits waits for the lock, ms. */
const exitMs = 100;

/** A run of one source, which was due at `planned`. */
export class SourceRun {
  readonly #sqlite: Database.Database;
  readonly #schedules: ScheduleStore;
  readonly #patience: LockRetry;
  readonly #source: number;
  readonly #planned: number;
  readonly #exit = () => this.#giveUpAtExit();

  /** @param signal ends the waiting for the lock; what it is aborted with is thrown */
  constructor(
    sqlite: Database.Database,
    schedules: ScheduleStore,
    { source, planned, signal }: { source: number; planned: number; signal: AbortSignal | undefined },
  ) {
    this.#sqlite = sqlite;
    this.#schedules = schedules;
    this.#patience = new LockRetry(sqlite, signal);
    this.#source = source;
    this.#planned = planned;
  }

  /** Notes that the run begins. A process that exits in good order takes the note back: that is no failure of the source. */
  async begin(next: number): Promise<void> {
    await this.#patience.write(() => this.#schedules.startRun(this.#source, next, currentRunner()));
    process.once('exit', this.#exit);
  }

  /** To be called when the run is over, however it ended. */
  close(): void {
    process.off('exit', this.#exit);
  }

  succeed(...args: Tail<Parameters<ScheduleStore['completeRun']>>): Promise<void> {
    return this.#patience.write(() => this.#schedules.completeRun(this.#source, ...args));
  }

  fail(...args: Tail<Parameters<ScheduleStore['failRun']>>): Promise<void> {
    return this.#patience.write(() => this.#schedules.failRun(this.#source, ...args));
  }

  /** Ends the run as if it had not been: the source is due when it was. */
  giveUp(): Promise<void> {
    return this.#patience.write(() => this.#schedules.cancelRun(this.#source, this.#planned));
  }

  /**
   * The same after the run was interrupted. Where the lock is not free within a second, the note stays: the next process
   * takes this one for dead.
   */
  async giveUpSoon(): Promise<void> {
    this.#rollback();
    const patience = new LockRetry(this.#sqlite, undefined, interruptedMs);
    try {
      await patience.write(() => this.#schedules.cancelRun(this.#source, this.#planned));
    } catch (failure) {
      if (!patience.isSpent) throw failure;
    }
  }

  /** Takes the note back after the data file itself ended the run, as far as the file can be written. */
  unnote(): void {
    try {
      this.#rollback();
      withBusyTimeout(this.#sqlite, exitMs, () => deleteRun(this.#sqlite, this.#source));
    } catch {
      // The next process that finds the note takes this one for dead, which it is by then.
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
