/**
 * The names of records, as search finds them: their rows numbered in the order of rank, so that the first of a
 * full-text match are the best of it.
 */

import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { dayMs } from '../../clock.ts';
import type { Kind } from '../../contract/fields.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { type TableBuffer, writeBufferOf } from '../records/write-buffer.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';
import type { SqlValue } from '../values.ts';
import { indexTerms } from './index-terms.ts';

/** The kinds that search looks through; names of the others only resolve references. */
export const searchableKinds = ['artist', 'event', 'festival', 'venue', 'label'] as const;
export type SearchableKind = (typeof searchableKinds)[number];
export const isSearchableKind = (kind: Kind): kind is SearchableKind =>
  (searchableKinds as readonly Kind[]).includes(kind);

const firstDay = Date.UTC(1900, 0, 1) / dayMs;
const lastDay = 2 ** 17 - 1;
const prominenceBuckets = 255;
/** So many marked records are remembered, so as not to mark them again and again. */
const maxMarkedCache = 50_000;
/** So many pages of the full-text index are merged at a time: a few milliseconds. */
const pagesPerMerge = 64;
/** Row ids from here on: records of no prominence; from `firstEventRowId` on: events. */
export const firstUnrankedRowId = prominenceBuckets * 2 ** 44;
export const firstEventRowId = 2 ** 52;
/** No row id is as high as this. */
export const rowIdLimit = 2 ** 53;

/** The lowest row id of events that start on the UTC day of `ts` (ms), or `days` after it. */
export function firstRowIdOfDay(ts: number, days = 0): number {
  const day = Math.floor(ts / dayMs) - firstDay + days;
  return firstEventRowId + Math.min(lastDay, Math.max(0, day)) * 2 ** 35;
}

/** What a name's place among all names follows from. */
export type NameRank = { prominence: number } | { startTs: number };

const bucketOf = (prominence: number): number =>
  Math.min(prominenceBuckets, Math.round(16 * Math.log2(1 + Math.max(0, prominence))));

/** The lowest of a record's row ids, and how many it has. */
function rowIdRange(recordId: number, rank: NameRank): { first: number; room: number } {
  if ('startTs' in rank) return { first: firstRowIdOfDay(rank.startTs) + recordId * 16, room: 16 };
  return { first: (prominenceBuckets - bucketOf(rank.prominence)) * 2 ** 44 + recordId * 256, room: 256 };
}

type NameRow = { id: number; name: string; is_alias: number; terms: string };
type NameEntry = NameRow & {
  kind: Kind;
  record_id: number;
  folded: string;
  words: string;
  checksum: number | null;
};

