/** Child rows of a record: its line-up, its tickets, its index rows for lists. */

import type Database from 'better-sqlite3';
import { checksumColumns, orderedRowChecksum } from '../integrity/checksums.ts';
import { SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';
import type { SqlValue } from '../values.ts';
import { mapKeys } from '../values.ts';
import { type TableBuffer, writeBufferOf } from './write-buffer.ts';

/** Columns by table: first the owner, then the others in order. */
const childColumns = {
  lineups: [
    ...(['record_id', 'position', 'artist_id', 'billing', 'stage', 'set_start_at', 'set_end_at'] as const),
    'set_position',
  ],
  tickets: ['record_id', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'],
  event_artists: ['event_id', 'artist_id', 'start_ts', 'start_date', 'ends_ts'],
  event_genres: ['event_id', 'genre_id', 'start_ts', 'start_date', 'ends_ts', 'is_direct'],
  event_places: [
    'event_id',
    'cell',
    'region',
    'start_ts',
    'start_date',
    'ends_ts',
    'latitude',
    'longitude',
    'status',
    'has_tickets',
    'country',
  ],
  event_sales: ['event_id', 'start_ts', 'start_date', 'ends_ts'],
  artist_genres: ['artist_id', 'genre_id', 'is_direct'],
  festival_genres: ['festival_id', 'genre_id'],
  label_artists: ['label_id', 'artist_id'],
  episode_artists: ['episode_id', 'position', 'artist_id'],
  tracks: [
    'episode_id',
    'position',
    'start_seconds',
    'artist_name',
    'title',
    'label_name',
    'label_id',
    'identified',
  ],
  track_artists: ['episode_id', 'position', 'ordinal', 'artist_id'],
} as const;
export type ChildTable = keyof typeof childColumns;

type RestOf<Columns> = Columns extends readonly [unknown, ...infer Rest] ? Rest : never;
type ValuesOf<T extends ChildTable, Columns> = {
  [At in keyof Columns]: Columns[At] extends keyof Row<T> ? Row<T>[Columns[At]] : never;
};
/** A child row: the values of its columns in order, without the owner. */
export type ChildRow<T extends ChildTable> = Extract<
  ValuesOf<T, RestOf<(typeof childColumns)[T]>>,
  SqlValue[]
>;

/**
 * Tables with very many rows, and the columns that buffered rows are sorted by before the insert: those of the
 * index that would otherwise be accessed at random. Null: no sort.
 */
const insertOrders: Partial<Record<ChildTable, readonly [string, string] | null>> = {
  tickets: null,
  lineups: ['artist_id', 'record_id'],
  event_artists: ['artist_id', 'start_ts'],
  event_genres: ['genre_id', 'start_ts'],
  event_places: ['cell', 'start_ts'],
  event_sales: null,
};

/** The child rows of one table. Rows lack the owner column. */
class ChildTableRows {
  readonly #all: Database.Statement;
  readonly #clear: Database.Statement;
  readonly #buffer: TableBuffer;
  readonly #isBuffered: boolean;
  /** Computes the checksum of a row; null if the table has none. */
  readonly #checksum: ((owner: SqlValue, row: readonly SqlValue[]) => number | null) | null;
  /** The records with buffered rows. */
  readonly #owners = new Set<number>();

  constructor(sqlite: Database.Database, table: ChildTable) {
    const [owner, ...rest] = childColumns[table];
    this.#all = sqlite.prepare(`SELECT ${rest.join(', ')} FROM ${table} WHERE ${owner} = ?`).raw();
    this.#clear = sqlite.prepare(`DELETE FROM ${table} WHERE ${owner} = ?`);
    this.#checksum = table in checksumColumns ? orderedRowChecksum(table, childColumns[table]) : null;
    const columns = this.#checksum === null ? childColumns[table] : [...childColumns[table], 'checksum'];
    this.#buffer = writeBufferOf(sqlite).table(table, columns, insertOrders[table] ?? null);
    this.#isBuffered = insertOrders[table] !== undefined;
  }

  all(owner: number): SqlValue[][] {
    this.#flushIfBuffered(owner);
    return this.#all.all(owner) as SqlValue[][];
  }

  clear(owner: number): void {
    this.#flushIfBuffered(owner);
    this.#clear.run(owner);
  }

  insert(owner: number, rows: readonly SqlValue[][]): void {
    if (this.#buffer.size === 0) this.#owners.clear();
    for (const row of rows) {
      if (this.#checksum === null) this.#buffer.add(owner, row);
      else this.#buffer.add(owner, row, this.#checksum(owner, row));
    }
    if (this.#isBuffered) this.#owners.add(owner);
    else this.#buffer.flush();
  }

  /** Flushes the buffer if it holds rows of this record. */
  #flushIfBuffered(owner: number): void {
    if (this.#buffer.size > 0 && this.#owners.has(owner)) this.#buffer.flush();
  }
}

/** The child rows of every table. */
export class ChildRows extends SqliteStore {
  readonly #tables = mapKeys(
    Object.keys(childColumns) as ChildTable[],
    (table) => new ChildTableRows(this.sqlite, table),
  );

  /** The child rows of a record. */
  rowsOf<T extends ChildTable>(table: T, owner: number): ChildRow<T>[] {
    return this.#tables[table].all(owner) as ChildRow<T>[];
  }

  /** Replaces the child rows of a record. */
  replace(table: ChildTable, owner: number, rows: readonly SqlValue[][]): void {
    this.#tables[table].clear(owner);
    this.add(table, owner, rows);
  }

  /**
   * Replaces the present rows of a record if others are to be stored. `beforeChange` runs while old rows still exist.
   * @returns whether they differed
   */
  save(
    table: ChildTable,
    owner: number,
    {
      present,
      rows,
      beforeChange,
    }: {
      present: readonly SqlValue[][];
      rows: readonly SqlValue[][];
      beforeChange?: (() => void) | undefined;
    },
  ): boolean {
    if (haveSameRows(present, rows)) return false;
    if (present.length === 0) this.add(table, owner, rows);
    else {
      beforeChange?.();
      this.replace(table, owner, rows);
    }
    return true;
  }

  /** Adds rows to a record that has none. */
  add(table: ChildTable, owner: number, rows: readonly SqlValue[][]): void {
    this.#tables[table].insert(owner, rows);
  }
}

/** Whether two sets of rows are equal, in any order. */
export function haveSameRows(a: readonly SqlValue[][], b: readonly SqlValue[][]): boolean {
  if (a.length !== b.length) return false;
  // Most rows are read in the order in which they were written.
  if (a.every((row, at) => isSameRow(row, b[at] as SqlValue[]))) return true;
  const texts = new Set(a.map((row) => JSON.stringify(row)));
  return b.every((row) => texts.has(JSON.stringify(row)));
}

const isSameRow = (a: readonly SqlValue[], b: readonly SqlValue[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);
