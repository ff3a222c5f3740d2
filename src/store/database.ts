/** The data file: opening it, making it, and bringing an older one up to date. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { readAsset } from '../assets.ts';
import { Failure } from '../failure.ts';
import { type Migration, migrations, schemaVersion } from './migrations.ts';

export { schemaVersion } from './migrations.ts';

/** Says "a cratebase data file" in the SQLite header ("crat"). */
const applicationId = 0x63726174;

export type OpenOptions = {
  /** What to do where there is no file: make one, or refuse. */
  create: boolean;
  /** For tests of the migration itself. */
  migrations?: readonly Migration[];
  version?: number;
};

/**
 * Opens the data file at `path`, ready to read and write.
 * Throws a `Failure` where there is none (unless `create`), where it is no data file of ours, or a newer one. An older
 * one is first copied to `<path>.v<version>.bak`, then migrated.
 */
export function openDatabase(path: string, options: OpenOptions): Database.Database {
  const version = options.version ?? schemaVersion;
  const sqlite = connect(path, options.create);
  try {
    const found = Number(sqlite.pragma('user_version', { simple: true }));
    if (found === 0 && isEmpty(sqlite)) {
      if (!options.create)
        throw new Failure(
          `${path} is empty: start \`cratebase serve\` to fill it, or name another file with --data.`,
        );
      build(sqlite, version);
    } else {
      if (sqlite.pragma('application_id', { simple: true }) !== applicationId) {
        throw new Failure(`${path} is not a cratebase data file. Name another one with --data.`);
      }
      if (found > version) {
        throw new Failure(
          `${path} was written by a newer cratebase (schema ${found}; this one knows ${version}). Update cratebase, or name another file with --data.`,
        );
      }
      if (found < version) migrate(sqlite, path, found, version, options.migrations ?? migrations);
    }
    return sqlite;
  } catch (failure) {
    sqlite.close();
    throw readable(failure, path);
  }
}

/** A connection with the settings that every connection has; nothing is read or made yet. */
function connect(path: string, create: boolean): Database.Database {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new Failure(`The folder ${folder} does not exist. Make it, or name another file with --data.`);
  if (!existsSync(path)) {
    if (!create) {
      throw new Failure(
        `There is no data file at ${path}. Start \`cratebase serve\` to make one, or name it with --data.`,
      );
    }
  } else if (statSync(path).isDirectory()) {
    throw new Failure(`${path} is a folder. Name a file with --data.`);
  }
  let sqlite: Database.Database | undefined;
  try {
    // For its owner alone: it holds the hashes of keys and passwords.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    sqlite = new Database(path, { timeout: 10_000 });
    sqlite.pragma('journal_mode = WAL');
    // A commit survives the end of the process without waiting for the disk; only a power cut can take the last ones.
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('cache_size = -16000');
    sqlite.pragma('journal_size_limit = 67108864');
    // An import brings into the file what it wrote itself, and sooner: a server that did it would stop answering meanwhile.
    sqlite.pragma('wal_autocheckpoint = 16000');
    return sqlite;
  } catch (failure) {
    sqlite?.close();
    throw readable(failure, path);
  }
}

function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
}

function build(sqlite: Database.Database, version: number): void {
  sqlite
    .transaction(() => {
      // Another process may have made it while this one waited for the lock.
      if (!isEmpty(sqlite)) return;
      sqlite.exec(readAsset('schema.sql'));
      const setting = sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
      setting.run('cursor_key', randomBytes(32).toString('hex'));
      sqlite.pragma(`application_id = ${applicationId}`);
      sqlite.pragma(`user_version = ${version}`);
    })
    .immediate();
}

function migrate(
  sqlite: Database.Database,
  path: string,
  from: number,
  to: number,
  steps: readonly Migration[],
): void {
  const backup = `${path}.v${from}.bak`;
  if (!existsSync(backup)) {
    // Into an empty file of ours: the copy is for its owner alone too.
    closeSync(openSync(backup, 'wx', 0o600));
    sqlite.prepare('VACUUM INTO ?').run(backup);
  }
  sqlite
    .transaction(() => {
      for (const step of steps) {
        if (step.to <= Number(sqlite.pragma('user_version', { simple: true })) || step.to > to) continue;
        sqlite.exec(step.sql);
        sqlite.pragma(`user_version = ${step.to}`);
      }
    })
    .immediate();
  const reached = sqlite.pragma('user_version', { simple: true });
  if (reached !== to)
    throw new Failure(
      `${path} has schema ${reached}, and there is no way from it to ${to}. Its copy is ${backup}.`,
    );
}

/** SQLite's own words, turned into what to do. */
export function readable(failure: unknown, path: string): unknown {
  const code = (failure as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new Failure(
      `${path} cannot be opened for writing. Check its permissions and those of its folder.`,
    );
  }
  if (code === 'ENOSPC') return new Failure(`The disk of ${path} is full.`);
  if (!(failure instanceof Database.SqliteError)) return failure;
  switch (failure.code) {
    case 'SQLITE_NOTADB':
      return new Failure(
        `${path} is not a data file (or is damaged). Name another one with --data, or restore a backup.`,
      );
    case 'SQLITE_CORRUPT':
      return new Failure(`${path} is damaged. Restore a backup with \`cratebase restore FILE\`.`);
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_READONLY_DIRECTORY':
    case 'SQLITE_PERM':
      return new Failure(
        `${path} cannot be opened for writing. Check its permissions and those of its folder.`,
      );
    case 'SQLITE_FULL':
      return new Failure(`The disk of ${path} is full.`);
    case 'SQLITE_BUSY':
      return new Failure(`${path} is locked by another process. Try again when it is done.`);
    default:
      return failure;
  }
}

/** One value of the file's settings. */
export function readSetting(sqlite: Database.Database, key: string): string | null {
  const value = sqlite.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key);
  return (value as string | undefined) ?? null;
}

/** Sets one value of the file's settings. */
export function writeSetting(sqlite: Database.Database, key: string, value: string): void {
  sqlite
    .prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value);
}
