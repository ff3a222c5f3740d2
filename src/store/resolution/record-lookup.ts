/** Resolves the names in feeds to records, by name, place and parent. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isEmojiName } from '../../text/normalize.ts';
import { kindTables } from '../records/kind-tables.ts';
import { type WriteBuffer, writeBufferOf } from '../records/write-buffer.ts';
import type { ChangedNames } from '../search/name-index.ts';
import { firstEventRowId } from '../search/row-ids.ts';
import { prepare, prepareValue, query, SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';
import { mapKeys } from '../values.ts';
import { type AddedKeys, hashOf } from './added-keys.ts';
import { ArtistGenres, genreLink } from './artist-genres.ts';
import { ForgottenNames } from './forgotten-names.ts';
import { type NameMatch, RemovedRecords } from './removed-records.ts';

export type { NameMatch } from './removed-records.ts';

/** The kinds that other records show. */
export type EmbeddedKind = 'artist' | 'venue' | 'city' | 'festival' | 'genre';
/**
 * `place`: the slug of a venue's city, a city's country, else ''. `slug`: that of the record that an operator
 * merged, else ''.
 */
export type InheritedName = { name: string; place: string; slug: string };

/** Editions (`d`) that may state no place: they have the time zone of their festival's city. */
const withoutPlace = 'd.venue_id IS NULL AND d.city_id IS NULL';
/** Selects the records that show a record. */
const dependentsSql: Record<EmbeddedKind, string> = {
  artist: 'SELECT event_id FROM event_artists WHERE artist_id = @id',
  venue: `SELECT id FROM events WHERE venue_id = @id
    UNION ALL SELECT id FROM editions WHERE venue_id = @id`,
  festival: `SELECT e.id FROM editions d JOIN events e ON e.edition_id = d.id WHERE d.festival_id = @id
    UNION ALL SELECT d.id FROM editions d WHERE d.festival_id = @id AND ${withoutPlace}`,
  genre: `SELECT event_id FROM event_genres WHERE genre_id = @id AND is_direct <> ${genreLink.ancestor}`,
  city: `SELECT id FROM venues WHERE city_id = @id UNION SELECT id FROM events WHERE city_id = @id
    UNION SELECT id FROM festivals WHERE city_id = @id UNION SELECT id FROM editions WHERE city_id = @id
    UNION SELECT d.id FROM festivals f JOIN editions d ON d.festival_id = f.id WHERE f.city_id = @id AND ${withoutPlace}`,
};

const embeddedKinds = Object.keys(dependentsSql) as EmbeddedKind[];

/** Kinds whose removed records are found by name. A removed city or genre is not created again. */
const kindsFoundRemoved: ReadonlySet<Kind> = new Set(['artist', 'venue', 'label', 'festival', 'podcast']);

/** Removes duplicate records and sorts: names before aliases, then by age. */
function dedupeMatches(matches: NameMatch[]): NameMatch[] {
  const sorted = matches.toSorted((a, b) => a.is_alias - b.is_alias || a.id - b.id);
  const ids = new Set<number>();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}

const distinctMatches = (matches: NameMatch[]): NameMatch[] =>
  matches.length < 2 ? matches : dedupeMatches(matches);

/** Maximum number of rows read for a name, those of the oldest records. */
const maxRowsPerName = 100;
/** `lastRecord`: the youngest record that was read, if there may be more; else null. */
type FoundNames = { matches: NameMatch[]; lastRecord: number | null };

/** Maximum number of names in each cache. */
const maxCachedNames = 50_000;
/** Kinds with hundreds of look-ups per record: line-ups, tracklists, rosters. */
type CachedKind = 'artist' | 'label';
const isCached = (kind: Kind): kind is CachedKind => kind === 'artist' || kind === 'label';

function memoized<T>(cache: Map<string, T>, key: string, find: () => T): T {
  let value = cache.get(key);
  if (value === undefined) {
    value = find();
    if (cache.size >= maxCachedNames) cache.clear();
    cache.set(key, value);
  }
  return value;
}

/** Texts that SQLite would read otherwise from JSON than as a bound value. */
const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Looks up many texts in one statement and caches the results, as far as the cache has room.
 * @param read returns rows that begin with the position of their text in the JSON array
 */
