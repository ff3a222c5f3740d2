/**
 * The transactions of a long work, and how long each holds the file's write lock: a few milliseconds where others want
 * to write too, longer where nobody does (docs/decisions/15-write-lock.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { isServed } from '../store/serving.ts';
import type { Subject } from './lines.ts';
import { type Deed, LockTimes } from './lock-times.ts';
import { Patience } from './patience.ts';
import { unlessAborted } from './unless-aborted.ts';
import type { Workbench } from './workbench.ts';

/** All in ms. */
type Pace = {
  /** How long a transaction goes on before it is ended. */
  batchMs: number;
  /** How long the file is left to others between two; what is worked out meanwhile counts. */
  restMs: number;
  /** A transaction that is as old as this is ended before something is compared. */
  compareMs: number;
};

/**
 * Beside others: what is compared is compared before its transaction. The meter asks for the lock every millisecond.
 * Measured with `npm run bench:sync`.
 */
const busy: Pace = { batchMs: 1, restMs: 5, compareMs: 0 };
/** A service may be there, and nobody wrote lately: each page of the file is written once for each transaction. */
const quiet: Pace = { batchMs: 12, restMs: 5, compareMs: 6 };
/** No service is known to use the file. Whoever comes waits for one transaction, then for the next rest. */
const unattended: Pace = { batchMs: 1_000, restMs: 110, compareMs: 500 };
/** Nobody else can know the file. */
const alone: Pace = { batchMs: 2_000, restMs: 0, compareMs: 2_000 };
const longestRestMs = 50;
/** So long nobody else wrote, ms, before transactions grow. */
const quietAfterMs = 1_000;

export class Batches {
  readonly lockTimes = new LockTimes();
  readonly #sqlite: Database.Database;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: Patience;
  #bench: Workbench;
  #pace: Pace;
  #began = 0;
  #cpuBefore = process.threadCpuUsage();
  #ended = Number.NEGATIVE_INFINITY;
  #heldMs = 0;
  /** What the transaction under way wrote last, and how much it wrote. */
  #doing: string | Subject = '';
  #steps = 0;
  #version: number;
  /** When somebody else last wrote, as far as is known. */
  #othersAt = performance.now();

  /**
   * @param isAlone nobody else can use the file: long transactions, no rests. Where it is not said, somebody may, and
   * transactions are long as long as no service is noted in the file and nobody else wrote to it
   */
  constructor(
    sqlite: Database.Database,
    bench: Workbench,
    { isAlone, signal }: { isAlone: boolean | undefined; signal?: AbortSignal | undefined },
  ) {
    this.#sqlite = sqlite;
    this.#bench = bench;
    this.#signal = signal;
    this.#patience = new Patience(sqlite, signal);
    this.#version = bench.writer.othersVersion();
    if (isAlone) this.#pace = alone;
    else this.#pace = isAlone === undefined && !isServed(sqlite) ? unattended : busy;
  }

  /** From now on the transactions are of another bench over the same file. */
  use(bench: Workbench): void {
    this.#bench = bench;
  }

  /** Whether others may be waiting: then nothing is worked out within a transaction that can be before it. */
  get isShared(): boolean {
    return this.#pace === busy || this.#pace === quiet;
  }
  /** Whether the transaction under way is to be ended before something is compared, which may take long. */
  get mustEndFirst(): boolean {
    return this.isOpen && performance.now() - this.#began >= this.#pace.compareMs;
  }
  get isOpen(): boolean {
    return this.#sqlite.inTransaction;
  }

  /**
   * Begins a transaction, unless one is under way.
   * @returns false where another process holds the lock: `rest` lets it go on, then this is to be called again
   * @throws Failure where the file was locked for 10 s
   */
  begin(): boolean {
    if (this.#sqlite.inTransaction) return true;
    if (!this.#patience.attempt(() => this.#bench.begin())) return false;
    this.#began = performance.now();
    this.#cpuBefore = process.threadCpuUsage();
    this.#steps = 0;
    this.#doing = '';
    return true;
  }

  /** The same as soon as nobody else holds the lock. */
  async opened(): Promise<void> {
    while (!this.begin()) await this.rest();
  }

  /** Notes what the transaction under way writes next: told of the longest one. */
  doing(what: string | Subject): void {
    this.#doing = what;
    this.#steps++;
  }

  #deed(): Deed {
    const { user, system } = process.threadCpuUsage(this.#cpuBefore);
    return { wrote: this.#wrote(), cpuMs: (user + system) / 1_000 };
  }

  #wrote(): string {
    const last =
      typeof this.#doing === 'string' ? this.#doing : `${this.#doing.kind} ${this.#doing.externalId}`;
    return this.#steps > 1 ? `${last} and ${this.#steps - 1} more` : last;
  }

  isDue(): boolean {
    return this.isOpen && performance.now() - this.#began > this.#pace.batchMs;
  }

  /**
   * Ends the transaction, if one is under way. The rest that is due then is taken before the next one. One that cannot be
   * committed (a full disk) is undone: part of what waited in memory is gone, and a second try would commit the other part.
   */
  end(): void {
    if (!this.#sqlite.inTransaction) return;
    try {
      this.#bench.commit();
    } catch (failure) {
      this.#bench.rollback();
      throw failure;
    }
    this.#ended = performance.now();
    this.#heldMs = this.#ended - this.#began;
    this.lockTimes.add(this.#heldMs, () => this.#deed());
    this.#adapt();
  }

  /** How long the file is still to be left to others before the next transaction, ms. */
  get restLeft(): number {
    if (this.isOpen || this.#pace.restMs === 0) return 0;
    // Where the machine is so busy that a transaction took long, those who wait come late to their turn, too.
    const rest =
      this.#pace === busy
        ? Math.min(Math.max(busy.restMs, this.#heldMs / 2), longestRestMs)
        : this.#pace.restMs;
    return Math.max(0, this.#ended + rest - performance.now());
  }

  /** Waits until others have had their turn, or a little where they have it. Throws what the signal is aborted with. */
  async rest(): Promise<void> {
    const left = this.restLeft;
    if (left <= 0 && this.#patience.isRefused) await this.#patience.pause();
    if (left > 0) await unlessAborted(this.#signal, sleep(left));
  }

  /** Ends the transaction, if one is under way, and lets others have their turn. */
  async commit(): Promise<void> {
    if (!this.isOpen) return;
    this.end();
    await this.rest();
  }

  /** Short transactions as soon as somebody else writes or serves, longer ones when nobody did for a while. */
  #adapt(): void {
    if (this.#pace === alone) return;
    const version = this.#bench.writer.othersVersion();
    const isTouched = version !== this.#version;
    this.#version = version;
    if (isTouched) this.#othersAt = this.#ended;
    if (this.#pace === unattended) {
      if (isTouched || isServed(this.#sqlite)) this.#pace = busy;
    } else this.#pace = this.#ended - this.#othersAt > quietAfterMs ? quiet : busy;
  }
}
