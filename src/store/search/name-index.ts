/**
 * The index of record names for search. Row ids are in the order of rank, so the first rows of a full-text match
 * are the best ones.
 */

import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { type TableBuffer, writeBufferOf } from '../records/write-buffer.ts';
import { type PreparedStatement, prepare, query, SqliteStore } from '../statement.ts';
import type { SqlValue } from '../values.ts';
import { indexTerms } from './index-terms.ts';
import { type NameRank, rowIdRange } from './row-ids.ts';

/** The kinds that search covers; names of other kinds only resolve references. */
export const searchableKinds = ['artist', 'event', 'festival', 'venue', 'label'] as const;
export type SearchableKind = (typeof searchableKinds)[number];
/** Whether names of the kind are in the full-text index. */
export const isSearchableKind = (kind: Kind): kind is SearchableKind =>
  (searchableKinds as readonly Kind[]).includes(kind);

/** Maximum number of recently marked records in memory, which avoids marking them again. */
const maxMarkedCache = 50_000;
/** Pages of the full-text index merged per call, and at least at each flush: about a millisecond. */
const pagesPerMerge = 16;
/** Pages merged at a flush for each changed row. A row takes 1/40 of a page, on each of up to five levels. */
const pagesPerRow = 1 / 4;
/** Minimum size of all other segments, as a share of the largest one, at which all are merged. */
const minMergedShare = 1 / 16;

type NameRow = { id: number; name: string; is_alias: 0 | 1; terms: string };
type NameEntry = NameRow & {
  kind: Kind;
  record_id: number;
  folded: string;
  words: string;
  checksum: number | null;
};

/** Names of one record that were written or deleted. `added`: those of a record that had none; else null. */
export type ChangedNames = {
  kind: Kind;
  record: number;
  names: readonly string[];
  added: readonly Pick<NameEntry, 'name' | 'folded' | 'is_alias'>[] | null;
};

