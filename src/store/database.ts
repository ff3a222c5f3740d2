/** Opens, creates and upgrades the data file. */
import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { readAsset } from '../assets.ts';
import { Failure } from '../failure.ts';
import { refuseLostLog } from './file/exclusive-open.ts';
import { missingTables } from './file/expected-tables.ts';
import {
  applicationId,
  type FileIdentity,
  identifyFile,
  isOpenInProcess,
  registerConnection,
} from './file/identity.ts';
import { openImmutable } from './file/immutable-database.ts';
import { hasLogHole } from './file/log-files.ts';
import { type Migration, migrations, schemaVersion } from './file/migrations.ts';
import { stabilizePlans } from './file/stable-plans.ts';
import { describeService, findServicesUsing, upgradeFile } from './file/upgrade.ts';
import { cutLogMessage } from './file/writer-log.ts';
import { writeSchemaDigests } from './integrity/schema-text.ts';

export { schemaVersion } from './file/migrations.ts';

export type OpenDatabaseOptions = {
  /** Whether to create a missing file; otherwise opening it throws. */
  create: boolean;
  /** Write nothing: the file is neither created nor upgraded, and may be on a read-only disk. */
  readOnly?: boolean;
  /**
   * Whether to open a file of an older schema without upgrading it. The caller's queries must work with every
   * schema.
   */
  allowOtherSchema?: boolean;
  /** Whether to keep a copy of the file before an upgrade. Default: true. */
  keepBackup?: boolean;
  /** Steps and target version; only tests of migrations set them. */
  migrations?: readonly Migration[];
  version?: number;
};

/** The file has an older schema and was opened read-only, which rules out an upgrade. */
export class OutdatedSchema extends Failure {
  readonly schema: number;

  constructor(path: string, schema: number, version: number) {
    const [service] = findServicesUsing(path);
    const what = `${path} has schema ${schema}; this cratebase reads schema ${version}.`;
    const advice = service
      ? `It is used by ${describeService(service)}: stop that, and start \`cratebase serve\` of this version`
      : 'Start `cratebase serve`, or run `cratebase sync` or `import`,';
    super(`${what} ${advice} to bring it up to date; a copy is kept beside it.`);
    this.schema = schema;
  }
}

/**
 * Opens the data file at `path` for reading and writing, or read-only. The header is checked first: a file of
 * another program or of a newer cratebase is not changed.
 *
 * An older file is copied to `<path>.v<version>.bak` and then migrated. Throws a `Failure` if the file is missing
 * (without `create`), is not a cratebase data file or is newer. Throws `OutdatedSchema` for an older file opened
 * read-only.
 */
export function openDatabase(path: string, options: OpenDatabaseOptions): Database.Database {
  try {
    checkPath(path, options.create);
    const version = options.version ?? schemaVersion;
    if (existsSync(path) && !isOpenInProcess(path)) {
      if (prepareFile(path, version, options) === 'unwritable') return openImmutable(path);
    }
    for (;;) {
      const sqlite = connect(path);
      try {
        if (ensureSchema(sqlite, path, version, options)) return sqlite;
      } catch (failure) {
        sqlite.close();
        throw failure;
      }
      // An unfinished transaction of a killed process hid the schema. SQLite has rolled it back now.
      sqlite.close();
      upgrade(path, version, options);
    }
  } catch (failure) {
    throw describeReadError(failure, path);
  }
}

/** Throws a `Failure` if there is no file at `path` and none may be created. */
function checkPath(path: string, create: boolean): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new Failure(`The folder ${folder} does not exist. Make it, or name another file with --data.`);
  if (!isPermitted(folder, constants.X_OK))
    throw new Failure(`The folder ${folder} cannot be opened by this user. ${permissionAdvice}`);
  if (!existsSync(path) && !create) {
    throw new Failure(
      `There is no data file at ${path}. Start \`cratebase serve\` to make one, or name it with --data.`,
    );
  }
}

