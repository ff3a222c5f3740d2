/**
 * Transactions that wait for a lock without blocking the event loop. Another process (an import) may hold the
 * write lock, and SQLite's own wait would block the whole server. A refused attempt asks the import for the lock, and is
 * repeated a millisecond later. Without an import, it is repeated at once for a millisecond.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Problem } from '../contract/errors.ts';
import { isBusy } from './file/busy-timeout.ts';
import { CommitLog } from './file/commit-log.ts';
import { LockRequester } from './file/lock-requests.ts';

/** How long to wait for a locked file. */
const lockTimeoutMs = 10_000;
const retryMs = 1;
/** How long a refused attempt is repeated in each turn of the event loop: another worker has the lock for 0.1 ms. */
const shortWaitMs = 1;

/** Runs synchronous work in transactions of one connection, and waits up to ten seconds for a locked file. */
export class Transactions {
  readonly #sqlite: Database.Database;
  readonly #transaction: WriteTransaction;
  readonly #log: CommitLog;
  readonly #lockRequester: LockRequester;

  /** @param sqlite a connection for this object alone: its busy timeout is set to 0 */
  constructor(sqlite: Database.Database) {
    sqlite.pragma('busy_timeout = 0');
    this.#sqlite = sqlite;
    this.#transaction = new WriteTransaction(sqlite);
    this.#log = new CommitLog(sqlite);
    this.#lockRequester = new LockRequester(sqlite.name);
  }

  /**
   * Runs `work` in a write transaction and commits it. `work` runs again if the file was locked. Rejects with
   * `unavailable` if the file stays locked for ten seconds or cannot be used.
   */
  write<T>(work: () => T): Promise<T> {
    return retryWhileBusy(this.#sqlite, this.#lockRequester, () => this.#transaction.run(work));
  }

  /**
   * Like `write`, for changes that must survive a power cut: keys, passwords, revocations. Resolves after the log
   * is synchronized to disk in another thread. Also rejects if the log was deleted (`CommitLog`).
   */
  async writeDurably<T>(work: () => T): Promise<T> {
    const result = await this.write(work);
    await this.#log.sync();
    return result;
  }

  /** Runs `work`, a single read statement. Rejects as `write` does. */
  read<T>(work: () => T): Promise<T> {
    return retryWhileBusy(this.#sqlite, this.#lockRequester, work);
  }
}

/** Begins, commits and rolls back write transactions of a connection. */
export class WriteTransaction {
  readonly #sqlite: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
    this.#rollback = sqlite.prepare('ROLLBACK');
  }

  /** Runs `work` in a transaction. Throws SQLITE_BUSY if another process holds the lock. */
  run<T>(work: () => T): T {
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (failure) {
      this.#rollBack();
      throw failure;
    }
  }

  /** Like `run`, for asynchronous work, which the caller limits in time. */
  async runAsync<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#sqlite.open) throw shuttingDown();
    this.#begin.run();
    try {
      const result = await work();
      this.#commit.run();
      return result;
    } catch (failure) {
      this.#rollBack();
      throw failure;
    }
  }

  #rollBack(): void {
    // After some errors (a full disk) SQLite has rolled back already.
    if (this.#sqlite.inTransaction) this.#rollback.run();
  }
}

/**
 * Runs `attempt` until the file is not locked, and asks an import that holds the lock for it. Rejects with `unavailable`
 * if the file stays locked for ten seconds, cannot be used, or was closed.
 */
export async function retryWhileBusy<T>(
  sqlite: Database.Database,
  lockRequester: LockRequester,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const since = performance.now();
  for (;;) {
    if (!sqlite.open) throw shuttingDown();
    try {
      const result = await attempt();
      lockRequester.done();
      return result;
    } catch (failure) {
      if (!isBusy(failure) || performance.now() - since > lockTimeoutMs) {
        lockRequester.done();
        throw toProblem(failure);
      }
    }
    const isImport = lockRequester.request();
    await (isImport || performance.now() - since > shortWaitMs ? pause(retryMs) : nextTurn());
  }
}

const shuttingDown = (): Problem => new Problem('unavailable', 'The service is shutting down.');

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

/** A number that changes with every commit of another connection, and not with commits of this one. */
export const dataVersionOf = (sqlite: Database.Database): number =>
  sqlite.pragma('data_version', { simple: true }) as number;
