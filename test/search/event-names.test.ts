/** Events by words of their names: the same events, whether names or the events of the filter are read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { PlainEventFilter } from '../../src/store/lists/event-filter.ts';
import { CatalogueReader, openCatalogueReader } from '../../src/store/reader.ts';
import { EventNameSearch } from '../../src/store/search/event-names.ts';
import { normalizeForSearch } from '../../src/text/fold.ts';
import { temporaryFolder } from '../support/program.ts';
import { planFaults, planOf, recordStatements } from '../support/query-plans.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const day = 86_400_000;
const places = [
  { name: 'Tresor', city: 'Berlin', country: 'DE' },
  { name: 'Fabric', city: 'London', country: 'GB' },
  { name: 'Ohne Ort' },
];
const words = ['Presents', 'Present', 'Klubnacht', 'Klub', 'Zürich', 'Ω'];

/** 900 events over 300 days around now: most have "presents" in the name, and some a rare word. */
const events = Array.from({ length: 900 }, (_, at) => {
  const start = new Date(now + (Math.floor(at / 3) - 150) * day + (at % 7) * 3_600_000).toISOString();
  const rare = at % 97 === 0 ? ' Rarity' : '';
  return {
    kind: 'event',
    external_id: `e${at}`,
    name: `${words[at % words.length]} ${at % 5 === 0 ? 'Klubnacht' : 'presents'} ${at % 13}${rare}`,
    start_at: start.slice(0, 19),
    end_at: new Date(Date.parse(start) + 5 * 3_600_000).toISOString().slice(0, 19),
    venue: places[at % 3],
    lineup: [{ name: at % 2 ? 'Odd Act' : 'Even Act' }, ...(at % 50 === 0 ? [{ name: 'Fifty' }] : [])],
    genres: at % 4 === 0 ? ['Techno'] : ['House'],
  };
});
async function* bytes(lines: readonly object[]) {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

describe('events by words of their names', () => {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'names.db'), { create: true });
  let reader: CatalogueReader;
  before(async () => {
    const genres = ['Techno', 'House'].map((name) => ({
      kind: 'genre',
      external_id: name,
      name,
      parent: null,
    }));
    const input = bytes([...genres, ...events]);
    const report = await importFeed(sqlite, { source: 'test', type: 'feed', now, alone: true, input });
    assert.deepEqual(report.rejected, []);
    reader = openCatalogueReader(sqlite);
  });
  after(() => {
    sqlite.close();
    folder.remove();
  });

  type Item = { name: string };
  const nameOf = (json: string) => normalizeForSearch((JSON.parse(json) as Item).name);
  const fits = (query: string) => {
    const all = query.split(' ');
    return (json: string) => {
      const own = nameOf(json).split(' ');
      return all.every((word, at) =>
        own.some((one) => (at === all.length - 1 ? one.startsWith(word) : one === word)),
      );
    };
  };
  const idOf = (kind: 'artist' | 'venue' | 'genre' | 'city', slug: string) =>
    reader.find(kind, slug) as number;
  const filters = (): Record<string, PlainEventFilter> => ({
    'no filter': {},
    upcoming: { upcomingAt: now },
    past: { pastAt: now },
    'an artist': { artist: idOf('artist', 'odd-act') },
    'a seldom artist': { artist: idOf('artist', 'fifty') },
    'two artists': { artist: idOf('artist', 'even-act'), otherArtists: [idOf('artist', 'fifty')] },
    'a venue, upcoming': { venue: idOf('venue', 'tresor'), upcomingAt: now },
    'a venue, past': { venue: idOf('venue', 'tresor'), pastAt: now },
    'a spelling of a venue': { venueNames: ['Ohne Ort'] },
    'a genre in a country': { genre: idOf('genre', 'techno'), country: 'GB', upcomingAt: now },
    'a window of dates': { country: 'DE', from: { date: 20261101 }, to: { date: 20261214 } },
    'a window of instants': {
      artist: idOf('artist', 'odd-act'),
      from: { instant: now - 9 * day },
      to: { instant: now + 3 * day },
    },
  });
  const queries = [
    'presents',
    'present',
    'klub',
    'k',
    'zurich presents',
    'presents 12',
    'rar',
    'presents rarity',
    'nothing',
  ];
  /** With few names and events, and as if both were many. */
  const searches = (): [string, EventNameSearch][] => [
    ['as it is', reader.eventNames],
    [
      'many',
      new EventNameSearch(sqlite, reader.events, {
        fewEvents: 1,
        few: 2,
        counted: 4,
        chunks: { first: 2, max: 64 },
      }),
    ],
    [
      'many names, and events to compare them with',
      new EventNameSearch(sqlite, reader.events, { fewEvents: 1, few: 2, counted: 2_000 }),
    ],
  ];
  const newest = (filter: PlainEventFilter) => reader.events.newest(filter, 10_000).map(([json]) => json);

  it('equal those that a scan of all events finds', () => {
    for (const [name, filter] of Object.entries(filters())) {
      assert.ok(newest(filter).length > 2, `${name} has no events`);
      for (const query of queries) {
        for (const limit of [1, 10, 51, 1_000]) {
          const lastFirst = newest(filter).filter(fits(query));
          for (const [how, eventNames] of searches()) {
            const message = `${name}: ${query}, ${limit}, ${how}`;
            assert.deepEqual(eventNames.find(query, filter, limit, true), lastFirst.slice(0, limit), message);
            const firstFirst = lastFirst.toReversed().slice(0, limit);
            assert.deepEqual(eventNames.find(query, filter, limit), firstFirst, message);
            assert.equal(eventNames.count(query, filter, limit), firstFirst.length, message);
          }
        }
      }
    }
  });

  it('look up artists, genres and places in the order of the list, and names last', () => {
    const { connection, take } = recordStatements(sqlite);
    const { events } = new CatalogueReader(connection);
    const pairs: PlainEventFilter[] = [
      { venue: idOf('venue', 'tresor'), genre: idOf('genre', 'techno') },
      { cityId: idOf('city', 'berlin'), country: 'DE' },
      { cityText: 'berlin', genre: idOf('genre', 'house') },
    ];
    for (const [name, filter] of [...Object.entries(filters()), ...pairs.entries()]) {
      for (const more of [{}, { artist: idOf('artist', 'odd-act') }]) {
        events.newest({ ...filter, ...more, nameWords: 'klub presents' }, 10);
        events.count({ ...filter, ...more, nameWords: 'klub presents' }, 10);
        for (const statement of take()) {
          const plan = planOf(sqlite, statement);
          assert.deepEqual(planFaults(statement, plan), [], `${name}\n${plan.join('\n')}\n${statement.text}`);
        }
      }
    }
  });

  it('without words are none', () => {
    assert.deepEqual(reader.eventNames.find('', {}, 10), []);
  });
});
