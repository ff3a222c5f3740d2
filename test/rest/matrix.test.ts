/**
 * The REST API as a matrix: every operation of the contract × everything that may happen to a request. The catalogue
 * is `support/feed.ts`; every body is parsed strictly against the contract.
 */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateApiKey } from '../../src/access/api-key-format.ts';
import {
  apiPrefix,
  type OperationDefinition,
  type OperationId,
  operationIds,
  operations,
} from '../../src/contract/operations.ts';
import { type FilterName, parameterOf } from '../../src/contract/parameters.ts';
import { pageLimits, windowSeconds } from '../../src/contract/plans.ts';
import { type Entry, everywhere, limitsOf, listed, problem, refused, succeeded } from '../support/expect.ts';
import * as feed from '../support/feed.ts';
import {
  type Answer,
  type Asked,
  importFeed,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';
import {
  ask,
  type Collection,
  label,
  learnSlugs,
  type Slugs,
  walk as walkOf,
  withQuery,
} from '../support/rest-client.ts';

const rows: Record<OperationId, OperationDefinition> = operations;
const now = Date.parse(feed.feedNow) / 1_000;
const nextMonth = Date.parse('2026-12-01T00:00:00Z') / 1_000;
const plenty = 1_000_000;

const folder = temporaryFolder();
const file = (name: string): string => join(folder.path, `${name}.db`);
let server: Server;
/** Operations that have answered 200 with a right body. */
const met = new Set<OperationId>();

let slug: Slugs;

const get = (path: string, asked?: Asked, of: Server = server): Promise<Answer> => ask(of, path, asked);
const walk = (operation: OperationId, path: string, limits?: readonly number[]): Promise<Entry[]> =>
  walkOf(server, operation, path, limits);

// --------------------------------------------------------------------------------------------- what is asked for

type Target = {
  path: () => string;
  /** Of a list: its entries in order, as `labelReader` tells them. */
  labels?: readonly unknown[];
  /** Of a detail: members that must be so. */
  holds?: () => Entry;
};

const inFolder =
  (collection: Collection, name: string, rest = '') =>
  () =>
    `/${collection}/${slug(collection, name)}${rest}`;
const klubnacht = 'Klubnacht';
const at = (path: string) => () => path;

/** For every operation a record that has what there is to show, and what must be shown of it. */
const targets: Record<OperationId, Target> = {
  listEvents: { path: at('/events'), labels: feed.eventNames },
  getEvent: {
    path: inFolder('events', klubnacht),
    holds: () => ({
      name: klubnacht,
      start_at: '2026-11-21T23:59:00+01:00',
      end_at: '2026-11-23T10:00:00+01:00',
      timezone: 'Europe/Berlin',
      status: 'scheduled',
      venue: {
        slug: slug('venues', 'Berghain'),
        name: 'Berghain',
        city: 'Berlin',
        country: 'DE',
        latitude: 52.511,
        longitude: 13.443,
      },
      lineup: ['Ben Klock', 'Éclair Fifi', 'ＷＩＤＥ'].map((name, index) => ({
        slug: slug('artists', name),
        name,
        set: index + 1,
      })),
      date: '2026-11-21',
      city: { slug: slug('cities', 'Berlin'), name: 'Berlin', country: 'DE' },
      festival_edition: null,
      genres: [{ slug: slug('genres', 'Techno'), name: 'Techno' }],
      description: 'Two floors.',
      image_url: 'https://berghain.test/night.jpg',
      minimum_age: 18,
      sources: [{ name: 'test', external_id: 'x-Klubnacht', url: 'https://berghain.test/night' }],
      url: `${server.url}/events/${slug('events', klubnacht)}`,
    }),
  },
  listEventLineup: {
    path: inFolder('events', klubnacht, '/lineup'),
    labels: ['Ben Klock', 'Éclair Fifi', 'ＷＩＤＥ'],
  },
  listEventTickets: {
    path: inFolder('events', klubnacht, '/tickets'),
    labels: ['https://tickets.test/9', 'https://tickets.test/1', 'https://tickets.test/2'],
  },
  listArtists: { path: at('/artists'), labels: feed.artistNames },
  getArtist: {
    path: inFolder('artists', 'Ben Klock'),
    holds: () => ({
      name: 'Ben Klock',
      country: 'DE',
      image_url: 'https://klock.test/face.jpg',
      url: `${server.url}/artists/${slug('artists', 'Ben Klock')}`,
      real_name: null,
      aliases: ['Klockworks'],
      biography: 'Resident.',
      links: [{ type: 'website', url: 'https://klock.test/' }],
      upcoming_event_count: 3,
    }),
  },
  listArtistEvents: {
    path: inFolder('artists', 'Ben Klock', '/events'),
    labels: ['Marathon', klubnacht, 'Called Off'],
  },
  listArtistGenres: {
    path: inFolder('artists', 'Ben Klock', '/genres'),
    labels: ['Dub Techno', 'House', 'Techno'],
  },
  listVenues: { path: at('/venues'), labels: feed.venueNames },
  getVenue: {
    path: inFolder('venues', 'Berghain'),
    holds: () => ({
      name: 'Berghain',
      city: 'Berlin',
      country: 'DE',
      timezone: 'Europe/Berlin',
      location: {
        address: 'Am Wriezener Bahnhof',
        postal_code: '10243',
        latitude: 52.511,
        longitude: 13.443,
      },
      city_slug: slug('cities', 'Berlin'),
      capacity: 1_500,
      website: 'https://berghain.test/',
      image_url: 'https://berghain.test/house.jpg',
      links: [],
      upcoming_event_count: 3,
    }),
  },
  listVenueEvents: {
    path: inFolder('venues', 'Tresor', '/events'),
    labels: ['Not Yet Over', 'Midnight Start', 'Called Off', 'Berlin Gap'],
  },
  listFestivals: { path: at('/festivals'), labels: feed.festivalNames },
  getFestival: {
    path: inFolder('festivals', 'Dekmantel'),
    holds: () => ({
      name: 'Dekmantel',
      city: 'Amsterdam',
      country: 'NL',
      website: 'https://dekmantel.test/',
      genres: ['House', 'Techno'].map((name) => ({ slug: slug('genres', name), name })),
      edition_count: 4,
      latest_edition: '2026',
      next_edition: '2027',
    }),
  },
  listFestivalEditions: {
    path: inFolder('festivals', 'Dekmantel', '/editions'),
    labels: ['2027', '2026', '2025', '2024'],
  },
  getFestivalEdition: {
    path: inFolder('festivals', 'Dekmantel', '/editions/2026'),
    holds: () => ({
      edition: '2026',
      festival: { slug: slug('festivals', 'Dekmantel'), name: 'Dekmantel' },
      name: 'Dekmantel 2026',
      start_at: '2026-07-29T12:00:00+02:00',
      end_at: '2026-08-02T23:00:00+02:00',
      timezone: 'Europe/Amsterdam',
      status: 'scheduled',
      city: 'Amsterdam',
      country: 'NL',
      url: `${server.url}/festivals/${slug('festivals', 'Dekmantel')}/editions/2026`,
      lineup_count: 3,
    }),
  },
  listEditionLineup: {
    path: inFolder('festivals', 'Dekmantel', '/editions/2026/lineup'),
    labels: ['Ben Klock', 'Aphex Twin', 'Zed Bias'],
  },
  listEditionTickets: {
    path: inFolder('festivals', 'Dekmantel', '/editions/2026/tickets'),
    labels: ['https://tickets.test/b', 'https://tickets.test/c', 'https://tickets.test/a'],
  },
  listLabels: { path: at('/labels'), labels: feed.labelNames },
  getLabel: {
    path: inFolder('labels', 'Unterton'),
    holds: () => ({
      name: 'Unterton',
      country: 'DE',
      founded_year: null,
      parent: { slug: slug('labels', 'Ostgut Ton'), name: 'Ostgut Ton' },
      artist_count: 0,
    }),
  },
  listLabelArtists: {
    path: inFolder('labels', 'Ostgut Ton', '/artists'),
    labels: ['Ben Klock', 'Éclair Fifi', 'ＷＩＤＥ'],
  },
  listLabelEvents: {
    path: inFolder('labels', 'Ostgut Ton', '/events'),
    labels: ['Marathon', klubnacht, 'Midnight Start', 'Called Off'],
  },
  listGenres: { path: at('/genres'), labels: feed.genreNames },
  getGenre: {
    path: inFolder('genres', 'Techno'),
    holds: () => ({
      name: 'Techno',
      parent: { slug: slug('genres', 'Electronic'), name: 'Electronic' },
      description: 'Four to the floor.',
      aliases: [],
      children: [{ slug: slug('genres', 'Dub Techno'), name: 'Dub Techno' }],
      artist_count: 1,
      upcoming_event_count: 3,
    }),
  },
  listCities: { path: at('/cities'), labels: feed.cityNames },
  getCity: {
    path: inFolder('cities', 'Berlin'),
    holds: () => ({
      name: 'Berlin',
      country: 'DE',
      region: 'Berlin',
      latitude: 52.52,
      longitude: 13.405,
      timezone: 'Europe/Berlin',
      population: 3_677_472,
      venue_count: 2,
      upcoming_event_count: 8,
    }),
  },
  listCityEvents: {
    path: inFolder('cities', 'Berlin', '/events'),
    labels: [
      'Long Ago',
      'Berlin Overlap',
      'Last Weekend',
      'Marathon',
      'Long Now Opening',
      'Just Over',
      'Not Yet Over',
      'Date Alone',
      klubnacht,
      'Midnight Start',
      'Called Off',
      'Secret Rave',
      'Berlin Gap',
    ],
  },
  listPodcasts: { path: at('/podcasts'), labels: feed.podcastNames },
  getPodcast: {
    path: inFolder('podcasts', 'RA Podcast'),
    holds: () => ({
      name: 'RA Podcast',
      publisher: 'Resident Advisor',
      website: 'https://ra.test/',
      episode_count: 4,
    }),
  },
  listPodcastEpisodes: {
    path: inFolder('podcasts', 'RA Podcast', '/episodes'),
    // Of those without a date the one made later comes first, as everywhere in this list.
    labels: ['RA.002', 'RA.001', 'RA.004', 'RA.003'],
  },
  getEpisode: {
    path: inFolder('episodes', 'RA.002'),
    holds: () => ({
      name: 'RA.002',
      number: 2,
      podcast: { slug: slug('podcasts', 'RA Podcast'), name: 'RA Podcast' },
      duration_seconds: 3_600,
      artists: [{ slug: slug('artists', 'Ben Klock'), name: 'Ben Klock' }],
      audio_url: 'https://ra.test/2.mp3',
      track_count: 3,
    }),
  },
  listTracks: { path: inFolder('episodes', 'RA.002', '/tracklist'), labels: ['Subzero', null, 'Thing'] },
  getStats: { path: at('/stats'), holds: () => feed.totals },
  search: { path: at('/search?q=series'), holds: () => ({}) },
};

// --------------------------------------------------------------------------------------------- bad and odd values

/** For each filter: values that cannot be read; where there are none, one that nobody has. */
const unreadable: Record<FilterName, readonly string[]> = {
  country: ['Germany', 'D', 'ZZ', '49', 'D%45%20E', '%00%00'],
  city: [',', `${'a,'.repeat(101)}a`],
  slug: [',', '%20,%20,', `${'a,'.repeat(101)}a`],
  external_id: ['musicbrainz', 'musicbrainz:', 'myspace:1', ':1', ',', `${'discogs:1,'.repeat(101)}`],
  venue: [',', `${'a,'.repeat(101)}a`],
  genre: ['%20,'],
  artist: [',,'],
  source_id: ['nonsense', ':1', 'test:', ',', `${'test:1,'.repeat(101)}`],
  near: ['Berlin', '52.52', '52.52,13.4,1', '91,0', '0,181', 'NaN,0', '52.52;13.4', '5e1,0'],
  radius: ['near', '0km', '-1km', '501km', '311mi', '25m', '1e2km'],
  bbox: ['13,52,14', '13,53,14,52', '13,52,14,91', '181,0,182,1', 'a,b,c,d', '13,52,14,53,1'],
  status: ['maybe', 'scheduled,maybe', ','],
  venue_status: ['active', 'shut'],
  label_status: ['open'],
  life_status: ['dead'],
  has_tickets: ['false', '1', 'yes'],
  upcoming: ['false', '0'],
  name: [','],
  type: ['track', 'artist,track', ','],
  updated_since: ['2026-11-20', 'yesterday', '2026-11-20T12:00:00', '0'],
  created_since: ['2026-02-30T00:00:00Z', '1795176000'],
  from: [
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '20261120',
    '2026-11-20T12:00:00',
    '2026-11-20T25:00:00Z',
    '1795176000',
  ],
  to: [
    'tomorrow',
    '2025-02-29',
    '2026-00-10',
    '2026-1-1',
    '2026-11-20T12:00',
    '2026-11-20T12:00:00+25:00',
    '0',
  ],
};
/** For each filter two values that can be read, and so two different questions. */
const readable: Record<FilterName, readonly [string, string]> = {
  country: ['de', 'US'],
  city: ['BERLIN', 'new%20york'],
  slug: ['ben-klock,tresor,movement', 'nobody-has-this'],
  external_id: ['discogs:1,MusicBrainz:2', 'ra:3'],
  venue: ['tresor', 'nobody-has-this'],
  genre: ['techno', 'nobody-has-this'],
  artist: ['ben-klock', 'nobody-has-this'],
  source_id: ['test:x-Klubnacht,test:x-Nothing', 'nobody:1'],
  near: ['52.52,13.40', '-33.86,%20151.21'],
  radius: ['25km', '15mi'],
  bbox: ['13,52,14,53', '170,-50,-150,30'],
  status: ['cancelled,Scheduled', 'postponed'],
  venue_status: ['open', 'closed,open'],
  label_status: ['active', 'closed'],
  life_status: ['active', 'ended'],
  has_tickets: ['true', 'TRUE'],
  upcoming: ['true', 'TRUE'],
  name: ['BERLIN,New%20York', 'nobody-has-this'],
  type: ['artist,city', 'podcast'],
  updated_since: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00%2B01:00'],
  created_since: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00%2B01:00'],
  from: ['2026-11-22', '2026-11-21T23:00:00Z'],
  to: ['2026-11-21', '2027-01-01T00:00:00%2B01:00'],
};
/** Parameters that a filter has no meaning without. */
const needed: Partial<Record<FilterName, string>> = { radius: 'near=52.52,13.40&' };
/** What `limit` says, and how many it means; null where it means the default. */
const limits: readonly [text: string, meaning: number | null][] = [
  ['1', 1],
  ['2', 2],
  ['007', 7],
  ['50', 50],
  ['100', 100],
  ['101', 101],
  ['99999999999999999999999', Number.POSITIVE_INFINITY],
  ['', null],
  ['0', null],
  ['00', null],
  ['-1', null],
  ['%2B5', null],
  ['3.7', null],
  ['1e9', null],
  ['0x10', null],
  ['ten', null],
  ['%205', null],
  ['%D9%A3', null],
  ['NaN', null],
];

/** The same text with one character of its alphabet exchanged. */
const altered = (text: string, index: number): string =>
  `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;

/** What is asked of the servers of small limits, and with no credential: that answer must come before any other. */
const unfit = ['?from=yesterday', '?cursor=nonsense', '?country=Germany&limit=x'];

/** Lists with a record that `feed.moves` moves from before the second entry to the end, or from there to the front. */
const movingLists: [OperationId, string][] = [
  ['listArtists', '/artists'],
  ['listLabelArtists', '/labels/ostgut-ton/artists'],
  ['listEvents', '/events?to=2027-12-31'],
  ['listVenueEvents', '/venues/tresor/events?from=2000-01-01'],
  ['listArtistEvents', '/artists/ben-klock/events?from=2000-01-01'],
  ['listLabelEvents', '/labels/ostgut-ton/events?from=2000-01-01'],
  ['listCityEvents', '/cities/berlin/events'],
  ['listFestivalEditions', '/festivals/dekmantel/editions'],
  ['listPodcastEpisodes', '/podcasts/ra-podcast/episodes'],
];

/** Servers whose account has one request: what is refused then, and how long the refusal holds. */
const spent = [
  { type: 'rate_limited', file: 'window', options: { window: 1, quota: plenty }, wait: windowSeconds },
  { type: 'quota_exceeded', file: 'quota', options: { window: plenty, quota: 1 }, wait: nextMonth - now },
  // The window is looked at first.
  { type: 'rate_limited', file: 'window-and-quota', options: { window: 1, quota: 1 }, wait: windowSeconds },
] as const;

// --------------------------------------------------------------------------------------------- the matrix

before(async () => {
  importFeed(file('main'), feed.feed);
  for (const name of ['syncing', ...spent.map((one) => one.file)]) copyFileSync(file('main'), file(name));
  server = await startServer({ dataFile: file('main'), now: feed.feedNow, window: plenty, quota: plenty });
  slug = await learnSlugs(server);
});
after(async () => {
  await server?.stop();
  folder.remove();
});

for (const operation of operationIds) {
  const row = rows[operation];
  const target = targets[operation];
  const isList = row.shape === 'list';
  const path = () => target.path();

  describe(`${operation} ${row.path}`, () => {
    it('answers', async () => {
      const answer = await get(path());
      if (isList) {
        const entries = await walk(operation, path());
        assert.deepEqual(entries.map(label), target.labels);
        const { data } = listed(operation, answer);
        assert.deepEqual(data, entries.slice(0, pageLimits.list.default));
      } else if (row.shape === 'detail') {
        const { data } = succeeded(operation, answer);
        const held = target.holds?.() ?? {};
        assert.deepEqual(Object.fromEntries(Object.keys(held).map((key) => [key, data[key]])), held);
      } else {
        const { data, page } = listed(operation, answer);
        assert.equal(data.length, pageLimits.search.default);
        assert.deepEqual(page, { next_cursor: null, has_more: false });
      }
      const { 'X-RateLimit-Limit': window, 'X-Quota-Limit': quota, ...rest } = limitsOf(answer);
      assert.deepEqual([window, quota], [plenty, plenty]);
      assert.equal(rest['X-RateLimit-Reset'], now + windowSeconds);
      assert.equal(rest['X-Quota-Reset'], nextMonth);
      met.add(operation);
    });

    it('answers the same again', async () => {
      const [one, two] = [await get(path()), await get(path())];
      assert.equal(one.text, two.text);
      assert.equal(one.headers.etag, two.headers.etag);
      assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id']);
    });

    it('Link: the address of the next page, as long as there is one', async () => {
      let answer = await get(withQuery(path(), 'limit=1'));
      for (let pages = 0; pages < 3; pages += 1) {
        const { page } = answer.json() as { page?: { next_cursor: string | null } };
        const cursor = page?.next_cursor ?? null;
        const link = answer.headers.link;
        if (cursor === null) {
          assert.equal(link, undefined);
          return;
        }
        const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(String(link)) ?? [];
        const next = new URL(address);
        assert.equal(next.searchParams.get('cursor'), cursor);
        assert.equal(next.searchParams.get('limit'), '1');
        assert.deepEqual(next.searchParams.getAll('cursor').length, 1);
        answer = await get(next.pathname.replace(apiPrefix, '') + next.search);
        assert.equal(answer.status, 200);
      }
    });

    it('HEAD: the headers of GET and no body', async () => {
      const [full, head] = [await get(path()), await get(path(), { method: 'HEAD' })];
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      everywhere(head);
      limitsOf(head);
      for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'link']) {
        assert.equal(head.headers[name], full.headers[name], name);
      }
    });

    it('If-None-Match: 304, and it costs nothing of the quota', async () => {
      const full = await get(path());
      const etag = String(full.headers.etag);
      for (const condition of [etag, `"other", ${etag}`, etag.replace('W/', '')]) {
        const answer = await get(path(), { headers: { 'if-none-match': condition } });
        assert.equal(answer.status, 304, condition);
        assert.equal(answer.text, '');
        everywhere(answer);
        assert.equal(answer.headers.etag, etag);
        assert.equal(limitsOf(answer)['X-Quota-Remaining'], limitsOf(full)['X-Quota-Remaining']);
      }
      const other = await get(path(), { headers: { 'if-none-match': 'W/"other"' } });
      assert.equal(other.status, 200);
      const query = await get(withQuery(path(), 'else=1'), { headers: { 'if-none-match': etag } });
      assert.equal(query.status, 200, 'another query string is another ETag');
    });

    it('no key, malformed keys, an unknown one: 401, before parameters are looked at', async () => {
      const cut = server.key.slice(0, -1);
      const wrong = altered(server.key, server.key.length - 10);
      for (const key of [
        null,
        '',
        'nonsense',
        cut,
        wrong,
        `${server.key}x`,
        generateApiKey(),
        server.key.toLowerCase(),
      ]) {
        refused('unauthorized', await get(path(), { key }));
      }
      const basic = { key: null, headers: { authorization: `Basic ${server.key}` } };
      refused('unauthorized', await get(path(), basic));
      for (const query of unfit)
        refused('unauthorized', await get(withQuery(path(), query.slice(1)), { key: null }));
    });

    it('the scheme of the credential in any case', async () => {
      const answer = await get(path(), { key: null, headers: { authorization: `bEaReR ${server.key}` } });
      assert.equal(answer.status, 200);
    });

    it('wrong methods: 405 with Allow, whoever asks', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        refused('method_not_allowed', await get(path(), { method, key: null }));
        refused('method_not_allowed', await get(path(), { method }));
      }
    });

    it('OPTIONS: 204 with what a browser asks for, no credential needed', async () => {
      const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
      const answer = await get(path(), { method: 'OPTIONS', key: null, headers });
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      everywhere(answer);
      assert.match(String(answer.headers['access-control-allow-methods']), /\bGET\b.*\bHEAD\b/);
      assert.match(String(answer.headers['access-control-allow-headers']), /\bauthorization\b/i);
      assert.match(String(answer.headers['access-control-allow-headers']), /\bif-none-match\b/i);
    });

    it('a path that goes on: 404', async () => {
      const [bare = ''] = path().split('?');
      for (const junk of ['/junk/of/no/meaning', '/junk/', '//', '/%00']) {
        refused('not_found', await get(`${bare}${junk}`));
      }
      refused('not_found', await get(`${bare}/junk/of/no/meaning`, { key: null }));
    });

    it('unknown and empty parameters, and a cursor where none is taken, change nothing', async () => {
      const plain = (await get(path())).text;
      const empty = [...(row.filters ?? []).map(parameterOf), 'limit', 'cursor']
        .map((name) => `${name}=`)
        .join('&');
      const ignored = ['else=1', empty, 'sort=name&expand=venue', '%', '%ZZ=1', '&&', '=', '__proto__=1'];
      for (const query of isList ? ignored : [...ignored, 'cursor=nonsense']) {
        assert.equal((await get(withQuery(path(), query))).text, plain, query);
      }
    });

    if (row.path.includes('{')) {
      it('unknown slugs: 404', async () => {
        const [collection = '', own = '', rest = ''] = /^(\/\w+\/)([^/]+)(.*)$/.exec(path())?.slice(1) ?? [];
        for (const nobody of [
          'nobody-has-this',
          own.toUpperCase(),
          '%E0%A4%A',
          '%2F',
          '..%2F',
          '%00',
          `${own}%20`,
          "'--",
        ]) {
          refused('not_found', await get(`${collection}${nobody}${rest}`));
        }
        refused('not_found', await get(`${collection}${'x'.repeat(3_000)}${rest}`));
        assert.equal(limitsOf(await get(`${collection}nobody-has-this${rest}`))['X-Quota-Limit'], plenty);
      });

      it('the record comes last: before it the credential, and parameters with the cursor among them', async () => {
        const nobody = path().replace(/^(\/\w+\/)[^/]+/, '$1nobody-has-this');
        refused('unauthorized', await get(nobody, { key: null }));
        for (const name of row.filters ?? []) {
          refused('invalid_parameter', await get(`${nobody}?${parameterOf(name)}=x`), parameterOf(name));
        }
        if (isList) refused('invalid_cursor', await get(`${nobody}?cursor=nonsense`), 'cursor');
      });
    }
    if (row.path.includes('{edition}')) {
      it('unknown editions: 404', async () => {
        for (const edition of ['1899', '2026x', '%20', '%E0%A4%A']) {
          refused('not_found', await get(path().replace('/editions/2026', `/editions/${edition}`)));
        }
      });
    }

    for (const name of row.filters ?? []) {
      const [parameter, need] = [parameterOf(name), needed[name] ?? ''];
      it(`${name}: what cannot be read is 400, of several the first counts, empty is absent`, async () => {
        for (const value of unreadable[name]) {
          const answer = await get(withQuery(path(), `${need}${parameter}=${value}`));
          refused('invalid_parameter', answer, parameter);
          limitsOf(answer);
        }
        const [one, two] = readable[name];
        const first = listed(operation, await get(withQuery(path(), `${need}${parameter}=${one}`)));
        const both = listed(
          operation,
          await get(withQuery(path(), `${need}${parameter}=${one}&${parameter}=${two}`)),
        );
        assert.deepEqual(both.data, first.data);
        for (const bad of unreadable[name].slice(0, 1)) {
          const answer = await get(withQuery(path(), `${need}${parameter}=${one}&${parameter}=${bad}`));
          assert.deepEqual(listed(operation, answer).data, first.data);
          refused(
            'invalid_parameter',
            await get(withQuery(path(), `${need}${parameter}=${bad}&${parameter}=${one}`)),
            parameter,
          );
        }
        const empty = await get(withQuery(path(), `${need}${parameter}=&${parameter}=${two}`));
        assert.equal(
          empty.text,
          (await get(withQuery(path(), need.slice(0, -1)))).text,
          'the first is empty, and so absent',
        );
      });
    }

    if (row.shape !== 'detail') {
      it('limit: digits, capped; anything else is the default', async () => {
        const kind = isList ? 'list' : 'search';
        const bounds = pageLimits[kind];
        const total = isList ? (target.labels?.length ?? 0) : Number.POSITIVE_INFINITY;
        for (const [text, meaning] of limits) {
          const meant = Math.min(meaning ?? bounds.default, bounds.maximum);
          const { data, page } = listed(operation, await get(withQuery(path(), `limit=${text}`)));
          assert.equal(data.length, Math.min(meant, total), `limit=${text}`);
          assert.equal(page.has_more, isList && total > meant, `limit=${text}`);
        }
        const repeated = listed(operation, await get(withQuery(path(), 'limit=1&limit=2')));
        assert.equal(repeated.data.length, 1);
      });
    }

    if (isList) {
      it('a walk shows every entry once, in order, whatever the pages', async () => {
        const whole = await walk(operation, path());
        assert.deepEqual(await walk(operation, path(), whole.length > 50 ? [7, 50, 1] : [1]), whole);
        assert.deepEqual(await walk(operation, path(), [1, 3, 2]), whole);
      });

      it('altered cursors, cursors of other paths and other filters: 400', async () => {
        const { page } = listed(operation, await get(withQuery(path(), 'limit=1')));
        const cursor = String(page.next_cursor);
        const places = [0, Math.floor(cursor.length / 2), cursor.length - 1];
        const wrong = [
          ...places.map((place) => altered(cursor, place)),
          cursor.slice(0, -1),
          cursor.slice(1),
          `${cursor}A`,
          `${cursor}%3D`,
          `%20${cursor}`,
          'nonsense',
          '0',
          '%00',
          '%F0%9F%8E%A7',
          'A'.repeat(4_000),
        ];
        const [other, its] =
          operation === 'listEvents' ? ['/artists', 'listArtists'] : ['/events', 'listEvents'];
        wrong.push(String(listed(its as OperationId, await get(`${other}?limit=1`)).page.next_cursor));
        for (const text of wrong) {
          const answer = await get(withQuery(path(), `cursor=${text}`));
          refused('invalid_cursor', answer, 'cursor');
          limitsOf(answer);
        }
        for (const name of row.filters ?? []) {
          refused(
            'invalid_cursor',
            await get(
              withQuery(
                path(),
                `${needed[name] ?? ''}${parameterOf(name)}=${readable[name][0]}&cursor=${cursor}`,
              ),
            ),
            'cursor',
          );
        }
        // What is no filter does not bind the cursor, and the first of several counts.
        const answer = await get(withQuery(path(), `cursor=${cursor}&cursor=nonsense&else=1&limit=2`));
        assert.deepEqual(listed(operation, answer).data.map(label), target.labels?.slice(1, 3));
      });
    }
  });
}

describe('cursors', () => {
  it('are bound to the record, not only to the form of the path', async () => {
    const { page } = listed(
      'listVenueEvents',
      await get(`/venues/${slug('venues', 'fabric')}/events?limit=1`),
    );
    const answer = await get(`/venues/${slug('venues', 'Tresor')}/events?cursor=${page.next_cursor}`);
    refused('invalid_cursor', answer, 'cursor');
  });

  it('are bound to every filter and its value', async () => {
    const { page } = listed('listEvents', await get('/events?country=GB&from=2028-01-01&limit=1'));
    const cursor = page.next_cursor;
    for (const query of [
      'country=GB',
      'from=2028-01-01',
      'country=DE&from=2028-01-01',
      'country=GB&from=2028-01-02',
    ]) {
      refused('invalid_cursor', await get(`/events?${query}&cursor=${cursor}`), 'cursor');
    }
    const next = listed(
      'listEvents',
      await get(`/events?from=2028-01-01&cursor=${cursor}&country=GB&limit=1`),
    );
    assert.deepEqual(next.data.map(label), ['Series Night 2'], 'in any order of the parameters');
  });

  it('are good at every process on the same file', async () => {
    const { page } = listed('listEvents', await get('/events?limit=3'));
    const limits = { window: plenty, quota: plenty };
    const other = await startServer({ dataFile: file('main'), now: feed.feedNow, ...limits });
    try {
      const answer = await get(`/events?limit=2&cursor=${page.next_cursor}`, {}, other);
      assert.deepEqual(listed('listEvents', answer).data.map(label), feed.eventNames.slice(3, 5));
    } finally {
      await other.stop();
    }
  });

  it('lead through a list in which records move: each that was there is met exactly once', async () => {
    const limits = { window: plenty, quota: plenty };
    const moving = await startServer({ dataFile: file('syncing'), now: feed.feedNow, ...limits });
    try {
      const page = async (operation: OperationId, path: string, cursor: string | null) => {
        const query = `limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
        return listed(operation, await get(withQuery(path, query), {}, moving));
      };
      const walks = await Promise.all(
        movingLists.map(async ([operation, path]) => {
          const all = listed(operation, await get(withQuery(path, 'limit=100'), {}, moving)).data;
          return { operation, path, all, begun: await page(operation, path, null) };
        }),
      );
      importFeed(file('syncing'), feed.moves);
      for (const { operation, path, all, begun } of walks) {
        const met = begun.data.map((entry) => entry.id);
        for (let at = begun.page.next_cursor; at !== null; ) {
          const next = await page(operation, path, at);
          met.push(...next.data.map((entry) => entry.id));
          at = next.page.next_cursor;
        }
        const times = all.map(({ id, name }) => [name, met.filter((one) => one === id).length]);
        assert.deepEqual(
          times,
          all.map(({ name }) => [name, 1]),
          path,
        );
        const after = listed(operation, await get(withQuery(path, 'limit=100'), {}, moving)).data;
        assert.notDeepEqual(after.map(label), all.map(label), `${path}: something moved`);
      }
    } finally {
      await moving.stop();
    }
  });
});