/** The writing side of names. */
export class NameIndexWriter {
  readonly #sqlite: Database.Database;
  readonly #ofRecord: PreparedStatement<{ record: number }, NameRow>;
  readonly #insert: PreparedStatement<NameEntry, never>;
  readonly #delete: PreparedStatement<{ id: number }, never>;
  readonly #index: PreparedStatement<{ id: number; terms: string }, never>;
  readonly #unindex: PreparedStatement<{ id: number; terms: string }, never>;
  readonly #move: PreparedStatement<{ id: number; to: number }, never>;
  readonly #merge: PreparedStatement<{ pages: number }, never>;
  readonly #stale: PreparedStatement<{ limit: number }, { record_id: number; kind: Kind }>;
  readonly #markStale: PreparedStatement<{ record: number }, never>;
  readonly #settled: PreparedStatement<{ record: number }, never>;
  readonly #counts: Record<
    'artist' | 'venue' | 'festival' | 'label',
    PreparedStatement<{ id: number }, CountRow>
  >;
  /** What the full-text index still has to be told, once `startBuffering` was called: by row id what it has, and what it shall have. */
  #waiting: Map<number, { old: string | null; terms: string | null }> | null = null;
  /** New names of events, once `startBuffering` was called: no reference is resolved by them. */
  readonly #heldNames: TableBuffer;
  /** Records to be marked stale, once `startBuffering` was called; and some that were marked since the last `rerankStale`. */
  readonly #marks = new Set<number>();
  readonly #marked = new Set<number>();
  /** Called when names of a kind were written or moved; null: of any kind. */
  onChange: (kind: Kind | null) => void = () => {};

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#ofRecord = prepare(sqlite, (p) =>
      query
        .selectFrom('names')
        .select(['id', 'name', 'is_alias', 'terms'])
        .where('record_id', '=', p.record)
        .orderBy('id'),
    );
    this.#insert = prepare(sqlite, (p) =>
      query.insertInto('names').values({
        id: p.id,
        kind: p.kind,
        record_id: p.record_id,
        name: p.name,
        is_alias: p.is_alias,
        folded: p.folded,
        words: p.words,
        terms: p.terms,
        checksum: p.checksum,
      }),
    );
    this.#delete = prepare(sqlite, (p) => query.deleteFrom('names').where('id', '=', p.id));
    // Numbers are bound as REAL, which FTS5 does not take for a row id: it would pass over the row in silence.
    this.#index = prepare(
      sqlite,
      (p) => sql`insert into name_search (rowid, terms) values (cast(${p.id} as integer), ${p.terms})`,
    );
    this.#unindex = prepare(
      sqlite,
      (p) =>
        sql`insert into name_search (name_search, rowid, terms) values ('delete', cast(${p.id} as integer), ${p.terms})`,
    );
    this.#move = prepare(sqlite, (p) => query.updateTable('names').set({ id: p.to }).where('id', '=', p.id));
    this.#merge = prepare(
      sqlite,
      (p) => sql`insert into name_search (name_search, rank) values ('merge', cast(${p.pages} as integer))`,
    );
    this.#stale = prepare(sqlite, (p) =>
      query
        .selectFrom('stale_name_ranks as s')
        .innerJoin('records as r', 'r.id', 's.record_id')
        .select(['s.record_id', sql<Kind>`r.kind`.as('kind')])
        .orderBy('s.record_id')
        .limit(p.limit),
    );
    this.#markStale = prepare(
      sqlite,
      (p) => sql`insert into stale_name_ranks (record_id) values (${p.record}) on conflict do nothing`,
    );
    this.#settled = prepare(sqlite, (p) =>
      query.deleteFrom('stale_name_ranks').where('record_id', '=', p.record),
    );
    this.#counts = prepareProminenceCounts(sqlite);
    this.#heldNames = writeBufferOf(sqlite).table('names', ['id', ...columns], ['id', 'record_id']);
  }

  /**
   * From now on changes of the full-text index and marks wait until `flush`, which is to be called before each commit.
   * FTS5 ends a segment whenever a row id is lower than the one before: told in the order of row ids, it is three times
   * as fast.
   */
  startBuffering(): void {
    this.#waiting ??= new Map();
  }

  /** Writes what waits. To be called within the transaction that wrote the names. */
  flush(): void {
    const waiting = [...(this.#waiting ?? [])].sort(([a], [b]) => a - b);
    for (const [id, { old, terms }] of waiting) {
      if (old === terms) continue;
      if (old !== null) this.#unindex.run({ id, terms: old });
      if (terms !== null) this.#index.run({ id, terms });
    }
    this.#waiting?.clear();
    for (const record of this.#marks) this.#markStale.run({ record });
    this.#marks.clear();
  }

  /** What waits did not happen: it is undone. So may be what was marked before. */
  discard(): void {
    this.onChange(null);
    this.#waiting?.clear();
    this.#marks.clear();
    this.#marked.clear();
  }

  /**
   * Merges the full-text index into one segment, some pages at each call, in a transaction of its own, so that others
   * write in between. Worth it after a large import: every search then looks in one place instead of twenty.
   * @param isFirst the call that begins a merge of all segments; the others carry it on
   * @returns whether there is more to be merged
   */
  mergeSegments(isFirst: boolean, maxPages = pagesPerMerge): boolean {
    const changes = this.#sqlite.prepare('SELECT total_changes()').pluck();
    const before = changes.get() as number;
    this.#merge.run({ pages: isFirst ? -maxPages : maxPages });
    return (changes.get() as number) - before >= 2;
  }

  /**
   * Sets the name and aliases of a record and its place among all names; touches nothing that stays as it is.
   * `extraTerms` are words by which the record is found besides its names; with `isNew` it has no names yet. To be called
   * within a transaction.
   */
  write(
    kind: Kind,
    recordId: number,
    name: string,
    aliases: readonly string[],
    rank: NameRank,
    extraTerms = '',
    isNew = false,
  ): void {
    const rows = isNew ? [] : this.#rowsOf(recordId, kind === 'event');
    const before = new Map(rows.map((row) => [row.id, row]));
    const fresh: NameEntry[] = [];
    for (const entry of entries(kind, recordId, name, aliases, rank, extraTerms)) {
      const old = before.get(entry.id);
      if (old?.name === entry.name && old.terms === entry.terms) before.delete(entry.id);
      else fresh.push(entry);
    }
    if (before.size > 0 || fresh.length > 0) this.onChange(kind);
    for (const old of before.values()) this.#drop(old);
    for (const entry of fresh) {
      if (kind === 'event' && this.#waiting !== null) this.#heldNames.add(entry.id, valuesAfterId(entry));
      else this.#insert.run(entry);
      this.#setTerms(entry.id, entry.terms);
    }
  }

  /** Takes all names of a record away. To be called within a transaction. */
  remove(recordId: number): void {
    this.onChange(null);
    for (const row of this.#rowsOf(recordId)) this.#drop(row);
    this.#settled.run({ record: recordId });
  }

  /** Says that the record's prominence may have changed; `rerankStale` sees to it. */
  markStale(recordId: number): void {
    if (this.#marked.has(recordId)) return;
    if (this.#marked.size >= maxMarkedCache) this.#marked.clear();
    if (this.#waiting === null) this.#markStale.run({ record: recordId });
    else {
      this.#marked.add(recordId);
      this.#marks.add(recordId);
    }
  }

  /**
   * Puts up to `most` of the records marked stale where their prominence now belongs, in one transaction, and returns
   * how many were marked: less than `most` says that none is left.
   */
  rerankStale(
    limit = 1000,
    prominenceOf: (kind: Kind, recordId: number) => number = (kind, id) => this.prominence(kind, id),
  ): number {
    this.#marked.clear();
    return this.#sqlite.transaction(() => {
      const stale = this.#stale.all({ limit: limit });
      for (const { record_id: record, kind } of stale) {
        // An event's place is its date, which only writing the event changes.
        if (kind !== 'event' && isSearchableKind(kind)) this.#rank(record, prominenceOf(kind, record));
        this.#settled.run({ record });
      }
      return stale.length;
    })();
  }

  /** How much the catalogue holds of a record: events, editions, roster entries. */
  prominence(kind: Kind, recordId: number): number {
    if (!isSearchableKind(kind) || kind === 'event') return 0;
    writeBufferOf(this.#sqlite).flush();
    return this.#counts[kind].get({ id: recordId })?.count ?? 0;
  }

  #rank(recordId: number, prominence: number): void {
    const rows = this.#rowsOf(recordId);
    const { first } = rowIdRange(recordId, { prominence });
    if (rows[0] === undefined || Math.abs(rows[0].id - first) < 256) return;
    this.onChange(null);
    for (const { id, terms } of rows) {
      const to = first + (id % 256);
      this.#move.run({ id, to });
      this.#clearTerms(id, terms);
      this.#setTerms(to, terms);
    }
  }

  #rowsOf(record: number, mayWait = true): NameRow[] {
    if (mayWait) this.#heldNames.flush();
    return this.#ofRecord.all({ record });
  }

  #drop({ id, terms }: NameRow): void {
    this.#clearTerms(id, terms);
    this.#delete.run({ id });
  }

  #setTerms(id: number, terms: string): void {
    if (terms === '') return;
    if (this.#waiting) this.#waiting.set(id, { old: this.#waiting.get(id)?.old ?? null, terms });
    else this.#index.run({ id, terms });
  }

  #clearTerms(id: number, terms: string): void {
    if (terms === '') return;
    const known = this.#waiting?.get(id);
    if (known) known.terms = null;
    else if (this.#waiting) this.#waiting.set(id, { old: terms, terms: null });
    else this.#unindex.run({ id, terms });
  }
}

const columns = ['kind', 'record_id', 'name', 'is_alias', 'folded', 'words', 'terms', 'checksum'] as const;
const valuesAfterId = (entry: NameEntry): SqlValue[] => columns.map((column) => entry[column]);

/** The rows that a record should have. */
function entries(
  kind: Kind,
  recordId: number,
  name: string,
  aliases: readonly string[],
  rank: NameRank,
  extraTerms: string,
): NameEntry[] {
  const searched = isSearchableKind(kind);
  const { first, room } = rowIdRange(recordId, searched ? rank : { prominence: 0 });
  const all = [...new Set([name, ...aliases])].filter((one) => one.trim() !== '').slice(0, room);
  return all.map((one, position) => {
    const more = position === 0 && extraTerms !== '' ? ` ${normalizeForSearch(extraTerms)}` : '';
    const words = normalizeForSearch(one);
    const isAlias = position === 0 ? 0 : 1;
    const terms = searched ? (indexTerms(one, words) + more).trim() : '';
    return {
      id: first + position,
      kind,
      record_id: recordId,
      name: one,
      is_alias: isAlias,
      folded: fold(one),
      words,
      terms,
      checksum: checksumOf(one, isAlias, words, terms),
    };
  });
}

type CountRow = { count: number };

/** What prominence is, by kind. */
function prepareProminenceCounts(sqlite: Database.Database) {
  const counting = (build: (id: number) => ReturnType<typeof sql<number>>) =>
    prepare<{ id: number }, CountRow>(sqlite, (p) => sql<CountRow>`select ${build(p.id)} as count`);
  return {
    artist: counting(
      (id) => sql`(select count(*) from event_artists where artist_id = ${id})
        + (select count(*) from lineups l join editions d on d.id = l.record_id where l.artist_id = ${id})
        + (select count(*) from label_artists where artist_id = ${id})`,
    ),
    venue: counting(
      (id) => sql`(select count(*) from events where venue_id = ${id})
        + (select count(*) from editions where venue_id = ${id})`,
    ),
    festival: counting(
      (id) => sql`3 * (select count(*) from editions where festival_id = ${id})
        + (select count(*) from editions d join lineups l on l.record_id = d.id where d.festival_id = ${id}) / 50`,
    ),
    label: counting(
      (id) => sql`(select count(*) from label_artists where label_id = ${id})
        + (select count(*) from labels where parent_id = ${id})`,
    ),
  };
}

/** The writing side of the names in the data file. */
export const openNameIndexWriter = (sqlite: Database.Database): NameIndexWriter =>
  new NameIndexWriter(sqlite);
