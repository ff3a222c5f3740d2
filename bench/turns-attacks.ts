/** The requests of each attack of `bench/turns.ts`, with names and values of the data file. */
import type Database from 'better-sqlite3';
import { apiPrefix } from '../src/contract/operations.ts';
import type { Sent } from './connections.ts';
import {
  busyGroups,
  CatalogueValues,
  eventGroups,
  nameGroups,
  type RequestGroup,
  searchGroups,
} from './filter-requests.ts';
import { differentQuestions, type Question } from './mcp-questions.ts';
import { Random } from './random.ts';
import { callOf, jitter, mcp, shuffled, spread, toPath } from './turns-requests.ts';

export type Attack = {
  name: string;
  /** Numbers of connections, each measured alone. */
  connections: readonly number[];
  requests: Sent[];
  kind?: 'idle' | 'slow';
};

/** A key of an account without limits, and addresses that the service itself named. */
export type Addresses = {
  key: string;
  /** Parameters of pages of the list of events: `from` and `cursor`. */
  cursors: readonly string[];
  /** Parts of the sitemap. */
  parts: readonly string[];
  /** Covers and maps of records. */
  pictures: readonly string[];
};

const maxRequests = 3_000;
const eight = [8];
const both = [8, 200];

/** Returns all attacks. `key` belongs to an account without limits; `cursors` are of pages of the list of events. */
export function attacksOf(
  path: string,
  sqlite: Database.Database,
  { key, cursors, parts, pictures }: Addresses,
): Attack[] {
  const random = new Random(3);
  const values = new CatalogueValues(sqlite, Date.now());
  const bearer = { authorization: `Bearer ${key}` };
  const withKey = (address: string): Sent => ({ path: address, headers: bearer });
  const page = (address: string): Sent => ({ path: address, headers: { accept: 'text/html' } });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const word = () => Array.from({ length: random.whole(5, 9) }, () => random.pick(letters)).join('');
  const text = (words: number) => Array.from({ length: words }, word).join(' ');
  const many = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const artists = values.sample('artists', 'name', 400);
  const events = values.sample('events', 'name', 400);
  const mistyped = (name: string) => {
    const at = random.whole(0, Math.max(0, name.length - 2));
    return name.slice(0, at) + random.pick(letters) + name.slice(at + 1);
  };
  const frequent = [
    'open air summer',
    'techno house',
    'klubnacht opening',
    'all night long',
    'presents',
    'with',
    'dj',
    'club',
    'festival techno berlin',
    'house in berlin',
    'live',
    'night',
    ...letters,
    ...letters.map((letter) => `${letter} ${random.pick(letters)}`),
  ];
  const q = encodeURIComponent;
  const searchPage = (query: string) => page(`/search?q=${q(query)}`);
  const slugs = (table: string, count: number) => values.sample(table, 'slug', count);
  const groups = (all: readonly RequestGroup[], per: number) =>
    spread(
      all
        .flatMap(({ requests }) =>
          spread(
            requests.filter(({ depth }) => depth === null),
            per,
          ),
        )
        .map(toPath)
        .map(withKey),
      maxRequests,
    );
  const busy = (one: { busy: string; usual: string }) => [one.busy, one.usual];
  const places = ['5km', '50km', '500km'].flatMap((radius) =>
    many(
      60,
      () =>
        `near=${random.whole(-60, 70)}.${random.whole(0, 99)},${random.whole(-180, 179)}&radius=${radius}`,
    ),
  );
  const near = ['5km', '50km', '500km'].flatMap((radius) =>
    many(60, () => `near=${jitter(values.position, random)}&radius=${radius}`),
  );
  const boxes = many(200, () => {
    const [south, west] = [random.whole(-60, 60), random.whole(-170, 160)];
    return `bbox=${west},${south},${west + random.whole(1, 19)},${south + random.whole(1, 29)}`;
  });
  const questions = differentQuestions(path, 300);
  const tool = (question: Question): Sent => mcp(key, callOf(1, question));
  const search = (query: string): Question => ({ tool: 'search_events', given: { query } });
  const batch = (size: number, make: () => Question): Sent =>
    mcp(
      key,
      many(size, (at) => callOf(at, make(), {})),
    );
  const subscribed = [
    ...busy(values.city).map((slug) => `/cities/${slug}`),
    ...busy(values.venue).map((slug) => `/venues/${slug}`),
    ...busy(values.artist).map((slug) => `/artists/${slug}`),
    ...busy(values.label).map((slug) => `/labels/${slug}`),
    ...slugs('cities', 60).map((slug) => `/cities/${slug}`),
    ...slugs('venues', 60).map((slug) => `/venues/${slug}`),
    ...slugs('artists', 60).map((slug) => `/artists/${slug}`),
  ];
  const filters = [
    '',
    ...busy(values.genre).map((slug) => `genre=${slug}`),
    ...busy(values.country).map((code) => `country=${code}`),
    ...slugs('cities', 40).map((slug) => `city=${slug}`),
    ...busy(values.cityName).map((name) => `city=${q(name)}`),
    ...many(60, () => `q=${q(random.pick(frequent))}`),
  ];
  const form = (body: string): Sent => ({
    path: '',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
  const large = 'x'.repeat(1_000_000);

  return [
    {
      name: '/search: unknown words',
      connections: both,
      requests: many(maxRequests, () => searchPage(text(6))),
    },
    {
      name: '/search: frequent words',
      connections: both,
      requests: many(maxRequests, (at) =>
        searchPage(
          at % 3 === 0 ? random.pick(frequent) : `${random.pick(frequent)} ${random.pick(frequent)}`,
        ),
      ),
    },
    {
      name: '/search: names with typos',
      connections: both,
      requests: [...artists, ...events].map((name) => searchPage(mistyped(name))),
    },
    {
      name: '/search/hits',
      connections: both,
      requests: many(1_000, (at) =>
        page(`/search/hits?q=${q(at % 2 ? mistyped(random.pick(events)) : random.pick(frequent))}`),
      ),
    },
    { name: 'API: search', connections: both, requests: groups(searchGroups(values), 80) },
    { name: 'API: pairs of filters', connections: both, requests: groups(eventGroups(values), 12) },
    { name: 'API: names', connections: both, requests: groups(nameGroups(values), 6) },
    { name: 'API: busiest records', connections: both, requests: groups(busyGroups(values), 60) },
    {
      name: 'API: pages of 100, deep',
      connections: both,
      requests: cursors.map((cursor) => withKey(`${apiPrefix}/events?limit=100&${cursor}`)),
    },
    {
      name: 'API: the same page of 100',
      connections: [200],
      requests: [withKey(`${apiPrefix}/events?limit=100`)],
    },
    {
      name: 'API: near and bbox',
      connections: both,
      requests: [...near, ...places, ...boxes].flatMap((query) => [
        withKey(`${apiPrefix}/events?limit=100&${query}`),
        withKey(`${apiPrefix}/venues?limit=100&${query}`),
      ]),
    },
    {
      name: 'MCP: frequent words',
      connections: both,
      requests: many(1_500, (at) =>
        tool(search(`${random.pick(frequent)} ${at % 2 ? random.pick(frequent) : text(1)}`)),
      ),
    },
    {
      name: 'MCP: event names',
      connections: both,
      requests: [...(questions['search_events: event name'] ?? []), ...events.map(search)].map(tool),
    },
    {
      name: 'MCP: all sorts of questions',
      connections: both,
      requests: shuffled(Object.values(questions).flat(), random).map(tool),
    },
    {
      name: 'MCP: batches of 10',
      connections: both,
      requests: many(500, () => batch(10, () => search(`${random.pick(events)} ${random.pick(frequent)}`))),
    },
    {
      name: 'MCP: batches of 10, long texts',
      connections: eight,
      requests: many(200, () => batch(10, () => search(text(30)))),
    },
    {
      name: 'MCP: 2,000 names',
      connections: eight,
      requests: many(200, () =>
        mcp(key, callOf(1, { tool: 'search_events', given: { artists: many(1_900, word) } })),
      ),
    },
    {
      name: '/changes',
      connections: [20, 100, 300],
      requests: many(200, (at) => withKey(`/changes?since=0&limit=${10_000 - at}`)),
    },
    {
      name: '/exports: ranges',
      connections: [100],
      requests: many(200, (at) => ({
        path: `/exports/${['events.ndjson.gz', 'catalogue.json', 'artists.ndjson.gz'][at % 3]}`,
        headers: { ...bearer, range: `bytes=${at * 1_000}-${at * 1_000 + 2_000_000}` },
      })),
    },
    { name: 'sitemap parts', connections: both, requests: ['/sitemap.xml', ...parts].map(page) },
    {
      name: 'calendars and Atom feeds',
      connections: both,
      requests: [
        ...subscribed.flatMap((address) => [page(`${address}.ics`), page(`${address}.atom`)]),
        ...filters.flatMap((filter) => [page(`/events.ics?${filter}`), page(`/events.atom?${filter}`)]),
      ],
    },
    { name: 'embed', connections: both, requests: filters.map((filter) => page(`/embed/events?${filter}`)) },
    {
      name: 'pages of lists',
      connections: both,
      requests: [
        ...filters.flatMap((filter) => [
          page(`/events?${filter}`),
          page(`/?${filter}`),
          page(`/search?${filter}`),
        ]),
        ...subscribed.map(page),
        ...['artists', 'venues', 'labels', 'festivals', 'genres', 'cities'].flatMap((list) =>
          many(20, (at) => page(`/${list}?page=${at + 1}&q=${letters[at]}`)),
        ),
      ],
    },
    {
      name: 'pages of records',
      connections: both,
      requests: [
        ...slugs('events', 600).map((slug) => page(`/events/${slug}`)),
        ...slugs('festivals', 60).map((slug) => page(`/festivals/${slug}`)),
      ],
    },
    {
      name: 'pictures of pages (/og)',
      connections: both,
      requests: [
        ...slugs('events', 300).map((slug) => page(`/og/events/${slug}.png`)),
        ...subscribed.map((one) => page(`/og${one}.png`)),
      ],
    },
    {
      name: '/media: covers and maps',
      connections: both,
      requests: pictures.map(page),
    },
    {
      name: 'OAuth: authorize',
      connections: both,
      requests: many(300, () =>
        page(
          `/oauth/authorize?client_id=${word()}&response_type=code&redirect_uri=${q('http://localhost:1/cb')}&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256&state=${word()}`,
        ),
      ),
    },
    {
      name: 'OAuth: register',
      connections: both,
      requests: many(600, () => ({
        path: '/oauth/register',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: word(),
          redirect_uris: many(5, () => `http://localhost:1/${word()}`),
          token_endpoint_auth_method: 'none',
        }),
      })),
    },
    {
      name: 'OAuth: token, wrong secrets',
      connections: both,
      requests: many(300, () => ({
        ...form(
          `grant_type=authorization_code&client_id=${word()}&client_secret=${word()}&code=${word()}&code_verifier=${'b'.repeat(43)}`,
        ),
        path: '/oauth/token',
      })),
    },
    {
      name: 'sign-in forms',
      connections: both,
      requests: many(300, () => ({
        ...form(`email=${word()}%40example.org&password=${text(3).replaceAll(' ', '+')}`),
        path: '/account/sign-in',
      })),
    },
    {
      name: 'unknown keys',
      connections: both,
      requests: many(maxRequests, () => ({
        path: `${apiPrefix}/events`,
        headers: { authorization: `Bearer cb_live_${text(4).replaceAll(' ', '')}` },
      })),
    },
    {
      name: 'bodies of 1 MB',
      connections: [8, 100],
      requests: ['/mcp', '/oauth/token', '/oauth/register', '/account/sign-in', '/search'].map((address) => ({
        path: address,
        body:
          address === '/mcp'
            ? JSON.stringify({
                jsonrpc: '2.0',
                id: 1,
                method: 'tools/call',
                params: { name: 'search_events', arguments: { query: large } },
              })
            : large,
        headers: {
          ...bearer,
          'content-type':
            address === '/mcp' || address.endsWith('register')
              ? 'application/json'
              : 'application/x-www-form-urlencoded',
          accept: 'application/json, text/event-stream',
        },
      })),
    },
    {
      name: '1,000 parameters',
      connections: both,
      requests: ['/api/v1/events', '/search', '/events', '/embed/events', '/oauth/authorize', '/changes'].map(
        (address) => withKey(`${address}?${many(1_000, (at) => `p${at}=${at}`).join('&')}`),
      ),
    },
    {
      name: 'many values of one parameter',
      connections: both,
      requests: many(200, () =>
        withKey(
          `${apiPrefix}/events?${random.pick(['artist', 'venue', 'city', 'genre', 'slug'])}=${many(700, word).join(',')}`,
        ),
      ),
    },
    {
      name: 'headers of 15 KB',
      connections: both,
      requests: ['/', '/api/v1/events', '/mcp', '/account'].map((address) => ({
        path: address,
        headers: {
          ...bearer,
          ...Object.fromEntries(many(300, (at) => [`x-${at}`, 'y'.repeat(38)])),
          cookie: many(100, (at) => `c${at}=v`).join('; '),
        },
      })),
    },
    { name: 'unknown paths', connections: both, requests: many(1_000, () => page(`/${word()}/${word()}`)) },
    { name: '5,000 idle connections', connections: [5_000], requests: [], kind: 'idle' },
  ];
}
