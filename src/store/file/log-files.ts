/**
 * The two files that SQLite keeps beside an open data file: the write-ahead log (`-wal`) and its index (`-shm`).
 * A connection keeps using them after they were deleted. Another process then creates new ones, and neither
 * process sees the other's commits.
 *
 * https://sqlite.org/howtocorrupt.html, section 4.4; https://sqlite.org/walformat.html
 */
import { realpathSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Inodes of the log and its index; null if the file does not exist. */
export type LogFiles = { log: bigint | null; index: bigint | null };

const inodeOf = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** SQLite keeps the files beside the data file itself, not beside a link to it. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** The log files at `path` now. Right after a connection has read, they are those of the connection. */
export function logFilesOf(path: string): LogFiles {
  const real = realPathOf(path);
  return { log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`) };
}

/** Whether a file of `opened` was deleted or replaced; `present` are the files there now. */
export const isSeparated = (opened: LogFiles, present: LogFiles): boolean =>
  (opened.log !== null && present.log !== opened.log) ||
  (opened.index !== null && present.index !== opened.index);

/**
 * Whether files of `opened` are missing but not replaced. Another process that opened the data file would have
 * created new ones.
 */
const isUnreplaced = (opened: LogFiles, present: LogFiles): boolean =>
  (present.log ?? opened.log) === opened.log && (present.index ?? opened.index) === opened.index;

/**
 * Moves the content of a deleted log into the data file. Does nothing if a new log or index exists: another process may
 * have written since, and pages of the old log would overwrite its changes.
 * @param sqlite a connection from before the log was deleted
 * @param opened the log files that it uses
 */
export function rescueLog(sqlite: Database.Database, opened: LogFiles): void {
  if (isUnreplaced(opened, logFilesOf(sqlite.name))) sqlite.pragma('wal_checkpoint(PASSIVE)');
}
