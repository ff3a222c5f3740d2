/** Rows that belong to one record: its line-up, its tickets, the ways that lists take to it. */
import type Database from 'better-sqlite3';
import type { Value } from './values.ts';

/** Child rows that belong to one record: table, the column that names the owner, the rest in order. */
const children = {
  lineups: ['record_id', 'position', 'artist_id', 'billing', 'stage', 'set_start_at', 'set_end_at'],
  tickets: ['record_id', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'],
  event_artists: ['event_id', 'artist_id', 'start_ts', 'start_date', 'over_ts'],
  event_genres: ['event_id', 'genre_id', 'start_ts', 'start_date', 'over_ts', 'direct'],
  artist_genres: ['artist_id', 'genre_id', 'direct'],
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
export type ChildTable = keyof typeof children;

/** So many rows go in with one statement: a call of SQLite costs more than a row. */
const most = 8;

/** The rows of one table. Rows lack the owner. */
class Rows {
  readonly #sqlite: Database.Database;
  readonly #table: ChildTable;
  readonly #all: Database.Statement;
  readonly #clear: Database.Statement;
  readonly #inserts: Database.Statement[] = [];

  constructor(sqlite: Database.Database, table: ChildTable) {
    const [owner, ...rest] = children[table];
    this.#sqlite = sqlite;
    this.#table = table;
    this.#all = sqlite.prepare(`SELECT ${rest.join(', ')} FROM ${table} WHERE ${owner} = ?`).raw();
    this.#clear = sqlite.prepare(`DELETE FROM ${table} WHERE ${owner} = ?`);
  }

  all(owner: number): Value[][] {
    return this.#all.all(owner) as Value[][];
  }

  clear(owner: number): void {
    this.#clear.run(owner);
  }

  insert(owner: number, rows: readonly Value[][]): void {
    for (let at = 0; at < rows.length; at += most) {
      const some = rows.slice(at, at + most);
      const values: Value[] = [];
      for (const row of some) {
        values.push(owner);
        for (const value of row) values.push(value);
      }
      this.#inserting(some.length).run(values);
    }
  }

  #inserting(count: number): Database.Statement {
    let statement = this.#inserts[count];
    if (statement === undefined) {
      const columns = children[this.#table];
      const row = `(${columns.map(() => '?').join(', ')})`;
      const rows = Array.from({ length: count }, () => row).join(', ');
      statement = this.#sqlite.prepare(
        `INSERT OR IGNORE INTO ${this.#table} (${columns.join(', ')}) VALUES ${rows}`,
      );
      this.#inserts[count] = statement;
    }
    return statement;
  }
}

/** The child rows of every table. */
export class ChildRows {
  readonly #tables: Record<ChildTable, Rows>;

  constructor(sqlite: Database.Database) {
    this.#tables = Object.fromEntries(
      (Object.keys(children) as ChildTable[]).map((table) => [table, new Rows(sqlite, table)]),
    ) as Record<ChildTable, Rows>;
  }

  /** Those of a record. */
  of(table: ChildTable, owner: number): Value[][] {
    return this.#tables[table].all(owner);
  }

  /** Puts `rows` in the place of those that are there. */
  replace(table: ChildTable, owner: number, rows: readonly Value[][]): void {
    this.#tables[table].clear(owner);
    this.add(table, owner, rows);
  }

  /** Adds rows to a record that has none. */
  add(table: ChildTable, owner: number, rows: readonly Value[][]): void {
    this.#tables[table].insert(owner, rows);
  }
}

/** Whether two sets of rows are the same, in whatever order. */
export function sameRows(a: readonly Value[][], b: readonly Value[][]): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const texts = new Set(a.map((row) => JSON.stringify(row)));
  return b.every((row) => texts.has(JSON.stringify(row)));
}
