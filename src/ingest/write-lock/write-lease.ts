/**
 * One writer of the catalogue at a time, over all processes that have the file open: an import keeps in memory what it
 * has found and made, and another that merges records meanwhile would prove it wrong. Requests are not concerned; the
 * meter and accounts write whenever they like.
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

/** How long a turn lasts that its holder does not go on with, and how often it does. */
const leaseMs = 60_000;
const renewIntervalMs = 10_000;
const retryIntervalMs = 100;
/** How long renewing and ending a turn wait for the file's lock, ms: both may fail. */
const renewTimeoutMs = 100;
const leaseName = 'catalogue';
/** The turns that this process has, or waits for. */
const ownHolders = new Set<string>();

export type WriteLeaseOptions = {
  /** What is being done, for whoever waits: "an import of berghain". */
  what: string;
  /** Waits for the turn; else a `Failure` says whose it is. */
  wait: boolean;
  /** Called once where it has to wait, with what the other does. */
  onWait?: ((what: string) => void) | undefined;
  /** A process that does not go on with the work is ended (`watchdog.ts`). */
  isWatched?: boolean | undefined;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
};

/** Runs `work` while nobody else writes the catalogue. Real time counts here, whatever the clock of the catalogue says. */
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

/** Whether somebody has the turn of the catalogue, and is not known to have ended. */
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
  let told = false;
  for (;;) {
    const present = turns.find(leaseName);
    const instead = present && isHolderGone(present.holder) ? present.holder : null;
    let isOurs = false;
    const isTried = patience.attempt(() => {
      isOurs = turns.acquire(leaseName, { holder, purpose: what, instead, ...leaseTimes() });
    });
    if (isOurs) return;
    const other = present?.purpose ?? 'another process';
    // The file is locked, which tells nothing of whose turn it is.
    if (!isTried) {
      await sleep(1);
      interrupted(other);
      continue;
    }
    if (!wait) throw new Failure(`The catalogue is being written by ${other}. Try again when it is done.`);
    if (!told) onWait?.(other);
    told = true;
    await sleep(retryIntervalMs);
    interrupted(other);
  }
}

const leaseTimes = () => {
  const now = Date.now();
  return { now, until: now + leaseMs };
};

/** What cannot be written just now (the file is locked) is tried again before the turn is over. */
function tryWrite(sqlite: Database.Database, write: () => unknown): void {
  try {
    withBusyTimeout(sqlite, renewTimeoutMs, write);
  } catch (failure) {
    if (!isBusy(failure)) throw failure;
  }
}

/** Whether the process is known to have ended: only one of this machine can be asked. */
function isHolderGone(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return false;
  // In a container every process may have the number that the one before it had.
  if (Number(pid) === process.pid) return !ownHolders.has(holder);
  return !isProcessRunning(Number(pid));
}
