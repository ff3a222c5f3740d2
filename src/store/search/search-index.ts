/** Reads the search index: names by rank, indexed words and search hits. */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ApiRecord } from '../../contract/records.ts';
import { pageUrl } from '../records/serialize.ts';
import { type PreparedStatement, prepare, prepareByShape, query } from '../statement.ts';
import { type SearchableKind, searchableKinds } from './name-index.ts';
import type { PrefixFilter } from './prefix-filter.ts';
import { firstEventRowId, rowIdLimit } from './row-ids.ts';
import { highestCharacter, type TermPrefixes, termOccurrences, termPrefixesOf } from './vocabulary.ts';

/** A matching name or alias. Row ids are in the order of rank, see `name-index.ts`. */
export type NameHit = {
  id: number;
  kind: SearchableKind;
  record_id: number;
  name: string;
  words: string;
  /** The text of the name in the full-text index. */
  terms: string;
  is_alias: number;
};

/** The names to find: those that match an FTS5 expression, or those that equal one of the texts. */
export type NameQuery =
  | { match: string }
  | { words: readonly string[]; alias: 0 | 1 }
  | { folded: string; alias: 0 | 1 };

/** A word of fewer names is rare. */
const minCommonNames = 200;
/** Words of queries and their variants that are known as rare or common. */
const maxRareCache = 20_000;

/** Row ids from `low` (inclusive) to `high` (exclusive); `upcomingAt` (ms): only events that end later. */
export type RowIdBounds = { low?: number; high?: number; descending?: boolean; upcomingAt?: number };

type NameQueryParams = {
  text: string;
  alias: number;
  low: number;
  high: number;
  now: number;
  limit: number;
};
type HitRow = {
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  start_at: string | null;
  image_url: string | null;
};

/**
 * Reads names by full-text expression, words or row id, the best first. Cities, genres and podcasts are in
 * `SmallKindSearch`.
 */
export class SearchIndex {
  readonly #kinds: readonly SearchableKind[] | undefined;
  readonly #filter: PrefixFilter;
  readonly #prefixesOf: TermPrefixes;
  readonly #names: (shape: string) => PreparedStatement<NameQueryParams, NameHit>;
  readonly #byRowId: PreparedStatement<{ ids: string }, NameHit>;
  readonly #ofWords: PreparedStatement<{ words: string; low: number; high: number; limit: number }, NameHit>;
  readonly #rowIds: Record<'ASC' | 'DESC', Database.Statement<[string, number, number, number], number>>;
  readonly #rare = new LRUCache<string, boolean>({ max: maxRareCache });
  readonly #hits: ReturnType<typeof prepareHits>;
  /** A search finds more events than other records: theirs are read together. */
  readonly #events: PreparedStatement<{ ids: string }, HitRow & { id: number }>;
  readonly #endOf: PreparedStatement<{ id: number }, { ends_ts: number }>;
  readonly #maxDuration: PreparedStatement<unknown, { max_event_duration_ms: number }>;
  readonly #terms: PreparedStatement<{ words: string }, { term: string }>;
  readonly #prefixes: PreparedStatement<{ texts: string }, { text: string; term: string | null }>;
  readonly #exact: PreparedStatement<{ words: string }, { words: string }>;