/** Checks an existing file before SQLite opens it, and upgrades it. */
function prepareFile(path: string, version: number, options: OpenDatabaseOptions): 'writable' | 'unwritable' {
  if (!isPermitted(path, constants.R_OK))
    throw new Failure(`${path} cannot be read by this user. ${permissionAdvice}`);
  let identity = identifyFile(path);
  refuseForeignFile(identity, path);
  const unwritable = unwritablePaths(path);
  if (unwritable.length === 0 && identity.owner === 'ours') {
    // Before the first connection: it would create a new log.
    refuseLostLog(path);
    // SQLite has now rolled back what a killed process left unfinished in the file, its schema number included.
    identity = identifyFile(path);
    refuseForeignFile(identity, path);
  }
  const schema = identity.owner === 'ours' ? identity.schema : version;
  if (schema > version) throw newerSchemaFailure(path, schema, version);
  if (unwritable.length === 0 && identity.owner === 'ours') {
    const missing = missingTables(path, schema);
    if (missing.length > 0) throw lacksTables(path, missing);
  }
  if (options.readOnly) {
    if (identity.owner === 'blank' && !options.create) throw emptyFileFailure(path);
    if (schema < version && !options.allowOtherSchema) throw new OutdatedSchema(path, schema, version);
    if (isReadableOnly(path, unwritable)) return 'unwritable';
  }
  checkWritable(unwritable);
  if (schema < version && !options.readOnly) upgrade(path, version, options);
  return 'writable';
}

function refuseForeignFile({ owner }: FileIdentity, path: string): void {
  if (owner === 'text') throw new Failure(`${path} is not a data file (or is damaged). ${otherFileAdvice}`);
  if (owner === 'other') throw foreignFileFailure(path);
}

const upgrade = (path: string, version: number, options: OpenDatabaseOptions): void =>
  upgradeFile({
    path,
    version,
    steps: options.migrations ?? migrations,
    keepBackup: options.keepBackup ?? true,
  });

const foreignFileFailure = (path: string): Failure =>
  new Failure(`${path} is not a cratebase data file. Name another one with --data.`);
const lacksTables = (path: string, missing: readonly string[]): Failure => {
  const more = missing.length > 3 ? ', …' : '';
  return new Failure(
    `${path} is marked as a cratebase data file, but lacks its tables (${missing.slice(0, 3).join(', ')}${more}). ${otherFileAdvice}`,
  );
};
const newerSchemaFailure = (path: string, schema: number, version: number): Failure =>
  new Failure(
    `${path} was written by a newer cratebase (schema ${schema}; this one knows ${version}). Update cratebase, or name another file with --data.`,
  );
const emptyFileFailure = (path: string): Failure =>
  new Failure(`${path} is empty: start \`cratebase serve\` to fill it, or name another file with --data.`);

/**
 * Checks the schema as SQLite sees it, and creates the tables of an empty file. Returns false if the file is
 * older.
 */
function ensureSchema(
  sqlite: Database.Database,
  path: string,
  version: number,
  options: OpenDatabaseOptions,
): boolean {
  const schema = Number(sqlite.pragma('user_version', { simple: true }));
  if (schema === 0 && isEmpty(sqlite)) {
    if (!options.create) throw emptyFileFailure(path);
    createSchema(sqlite, version);
    return true;
  }
  if (sqlite.pragma('application_id', { simple: true }) !== applicationId) throw foreignFileFailure(path);
  if (schema > version) throw newerSchemaFailure(path, schema, version);
  if (schema === version || options.allowOtherSchema) return true;
  if (options.readOnly) throw new OutdatedSchema(path, schema, version);
  return false;
}

