/** The data file: opening it, making it, and bringing an older one up to date. */
import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
  } else checkWritable(path);
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

/** What SQLite writes to beside the file: its log, and the index of that. */
const companions = ['-wal', '-shm'];

/** What of the data file, its log and their folder this user may not write to. */
function closedPlaces(path: string): string[] {
  const beside = companions.map((end) => path + end).filter((place) => existsSync(place));
  return [path, ...beside, dirname(resolve(path))].filter((place) => {
    try {
      accessSync(place, constants.W_OK);
      return false;
    } catch {
      return true;
    }
  });
}

/**
 * SQLite opens a file that it may not write without a word, and then makes a log with the same permissions, which is in
 * the way for good.
 */
function checkWritable(path: string): void {
  const closed = closedPlaces(path);
  if (closed.length > 0)
    throw new Failure(`${closed.join(' and ')} cannot be written by this user. ${openUp}`);
}

/** What to do about places that cannot be written. */
const openUp =
  'Give the data file, what lies beside it and their folder to the user that runs cratebase (chown), and let that user write (chmod u+w).';

/** What to do about a damaged file. */
export const fromBackup = 'Restore a backup with `cratebase restore FILE`.';
export const otherFile = 'Name another one with --data, or restore a backup.';

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

/**
 * SQLite's and the system's own words about the file at `path`, turned into a `Failure` that says what to do. Everything
 * else comes back as it was.
 */
export function readable(failure: unknown, path: string): unknown {
  if (!(failure instanceof Error) || failure instanceof Failure) return failure;
  // What callers of the service are told in general has the particular as its cause.
  if (failure.cause instanceof Database.SqliteError) return readable(failure.cause, path);
  // Of the system's failures only those of this file: what is read into it has permissions of its own.
  const { path: about } = failure as NodeJS.ErrnoException;
  if (about !== undefined && !about.startsWith(path)) return failure;
  return meaningOf(failure, path);
}

/** The same for what was being made at `path` from something else: whatever could not be written is that. */
export function writable(failure: unknown, path: string): unknown {
  const { code = '' } = failure as NodeJS.ErrnoException;
  const isWriting = /^(E[A-Z]+$|SQLITE_(FULL|CANTOPEN|READONLY|IOERR_WRITE))/.test(code);
  return isWriting && failure instanceof Error ? meaningOf(failure, path) : failure;
}

type Says = (path: string) => string;

/** By the beginning of the code: SQLite has longer ones for the particulars. */
const meanings: readonly (readonly [code: RegExp, says: Says])[] = [
  [/^SQLITE_NOTADB/, (path) => `${path} is not a data file (or is damaged). ${otherFile}`],
  [/^SQLITE_CORRUPT/, (path) => `${path} is damaged. ${fromBackup}`],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY|PERM))/,
    (path) => `${path} cannot be written by this user. ${openUp}`,
  ],
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) =>
      `The disk of ${path} is full. Make room on it (\`df -h ${dirname(path)}\` shows how much there is).`,
  ],
  [
    /^SQLITE_IOERR/,
    (path) =>
      `${path} cannot be read or written: its disk fails. Look at the log of the system (\`dmesg\`), and make a backup.`,
  ],
  [/^SQLITE_(BUSY|LOCKED)/, (path) => `${path} is locked by another process. Try again when it is done.`],
];

/** Some of what SQLite cannot write for want of room it calls a failure of the disk. */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}

function meaningOf(failure: Error, path: string): Error {
  const { code: given = '' } = failure as NodeJS.ErrnoException;
  const code = given.startsWith('SQLITE_IOERR') && isFull(path) ? 'SQLITE_FULL' : given;
  const [, says] = meanings.find(([codes]) => codes.test(code)) ?? [];
  return says ? new Failure(says(path)) : failure;
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