function prefetch<T, C>(
  cache: Map<string, C>,
  texts: readonly string[],
  read: (json: string) => unknown[],
  { toMatch, finish }: { toMatch: (row: unknown[]) => T; finish: (matches: T[]) => C },
): void {
  const missing = [...new Set(texts)].filter((text) => !cache.has(text) && isPlainText(text));
  if (missing.length === 0 || cache.size + missing.length > maxCachedNames) return;
  const matches: T[][] = missing.map(() => []);
  for (const row of read(JSON.stringify(missing)) as unknown[][])
    matches[row[0] as number]?.push(toMatch(row));
  for (const [at, text] of missing.entries()) {
    const own = matches[at] as T[];
    // With more, single look-ups decide which are used.
    if (own.length < maxRowsPerName) cache.set(text, finish(own));
  }
}

/** Prepares the look-up of records of a kind by folded name. */
function finder(sqlite: Database.Database, kind: Kind, country = 't.country', city = 'NULL') {
  const statement = sqlite.prepare<[string], NameMatch>(
    `SELECT n.record_id AS id, n.is_alias, ${country} AS country, ${city} AS city_id
     FROM names n JOIN ${kindTables[kind].table} t ON t.id = n.record_id WHERE n.kind = '${kind}' AND n.folded = ?
     ORDER BY n.record_id LIMIT ${maxRowsPerName}`,
  );
  return (folded: string): FoundNames => {
    const rows = statement.all(folded);
    const lastRecord = rows.length < maxRowsPerName ? null : (rows.at(-1) as NameMatch).id;
    return { matches: distinctMatches(rows), lastRecord };
  };
}

/** Prepares the look-up of records of a kind by many folded names, a JSON array. */
const manyFinder = (sqlite: Database.Database, kind: CachedKind) =>
  sqlite
    .prepare(
      // The names come first in the join, so that each is looked up in the index.
      `SELECT j.key, n.record_id, n.is_alias FROM json_each(?) j
       CROSS JOIN names n ON n.kind = '${kind}' AND n.folded = j.value JOIN ${kindTables[kind].table} t ON t.id = n.record_id`,
    )
    .raw();

/** Where a city is. */
export type LocatedCity = Pick<
  Row<'cities'>,
  'id' | 'name' | 'country' | 'region' | 'latitude' | 'longitude' | 'timezone' | 'population'
>;

