/** Finding records by what a feed calls them: name, place, parent. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { type WriteBuffer, writeBufferOf } from '../records/write-buffer.ts';
import { firstEventRowId } from '../search/name-index.ts';
import { prepare, query } from '../statement.ts';

/** The kinds that other records are shown with. */
export type EmbeddedKind = 'artist' | 'venue' | 'city' | 'festival' | 'genre';
/** `place`: a venue's city by its slug, a city's country, else ''; `slugColumn`: of the record that an operator merged, else ''. */
export type InheritedName = { name: string; place: string; slug: string };
export type NameMatch = { id: number; is_alias: number; country: string | null; city_id: number | null };

/** What is shown with a record in it. */
const dependentsSql: Record<EmbeddedKind, string> = {
  artist: 'SELECT event_id FROM event_artists WHERE artist_id = @id',
  venue: `SELECT id FROM events WHERE venue_id = @id
    UNION ALL SELECT id FROM editions WHERE venue_id = @id`,
  festival: 'SELECT e.id FROM editions d JOIN events e ON e.edition_id = d.id WHERE d.festival_id = @id',
  genre: 'SELECT event_id FROM event_genres WHERE genre_id = @id AND is_direct = 1',
  city: `SELECT id FROM venues WHERE city_id = @id UNION SELECT id FROM events WHERE city_id = @id
    UNION SELECT id FROM festivals WHERE city_id = @id UNION SELECT id FROM editions WHERE city_id = @id`,
};

