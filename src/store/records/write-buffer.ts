/**
 * Buffers rows in memory until the end of their batch, and inserts them sorted by an index. Pages of a tree are
 * then read and written once; with random inserts it would be a hundred times.
 */
import type Database from 'better-sqlite3';
import { SqliteStore } from '../statement.ts';
import type { SqlValue } from '../values.ts';

/** Rows per INSERT statement: a call of SQLite costs more than a row. */
const rowsPerStatement = 32;

/** The buffered rows of one table. */
export class TableBuffer {
  readonly #sqlite: Database.Database;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #order: readonly number[];
  readonly #inserts: Database.Statement[] = [];
  /** The values of all rows in one array: one array per row would create a hundred thousand objects. */
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

  /** Adds a row with the values `first`, `rest` and, if it is given, `last`. */
  add(first: SqlValue, rest: readonly SqlValue[], last?: SqlValue): void {
    const values = this.#values;
    values.push(first);
    // Without an iterator, which would be an object per value.
    for (let at = 0; at < rest.length; at++) values.push(rest[at] as SqlValue);
    if (last !== undefined) values.push(last);
  }

  /** A number of a buffered row, by the numbers of row and column. */
  numberAt(row: number, column: number): number {
    return this.#values[row * this.#columns.length + column] as number;
  }

  flush(): void {
    if (this.#values.length === 0) return;
    const order = this.#sorted();
    const values = this.#values;
    this.#values = [];
    const width = this.#columns.length;
    for (let at = 0; at < order.length; at += rowsPerStatement) {
      const count = Math.min(rowsPerStatement, order.length - at);
      const parameters = new Array<SqlValue>(count * width);
      for (let row = 0; row < count; row++) {
        const from = (order[at + row] as number) * width;
        for (let column = 0; column < width; column++)
          parameters[row * width + column] = values[from + column] as SqlValue;
      }
      this.#insertStatement(count).run(parameters);
    }
  }

  discard(): void {
    this.#values = [];
  }

  /** Row numbers in the order of insertion. */
  #sorted(): Uint32Array {
    const rows = new Uint32Array(this.size);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    const [first, second] = this.#order.map((column) => this.#numbersOf(column));
    if (first === undefined || second === undefined) return rows;
    return rows.sort(
      (a, b) => (first[a] as number) - (first[b] as number) || (second[a] as number) - (second[b] as number),
    );
  }

  /** The values of a numeric column. */
  #numbersOf(column: number): Float64Array {
    const [values, width] = [this.#values as number[], this.#columns.length];
    const numbers = new Float64Array(this.size);
    for (let row = 0; row < numbers.length; row++) numbers[row] = values[row * width + column] as number;
    return numbers;
  }

  #insertStatement(count: number): Database.Statement {
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

/** All buffered rows of a connection. Code that reads these tables within a batch must flush first. */
export class WriteBuffer extends SqliteStore {
  readonly #tables = new Map<string, TableBuffer>();

  /** @param order two numeric columns to sort the rows by; null: unsorted */
  table(table: string, columns: readonly string[], order: readonly [string, string] | null): TableBuffer {
    let buffer = this.#tables.get(table);
    if (buffer === undefined) {
      buffer = new TableBuffer(this.sqlite, table, columns, order ?? []);
      this.#tables.set(table, buffer);
    }
    return buffer;
  }

  /** Writes all buffered rows, within the transaction. */
  flush(): void {
    for (const buffer of this.#tables.values()) buffer.flush();
  }

  /** Discards all buffered rows after a rollback. */
  discard(): void {
    for (const buffer of this.#tables.values()) buffer.discard();
  }
}

const writeBuffers = new WeakMap<Database.Database, WriteBuffer>();

/** The write buffer of a connection, created at the first call. */
export function writeBufferOf(sqlite: Database.Database): WriteBuffer {
  let rows = writeBuffers.get(sqlite);
  if (rows === undefined) {
    rows = new WriteBuffer(sqlite);
    writeBuffers.set(sqlite, rows);
  }
  return rows;
}
