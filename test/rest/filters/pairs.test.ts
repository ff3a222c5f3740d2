/** A list with two filters is the same whichever of them it is read by: the smaller set, or the one that large sets choose. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { eventFilter } from '../../../src/catalogue/list-filters.ts';
import { parseRequest } from '../../../src/rest/parse-request.ts';
import { circleArea } from '../../../src/store/areas.ts';
import { type EventFilter, EventLists } from '../../../src/store/lists/events.ts';
import type { ListSource, SortKey } from '../../../src/store/lists/pagination.ts';
import { openCatalogueReader } from '../../../src/store/reader.ts';
import { importFeed, temporaryFolder } from '../../support/program.ts';
import { feedLines, generate } from './generated.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'pairs.db');
const generated = generate(11, { venues: 20, events: 400 });
importFeed(dataFile, feedLines(generated));
const sqlite = new Database(dataFile, { readonly: true });
after(() => {
  sqlite.close();
  folder.remove();
});
const reader = openCatalogueReader(sqlite);
const venue = sqlite.prepare('SELECT slug FROM venues ORDER BY id LIMIT 1').pluck().get() as string;

const queries: Record<string, string>[] = [
  { artist: 'ana' },
  { artist: 'ana,bo' },
  { venue },
  { city: 'Berlin' },
  { city: 'Berlin,Suva' },
  { genre: 'techno' },
  { genre: 'techno,ambient' },
  { country: 'DE' },
  { country: 'DE,NL' },
  { status: 'cancelled' },
  { status: 'cancelled,postponed' },
  { status: 'scheduled' },
  { has_tickets: 'true' },
  { near: '52.52,13.40', radius: '50km' },
  { near: '52.52,13.40', radius: '500km' },
  { bbox: '-180,-90,180,90' },
  { bbox: '170,-50,-170,0' },
  { updated_since: '2020-01-01T00:00:00Z' },
  { updated_since: '2100-01-01T00:00:00Z' },
  { from: '2026-06-01' },
  { to: '2027-01-01T00:00:00Z' },
];
const lists = [
  { title: 'small sets', events: new EventLists(sqlite) },
  {
    title: 'large sets',
    events: new EventLists(sqlite, { veryFewEvents: 0, fewEvents: 0, comparedEvents: 0, regions: 1 }),
  },
  {
    title: 'large sets that are compared',
    events: new EventLists(sqlite, { veryFewEvents: 0, fewEvents: 0, comparedEvents: 1_000, regions: 100 }),
  },
  {
    title: 'large sets that are intersected',
    events: new EventLists(
      sqlite,
      { veryFewEvents: 0, fewEvents: 0, comparedEvents: 0, regions: 1 },
      { first: 1, largest: 60 },
    ),
  },
  {
    title: 'sets that are intersected in small windows',
    events: new EventLists(
      sqlite,
      { veryFewEvents: 0, fewEvents: 0, comparedEvents: 1_000, regions: 100 },
      { first: 1, largest: 3 },
    ),
  },
];

/** All events of a list, read in pages. */
function walk(source: ListSource): string[] {
  const all: string[] = [];
  for (let position: SortKey | null = null; ; ) {
    const page = source.fetch(position, 7, null);
    all.push(...page.map(([item]) => item));
    const last = page.at(-1);
    if (last === undefined || page.length < 7) return all;
    position = last.slice(1) as SortKey;
  }
}

/** The slugs of a list. */
const slugsOf = (items: readonly string[]) =>
  items.map((item) => (JSON.parse(item) as { slug: string }).slug);

const isPair = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Object.keys(one).every((name) => !(name in other)) && !('bbox' in one && 'near' in other);

describe('pairs of filters', () => {
  const filterOf = (query: Record<string, string>) =>
    eventFilter(parseRequest('listEvents', {}, query, Date.parse('2026-11-20T12:00:00Z')), reader);

  it('select the events that pass both filters, whichever is read', () => {
    const alone = new Map(
      queries.map((query) => [query, new Set(slugsOf(walk(reader.events.source(filterOf(query) ?? {}))))]),
    );
    let pairs = 0;
    for (const [index, one] of queries.entries()) {
      for (const other of queries.slice(index + 1)) {
        if (!isPair(one, other) || !isPair(other, one)) continue;
        pairs += 1;
        const filter = filterOf({ ...one, ...other });
        assert.ok(filter);
        const expected = [...(alone.get(one) as Set<string>)].filter((slug) => alone.get(other)?.has(slug));
        for (const { title, events } of lists)
          assert.deepEqual(
            slugsOf(walk(events.source(filter))),
            expected,
            `${title}: ${JSON.stringify({ ...one, ...other })}`,
          );
      }
    }
    assert.ok(pairs > 150);
  });

  it('exclude venues and cities by their place as reading their events would', () => {
    const idsOf = (table: string) =>
      sqlite.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all() as number[];
    const [venues, cities] = [idsOf('venues'), idsOf('cities')];
    const places: EventFilter[] = [
      ...venues.map((id) => ({ venue: id })),
      { anyOf: { venue: venues.slice(0, 10) } },
      ...cities.map((id) => ({ cityId: id })),
    ];
    const others: EventFilter[] = [
      { country: 'DE' },
      { anyOf: { country: ['NL', 'FJ'] } },
      { area: circleArea({ latitude: 52.52, longitude: 13.4 }, 50) },
      { area: circleArea({ latitude: -18, longitude: 179 }, 500) },
      ...cities.slice(0, 3).map((id) => ({ cityId: id })),
      { cityText: 'berlin' },
      { anyOf: { cityText: ['suva', 'leipzig'] } },
    ];
    const select = (filter: EventFilter) => slugsOf(walk(reader.events.source(filter)));
    let excluded = 0;
    for (const other of others) {
      const passing = new Set(select(other));
      for (const place of places) {
        if (other.cityId !== undefined && place.cityId !== undefined) continue;
        const expected = select(place).filter((slug) => passing.has(slug));
        const filter = { ...place, ...other, anyOf: { ...place.anyOf, ...other.anyOf } };
        assert.deepEqual(select(filter), expected, JSON.stringify(filter));
        if (expected.length === 0) excluded += 1;
      }
    }
    assert.ok(excluded > 50 && excluded < others.length * places.length);
  });
});
