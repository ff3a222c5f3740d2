/**
 * The starter catalogue: the seed data in `seed/` and, for trying things out, sample events for the coming days. An interrupted import continues at the next start.
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

/** The source name of the starter records; the sample events have a source of their own. */
const starterSource = 'starter';

async function* toByteStream(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Marks a new file to be filled with the starter catalogue. */
export function requestStarter(sqlite: Database.Database, { samples = true } = {}): void {
  // Stored, so that a resumed import without this option adds no samples either.
  if (!samples) writeSetting(sqlite, 'starter_samples', 'none');
  writeSetting(sqlite, 'starter', 'wanted');
}

/**
 * Imports the starter catalogue if it was requested and is not finished.
 * @param now ms since 1970; the dates of the sample events are within 120 days after it
 * @returns whether it imported: false if no import was requested, or it is finished
 */
export async function importStarter(sqlite: Database.Database, now: number): Promise<boolean> {
  if (readSetting(sqlite, 'starter') !== 'wanted') return false;
  const first = readSetting(sqlite, 'starter_date') ?? new Date(now).toISOString().slice(0, 10);
  // Stored, so that an import that resumes on a later day generates the same events.
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

/** Builds the starter file that the executable contains: the seed without sample events, which depend on the date. */
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
  const lines = generateSampleEvents(readSampleInputs(seedTexts()), first).map((event) =>
    JSON.stringify(event),
  );
  await importFeed(sqlite, {
    ...starterImportOptions,
    source: sampleSource,
    trust: 0,
    now,
    // In one piece: each piece starts two threads that watch its processing time.
    input: toByteStream([lines.join('\n')]),
  });
}

/** The seed files in an order that puts parents before children and venues before events. */
function seedTexts(): string[] {
  const order = ['genres', 'cities', 'venues', 'artists', 'labels', 'festivals', 'podcasts'];
  const rank = (path: string) => order.findIndex((name) => path.includes(name));
  return seedPaths()
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(readAsset);
}

/** Writes the bytes to a temporary file, because SQLite can only attach files. */
function adoptCatalogueBytes(sqlite: Database.Database, bytes: Uint8Array, now: number): void {
  const path = `${sqlite.name}.starter`;
  writeFileSync(path, bytes);
  try {
    copyCatalogueFrom(sqlite, path, now);
  } finally {
    rmSync(path, { force: true });
  }
}