export class RecordLookup extends SqliteStore {
  readonly #added: AddedKeys | undefined;
  readonly #ancestors = new Map<number, number[]>();
  /** Cached look-ups by name and by words, valid until the name is written. */
  readonly #cachedByName = { artist: new Map<string, FoundNames>(), label: new Map<string, FoundNames>() };
  readonly #cachedByWords = { artist: new Map<string, number[]>(), label: new Map<string, number[]>() };
  readonly #buffer: WriteBuffer = writeBufferOf(this.sqlite);
  readonly removed = new RemovedRecords(this.sqlite);
  readonly forgotten = new ForgottenNames(this.sqlite);
  readonly artistGenres = new ArtistGenres(this.sqlite);
  readonly #byName: Partial<Record<Kind, (folded: string) => FoundNames>> = {
    // Cached matches must not depend on other columns of their rows.
    artist: finder(this.sqlite, 'artist', 'NULL'),
    venue: finder(this.sqlite, 'venue', 't.country', 't.city_id'),
    city: finder(this.sqlite, 'city'),
    label: finder(this.sqlite, 'label', 'NULL'),
    festival: finder(this.sqlite, 'festival'),
    genre: finder(this.sqlite, 'genre', 'NULL'),
    podcast: finder(this.sqlite, 'podcast', 'NULL'),
  };
  readonly #parent = prepareValue<number | null>(this.sqlite, 'SELECT parent_id FROM genres WHERE id = ?');
  readonly #genreAncestors = prepareValue<number>(
    this.sqlite,
    `WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT g.parent_id FROM genres g JOIN up ON g.id = up.id WHERE g.parent_id IS NOT NULL)
       SELECT id FROM up`,
  );
  readonly #edition = prepare<{ festival: number; edition: string }, { id: number }>(this.sqlite, (p) =>
    query
      .selectFrom('editions')
      .select('id')
      .where('festival_id', '=', p.festival)
      .where('edition', '=', p.edition),
  );
  readonly #episode = prepare<{ podcast: number; folded: string }, { id: number }>(this.sqlite, (p) =>
    query
      .selectFrom('episodes')
      .select('id')
      .where('podcast_id', '=', p.podcast)
      .where('folded', '=', p.folded)
      .orderBy('id'),
  );
  readonly #recordsOfGenre = prepareValue<number>(
    this.sqlite,
    `SELECT artist_id FROM artist_genres WHERE genre_id = @id UNION SELECT event_id FROM event_genres WHERE genre_id = @id`,
  );
  readonly #dependents: Record<EmbeddedKind, Database.Statement> = mapKeys(embeddedKinds, (kind) =>
    this.sqlite.prepare<{ id: number }, number>(dependentsSql[kind]).pluck(),
  );
  // In the order of the index: a city may have fifty thousand events.
  readonly #markDependents: Record<EmbeddedKind, Database.Statement> = mapKeys(embeddedKinds, (kind) =>
    this.sqlite.prepare(
      `INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${dependentsSql[kind]}) ORDER BY 1`,
    ),
  );
  readonly #markPlacedByCity = this.sqlite.prepare(
    `INSERT OR IGNORE INTO stale_records (record_id)
     SELECT e.id FROM events e LEFT JOIN venues v ON v.id = e.venue_id
     WHERE e.city_id = @id AND (v.latitude IS NULL OR v.longitude IS NULL) ORDER BY 1`,
  );
  readonly #inheritedNames = this.sqlite.prepare<unknown[], InheritedName>(
    'SELECT name, place, merged_slug AS slug FROM inherited_names WHERE record_id = ? ORDER BY name, place',
  );
  // Many events share a name, and their row ids are above all others.
  readonly #byWords = prepareValue<number>(
    this.sqlite,
    `SELECT record_id FROM names WHERE words = ? AND is_alias = 0 AND terms <> '' AND id < ${firstEventRowId} AND kind = ? LIMIT ${maxRowsPerName}`,
  );
  readonly #manyByName: Record<CachedKind, Database.Statement> = {
    artist: manyFinder(this.sqlite, 'artist'),
    label: manyFinder(this.sqlite, 'label'),
  };
  readonly #manyByWords = this.sqlite
    .prepare(
      `SELECT j.key, n.record_id FROM json_each(?) j CROSS JOIN names n
       ON n.words = j.value AND n.is_alias = 0 AND n.terms <> '' AND n.id < ${firstEventRowId} AND n.kind = ?`,
    )
    .raw();
  readonly #cityOfSlug = prepareValue<number>(
    this.sqlite,
    "SELECT record_id FROM slugs WHERE kind = 'city' AND slug = ?",
  );
  readonly #cityRow = this.sqlite.prepare('SELECT 1 FROM cities WHERE id = ?');
  readonly #citiesOfCountry = this.sqlite.prepare<unknown[], LocatedCity>(
    'SELECT id, name, country, region, latitude, longitude, timezone, population FROM cities WHERE country = ? ORDER BY id',
  );
  readonly #kindOf = this.sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck();
  readonly #stale = prepareValue<number>(
    this.sqlite,
    'SELECT record_id FROM stale_records ORDER BY record_id LIMIT ?',
  );
  readonly #clearStale = this.sqlite.prepare('DELETE FROM stale_records WHERE record_id = ?');

  /** @param added the names that the present import added */
  constructor(sqlite: Database.Database, added?: AddedKeys) {
    super(sqlite);
    this.#added = added;
  }

  /** The records of a kind with this folded name, also removed ones: names before aliases, then by age. */
  byName(kind: Kind, folded: string): NameMatch[] {
    const find = () => this.#findByName(kind, folded) ?? { matches: [], lastRecord: null };
    const { matches } = isCached(kind) ? memoized(this.#cachedByName[kind], folded, find) : find();
    const removed = kindsFoundRemoved.has(kind) ? this.removed.byName(kind, folded) : [];
    return removed.length === 0 ? matches : dedupeMatches([...matches, ...removed]);
  }

  #findByName(kind: Kind, folded: string): FoundNames | undefined {
    if (this.#added?.mayHaveAny([hashOf(kind, folded)]) === false) return undefined;
    return this.#byName[kind]?.(folded);
  }

  /** The records whose name (not alias) has the same words: "Omar-S", "Omar S". */
  byNormalizedName(kind: 'artist' | 'venue' | 'label' | 'festival', name: string): number[] {
    const words = normalizeForSearch(name);
    if (words.length < 3 || isEmojiName(name)) return [];
    const find = () => this.#byWords.all(words, kind);
    const matches = isCached(kind) ? memoized(this.#cachedByWords[kind], words, find) : find();
    const removed = this.removed.byWords(kind, words);
    return removed.length === 0 ? matches : [...new Set([...matches, ...removed])];
  }

  /** Reads the records of many folded names at once, which fills the cache of `byName`. */
  prefetchByName(kind: CachedKind, folded: readonly string[]): void {
    const toMatch = ([, id, is_alias]: unknown[]): NameMatch =>
      ({ id, is_alias, country: null, city_id: null }) as NameMatch;
    prefetch(this.#cachedByName[kind], folded, (names) => this.#manyByName[kind].all(names), {
      toMatch,
      finish: (matches) => ({ matches: distinctMatches(matches), lastRecord: null }),
    });
  }

  /** The same for `byNormalizedName`. */
  prefetchByNormalizedName(kind: CachedKind, names: readonly string[]): void {
    const words = names.map(normalizeForSearch).filter(({ length }) => length >= 3);
    prefetch(this.#cachedByWords[kind], words, (texts) => this.#manyByWords.all(texts, kind), {
      toMatch: ([, id]) => id as number,
      finish: (ids) => ids,
    });
  }

  /** Must be called before names are written. Clears the cached look-ups of these names; null: all of them, for example after a rollback. */
  forgetNames(changed: ChangedNames | null): void {
    if (changed === null) {
      for (const kind of ['artist', 'label'] as const) {
        this.#cachedByName[kind].clear();
        this.#cachedByWords[kind].clear();
      }
      return;
    }
    const { kind, record, names } = changed;
    if (kind === 'event') return;
    for (const name of names) {
      const folded = fold(name);
      this.#added?.add(hashOf(kind, folded));
      if (!isCached(kind)) continue;
      const lastRecord = this.#cachedByName[kind].get(folded)?.lastRecord ?? null;
      // Younger records are not among the first that have the name.
      if (lastRecord === null || record <= lastRecord) this.#cachedByName[kind].delete(folded);
      this.#cachedByWords[kind].delete(normalizeForSearch(name));
    }
  }

  /** Distinct names that a record inherited from merged records. */
  inheritedNames(id: number): string[] {
    return [...new Set(this.inheritedNamesWithPlace(id).map(({ name }) => name))];
  }

  /** The same with their places. */
  inheritedNamesWithPlace(id: number): InheritedName[] {
    return this.#inheritedNames.all(id);
  }

  /** The city that a slug resolves to. */
  cityOfSlug(slug: string): number | null {
    return this.#cityOfSlug.get(slug) ?? null;
  }

  /** A genre and its ancestors. */
  withAncestors(genre: number): number[] {
    let chain = this.#ancestors.get(genre);
    if (chain === undefined) {
      chain = this.#genreAncestors.all(genre);
      this.#ancestors.set(genre, chain);
    }
    return chain;
  }

  /**
   * Clears the cached ancestors and genres of artists. Call it after a genre was written or merged, or a savepoint
   * rolled back.
   */
  clearGenreCache(): void {
    this.#ancestors.clear();
    this.artistGenres.clear();
  }

  parentOf(genre: number): number | null {
    return this.#parent.get(genre) ?? null;
  }

  /** The edition of a festival, also a removed one. */
  edition(festival: number, edition: string): number | null {
    return this.#edition.get({ festival, edition })?.id ?? this.removed.edition(festival, edition);
  }

  /** The episodes of a podcast with this folded name, also removed ones. */
  episodes(podcast: number, folded: string): number[] {
    const ids = this.#episode.all({ podcast, folded }).map(({ id }) => id);
    return [...ids, ...this.removed.episodes(podcast, folded)];
  }

  /** Artists and events with the genre, directly or through a descendant. */
  recordsOfGenre(genre: number): number[] {
    this.#buffer.flush();
    return this.#recordsOfGenre.all({ id: genre });
  }

  /** Records that show this record, and so change with it. */
  dependents(kind: EmbeddedKind, id: number): number[] {
    this.#buffer.flush();
    return this.#dependents[kind].all({ id }) as number[];
  }

  /** Marks the dependents to be recomputed after this batch. Call it within one. */
  markDependents(kind: EmbeddedKind, id: number): void {
    this.#buffer.flush();
    this.#markDependents[kind].run({ id });
  }

  /** Marks the events that lie where their city is, because their venue has no position. Call it within a batch. */
  markEventsPlacedByCity(id: number): void {
    this.#buffer.flush();
    this.#markPlacedByCity.run({ id });
  }

  /** Whether a city has a row: it is neither removed nor merged. True for null. */
  hasCity(id: number | null): boolean {
    return id === null || this.#cityRow.get(id) !== undefined;
  }

  /** Where the cities of a country are, the oldest record first. */
  citiesOfCountry(country: string): LocatedCity[] {
    this.#buffer.flush();
    return this.#citiesOfCountry.all(country);
  }

  kindOf(id: number): Kind {
    return this.#kindOf.get(id) as Kind;
  }

  /** Up to `limit` records that wait to be recomputed. */
  staleRecords(limit: number): number[] {
    return this.#stale.all(limit);
  }

  clearStale(id: number): void {
    this.#clearStale.run(id);
  }
}
