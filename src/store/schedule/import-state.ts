/** What an import keeps of itself in the file, and how it takes single lines back. */
import type Database from 'better-sqlite3';

/** How many revisions back the moves of records are kept: walks begun earlier are not waited for. */
const keptRevisions = 100_000;
/** So many of them are dropped at a time. */
const maxPrunedRows = 500;

export class ImportState {
  readonly #sqlite: Database.Database;
  readonly #begin: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #release: Database.Statement;
  readonly #dropMoves: Database.Statement;
  readonly #dropLists: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare('SAVEPOINT line');
    this.#undo = sqlite.prepare('ROLLBACK TO line');
    this.#release = sqlite.prepare('RELEASE line');
    const isOld = 'revision < (SELECT revision FROM catalogue) - ? LIMIT ?';
    this.#dropMoves = sqlite.prepare(
      `DELETE FROM sort_key_history WHERE (kind, revision, record_id) IN (SELECT kind, revision, record_id FROM sort_key_history WHERE ${isOld})`,
    );
    this.#dropLists = sqlite.prepare(
      `DELETE FROM list_history WHERE rowid IN (SELECT rowid FROM list_history WHERE ${isOld})`,
    );
    // An import touches pages all over the file; with too little memory it would read them again and again.
    sqlite.pragma('cache_size = -32000');
    // A page that several batches wrote is brought into the file once, not after each of them.
    sqlite.pragma('wal_autocheckpoint = 12000');
    sqlite.pragma('temp_store = MEMORY');
  }

  /** Nobody else reads the file to whom a long log of changed pages (160 MB) would be a burden. */
  allowLongLog(): void {
    this.#sqlite.pragma('wal_autocheckpoint = 40000');
  }

  /** The work is to end at once: from now on locks of others are not waited for. */
  shortenLockTimeout(): void {
    this.#sqlite.pragma('busy_timeout = 100');
  }

  /** The catalogue's revision. */
  revision(): number {
    return this.#sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
  }

  /** Runs the work of one line, all or nothing; what it throws is thrown on. */
  inSavepoint(work: () => void): void {
    this.#begin.run();
    try {
      work();
    } catch (failure) {
      // Some failures (a full disk) have SQLite undo the whole transaction by itself.
      if (this.#sqlite.inTransaction) this.#undo.run();
      throw failure;
    } finally {
      if (this.#sqlite.inTransaction) this.#release.run();
    }
  }

  /** A feed was read to its end at `now` (ms). */
  markSynced(now: number): void {
    this.#sqlite.prepare('UPDATE catalogue SET last_synced_ts = ?').run(now);
  }

  /** Drops some of what only walks begun long ago would need; says whether there may be more of it. */
  pruneHistory(): boolean {
    const { changes: moves } = this.#dropMoves.run(keptRevisions, maxPrunedRows);
    const { changes: lists } = this.#dropLists.run(keptRevisions, maxPrunedRows);
    return moves === maxPrunedRows || lists === maxPrunedRows;
  }
}

/**
 * Runs `work` without waiting for the disk: for a file so new that a power cut can take nothing of worth from it. Ends
 * with all of it on the disk.
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

/** Closes a file so that it is one, and as small as it can be: to be carried elsewhere. */
export function closeCompacted(sqlite: Database.Database): void {
  sqlite.pragma('journal_mode = DELETE');
  sqlite.exec('VACUUM');
  sqlite.close();
}
