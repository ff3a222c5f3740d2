/**
 * Splits long work into transactions and decides how long each may hold the write lock: until another process asks for it
 * if the file is served, longer otherwise (docs/decisions/15-write-lock.md, docs/decisions/40-handing-over-the-lock.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { RecordKey } from '../../sources/common/input-items.ts';
import { blockFor } from '../../store/file/block-for.ts';
import { hasRunningService } from '../../store/file/service-registry.ts';
import { WriterLog } from '../../store/file/writer-log.ts';
import { dataVersionOf } from '../../store/transactions.ts';
import type { WriteSession } from '../write-session.ts';
import { LockHandover } from './lock-handover.ts';
import { LockRetry, unlessAborted } from './lock-retry.ts';
import { LockTimes } from './lock-times.ts';
import { YoungGarbage } from './young-garbage.ts';

/** All values in ms. */
type BatchTiming = {
  /** Age at which a transaction ends. */
  maxBatchMs: number;
  /** Age from which a transaction ends before a comparison starts. */
  maxAgeToCompareMs: number;
  /**
   * Pause for processes that wait without asking for the lock, such as other SQLite programs: longer than any sleep of
   * SQLite's busy handler (100 ms), so that each of them gets the lock.
   */
  pauseMs: number;
  /** Time between two of these pauses. */
  pauseEveryMs: number;
};

/**
 * Other processes write: a transaction ends when one asks for the lock, and before each comparison. The longer it is, the
 * longer is its commit, for which the other process waits. Measured with `npm run bench:sync`.
 */
const sharedTiming: BatchTiming = {
  maxBatchMs: 3,
  maxAgeToCompareMs: 0,
  pauseMs: 110,
  pauseEveryMs: 2_000,
};
/** A service may be running, but no other process wrote recently: each changed page is written once per transaction. */
const quietTiming: BatchTiming = { ...sharedTiming, maxBatchMs: 25, maxAgeToCompareMs: 20 };
/** No service is registered in the file. A new process waits for the next pause. */
const unservedTiming: BatchTiming = {
  maxBatchMs: 2_000,
  maxAgeToCompareMs: 1_900,
  pauseMs: 110,
  pauseEveryMs: 2_000,
};
/** No other process can use the file. */
const exclusiveTiming: BatchTiming = {
  maxBatchMs: 2_000,
  maxAgeToCompareMs: 2_000,
  pauseMs: 0,
  pauseEveryMs: Number.POSITIVE_INFINITY,
};
/**
 * A log of so many frames (pages of 4 KiB) is checkpointed: 48 MB, or 160 MB while no service uses the file. Pages written by
 * several transactions are copied once.
 */
const maxSharedFrames = 12_000;
const maxUnsharedFrames = 40_000;
/** Time in ms without foreign writes after which transactions grow. */
const quietAfterMs = 1_000;
/**
 * For so many ms after another process waited for the lock, each transaction is followed by a rest: the lock stays free
 * for so many times as long as the transaction took, and for so many ms at most. What is read for the next one is part of
 * that time. Measured with `npm run bench:sync`.
 */
const wantedForMs = 100;
const restFactor = 2.4;
const maxRestMs = 30;
/** How long `begin` tries to get the lock, and its pause between two attempts, in ms. The event loop is blocked. */
const maxBeginMs = 20;
const beginRetryMs = 0.2;

/** The transactions of one writer, which alternate with those of other processes. */
export class WriteBatches {
  readonly lockTimes = new LockTimes();
  readonly #sqlite: Database.Database;
  readonly #signal: AbortSignal | undefined;
  readonly #maxBatchMs: number;
  readonly #isAwaited: boolean;
  readonly #lockRetry: LockRetry;
  #session: WriteSession;
  #timing: BatchTiming;
  #beganAt = 0;
  #cpuBefore = process.threadCpuUsage();
  #endedAt = Number.NEGATIVE_INFINITY;
  /** When another process waited for the lock last, and until when the lock stays free. */
  #wantedAt = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  /** End of the current pause, and time of the last one (`performance.now`). */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #pausedAt = performance.now();
  /** Whether the current pause still has to checkpoint the log. */
  #mustCheckpoint = false;
  readonly #handover: LockHandover;
  readonly #log: WriterLog;
  #garbage: YoungGarbage | null = null;
  /** What the open transaction wrote last, and how many items it wrote. */
  #lastWrite: string | RecordKey = '';
  #writeCount = 0;
  #version: number;
  /** Time of the last known write by another process. */
  #foreignWriteAt = performance.now();

