/**
 * The records that an editor hid, deleted or forgot, and those that no source lists any more (docs/decisions/17-removals.md).
 * They have no row in the table of their kind. Names and ids of sources still resolve to them, so that imports do not
 * create them again.
 */

import type { Kind } from '../../contract/fields.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { parseAliases } from '../records/serialize.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';
import type { SavedRow } from '../values.ts';

/** A record that has a name, as its primary name or as an alias, and its place. */
export type NameMatch = { id: number; is_alias: number; country: string | null; city_id: number | null };

export type RemovalState = 'hidden' | 'deleted' | 'forgotten';
/** What is kept of a record: its row, and the record that it was removed with (the festival of an edition). */
export type SavedRecord = { row: SavedRow | null; parent: number | null };
/** Parses the column `saved`. */
export const parseSaved = (saved: string): SavedRecord => JSON.parse(saved);
export type RemovedRecord = {
  id: number;
  kind: Kind;
  state: RemovalState;
  slug: string;
  name: string;
  saved: SavedRecord;
  reason: string | null;
  removedBy: string;
  removedTs: number;
};
/** Selects removed records. Members that are left out do not restrict. */
export type RemovedFilter = {
  id?: number | undefined;
  kind?: Kind | undefined;
  state?: RemovalState | undefined;
  /** Only records removed before this time (ms), for the next page. */
  beforeTs?: number | undefined;
  limit: number;
};
/** `parts`: the number of editions or episodes that were removed with it. */
export type ListedRemoval = RemovedRecord & { parts: number };

type RemovedRow = Row<'removed_records'> & { kind: Kind; state: RemovalState };

/** The prefix of `removed_by` if no person decided: a new listing brings the record back. */
const automaticPrefix = 'source:';
/** The value of `removed_by` for a record that its last source no longer lists. */
export const removedBySource = (source: string): string => `${automaticPrefix}${source}`;
const isAutomatic = (removedBy: string): boolean => removedBy.startsWith(automaticPrefix);

/**
 * Stores removed records, and finds them by id, name and words in memory. A write of this object reads all of them
 * again at the next look-up; after writes of others, call `reload`.
 */
