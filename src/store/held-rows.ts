/**
 * Rows that wait in memory for the end of their batch, and then go in by the order of a tree: one that is met in order is
 * read and written once, one that is met at random a hundred times.
 */
import type Database from 'better-sqlite3';
import type { Value } from './values.ts';

/** So many rows go in with one statement: a call of SQLite costs more than a row. */
const most = 32;

/** The waiting rows of one table. */
export class Held {
  readonly #sqlite: Database.Database;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #order: readonly number[];
  readonly #inserts: Database.Statement[] = [];
  #rows: Value[][] = [];

  constructor(
    sqlite: Database.Database,
    table: string,
    columns: readonly string[],
    order: readonly string[] = [],
  ) {
    this.#sqlite = sqlite;
    this.#table = table;
    this.#columns = columns;
    this.#order = order.map((column) => columns.indexOf(column));
  }

  get size(): number {
    return this.#rows.length;
  }

  add(row: Value[]): void {
    this.#rows.push(row);
  }

  flush(): void {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    if (this.#order.length > 0) this.#sort(rows);
    for (let at = 0; at < rows.length; at += most) {
      const some = rows.slice(at, at + most);
      this.#inserting(some.length).run(some.flat());
    }
  }

  forget(): void {
    this.#rows = [];
  }

  #sort(rows: Value[][]): void {
    const [first, second] = this.#order as [number, number];
    rows.sort(
      (a, b) => (a[first] as number) - (b[first] as number) || (a[second] as number) - (b[second] as number),
    );
  }

  #inserting(count: number): Database.Statement {
    let statement = this.#inserts[count];
    if (statement === undefined) {
      const row = `(${this.#columns.map(() => '?').join(', ')})`;
      const rows = Array.from({ length: count }, () => row).join(', ');
      statement = this.#sqlite.prepare(
        `INSERT OR IGNORE INTO ${this.#table} (${this.#columns.join(', ')}) VALUES ${rows}`,
      );
      this.#inserts[count] = statement;
    }
    return statement;
  }
}

/** All waiting rows of a connection. Whoever reads their tables in the midst of a batch has them written before. */
export class HeldRows {
  readonly #sqlite: Database.Database;
  readonly #tables = new Map<string, Held>();

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** @param order two columns of numbers by which the rows go in; null: as they come */
  table(table: string, columns: readonly string[], order: readonly [string, string] | null): Held {
    let held = this.#tables.get(table);
    if (held === undefined) {
      held = new Held(this.#sqlite, table, columns, order ?? []);
      this.#tables.set(table, held);
    }
    return held;
  }

  /** Writes all that waits, within the transaction. */
  flush(): void {
    for (const held of this.#tables.values()) held.flush();
  }

  /** What waits did not happen: its batch or line is undone. */
  forget(): void {
    for (const held of this.#tables.values()) held.forget();
  }
}

const held = new WeakMap<Database.Database, HeldRows>();

/** The waiting rows of a connection. */
export function heldRows(sqlite: Database.Database): HeldRows {
  let rows = held.get(sqlite);
  if (rows === undefined) {
    rows = new HeldRows(sqlite);
    held.set(sqlite, rows);
  }
  return rows;
}
