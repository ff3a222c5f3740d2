/** The requests of `bench/filters.ts`, with values drawn from the catalogue: the busiest, the usual and the rare ones. */
import type Database from 'better-sqlite3';
import { type OperationDefinition, type OperationId, operations } from '../src/contract/operations.ts';
import { type FilterName, parameterOf } from '../src/contract/parameters.ts';
import { Random } from './random.ts';

export type Query = Record<string, string>;
export type BenchRequest = {
  operation: OperationId;
  slug: string;
  query: Query;
  /** Position of the page in the list of events: a share of all events; null for the first page. */
  depth: number | null;
};
/** Requests of one kind, reported in one line. */
export type RequestGroup = { title: string; group: string; goalMs: number; requests: BenchRequest[] };

type Ranked = { busy: string; usual: string; rare: string };
/** A cursor is never before the window of its request. */
const depthsOf = ({ from }: Query): readonly (number | null)[] =>
  from === undefined ? [null, 0.5, 0.97] : [null];
const dayMs = 86_400_000;

const day = (ts: number): string => new Date(ts).toISOString().slice(0, 10);
const time = (ts: number): string => `${new Date(ts).toISOString().slice(0, 19)}Z`;

/** Draws values of the filters from a catalogue. */
export class CatalogueValues {
  readonly #sqlite: Database.Database;
  readonly now: number;
  readonly artist: Ranked;
  readonly venue: Ranked;
  readonly genre: Ranked;
  readonly city: Ranked;
  readonly country: Ranked;
  readonly label: Ranked;
  readonly cityName: Ranked;
  readonly position: string;

  constructor(sqlite: Database.Database, now: number) {
    this.#sqlite = sqlite;
    this.now = now;
    const slugs = (table: string, column: string, of: string) =>
      this.#ranked(column, of, sqlite.prepare(`SELECT slug FROM ${table} WHERE id = ?`).pluck());
    this.artist = slugs('artists', 'artist_id', 'event_artists');
    this.venue = slugs('venues', 'venue_id', 'events');
    this.genre = slugs('genres', 'genre_id', 'event_genres');
    this.city = slugs('cities', 'city_id', 'events');
    this.label = slugs('labels', 'label_id', 'label_artists');
    this.cityName = this.#ranked('city_folded', 'events');
    this.country = this.#ranked('country', 'events');
    const [latitude, longitude] = sqlite
      .prepare('SELECT round(latitude, 4), round(longitude, 4) FROM cities WHERE slug = ?')
      .raw()
      .get(this.city.busy) as [number, number];
    this.position = `${latitude},${longitude}`;
  }

  /** The values of a column with the most, many and the fewest rows; `shown` translates them. */
  #ranked(column: string, table: string, shown?: Database.Statement): Ranked {
    const all = this.#sqlite
      .prepare(
        `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY count(*) DESC`,
      )
      .pluck()
      .all();
    const at = (share: number): string => {
      const value = all[Math.floor(share * (all.length - 1))];
      return String(shown === undefined ? value : shown.get(value));
    };
    return { busy: at(0), usual: at(0.2), rare: at(1) };
  }

  /** A column of records, evenly drawn. */
  sample(table: string, column: string, count: number): string[] {
    const last = this.#sqlite.prepare(`SELECT max(id) FROM ${table}`).pluck().get() as number;
    const next = this.#sqlite
      .prepare(`SELECT ${column} FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`)
      .pluck();
    const random = new Random(11);
    return Array.from({ length: count }, () => String(next.get(random.whole(1, last))));
  }

  /** The values of each filter that are asked for. */
  ofFilter(name: FilterName): string[] {
    const { now } = this;
    const three = ({ busy, usual, rare }: Ranked) => [busy, rare, `${busy},${usual}`];
    const added = this.#sqlite.prepare('SELECT max(updated_ts) FROM events').pluck().get() as number;
    const values: Record<FilterName, () => string[]> = {
      country: () => three(this.country),
      city: () => three(this.cityName),
      slug: () => [this.sample('artists', 'slug', 100).join(',')],
      external_id: () => ['discogs:1001,discogs:1002,musicbrainz:mb-1'],
      source_id: () => [Array.from({ length: 100 }, (_, at) => `bench:e${at * 7}`).join(',')],
      venue: () => three(this.venue),
      genre: () => three(this.genre),
      artist: () => three(this.artist),
      near: () => [this.position, '-48.9,-123.4'],
      radius: () => ['5km', '500km'],
      bbox: () => ['-180,-90,180,90', '-11,35,31,61', '170,-50,-170,-10', '13.0,52.3,13.8,52.7'],
      status: () => ['scheduled', 'cancelled', 'cancelled,postponed'],
      venue_status: () => ['open', 'closed'],
      label_status: () => ['active', 'closed'],
      life_status: () => ['active', 'ended'],
      has_tickets: () => ['true'],
      upcoming: () => ['true'],
      name: () => [`${this.cityName.busy},${this.cityName.rare}`],
      type: () => ['artist', 'event', 'city,genre'],
      updated_since: () => [time(added - 3_650 * dayMs), time(added - 60_000), time(added + dayMs)],
      created_since: () => [time(added - 3_650 * dayMs), time(added - 60_000), time(added + dayMs)],
      from: () => [day(now), day(now - 3_000 * dayMs), time(now + 100 * dayMs)],
      to: () => [day(now), day(now - 3_000 * dayMs), time(now + 100 * dayMs)],
    };
    return values[name]();
  }
}