/** Opens a connection with the common settings, without reading or creating tables. */
function connect(path: string): Database.Database {
  let sqlite: Database.Database | undefined;
  try {
    // Only the owner may read it: it contains hashes of keys and passwords.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    sqlite = new Database(path, { timeout: 10_000 });
    registerConnection(sqlite, path);
    stabilizePlans(sqlite);
    sqlite.pragma('journal_mode = WAL');
    // A commit survives the end of the process without waiting for the disk. Only a power cut can lose the last
    // commits.
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('cache_size = -16000');
    sqlite.pragma('journal_size_limit = 67108864');
    // Imports checkpoint their own writes, and earlier. A server that did so would stop answering meanwhile.
    sqlite.pragma('wal_autocheckpoint = 16000');
    return sqlite;
  } catch (failure) {
    sqlite?.close();
    throw failure;
  }
}

function isPermitted(place: string, access: number): boolean {
  try {
    accessSync(place, access);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== 'EACCES';
  }
}

/** The suffixes of the write-ahead log and its index. */
const walSuffixes = ['-wal', '-shm'];

/**
 * Those of the data file, its log files and their folder that this user may not write, with error codes. A log
 * that is absent can be created in the folder: another process removes it when it closes the file last.
 */
function unwritablePaths(path: string): UnwritablePath[] {
  const logPaths = walSuffixes.map((end) => path + end);
  return [path, ...logPaths, dirname(resolve(path))].flatMap((place) => {
    try {
      accessSync(place, constants.W_OK);
      return [];
    } catch (failure) {
      const { code = '' } = failure as NodeJS.ErrnoException;
      return code === 'ENOENT' && logPaths.includes(place) ? [] : [{ place, code }];
    }
  });
}

type UnwritablePath = { place: string; code: string };

/** Whether the disk is read-only, or the data file or its folder is not this user's to write. */
const isReadableOnly = (path: string, unwritable: readonly UnwritablePath[]): boolean =>
  unwritable.some(({ place, code }) => code === 'EROFS' || !walSuffixes.some((end) => place === path + end));

/** Returns why this user may not write the file at `path`; null: it may, or its disk is read-only. */
export function whyUnwritable(path: string): Failure | null {
  const unwritable = unwritablePaths(path);
  return unwritable.length === 0 || isOnReadOnlyDisk(unwritable) ? null : notPermitted(unwritable);
}

const isOnReadOnlyDisk = (unwritable: readonly UnwritablePath[]): boolean =>
  unwritable.some(({ code }) => code === 'EROFS');

/**
 * Throws a `Failure` if a path cannot be written. SQLite reports no error when it opens such a file. It then
 * creates a log with the same permissions, which blocks later writes.
 */
function checkWritable(unwritable: readonly UnwritablePath[]): void {
  if (unwritable.length === 0) return;
  if (isOnReadOnlyDisk(unwritable)) {
    throw new Failure(
      `${namesOf(unwritable)} cannot be written: the disk is mounted read-only. Reading commands work (\`cratebase search\`, \`show\`, \`export\`); for others mount it for writing.`,
    );
  }
  throw notPermitted(unwritable);
}

const namesOf = (paths: readonly UnwritablePath[]): string => paths.map(({ place }) => place).join(' and ');

const notPermitted = (unwritable: readonly UnwritablePath[]): Failure =>
  new Failure(`${namesOf(unwritable)} cannot be written by this user. ${permissionAdvice}`);

/** Advice for paths that cannot be written. */
const permissionAdvice =
  'Give the data file, what lies beside it and their folder to the user that runs cratebase (chown), and let that user write (chmod u+w).';

/** Advice for a damaged file. */
export const restoreAdvice = 'Restore a backup with `cratebase restore FILE`; `cratebase doctor` says more.';
export const otherFileAdvice =
  'Name another one with --data, or restore a backup with `cratebase restore FILE`.';

function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
}

function createSchema(sqlite: Database.Database, version: number): void {
  sqlite
    .transaction(() => {
      // Another process may have created the tables while this one waited for the lock.
      if (!isEmpty(sqlite)) return;
      sqlite.exec(readAsset('schema.sql'));
      const setting = sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
      setting.run('cursor_key', randomBytes(32).toString('hex'));
      writeSchemaDigests(sqlite);
      sqlite.pragma(`application_id = ${applicationId}`);
      sqlite.pragma(`user_version = ${version}`);
    })
    .immediate();
}