  /**
   * @param isAlone whether no other process can use the file: long transactions without pauses. If undefined,
   *   transactions are long while no service is registered in the file and no other process writes.
   * @param maxBatchMs age at which transactions end at the latest, for work whose commits take long
   * @param isAwaited whether a person waits for the work: it does not rest
   */
  constructor(
    sqlite: Database.Database,
    session: WriteSession,
    {
      isAlone,
      signal,
      maxBatchMs = Number.POSITIVE_INFINITY,
      isAwaited = false,
    }: {
      isAlone: boolean | undefined;
      signal?: AbortSignal | undefined;
      maxBatchMs?: number;
      isAwaited?: boolean;
    },
  ) {
    this.#sqlite = sqlite;
    this.#session = session;
    this.#signal = signal;
    this.#maxBatchMs = maxBatchMs;
    this.#isAwaited = isAwaited;
    this.#lockRetry = new LockRetry(sqlite, signal);
    this.#handover = new LockHandover(sqlite.name, this.lockTimes);
    this.#log = new WriterLog(sqlite);
    this.#version = dataVersionOf(session.writer.sqlite);
    if (isAlone) this.#timing = exclusiveTiming;
    else this.#timing = isAlone === undefined && !hasRunningService(sqlite) ? unservedTiming : sharedTiming;
    if (this.isShared) this.#handover.listen();
  }

  /** Stops listening for requests of other processes. Call it at the end of long work. */
  close(): void {
    this.#handover.close();
  }

  /** Replaces the session; both must use the same file. */
  useSession(session: WriteSession): void {
    this.#session = session;
  }

  /** Whether other processes may be waiting, so that reads should happen before a transaction. */
  get isShared(): boolean {
    return this.#timing === sharedTiming || this.#timing === quietTiming;
  }
  /** Whether the open transaction must end before a comparison starts, which may take long. */
  get mustEndBeforeCompare(): boolean {
    if (!this.isOpen) return false;
    return performance.now() - this.#beganAt >= this.#timing.maxAgeToCompareMs || this.#handover.isRequested;
  }
  /** Whether a transaction is open. */
  get isOpen(): boolean {
    return this.#sqlite.inTransaction;
  }

  /**
   * Begins a transaction unless one is open. Waits a few milliseconds for a process that asked for the lock, and then rests.
   * @returns false if another process holds the lock: call `pause`, then try again
   * @throws Failure if the file stays locked for 10 s, or was deleted, moved or replaced, or its log emptied or cut off
   */
  begin(): boolean {
    if (this.#sqlite.inTransaction) return true;
    this.#log.refuseIfLost();
    this.#handover.waitUntilTaken();
    const rest = this.#restUntil - performance.now();
    if (rest > 0) blockFor(rest);
    const until = performance.now() + maxBeginMs;
    while (!this.#lockRetry.attempt(() => this.#session.begin(), 0)) {
      if (performance.now() >= until) return false;
      blockFor(beginRetryMs);
    }
    this.#beganAt = performance.now();
    this.#cpuBefore = process.threadCpuUsage();
    this.#writeCount = 0;
    this.#lastWrite = '';
    return true;
  }

  /** Begins a transaction as soon as the lock is free. */
  async beginWhenFree(): Promise<void> {
    while (!this.begin()) await this.pause();
  }

  /** Records what the open transaction writes next, for the lock report. */
  noteWrite(subject: string | RecordKey): void {
    this.#lastWrite = subject;
    this.#writeCount++;
  }

  #wrote(): string {
    const last =
      typeof this.#lastWrite === 'string'
        ? this.#lastWrite
        : `${this.#lastWrite.kind} ${this.#lastWrite.externalId}`;
    return this.#writeCount > 1 ? `${last} and ${this.#writeCount - 1} more` : last;
  }