// --------------------------------------------------------------------------------------------- credentials and limits

describe('a revoked key', () => {
  it('is felt at the next request of every operation, though another process revoked it', async () => {
    const made = runJson<{ id: string; key: string }>([
      'keys',
      'create',
      'dev@localhost',
      '--name',
      'spare',
      '--data',
      file('main'),
    ]);
    assert.equal((await get('/stats', { key: made.key })).status, 200);
    runJson(['keys', 'revoke', made.id, '--data', file('main')]);
    for (const operation of operationIds) {
      refused('unauthorized', await get(targets[operation].path(), { key: made.key }));
    }
    assert.equal((await get('/stats')).status, 200, 'the other key is as good as before');
  });
});

describe('the cost of a request', () => {
  const left = async (path: string, asked?: Asked): Promise<{ window: number; quota: number }> => {
    const limits = limitsOf(await get(path, asked));
    return { window: limits['X-RateLimit-Remaining'], quota: limits['X-Quota-Remaining'] };
  };

  it('one of both, whatever its status; a 304 only of the window', async () => {
    const etag = String((await get('/stats')).headers.etag);
    let before = await left('/stats');
    const paid: [string, Asked?][] = [
      ['/stats'],
      ['/stats', { method: 'HEAD' }],
      ['/artists/nobody-has-this'],
      ['/events?from=yesterday'],
      ['/events?cursor=nonsense'],
      ['/search'],
    ];
    for (const [path, asked] of paid) {
      const after = await left(path, asked);
      assert.deepEqual(after, { window: before.window - 1, quota: before.quota - 1 }, path);
      before = after;
    }
    const cached = await left('/stats', { headers: { 'if-none-match': etag } });
    assert.deepEqual(cached, { window: before.window - 1, quota: before.quota });
  });

  it('nothing if the caller is unknown', async () => {
    const before = await left('/stats');
    await get('/stats', { key: null });
    await get('/stats', { method: 'OPTIONS' });
    await get('/stats', { method: 'POST' });
    await get('/nothing-here');
    assert.deepEqual(await left('/stats'), { window: before.window - 1, quota: before.quota - 1 });
  });
});

