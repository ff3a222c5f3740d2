/** Deletes a source with all its source records (`sources remove --purge`). */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { deleteRun } from '../schedule/active-runs.ts';

export type PurgedRow = { external_id: string; content: string | null };

/** Rows of a source's lists that are deleted at once. */
const deletedAtOnce = 500;

export class SourcePurgeStore {
  readonly #sqlite: Database.Database;
  readonly #page: Database.Statement;
  readonly #rows: Database.Statement;
  readonly #delete: Database.Statement;
  readonly #others: Database.Statement;
  readonly #count: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#page = sqlite
      .prepare('SELECT record_id FROM source_records WHERE source_id = ? AND kind = ? LIMIT ?')
      .pluck();
    this.#rows = sqlite.prepare(
      'SELECT external_id, content FROM source_records WHERE record_id = ? AND source_id = ? ORDER BY external_id',
    );
    this.#delete = sqlite.prepare('DELETE FROM source_records WHERE record_id = ? AND source_id = ?');
    this.#others = sqlite
      .prepare('SELECT content IS NOT NULL FROM source_records WHERE record_id = ? AND source_id <> ?')
      .pluck();
    this.#count = sqlite.prepare('SELECT count(*) FROM source_records WHERE source_id = ?').pluck();
  }

  /** Up to `limit` different records of a kind that the source lists or names by an id. */
  records(source: number, kind: FeedKind, limit: number): number[] {
    return [...new Set(this.#page.all(source, kind, limit) as number[])];
  }

  /** All different records of a kind that the source lists or names by an id. */
  allRecords(source: number, kind: FeedKind): number[] {
    return this.#sqlite
      .prepare('SELECT DISTINCT record_id FROM source_records WHERE source_id = ? AND kind = ?')
      .pluck()
      .all(source, kind) as number[];
  }

  countRecords(source: number): number {
    return this.#count.get(source) as number;
  }

  /** The source records of one record. */
  rowsOf(source: number, record: number): PurgedRow[] {
    return this.#rows.all(record, source) as PurgedRow[];
  }

  deleteRows(source: number, record: number): void {
    this.#delete.run(record, source);
  }

  /** What other sources have of a record: a description, only an id, or nothing. */
  othersOf(source: number, record: number): 'content' | 'id' | 'nothing' {
    const others = this.#others.all(record, source) as number[];
    return others.includes(1) ? 'content' : others.length > 0 ? 'id' : 'nothing';
  }

  /** Ends the schedule of a source, so that no run reads it any more. */
  unschedule(source: number): void {
    this.#sqlite.prepare('DELETE FROM source_pages WHERE source_id = ?').run(source);
    this.#sqlite.prepare('DELETE FROM schedules WHERE source_id = ?').run(source);
    deleteRun(this.#sqlite, source);
  }

  /** Deletes some of the runs and held records of a source. Returns whether there may be more. */
  deleteSomeLists(source: number): boolean {
    const changes = ['source_runs', 'held_source_records'].map(
      (table) =>
        this.#sqlite
          .prepare(
            `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE source_id = ? LIMIT ${deletedAtOnce})`,
          )
          .run(source).changes,
    );
    return changes.some((count) => count === deletedAtOnce);
  }

  /** Deletes the source itself, which has no source records any more. */
  deleteSource(source: number): void {
    this.#sqlite.prepare('DELETE FROM sources WHERE id = ?').run(source);
  }
}