/** Each record once, those whose own name it is first, then the older ones. */
function dedupeMatches(found: NameMatch[]): NameMatch[] {
  const sorted = found.toSorted((a, b) => a.is_alias - b.is_alias || a.id - b.id);
  const seen = new Set<number>();
  return sorted.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** So many names are remembered with what they find. */
const maxRemembered = 50_000;
/** Kinds of which hundreds of names are looked up for one record: line-ups, tracklists, rosters. */
type Remembered = 'artist' | 'label';
const isRemembered = (kind: Kind): kind is Remembered => kind === 'artist' || kind === 'label';

function remember<T>(known: Map<string, T>, key: string, find: () => T): T {
  let found = known.get(key);
  if (found === undefined) {
    found = find();
    if (known.size >= maxRemembered) known.clear();
    known.set(key, found);
  }
  return found;
}

export class RecordLookup {
  readonly #byName: Partial<Record<Kind, { all(values: { folded: string }): NameMatch[] }>>;
  readonly #genreAncestors;
  readonly #ancestors = new Map<number, number[]>();
  readonly #edition;
  readonly #episode;
  readonly #holders;
  readonly #eventsOf: Record<EmbeddedKind, Database.Statement>;
  readonly #markShown: Record<EmbeddedKind, Database.Statement>;
  readonly #parent;
  readonly #kindOf;
  readonly #given;
  readonly #cityOfSlug;
  readonly #byWords;
  readonly #stale;
  readonly #clearStale;
  readonly #held: WriteBuffer;
  /** What names and words found since a name of the kind was last written. */
  readonly #found = { artist: new Map<string, NameMatch[]>(), label: new Map<string, NameMatch[]>() };
  readonly #foundByWords = { artist: new Map<string, number[]>(), label: new Map<string, number[]>() };

  constructor(sqlite: Database.Database) {
    this.#held = writeBufferOf(sqlite);
    const finder = (kind: Kind, table: string, country = 't.country', city = 'NULL') => {
      const statement = sqlite.prepare(
        `SELECT n.record_id AS id, n.is_alias, ${country} AS country, ${city} AS city_id
         FROM names n JOIN ${table} t ON t.id = n.record_id WHERE n.kind = '${kind}' AND n.folded = ? LIMIT 100`,
      );
      return {
        all: ({ folded }: { folded: string }) => {
          const found = statement.all(folded) as NameMatch[];
          return found.length < 2 ? found : dedupeMatches(found);
        },
      };
    };
    this.#byName = {
      // What is remembered of them must not change with the rest of their rows.
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
    this.#holders = sqlite
      .prepare(
        `SELECT artist_id FROM artist_genres WHERE genre_id = @id UNION SELECT event_id FROM event_genres WHERE genre_id = @id`,
      )
      .pluck();
    const shown = Object.entries(dependentsSql) as [EmbeddedKind, string][];
    this.#eventsOf = Object.fromEntries(
      shown.map(([kind, text]) => [kind, sqlite.prepare(text).pluck()]),
    ) as Record<EmbeddedKind, Database.Statement>;
    this.#markShown = Object.fromEntries(
      shown.map(([kind, text]) => [
        kind,
        // In the order of the tree: a city may have fifty thousand shows.
        sqlite.prepare(`INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${text}) ORDER BY 1`),
      ]),
    ) as Record<EmbeddedKind, Database.Statement>;
    this.#given = sqlite.prepare(
      'SELECT name, place, merged_slug AS slug FROM inherited_names WHERE record_id = ? ORDER BY name, place',
    );
    // Shows are many of one name, and lie above all others.
    this.#byWords = sqlite
      .prepare(
        `SELECT record_id FROM names WHERE words = ? AND is_alias = 0 AND terms <> '' AND id < ${firstEventRowId} AND kind = ? LIMIT 100`,
      )
      .pluck();
    this.#cityOfSlug = sqlite.prepare("SELECT record_id FROM slugs WHERE kind = 'city' AND slug = ?").pluck();
    this.#kindOf = sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck();
    this.#stale = sqlite.prepare('SELECT record_id FROM stale_records ORDER BY record_id LIMIT ?').pluck();
    this.#clearStale = sqlite.prepare('DELETE FROM stale_records WHERE record_id = ?');
  }

  /** The records of a kind that have this folded name: those whose own name it is first, then the older ones. */
  byName(kind: Kind, folded: string): NameMatch[] {
    const find = () => this.#byName[kind]?.all({ folded }) ?? [];
    return isRemembered(kind) ? remember(this.#found[kind], folded, find) : find();
  }

  /** The records whose own name has the same words: "Omar-S", "Omar S". */
  byNormalizedName(kind: 'artist' | 'venue' | 'label' | 'festival', name: string): number[] {
    const words = normalizeForSearch(name);
    if (words.length < 3) return [];
    const find = () => this.#byWords.all(words, kind) as number[];
    return isRemembered(kind) ? remember(this.#foundByWords[kind], words, find) : find();
  }

  /** To be called when names of a kind were written, or taken back; null: of any kind. */
  forgetNames(kind: Kind | null): void {
    for (const one of kind === null ? (['artist', 'label'] as const) : isRemembered(kind) ? [kind] : []) {
      this.#found[one].clear();
      this.#foundByWords[one].clear();
    }
  }

  /** Names that a record took over from others that went into it, each once. */
  inheritedNames(id: number): string[] {
    return [...new Set(this.inheritedNamesWithPlace(id).map(({ name }) => name))];
  }

  /** The same with where they were meant. */
  inheritedNamesWithPlace(id: number): InheritedName[] {
    return this.#given.all(id) as InheritedName[];
  }

  /** The city that a slug answers with. */
  cityOfSlug(slug: string): number | null {
    return (this.#cityOfSlug.get(slug) as number | undefined) ?? null;
  }

  /** A genre and all above it. */
  withAncestors(genre: number): number[] {
    let chain = this.#ancestors.get(genre);
    if (chain === undefined) {
      chain = this.#genreAncestors.all(genre) as number[];
      this.#ancestors.set(genre, chain);
    }
    return chain;
  }

  /** Forget the tree: a genre was written, or a line undone. */
  clearGenreCache(): void {
    this.#ancestors.clear();
  }

  parentOf(genre: number): number | null {
    return (this.#parent.get(genre) as number | null | undefined) ?? null;
  }

  edition(festival: number, edition: string): number | null {
    return this.#edition.get({ festival, edition })?.id ?? null;
  }

  episodes(podcast: number, folded: string): number[] {
    return this.#episode.all({ podcast, folded }).map(({ id }) => id);
  }

  /** Artists and events that have the genre, of itself or through one below it. */
  recordsOfGenre(genre: number): number[] {
    this.#held.flush();
    return this.#holders.all({ id: genre }) as number[];
  }

  /** What is shown with the record in it, and so changes with it. */
  dependents(kind: EmbeddedKind, id: number): number[] {
    this.#held.flush();
    return this.#eventsOf[kind].all({ id }) as number[];
  }

  /** Has all of that worked out again after this batch. To be called within one. */
  markDependents(kind: EmbeddedKind, id: number): void {
    this.#held.flush();
    this.#markShown[kind].run({ id });
  }

  kindOf(id: number): Kind {
    return this.#kindOf.get(id) as Kind;
  }

  /** Some of the records that wait to be worked out again. */
  staleRecords(limit: number): number[] {
    return this.#stale.all(limit) as number[];
  }

  clearStale(id: number): void {
    this.#clearStale.run(id);
  }
}
