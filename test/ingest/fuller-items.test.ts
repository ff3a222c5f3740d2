/** What list items carry beside names and times: sets that artists play together, prices, genres, counts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Entry, listed, succeeded } from '../support/expect.ts';
import { importFeed, run, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { ask } from '../support/rest-client.ts';

const now = '2026-11-20T12:00:00Z';
const folder = temporaryFolder();
const dataFile = join(folder.path, 'catalogue.db');
let server: Server;

const event = (id: string, members: Record<string, unknown>) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: '2026-12-05T23:00',
  timezone: 'Europe/Berlin',
  venue: { name: `Room ${id}`, city: 'Berlin', country: 'DE' },
  ...members,
});
const ticket = (seller: string, more: Record<string, unknown>) => ({
  seller,
  url: `https://${seller}.test/1`,
  ...more,
});
const feed = [
  { kind: 'genre', external_id: 'electronic', name: 'Electronic' },
  { kind: 'genre', external_id: 'techno', name: 'Techno', parent: 'Electronic' },
  { kind: 'artist', external_id: 'ame', name: 'Âme', genres: ['Techno'] },
  event('joint', { lineup: [{ name: 'Orrin Vale' }, { name: 'Âme b2b Dixon' }, { name: 'Mara Quill' }] }),
  event('apart', { lineup: [{ name: 'Âme' }, { name: 'Dixon' }] }),
  event('stated', {
    lineup: [
      { name: 'Tessa Noor', set: 2 },
      { name: 'Mara Quill', set: 1 },
      { name: 'Orrin Vale', set: 2 },
    ],
  }),
  event('two-pairs', { lineup: [{ name: 'Âme b2b Dixon' }, { name: 'Tessa Noor b2b Orrin Vale' }] }),
  event('over', { start_at: '2026-11-02T23:00', lineup: [{ name: 'Âme' }] }),
  event('prices', {
    tickets: [
      ticket('one', { price_min: 12, currency: 'EUR', availability: 'sold_out' }),
      ticket('two', { price_min: 18.5, price_max: 25, currency: 'EUR' }),
      ticket('three', { price_max: 30, currency: 'EUR', availability: 'limited' }),
      ticket('four', { price_min: 5, currency: 'GBP' }),
    ],
  }),
  event('gone', {
    tickets: [ticket('one', { price_min: 12, currency: 'EUR', availability: 'sold_out' })],
  }),
  event('unpriced', { minimum_age: 21, genres: ['Techno'], tickets: [ticket('one', {})] }),
];

const get = async (path: string) => ask(server, path);
const slugOf = (id: string) => `night-${id}-2026-12-05`;
const detailOf = async (id: string) =>
  succeeded<{ data: Entry }>('getEvent', await get(`/events/${slugOf(id)}`)).data;
/** The names of artists who play together, by set. */
const setsOf = (lineup: unknown): string[][] => {
  const sets = new Map<number, string[]>();
  for (const { name, set } of lineup as { name: string; set: number }[])
    sets.set(set, [...(sets.get(set) ?? []), name]);
  return [...sets.values()];
};