  /** Whether the open transaction should end: its age, or another process, asks for it. False without one. */
  isDue(): boolean {
    const maxAge = Math.min(this.#timing.maxBatchMs, this.#maxBatchMs);
    if (!this.isOpen) return false;
    return performance.now() - this.#beganAt > maxAge || this.#handover.isRequested;
  }

  /**
   * Commits the open transaction, if any. The pause that is then due is taken before the next one. If the commit fails
   * (for example because the disk is full), the transaction is rolled back: the write buffer is partly gone, so a
   * second attempt would commit an incomplete state.
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
    const { user, system } = process.threadCpuUsage(this.#cpuBefore);
    const heldMs = this.#endedAt - this.#beganAt;
    this.lockTimes.add(heldMs, (user + system) / 1_000, () => this.#wrote());
    if (this.#handover.release()) this.#wantedAt = this.#endedAt;
    if (!this.#isAwaited && this.#endedAt - this.#wantedAt < wantedForMs)
      this.#restUntil = this.#endedAt + Math.min(maxRestMs, restFactor * heldMs);
    if (this.isShared) this.#collectGarbage();
    this.#adjustTiming();
    this.#log.checkpointFrom(this.isShared ? maxSharedFrames : maxUnsharedFrames);
    if (this.#endedAt - this.#pausedAt < this.#timing.pauseEveryMs) return;
    this.#pausedUntil = this.#endedAt + this.#timing.pauseMs;
    this.#pausedAt = this.#pausedUntil;
    this.#mustCheckpoint = true;
  }

  #collectGarbage(): void {
    this.#garbage ??= new YoungGarbage();
    this.#garbage.collectIfMuch();
  }

  /** Lets a process that asked for the lock have it, after a transaction that this object did not begin. */
  handOver(): void {
    this.#handover.release();
    this.#handover.waitUntilTaken();
  }

  /** Remaining pause in ms before the next transaction may begin. */
  get pauseLeftMs(): number {
    if (this.isOpen || this.#timing.pauseMs === 0) return 0;
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /** Waits until the pause is over; returns soon if none is due. Throws the abort reason. */
  async pause(): Promise<void> {
    const leftMs = this.pauseLeftMs;
    if (leftMs <= 0 && this.#lockRetry.isRefused) await this.#lockRetry.pause();
    if (leftMs <= 0) return;
    this.#checkpoint();
    await unlessAborted(this.#signal, sleep(this.pauseLeftMs));
  }

  /** Checkpoints the log once per pause: it holds no lock that another process waits for. */
  #checkpoint(): void {
    if (!this.#mustCheckpoint) return;
    this.#mustCheckpoint = false;
    this.#log.checkpoint();
  }

  /** Commits the open transaction, if any, and waits for the pause. */
  async commit(): Promise<void> {
    if (!this.isOpen) return;
    this.end();
    await this.pause();
  }

  /** Shortens transactions as soon as another process writes or serves, and lengthens them after a quiet period. */
  #adjustTiming(): void {
    if (this.#timing === exclusiveTiming) return;
    const version = dataVersionOf(this.#session.writer.sqlite);
    const isTouched = version !== this.#version;
    this.#version = version;
    if (isTouched) this.#foreignWriteAt = this.#endedAt;
    if (this.#timing === unservedTiming) {
      if (!isTouched && !hasRunningService(this.#sqlite)) return;
      this.#timing = sharedTiming;
      this.#handover.listen();
    } else this.#timing = this.#endedAt - this.#foreignWriteAt > quietAfterMs ? quietTiming : sharedTiming;
  }
}
