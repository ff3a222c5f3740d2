/** The data file that is measured: made once through the product's own import, and used again as long as it is right. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccess } from '../src/access/access.ts';
import { systemClock } from '../src/clock.ts';
import { importFeed } from '../src/ingest/import/import-feed.ts';
import { openDatabase, schemaVersion } from '../src/store/database.ts';
import { countsOf, generateFeed, generatorDigest, type Size } from './generate.ts';

const defaultFolder = fileURLToPath(new URL('data/', import.meta.url));
/** Of this run alone: another one over the same file counts for itself. */
const email = `bench-${process.pid}@localhost`;
const unlimited = { window: 1e12, quota: 1e12 };

export type CatalogueOptions = {
  events: number;
  /** Make it again, whatever is there. */
  fresh?: boolean;
  /** Where files are kept; `bench/data` without it. */
  folder?: string | undefined;
  note: (text: string) => void;
};

/**
 * The path of a data file with so many events. What it was made from is part of its name: a file is never replaced, since
 * another run may be using it.
 */
export async function prepareCatalogue(options: CatalogueOptions): Promise<string> {
  const { events, fresh = false, folder = defaultFolder, note } = options;
  const size = { events, today: startOfMonth(Date.now()) };
  const path = join(folder, `catalogue-${events}-${digestOf(size)}.db`);
  mkdirSync(folder, { recursive: true });
  if (fresh) remove(path);
  for (let told = false; !existsSync(path); told = true) {
    if (claim(path)) {
      await make(path, size, note);
      break;
    }
    if (!told) note(`another run is making ${path} …`);
    await sleep(500);
  }
  return path;
}

/** Makes the file aside; where it is there meanwhile, nothing is to be done. */
async function make(path: string, size: Size, note: (text: string) => void): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    if (existsSync(path)) return;
    removeOthers(path, size.events);
    remove(unfinished);
    note(`making ${path} …`);
    await fill(unfinished, size, note);
    renameSync(unfinished, path);
  } finally {
    remove(unfinished);
    rmSync(lockOf(path), { force: true });
  }
}

const lockOf = (path: string): string => `${path}.lock`;

/** Whether this process is the one to make the file; false while another one that lives does. */
function claim(path: string): boolean {
  const lock = lockOf(path);
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
    if (!lives(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function lives(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Files of this size that were made from something else. */
function removeOthers(path: string, events: number): void {
  const folder = dirname(path);
  const own = basename(path);
  for (const name of readdirSync(folder)) {
    const other = name.startsWith(`catalogue-${events}-`) && !name.startsWith(own);
    if (other) rmSync(join(folder, name), { force: true });
  }
}

async function fill(path: string, size: Size, note: (text: string) => void): Promise<void> {
  const sqlite = openDatabase(path, { create: true });
  let told = Date.now();
  try {
    // Nothing is lost by a power cut: an unfinished file is made anew.
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma('cache_size = -400000');
    const report = await importFeed(sqlite, {
      source: 'bench',
      type: 'feed',
      now: size.today,
      input: generateFeed(size),
      alone: true,
      onProgress: ({ lines }) => {
        if (Date.now() - told < 5_000) return;
        told = Date.now();
        note(`${lines.toLocaleString('en')} lines`);
      },
      onRejected: ({ line, reason }) => {
        throw new Error(`The generated feed is wrong in line ${line}: ${reason}`);
      },
    });
    note(`imported ${size.events.toLocaleString('en')} events in ${report.seconds} s`);
  } finally {
    sqlite.close();
  }
}

/** Files are made anew each month, so that there always is something to come. */
function startOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Changes with everything that a file is made of, but for the import itself. */
function digestOf(size: Size): string {
  const schema = readFileSync(new URL('../schema.sql', import.meta.url));
  const parts = [size.events, size.today, generatorDigest(), schemaVersion, schema];
  const digest = createHash('sha256');
  for (const part of parts) digest.update(typeof part === 'number' ? String(part) : part).update('\n');
  return digest.digest('hex').slice(0, 10);
}

/** How many records of each kind the feed of this size makes, as the printed result says. */
export const describeCatalogue = (events: number): string => {
  const { artists, venues, labels, festivals } = countsOf(events);
  const number = (value: number) => value.toLocaleString('en');
  return `${number(events)} events, ${number(artists)} artists, ${number(venues)} venues, ${number(labels)} labels, ${number(festivals)} festivals`;
};

export type Caller = { key: string; id: string };

/** An account on the plan pro with limits that no run meets, and a new key of it. */
export function makeCaller(path: string): Promise<Caller> {
  return withAccess(path, async ({ accounts, keys }) => {
    await accounts.ensure(email, 'pro');
    await accounts.setLimits(email, unlimited);
    const { id, key } = await keys.create(email, 'bench');
    return { id, key };
  });
}

/** Keys of one account on the plan free, with the limits that it has. */
export function makeFreeKeys(path: string, count: number): Promise<string[]> {
  return withAccess(path, async ({ accounts, keys }) => {
    const free = `free-${email}`;
    await accounts.ensure(free, 'free');
    const made: string[] = [];
    for (let at = 0; at < count; at++) made.push((await keys.create(free, `bench ${at}`)).key);
    return made;
  });
}

/** How many requests the account has been charged this month. */
export function readUsage(path: string): Promise<number> {
  return withAccess(path, async ({ accounts }) => (await accounts.show(email)).usage.used);
}

/** Neither the account nor its key outlives the run. */
export async function revokeCaller(path: string, caller: Caller): Promise<void> {
  await withAccess(path, async ({ accounts, keys }) => {
    await keys.revoke(caller.id);
    await accounts.delete(email);
  });
}

async function withAccess<T>(
  path: string,
  use: (access: ReturnType<typeof openAccess>) => Promise<T>,
): Promise<T> {
  const access = openAccess(openDatabase(path, { create: false }), systemClock);
  try {
    return await use(access);
  } finally {
    access.close();
  }
}
