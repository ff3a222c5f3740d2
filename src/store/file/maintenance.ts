/** Maintains the data file: settings of the write-ahead log, backups, checks, and replacing the file by a copy. */
import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { describeWriteError, readSetting, restoreAdvice, schemaVersion, writeSetting } from '../database.ts';
import { findEventProblems } from '../integrity/event-renderings.ts';
import { findRemovalProblems, findRowProblems } from '../integrity/rows.ts';
import { findSchemaProblems } from '../integrity/schema-text.ts';
import { findSearchIndexProblems } from '../integrity/search-index.ts';
import { tracesSetting } from '../resolution/forget-store.ts';
import { closeCompacted } from '../schedule/import-state.ts';
import { prepareValue } from '../statement.ts';
import { isBusy, withBusyTimeout } from './busy-timeout.ts';
import { replaceFile } from './fsync.ts';
import { isLogCut, unlessUnreadable } from './log-files.ts';
import { followLinks, replaceablePath } from './replaced-file.ts';
import { availablePath, createScratchDirectory } from './scratch-directory.ts';
import { hasRunningService } from './service-registry.ts';
import { type CopyProgressListener, copyPages, Snapshot } from './snapshot.ts';

/**
 * How long, in ms, to wait for readers before the log is truncated; writers wait too. With slower readers the log
 * is left to the next checkpoint.
 */
const truncateTimeoutMs = 5;

function moveAndTruncateLog(sqlite: Database.Database): void {
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  // Blocks writers while it waits for readers, and has little left to copy.
  withBusyTimeout(sqlite, truncateTimeoutMs, () => sqlite.pragma('wal_checkpoint(TRUNCATE)'));
}

/** Checkpoints the write-ahead log and truncates it. Does nothing if the log was cut off. */
export function checkpoint(sqlite: Database.Database): void {
  if (!hasCutLog(sqlite)) moveAndTruncateLog(sqlite);
}

/**
 * Checkpoints a log that is not cut off (`hasCutLog`), as the last work of a process. A running service makes its
 * checkpoints itself: after one of another process it cannot tell for a moment whether the file was overwritten.
 */
export function checkpointAtEnd(sqlite: Database.Database): void {
  if (!hasRunningService(sqlite)) moveAndTruncateLog(sqlite);
}

/** Whether the log of an open file was emptied or cut off (`isLogCut`); false if that cannot be read now. */
export const hasCutLog = (sqlite: Database.Database, log: number | null = null): boolean =>
  unlessUnreadable(() => isLogCut(sqlite, log)) ?? false;

/**
 * Makes this connection overwrite deleted data with zeros. A deleted account leaves no data in free pages or in
 * copies of the file.
 */
export function enableSecureDelete(sqlite: Database.Database): void {
  sqlite.pragma('secure_delete = ON');
}

/** Makes the connection read-only. */
export function makeReadOnly(sqlite: Database.Database): void {
  sqlite.pragma('query_only = ON');
}

/**
 * The revision of the catalogue, which rises with every committed batch that changed it. Throws if the file
 * cannot be read.
 */
export function readRevision(sqlite: Database.Database): number {
  return prepareValue<number>(sqlite, 'SELECT revision FROM catalogue').one();
}

/**
 * Writes to the file to check that it is writable. Throws SQLite's error if it is not. Returns without a check
 * while another process writes.
 */