for (const { type, file: name, options, wait } of spent) {
  describe(`over the ${name}`, () => {
    let small: Server;
    before(async () => {
      small = await startServer({ dataFile: file(name), now: feed.feedNow, ...options });
      const answer = await get('/stats', {}, small);
      assert.equal(answer.status, 200);
      const limits = limitsOf(answer);
      assert.equal(limits['X-RateLimit-Remaining'], options.window - 1);
      assert.equal(limits['X-Quota-Remaining'], options.quota - 1);
    });
    after(() => small?.stop());

    for (const operation of operationIds) {
      it(`${operation}: 429 ${type}`, async () => {
        const path = targets[operation].path();
        const bad = rows[operation].path.includes('{')
          ? path.replace(/^(\/\w+\/)[^/?]+/, '$1nobody-has-this')
          : path;
        for (const [asked, method] of [
          [path, 'GET'],
          [bad, 'GET'],
          [withQuery(path, 'from=yesterday&cursor=x'), 'GET'],
          [path, 'HEAD'],
        ] as const) {
          const answer = await get(asked, { method }, small);
          if (method === 'GET') refused(type, answer);
          else assert.equal(answer.status, 429);
          const limits = limitsOf(answer);
          const remaining = type === 'rate_limited' ? 'X-RateLimit-Remaining' : 'X-Quota-Remaining';
          assert.equal(limits[remaining], 0);
          assert.equal(Number(answer.headers['retry-after']), wait);
        }
        refused('unauthorized', await get(path, { key: null }, small));
        refused('method_not_allowed', await get(path, { method: 'DELETE' }, small));
      });
    }

    it('a 429 costs nothing', async () => {
      const limits = limitsOf(await get('/stats', {}, small));
      assert.equal(limits['X-Quota-Remaining'], options.quota - 1);
      if (type === 'quota_exceeded') {
        const again = limitsOf(await get('/stats', {}, small));
        assert.equal(again['X-RateLimit-Remaining'], limits['X-RateLimit-Remaining']);
      }
    });
  });
}

// --------------------------------------------------------------------------------------------- paths

describe('paths that are none', () => {
  const none = [
    '',
    '/',
    '/nothing-here',
    '/Events',
    '//events',
    '/..',
    '/%2e%2e',
    '/%',
    '/%00',
    '/events%2Fx/lineup/x',
  ];
  for (const path of none) {
    it(`${apiPrefix}${path}: 404 for everybody and every method`, async () => {
      for (const key of [server.key, null]) refused('not_found', await get(path, { key }));
      for (const method of ['POST', 'DELETE', 'PROPFIND']) refused('not_found', await get(path, { method }));
      const head = await get(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [404, '']);
    });
  }

  it('under another version: 404', async () => {
    for (const path of ['/api/v2/events', '/api/events', '/API/V1/events', '/v1/events']) {
      problem('not_found', await server.get(path));
    }
  });
});

it('every operation was met', () => {
  assert.deepEqual(
    operationIds.filter((operation) => !met.has(operation)),
    [],
  );
});
