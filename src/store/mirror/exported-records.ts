/** Reads the ids of the records of a kind that are in the catalogue. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { kindTables } from '../records/kind-tables.ts';

/** Pages through the records of one kind by id, with the revision of the last change of each. */
export class ExportedRecords {
  readonly #page: Database.Statement;

  constructor(sqlite: Database.Database, kind: Kind) {
    this.#page = sqlite.prepare(
      `SELECT t.id, r.revision FROM ${kindTables[kind].table} t JOIN records r ON r.id = t.id
       WHERE t.id > ? ORDER BY t.id LIMIT ?`,
    );
  }

  /** The next records after an id. */
  page(after: number, limit: number): { id: number; revision: number }[] {
    return this.#page.all(after, limit) as { id: number; revision: number }[];
  }
}
