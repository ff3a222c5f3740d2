/** State of an import in the file, savepoints for single lines, and connection settings. */
import type Database from 'better-sqlite3';
import { prepareValue } from '../statement.ts';

/** How many revisions of list history are kept; pagination that began earlier loses its guarantee. */
const maxHistoryRevisions = 100_000;
/** Rows deleted per call. */
const maxPrunedRows = 500;

export class ImportState {
  readonly #sqlite: Database.Database;
  readonly #begin: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #release: Database.Statement;
  readonly #pruneSortKeys: Database.Statement;
  readonly #pruneLists: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare('SAVEPOINT line');
    this.#rollback = sqlite.prepare('ROLLBACK TO line');
    this.#release = sqlite.prepare('RELEASE line');
    const isOld = 'revision < (SELECT revision FROM catalogue) - ? LIMIT ?';
    this.#pruneSortKeys = sqlite.prepare(
      `DELETE FROM sort_key_history WHERE (kind, revision, record_id) IN (SELECT kind, revision, record_id FROM sort_key_history WHERE ${isOld})`,
    );
    this.#pruneLists = sqlite.prepare(
      `DELETE FROM list_history WHERE rowid IN (SELECT rowid FROM list_history WHERE ${isOld})`,
    );
    // An import accesses pages all over the file. A smaller cache would read them again and again.
    sqlite.pragma('cache_size = -32000');
    // Checkpoint less often: pages written by several batches are copied once.
    sqlite.pragma('wal_autocheckpoint = 12000');
    sqlite.pragma('temp_store = MEMORY');
  }

  /** Allows a log of 160 MB, when no other process reads the file. */
  allowLongLog(): void {
    this.#sqlite.pragma('wal_autocheckpoint = 40000');
  }

  /** Shortens the wait for locks, when the work must end soon. */
  shortenLockTimeout(): void {
    this.#sqlite.pragma('busy_timeout = 100');
  }

  /** The catalogue's revision. */
  revision(): number {
    return prepareValue<number>(this.#sqlite, 'SELECT revision FROM catalogue').get() ?? 0;
  }

  /** Runs the work of one line in a savepoint. Rethrows its error after a rollback. */
  inSavepoint(work: () => void): void {
    this.#begin.run();
    try {
      work();
    } catch (failure) {
      // After some errors (a full disk) SQLite has already rolled back the transaction.
      if (this.#sqlite.inTransaction) this.#rollback.run();
      throw failure;
    } finally {
      if (this.#sqlite.inTransaction) this.#release.run();
    }
  }

  /** Saves that a feed was completely imported at `now` (ms). */
  markSynced(now: number): void {
    this.#sqlite.prepare('UPDATE catalogue SET last_synced_ts = ?').run(now);
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
