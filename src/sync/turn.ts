/**
 * One writer of the catalogue at a time, over all processes that have the file open: an import keeps in memory what it
 * has found and made, and another that merges records meanwhile would prove it wrong. Requests are not concerned; the
 * meter and accounts write whenever they like.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Failure, Interrupted } from '../failure.ts';
import { Turns } from '../store/turns.ts';
import { type Watchdog, watch } from './watchdog.ts';

/** How long a turn lasts that its holder does not go on with, and how often it does. */
const lastsMs = 60_000;
const renewMs = 10_000;
const retryMs = 100;
const name = 'catalogue';
/** The turns that this process has, or waits for. */
const own = new Set<string>();

export type TurnOptions = {
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
export async function inTurn<T>(
  sqlite: Database.Database,
  options: TurnOptions,
  work: () => Promise<T>,
): Promise<T> {
  const turns = new Turns(sqlite);
  const holder = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  own.add(holder);
  const renew = () => turns.take(name, { holder, what: options.what, ...untilLater() });
  let timer: NodeJS.Timeout | undefined;
  let watchdog: Watchdog | undefined;
  try {
    await take(turns, holder, options);
    if (options.isWatched) watchdog = watch(options.what);
    timer = setInterval(() => attempt(renew), renewMs);
    return await work();
  } finally {
    clearInterval(timer);
    watchdog?.stop();
    own.delete(holder);
    if (sqlite.open) attempt(() => turns.end(name, holder));
  }
}

async function take(
  turns: Turns,
  holder: string,
  { what, wait, onWait, signal }: TurnOptions,
): Promise<void> {
  let told = false;
  for (;;) {
    const present = turns.find(name);
    const instead = present && isGone(present.holder) ? present.holder : null;
    if (attempt(() => turns.take(name, { holder, what, instead, ...untilLater() }))) return;
    const other = present?.what ?? 'another process';
    if (!wait) throw new Failure(`The catalogue is being written by ${other}. Try again when it is done.`);
    if (!told) onWait?.(other);
    told = true;
    await sleep(retryMs);
    if (signal?.reason instanceof Interrupted) {
      const { signal: by } = signal.reason;
      throw new Interrupted(by, `Ended by ${by} while it waited for ${other} to end. Nothing was written.`);
    }
  }
}

const untilLater = () => {
  const now = Date.now();
  return { now, until: now + lastsMs };
};

/** What cannot be written just now (the file is locked for long) is tried again before the turn is over. */
function attempt(write: () => unknown): unknown {
  try {
    return write();
  } catch (failure) {
    if ((failure as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false;
    throw failure;
  }
}

/** Whether the process is known to have ended: only one of this machine can be asked. */
function isGone(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return false;
  // In a container every process may have the number that the one before it had.
  if (Number(pid) === process.pid) return !own.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
