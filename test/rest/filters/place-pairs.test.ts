/** Two filters by place are read by the venues and cities that both have; if there are none, no event is read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { eventFilter } from '../../../src/catalogue/list-filters.ts';
import { parseRequest } from '../../../src/rest/parse-request.ts';
import { EventLists } from '../../../src/store/lists/events.ts';
import type { SortKey } from '../../../src/store/lists/pagination.ts';
import { openCatalogueReader } from '../../../src/store/reader.ts';
import { importFeed, temporaryFolder } from '../../support/program.ts';
import { planFaults, planOf, recordStatements } from '../../support/query-plans.ts';
import { feedLines, generate } from './generated.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'place-pairs.db');

/** Events whose city has no record, and venues whose country or city is not stated. */
const oddLines = [
  { external_id: 'o-1', city: 'Berlin', country: null },
  { external_id: 'o-2', city: 'Springfield', country: null },
  { external_id: 'o-3', city: null, country: 'DE' },
  { external_id: 'o-4', venue: { name: 'Cellar', city: 'Nowhere', country: null } },
  { external_id: 'o-5', venue: { name: 'Attic', city: null, country: 'DE' } },
  { external_id: 'o-6', venue: { name: 'Loft', city: 'Berlin', country: null } },
].map((line, index) => ({
  kind: 'event',
  name: `Odd ${index}`,
  start_at: `2026-05-0${index + 1}T20:00:00Z`,
  timezone: 'UTC',
  ...line,
}));
importFeed(dataFile, [...feedLines(generate(23, { venues: 60, events: 500 })), ...oddLines]);
const sqlite = new Database(dataFile);
// Some events of a city keep its name after an editor removed its record; they have no position.
sqlite.exec(`UPDATE events SET city_id = NULL WHERE venue_id IS NULL AND id % 2 = 0;
  DELETE FROM event_places WHERE event_id IN (SELECT id FROM events WHERE venue_id IS NULL AND city_id IS NULL)`);
after(() => {
  sqlite.close();
  folder.remove();
});

const places: Record<string, string>[] = [
  ...['DE', 'NL', 'NO', 'DE,FJ', 'DE,NL', 'BR'].map((country) => ({ country })),
  ...['Berlin', 'Suva', 'Nowhere', 'Springfield', 'Berlin,Apia', 'Berlin,Suva,Apia'].map((city) => ({
    city,
  })),
  ...['5km', '60km', '500km'].map((radius) => ({ near: '52.52,13.405', radius })),
  { near: '51.34,12.37', radius: '20km' },
  { near: '78.22,15.64', radius: '500km' },
  ...['170,-50,-170,0', '-11,35,31,61', '-130,20,-60,50'].map((bbox) => ({ bbox })),
];
const pairs = places.flatMap((one, index) =>
  places
    .slice(index + 1)
    .filter((other) => Object.keys(one).every((name) => !(name in other)))
    .filter((other) => !('bbox' in { ...one, ...other } && 'near' in { ...one, ...other }))
    .map((other) => [one, other] as const),
);
const reader = openCatalogueReader(sqlite);
const filterOf = (query: Record<string, string>) =>
  eventFilter(parseRequest('listEvents', {}, query, Date.parse('2026-11-20T12:00:00Z')), reader) ??
  assert.fail();

/** The slugs of all events of a list, read in pages. */
function walk(events: EventLists, query: Record<string, string>): string[] {
  const source = events.source(filterOf(query));
  const all: string[] = [];
  for (let position: SortKey | null = null; ; ) {
    const page = source.fetch(position, 9, null);
    all.push(...page.map(([item]) => (JSON.parse(item) as { slug: string }).slug));
    const last = page.at(-1);
    if (last === undefined || page.length < 9) return all;
    position = last.slice(1) as SortKey;
  }
}

