/** The data file that is measured: made once through the product's own import, and used again as long as it is right. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openAccess } from '../src/access/access.ts';
import { systemClock } from '../src/clock.ts';
import { openDatabase, schemaVersion } from '../src/store/database.ts';
import { importFeed } from '../src/sync/import.ts';
import { countsOf, generateFeed, generatorDigest } from './generate.ts';

const defaultFolder = fileURLToPath(new URL('data/', import.meta.url));
const email = 'bench@localhost';
const unlimited = { window: 1e12, quota: 1e12 };

export type CatalogueOptions = {
  events: number;
  /** Make it again, whatever is there. */
  fresh?: boolean;
  /** Where files are kept; `bench/data` without it. */
  folder?: string;
  note: (text: string) => void;
};

/** The path of a data file with so many events. */
export async function prepareCatalogue(options: CatalogueOptions): Promise<string> {
  const { events, fresh = false, folder = defaultFolder, note } = options;
  const path = `${folder}/catalogue-${events}.db`.replaceAll('//', '/');
  const label = `${path}.json`;
  const today = startOfMonth(Date.now());
  const made = JSON.stringify({ events, today, generator: generatorDigest(), schema: schemaDigest() });
  if (!fresh && existsSync(path) && existsSync(label) && readFileSync(label, 'utf8') === made) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.new`;
  for (const old of [path, unfinished]) {
    for (const end of ['', '-wal', '-shm']) rmSync(old + end, { force: true });
  }
  note(`making ${path} …`);
  await fill(unfinished, { events, today }, note);
  renameSync(unfinished, path);
  writeFileSync(label, made);
  return path;
}

async function fill(
  path: string,
  size: { events: number; today: number },
  note: (text: string) => void,
): Promise<void> {
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

function schemaDigest(): string {
  const schema = readFileSync(new URL('../schema.sql', import.meta.url));
  return `${schemaVersion} ${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
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

/** How many requests the account has been charged this month. */
export function readUsage(path: string): Promise<number> {
  return withAccess(path, async ({ accounts }) => (await accounts.show(email)).usage.used);
}

/** The key does not outlive the run. */
export async function revokeCaller(path: string, caller: Caller): Promise<void> {
  await withAccess(path, ({ keys }) => keys.revoke(caller.id));
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