/**
 * Converts an error of SQLite or the operating system about the file at `path` to a `Failure` with advice.
 * Returns other errors unchanged.
 */
export function describeReadError(failure: unknown, path: string): unknown {
  if (!(failure instanceof Error) || failure instanceof Failure) return failure;
  // A `Problem` for clients has the specific error as its cause.
  if (failure.cause instanceof Database.SqliteError) return describeReadError(failure.cause, path);
  // Only errors about this file and its log: input files have permissions of their own.
  const { path: about } = failure as NodeJS.ErrnoException;
  if (about !== undefined && !about.startsWith(path)) return failure;
  return toFailure(failure, path);
}

/** Like `describeReadError`, for a file created at `path`: every write error is about that file. */
export function describeWriteError(failure: unknown, path: string): unknown {
  const { code = '' } = failure as NodeJS.ErrnoException;
  const isWriting = /^(E[A-Z]+$|SQLITE_(FULL|CANTOPEN|READONLY|IOERR_WRITE))/.test(code);
  if (!isWriting || !(failure instanceof Error)) return failure;
  const why = codeOf(failure, path);
  if (why === 'EROFS')
    return new Failure(`${path} cannot be written: its disk is mounted read-only. Name another place.`);
  if (!permissionCodes.test(why)) return toFailure(failure, path);
  return new Failure(
    `${path} cannot be written by this user. Let this user write in its folder (chown, or chmod u+w), or name another place.`,
  );
}

const permissionCodes = /^(EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY|PERM))/;

type MessageForPath = (path: string) => string;

/** Messages by prefix of the error code. SQLite's extended codes append details. */
const failureMessages: readonly (readonly [code: RegExp, says: MessageForPath])[] = [
  [/^SQLITE_NOTADB/, (path) => `${path} is not a data file (or is damaged). ${otherFileAdvice}`],
  [/^SQLITE_CORRUPT/, (path) => `${path} is damaged. ${restoreAdvice}`],
  [permissionCodes, (path) => `${path} cannot be written by this user. ${permissionAdvice}`],
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) =>
      `The disk of ${path} is full. Make room on it (\`df -h ${dirname(path)}\` shows how much there is).`,
  ],
  [
    /^SQLITE_IOERR/,
    (path) =>
      `${path} cannot be read or written: its disk fails, or a file would exceed the limit of this user (\`ulimit -f\`, \`LimitFSIZE\` of systemd). Look at the log of the system (\`dmesg\`), and make a backup.`,
  ],
  [/^SQLITE_(BUSY|LOCKED)/, (path) => `${path} is locked by another process. Try again when it is done.`],
];

/** Whether the disk is full. SQLite reports some full disks as I/O errors. */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}

/** The error code of a failure; SQLITE_FULL if the disk of `path` is full. */
function codeOf(failure: Error, path: string): string {
  const { code = '' } = failure as NodeJS.ErrnoException;
  return code.startsWith('SQLITE_IOERR') && isFull(path) ? 'SQLITE_FULL' : code;
}

/** Whether the failure or one of its causes is a full disk. */
export function isDiskFull(failure: unknown, path: string): boolean {
  if (!(failure instanceof Error)) return false;
  return /^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(codeOf(failure, path)) || isDiskFull(failure.cause, path);
}

/** Error codes of SQLite for pages that are missing in the log, and for what it reads in their place. */
const unreadableLogCodes = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

function toFailure(failure: Error, path: string): Error {
  const code = codeOf(failure, path);
  // Only pages of the log must be whole: SQLite takes the rest of a short data file for zeros.
  if (code === 'SQLITE_IOERR_SHORT_READ' || (unreadableLogCodes.test(code) && hasLogHole(path)))
    return new Failure(cutLogMessage(path));
  const [, says] = failureMessages.find(([codes]) => codes.test(code)) ?? [];
  return says ? new Failure(says(path)) : failure;
}

/** Reads one value of the file's settings; null if it is not set. */
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