export class RemovedRecords extends SqliteStore {
  #index: RemovedIndex | null = null;
  #hasBlocked: boolean | null = null;
  /** The record that is being rebuilt: it names the removed records that are resolved meanwhile. */
  rebuilding: number | null = null;
  readonly #all = this.sqlite.prepare<unknown[], RemovedRow>(
    "SELECT record_id, kind, state, slug, name, CASE kind WHEN 'event' THEN NULL ELSE saved END AS saved, NULL AS reason, removed_by, removed_ts FROM removed_records",
  );
  readonly #one = this.sqlite.prepare<unknown[], RemovedRow>(
    'SELECT * FROM removed_records WHERE record_id = ?',
  );
  readonly #insert = this.sqlite.prepare(
    `INSERT OR REPLACE INTO removed_records (record_id, kind, state, slug, name, saved, reason, removed_by, removed_ts)
     VALUES (@record_id, @kind, @state, @slug, @name, @saved, @reason, @removed_by, @removed_ts)`,
  );
  readonly #delete = this.sqlite.prepare('DELETE FROM removed_records WHERE record_id = ?');
  readonly #addReference = this.sqlite.prepare(
    'INSERT OR IGNORE INTO removed_references (removed_id, record_id) VALUES (?, ?)',
  );
  readonly #markReferences = this.sqlite.prepare(
    'INSERT OR IGNORE INTO stale_records (record_id) SELECT record_id FROM removed_references WHERE removed_id = ?',
  );
  readonly #deleteReferences = this.sqlite.prepare('DELETE FROM removed_references WHERE removed_id = ?');
  readonly #block = this.sqlite.prepare(
    'INSERT OR REPLACE INTO blocked_source_records (kind, source, external_id, record_id) VALUES (?, ?, ?, ?)',
  );
  readonly #unblock = this.sqlite.prepare('DELETE FROM blocked_source_records WHERE record_id = ?');
  readonly #blocked = prepareValue<number>(
    this.sqlite,
    'SELECT record_id FROM blocked_source_records WHERE kind = ? AND source = ? AND external_id = ?',
  );
  readonly #anyBlocked = this.sqlite.prepare('SELECT 1 FROM blocked_source_records LIMIT 1').pluck();

  /** Clears the cache. Call it after another process wrote, or after a rollback. */
  reload(): void {
    this.#index = null;
    this.#hasBlocked = null;
  }

  get #records(): RemovedIndex {
    this.#index ??= new RemovedIndex(this.#all.all().map(toRemovedRecord));
    return this.#index;
  }

  /** Whether the record is removed. */
  has(id: number): boolean {
    return this.#records.byId.has(id);
  }

  /** Whether a person removed the record, so that imports leave it and its source records as they are. */
  isFixed(id: number | null): boolean {
    if (id === null) return false;
    const record = this.#records.byId.get(id);
    return record !== undefined && !isAutomatic(record.removedBy);
  }

  /**
   * The source records of a record that a person removed are not merged with those of other records; undefined if
   * neither belongs to one.
   */
  decisionOf(a: { record: number | null }, b: { record: number | null }): 'different' | undefined {
    if (a.record === b.record || a.record === null || b.record === null) return undefined;
    return this.isFixed(a.record) || this.isFixed(b.record) ? 'different' : undefined;
  }

  /** Whether the record was removed because no source listed it any more. */
  isUnlisted(id: number): boolean {
    const record = this.#records.byId.get(id);
    return record !== undefined && isAutomatic(record.removedBy);
  }

  isForgotten(id: number): boolean {
    return this.#records.byId.get(id)?.state === 'forgotten';
  }

  /** The row that the record had; undefined if it is not removed or nothing is kept of it. */
  rowOf(id: number): SavedRow | undefined {
    return this.#records.byId.get(id)?.saved.row ?? undefined;
  }

  /** The removed record with all that is stored about it. */
  find(id: number): RemovedRecord | null {
    const row = this.#one.get(id);
    return row === undefined ? null : toRemovedRecord(row);
  }

  /** The removed records of a kind with this folded name or alias. */
  byName(kind: Kind, folded: string): readonly NameMatch[] {
    return this.#records.byName.get(nameKey(kind, folded)) ?? [];
  }

  /** The removed records of a kind whose name (not alias) has these words. */
  byWords(kind: Kind, words: string): readonly number[] {
    return this.#records.byWords.get(nameKey(kind, words)) ?? [];
  }

  /** The removed edition of a festival. */
  edition(festival: number, edition: string): number | null {
    return this.#records.parts.get(nameKey('edition', `${festival}\0${edition}`))?.[0] ?? null;
  }

  /** The removed episodes of a podcast with this folded name. */
  episodes(podcast: number, folded: string): readonly number[] {
    return this.#records.parts.get(nameKey('episode', `${podcast}\0${folded}`)) ?? [];
  }

  /** The records that were removed together with this one: the editions of a festival, the episodes of a podcast. */
  removedWith(id: number): number[] {
    return [...this.#records.byId.values()]
      .filter(({ saved }) => saved.parent === id)
      .map((record) => record.id);
  }

  /** Removed records, the latest first, without those that were removed together with another one. */
  list({ id, kind, state, beforeTs, limit }: RemovedFilter): ListedRemoval[] {
    const rows = this.sqlite
      .prepare<unknown[], RemovedRow & { parts: number }>(
        `SELECT m.*, (SELECT count(*) FROM removed_records p WHERE json_extract(p.saved, '$.parent') = m.record_id) AS parts
         FROM removed_records m
         WHERE json_extract(m.saved, '$.parent') IS NULL AND (@id IS NULL OR m.record_id = @id) AND (@kind IS NULL OR m.kind = @kind)
           AND (@state IS NULL OR m.state = @state) AND (@beforeTs IS NULL OR m.removed_ts < @beforeTs)
         ORDER BY m.removed_ts DESC, m.record_id DESC LIMIT @limit`,
      )
      .all({ id: id ?? null, kind: kind ?? null, state: state ?? null, beforeTs: beforeTs ?? null, limit });
    return rows.map(({ parts, ...row }) => ({ ...toRemovedRecord(row), parts }));
  }

  /** The number of removed records by state. */
  counts(): Partial<Record<RemovalState, number>> {
    const rows = this.sqlite
      .prepare('SELECT state, count(*) FROM removed_records GROUP BY state')
      .raw()
      .all();
    return Object.fromEntries(rows as [RemovalState, number][]);
  }

  /** Notes that the record being rebuilt names a removed record. */
  noteReference(removedId: number): void {
    if (this.rebuilding !== null) this.#addReference.run(removedId, this.rebuilding);
  }

  /** Notes that records name a removed record. */
  addReferences(removedId: number, records: readonly number[]): void {
    for (const id of records) this.#addReference.run(removedId, id);
  }

  /** Marks the records that name a removed record to be recomputed, and forgets that they do. */
  releaseReferences(removedId: number): void {
    this.#markReferences.run(removedId);
    this.#deleteReferences.run(removedId);
  }

  /** Adds a removal, or replaces that of the same record. */
  save(record: RemovedRecord): void {
    this.#insert.run({
      record_id: record.id,
      kind: record.kind,
      state: record.state,
      slug: record.slug,
      name: record.name,
      saved: JSON.stringify(record.saved),
      reason: record.reason,
      removed_by: record.removedBy,
      removed_ts: record.removedTs,
    });
    this.reload();
  }

  /** Deletes the removal and the block list of a record. */
  delete(id: number): void {
    this.#delete.run(id);
    this.#unblock.run(id);
    this.reload();
  }

  /** Adds an identity to the block list. */
  block(kind: Kind, source: string, externalId: string, record: number): void {
    this.#block.run(kind, source, externalId, record);
    this.#hasBlocked = true;
  }

  /** The removed record that has this identity at a source; null if none has. */
  blockedRecord(kind: Kind, source: string, externalId: string): number | null {
    this.#hasBlocked ??= this.#anyBlocked.get() !== undefined;
    if (!this.#hasBlocked) return null;
    return this.#blocked.get(kind, source, externalId) ?? null;
  }

  /** Moves the removal of a merged record to the survivor: its references are resolved again. */
  merge(from: number, into: number): void {
    this.releaseReferences(from);
    this.#delete.run(from);
    this.sqlite
      .prepare('UPDATE blocked_source_records SET record_id = ? WHERE record_id = ?')
      .run(into, from);
    this.reload();
  }
}

