/**
 * Rows that wait in memory for the end of their batch, and then go in by the order of a tree: one that is met in order is
 * read and written once, one that is met at random a hundred times.
 */
import type Database from 'better-sqlite3';
import type { SqlValue } from '../values.ts';

/** So many rows go in with one statement: a call of SQLite costs more than a row. */
const rowsPerStatement = 32;

/** The waiting rows of one table. */
export class TableBuffer {
  readonly #sqlite: Database.Database;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #order: readonly number[];
  readonly #inserts: Database.Statement[] = [];
  /** The values of all rows, one after the other: an array for each row would be a hundred thousand objects. */
  #values: SqlValue[] = [];

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
    return this.#values.length / this.#columns.length;
  }

  /** Adds the row whose values are `first` and then `moreLine`, and `last` where it is given. */
  add(first: SqlValue, rest: readonly SqlValue[], last?: SqlValue): void {
    this.#values.push(first);
    for (const value of rest) this.#values.push(value);
    if (last !== undefined) this.#values.push(last);
  }

  flush(): void {
    if (this.#values.length === 0) return;
    const order = this.#sorted();
    const values = this.#values;
    this.#values = [];
    const width = this.#columns.length;
    for (let at = 0; at < order.length; at += rowsPerStatement) {
      const count = Math.min(rowsPerStatement, order.length - at);
      const bound = new Array<SqlValue>(count * width);
      for (let row = 0; row < count; row++) {
        const from = (order[at + row] as number) * width;
        for (let column = 0; column < width; column++)
          bound[row * width + column] = values[from + column] as SqlValue;
      }
      this.#inserting(count).run(bound);
    }
  }

  discard(): void {
    this.#values = [];
  }

  /** The numbers of the rows, in the order in which they go in. */
  #sorted(): Uint32Array {
    const rows = Uint32Array.from({ length: this.size }, (_, row) => row);
    const [first, second] = this.#order;
    if (first === undefined || second === undefined) return rows;
    const [values, width] = [this.#values as number[], this.#columns.length];
    const by = (column: number, a: number, b: number): number =>
      (values[a * width + column] as number) - (values[b * width + column] as number);
    return rows.sort((a, b) => by(first, a, b) || by(second, a, b));
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
export class WriteBuffer {
  readonly #sqlite: Database.Database;
  readonly #tables = new Map<string, TableBuffer>();

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** @param order two columns of numbers by which the rows go in; null: as they come */
  table(table: string, columns: readonly string[], order: readonly [string, string] | null): TableBuffer {
    let held = this.#tables.get(table);
    if (held === undefined) {
      held = new TableBuffer(this.#sqlite, table, columns, order ?? []);
      this.#tables.set(table, held);
    }
    return held;
  }

  /** Writes all that waits, within the transaction. */
  flush(): void {
    for (const held of this.#tables.values()) held.flush();
  }

  /** What waits did not happen: its batch or line is undone. */
  discard(): void {
    for (const held of this.#tables.values()) held.discard();
  }
}

const writeBuffers = new WeakMap<Database.Database, WriteBuffer>();

/** The waiting rows of a connection. */
export function writeBufferOf(sqlite: Database.Database): WriteBuffer {
  let rows = writeBuffers.get(sqlite);
  if (rows === undefined) {
    rows = new WriteBuffer(sqlite);
    writeBuffers.set(sqlite, rows);
  }
  return rows;
}
