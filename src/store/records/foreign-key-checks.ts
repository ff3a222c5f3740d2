/** Switches the enforcement of foreign keys off for batches of a writer. */
import type Database from 'better-sqlite3';

export class ForeignKeyChecks {
  readonly #sqlite: Database.Database;
  #areOn = true;
  /**
   * Whether foreign keys stay unenforced between batches. Each change of that setting makes SQLite compile all
   * statements of the connection again, which costs more than a short batch.
   */
  stayOff = false;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** Referenced rows were read or created just before. Checking them again for every row takes a third of the time. */
  turnOff(): void {
    this.#set(false);
  }

  /** Call it outside of transactions, in which SQLite ignores the setting. */
  turnOn(): void {
    this.#set(true);
  }

  /** Call it after each batch. */
  endBatch(): void {
    if (!this.stayOff) this.#set(true);
  }

  #set(areOn: boolean): void {
    if (areOn === this.#areOn) return;
    this.#sqlite.pragma(`foreign_keys = ${areOn ? 'ON' : 'OFF'}`);
    this.#areOn = areOn;
  }
}
