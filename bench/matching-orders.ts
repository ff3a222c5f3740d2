/** Imports the same source records in random orders: all orders must give the same events (docs/spec/imports.md#promises). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openDatabase } from '../src/store/database.ts';
import { type LabelledListing, seedCities } from './matching-listings.ts';
import { importLines } from './matching-whole.ts';
import { Random } from './random.ts';

/** The feed of one source: how it writes its clocks, and its lines. */
type Feed = { source: string; clock: 'instant' | 'local'; lines: string[] };

/** Shuffles items; the same generator gives the same order. */
export function shuffled<T>(things: readonly T[], chance: Random): T[] {
  return things
    .map((thing) => ({ thing, place: chance.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ thing }) => thing);
}

/** The lines of each source; a venue with several events is one line. */
function feedsOf(listings: readonly LabelledListing[]): Feed[] {
  const feeds = new Map<string, { clock: 'instant' | 'local'; lines: Map<string, string> }>();
  for (const { source, clock = 'instant', event, venue } of listings) {
    const { lines } = feeds.get(source) ?? { lines: new Map<string, string>() };
    if (venue) lines.set(`venue ${venue.external_id}`, JSON.stringify(venue));
    lines.set(`event ${event.external_id}`, JSON.stringify(event));
    feeds.set(source, { clock, lines });
  }
  return [...feeds].map(([source, { clock, lines }]) => ({ source, clock, lines: [...lines.values()] }));
}

/** Which listings ("source:id") are one event: the names of each event's, sorted. */
export type Outcome = string[];

/**
 * Imports listings in a random order.
 * @param seed the same seed gives the same order
 * @returns the events, and the number of changes by a second import of the same (0 by the first promise of docs/spec/imports.md)
 */
export async function inRandomOrder(
  listings: readonly LabelledListing[],
  seed: number,
): Promise<{ outcome: Outcome; changesOfRepeat: number; isWhole: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-orders-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  try {
    const chance = new Random(seed);
    await importLines(sqlite, 'cities', [readFileSync(seedCities, 'utf8')]);
    const order = shuffled(feedsOf(listings), chance).map((feed) => ({
      ...feed,
      lines: shuffled(feed.lines, chance),
    }));
    for (const { source, clock, lines } of order) await importLines(sqlite, source, lines, clock);
    const revision = sqlite.prepare('SELECT coalesce(max(revision), 0) FROM changes').pluck();
    const before = revision.get() as number;
    for (const { source, clock, lines } of order) await importLines(sqlite, source, lines, clock);
    const isWhole = sqlite.pragma('foreign_key_check', { simple: true }) === undefined;
    return { outcome: outcomeOf(sqlite), changesOfRepeat: (revision.get() as number) - before, isWhole };
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(sqlite: Database.Database): Outcome {
  const rows = sqlite
    .prepare(
      `SELECT p.record_id AS record, s.name || ':' || p.external_id AS listing FROM source_records p
       JOIN sources s ON s.id = p.source_id WHERE p.kind = 'event' ORDER BY listing`,
    )
    .all() as { record: number; listing: string }[];
  const events = new Map<number, string[]>();
  for (const { record, listing } of rows) events.set(record, [...(events.get(record) ?? []), listing]);
  return [...events.values()].map((listings) => listings.join(' + ')).toSorted();
}

/** The events that not every order gave. */
export function differing(outcomes: readonly Outcome[]): string[] {
  const counts = new Map<string, number>();
  for (const event of outcomes.flat()) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].filter(([, count]) => count < outcomes.length).map(([event]) => event);
}
