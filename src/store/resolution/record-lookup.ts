/** Resolves the names in feeds to records, by name, place and parent. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isEmojiName } from '../../text/normalize.ts';
import { type WriteBuffer, writeBufferOf } from '../records/write-buffer.ts';
import type { ChangedNames } from '../search/name-index.ts';
import { firstEventRowId } from '../search/row-ids.ts';
import { prepare, query } from '../statement.ts';
import type { RecordRow } from '../values.ts';
import { ArtistGenres, genreLink } from './artist-genres.ts';
import { ForgottenNames } from './forgotten-names.ts';
import type { NameMatch } from './name-match.ts';
import { RemovedRecords } from './removed-records.ts';

export type { NameMatch } from './name-match.ts';

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

/** Kinds whose removed records are found by name. A removed city or genre is not created again. */
const kindsFoundRemoved: ReadonlySet<Kind> = new Set(['artist', 'venue', 'label', 'festival', 'podcast']);

/** Removes duplicate records and sorts: names before aliases, then by age. */
function dedupeMatches(matches: NameMatch[]): NameMatch[] {
  const sorted = matches.toSorted((a, b) => a.is_alias - b.is_alias || a.id - b.id);
  const ids = new Set<number>();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}

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

export class RecordLookup {
  readonly removed: RemovedRecords;
  readonly forgotten: ForgottenNames;
  readonly artistGenres: ArtistGenres;
  readonly #byName: Partial<Record<Kind, (folded: string) => FoundNames>>;
  readonly #genreAncestors;
  readonly #ancestors = new Map<number, number[]>();
  readonly #edition;
  readonly #episode;
  readonly #recordsOfGenre;
  readonly #dependents: Record<EmbeddedKind, Database.Statement>;
  readonly #markDependents: Record<EmbeddedKind, Database.Statement>;
  readonly #markPlacedByCity: Database.Statement;
  readonly #parent;
  readonly #kindOf;
  readonly #cityRow;
  readonly #citiesOfCountry;
  readonly #inheritedNames;
  readonly #cityOfSlug;
  readonly #byWords;
  readonly #stale;
  readonly #clearStale;
  readonly #buffer: WriteBuffer;
  /** Cached look-ups by name and by words, valid until the name is written. */
  readonly #cachedByName = { artist: new Map<string, FoundNames>(), label: new Map<string, FoundNames>() };
  readonly #cachedByWords = { artist: new Map<string, number[]>(), label: new Map<string, number[]>() };

