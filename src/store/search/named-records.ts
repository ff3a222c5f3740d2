/** Records by what they are called, one kind at a time: exactly, or all names there are of a kind that has few. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { dayMs } from '../../clock.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { type PreparedStatement, prepare, prepareByShape, query } from '../statement.ts';

/** The kinds that a name in a question may mean. */
export type NameableKind = 'artist' | 'venue' | 'city' | 'genre';
/** The kinds that have so few records that all their names fit in memory; the others are for search. */
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

/** What stands for the columns of `NamedRecord` that a kind has not, and what makes one record outrank its namesakes. */
const kindColumns: Record<
  NameableKind,
  { table: string; city: string; country: string; zone: string; rank: string }
> = {
  // Rows of artists and venues are numbered by prominence, see `names.ts`.
  artist: { table: 'artists', city: 'null', country: 'r.country', zone: 'null', rank: 'n.id' },
  venue: { table: 'venues', city: 'r.city', country: 'r.country', zone: 'r.timezone', rank: 'n.id' },
  city: {
    table: 'cities',
    city: 'null',
    country: 'r.country',
    zone: 'r.timezone',
    rank: '(select -count(*) from venues v where v.city_id = r.id), -coalesce(r.population, 0)',
  },
  genre: { table: 'genres', city: 'null', country: 'null', zone: 'null', rank: 'r.parent_id is not null' },
};

export class NamedRecords {
  readonly #bySql: (shape: string) => PreparedStatement<NamedRecordParams, NamedRecordEntry>;
  readonly #isCalled: Database.Statement;
  readonly #isWorded: Database.Statement;
  readonly #revision: Database.Statement;
  readonly #venueless: PreparedStatement<{ since: number; now: number }, { venue_name: string }>;
  readonly #all = new Map<SmallKind, { revision: number; records: NamedRecordEntry[] }>();
  /** Spellings by their folded form: of all events, and of those not over since `now`. */
  readonly #spelled = new Map<'all' | 'upcoming', VenueSpellings>();

  constructor(sqlite: Database.Database) {
    this.#bySql = prepareByShape<NamedRecordParams, NamedRecordEntry>(sqlite, (shape, values) => {
      const [kind, by] = shape.split(' ') as [NameableKind, string];
      return select(kind, by, values);
    });
    this.#isCalled = sqlite.prepare('SELECT 1 FROM names WHERE kind = ? AND folded = ? LIMIT 1');
    this.#isWorded = sqlite.prepare(
      "SELECT 1 FROM names WHERE words = ? AND terms <> '' AND kind = ? LIMIT 1",
    );
    this.#revision = sqlite.prepare('SELECT revision FROM catalogue').pluck();
    this.#venueless = prepare(sqlite, (p) =>
      query
        .selectFrom('events')
        .select(sql<string>`venue_name`.as('venue_name'))
        .distinct()
        .where('venue_id', 'is', null)
        .where('start_ts', '>=', p.since)
        .where('ends_ts', '>', p.now)
        .where('venue_name', 'is not', null)
        .orderBy('venue_name'),
    );
  }

  /** One record; null where there is none of that kind and id. */
  byId(kind: NameableKind, id: number): NamedRecord | null {
    const found = this.#bySql(`${kind} id`).get({ id, text: '' });
    if (found === undefined) return null;
    const { is_alias: _, words: __, ...record } = found;
    return record;
  }

  /** Records with a name or alias that equals the text but for case and diacritics: own names first, then by rank. */
  byExactName(kind: NameableKind, text: string): NamedRecordEntry[] {
    return this.#bySql(`${kind} folded`).all({ id: 0, text: fold(text).trim() });
  }

  /** Whether some record of the kind has the text for a name, punctuation aside where search looks through the kind. */
  hasName(kind: NameableKind | 'festival', text: string): boolean {
    const folded = fold(text).trim();
    if (this.#isCalled.get(kind, folded) !== undefined) return true;
    const words = normalizeForSearch(text);
    return words !== '' && this.#isWorded.get(words, kind) !== undefined;
  }

  /** All names of a kind, in the order of `byExactName`; read once for each state of the catalogue. */
  allNames(kind: SmallKind): NamedRecordEntry[] {
    const revision = this.#revision.get() as number;
    const known = this.#all.get(kind);
    if (known?.revision === revision) return known.records;
    const records = this.#bySql(`${kind} all`).all({ id: 0, text: '' });
    this.#all.set(kind, { revision, records });
    return records;
  }

  /**
   * How events that have no venue on record spell a place: the spellings that fold to the same as `text`.
   * @param since the earliest start looked at (ms)
   * @param now only of events not over then (ms); 0 for all
   */
  unlinkedVenueSpellings(text: string, since: number, now: number): string[] {
    const revision = this.#revision.get() as number;
    const which = now === 0 ? 'all' : 'upcoming';
    let spelled = this.#spelled.get(which);
    // What was upcoming earlier has all that is upcoming now.
    if (spelled?.revision !== revision || spelled.now > now || spelled.now < now - spellingsMaxAgeMs) {
      const byFolded = new Map<string, string[]>();
      for (const { venue_name } of this.#venueless.all({ since, now })) {
        const folded = fold(venue_name).trim();
        byFolded.set(folded, [...(byFolded.get(folded) ?? []), venue_name]);
      }
      spelled = { revision, now, byFolded };
      this.#spelled.set(which, spelled);
    }
    return spelled.byFolded.get(fold(text).trim()) ?? [];
  }
}

/** `now` is when it was read (ms). */
type VenueSpellings = { revision: number; now: number; byFolded: ReadonlyMap<string, string[]> };
/** So long (ms) what was read is good for, should the catalogue not change. */
const spellingsMaxAgeMs = dayMs;

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
