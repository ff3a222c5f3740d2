/** Synchronizes commits to disk: a commit alone does not survive a power cut (`synchronous = NORMAL`). */
import { type FileHandle, open, realpath } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { Problem } from '../../contract/errors.ts';
import { isSeparated, LogCheck, type LogFiles, logFilesOf, unlessUnreadable } from './log-files.ts';
import { problemForFault } from './monitor.ts';

/** The write-ahead log of a connection, which makes commits durable before a response acknowledges them. */
export class CommitLog {
  readonly #sqlite: Database.Database;
  readonly #files: LogFiles;
  readonly #check: LogCheck;

  /** @param sqlite an open connection; its log must stay the one that it has now */
  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#files = logFilesOf(sqlite.name);
    this.#check = new LogCheck(sqlite);
  }

  /**
   * Resolves when all commits are on disk; another thread waits for it. Rejects with `unavailable` if the disk fails, or
   * if the log was deleted or cut off: the commits would be lost with the last process that has it open.
   */
  async sync(): Promise<void> {
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
    if (isSeparated(this.#files, logFilesOf(this.#sqlite.name))) throw problemForFault('separated');
    if (unlessUnreadable(() => this.#check.isCut()) === true) throw problemForFault('cut_log');
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
