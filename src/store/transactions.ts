/**
 * Transactions that wait for a lock without blocking the event loop. Another process (an import) may hold the
 * write lock, and SQLite's own wait would block the whole server. A refused attempt asks the import for the lock, and is
 * repeated a millisecond later.
 */
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Problem } from '../contract/errors.ts';
import { isBusy } from './file/busy-timeout.ts';
import { LockRequester } from './file/lock-requests.ts';
import { isSeparated, type LogFiles, logFilesOf } from './file/log-files.ts';

/** How long to wait for a locked file. */
const lockTimeoutMs = 10_000;
const retryMs = 1;

export class Transactions {
  readonly #sqlite: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #logFiles: LogFiles;
  readonly #lockRequester: LockRequester;

  /** @param sqlite a connection for this object alone: its busy timeout is set to 0 */
  constructor(sqlite: Database.Database) {
    sqlite.pragma('busy_timeout = 0');
    this.#sqlite = sqlite;
    this.#logFiles = logFilesOf(sqlite.name);
    this.#lockRequester = new LockRequester(sqlite.name);
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
    this.#rollback = sqlite.prepare('ROLLBACK');
  }

  /**
   * Runs `work` in a write transaction and commits it. `work` runs again if the file was locked. Rejects with
   * `unavailable` if the file stays locked for ten seconds or cannot be used.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#retryWhileBusy(() => this.#inTransaction(work));
  }

  /**
   * Like `write`, for changes that must survive a power cut: keys, passwords, revocations. Resolves after the log
   * is synchronized to disk in another thread; a commit alone is not (`synchronous = NORMAL`). Also rejects if
   * the log was deleted: the commit would be lost with the last process that has it open.
   */
  async writeDurably<T>(work: () => T): Promise<T> {
    const result = await this.write(work);
    try {
      await syncLog(this.#sqlite.name);
    } catch (failure) {
      const problem = new Problem(
        'unavailable',
        'The data file cannot be used at present. Try again shortly.',
      );
      problem.cause = failure;
      throw problem;
    }
    if (isSeparated(this.#logFiles, logFilesOf(this.#sqlite.name))) {
      throw new Problem(
        'unavailable',
        'The write-ahead log of the data file was deleted or replaced. The operator has to restart the service.',
      );
    }
    return result;
  }

  /** Runs `work`, a single read statement. Rejects as `write` does. */
  read<T>(work: () => T): Promise<T> {
    return this.#retryWhileBusy(work);
  }

  #inTransaction<T>(work: () => T): T {
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (failure) {
      // After some errors (a full disk) SQLite has rolled back already.
      if (this.#sqlite.inTransaction) this.#rollback.run();
      throw failure;
    }
  }

  async #retryWhileBusy<T>(attempt: () => T): Promise<T> {
    const since = performance.now();
    for (;;) {
      if (!this.#sqlite.open) throw new Problem('unavailable', 'The service is shutting down.');
      try {
        const result = attempt();
        this.#lockRequester.done();
        return result;
      } catch (failure) {
        if (!isBusy(failure) || performance.now() - since > lockTimeoutMs) {
          this.#lockRequester.done();
          throw toProblem(failure);
        }
      }
      this.#lockRequester.request();
      await pause(retryMs);
    }
  }
}

/** Waits until every commit to the file at `path` is on disk, in the log or in the file. */
async function syncLog(path: string): Promise<void> {
  let log: FileHandle;
  try {
    // The log is beside the real file, not beside a link to it. Closing it drops no lock: SQLite locks only the
    // -shm file and the data file.
    log = await open(`${await realpath(path)}-wal`, 'r+');
  } catch (failure) {
    // SQLite synchronizes checkpointed pages to disk before it deletes a log.
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw failure;
  }
  try {
    await log.datasync();
  } finally {
    await log.close();
  }
}

/** Error codes that describe the state of the file or disk rather than a programming error. */
const fileConditionCodes =
  /^SQLITE_(BUSY|LOCKED|IOERR|FULL|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|PROTOCOL|NOLFS)(_|$)/;

function toProblem(failure: unknown): unknown {
  if (!(failure instanceof Database.SqliteError) || !fileConditionCodes.test(failure.code)) return failure;
  const problem = new Problem(
    'unavailable',
    isBusy(failure)
      ? 'The data file is locked by another process. Try again shortly.'
      : 'The data file cannot be used at present. Try again shortly.',
  );
  problem.cause = failure;
  return problem;
}
