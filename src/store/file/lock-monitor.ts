/**
 * Measures how long another process has held the file's write lock. A service must know: every counted request
 * writes. A process that hangs in a transaction leaves the file readable but blocks all requests.
 */
import type Database from 'better-sqlite3';
import { isBusy } from './busy-timeout.ts';

/**
 * Interval of the checks in ms, while the lock is free and while it is held. A transaction of an import is
 * shorter.
 */
const pollIntervalMs = 1_000;
const heldPollIntervalMs = 20;
/** A lock held for longer than this, in ms, belongs to a process that hangs. */
const stuckAfterMs = 5_000;

/** Tries the write lock of a file once a second, and every 20 ms while another process holds it. */
export class LockMonitor {
  readonly #sqlite: Database.Database;
  readonly #onChange: (isStuck: boolean) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the first of the refused attempts (`performance.now`); null if the last attempt succeeded. */
  #since: number | null = null;
  #isStuck = false;

  /**
   * Starts the checks, which end when the connection is closed. Their timer does not keep the process alive.
   * @param onChange is called when the lock has been held for more than five seconds, and when it is free again
   */
  constructor(sqlite: Database.Database, onChange: (isStuck: boolean) => void) {
    this.#sqlite = sqlite;
    this.#onChange = onChange;
    this.#schedule(pollIntervalMs);
  }

  /** Whether the lock has been held for more than five seconds. */
  get isStuck(): boolean {
    return this.#since !== null && performance.now() - this.#since > stuckAfterMs;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), ms).unref();
  }

  #check(): void {
    if (!this.#sqlite.open) return;
    if (isFree(this.#sqlite)) this.#since = null;
    else this.#since ??= performance.now();
    if (this.isStuck !== this.#isStuck) {
      this.#isStuck = this.isStuck;
      this.#onChange(this.#isStuck);
    }
    this.#schedule(this.#since === null ? pollIntervalMs : heldPollIntervalMs);
  }
}

/** Takes and releases the lock without waiting for it. */
function isFree(sqlite: Database.Database): boolean {
  // A backup is running on this connection.
  if (sqlite.inTransaction) return true;
  const busyTimeout = sqlite.pragma('busy_timeout', { simple: true });
  sqlite.pragma('busy_timeout = 0');
  try {
    sqlite.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch (failure) {
    // Other errors of the file are reported elsewhere (`probeWrite`).
    return !isBusy(failure);
  } finally {
    if (sqlite.open) sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  }
}
