/**
 * How long another process has held the file's write lock. Who serves has to know: every request that is counted writes,
 * and a process that hangs in a transaction leaves the file readable and nobody served.
 */
import type Database from 'better-sqlite3';
import { isBusy } from './busy-timeout.ts';

/** How often the lock is tried for while it is free, and while it is not, ms. A transaction of an import is over sooner. */
const pollIntervalMs = 1_000;
const heldPollIntervalMs = 20;
/** A lock that is held for so long, ms, belongs to somebody who does not go on. */
const stuckAfterMs = 5_000;

export class LockMonitor {
  readonly #sqlite: Database.Database;
  readonly #onChange: (isStuck: boolean) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Since when every try was refused (`performance.now`); null where the last one was not. */
  #since: number | null = null;
  #isStuck = false;

  /**
   * Begins to watch, until the connection is closed. Keeps no process alive.
   * @param onChange hears when the lock turns out to be held for more than five seconds, and when it is free again
   */
  constructor(sqlite: Database.Database, onChange: (isStuck: boolean) => void) {
    this.#sqlite = sqlite;
    this.#onChange = onChange;
    this.#plan(pollIntervalMs);
  }

  /** Whether the lock has been held for more than five seconds. */
  get isStuck(): boolean {
    return this.#since !== null && performance.now() - this.#since > stuckAfterMs;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #plan(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    if (!this.#sqlite.open) return;
    if (isFree(this.#sqlite)) this.#since = null;
    else this.#since ??= performance.now();
    if (this.isStuck !== this.#isStuck) {
      this.#isStuck = this.isStuck;
      this.#onChange(this.#isStuck);
    }
    this.#plan(this.#since === null ? pollIntervalMs : heldPollIntervalMs);
  }
}

/** Takes the lock and gives it back at once, without waiting for it. */
function isFree(sqlite: Database.Database): boolean {
  // A copy is being made over this connection.
  if (sqlite.inTransaction) return true;
  const patience = sqlite.pragma('busy_timeout', { simple: true });
  sqlite.pragma('busy_timeout = 0');
  try {
    sqlite.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch (failure) {
    // What else may be wrong with the file is told by others (`probeWrite`).
    return !isBusy(failure);
  } finally {
    if (sqlite.open) sqlite.pragma(`busy_timeout = ${patience}`);
  }
}