  constructor(sqlite: Database.Database) {
    this.#buffer = writeBufferOf(sqlite);
    this.removed = new RemovedRecords(sqlite);
    this.forgotten = new ForgottenNames(sqlite);
    this.artistGenres = new ArtistGenres(sqlite);
    const finder = (kind: Kind, table: string, country = 't.country', city = 'NULL') => {
      const statement = sqlite.prepare(
        `SELECT n.record_id AS id, n.is_alias, ${country} AS country, ${city} AS city_id
         FROM names n JOIN ${table} t ON t.id = n.record_id WHERE n.kind = '${kind}' AND n.folded = ?
         ORDER BY n.record_id LIMIT ${maxRowsPerName}`,
      );
      return (folded: string): FoundNames => {
        const rows = statement.all(folded) as NameMatch[];
        const lastRecord = rows.length < maxRowsPerName ? null : (rows.at(-1) as NameMatch).id;
        return { matches: rows.length < 2 ? rows : dedupeMatches(rows), lastRecord };
      };
    };
    this.#byName = {
      // Cached matches must not depend on other columns of their rows.
      artist: finder('artist', 'artists', 'NULL'),
      venue: finder('venue', 'venues', 't.country', 't.city_id'),
      city: finder('city', 'cities'),
      label: finder('label', 'labels', 'NULL'),
      festival: finder('festival', 'festivals'),
      genre: finder('genre', 'genres', 'NULL'),
      podcast: finder('podcast', 'podcasts', 'NULL'),
    };
    this.#parent = sqlite.prepare('SELECT parent_id FROM genres WHERE id = ?').pluck();
    this.#genreAncestors = sqlite
      .prepare(
        `WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT g.parent_id FROM genres g JOIN up ON g.id = up.id WHERE g.parent_id IS NOT NULL)
         SELECT id FROM up`,
      )
      .pluck();
    this.#edition = prepare<{ festival: number; edition: string }, { id: number }>(sqlite, (p) =>
      query
        .selectFrom('editions')
        .select('id')
        .where('festival_id', '=', p.festival)
        .where('edition', '=', p.edition),
    );
    this.#episode = prepare<{ podcast: number; folded: string }, { id: number }>(sqlite, (p) =>
      query
        .selectFrom('episodes')
        .select('id')
        .where('podcast_id', '=', p.podcast)
        .where('folded', '=', p.folded)
        .orderBy('id'),
    );
    this.#recordsOfGenre = sqlite
      .prepare(
        `SELECT artist_id FROM artist_genres WHERE genre_id = @id UNION SELECT event_id FROM event_genres WHERE genre_id = @id`,
      )
      .pluck();
    const dependentQueries = Object.entries(dependentsSql) as [EmbeddedKind, string][];
    this.#dependents = Object.fromEntries(
      dependentQueries.map(([kind, text]) => [kind, sqlite.prepare(text).pluck()]),
    ) as Record<EmbeddedKind, Database.Statement>;
    this.#markDependents = Object.fromEntries(
      dependentQueries.map(([kind, text]) => [
        kind,
        // In the order of the index: a city may have fifty thousand events.
        sqlite.prepare(`INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${text}) ORDER BY 1`),
      ]),
    ) as Record<EmbeddedKind, Database.Statement>;
    this.#markPlacedByCity = sqlite.prepare(
      `INSERT OR IGNORE INTO stale_records (record_id)
       SELECT e.id FROM events e LEFT JOIN venues v ON v.id = e.venue_id
       WHERE e.city_id = @id AND (v.latitude IS NULL OR v.longitude IS NULL) ORDER BY 1`,
    );
    this.#inheritedNames = sqlite.prepare(
      'SELECT name, place, merged_slug AS slug FROM inherited_names WHERE record_id = ? ORDER BY name, place',
    );
    // Many events share a name, and their row ids are above all others.
    this.#byWords = sqlite
      .prepare(
        `SELECT record_id FROM names WHERE words = ? AND is_alias = 0 AND terms <> '' AND id < ${firstEventRowId} AND kind = ? LIMIT 100`,
      )
      .pluck();
    this.#cityOfSlug = sqlite.prepare("SELECT record_id FROM slugs WHERE kind = 'city' AND slug = ?").pluck();
    this.#cityRow = sqlite.prepare('SELECT 1 FROM cities WHERE id = ?');
    this.#citiesOfCountry = sqlite.prepare(
      'SELECT id, name, country, region, latitude, longitude, timezone, population FROM cities WHERE country = ? ORDER BY id',
    );
    this.#kindOf = sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck();
    this.#stale = sqlite.prepare('SELECT record_id FROM stale_records ORDER BY record_id LIMIT ?').pluck();
    this.#clearStale = sqlite.prepare('DELETE FROM stale_records WHERE record_id = ?');
  }

  /** The records of a kind with this folded name, also removed ones: names before aliases, then by age. */
  byName(kind: Kind, folded: string): NameMatch[] {
    const find = () => this.#byName[kind]?.(folded) ?? { matches: [], lastRecord: null };
    const { matches } = isCached(kind) ? memoized(this.#cachedByName[kind], folded, find) : find();
    const removed = kindsFoundRemoved.has(kind) ? this.removed.byName(kind, folded) : [];
    return removed.length === 0 ? matches : dedupeMatches([...matches, ...removed]);
  }

  /** The records whose name (not alias) has the same words: "Omar-S", "Omar S". */
  byNormalizedName(kind: 'artist' | 'venue' | 'label' | 'festival', name: string): number[] {
    const words = normalizeForSearch(name);
    if (words.length < 3 || isEmojiName(name)) return [];
    const find = () => this.#byWords.all(words, kind) as number[];
    const matches = isCached(kind) ? memoized(this.#cachedByWords[kind], words, find) : find();
    const removed = this.removed.byWords(kind, words);
    return removed.length === 0 ? matches : [...new Set([...matches, ...removed])];
  }

  /** Clears the cached look-ups of names that were written; null: all of them, for example after a rollback. */
  forgetNames(changed: ChangedNames | null): void {
    if (changed === null) {
      for (const kind of ['artist', 'label'] as const) {
        this.#cachedByName[kind].clear();
        this.#cachedByWords[kind].clear();
      }
      return;
    }
    const { kind, record, names } = changed;
    if (!isCached(kind)) return;
    for (const name of names) {
      const folded = fold(name);
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
    return this.#inheritedNames.all(id) as InheritedName[];
  }

  /** The city that a slug resolves to. */
  cityOfSlug(slug: string): number | null {
    return (this.#cityOfSlug.get(slug) as number | undefined) ?? null;
  }

  /** A genre and its ancestors. */
  withAncestors(genre: number): number[] {
    let chain = this.#ancestors.get(genre);
    if (chain === undefined) {
      chain = this.#genreAncestors.all(genre) as number[];
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
    return (this.#parent.get(genre) as number | null | undefined) ?? null;
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
    return this.#recordsOfGenre.all({ id: genre }) as number[];
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
  citiesOfCountry(country: string): RecordRow[] {
    this.#buffer.flush();
    return this.#citiesOfCountry.all(country) as RecordRow[];
  }

  kindOf(id: number): Kind {
    return this.#kindOf.get(id) as Kind;
  }

  /** Up to `limit` records that wait to be recomputed. */
  staleRecords(limit: number): number[] {
    return this.#stale.all(limit) as number[];
  }

  clearStale(id: number): void {
    this.#clearStale.run(id);
  }
}