  /**
   * @param filter a filter of the same file, which several indexes may share
   * @param kinds only names of these kinds; without it, of all searchable kinds
   */
  constructor(sqlite: Database.Database, filter: PrefixFilter, kinds?: readonly SearchableKind[]) {
    this.#prefixesOf = termPrefixesOf(sqlite);
    this.#kinds = kinds;
    this.#filter = filter;
    this.#names = prepareByShape<NameQueryParams, NameHit>(sqlite, (shape, values) =>
      select(new Set(shape.split(' ')), values),
    );
    const ofKinds = isOfKinds(kinds ?? []);
    // Each name is looked up by its row id, in the order of the ids.
    this.#byRowId = prepare(
      sqlite,
      (
        p,
      ) => sql<NameHit>`select ${nameColumns} from json_each(${p.ids}) w cross join names n on n.id = w.value
        where ${ofKinds}`,
    );
    this.#ofWords = prepare(
      sqlite,
      (p) => sql<NameHit>`select ${nameColumns} from names n indexed by names_by_words
        where n.words = ${p.words} and n.is_alias in (0, 1) and n.id >= cast(${p.low} as integer)
          and n.id < cast(${p.high} as integer) and n.terms <> '' and ${ofKinds}
        order by n.is_alias, n.id limit ${p.limit}`,
    );
    // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
    const rowIds = (order: string) =>
      sqlite
        .prepare<[string, number, number, number], number>(
          `SELECT rowid FROM name_search WHERE name_search MATCH ? AND rowid >= CAST(? AS INTEGER)
             AND rowid < CAST(? AS INTEGER) ORDER BY rowid ${order} LIMIT ?`,
        )
        .pluck();
    this.#rowIds = { ASC: rowIds('ASC'), DESC: rowIds('DESC') };
    this.#hits = prepareHits(sqlite);
    this.#events = prepareEventHits(sqlite);
    this.#endOf = prepare(sqlite, (p) => query.selectFrom('events').select('ends_ts').where('id', '=', p.id));
    this.#maxDuration = prepare(sqlite, () => query.selectFrom('catalogue').select('max_event_duration_ms'));
    this.#terms = prepare(
      sqlite,
      (p) => sql`select w.value as term from json_each(${p.words}) w
        where exists (select 1 from ${sql.raw(termOccurrences)} v where v.term = w.value)`,
    );
    // The first term that is not less than a text equals the text if that is a term.
    this.#prefixes = prepare(
      sqlite,
      (p) => sql`select w.value as text, (select v.term from ${sql.raw(termOccurrences)} v
        where v.term >= w.value and v.term < w.value || ${highestCharacter} limit 1) as term
        from json_each(${p.texts}) w`,
    );
    this.#exact = prepare(
      sqlite,
      (p) => sql`select w.value as words from json_each(${p.words}) w
        where exists (select 1 from names n where n.words = w.value and n.terms <> '')`,
    );
  }

  /** Whether it has only names of some kinds. */
  get isOfSomeKinds(): boolean {
    return this.#kinds !== undefined;
  }

  /** The words of names that begin with a text; null if they are many, or the full-text index has the prefix itself. */
  completions(text: string): string[] | null {
    return this.#prefixesOf.completions(text);
  }

  /** The first `limit` names that match within the bounds, by row id. */
  names(source: NameQuery, reach: RowIdBounds, limit: number): NameHit[] {
    const shape = [];
    const { low, high } = this.#boundsOf(reach);
    // FTS5 finds the first match before it seeks to the bounds.
    if (low >= high) return [];
    const values: NameQueryParams = { text: '', alias: 0, low, high, now: reach.upcomingAt ?? 0, limit };
    if ('match' in source) {
      shape.push('match');
      values.text = source.match;
    } else {
      values.alias = source.alias;
      if ('folded' in source) {
        shape.push('folded');
        values.text = source.folded;
      } else if (source.words.length === 1) {
        shape.push('word');
        values.text = source.words[0] as string;
      } else {
        shape.push('words');
        values.text = JSON.stringify(source.words);
      }
    }
    if (this.#kinds) shape.push(...this.#kinds);
    if (reach.upcomingAt !== undefined) shape.push('upcoming');
    if (reach.descending) shape.push('descending');
    return this.#names(shape.join(' ')).all(values);
  }

  /**
   * The first `limit` row ids of names that match an FTS5 expression within the bounds, without reading the names: they
   * may be of any kind.
   */
  rowIds(match: string, limit: number, reach: Omit<RowIdBounds, 'upcomingAt'> = {}): number[] {
    const { low, high } = this.#boundsOf(reach);
    // FTS5 finds the first match before it seeks to the bounds.
    if (low >= high) return [];
    return this.#rowIds[reach.descending ? 'DESC' : 'ASC'].all(match, low, high, limit);
  }

  /** The names with these row ids, in this order. */
  byRowIds(ids: readonly number[]): NameHit[] {
    return ids.length === 0 ? [] : this.#byRowId.all({ ids: JSON.stringify(ids) });
  }

  /** The first `limit` names that consist of these words: names before aliases, each by row id. */
  namesOfWords(words: string, limit: number): NameHit[] {
    return this.#ofWords.all({ words, ...this.#boundsOf({}), limit });
  }

  /**
   * Whether few names match an FTS5 expression. This is a hint: the answer may be older than the data file, so that
   * results must be the same with either answer.
   */
  isRare(match: string): boolean {
    const cached = this.#rare.get(match);
    if (cached !== undefined) return cached;
    const isRare = this.rowIds(match, minCommonNames).length < minCommonNames;
    this.#rare.set(match, isRare);
    return isRare;
  }

  get #hasEvents(): boolean {
    return this.#kinds?.includes('event') ?? true;
  }

  /** Events have the highest row ids, so other kinds need not scan them, nor events the others. */
  #boundsOf({ low = 0, high = rowIdLimit }: RowIdBounds): { low: number; high: number } {
    const isEventsOnly = this.#kinds?.every((kind) => kind === 'event') ?? false;
    return {
      low: isEventsOnly ? Math.max(low, firstEventRowId) : low,
      high: this.#hasEvents ? high : Math.min(high, firstEventRowId),
    };
  }

  /**
   * Returns a function that is false for texts that are no prefix of any indexed word, without reading the file.
   * Null while the filter is loading. Valid until the next write.
   */
  prefixFilter(): ((text: string) => boolean) | null {
    return this.#filter.loadNext() ? (text) => this.#filter.mayContainPrefix(text) : null;
  }

  /** The words that occur in names. */
  existingWords(words: readonly string[]): string[] {
    if (words.length === 0) return [];
    return this.#terms.all({ words: JSON.stringify(words) }).map(({ term }) => term);
  }

  /** The texts that are a prefix of an indexed word; `whole` if the text is such a word. */
  existingPrefixes(texts: readonly string[]): { text: string; whole: boolean }[] {
    if (texts.length === 0) return [];
    return this.#prefixes
      .all({ texts: JSON.stringify(texts) })
      .flatMap(({ text, term }) => (term === null ? [] : [{ text, whole: term === text }]));
  }

  /** The texts that equal all words of a name or alias. */
  existingNames(texts: readonly string[]): string[] {
    return this.#exact.all({ words: JSON.stringify(texts) }).map(({ words }) => words);
  }

  /** When an event ends (ms); null if there is no such event. */
  endsAtMs(eventId: number): number | null {
    return this.#endOf.get({ id: eventId })?.ends_ts ?? null;
  }

  /** The longest time (ms) from an event's start to its end. */
  maxDurationMs(): number {
    return this.#maxDuration.get({})?.max_event_duration_ms ?? 0;
  }

  /** The search hits of names, in their order; null if the record does not exist. */
  toHits(matches: readonly NameHit[]): (ApiRecord<'SearchHit'> | null)[] {
    const ids = matches.filter(({ kind }) => kind === 'event').map(({ record_id }) => record_id);
    const rows = ids.length === 0 ? [] : this.#events.all({ ids: JSON.stringify(ids) });
    const events = new Map(rows.map((row) => [row.id, row]));
    return matches.map((match) => {
      const { kind, record_id: id } = match;
      const row = kind === 'event' ? events.get(id) : this.#hits[kind].get({ id });
      return row === undefined ? null : hitOf(match, row);
    });
  }
}

