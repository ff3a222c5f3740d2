/** The transactions of a long work: short where others want to write too, longer where nobody does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure } from '../failure.ts';
import type { Workbench } from './workbench.ts';

/**
 * How long a transaction may go on, and how long the file is then left to others: the meter waits no longer for its turn.
 * Measured with `npm run bench:sync`, 20,000 events: p99 2.4 times the quiet one; with a pause of 4 ms 3.1 times, with 5 ms and 2 ms 11 times.
 * As long as nobody takes the turn, transactions grow: each page of the file is written once for each of them.
 */
const shared = { batchMs: 1, pauseMs: 6, longestMs: 25 };
const alone = { batchMs: 2_000, pauseMs: 0, longestMs: 2_000 };
const longestPauseMs = 50;
/** So many transactions without anybody else's make them longer: some seconds of nobody's asking. */
const quietBatches = 500;

export class Batches {
  readonly #sqlite: Database.Database;
  readonly #bench: Workbench;
  readonly #pace: typeof shared;
  #batchMs: number;
  #began = 0;
  #quiet = 0;
  #version = 0;
  /** How many there were. */
  count = 0;

  /** @param isAlone nobody else writes to the file: long transactions, no pauses between them */
  constructor(sqlite: Database.Database, bench: Workbench, isAlone: boolean) {
    this.#sqlite = sqlite;
    this.#bench = bench;
    this.#pace = isAlone ? alone : shared;
    this.#batchMs = this.#pace.batchMs;
    this.#version = bench.writer.othersVersion();
  }

  /** Begins a transaction, unless one is under way; says whether it did. Throws a `Failure` where the file is locked. */
  begin(): boolean {
    if (this.#sqlite.inTransaction) return false;
    try {
      this.#bench.begin();
    } catch (failure) {
      throw new Failure(
        `The data file cannot be written: ${(failure as Error).message}. Try again when nobody else writes to it.`,
      );
    }
    this.#began = performance.now();
    return true;
  }

  isDue(): boolean {
    return performance.now() - this.#began > this.#batchMs;
  }

  /** Ends the transaction, if one is under way, and lets others have their turn. */
  async commit(): Promise<void> {
    if (!this.#sqlite.inTransaction) return;
    this.#bench.commit();
    this.count++;
    if (this.#pace.pauseMs === 0) return;
    await sleep(this.#pause(performance.now() - this.#began));
    this.#adapt();
  }

  /** Where the machine is so busy that a transaction took long, those who wait come late to their turn, too. */
  #pause(heldMs: number): number {
    const { pauseMs } = this.#pace;
    return this.#quiet >= quietBatches ? pauseMs : Math.min(Math.max(pauseMs, heldMs / 2), longestPauseMs);
  }

  /** Longer transactions while nobody else writes, short ones as soon as somebody does. */
  #adapt(): void {
    const version = this.#bench.writer.othersVersion();
    const isQuiet = version === this.#version;
    this.#version = version;
    this.#quiet = isQuiet ? this.#quiet + 1 : 0;
    if (!isQuiet) this.#batchMs = this.#pace.batchMs;
    else if (this.#quiet >= quietBatches) {
      this.#batchMs = Math.min(this.#batchMs * 2, this.#pace.longestMs);
    }
  }
}
