/** Switches the enforcement of foreign keys of a connection, as rarely as possible. */
import type Database from 'better-sqlite3';

/**
 * The enforcement of foreign keys of one connection. Nothing else may change the pragma `foreign_keys` of that
 * connection.
 */
export class ForeignKeyChecks {
  readonly #sqlite: Database.Database;
  #areOn = true;
  /**
   * Whether checks stay off between batches, until a rollback. Each change of that setting makes SQLite compile all
   * statements of the connection again, which costs more than a short batch.
   */
  staysOff = false;

  /** @param sqlite a connection that enforces foreign keys */
  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** Switches the checks. Call it outside of a transaction: SQLite ignores it within one. */
  switch(on: boolean): void {
    if (on === this.#areOn) return;
    this.#sqlite.pragma(`foreign_keys = ${on ? 'ON' : 'OFF'}`);
    this.#areOn = on;
  }
}
