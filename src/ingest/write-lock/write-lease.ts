/**
 * The write lease: only one process at a time changes catalogue records, because an import caches what it has read, and
 * a concurrent merge would invalidate it. Requests do not need the lease; usage counts and accounts are written at any
 * time.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure, Interrupted } from '../../failure.ts';
import { isBusy, withBusyTimeout } from '../../store/file/busy-timeout.ts';
import { isProcessRunning } from '../../store/file/process-alive.ts';
import { WriteLeases } from '../../store/schedule/write-lease.ts';
import { LockRetry } from './lock-retry.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Duration in ms of a lease that its holder does not renew, and the renewal interval. */
const leaseMs = 60_000;
const renewIntervalMs = 10_000;
const retryIntervalMs = 100;
/** Duration in ms of a request for the lease that is not renewed, its renewal interval, and that of looks for requests. */
const requestMs = 10_000;
const requestIntervalMs = 3_000;
const lookIntervalMs = 200;
/** Maximum wait in ms for the file lock when renewing or releasing a lease; both may fail. */
const renewTimeoutMs = 100;
const leaseName = 'catalogue';
/** The leases that this process holds or waits for. */
const ownHolders = new Set<string>();

export type WriteLeaseOptions = {
  /** Description of the work for waiting processes: "an import of berghain". */
  what: string;
  /** Whether to wait for the lease; if false, a `Failure` names the holder. */
  wait: boolean;
  /** Called once, with the holder's work, if the lease is taken. */
  onWait?: ((what: string) => void) | undefined;
  /** Whether the watchdog kills the process if its event loop blocks (`watchdog.ts`). */
  isWatched?: boolean | undefined;
  /** Whether the work is short, so that a long import may lend the lease for it between two transactions. */
  isBrief?: boolean | undefined;
  /** Stops the waiting. */
  signal?: AbortSignal | undefined;
};

/** The lease as its holder sees it. */
export type HeldLease = {
  /** Whether short work waits for the lease. Cheap enough to ask often. */
  isWanted(): boolean;
  /** Lends the lease to each process that requests it, and returns when it is back. Not within a transaction. */
  lendToOthers(): Promise<void>;
};

/** Runs `work` while holding the write lease. Uses real time, not the clock of the catalogue. */
export async function withWriteLease<T>(
  sqlite: Database.Database,
  options: WriteLeaseOptions,
  work: (lease: HeldLease) => Promise<T>,
): Promise<T> {
  const leases = new WriteLeases(sqlite);
  const holder = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  ownHolders.add(holder);
  const renew = () => leases.acquire(leaseName, { holder, purpose: options.what, ...leaseTimes() });
  let timer: NodeJS.Timeout | undefined;
  let watchdog: Watchdog | undefined;
  try {
    await acquireLease(sqlite, holder, options);
    if (options.isWatched) watchdog = startWatchdog(options.what);
    timer = setInterval(() => tryWrite(sqlite, renew), renewIntervalMs);
    return await work(new LentLease(sqlite, holder, options));
  } finally {
    clearInterval(timer);
    watchdog?.stop();
    ownHolders.delete(holder);
    if (sqlite.open) tryWrite(sqlite, () => leases.end(leaseName, holder, leaseTimes()));
  }
}

class LentLease implements HeldLease {
  readonly #sqlite: Database.Database;
  readonly #leases: WriteLeases;
  readonly #holder: string;
  readonly #options: WriteLeaseOptions;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(sqlite: Database.Database, holder: string, options: WriteLeaseOptions) {
    this.#sqlite = sqlite;
    this.#leases = new WriteLeases(sqlite);
    this.#holder = holder;
    this.#options = options;
  }

  isWanted(): boolean {
    if (performance.now() - this.#lookedAt < lookIntervalMs) return false;
    this.#lookedAt = performance.now();
    return this.#next() !== undefined;
  }

  #next() {
    return this.#leases.requests(Date.now()).find(({ holder }) => !isHolderGone(holder));
  }

  async lendToOthers(): Promise<void> {
    const { what, signal } = this.#options;
    const lender = { holder: this.#holder, purpose: what };
    const lockRetry = new LockRetry(this.#sqlite, signal);
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const to = next;
      const until = leaseTimes().until;
      if (await lockRetry.write(() => this.#leases.lend(leaseName, lender, to, until)))
        await acquireLease(this.#sqlite, this.#holder, { what, wait: true, signal });
    }
  }
}

/** Whether a process holds the write lease and is not known to have ended. */
export function isLeaseHeld(sqlite: Database.Database): boolean {
  const present = new WriteLeases(sqlite).find(leaseName);
  return present !== undefined && present.expires_ts > Date.now() && !isHolderGone(present.holder);
}

async function acquireLease(
  sqlite: Database.Database,
  holder: string,
  { what, wait, onWait, isBrief, signal }: WriteLeaseOptions,
): Promise<void> {
  const leases = new WriteLeases(sqlite);
  const lockRetry = new LockRetry(sqlite, signal);
  const interrupted = (other: string) => {
    if (!(signal?.reason instanceof Interrupted)) return;
    const { signal: by } = signal.reason;
    throw new Interrupted(by, `Ended by ${by} while it waited for ${other} to end. Nothing was written.`);
  };
  let hasNotified = false;
  let requestedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const present = leases.find(leaseName);
    const instead = present && isHolderGone(present.holder) ? present.holder : null;
    let isOurs = false;
    const isTried = lockRetry.attempt(() => {
      isOurs = leases.acquire(leaseName, { holder, purpose: what, instead, ...leaseTimes() });
      if (isOurs || !wait || !isBrief || performance.now() - requestedAt < requestIntervalMs) return;
      leases.request({ holder, purpose: what, ...requestTimes() });
      requestedAt = performance.now();
    });
    if (isOurs) return;
    const other = present?.purpose ?? 'another process';
    // The file is locked, which says nothing about the lease.
    if (!isTried) {
      await sleep(1);
      interrupted(other);
      continue;
    }
    if (!wait)
      throw new Failure(`The catalogue is being written by ${other}. Try again when it is done.`, 1, {
        code: 'busy',
      });
    if (!hasNotified) onWait?.(other);
    hasNotified = true;
    await sleep(retryIntervalMs);
    interrupted(other);
  }
}

const requestTimes = () => {
  const now = Date.now();
  return { now, until: now + requestMs };
};

const leaseTimes = () => {
  const now = Date.now();
  return { now, until: now + leaseMs };
};

/** Ignores a locked file: the write is tried again before the lease expires. */
function tryWrite(sqlite: Database.Database, write: () => unknown): void {
  try {
    withBusyTimeout(sqlite, renewTimeoutMs, write);
  } catch (failure) {
    if (!isBusy(failure)) throw failure;
  }
}

/** Whether the holder is known to have ended; only processes of this machine can be checked. */
function isHolderGone(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return false;
  // In containers, process ids are reused.
  if (Number(pid) === process.pid) return !ownHolders.has(holder);
  return !isProcessRunning(Number(pid));
}
