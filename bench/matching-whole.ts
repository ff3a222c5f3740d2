/** Imports the labelled listings, each seller as a source, and counts which became one event. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { importFeed } from '../src/ingest/import/import-feed.ts';
import { openDatabase } from '../src/store/database.ts';
import type { Judged } from './matching-figures.ts';
import {
  brief,
  explained,
  type LabelledListing,
  pairsOf,
  type Scene,
  seedCities,
} from './matching-listings.ts';

const now = Date.UTC(2026, 0, 1);

export type Whole = {
  judged: (Judged & { listings: readonly [LabelledListing, LabelledListing] })[];
  listings: number;
  events: number;
  shows: number;
};

/** Imports the scenes into a fresh file, source by source (the last first, if `reversed`), and compares the events. */
export async function importScenes(scenes: readonly Scene[], reversed = false): Promise<Whole> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-matching-'));
  const sqlite = openDatabase(join(folder, 'matching.db'), { create: true });
  try {
    const feeds = [...bySource(scenes)].sort(([a], [b]) => (a < b ? -1 : 1));
    if (reversed) feeds.reverse();
    await importLines(sqlite, 'starter', [readFileSync(seedCities, 'utf8')]);
    for (const [source, listings] of feeds) await importSource(sqlite, source, listings);
    return compare(scenes, recordsOf(sqlite));
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The listings of each source. */
function bySource(scenes: readonly Scene[]): Map<string, LabelledListing[]> {
  const sources = new Map<string, LabelledListing[]>();
  for (const listing of scenes.flatMap(({ listings }) => listings)) {
    const list = sources.get(listing.source) ?? [];
    list.push(listing);
    sources.set(listing.source, list);
  }
  return sources;
}

async function importSource(sqlite: Database.Database, source: string, listings: LabelledListing[]) {
  const venues = new Map(listings.flatMap(({ venue }) => (venue ? [[venue.external_id, venue]] : [])));
  const lines = [...venues.values(), ...listings.map(({ event }) => event)];
  await importLines(
    sqlite,
    source,
    lines.map((line) => JSON.stringify(line)),
    listings[0]?.clock,
  );
}

/** Imports lines of the feed format for a source; throws if a line is rejected. */
export async function importLines(
  sqlite: Database.Database,
  source: string,
  lines: readonly string[],
  clock: 'instant' | 'local' = 'instant',
): Promise<void> {
  async function* input() {
    yield Buffer.from(lines.join('\n'));
  }
  const how = { source, type: 'feed', clock, now, alone: true, input: input() };
  const { rejected } = await importFeed(sqlite, how);
  const [first] = rejected;
  if (first) throw new Error(`${source}, line ${first.line}: ${first.reason}`);
}

/** The event of every listing, by source and id. */
function recordsOf(sqlite: Database.Database): Map<string, number> {
  const rows = sqlite
    .prepare(
      `SELECT sources.name AS source, said.external_id AS external_id, said.record_id AS record
       FROM source_records AS said JOIN sources ON sources.id = said.source_id WHERE said.kind = 'event'`,
    )
    .all() as { source: string; external_id: string; record: number }[];
  return new Map(rows.map((row) => [`${row.source}\u0000${row.external_id}`, row.record]));
}

type Imported = { listing: LabelledListing; tag: string; show: string; record: number | undefined };

function compare(scenes: readonly Scene[], records: Map<string, number>): Whole {
  const all = scenes.flatMap(({ scene, tag, listings }) =>
    listings.map((listing): Imported => {
      const record = records.get(`${listing.source}\u0000${listing.event.external_id}`);
      return { listing, tag, show: `${scene}/${listing.show}`, record };
    }),
  );
  const judged = [
    ...pairsWithin(all, ({ show }) => show),
    ...pairsWithin(all, ({ record }) => record).filter(([a, b]) => a.show !== b.show),
  ].map(([a, b]) => ({
    tag: a.tag,
    listings: [a.listing, b.listing] as const,
    same: a.show === b.show,
    found: a.record !== undefined && a.record === b.record,
    describe: () =>
      `${a.show} and ${b.show}\n  ${brief(a.listing)}\n  ${brief(b.listing)}\n  ${explained(a.listing, b.listing)}`,
  }));
  return {
    judged,
    listings: all.length,
    events: new Set(all.map(({ record }) => record)).size,
    shows: new Set(all.map(({ show }) => show)).size,
  };
}

/** The pairs of items with one key; other pairs are too many to count. */
function pairsWithin<T>(all: readonly T[], common: (one: T) => unknown): [T, T][] {
  const groups = new Map<unknown, T[]>();
  for (const one of all) {
    const key = common(one);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].flatMap(pairsOf);
}
