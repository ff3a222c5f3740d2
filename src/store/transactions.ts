/**
 * Transactions that wait for the file without holding up the event loop. Another process (an import) may hold the
 * write lock; SQLite's own way to wait is to sleep, and the whole server with it. Here a refused try is repeated a
 * millisecond later, and everything else goes on meanwhile.
 */
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Problem } from '../contract/errors.ts';
import { isBusy } from './file/busy-timeout.ts';
import { isSeparated, type LogFiles, logFilesOf } from './file/log-files.ts';

/** How long a locked file is waited for. */
const lockTimeoutMs = 10_000;
const retryMs = 1;

export class Transactions {
  readonly #sqlite: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #logFiles: LogFiles;

  /** @param sqlite a connection that nobody else uses: from now on it never sleeps on a lock */
  constructor(sqlite: Database.Database) {
    sqlite.pragma('busy_timeout = 0');
    this.#sqlite = sqlite;
    this.#logFiles = logFilesOf(sqlite.name);
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
    this.#rollback = sqlite.prepare('ROLLBACK');
  }

  /**
   * Runs `work` while no other process writes, and commits; `work` runs again where the file turned out to be locked.
   * Rejects with `unavailable` where the file stays locked for ten seconds or cannot be used.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#patiently(() => this.#committed(work));
  }

  /**
   * As `write`, for what must not be undone by a power cut: keys, passwords, revocations. Resolves when it is on the
   * disk, which another thread waits for: a commit itself does not (`synchronous = NORMAL`). Rejects also where the log
   * that it was committed to was deleted: the commit would be gone with the last process that has it open.
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

  /** Runs `work`, a single statement that reads. Rejects as `write` does. */
  read<T>(work: () => T): Promise<T> {
    return this.#patiently(work);
  }

  #committed<T>(work: () => T): T {
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (failure) {
      // Some failures (a full disk) have SQLite roll back by itself.
      if (this.#sqlite.inTransaction) this.#rollback.run();
      throw failure;
    }
  }

  async #patiently<T>(attempt: () => T): Promise<T> {
    const since = performance.now();
    for (;;) {
      if (!this.#sqlite.open) throw new Problem('unavailable', 'The service is shutting down.');
      try {
        return attempt();
      } catch (failure) {
        if (!isBusy(failure) || performance.now() - since > lockTimeoutMs) throw toProblem(failure);
      }
      await pause(retryMs);
    }
  }
}

/** Waits until all that was committed to the file at `path` is on its disk: it is in the log, or was moved on from there. */
async function syncLog(path: string): Promise<void> {
  let log: FileHandle;
  try {
    // Beside the file itself, wherever links to it lie. No lock of SQLite's is on it, which closing it would end.
    log = await open(`${await realpath(path)}-wal`, 'r+');
  } catch (failure) {
    // What is moved into the file before a log goes is on the disk by then.
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw failure;
  }
  try {
    await log.datasync();
  } finally {
    await log.close();
  }
}

/** The state of the file or its disk, and no mistake of ours. */
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
