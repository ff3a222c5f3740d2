/** Detects whether another process has the data file open, by SQLite's locks. */
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { blockFor } from './block-for.ts';
import { logFilesOf } from './log-files.ts';

/** Opens the file with an exclusive lock; null if another connection has it open. */
export function openExclusively(path: string): Database.Database | null {
  const sqlite = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE');
    // The locks are kept from the first transaction on.
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
    return sqlite;
  } catch (failure) {
    sqlite.close();
    if (failure instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(failure.code)) return null;
    throw failure;
  }
}

/** Retries for three seconds: a process that is opening, upgrading or closing the file may have no log yet or any more. */
const maxTries = 120;
const retryMs = 25;

/**
 * Rejects a data file that another process has open although its log or index was deleted. SQLite would create
 * new ones. Their commits are lost when the other process closes the file.
 * @param path a data file that this process does not have open
 * @throws Failure if the log or its index was deleted
 */
export function refuseLostLog(path: string): void {
  for (let tries = 0; tries < maxTries; tries++) {
    const { log, index } = logFilesOf(path);
    if (log !== null && index !== null) return;
    const connection = openExclusively(path);
    if (connection !== null) {
      connection.close();
      return;
    }
    blockFor(retryMs);
  }
  throw new Failure(
    `Another process has ${path} open, but its write-ahead log (${path}-wal or ${path}-shm) was deleted. Stop that process first (\`cratebase serve\`), then try again.`,
  );
}