/** Returns the queries of each filter of a list alone, and of each pair, by the names of the filters. */
function filterQueries(definition: OperationDefinition, values: CatalogueValues): Map<string, Query[]> {
  const names = definition.filters ?? [];
  const queries = new Map<string, Query[]>();
  const add = (key: string, query: Query) => queries.set(key, [...(queries.get(key) ?? []), query]);
  const queryOf = (name: FilterName, text: string): Query => ({
    [parameterOf(name)]: text,
    ...(name === 'radius' && { near: values.position }),
  });
  for (const [index, name] of names.entries()) {
    for (const text of values.ofFilter(name)) {
      add(name, queryOf(name, text));
      for (const other of names.slice(index + 1)) {
        if (other === 'bbox' && (name === 'near' || name === 'radius')) continue;
        for (const second of values.ofFilter(other))
          add(`${name} ${other}`, { ...queryOf(other, second), ...queryOf(name, text) });
      }
    }
  }
  return queries;
}

const nameLists = [
  'listArtists',
  'listVenues',
  'listFestivals',
  'listLabels',
  'listGenres',
  'listCities',
  'listPodcasts',
] as const;

/** Returns the requests for lists of events: each filter alone, and in pairs, at three depths. */
export function eventGroups(values: CatalogueValues): RequestGroup[] {
  return [...filterQueries(operations.listEvents, values)].map(([title, queries]) => ({
    title,
    group: title.includes(' ') ? 'events by two filters' : 'events by one filter',
    goalMs: 10,
    requests: queries.flatMap((query) =>
      depthsOf(query).map((depth): BenchRequest => ({ operation: 'listEvents', slug: '', query, depth })),
    ),
  }));
}

/** Returns the requests for lists by name: without filters, with each and with pairs. */
export function nameGroups(values: CatalogueValues): RequestGroup[] {
  return nameLists.flatMap((operation) => {
    const request = (query: Query): BenchRequest => ({ operation, slug: '', query, depth: null });
    const plain = { title: operation, group: 'lists by name', goalMs: 10, requests: [request({})] };
    const filtered = [...filterQueries(operations[operation], values)].map(([title, queries]) => ({
      title: `${operation} ${title}`,
      group: 'lists by name',
      goalMs: 10,
      requests: queries.map(request),
    }));
    return [plain, ...filtered];
  });
}

