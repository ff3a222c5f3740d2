/**
 * The transactions of a long work, and how long each holds the file's write lock: a few milliseconds where others want
 * to write too, longer where nobody does (docs/decisions/15-write-lock.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { RecordKey } from '../../sources/common/input-items.ts';
import { hasRunningService } from '../../store/file/service-registry.ts';
import type { WriteSession } from '../write-session.ts';
import { LockRetry } from './lock-retry.ts';
import { type BatchWork, LockTimes } from './lock-times.ts';
import { unlessAborted } from './unless-aborted.ts';

/** All in ms. */
type BatchTiming = {
  /** How long a transaction goes on before it is ended. */
  maxBatchMs: number;
  /** How long the file is left to others between two; what is worked out meanwhile counts. */
  pauseMs: number;
  /** A transaction that is as old as this is ended before something is compared. */
  maxAgeToCompareMs: number;
};

/**
 * Beside others: what is compared is compared before its transaction. The meter asks for the lock every millisecond.
 * Measured with `npm run bench:sync`.
 */
const sharedTiming: BatchTiming = { maxBatchMs: 1, pauseMs: 5, maxAgeToCompareMs: 0 };
/** A service may be there, and nobody wrote lately: each page of the file is written once for each transaction. */
const quietTiming: BatchTiming = { maxBatchMs: 12, pauseMs: 5, maxAgeToCompareMs: 6 };
/** No service is known to use the file. Whoever comes waits for one transaction, then for the next rest. */
const unservedTiming: BatchTiming = { maxBatchMs: 1_000, pauseMs: 110, maxAgeToCompareMs: 500 };
/** Nobody else can know the file. */
const exclusiveTiming: BatchTiming = { maxBatchMs: 2_000, pauseMs: 0, maxAgeToCompareMs: 2_000 };
const maxPauseMs = 50;
/** So long nobody else wrote, ms, before transactions grow. */
const quietAfterMs = 1_000;

export class WriteBatches {
  readonly lockTimes = new LockTimes();
  readonly #sqlite: Database.Database;
  readonly #signal: AbortSignal | undefined;
  readonly #lockRetry: LockRetry;
  #session: WriteSession;
  #timing: BatchTiming;
  #beganAt = 0;
  #cpuBefore = process.threadCpuUsage();
  #endedAt = Number.NEGATIVE_INFINITY;
  #heldMs = 0;
  /** What the transaction under way wrote last, and how much it wrote. */
  #lastWrite: string | RecordKey = '';
  #writeCount = 0;
  #version: number;
  /** When somebody else last wrote, as far as is known. */
  #foreignWriteAt = performance.now();

  /**
   * @param isAlone nobody else can use the file: long transactions, no rests. Where it is not said, somebody may, and
   * transactions are long as long as no service is noted in the file and nobody else wrote to it
   */
  constructor(
    sqlite: Database.Database,
    bench: WriteSession,
    { isAlone, signal }: { isAlone: boolean | undefined; signal?: AbortSignal | undefined },
  ) {
    this.#sqlite = sqlite;
    this.#session = bench;
    this.#signal = signal;
    this.#lockRetry = new LockRetry(sqlite, signal);
    this.#version = bench.writer.dataVersion();
    if (isAlone) this.#timing = exclusiveTiming;
    else this.#timing = isAlone === undefined && !hasRunningService(sqlite) ? unservedTiming : sharedTiming;
  }

  /** From now on the transactions are of another bench over the same file. */
  useSession(session: WriteSession): void {
    this.#session = session;
  }

  /** Whether others may be waiting: then nothing is worked out within a transaction that can be before it. */
  get isShared(): boolean {
    return this.#timing === sharedTiming || this.#timing === quietTiming;
  }
  /** Whether the transaction under way is to be ended before something is compared, which may take long. */
  get mustEndBeforeCompare(): boolean {
    return this.isOpen && performance.now() - this.#beganAt >= this.#timing.maxAgeToCompareMs;
  }
  get isOpen(): boolean {
    return this.#sqlite.inTransaction;
  }

