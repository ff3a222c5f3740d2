/** The transactions of a long work: short where others want to write too, longer where nobody does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure } from '../failure.ts';
import type { Workbench } from './workbench.ts';

/**
 * How long a transaction may go on, and how long the file is then left to others: the meter waits no longer for its turn.
 * As long as nobody takes the turn, transactions grow: each page of the file is written once for each of them.
 */
const shared = { batchMs: 10, pauseMs: 2, longestMs: 80 };
const alone = { batchMs: 2_000, pauseMs: 0, longestMs: 2_000 };
/** So many transactions without anybody else's make them longer: over a second of nobody's asking. */
const quietBatches = 60;

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
    await sleep(this.#pace.pauseMs);
    this.#adapt();
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
