/** Finds records of one kind by exact name, or lists all names of a small kind. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { otherCityNames } from '../../text/city-names.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { type PreparedStatement, prepare, prepareByShape, prepareValue } from '../statement.ts';
import { isSearchableKind } from './name-index.ts';
import { firstEventRowId } from './row-ids.ts';

/** The kinds that a name in a query may mean. */
export type NameableKind = 'artist' | 'venue' | 'city' | 'genre' | 'festival' | 'label';
/** The kinds whose names all fit in memory; the others need search. */
export type SmallKind = 'city' | 'genre';

export type NamedRecord = {
  id: number;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  timezone: string | null;
};
/** A record with one of its names. */
export type NamedRecordEntry = NamedRecord & { is_alias: number; words: string };

type NamedRecordParams = { text: string; id: number };

/** SQL for the columns that a kind lacks, and for the rank among records with the same name. */
const kindColumns: Record<
  NameableKind,
  { table: string; city: string; country: string; zone: string; rank: string }
> = {
  // Row ids of artists and venues are in the order of prominence, see `name-index.ts`.
  artist: { table: 'artists', city: 'null', country: 'r.country', zone: 'null', rank: 'n.id' },
  venue: { table: 'venues', city: 'r.city', country: 'r.country', zone: 'r.timezone', rank: 'n.id' },
  city: {
    table: 'cities',
    city: 'null',
    country: 'r.country',
    zone: 'r.timezone',
    rank: '(select -count(*) from venues v where v.city_id = r.id), -coalesce(r.population, 0)',
  },
  festival: { table: 'festivals', city: 'r.city', country: 'r.country', zone: 'null', rank: 'n.id' },
  label: { table: 'labels', city: 'null', country: 'r.country', zone: 'null', rank: 'n.id' },
  genre: { table: 'genres', city: 'null', country: 'null', zone: 'null', rank: 'r.parent_id is not null' },
};

/** Looks up records by exact name or id. Names of cities and genres are cached for each revision of the catalogue. */
export class NamedRecords {
  readonly #bySql: (shape: string) => PreparedStatement<NamedRecordParams, NamedRecordEntry>;
  readonly #hasFoldedName: Database.Statement;
  readonly #hasWords: Database.Statement;
  readonly #hasEventWords: Database.Statement;
  readonly #revision;
  readonly #venueless: PreparedStatement<unknown, { venue_name: string }>;
  readonly #all = new Map<SmallKind, { revision: number; records: NamedRecordEntry[] }>();
  #spellings: VenueSpellings = { revision: -1, byFolded: new Map() };