  /**
   * Begins a transaction, unless one is under way.
   * @returns false where another process holds the lock: `moreLine` lets it go on, then this is to be called again
   * @throws Failure where the file was locked for 10 s
   */
  begin(): boolean {
    if (this.#sqlite.inTransaction) return true;
    if (!this.#lockRetry.attempt(() => this.#session.begin())) return false;
    this.#beganAt = performance.now();
    this.#cpuBefore = process.threadCpuUsage();
    this.#writeCount = 0;
    this.#lastWrite = '';
    return true;
  }

  /** The same as soon as nobody else holds the lock. */
  async beginWhenFree(): Promise<void> {
    while (!this.begin()) await this.rest();
  }

  /** Notes what the transaction under way writes next: told of the longest one. */
  doing(subject: string | RecordKey): void {
    this.#lastWrite = subject;
    this.#writeCount++;
  }

  #describeWork(): BatchWork {
    const { user, system } = process.threadCpuUsage(this.#cpuBefore);
    return { summary: this.#wrote(), cpuMs: (user + system) / 1_000 };
  }

  #wrote(): string {
    const last =
      typeof this.#lastWrite === 'string'
        ? this.#lastWrite
        : `${this.#lastWrite.kind} ${this.#lastWrite.externalId}`;
    return this.#writeCount > 1 ? `${last} and ${this.#writeCount - 1} more` : last;
  }

  isDue(): boolean {
    return this.isOpen && performance.now() - this.#beganAt > this.#timing.maxBatchMs;
  }

  /**
   * Ends the transaction, if one is under way. The rest that is due then is taken before the next one. One that cannot be
   * committed (a full disk) is undone: part of what waited in memory is gone, and a second try would commit the other part.
   */
  end(): void {
    if (!this.#sqlite.inTransaction) return;
    try {
      this.#session.commit();
    } catch (failure) {
      this.#session.rollback();
      throw failure;
    }
    this.#endedAt = performance.now();
    this.#heldMs = this.#endedAt - this.#beganAt;
    this.lockTimes.add(this.#heldMs, () => this.#describeWork());
    this.#adjustTiming();
  }

  /** How long the file is still to be left to others before the next transaction, ms. */
  get pauseLeftMs(): number {
    if (this.isOpen || this.#timing.pauseMs === 0) return 0;
    // Where the machine is so busy that a transaction took long, those who wait come late to their turn, too.
    const rest =
      this.#timing === sharedTiming
        ? Math.min(Math.max(sharedTiming.pauseMs, this.#heldMs / 2), maxPauseMs)
        : this.#timing.pauseMs;
    return Math.max(0, this.#endedAt + rest - performance.now());
  }

  /** Waits until others have had their turn, or a little where they have it. Throws what the signal is aborted with. */
  async rest(): Promise<void> {
    const left = this.pauseLeftMs;
    if (left <= 0 && this.#lockRetry.isRefused) await this.#lockRetry.pause();
    if (left > 0) await unlessAborted(this.#signal, sleep(left));
  }

  /** Ends the transaction, if one is under way, and lets others have their turn. */
  async commit(): Promise<void> {
    if (!this.isOpen) return;
    this.end();
    await this.rest();
  }

  /** Short transactions as soon as somebody else writes or serves, longer ones when nobody did for a while. */
  #adjustTiming(): void {
    if (this.#timing === exclusiveTiming) return;
    const version = this.#session.writer.dataVersion();
    const isTouched = version !== this.#version;
    this.#version = version;
    if (isTouched) this.#foreignWriteAt = this.#endedAt;
    if (this.#timing === unservedTiming) {
      if (isTouched || hasRunningService(this.#sqlite)) this.#timing = sharedTiming;
    } else this.#timing = this.#endedAt - this.#foreignWriteAt > quietAfterMs ? quietTiming : sharedTiming;
  }
}
