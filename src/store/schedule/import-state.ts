/** State of an import in the file, savepoints for single lines, and connection settings. */
import type Database from 'better-sqlite3';
import { SqliteStore } from '../statement.ts';

/**
 * How many revisions of list history are kept: former places of records in lists. A client that began to read a list
 * earlier may miss records that moved.
 */
const maxHistoryRevisions = 100_000;
/** Rows deleted per call. */
const maxPrunedRows = 500;

/** Selects rows whose revision is older than a number of revisions, up to a number of rows. */
const areOld = 'revision < (SELECT revision FROM catalogue) - ? LIMIT ?';

/**
 * Prepares a connection for an import: a page cache of 32 MB and, unless a transaction is open, temporary tables in
 * memory.
 */
export class ImportState extends SqliteStore {
  readonly #begin = this.sqlite.prepare('SAVEPOINT line');
  readonly #rollback = this.sqlite.prepare('ROLLBACK TO line');
  readonly #release = this.sqlite.prepare('RELEASE line');
  readonly #pruneSortKeys = this.sqlite.prepare(
    `DELETE FROM sort_key_history WHERE (kind, revision, record_id) IN (SELECT kind, revision, record_id FROM sort_key_history WHERE ${areOld})`,
  );
  readonly #pruneLists = this.sqlite.prepare(
    `DELETE FROM list_history WHERE rowid IN (SELECT rowid FROM list_history WHERE ${areOld})`,
  );
  /** The catalogue's revision. */
  readonly revision = this.selectCount<[]>('SELECT revision FROM catalogue');
  /** Saves that a feed was completely imported at `now` (ms). */
  readonly markSynced = this.execute<[now: number]>('UPDATE catalogue SET last_synced_ts = ?');

  constructor(sqlite: Database.Database) {
    super(sqlite);
    // An import accesses pages all over the file. A smaller cache would read them again and again.
    sqlite.pragma('cache_size = -32000');
    // Refused within a transaction: the connection may have a snapshot open for a reader of the same process.
    if (!sqlite.inTransaction) sqlite.pragma('temp_store = MEMORY');
  }

  /** Shortens the wait for locks, when the work must end soon. */
  shortenLockTimeout(): void {
    this.sqlite.pragma('busy_timeout = 100');
  }

  /** Runs the work of one line in a savepoint. Rethrows its error after a rollback. */
  inSavepoint(work: () => void): void {
    this.#begin.run();
    try {
      work();
    } catch (failure) {
      // After some errors (a full disk) SQLite has already rolled back the transaction.
      if (this.sqlite.inTransaction) this.#rollback.run();
      throw failure;
    } finally {
      if (this.sqlite.inTransaction) this.#release.run();
    }
  }

  /** Deletes some list history that only very old pagination needs. Returns whether there may be more. */
  pruneHistory(): boolean {
    const { changes: moves } = this.#pruneSortKeys.run(maxHistoryRevisions, maxPrunedRows);
    const { changes: lists } = this.#pruneLists.run(maxHistoryRevisions, maxPrunedRows);
    return moves === maxPrunedRows || lists === maxPrunedRows;
  }
}

/**
 * Runs `work` without waiting for the disk, for a new file that a power cut may destroy. All data is on disk at
 * the end.
 */
export async function withoutSyncing<T>(sqlite: Database.Database, work: () => Promise<T>): Promise<T> {
  sqlite.pragma('synchronous = OFF');
  try {
    return await work();
  } finally {
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  }
}

/** Compacts and closes a file without leaving a log beside it, so that it can be copied. */
export function closeCompacted(sqlite: Database.Database): void {
  sqlite.pragma('journal_mode = DELETE');
  sqlite.exec('VACUUM');
  sqlite.close();
}
