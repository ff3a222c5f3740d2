/** Replaces the data file by a backup. A process killed at any moment leaves the old file or the new one. */
import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { isCorruption } from '../../log.ts';
import { describeWriteError, openDatabase, otherFileAdvice, restoreAdvice } from '../database.ts';
import { startLineage } from '../mirror/epoch.ts';
import { fsyncFile, fsyncParentDirectory } from './fsync.ts';
import { identifyFile } from './identity.ts';
import { checkFile } from './maintenance.ts';
import { replaceablePath } from './replaced-file.ts';
import { availablePath, createScratchDirectory } from './scratch-directory.ts';

export type RestoreResult = { data: string; kept: string | null };

/**
 * Replaces `data`, or the file behind the link `data`, by a checked copy of `backup`. The old file is kept beside it.
 * @throws Failure if the backup is missing, damaged or not a data file, if a process has the data file open, or if
 *   `data` must not be replaced (`replaceablePath`)
 */
export function restoreFile(backup: string, path: string): RestoreResult {
  if (!existsSync(backup)) throw new Failure(`There is no file ${backup}. Name a backup.`);
  if (statSync(backup).isDirectory()) throw new Failure(`${backup} is a folder. Name a backup.`);
  if (!statSync(backup).isFile()) throw new Failure(`${backup} is not a regular file. Name a backup.`);
  if (statSync(backup).size === 0) throw new Failure(`${backup} is empty. Take another backup.`);
  const data = replaceablePath(path);
  if (existsSync(data) && isSameFile(backup, data)) {
    throw new Failure(`${backup} is the data file itself. Name a backup, or another file with --data.`, 2);
  }
  const log = `${backup}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw new Failure(
      `${backup} is in use or was not closed. Make a backup of it first: \`cratebase --data ${backup} backup FILE\`.`,
    );
  }
  if (existsSync(data) && identifyFile(data).owner === 'other') {
    throw new Failure(`${data} is not a cratebase data file. Name another one with --data.`);
  }
  const folder = dirname(data);
  if (!existsSync(folder)) throw new Failure(`The folder ${folder} does not exist. Make it first.`);
  try {
    return { data: path, kept: replaceDataFile(backup, data) };
  } catch (failure) {
    throw describeWriteError(failure, data);
  }
}

/** Returns the new path of the old file, or null if there was none. */
function replaceDataFile(backup: string, data: string): string | null {
  const scratch = createScratchDirectory(dirname(data), 'restore');
  try {
    const draft = join(scratch.path, 'cratebase.db');
    copyFileSync(backup, draft);
    // A backup may be write-protected; the data file must be writable.
    chmodSync(draft, 0o600);
    prepareDraft(draft, backup);
    return swapFiles(draft, data);
  } finally {
    scratch.remove();
  }
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [statSync(a), statSync(b)];
  return one.dev === other.dev && one.ino === other.ino;
}

/** Checks the copy, and gives it another epoch: clients that follow the old file must start again. */
function prepareDraft(draft: string, backup: string): void {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = openDatabase(draft, { create: false, keepBackup: false });
    const bad = [...checkFile(sqlite)].find((check) => !check.ok);
    if (bad)
      throw new Failure(`${backup} is damaged (${bad.name}: ${bad.problems[0]}). Take another backup.`);
    startLineage(sqlite);
  } catch (failure) {
    if (isCorruption(failure))
      throw new Failure(`${backup} is damaged (${(failure as Error).message}). Take another backup.`);
    if (!(failure instanceof Failure)) throw failure;
    // The message names the checked copy, and its advice is to restore a backup.
    const message = failure.message.replaceAll(draft, backup).replace(restoreAdvice, 'Take another backup.');
    throw new Failure(message.replace(otherFileAdvice, 'Take another backup.'), failure.exitStatus);
  } finally {
    sqlite?.close();
  }
}

/** Renames `draft` to `data`. Returns the new path of the old file, or null if there was none. */
function swapFiles(draft: string, data: string): string | null {
  fsyncFile(draft);
  if (!existsSync(data)) {
    renameSync(draft, data);
    fsyncParentDirectory(data);
    return null;
  }
  const lock = lockExclusively(data);
  try {
    const previous = availablePath(`${data}.before-restore`);
    // A remaining log belongs to a damaged file. SQLite would apply it to the new one.
    for (const end of ['-wal', '-shm']) if (existsSync(data + end)) renameSync(data + end, previous + end);
    try {
      linkSync(data, previous);
    } catch {
      // On file systems without links there is a moment without a data file.
      renameSync(data, previous);
    }
    renameSync(draft, data);
    fsyncParentDirectory(data);
    return previous;
  } finally {
    lock?.close();
  }
}

/**
 * Locks the data file until the connection is closed, and merges its log into it. Returns null for a damaged
 * file, which no process can use.
 * @throws Failure if another process has it open
 */
function lockExclusively(path: string): Database.Database | null {
  const sqlite = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    // Leaving WAL mode requires exclusive access.
    if (sqlite.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw inUseFailure(path);
    sqlite.exec('BEGIN EXCLUSIVE');
    return sqlite;
  } catch (failure) {
    sqlite.close();
    if (!(failure instanceof Database.SqliteError)) throw failure;
    if (/^SQLITE_(BUSY|LOCKED)/.test(failure.code)) throw inUseFailure(path);
    return null;
  }
}

const inUseFailure = (path: string): Failure =>
  new Failure(`${path} is in use. Stop \`cratebase serve\` first.`);
