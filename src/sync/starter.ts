/**
 * The starter catalogue: what `seed/` holds, and a programme of sample events for the days to come, so that a fresh
 * catalogue has something to ask for. An interrupted fill goes on at the next start.
 */
import type Database from 'better-sqlite3';
import { readAsset, seedPaths } from '../assets.ts';
import { readSetting, writeSetting } from '../store/database.ts';
import { importFeed } from './import.ts';
import { samplePlaces, sampleProgramme } from './samples.ts';

/** The names of the sources that the starter catalogue's records come from. */
export const starterSource = 'starter';
export const sampleSource = 'sample';

async function* bytesOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Marks a new file as one that is to be filled with the starter catalogue. */
export function wantStarter(sqlite: Database.Database): void {
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
  // Nothing is in the file yet that a power cut could take: it need not wait for the disk.
  sqlite.pragma('synchronous = OFF');
  const common = { type: 'feed', trust: 10, clock: 'instant' as const, now, alone: true };
  // Parents before children, places before what takes place in them.
  const order = ['genres', 'cities', 'venues', 'artists', 'labels', 'festivals', 'podcasts'];
  const rank = (path: string) => order.findIndex((name) => path.includes(name));
  const paths = seedPaths().sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const texts = paths.map(readAsset);
  await importFeed(sqlite, { ...common, source: starterSource, input: bytesOf(texts) });
  const programme = sampleProgramme(samplePlaces(texts), first);
  const lines = programme.map((event) => `${JSON.stringify(event)}\n`);
  await importFeed(sqlite, { ...common, source: sampleSource, trust: 0, input: bytesOf(lines) });
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  writeSetting(sqlite, 'starter', 'done');
  return true;
}
