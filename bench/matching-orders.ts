/** The same statements in random orders of sources and lines: do they come to the same events (feed.md; issue: order must not matter)? */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openDatabase } from '../src/store/database.ts';
import { importFeed } from '../src/sync/import.ts';
import { type LabelledListing, seedCities } from './matching-listings.ts';
import { Random } from './random.ts';

/** All that one source says: how it writes its clocks, and its lines. */
type Feed = { source: string; clock: 'instant' | 'local'; lines: object[] };

const now = Date.UTC(2026, 0, 1);

/** Things in an order that looks random and is the same for the same chance. */
export function shuffled<T>(things: readonly T[], chance: Random): T[] {
  return things
    .map((thing) => ({ thing, place: chance.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ thing }) => thing);
}

/** The lines of each source; a house that a source lists with several shows is one line. */
function feedsOf(listings: readonly LabelledListing[]): Feed[] {
  const feeds = new Map<string, { clock: 'instant' | 'local'; lines: Map<string, object> }>();
  for (const { source, clock = 'instant', event, venue } of listings) {
    const { lines } = feeds.get(source) ?? { lines: new Map<string, object>() };
    if (venue) lines.set(`venue ${venue.external_id}`, venue);
    lines.set(`event ${event.external_id}`, event);
    feeds.set(source, { clock, lines });
  }
  return [...feeds].map(([source, { clock, lines }]) => ({ source, clock, lines: [...lines.values()] }));
}

/** Which listings ("source:id") are one event: the names of each event's, sorted. */
export type Outcome = string[];

/**
 * What listings become when they come in a random order.
 * @param seed which order; the same seed gives the same one
 * @returns the events, and how many changes it made to say everything once more (0, or feed.md's first promise is broken)
 */
export async function inRandomOrder(
  listings: readonly LabelledListing[],
  seed: number,
): Promise<{ outcome: Outcome; changesOfRepeat: number; isWhole: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-orders-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  try {
    const chance = new Random(seed);
    await read(sqlite, { source: 'cities', clock: 'instant', lines: cityLines() });
    const order = shuffled(feedsOf(listings), chance).map((feed) => ({
      ...feed,
      lines: shuffled(feed.lines, chance),
    }));
    for (const feed of order) await read(sqlite, feed);
    const revision = sqlite.prepare('SELECT coalesce(max(revision), 0) FROM changes').pluck();
    const before = revision.get() as number;
    for (const feed of order) await read(sqlite, feed);
    const isWhole = sqlite.pragma('foreign_key_check', { simple: true }) === undefined;
    return { outcome: outcomeOf(sqlite), changesOfRepeat: (revision.get() as number) - before, isWhole };
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const cityLines = (): object[] =>
  readFileSync(seedCities, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);

async function read(sqlite: Database.Database, { source, clock, lines }: Feed): Promise<void> {
  async function* input() {
    yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  }
  const { rejected } = await importFeed(sqlite, {
    source,
    type: 'feed',
    clock,
    now,
    alone: true,
    input: input(),
  });
  if (rejected[0]) throw new Error(`${source}, line ${rejected[0].line}: ${rejected[0].reason}`);
}

function outcomeOf(sqlite: Database.Database): Outcome {
  const rows = sqlite
    .prepare(
      `SELECT p.record_id AS record, s.name || ':' || p.external_id AS listing FROM provider_records p
       JOIN sources s ON s.id = p.source_id WHERE p.kind = 'event' ORDER BY listing`,
    )
    .all() as { record: number; listing: string }[];
  const events = new Map<number, string[]>();
  for (const { record, listing } of rows) events.set(record, [...(events.get(record) ?? []), listing]);
  return [...events.values()].map((listings) => listings.join(' + ')).toSorted();
}

/** The events that not every order came to. */
export function differing(outcomes: readonly Outcome[]): string[] {
  const counts = new Map<string, number>();
  for (const event of outcomes.flat()) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].filter(([, count]) => count < outcomes.length).map(([event]) => event);
}
