/**
 * The state of a source's runs, written while other processes use the file: the file's lock is waited for in short
 * attempts, so that signals are heard meanwhile.
 */
import type Database from 'better-sqlite3';
import { isBusy, withBusyTimeout } from '../store/busy.ts';
import { endRun } from '../store/run-notes.ts';
import type { Schedules } from '../store/schedules.ts';
import { thisRunner } from './deaths.ts';
import { Patience } from './patience.ts';

/** How long the end of an interrupted run is tried to be written, ms; the process has 5 s to end. */
const interruptedMs = 1_000;
/** How long a process that exits waits for the lock, ms. */
const exitMs = 100;

/** A run of one source, which was due at `planned`. */
export class SourceRun {
  readonly #sqlite: Database.Database;
  readonly #schedules: Schedules;
  readonly #patience: Patience;
  readonly #source: number;
  readonly #planned: number;
  readonly #exit = () => this.#giveUpAtExit();

  /** @param signal ends the waiting for the lock; what it is aborted with is thrown */
  constructor(
    sqlite: Database.Database,
    schedules: Schedules,
    { source, planned, signal }: { source: number; planned: number; signal: AbortSignal | undefined },
  ) {
    this.#sqlite = sqlite;
    this.#schedules = schedules;
    this.#patience = new Patience(sqlite, signal);
    this.#source = source;
    this.#planned = planned;
  }

  /** Notes that the run begins. A process that exits in good order takes the note back: that is no failure of the source. */
  async begin(next: number): Promise<void> {
    await this.#patience.write(() => this.#schedules.begin(this.#source, next, thisRunner()));
    process.once('exit', this.#exit);
  }

  /** To be called when the run is over, however it ended. */
  close(): void {
    process.off('exit', this.#exit);
  }

  succeed(...args: Tail<Parameters<Schedules['succeed']>>): Promise<void> {
    return this.#patience.write(() => this.#schedules.succeed(this.#source, ...args));
  }

  fail(...args: Tail<Parameters<Schedules['fail']>>): Promise<void> {
    return this.#patience.write(() => this.#schedules.fail(this.#source, ...args));
  }

  /** Ends the run as if it had not been: the source is due when it was. */
  giveUp(): Promise<void> {
    return this.#patience.write(() => this.#schedules.giveUp(this.#source, this.#planned));
  }

  /**
   * The same after the run was interrupted. Where the lock is not free within a second, the note stays: the next process
   * takes this one for dead.
   */
  async giveUpSoon(): Promise<void> {
    this.#rollback();
    const patience = new Patience(this.#sqlite, undefined, interruptedMs);
    try {
      await patience.write(() => this.#schedules.giveUp(this.#source, this.#planned));
    } catch (failure) {
      if (!patience.isSpent) throw failure;
    }
  }

  /** Takes the note back after the data file itself ended the run, as far as the file can be written. */
  unnote(): void {
    try {
      this.#rollback();
      withBusyTimeout(this.#sqlite, exitMs, () => endRun(this.#sqlite, this.#source));
    } catch {
      // The next process that finds the note takes this one for dead, which it is by then.
    }
  }

  #giveUpAtExit(): void {
    this.#rollback();
    try {
      withBusyTimeout(this.#sqlite, exitMs, () => this.#schedules.giveUp(this.#source, this.#planned));
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
  }

  #rollback(): void {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;