  constructor(sqlite: Database.Database) {
    this.#bySql = prepareByShape<NamedRecordParams, NamedRecordEntry>(sqlite, (shape, values) => {
      const [kind, by] = shape.split(' ') as [NameableKind, string];
      return select(kind, by, values);
    });
    this.#hasFoldedName = sqlite.prepare('SELECT 1 FROM names WHERE kind = ? AND folded = ? LIMIT 1');
    const hasWords = (rows: string) =>
      sqlite.prepare(
        `SELECT 1 FROM names INDEXED BY names_by_words
         WHERE words = ? AND is_alias IN (0, 1) AND id ${rows} ${firstEventRowId} AND terms <> '' AND kind = ? LIMIT 1`,
      );
    // Thousands of events may have the same name.
    this.#hasWords = hasWords('<');
    this.#hasEventWords = hasWords('>=');
    this.#revision = prepareValue<number>(sqlite, 'SELECT revision FROM catalogue');
    this.#venueless = prepare(
      sqlite,
      () => sql`select distinct venue_name from events indexed by events_by_venue_text
        where venue_id is null and venue_name is not null order by venue_name`,
    );
  }

  /** The record of a kind with this id; null if there is none. */
  byId(kind: NameableKind, id: number): NamedRecord | null {
    const row = this.#bySql(`${kind} id`).get({ id, text: '' });
    if (row === undefined) return null;
    const { is_alias: _, words: __, ...record } = row;
    return record;
  }

  /**
   * Records with a name or alias that equals the text except for case and diacritics: names before aliases, then
   * by rank.
   */
  byExactName(kind: NameableKind, text: string): NamedRecordEntry[] {
    return this.#bySql(`${kind} folded`).all({ id: 0, text: fold(text).trim() });
  }

  /** Whether a record of the kind has this name. For searchable kinds punctuation is ignored. */
  hasName(kind: NameableKind | 'event', text: string): boolean {
    if (isSearchableKind(kind)) {
      const words = normalizeForSearch(text);
      // Equal names have equal words. A name of punctuation alone has none.
      if (words !== '')
        return (kind === 'event' ? this.#hasEventWords : this.#hasWords).get(words, kind) !== undefined;
    }
    return this.#hasFoldedName.get(kind, fold(text).trim()) !== undefined;
  }

  /** All names of a kind, in the order of `byExactName`; cached for each revision. */
  allNames(kind: SmallKind): NamedRecordEntry[] {
    const revision = this.#revision.one();
    const cached = this.#all.get(kind);
    if (cached?.revision === revision) return cached.records;
    const rows = this.#bySql(`${kind} all`).all({ id: 0, text: '' });
    const records = kind === 'city' ? withOtherNames(rows) : rows;
    this.#all.set(kind, { revision, records });
    return records;
  }

  /**
   * The venue spellings of events without a venue record that fold to the same text as `text`; cached for each
   * revision.
   */
  unlinkedVenueSpellings(text: string): string[] {
    const revision = this.#revision.one();
    if (this.#spellings.revision !== revision) {
      const byFolded = new Map<string, string[]>();
      for (const { venue_name } of this.#venueless.all({})) {
        const key = fold(venue_name).trim();
        byFolded.set(key, [...(byFolded.get(key) ?? []), venue_name]);
      }
      this.#spellings = { revision, byFolded };
    }
    return this.#spellings.byFolded.get(fold(text).trim()) ?? [];
  }
}

/** Adds the names of cities in other languages as aliases, where no city has this name itself: "Genf" for Geneva. */
function withOtherNames(rows: readonly NamedRecordEntry[]): NamedRecordEntry[] {
  const keys = new Set(rows.map(({ words, country }) => `${country} ${words}`));
  const aliases = rows
    .filter(({ is_alias }) => is_alias === 0)
    .flatMap((city) =>
      otherCityNames(city.name, city.country).flatMap((name) => {
        const words = normalizeForSearch(name);
        const key = `${city.country} ${words}`;
        return keys.has(key) || !keys.add(key) ? [] : [{ ...city, is_alias: 1, words }];
      }),
    );
  return [...rows, ...aliases];
}

/** The spellings by folded form. */
type VenueSpellings = { revision: number; byFolded: ReadonlyMap<string, string[]> };

function select(kind: NameableKind, by: string, p: NamedRecordParams) {
  const { table, city, country, zone, rank } = kindColumns[kind];
  const conditions = [sql<SqlBool>`n.kind = ${sql.lit(kind)}`];
  if (by === 'id') conditions.push(sql<SqlBool>`n.record_id = ${p.id}`);
  if (by === 'folded') conditions.push(sql<SqlBool>`n.folded = ${p.text}`);
  const index = by === 'id' ? 'names_by_record' : 'names_by_folded';
  return sql<NamedRecordEntry>`select r.id, r.slug, r.name, ${sql.raw(city)} as city, ${sql.raw(country)} as country,
      ${sql.raw(zone)} as timezone, n.is_alias, n.words
    from names n indexed by ${sql.raw(index)} cross join ${sql.raw(table)} r on r.id = n.record_id
    where ${sql.join(conditions, sql` and `)}
    order by n.is_alias, ${sql.raw(rank)}, r.slug, n.id`;
}
