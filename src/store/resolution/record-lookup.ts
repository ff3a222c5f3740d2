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
import { type CachedKind, dedupeMatches, distinctMatches, maxRowsPerName, NameCache } from './name-cache.ts';
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

/** Prepares the look-up of records of a kind by folded name. */
function finder(sqlite: Database.Database, kind: Kind, country = 't.country', city = 'NULL') {
  const statement = sqlite.prepare<[string], NameMatch>(
    `SELECT n.record_id AS id, n.is_alias, ${country} AS country, ${city} AS city_id
     FROM names n JOIN ${kindTables[kind].table} t ON t.id = n.record_id WHERE n.kind = '${kind}' AND n.folded = ?
     ORDER BY n.record_id LIMIT ${maxRowsPerName}`,
  );
  return (folded: string): NameMatch[] => statement.all(folded);
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

/** What tells an event apart from others of its slug. `date` is its first local day, yyyymmdd. */
export type EventOfSlug = { id: number; name: string; date: number; venue: string | null };

/** Where a city is. */
export type LocatedCity = Pick<
  Row<'cities'>,
  'id' | 'name' | 'country' | 'region' | 'latitude' | 'longitude' | 'timezone' | 'population'
>;

/**
 * Finds records by name, place and parent for imports. Folded names are those of `fold` (text/fold.ts). Removed records
 * are found too, except cities and genres (docs/decisions/17-removals.md).
 */
export class RecordLookup extends SqliteStore {
  readonly #added: AddedKeys | undefined;
  readonly #ancestors = new Map<number, number[]>();
  readonly #cache = new NameCache();
  readonly #buffer: WriteBuffer = writeBufferOf(this.sqlite);
  readonly removed = new RemovedRecords(this.sqlite);
  readonly forgotten = new ForgottenNames(this.sqlite);
  readonly artistGenres = new ArtistGenres(this.sqlite);
  /** Cached matches must not depend on other columns of their rows. */
  readonly #withoutPlace: Record<CachedKind, (folded: string) => NameMatch[]> = {
    artist: finder(this.sqlite, 'artist', 'NULL'),
    festival: finder(this.sqlite, 'festival', 'NULL'),
    label: finder(this.sqlite, 'label', 'NULL'),
    venue: finder(this.sqlite, 'venue', 'NULL'),
  };
  readonly #byName: Partial<Record<Kind, (folded: string) => NameMatch[]>> = {
    venue: finder(this.sqlite, 'venue', 't.country', 't.city_id'),
    city: finder(this.sqlite, 'city'),
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
  readonly #markDependentsOfCities = this.sqlite.prepare(
    `INSERT OR IGNORE INTO stale_records (record_id)
     SELECT * FROM (${dependentsSql.city.replaceAll('= @id', 'IN (SELECT value FROM json_each(@ids))')}) ORDER BY 1`,
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
    festival: manyFinder(this.sqlite, 'festival'),
    label: manyFinder(this.sqlite, 'label'),
    venue: manyFinder(this.sqlite, 'venue'),
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
  readonly #eventOfSlug = this.sqlite.prepare<[slug: string], EventOfSlug>(
    `SELECT e.id, e.name, e.start_date AS date, coalesce(v.name, e.venue_name) AS venue
     FROM events e LEFT JOIN venues v ON v.id = e.venue_id WHERE e.slug = ?`,
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

  /** @param addedNames the names that the present import added */
  constructor(sqlite: Database.Database, addedNames?: AddedKeys) {
    super(sqlite);
    this.#added = addedNames;
  }

  /** The records of a kind with this folded name, also removed ones: names before aliases, then by age. */
  byName(kind: Kind, folded: string): readonly NameMatch[] {
    if (kind === 'artist' || kind === 'label') return this.recordsNamed(kind, folded);
    const matches = this.#mayHave(kind, folded) ? (this.#byName[kind]?.(folded) ?? []) : [];
    return this.#withRemoved(kind, folded, distinctMatches(matches));
  }

  /** The same without countries and cities, from the cache. */
  recordsNamed(kind: CachedKind, folded: string): readonly NameMatch[] {
    const matches = this.#cache.byName(kind, folded, () =>
      this.#mayHave(kind, folded) ? this.#withoutPlace[kind](folded) : [],
    );
    return this.#withRemoved(kind, folded, matches);
  }

  #withRemoved(kind: Kind, folded: string, matches: readonly NameMatch[]): readonly NameMatch[] {
    const removedMatches = kindsFoundRemoved.has(kind) ? this.removed.byName(kind, folded) : [];
    return removedMatches.length === 0 ? matches : dedupeMatches([...matches, ...removedMatches]);
  }

  /** Whether an artist has this folded name as its primary name. */
  isPrimaryArtist(folded: string): boolean {
    return this.#cache.isPrimaryArtist(folded, () =>
      this.recordsNamed('artist', folded).some((one) => one.is_alias === 0),
    );
  }

  /** Changes when a result of `isPrimaryArtist` may have changed. */
  get primaryArtistsVersion(): number {
    return this.#cache.primaryVersion;
  }

  /** False if no record has this folded name: the present import began with an empty file and did not add it. */
  #mayHave(kind: Kind, folded: string): boolean {
    return this.#added?.mayHaveAny([hashOf(kind, folded)]) !== false;
  }

  /** The records whose name (not alias) has the same words: "Omar-S", "Omar S". */
  byNormalizedName(kind: CachedKind, name: string): number[] {
    const words = normalizeForSearch(name);
    if (words.length < 3 || isEmojiName(name)) return [];
    const find = () => this.#byWords.all(words, kind);
    const isCached = kind === 'artist' || kind === 'label';
    const matches = isCached ? this.#cache.byWords(kind, words, find) : find();
    const removedIds = this.removed.byWords(kind, words);
    return removedIds.length === 0 ? matches : [...new Set([...matches, ...removedIds])];
  }

  /** Reads the records of many folded names at once, which fills the cache of `recordsNamed`. */
  prefetchByName(kind: CachedKind, folded: readonly string[]): void {
    this.#cache.prefetchByName(kind, folded, (names) => this.#manyByName[kind].all(names));
  }

  /** The same for `byNormalizedName`. */
  prefetchByNormalizedName(kind: 'artist' | 'label', names: readonly string[]): void {
    const words = names.map(normalizeForSearch).filter(({ length }) => length >= 3);
    this.#cache.prefetchByWords(kind, words, (texts) => this.#manyByWords.all(texts, kind));
  }

  /**
   * Updates the cached look-ups of names that are written next; null: clears them, for example after a rollback. Must be
   * called before names are written.
   */
  onNamesChanged(change: ChangedNames | null): void {
    if (change !== null && change.kind !== 'event') {
      for (const name of change.names) this.#added?.add(hashOf(change.kind, fold(name)));
    }
    this.#cache.onChanged(change);
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

  /** The event with a slug; undefined if there is none. */
  eventOfSlug(slug: string): EventOfSlug | undefined {
    return this.#eventOfSlug.get(slug);
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

  /** The same for many cities. */
  markDependentsOfCities(ids: readonly number[]): void {
    this.#buffer.flush();
    this.#markDependentsOfCities.run({ ids: JSON.stringify(ids) });
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

  /** The kind of a record, whose id must exist. */
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