/** Writes names and the full-text index. */
export class NameIndexWriter extends SqliteStore {
  /** Buffered changes of the full-text index after `startBuffering`: the old and new terms by row id. */
  #buffered: Map<number, { old: string | null; terms: string | null }> | null = null;
  /** Events whose names were buffered since the last flush of those. */
  readonly #bufferedEvents = new Set<number>();
  /** Records to mark stale at the next flush, and those marked since the last `rerankStale`. */
  readonly #newMarks = new Set<number>();
  readonly #recentMarks = new Set<number>();
  /** Called when these names of a kind were written, or with null when any names may have changed. */
  onChange: (changed: ChangedNames | null) => void = () => {};
  readonly #ofRecord = prepare<{ record: number }, NameRow>(this.sqlite, (p) =>
    query
      .selectFrom('names')
      .select(['id', 'name', 'is_alias', 'terms'])
      .where('record_id', '=', p.record)
      .orderBy('id'),
  );
  readonly #insert = prepare<NameEntry, never>(this.sqlite, (p) =>
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
  readonly #delete = prepare<{ id: number }, never>(this.sqlite, (p) =>
    query.deleteFrom('names').where('id', '=', p.id),
  );
  // Numbers are bound as REAL. FTS5 does not accept that as a row id and would silently skip the row.
  readonly #index = prepare<{ id: number; terms: string }, never>(
    this.sqlite,
    (p) => sql`insert into name_search (rowid, terms) values (cast(${p.id} as integer), ${p.terms})`,
  );
  readonly #unindex = prepare<{ id: number; terms: string }, never>(
    this.sqlite,
    (p) =>
      sql`insert into name_search (name_search, rowid, terms) values ('delete', cast(${p.id} as integer), ${p.terms})`,
  );
  readonly #move = prepare<{ id: number; to: number }, never>(this.sqlite, (p) =>
    query.updateTable('names').set({ id: p.to }).where('id', '=', p.id),
  );
  readonly #merge = prepare<{ pages: number }, never>(
    this.sqlite,
    (p) => sql`insert into name_search (name_search, rank) values ('merge', cast(${p.pages} as integer))`,
  );
  readonly #automerge = prepare<unknown, { v: number }>(
    this.sqlite,
    () => sql`select v from name_search_config where k = 'automerge'`,
  );
  readonly #disableAutomerge = prepare<unknown, never>(
    this.sqlite,
    () => sql`insert into name_search (name_search, rank) values ('automerge', 0)`,
  );
  // The table has a row for each page of each segment.
  readonly #segmentSizes = prepare<unknown, { pages: number }>(
    this.sqlite,
    () => sql`select count(*) as pages from name_search_idx group by segid`,
  );
  readonly #stale = prepare<{ limit: number }, { record_id: number; kind: Kind }>(this.sqlite, (p) =>
    query
      .selectFrom('stale_name_ranks as s')
      .innerJoin('records as r', 'r.id', 's.record_id')
      .select(['s.record_id', sql<Kind>`r.kind`.as('kind')])
      .orderBy('s.record_id')
      .limit(p.limit),
  );
  readonly #markStale = prepare<{ record: number }, never>(
    this.sqlite,
    (p) => sql`insert into stale_name_ranks (record_id) values (${p.record}) on conflict do nothing`,
  );
  readonly #clearStale = prepare<{ record: number }, never>(this.sqlite, (p) =>
    query.deleteFrom('stale_name_ranks').where('record_id', '=', p.record),
  );
  readonly #counts: Record<
    'artist' | 'venue' | 'festival' | 'label',
    PreparedStatement<{ id: number }, CountRow>
  > = prepareProminenceCounts(this.sqlite);
  /** Buffered new names of events after `startBuffering`; they resolve no references. */
  readonly #bufferedNames: TableBuffer = writeBufferOf(this.sqlite).table(
    'names',
    ['id', ...columns],
    ['id', 'record_id'],
  );

  /**
   * Buffers changes of the full-text index and stale marks until `flush`, which must be called before each
   * commit. FTS5 ends a segment whenever a row id is lower than the previous one; sorted by row id, changes are
   * three times as fast.
   */
  startBuffering(): void {
    this.#buffered ??= new Map();
  }

  /** Writes the buffered changes. Call it within the transaction that wrote the names. */
  flush(): void {
    const buffered = this.#buffered ?? new Map<number, { old: string | null; terms: string | null }>();
    for (const id of Float64Array.from(buffered.keys()).sort()) {
      const { old, terms } = buffered.get(id) as { old: string | null; terms: string | null };
      if (old === terms) continue;
      if (old !== null) this.#unindex.run({ id, terms: old });
      if (terms !== null) this.#index.run({ id, terms });
    }
    this.#mergeSome(buffered.size);
    this.#buffered?.clear();
    this.#bufferedNames.flush();
    this.#bufferedEvents.clear();
    for (const record of this.#newMarks) this.#markStale.run({ record });
    this.#newMarks.clear();
  }

  /**
   * Merges segments after changes of some rows. FTS5's own merging is switched off: it merges 64 pages on each level in
   * some commits, and the file is locked for 10 ms.
   */
  #mergeSome(rows: number): void {
    if (rows === 0) return;
    if (this.#automerge.get({})?.v !== 0) this.#disableAutomerge.run({});
    this.#merge.run({ pages: Math.max(pagesPerMerge, Math.round(rows * pagesPerRow)) });
  }

  /** Discards the buffered changes after a rollback, and the memory of recent marks. */
  discard(): void {
    this.onChange(null);
    this.#buffered?.clear();
    this.#bufferedEvents.clear();
    this.#newMarks.clear();
    this.#recentMarks.clear();
  }

  /**
   * Whether searches would read noticeably less in an index of one segment. A search looks for each of its words in
   * each segment. A merge writes the whole index, so small segments beside a large one stay.
   */
  isFragmented(): boolean {
    const sizes = this.#segmentSizes.all({}).map(({ pages }) => pages);
    const largest = Math.max(0, ...sizes);
    const others = sizes.reduce((sum, pages) => sum + pages, -largest);
    return others > 0 && others >= largest * minMergedShare;
  }

  /**
   * Merges the full-text index into one segment, some pages per call. Each call has its own transaction, so that
   * other writers can run in between.
   * @param isFirst starts a merge of all segments; later calls continue it
   * @returns whether there is more to merge
   */
  mergeSegments(isFirst: boolean, maxPages = pagesPerMerge): boolean {
    const changes = this.sqlite.prepare('SELECT total_changes()').pluck();
    const before = changes.get() as number;
    this.#merge.run({ pages: isFirst ? -maxPages : maxPages });
    return (changes.get() as number) - before >= 2;
  }

  /**
   * Sets the name, aliases and rank of a record; unchanged rows are not written. `extraTerms` are further words
   * that find the record. With `isNew` it has no names yet. Call it within a transaction.
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
    const rows = isNew ? [] : this.#rowsOf(recordId);
    const before = new Map(rows.map((row) => [row.id, row]));
    const newEntries: NameEntry[] = [];
    for (const entry of entries(kind, recordId, name, aliases, rank, extraTerms)) {
      const old = before.get(entry.id);
      if (old?.name === entry.name && old.terms === entry.terms) before.delete(entry.id);
      else newEntries.push(entry);
    }
    const changed = [...before.values(), ...newEntries];
    if (changed.length > 0) {
      const added = isNew ? newEntries : null;
      this.onChange({ kind, record: recordId, names: changed.map((row) => row.name), added });
    }
    for (const old of before.values()) this.#deleteRow(old);
    for (const entry of newEntries) {
      if (kind === 'event' && this.#buffered !== null) this.#buffer(entry);
      else this.#insert.run(entry);
      this.#setTerms(entry.id, entry.terms);
    }
  }

  /** Removes all names of a record. Call it within a transaction. */
  remove(recordId: number): void {
    this.onChange(null);
    for (const row of this.#rowsOf(recordId)) this.#deleteRow(row);
    this.#clearStale.run({ record: recordId });
  }

  /** Marks that the record's prominence may have changed; `rerankStale` updates its rank. */
  markStale(recordId: number): void {
    if (this.#recentMarks.has(recordId)) return;
    if (this.#recentMarks.size >= maxMarkedCache) this.#recentMarks.clear();
    if (this.#buffered === null) this.#markStale.run({ record: recordId });
    else {
      this.#recentMarks.add(recordId);
      this.#newMarks.add(recordId);
    }
  }

  /**
   * Updates the rank of up to `limit` stale records in one transaction. Returns how many were stale; fewer than
   * `limit` means that none is left.
   */
  rerankStale(
    limit = 1000,
    prominenceOf: (kind: Kind, recordId: number) => number = (kind, id) => this.prominence(kind, id),
  ): number {
    this.#recentMarks.clear();
    return this.sqlite.transaction(() => {
      const stale = this.#stale.all({ limit: limit });
      for (const { record_id: record, kind } of stale) {
        // The rank of an event is its date, which changes only when the event is written.
        if (kind !== 'event' && isSearchableKind(kind)) this.#rank(record, prominenceOf(kind, record));
        this.#clearStale.run({ record });
      }
      return stale.length;
    })();
  }

  /** The prominence of a record: a weighted count of what refers to it. */
  prominence(kind: Kind, recordId: number): number {
    if (!isSearchableKind(kind) || kind === 'event') return 0;
    writeBufferOf(this.sqlite).flush();
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

  #buffer(entry: NameEntry): void {
    this.#bufferedNames.add(entry.id, valuesAfterId(entry));
    this.#bufferedEvents.add(entry.record_id);
  }

  #rowsOf(record: number): NameRow[] {
    if (this.#bufferedEvents.has(record)) {
      this.#bufferedNames.flush();
      this.#bufferedEvents.clear();
    }
    return this.#ofRecord.all({ record });
  }

  #deleteRow({ id, terms }: NameRow): void {
    this.#clearTerms(id, terms);
    this.#delete.run({ id });
  }

  #setTerms(id: number, terms: string): void {
    if (terms === '') return;
    if (this.#buffered) this.#buffered.set(id, { old: this.#buffered.get(id)?.old ?? null, terms });
    else this.#index.run({ id, terms });
  }

  #clearTerms(id: number, terms: string): void {
    if (terms === '') return;
    const change = this.#buffered?.get(id);
    if (change) change.terms = null;
    else if (this.#buffered) this.#buffered.set(id, { old: terms, terms: null });
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

/** Queries that compute the prominence, by kind. */
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

/** Opens a writer of the names in the data file. */
export const openNameIndexWriter = (sqlite: Database.Database): NameIndexWriter =>
  new NameIndexWriter(sqlite);