const hitOf = (match: NameHit, row: HitRow): ApiRecord<'SearchHit'> => ({
  type: match.kind,
  slug: row.slug,
  name: row.name,
  matched: match.name,
  city: row.city,
  country: row.country,
  start_at: row.start_at,
  image_url: row.image_url,
  url: pageUrl(match.kind, row.slug),
});

const nameColumns = sql.raw('n.id, n.kind, n.record_id, n.name, n.words, n.terms, n.is_alias');

/** The condition that a name is of one of some kinds, or of any if there are none; no index decides it. */
const isOfKinds = (kinds: readonly SearchableKind[]) =>
  kinds.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`+n.kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;

/** Builds the name query of one shape. */
function select(shape: Set<string>, p: NameQueryParams) {
  const match = shape.has('match');
  const id = sql.raw(match ? 's.rowid' : 'n.id');
  const from = match
    ? sql`name_search s cross join names n on n.id = s.rowid`
    : sql`names n ${sql.raw(`indexed by ${shape.has('folded') ? 'names_by_folded' : 'names_by_words'}`)}`;
  const conditions = [];
  if (match) conditions.push(sql<SqlBool>`s.name_search match ${p.text}`);
  if (shape.has('word')) conditions.push(sql<SqlBool>`n.words = ${p.text}`);
  if (shape.has('words')) conditions.push(sql<SqlBool>`n.words in (select value from json_each(${p.text}))`);
  if (shape.has('folded')) {
    conditions.push(sql<SqlBool>`n.kind in (${sql.join(searchableKinds.map((kind) => sql.lit(kind)))})`);
    conditions.push(sql<SqlBool>`n.folded = ${p.text}`);
  } else if (!match) conditions.push(sql<SqlBool>`n.terms <> ''`);
  const kinds = searchableKinds.filter((kind) => shape.has(kind));
  if (kinds.length > 0) conditions.push(isOfKinds(kinds));
  if (!match) conditions.push(sql<SqlBool>`n.is_alias = ${p.alias}`);
  // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
  conditions.push(sql<SqlBool>`${id} >= cast(${p.low} as integer)`);
  conditions.push(sql<SqlBool>`${id} < cast(${p.high} as integer)`);
  if (shape.has('upcoming')) conditions.push(sql<SqlBool>`e.ends_ts > ${p.now}`);
  const events = shape.has('upcoming') ? sql`cross join events e on e.id = n.record_id` : sql``;
  const order = shape.has('descending') ? sql`${id} desc` : id;
  return sql<NameHit>`select ${nameColumns} from ${from} ${events}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${p.limit}`;
}

const none = sql<null>`null`;

function prepareEventHits(
  sqlite: Database.Database,
): PreparedStatement<{ ids: string }, HitRow & { id: number }> {
  return prepare(sqlite, (p) =>
    query
      .selectFrom('events as e')
      .select(['e.id', 'e.slug', 'e.name', 'e.city', 'e.country', 'e.start_at', 'e.image_url'])
      .where(sql<SqlBool>`e.id in (select value from json_each(${p.ids}))`),
  );
}

function prepareHits(
  sqlite: Database.Database,
): Record<Exclude<SearchableKind, 'event'>, PreparedStatement<{ id: number }, HitRow>> {
  return {
    artist: prepare(sqlite, (p) =>
      query
        .selectFrom('artists')
        .select(['slug', 'name', none.as('city'), 'country', none.as('start_at'), 'image_url'])
        .where('id', '=', p.id),
    ),
    festival: prepare(sqlite, (p) =>
      query
        .selectFrom('festivals')
        .select(['slug', 'name', 'city', 'country', none.as('start_at'), 'image_url'])
        .where('id', '=', p.id),
    ),
    venue: prepare(sqlite, (p) =>
      query
        .selectFrom('venues')
        .select(['slug', 'name', 'city', 'country', none.as('start_at'), 'image_url'])
        .where('id', '=', p.id),
    ),
    label: prepare(sqlite, (p) =>
      query
        .selectFrom('labels')
        .select(['slug', 'name', none.as('city'), 'country', none.as('start_at'), 'image_url'])
        .where('id', '=', p.id),
    ),
  };
}