before(async () => {
  // An older listing of one event says that its artists play one set.
  importFeed(
    dataFile,
    [event('apart', { external_id: 'other', name: 'Night apart', lineup: [{ name: 'Dixon b2b Âme' }] })],
    'second',
  );
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now, window: 100_000, quota: 100_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

describe('sets', () => {
  it('tells artists who play together from those who follow each other', async () => {
    const { lineup } = await detailOf('joint');
    assert.deepEqual(setsOf(lineup), [['Orrin Vale'], ['Âme', 'Dixon'], ['Mara Quill']]);
    const entries = listed('listEventLineup', await get(`/events/${slugOf('joint')}/lineup`)).data;
    assert.deepEqual(
      entries.map(({ name, position, set }) => [name, position, set]),
      [
        ['Orrin Vale', 1, 1],
        ['Âme', 2, 2],
        ['Dixon', 3, 2],
        ['Mara Quill', 4, 4],
      ],
    );
    assert.deepEqual(setsOf((await detailOf('two-pairs')).lineup), [
      ['Âme', 'Dixon'],
      ['Tessa Noor', 'Orrin Vale'],
    ]);
  });

  it('takes the sets that a source numbers', async () => {
    assert.deepEqual(setsOf((await detailOf('stated')).lineup), [
      ['Tessa Noor', 'Orrin Vale'],
      ['Mara Quill'],
    ]);
  });

  it('learns from one source what another leaves open', async () => {
    assert.deepEqual(setsOf((await detailOf('apart')).lineup), [['Âme', 'Dixon']]);
  });

  it('survive an export and an import', async () => {
    const exported = run(['export', '--data', dataFile]).stdout.trim().split('\n');
    const copy = join(folder.path, 'copy.db');
    importFeed(
      copy,
      exported.map((line) => JSON.parse(line) as object),
      'copy',
    );
    const other = await startServer({ dataFile: copy, now });
    try {
      const answer = await ask(other, `/events/${slugOf('two-pairs')}`);
      assert.deepEqual(setsOf(succeeded<{ data: Entry }>('getEvent', answer).data.lineup), [
        ['Âme', 'Dixon'],
        ['Tessa Noor', 'Orrin Vale'],
      ]);
    } finally {
      await other.stop();
    }
  });
});

describe('event items', () => {
  it('carry the prices of tickets that are on sale, in the currency of most', async () => {
    const pricesOf = async (id: string) => {
      const { price_min, price_max, currency } = await detailOf(id);
      return [price_min, price_max, currency];
    };
    assert.deepEqual(await pricesOf('prices'), [18.5, 30, 'EUR']);
    assert.deepEqual(await pricesOf('gone'), [12, 12, 'EUR']);
    assert.deepEqual(await pricesOf('unpriced'), [null, null, null]);
  });

  it('are the same in a list as in the detail', async () => {
    const items = listed('listEvents', await get('/events?limit=100')).data;
    assert.equal(items.length, feed.length - 3);
    for (const item of items) {
      const detail = succeeded<{ data: Entry }>('getEvent', await get(`/events/${item.slug}`)).data;
      for (const [name, value] of Object.entries(item)) assert.deepEqual(detail[name], value, name);
    }
    const unpriced = items.find(({ slug }) => slug === slugOf('unpriced'));
    assert.deepEqual(unpriced?.genres, [{ slug: 'techno', name: 'Techno' }]);
    assert.equal(unpriced?.minimum_age, 21);
    assert.equal(unpriced?.date, '2026-12-05');
    assert.equal(unpriced?.festival_edition, null);
  });
});

describe('artist items', () => {
  it('carry genres and the events that are not over', async () => {
    const items = listed('listArtists', await get('/artists')).data;
    const ame = items.find(({ slug }) => slug === 'ame');
    assert.deepEqual(ame?.genres, [{ slug: 'techno', name: 'Techno' }]);
    assert.equal(ame?.upcoming_event_count, 3);
    for (const { slug, upcoming_event_count } of items) {
      const events = listed('listArtistEvents', await get(`/artists/${slug}/events?limit=100`)).data;
      assert.equal(events.length, upcoming_event_count, String(slug));
    }
  });

  it('count again when an event is over, with another ETag', async () => {
    const later = await startServer({ dataFile, now: '2026-12-07T00:00:00Z' });
    try {
      const [before, after] = [await get('/artists'), await ask(later, '/artists')];
      const ame = listed('listArtists', after).data.find(({ slug }) => slug === 'ame');
      assert.equal(ame?.upcoming_event_count, 0);
      assert.notEqual(after.headers.etag, before.headers.etag);
    } finally {
      await later.stop();
    }
  });

  it('list their genres as /genres does', async () => {
    const [genre] = listed('listArtistGenres', await get('/artists/ame/genres')).data;
    const all = listed('listGenres', await get('/genres')).data;
    assert.deepEqual(
      genre,
      all.find(({ slug }) => slug === 'techno'),
    );
  });
});