export function probeWrite(sqlite: Database.Database): void {
  const busyTimeout = sqlite.pragma('busy_timeout', { simple: true });
  // The check must not delay other work.
  sqlite.pragma('busy_timeout = 0');
  try {
    // Only a commit reaches the disk and detects that it is full.
    sqlite.transaction(() => writeSetting(sqlite, 'written_at', String(Date.now()))).immediate();
  } catch (failure) {
    if (!isBusy(failure)) throw failure;
  } finally {
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/**
 * Copies the state of the file at the start of the call to `target`, during concurrent writes too. The copy
 * appears complete or not at all. If the target's disk is slow and the log would grow, a copy beside the file
 * comes first.
 * @throws Failure if `target` must not be replaced (`replaceablePath`)
 * @param complete changes the copy before it appears
 */
export async function backUpTo(
  sqlite: Database.Database,
  target: string,
  onPages: CopyProgressListener = () => {},
  complete: (copy: string) => Promise<void> = async () => {},
): Promise<void> {
  const path = replaceablePath(target);
  try {
    await writeBackup(sqlite, path, onPages, complete);
  } catch (failure) {
    // An error about damage concerns the file, a write error the copy.
    throw describeWriteError(failure, target);
  }
}

/** The log grows faster than the copy is written. */
class TargetTooSlow extends Error {}

async function writeBackup(
  sqlite: Database.Database,
  target: string,
  onPages: CopyProgressListener,
  complete: (copy: string) => Promise<void>,
): Promise<void> {
  const scratch = createScratchDirectory(dirname(target), 'copy');
  const draft = join(scratch.path, basename(target));
  // A read transaction keeps writes of other processes from restarting the copy.
  const snapshot = new Snapshot(sqlite);
  try {
    // On the same disk, an intermediate copy would be no faster.
    const isElsewhere = statSync(scratch.path).dev !== statSync(sqlite.name).dev;
    try {
      await copyPages(sqlite, draft, (progress) => {
        if (isElsewhere && snapshot.isLogTooLarge()) throw new TargetTooSlow();
        onPages(progress);
      });
    } catch (failure) {
      if (!(failure instanceof TargetTooSlow)) throw failure;
      await snapshot.releaseLog();
      await copyPages(snapshot.sqlite, draft, onPages);
    }
  } catch (failure) {
    scratch.remove();
    throw failure;
  } finally {
    snapshot.close();
  }
  try {
    await complete(draft);
    if (readSetting(sqlite, tracesSetting) !== null) rewriteCopy(draft);
    installCopy(draft, target, sqlite.name);
  } finally {
    scratch.remove();
  }
}

/**
 * Checks a copy, and moves it to its place on the same disk. A damaged one replaces nothing.
 * @param of the name of the original, for the message
 */
export function installCopy(draft: string, target: string, of: string): void {
  checkCopy(draft, of);
  chmodSync(draft, 0o600);
  replaceFile(draft, target);
}

/** Rewrites a copy, whose unused parts may hold what was forgotten (`cratebase forget`). */
function rewriteCopy(copy: string): void {
  const sqlite = new Database(copy);
  try {
    sqlite.prepare('DELETE FROM settings WHERE key = ?').run(tracesSetting);
    closeCompacted(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Throws a `Failure` if the copy is damaged, which means that the file `of` is. */
function checkCopy(copy: string, of: string): void {
  const sqlite = new Database(copy, { readonly: true });
  try {
    const [first] = [...integrity(sqlite), ...collectProblems(() => findSchemaProblems(sqlite))];
    if (first !== undefined) {
      throw new Failure(
        `${of} is damaged (${first}): nothing was copied. \`cratebase verify\` says more. ${restoreAdvice}`,
      );
    }
  } finally {
    sqlite.close();
  }
}

/** The result of one check, with its problems. */
export type FileCheck = { name: string; ok: boolean; problems: string[]; advice: string | null };

const searchable = {
  artist: 'artists',
  event: 'events',
  festival: 'festivals',
  venue: 'venues',
  label: 'labels',
} as const;
const rebuildAdvice =
  'Write the catalogue out with `cratebase export`, and import that into a new file; or restore a backup.';

/**
 * Checks the file's integrity, schema, foreign keys, search index, event renderings and row checksums. Each check reads
 * one state of the file, whatever another process commits meanwhile.
 */
export function* checkFile(sqlite: Database.Database): Generator<FileCheck> {
  const run = (name: string, advice: string, look: () => string[]): FileCheck => {
    const problems = sqlite.transaction(() => collectProblems(look))();
    return { name, ok: problems.length === 0, problems, advice: problems.length === 0 ? null : advice };
  };
  yield run('integrity', restoreAdvice, () => integrity(sqlite));
  yield run('schema', restoreAdvice, () => findSchemaProblems(sqlite));
  yield run('foreign keys', restoreAdvice, () => foreignKeys(sqlite));
  yield run('search index', rebuildAdvice, () => findSearchIndexProblems(sqlite));
  yield run('names', rebuildAdvice, () => [...missingNames(sqlite), ...wrongNames(sqlite)]);
  yield run('events', rebuildAdvice, () => findEventProblems(sqlite));
  yield run('rows', restoreAdvice, () => [...findRowProblems(sqlite), ...findRemovalProblems(sqlite)]);
}

/** The problems that a check finds, or SQLite's error if the check itself failed. */
function collectProblems(look: () => string[]): string[] {
  try {
    return look();
  } catch (failure) {
    if (failure instanceof Database.SqliteError) return [failure.message];
    throw failure;
  }
}

const integrity = (sqlite: Database.Database): string[] =>
  collectProblems(() => {
    const rows = sqlite.pragma('integrity_check(10)') as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  });

const foreignKeys = (sqlite: Database.Database): string[] =>
  collectProblems(() => {
    const counts = new Map<string, number>();
    for (const { table, parent } of sqlite.pragma('foreign_key_check') as {
      table: string;
      parent: string;
    }[]) {
      const pair = `${table} → ${parent}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return [...counts].map(([pair, count]) => `${pair}: ${count} rows point nowhere`);
  });

const wrongNames = (sqlite: Database.Database): string[] =>
  collectProblems(() =>
    Object.entries(searchable).flatMap(([kind, table]) => {
      const count = prepareValue<number>(
        sqlite,
        `SELECT count(*) FROM names n JOIN ${table} t ON t.id = n.record_id
           WHERE n.kind = ? AND n.is_alias = 0 AND n.name <> t.name
             AND NOT EXISTS (SELECT 1 FROM stale_name_ranks s WHERE s.record_id = t.id)
             AND NOT EXISTS (SELECT 1 FROM stale_records s WHERE s.record_id = t.id)`,
      ).one(kind);
      return count === 0 ? [] : [`${count} ${table} have another name in the search index`];
    }),
  );

const missingNames = (sqlite: Database.Database): string[] =>
  collectProblems(() =>
    Object.entries(searchable).flatMap(([kind, table]) => {
      const count = prepareValue<number>(
        sqlite,
        `SELECT count(*) FROM ${table} t
           WHERE NOT EXISTS (SELECT 1 FROM names n WHERE n.record_id = t.id AND n.kind = ? AND n.is_alias = 0)`,
      ).one(kind);
      return count === 0 ? [] : [`${count} ${table} have no name in the search index`];
    }),
  );

/** Facts about an open file that `doctor` reports. */
export type FileFacts = {
  schema: number;
  newest_schema: number;
  sqlite: string;
  revision: number;
  created_at: string | null;
  starter: string | null;
  last_synced_ts: number | null;
  accounts: number;
  keys: number;
  /** Hidden, deleted and forgotten records. */
  removed: number;
  /** Whether unused parts of the file may hold what was forgotten (`forget --sweep`). */
  has_forgotten_traces: boolean;
};

/**
 * Reads the facts of an open data file for `doctor`. `keys` counts those that are neither revoked nor expired; null for
 * a setting that the file does not have.
 */
export function readFacts(sqlite: Database.Database): FileFacts {
  const one = (text: string) => sqlite.prepare(text).pluck().get();
  return {
    schema: sqlite.pragma('user_version', { simple: true }) as number,
    newest_schema: schemaVersion,
    sqlite: one('SELECT sqlite_version()') as string,
    revision: readRevision(sqlite),
    created_at: readSetting(sqlite, 'created_at'),
    starter: readSetting(sqlite, 'starter'),
    last_synced_ts: one('SELECT last_synced_ts FROM catalogue') as number | null,
    accounts: one('SELECT count(*) FROM accounts') as number,
    keys: one(
      `SELECT count(*) FROM api_keys
       WHERE revoked_ts IS NULL AND (expires_ts IS NULL OR expires_ts > unixepoch('subsec') * 1000)`,
    ) as number,
    removed: one('SELECT count(*) FROM removed_records') as number,
    has_forgotten_traces: readSetting(sqlite, tracesSetting) !== null,
  };
}

/** The version of SQLite; needs no data file. */
export function sqliteVersion(): string {
  const memory = new Database(':memory:');
  const version = prepareValue<string>(memory, 'SELECT sqlite_version()').one();
  memory.close();
  return version;
}

/**
 * Renames the log of a file whose content was overwritten. The next process that opens the file would otherwise
 * apply the log to it.
 */
export function moveLogAside(path: string): void {
  // SQLite keeps the log beside the file, not beside a link to it.
  const real = followLinks(path);
  const archive = availablePath(`${real}.overwritten`);
  for (const end of ['-wal', '-shm']) if (existsSync(real + end)) renameSync(real + end, archive + end);
}