describe('two filters by place', () => {
  const { connection, take } = recordStatements(sqlite);
  // Every set counts as large.
  const events = new EventLists(connection, {
    veryFewEvents: 0,
    fewEvents: 0,
    comparedEvents: 100_000,
    regions: 1,
  });

  // No set counts as large, but each is compared with the places.
  const few = new EventLists(connection, {
    veryFewEvents: 0,
    fewEvents: 100_000,
    comparedEvents: 100_000,
    regions: 1,
  });

  it('select the events that pass both, also of cities without a record', () => {
    assert.ok(pairs.length > 80);
    const isEmpty = new Set<boolean>();
    for (const [one, other] of pairs) {
      const second = new Set(walk(reader.events, other));
      const expected = walk(reader.events, one).filter((slug) => second.has(slug));
      isEmpty.add(expected.length === 0);
      for (const list of [events, few])
        assert.deepEqual(walk(list, { ...one, ...other }), expected, JSON.stringify({ ...one, ...other }));
    }
    assert.equal(isEmpty.size, 2);
    const cityless = sqlite.prepare('SELECT count(*) FROM events WHERE city_id IS NULL').pluck().get();
    assert.ok(Number(cityless) >= 3, 'the catalogue has events without a city record');
  });

  it('read indexes', () => {
    take();
    for (const [one, other] of pairs) {
      for (const list of [events, few]) walk(list, { ...one, ...other });
      for (const statement of take())
        assert.deepEqual(planFaults(statement, planOf(sqlite, statement)), [], statement.text);
    }
  });

  it('read no event if they have no place in common', () => {
    take();
    assert.deepEqual(walk(events, { country: 'NO', near: '52.52,13.405', radius: '500km' }), []);
    assert.deepEqual(walk(events, { city: 'Suva', bbox: '-11,35,31,61' }), []);
    const texts = take().map(({ text }) => text);
    assert.ok(texts.some((text) => text.includes('venues_by_country')));
    // The city may be a text: those events are counted and read, of which the area has none.
    assert.deepEqual(
      texts.filter((text) => text.includes('item_json') && !text.includes('city_id is null')),
      [],
    );
  });

  it('read no event of a small set either', () => {
    const [{ size } = { size: 0 }] = sqlite
      .prepare<[], { size: number }>("SELECT count(*) AS size FROM events WHERE city_folded = 'suva'")
      .all();
    assert.ok(size > 0);
    take();
    assert.deepEqual(walk(few, { city: 'Suva', bbox: '-11,35,31,61' }), []);
    const texts = take().map(({ text }) => text);
    assert.ok(texts.some((text) => text.includes('venues_by_city')));
    assert.deepEqual(
      texts.filter((text) => /select w\.|item_json/.test(text) && !text.includes('city_id is null')),
      [],
    );
  });

  describe('while some events still have a former place', () => {
    const query = { country: 'DE', near: '52.52,13.405', radius: '60km' };
    const expected = walk(events, query);
    const rows = sqlite.prepare("SELECT id, country FROM venues WHERE country = 'DE'").all();

    /** Lists events after all venues have moved, with these records waiting; and the statements that ran. */
    function listWhile(waiting: string): { slugs: string[]; texts: string[] } {
      // Some of the records that wait do not exist.
      sqlite.pragma('foreign_keys = OFF');
      sqlite.exec(`UPDATE venues SET country = 'NL' WHERE country = 'DE';
        INSERT INTO stale_records (record_id) ${waiting}`);
      try {
        take();
        const slugs = walk(events, query);
        return { slugs, texts: take().map(({ text }) => text) };
      } finally {
        sqlite.exec('DELETE FROM stale_records');
        const restore = sqlite.prepare('UPDATE venues SET country = @country WHERE id = @id');
        for (const row of rows) restore.run(row);
        sqlite.pragma('foreign_keys = ON');
      }
    }
    const inVenues = "SELECT id FROM events WHERE venue_id IN (SELECT id FROM venues WHERE country = 'NL')";
    const isPairRead = (text: string) => text.includes('venues_by_country');

    it('lists these, and still reads the others by their places', () => {
      assert.ok(expected.length > 10);
      const { slugs, texts } = listWhile(inVenues);
      assert.deepEqual(slugs, expected);
      assert.ok(texts.some(isPairRead));
    });

    it('lists the events of venues that wait', () => {
      const { slugs, texts } = listWhile("SELECT id FROM venues WHERE country = 'NL'");
      assert.deepEqual(slugs, expected);
      assert.ok(texts.some(isPairRead));
    });

    it('reads events if too many records wait', () => {
      const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)';
      const { slugs, texts } = listWhile(`${many} SELECT 10000000 + i FROM n UNION ${inVenues}`);
      assert.deepEqual(slugs, expected);
      assert.ok(!texts.some(isPairRead));
    });

    it('reads places alone once none waits', () => {
      assert.deepEqual(walk(events, query), expected);
    });
  });
});
