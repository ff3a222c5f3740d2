/** Filters with several values, ids at sources, status, tickets, upcoming, names and times of change. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { OperationId } from '../../../src/contract/operations.ts';
import { readSetting } from '../../../src/store/database.ts';
import { CursorCodec } from '../../../src/store/lists/cursor.ts';
import { refused } from '../../support/expect.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../../support/program.ts';
import { ask, walk } from '../../support/rest-client.ts';
import { eventLine, feedLines, type GeneratedEvent, generate } from './generated.ts';

const now = '2026-11-20T12:00:00Z';
const catalogue = generate(5, { venues: 60, events: 600 });
const others = [
  { kind: 'artist', external_id: 'a-ended', name: 'Ended', country: 'GB', ended_at: '2016' },
  { kind: 'artist', external_id: 'a-ending', name: 'Ending', country: 'FR', ended_at: '2026-12' },
  { kind: 'artist', external_id: 'a-lasting', name: 'Lasting', country: 'FR' },
  {
    kind: 'venue',
    external_id: 'v-closed',
    name: 'Closed',
    city: 'Berlin',
    country: 'DE',
    closed_at: '2026-11-20',
  },
  { kind: 'label', external_id: 'l-closed', name: 'Closed Label', closed_at: '2010-05' },
  { kind: 'label', external_id: 'l-open', name: 'Open Label' },
  { kind: 'festival', external_id: 'f-next', name: 'Next Fest', country: 'DE' },
  { kind: 'festival', external_id: 'f-last', name: 'Last Fest', country: 'NL', ended_at: '2020' },
  {
    kind: 'edition',
    external_id: 'ed-1',
    festival: { external_id: 'f-next', name: 'Next Fest' },
    edition: '2027',
    start_at: '2027-06-01',
  },
  { kind: 'city', external_id: 'c-koln', name: 'Köln', country: 'DE', aliases: ['Cologne'] },
  { kind: 'city', external_id: 'c-dc', name: 'Washington, D.C.', country: 'US' },
  {
    kind: 'event',
    external_id: 'x-dc',
    name: 'Capital',
    city: 'Washington, D.C.',
    country: 'US',
    start_at: '2026-05-01',
  },
  { kind: 'event', external_id: 'a,b', name: 'Comma', city: 'Linz', country: 'AT', start_at: '2026-05-02' },
  { kind: 'podcast', external_id: 'p-1', name: 'Berlin Radio' },
  { kind: 'podcast', external_id: 'p-2', name: 'Waves of Köln' },
];
const folder = temporaryFolder();
const dataFile = join(folder.path, 'lists.db');
let server: Server;
before(async () => {
  importFeed(dataFile, [...feedLines(catalogue), ...others]);
  server = await startServer({ dataFile, now, window: 1_000_000, quota: 1_000_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

const operations: Record<string, OperationId> = {
  events: 'listEvents',
  artists: 'listArtists',
  venues: 'listVenues',
  festivals: 'listFestivals',
  labels: 'listLabels',
  cities: 'listCities',
  podcasts: 'listPodcasts',
};
const names = async (path: string, limits?: readonly number[]): Promise<string[]> => {
  const operation = operations[/^\/(\w+)/.exec(path)?.[1] as string] as OperationId;
  return (await walk(server, operation, path, limits)).map(({ name }) => String(name));
};
const eventsThat = (fits: (event: GeneratedEvent) => boolean): string[] =>
  catalogue.events
    .filter(fits)
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
    .map(({ name }) => name);

describe('several values of one filter', () => {
  const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
  const halls = catalogue.venues.slice(0, 12);
  const cases: [query: string, fits: (event: GeneratedEvent) => boolean][] = [
    ['country=DE,fj', ({ country }) => country === 'DE' || country === 'FJ'],
    ['city=berlin,SUVA', ({ city }) => city === 'Berlin' || city === 'Suva'],
    ['genre=techno,ambient', ({ genres }) => genres.includes('Techno') || genres.includes('Ambient')],
    ['artist=ana,bo,nobody-has-this', ({ artists }) => artists.includes('Ana') || artists.includes('Bo')],
    [
      `venue=${halls.map(({ name }) => slugOf(name)).join(',')}`,
      ({ venue }) => venue !== null && halls.includes(venue),
    ],
    ['status=cancelled,postponed', ({ status }) => status === 'cancelled' || status === 'postponed'],
    ['status=scheduled,cancelled', ({ status }) => status === 'scheduled' || status === 'cancelled'],
    [
      'artist=ana,bo&genre=techno,house&country=DE,NL',
      ({ artists, genres, country }) =>
        (artists.includes('Ana') || artists.includes('Bo')) &&
        (genres.includes('Techno') || genres.includes('House')) &&
        (country === 'DE' || country === 'NL'),
    ],
    ['has_tickets=true&from=2027-01-01', ({ hasTickets, start }) => hasTickets && start >= '2027'],
    ['has_tickets=true&genre=house', ({ hasTickets, genres }) => hasTickets && genres.includes('House')],
  ];
  for (const [query, fits] of cases) {
    it(query.slice(0, 60), async () => {
      const expected = eventsThat(fits);
      assert.ok(expected.length > 10);
      assert.deepEqual(await names(`/events?${query}`), expected);
      assert.deepEqual(await names(`/events?${query}`, [1, 13, 100]), expected);
    });
  }

  it('joins lists by name', async () => {
    assert.deepEqual(await names('/artists?country=GB,fr', [1]), ['Ended', 'Ending', 'Lasting']);
    assert.deepEqual(await names('/artists?country=GB,fr&status=ended', [1]), ['Ended']);
    assert.deepEqual(await names('/festivals?country=NL,DE,DE', [1]), ['Last Fest', 'Next Fest']);
  });

  it('finds the name of a city with commas as a whole', async () => {
    assert.deepEqual(await names('/events?city=washington,%20d.c.'), ['Capital']);
    assert.deepEqual(await names('/cities?name=Washington,%20D.C.'), ['Washington, D.C.']);
  });

  it('refuses more than a hundred', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `a${index}`).join(',');
    for (const name of ['city', 'venue', 'genre', 'artist'])
      refused('invalid_parameter', await ask(server, `/events?${name}=${many}`), name);
  });

  it('goes on from cursors that were made when a filter took one value', async () => {
    const sqlite = new Database(dataFile, { readonly: true });
    const codec = new CursorCodec(Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex'));
    const revision = sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
    const [id, start] = sqlite
      .prepare("SELECT id, start_ts FROM events WHERE name = 'Capital'")
      .raw()
      .get() as [number, number];
    sqlite.close();
    for (const [query, filters] of [
      ['country=us&city=Washington,%20D.C.', { country: 'US', city: 'Washington, D.C.' }],
      ['city=berlin&genre=techno&artist=ana', { city: 'berlin', genre: 'techno', artist: 'ana' }],
    ] as const) {
      const scope = JSON.stringify(['listEvents', '', '', filters]);
      const cursor = codec.encode({ key: [start, id], revision }, scope);
      const { status } = await ask(server, `/events?${query}&cursor=${cursor}`);
      assert.equal(status, 200, query);
    }
  });
});

describe('external_id of events', () => {
  it('takes the name of a source and its id', async () => {
    const [one, two] = [catalogue.events[3], catalogue.events[9]] as [GeneratedEvent, GeneratedEvent];
    const asked = [two, one].map(({ id }) => `test:${id}`).join(',');
    const expected = eventsThat((event) => event === one || event === two);
    assert.deepEqual(await names(`/events?external_id=${asked},test:none,nobody:${one.id}`, [1]), expected);
    assert.deepEqual(await names('/events?external_id=test:none'), []);
    assert.deepEqual(await names(`/events?external_id=test:${one.id}&country=XK`), []);
  });

  it('finds an id with a comma that is asked for alone', async () => {
    assert.deepEqual(await names('/events?external_id=test:a,b'), ['Comma']);
  });

  it('takes up to a hundred', async () => {
    const asked = catalogue.events.slice(0, 100);
    const query = asked.map(({ id }) => `test:${id}`).join(',');
    assert.deepEqual(
      await names(`/events?external_id=${query}`, [33]),
      eventsThat((event) => asked.includes(event)),
    );
    refused('invalid_parameter', await ask(server, `/events?external_id=${query},test:one`), 'external_id');
  });
});

describe('status, upcoming and name', () => {
  it('status of records', async () => {
    assert.deepEqual(await names('/artists?status=ended'), ['Ended']);
    assert.deepEqual(await names('/artists?status=ACTIVE', [2]), [
      'Ana',
      'Bo',
      'Cy',
      'Di',
      'Ending',
      'Lasting',
    ]);
    assert.equal((await names('/artists?status=active,ended')).length, 7);
    assert.deepEqual(await names('/venues?status=closed'), ['Closed']);
    assert.equal((await names('/venues?status=open')).length, catalogue.venues.length);
    assert.deepEqual(await names('/labels?status=closed'), ['Closed Label']);
    assert.deepEqual(await names('/labels?status=active'), ['Open Label']);
    assert.deepEqual(await names('/festivals?status=ended'), ['Last Fest']);
  });

  it('upcoming=true', async () => {
    const isUpcoming = ({ start }: GeneratedEvent) => Date.parse(start) + 12 * 3_600_000 > Date.parse(now);
    const ahead = catalogue.events.filter(isUpcoming);
    assert.ok(ahead.length > 50 && ahead.length < catalogue.events.length);
    const halls = [...new Set(ahead.flatMap(({ venue }) => venue?.name ?? []))].sort();
    assert.deepEqual(await names('/venues?upcoming=true', [7]), halls);
    assert.deepEqual(await names('/artists?upcoming=true'), ['Ana', 'Bo', 'Cy', 'Di']);
    assert.deepEqual(await names('/festivals?upcoming=true'), ['Next Fest']);
  });

  it('name of cities, aliases included', async () => {
    assert.deepEqual(await names('/cities?name=KOLN'), ['Köln']);
    assert.deepEqual(await names('/cities?name=Cologne,berlin,Nowhere'), ['Berlin', 'Köln']);
    assert.deepEqual(await names('/cities?name=Berlin&country=FR'), []);
  });
});

describe('/search with a type', () => {
  const hits = async (query: string): Promise<string[]> =>
    ((await ask(server, `/search?${query}`)).json() as { data: { type: string; name: string }[] }).data.map(
      ({ type, name }) => `${type} ${name}`,
    );

  it('finds cities, genres and podcasts when asked', async () => {
    assert.deepEqual(await hits('q=koln&type=city'), ['city Köln']);
    assert.deepEqual(await hits('q=colo&type=city'), ['city Köln']);
    assert.deepEqual(await hits('q=tech&type=genre'), ['genre Techno']);
    assert.deepEqual(await hits('q=k%C3%B6ln&type=podcast,city'), ['city Köln', 'podcast Waves of Köln']);
    assert.deepEqual(await hits('q=berlin&type=podcast,city'), ['city Berlin', 'podcast Berlin Radio']);
    assert.deepEqual(await hits('q=of%20ko&type=podcast'), ['podcast Waves of Köln']);
    assert.deepEqual(await hits('q=*&type=city'), []);
  });

  it('leaves the other kinds out', async () => {
    assert.deepEqual(await hits('q=closed&type=label'), ['label Closed Label']);
    assert.deepEqual(await hits('q=closed'), ['venue Closed', 'label Closed Label']);
    assert.deepEqual(await hits('q=closed&type=venue,label,city'), ['venue Closed', 'label Closed Label']);
    assert.deepEqual(await hits('q=techno'), []);
    assert.deepEqual(await hits('q=closd&type=label'), ['label Closed Label'], 'a typo');
  });
});

describe('updated_since and created_since', () => {
  it('list what changed, and what is new', async () => {
    const before = new Date(Date.now() - 60_000).toISOString();
    await new Promise((done) => setTimeout(done, 1_100));
    const since = new Date().toISOString();
    const [changed, moved] = catalogue.events.slice(20) as [GeneratedEvent, GeneratedEvent];
    const added = { ...changed, id: 'e-new', name: 'Newcomer', start: '2026-02-02T20:00:00Z' };
    importFeed(dataFile, [
      eventLine({ ...changed, status: 'rescheduled' }),
      eventLine({ ...moved, start: '2027-12-24T20:00:00Z' }),
      eventLine(added),
      { kind: 'artist', external_id: 'a-new', name: 'Ny' },
      {
        kind: 'venue',
        external_id: 'v-closed',
        name: 'Closed',
        city: 'Berlin',
        country: 'DE',
        closed_at: '2026',
        capacity: 9,
      },
    ]);
    const query = (name: string, time: string) => `${name}=${encodeURIComponent(time)}`;
    const all = new Set([changed.name, moved.name, added.name]);
    assert.deepEqual(new Set(await names(`/events?${query('updated_since', since)}`, [1])), all);
    assert.equal((await names(`/events?${query('updated_since', since)}`)).at(-1), moved.name, 'by start');
    assert.deepEqual(await names(`/events?${query('created_since', since)}`), ['Newcomer']);
    assert.deepEqual(await names(`/events?${query('created_since', since)}&city=${added.city}`), [
      'Newcomer',
    ]);
    assert.deepEqual(await names(`/artists?${query('created_since', since)}`), ['Ny']);
    assert.deepEqual(await names(`/venues?${query('updated_since', since)}`), ['Closed']);
    assert.deepEqual(await names(`/venues?${query('created_since', since)}`), []);
    for (const name of ['updated_since', 'created_since']) {
      assert.equal((await names(`/events?${query(name, before)}`, [100, 7])).length, 603);
      assert.deepEqual(await names(`/podcasts?${query(name, before)}`), ['Berlin Radio', 'Waves of Köln']);
      assert.deepEqual(await names(`/cities?${query(name, '2100-01-01T00:00:00+01:00')}`), []);
      assert.deepEqual(await names(`/events?${query(name, '2100-01-01T00:00:00Z')}`), []);
    }
  });
});