/** Returns the requests for the lists and details of the busiest records. */
export function busyGroups(values: CatalogueValues): RequestGroup[] {
  const { now, artist, venue, city, label, genre } = values;
  const windows: Query[] = [
    {},
    { from: day(now - 3_600 * dayMs) },
    { to: day(now) },
    { from: day(now - 2_000 * dayMs), to: day(now + 30 * dayMs) },
  ];
  const lists: [OperationId, string][] = [
    ['listArtistEvents', artist.busy],
    ['listVenueEvents', venue.busy],
    ['listCityEvents', city.busy],
    ['listLabelEvents', label.busy],
  ];
  const details: [OperationId, string[]][] = [
    ['getEvent', values.sample('events', 'slug', 300)],
    ['getArtist', [artist.busy, ...values.sample('artists', 'slug', 300)]],
    ['getVenue', [venue.busy, ...values.sample('venues', 'slug', 300)]],
    ['getCity', [city.busy, ...values.sample('cities', 'slug', 100)]],
    ['getLabel', [label.busy, ...values.sample('labels', 'slug', 100)]],
    ['getGenre', [genre.busy, ...values.sample('genres', 'slug', 50)]],
    ['getFestival', values.sample('festivals', 'slug', 100)],
    ['getStats', ['']],
    ['listLabelArtists', [label.busy]],
    ['listEventLineup', values.sample('events', 'slug', 100)],
    ['listEventTickets', values.sample('events', 'slug', 100)],
    ['listFestivalEditions', values.sample('festivals', 'slug', 50)],
    ['listArtistGenres', [artist.busy]],
  ];
  return [
    ...lists.map(([operation, slug]) => ({
      title: operation,
      group: 'busiest records',
      goalMs: 10,
      requests: windows.flatMap((query) =>
        depthsOf(query).map((depth) => ({ operation, slug, query, depth })),
      ),
    })),
    ...details.map(([operation, slugs]) => ({
      title: operation,
      group: 'details and their lists',
      goalMs: 10,
      requests: slugs.map((slug) => ({ operation, slug, query: {}, depth: null })),
    })),
  ];
}

/** Returns searches from one letter to whole names, with typos, and of words that no name has. */
export function searchGroups(values: CatalogueValues): RequestGroup[] {
  const random = new Random(5);
  const names = [...values.sample('artists', 'name', 200), ...values.sample('events', 'name', 200)];
  const words = [...new Set(names.flatMap((name) => name.toLowerCase().split(/[^\p{L}]+/u)))].filter(
    (word) => word.length > 3,
  );
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const beginning = (length: number) => [...new Set(words.map((word) => word.slice(0, length)))];
  const typo = (word: string): string => {
    const at = random.whole(1, word.length - 1);
    return word.slice(0, at) + random.pick(letters) + word.slice(at + (random.chance(0.5) ? 1 : 0));
  };
  const common = [
    'klubnacht',
    'house',
    'techno',
    'opening',
    'open air',
    'dj',
    'with',
    'presents',
    'all night',
    'club',
  ];
  const groups: [title: string, goalMs: number, queries: string[]][] = [
    ['one letter', 10, letters],
    ['two letters', 10, beginning(2)],
    ['three letters', 10, beginning(3)],
    ['five letters', 10, beginning(5)],
    ['full word', 10, words],
    ['common word', 10, common],
    ['full name', 10, names],
    ['two words', 10, words.slice(0, 200).map((word) => `${word} ${random.pick(words)}`)],
    ['two common words', 10, common.flatMap((one) => common.map((other) => `${one} ${other}`))],
    ['common word and a letter', 10, common.flatMap((one) => letters.map((letter) => `${one} ${letter}`))],
    ['two beginnings', 10, letters.map((letter) => `${letter} ${random.pick(letters)}`)],
    ['a typo', 20, words.slice(0, 200).map(typo)],
    ['a typo in a name', 20, names.slice(0, 200).map((name) => name.replace(/\p{L}{4,}/u, typo))],
    ['unknown words', 20, words.slice(0, 200).map((word) => `qx${word}xq`)],
    ['two unknown words', 20, words.slice(0, 200).map((word) => `qx${word}xq zz${random.pick(words)}qq`)],
    ['unknown and common', 20, words.slice(0, 100).map((word) => `qx${word}xq ${random.pick(common)}`)],
    [
      'a long unknown text',
      20,
      words.slice(0, 30).map(() => Array.from({ length: 14 }, () => typo(random.pick(words))).join(' ')),
    ],
  ];
  return groups.map(([title, goalMs, queries]) => ({
    title: `search: ${title}`,
    group: 'search',
    goalMs,
    requests: queries.map((q) => ({ operation: 'search', slug: '', query: { q }, depth: null })),
  }));
}
