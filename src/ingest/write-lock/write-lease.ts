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
  /** Stops the waiting. */
  signal?: AbortSignal | undefined;
};

/** Runs `work` while holding the write lease. Uses real time, not the clock of the catalogue. */
export async function withWriteLease<T>(
  sqlite: Database.Database,
  options: WriteLeaseOptions,
  work: () => Promise<T>,
): Promise<T> {
  const turns = new WriteLeases(sqlite);
  const holder = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  ownHolders.add(holder);
  const renew = () => turns.acquire(leaseName, { holder, purpose: options.what, ...leaseTimes() });
  let timer: NodeJS.Timeout | undefined;
  let watchdog: Watchdog | undefined;
  try {
    await acquireLease(sqlite, holder, options);
    if (options.isWatched) watchdog = startWatchdog(options.what);
    timer = setInterval(() => tryWrite(sqlite, renew), renewIntervalMs);
    return await work();
  } finally {
    clearInterval(timer);
    watchdog?.stop();
    ownHolders.delete(holder);
    if (sqlite.open) tryWrite(sqlite, () => turns.release(leaseName, holder));
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
  { what, wait, onWait, signal }: WriteLeaseOptions,
): Promise<void> {
  const turns = new WriteLeases(sqlite);
  const patience = new LockRetry(sqlite, signal);
  const interrupted = (other: string) => {
    if (!(signal?.reason instanceof Interrupted)) return;
    const { signal: by } = signal.reason;
    throw new Interrupted(by, `Ended by ${by} while it waited for ${other} to end. Nothing was written.`);
  };
  let hasNotified = false;
  for (;;) {
    const present = turns.find(leaseName);
    const instead = present && isHolderGone(present.holder) ? present.holder : null;
    let isOurs = false;
    const isTried = patience.attempt(() => {
      isOurs = turns.acquire(leaseName, { holder, purpose: what, instead, ...leaseTimes() });
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