const toRemovedRecord = (row: RemovedRow): RemovedRecord => ({
  id: row.record_id,
  kind: row.kind,
  state: row.state,
  slug: row.slug,
  name: row.name,
  saved: row.saved === null ? { row: null, parent: null } : parseSaved(row.saved),
  reason: row.reason,
  removedBy: row.removed_by,
  removedTs: row.removed_ts,
});

const nameKey = (kind: Kind, text: string): string => `${kind}\0${text}`;

/** The removed records in memory, by id and name. */
class RemovedIndex {
  readonly byId = new Map<number, RemovedRecord>();
  readonly byName = new Map<string, NameMatch[]>();
  readonly byWords = new Map<string, number[]>();
  readonly parts = new Map<string, number[]>();

  constructor(records: readonly RemovedRecord[]) {
    for (const record of records) this.#add(record);
  }

  #add(record: RemovedRecord): void {
    const { id, kind } = record;
    this.byId.set(id, record);
    const { row } = record.saved;
    if (row === null) return;
    if (kind === 'edition') addTo(this.parts, nameKey(kind, `${row.festival_id}\0${row.edition}`), id);
    if (kind === 'episode') addTo(this.parts, nameKey(kind, `${row.podcast_id}\0${row.folded}`), id);
    const { name = '', aliases, country = null, city_id = null } = row;
    if (aliases === undefined) return;
    const place = { country, city_id };
    const names = new Set([name, ...parseAliases(aliases)].map(fold));
    for (const folded of names)
      addTo(this.byName, nameKey(kind, folded), { id, is_alias: folded === row.folded ? 0 : 1, ...place });
    addTo(this.byWords, nameKey(kind, normalizeForSearch(name)), id);
  }
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
