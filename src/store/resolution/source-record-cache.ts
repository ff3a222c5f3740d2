/**
 * Keeps the source records of recently read records in memory: a new source record is compared with the same few
 * hundred ones as the one before it.
 */
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../memoize.ts';
import type { SourceStatementRow } from './source-record-rows.ts';

/** Maximum number of records and of characters, of all and of one record. */
const maxRecords = 4_000;
const maxChars = 8_000_000;
const maxCharsPerRecord = 1_000_000;

/**
 * The cache of one connection. Everything that writes source records or sources must call `forget` or `clear`. What an
 * open transaction wrote is not kept before it is committed, so a rollback leaves nothing outdated.
 */
export class SourceRecordCache {
  readonly #sqlite: Database.Database;
  readonly #rows = new LRUCache<number, readonly SourceStatementRow[]>({
    maxSize: maxChars,
    maxEntrySize: maxCharsPerRecord,
    // Each record counts as much as an average one at least, so that their number is limited too.
    sizeCalculation: (rows) =>
      rows.reduce((sum, { content }) => sum + content.length, Math.floor(maxChars / maxRecords)),
  });
  /** Records that the open transaction wrote, or whether it may have written any. */
  readonly #uncommitted = new Set<number>();
  #isAllUncommitted = false;
  readonly #dataVersion: Database.Statement;
  #version: unknown = null;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#dataVersion = sqlite.prepare('PRAGMA data_version').pluck();
  }

  /** Clears the cache if another connection committed. Call it before the work on each source record. */
  refresh(): void {
    // If another connection committed by now, the next call clears the rows that are read until then.
    if (this.#rows.size === 0 && this.#version !== null) return;
    const version = this.#dataVersion.get();
    if (version === this.#version) return;
    this.#rows.clear();
    this.#version = version;
  }

  /** The source records of a record; the same array as before if none of them changed. */
  of(record: number, read: () => readonly SourceStatementRow[]): readonly SourceStatementRow[] {
    const cached = this.#rows.get(record);
    if (cached !== undefined) return cached;
    const rows = read();
    if (!this.#isAllUncommitted && !this.#uncommitted.has(record)) this.#rows.set(record, rows);
    return rows;
  }

  /** The source records of a record if they are in memory and still the stored ones; undefined otherwise. */
  peek(record: number): readonly SourceStatementRow[] | undefined {
    this.refresh();
    return this.#rows.get(record);
  }

  /** Must be called after source records of a record were written, moved or deleted. */
  forget(record: number): void {
    this.#rows.delete(record);
    // Also outside of a transaction: asking for it takes longer.
    this.#uncommitted.add(record);
  }

  /** Must be called after source records of unknown records, or sources, were written. */
  clear(): void {
    this.#rows.clear();
    if (this.#sqlite.inTransaction) this.#isAllUncommitted = true;
  }

  /** Must be called after the transaction was committed. */
  onCommitted(): void {
    this.#uncommitted.clear();
    this.#isAllUncommitted = false;
  }
}

const caches = new WeakMap<Database.Database, SourceRecordCache>();

/** The cache of a connection. */
export const sourceRecordCacheOf = (sqlite: Database.Database): SourceRecordCache =>
  getOrCreate(caches, sqlite, () => new SourceRecordCache(sqlite));
