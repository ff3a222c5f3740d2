/**
 * Reading a data file on a disk that is mounted read-only. SQLite wants to write even to read: the index of the log. Where
 * the file has no log, Node's own SQLite can be told that the file does not change (`immutable`), which the other one,
 * built without URI file names, cannot.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';

/**
 * Opens the file for reading alone.
 * @throws Failure where its log holds what was not moved into the file, and cannot be read here
 */
export function openImmutable(path: string): Database.Database {
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const isLogged = existsSync(log) && statSync(log).size > 0;
  if (!isLogged && !existsSync(index)) return new ImmutableDatabase(path) as unknown as Database.Database;
  if (!existsSync(index)) {
    throw new Failure(
      `${path} was not closed, and its disk is read-only: what ${log} holds can only be read where it can be written. Copy both files to another disk, and name the copy with --data.`,
    );
  }
  // With the index of a service elsewhere, or of one that died.
  return new Database(path, { readonly: true, timeout: 10_000 });
}

/** What of better-sqlite3's `Database` reading takes, over Node's. */
class ImmutableDatabase {
  readonly name: string;
  readonly #sqlite: DatabaseSync;

  constructor(path: string) {
    this.name = path;
    const url = pathToFileURL(resolve(path));
    url.searchParams.set('immutable', '1');
    // Loaded here alone: everybody else does without.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    this.#sqlite = asSqliteError(() => new DatabaseSync(url, { readOnly: true, allowExtension: false }));
  }

  get open(): boolean {
    return this.#sqlite.isOpen;
  }
  get inTransaction(): boolean {
    return this.#sqlite.isTransaction;
  }
  prepare(sql: string): ImmutableStatement {
    return new ImmutableStatement(asSqliteError(() => this.#sqlite.prepare(sql)));
  }
  exec(sql: string): this {
    asSqliteError(() => this.#sqlite.exec(sql));
    return this;
  }
  pragma(text: string, options?: { simple?: boolean }): unknown {
    const statement = this.prepare(`PRAGMA ${text}`);
    return options?.simple ? statement.pluck().get() : statement.all();
  }
  transaction<A extends unknown[], T>(work: (...values: A) => T): (...values: A) => T {
    // Nothing is written, and nothing changes: there is nothing to hold together.
    return work;
  }
  close(): this {
    if (this.open) this.#sqlite.close();
    return this;
  }
}

class ImmutableStatement {
  readonly #statement: StatementSync;
  #plucks = false;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    statement.setAllowUnknownNamedParameters(true);
  }

  raw(): this {
    this.#statement.setReturnArrays(true);
    return this;
  }
  pluck(): this {
    this.#plucks = true;
    return this.raw();
  }
  get(...values: unknown[]): unknown {
    return this.#shape(
      asSqliteError(() => this.#statement.get(...(flattenValues(values) as SQLInputValue[]))),
    );
  }
  all(...values: unknown[]): unknown[] {
    return asSqliteError(() => this.#statement.all(...(flattenValues(values) as SQLInputValue[]))).map(
      (row) => this.#shape(row),
    );
  }
  *iterate(...values: unknown[]): Generator<unknown> {
    const rows = asSqliteError(() => this.#statement.iterate(...(flattenValues(values) as SQLInputValue[])));
    for (;;) {
      const next = asSqliteError(() => rows.next());
      if (next.done) return;
      yield this.#shape(next.value);
    }
  }
  run(...values: unknown[]): unknown {
    return asSqliteError(() => this.#statement.run(...(flattenValues(values) as SQLInputValue[])));
  }

  #shape(row: unknown): unknown {
    if (row === undefined) return row;
    if (this.#plucks) return (row as unknown[])[0];
    // Rows without a prototype are not equal to others.
    return Array.isArray(row) ? row : { ...(row as object) };
  }
}

/** A list of values may come as one array. */
const flattenValues = (values: unknown[]): unknown[] => (Array.isArray(values[0]) ? values[0] : values);

/** Result codes of SQLite (https://sqlite.org/rescode.html) by their number, as the other library names them. */
const sqliteErrorCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Gives what goes wrong as the other library does, which everybody looks for. */
function asSqliteError<T>(work: () => T): T {
  try {
    return work();
  } catch (failure) {
    const { errcode, message } = failure as { errcode?: number; message: string };
    if (errcode === undefined) throw failure;
    throw new Database.SqliteError(message, sqliteErrorCodes[errcode & 0xff] ?? 'SQLITE_ERROR');
  }
}
