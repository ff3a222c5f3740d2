/**
 * Reads a data file on a read-only disk, or one that this user may not write. SQLite needs to write the log's index
 * even to read. For a file without a log, Node's built-in SQLite can be told that the file does not change
 * (`immutable`). better-sqlite3 cannot, because it is built without URI file names.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';

/**
 * Opens the file read-only.
 * @throws Failure if its log holds commits that cannot be read without writing
 */
export function openImmutable(path: string): Database.Database {
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const isLogged = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  // It has the members that reading needs.
  if (!isLogged && !existsSync(index)) return new ImmutableDatabase(path) as unknown as Database.Database;
  if (!existsSync(index)) {
    throw new Failure(
      `${path} was not closed, and cannot be written: what ${log} holds can only be read where it can be written. Copy both files to another folder, and name the copy with --data.`,
    );
  }
  // The index is that of a service elsewhere, or of one that was killed.
  return new Database(path, { readonly: true, timeout: 10_000 });
}

/** Rows that are read before it is checked again that the file is the same. */
const rowsPerCheck = 1_000;

/** The reading part of better-sqlite3's `Database`, implemented over Node's SQLite. */
class ImmutableDatabase {
  readonly name: string;
  readonly #sqlite: DatabaseSync;
  readonly #version: string;

  constructor(path: string) {
    this.name = path;
    this.#version = versionOf(path);
    const url = pathToFileURL(resolve(path));
    url.searchParams.set('immutable', '1');
    // Loaded only here, because no other code needs it.
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
    const statement = asSqliteError(() => this.#sqlite.prepare(sql));
    return new ImmutableStatement(statement, () => this.#requireUnchanged());
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
    // The file does not change: every read sees the same state.
    return work;
  }
  close(): this {
    if (this.open) this.#sqlite.close();
    return this;
  }

  /** Another user's service may have started, and written into the file: its pages no longer fit together. */
  #requireUnchanged(): void {
    if (versionOf(this.name) !== this.#version)
      throw new Failure(`${this.name} was changed while it was read. Run the command again.`);
  }
}

function versionOf(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${dev}/${ino}/${size}/${mtimeNs}`;
}

class ImmutableStatement {
  readonly #statement: StatementSync;
  readonly #requireUnchanged: () => void;
  #isPlucked = false;

  /** @param requireUnchanged throws if the file was changed; called before rows are returned */
  constructor(statement: StatementSync, requireUnchanged: () => void) {
    this.#statement = statement;
    this.#requireUnchanged = requireUnchanged;
    statement.setAllowUnknownNamedParameters(true);
  }

  raw(): this {
    this.#statement.setReturnArrays(true);
    return this;
  }
  pluck(): this {
    this.#isPlucked = true;
    return this.raw();
  }
  get(...values: unknown[]): unknown {
    const row = this.#read(() => this.#statement.get(...(flattenValues(values) as SQLInputValue[])));
    return this.#shape(row);
  }
  all(...values: unknown[]): unknown[] {
    const rows = this.#read(() => this.#statement.all(...(flattenValues(values) as SQLInputValue[])));
    return rows.map((row) => this.#shape(row));
  }
  *iterate(...values: unknown[]): Generator<unknown> {
    const rows = asSqliteError(() => this.#statement.iterate(...(flattenValues(values) as SQLInputValue[])));
    for (let count = 0; ; count++) {
      const next =
        count % rowsPerCheck === 0 ? this.#read(() => rows.next()) : asSqliteError(() => rows.next());
      if (next.done) {
        this.#requireUnchanged();
        return;
      }
      yield this.#shape(next.value);
    }
  }
  run(...values: unknown[]): unknown {
    return asSqliteError(() => this.#statement.run(...(flattenValues(values) as SQLInputValue[])));
  }

  #read<T>(work: () => T): T {
    try {
      return asSqliteError(work);
    } finally {
      this.#requireUnchanged();
    }
  }

  #shape(row: unknown): unknown {
    if (row === undefined) return row;
    if (this.#isPlucked) return (row as unknown[])[0];
    // Node's rows have no prototype, and better-sqlite3's do.
    return Array.isArray(row) ? row : { ...(row as object) };
  }
}

/** Values may be passed as one array. */
const flattenValues = (values: unknown[]): unknown[] => (Array.isArray(values[0]) ? values[0] : values);

/** Names of SQLite's result codes (https://sqlite.org/rescode.html), as better-sqlite3 reports them. */
const sqliteErrorCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Converts errors to those of better-sqlite3, which callers check for. */
function asSqliteError<T>(work: () => T): T {
  try {
    return work();
  } catch (failure) {
    const { errcode, message } = failure as { errcode?: number; message: string };
    if (errcode === undefined) throw failure;
    throw new Database.SqliteError(message, sqliteErrorCodes[errcode & 0xff] ?? 'SQLITE_ERROR');
  }
}
