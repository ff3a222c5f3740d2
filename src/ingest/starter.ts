/**
 * The starter catalogue: what `seed/` holds, and a programme of sample events for the days to come, so that a fresh
 * catalogue has something to ask for. An interrupted fill goes on at the next start.
 */
import { rmSync, writeFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { readAsset, seedPaths, starterFile } from '../assets.ts';
import { openDatabase, readSetting, writeSetting } from '../store/database.ts';
import { copyCatalogueFrom, isCatalogueEmpty } from '../store/file/copy-catalogue.ts';
import { closeCompacted, withoutSyncing } from '../store/schedule/import-state.ts';
import { sampleSource } from '../store/schedule/sample-events.ts';
import { importFeed } from './import/import-feed.ts';
import { generateSampleEvents, readSampleInputs } from './sample-events.ts';

/** The name of the source that the starter catalogue's records come from; its sample events have one of their own. */
const starterSource = 'starter';

async function* toByteStream(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Marks a new file as one that is to be filled with the starter catalogue; without `countSampleEvents`, with nothing invented. */
export function requestStarter(sqlite: Database.Database, { samples = true } = {}): void {
  // Kept, so that a fill that is taken up again without being told so adds none either.
  if (!samples) writeSetting(sqlite, 'starter_samples', 'none');
  writeSetting(sqlite, 'starter', 'wanted');
}

/**
 * Fills the file with the starter catalogue if that is wanted and not done yet.
 * @param now ms since 1970; the sample programme covers the 120 days from its date
 * @returns whether anything was to be done
 */
export async function importStarter(sqlite: Database.Database, now: number): Promise<boolean> {
  if (readSetting(sqlite, 'starter') !== 'wanted') return false;
  const first = readSetting(sqlite, 'starter_date') ?? new Date(now).toISOString().slice(0, 10);
  // Kept, so that a fill that is taken up again tomorrow makes the same programme.
  writeSetting(sqlite, 'starter_date', first);
  await withoutSyncing(sqlite, async () => {
    const carried = starterFile();
    if (carried !== null && isCatalogueEmpty(sqlite)) adoptCatalogueBytes(sqlite, carried, now);
    else await importSeed(sqlite, now);
    if (readSetting(sqlite, 'starter_samples') !== 'none') await importSamples(sqlite, first, now);
  });
  writeSetting(sqlite, 'starter', 'done');
  return true;
}

/** Makes the file that the executable carries: the seed read in, without samples, which depend on the day. */
export async function makeStarterFile(path: string): Promise<void> {
  const sqlite = openDatabase(path, { create: true });
  await withoutSyncing(sqlite, () => importSeed(sqlite, 0));
  closeCompacted(sqlite);
}

const starterImportOptions = { type: 'feed', clock: 'instant', alone: true } as const;

async function importSeed(sqlite: Database.Database, now: number): Promise<void> {
  await importFeed(sqlite, {
    ...starterImportOptions,
    source: starterSource,
    trust: 10,
    now,
    input: toByteStream(seedTexts()),
  });
}

async function importSamples(sqlite: Database.Database, first: string, now: number): Promise<void> {
  const lines = generateSampleEvents(readSampleInputs(seedTexts()), first).map(
    (event) => `${JSON.stringify(event)}\n`,
  );
  await importFeed(sqlite, {
    ...starterImportOptions,
    source: sampleSource,
    trust: 0,
    now,
    input: toByteStream(lines),
  });
}

/** The seed's files: parents before children, places before what takes place in them. */
function seedTexts(): string[] {
  const order = ['genres', 'cities', 'venues', 'artists', 'labels', 'festivals', 'podcasts'];
  const rank = (path: string) => order.findIndex((name) => path.includes(name));
  return seedPaths()
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(readAsset);
}

/** SQLite takes over from files alone, so the bytes become one for as long as that takes. */
function adoptCatalogueBytes(sqlite: Database.Database, bytes: Uint8Array, now: number): void {
  const path = `${sqlite.name}.starter`;
  writeFileSync(path, bytes);
  try {
    copyCatalogueFrom(sqlite, path, now);
  } finally {
    rmSync(path, { force: true });
  }
}
