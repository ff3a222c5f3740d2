/** Whether another process has the data file open, by the locks that SQLite keeps on it. */
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { logFilesOf } from './log-files.ts';

/** A connection that no other can be opened beside; null where there is one. */
export function openExclusively(path: string): Database.Database | null {
  const sqlite = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE');
    // From the first transaction on the locks are kept.
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
    return sqlite;
  } catch (failure) {
    sqlite.close();
    if (failure instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(failure.code)) return null;
    throw failure;
  }
}

/** Another process may be opening or closing the file, and have no log yet or no longer. */
const maxTries = 20;
const retryMs = 25;

/**
 * Refuses a data file that another process has open while its log or the index of that is missing: they were deleted.
 * SQLite would make new ones, and what is committed to them is lost when the other process closes the file.
 * @param path a data file that this process does not have open
 */
export function refuseLostLog(path: string): void {
  for (let tries = 0; tries < maxTries; tries++) {
    const { log, index } = logFilesOf(path);
    if (log !== null && index !== null) return;
    const alone = openExclusively(path);
    if (alone !== null) {
      alone.close();
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
  }
  throw new Failure(
    `Another process has ${path} open, but its write-ahead log (${path}-wal or ${path}-shm) was deleted. Stop that process first (\`cratebase serve\`), then try again.`,
  );
}
