/** Deletes a source with all its source records (`sources remove --purge`). */
import type { FeedKind } from '../../contract/feed.ts';
import { deleteRun } from '../schedule/active-runs.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { sourceRecordCacheOf } from './source-record-cache.ts';

export type PurgedRow = { external_id: string; content: string | null };

/** Rows of a source's lists that are deleted at once. */
const deletedAtOnce = 500;

export class SourcePurgeStore extends SqliteStore {
  readonly #page = prepareValue<number>(
    this.sqlite,
    'SELECT record_id FROM source_records WHERE source_id = ? AND kind = ? LIMIT ?',
  );
  readonly #rows = this.sqlite.prepare<unknown[], PurgedRow>(
    'SELECT external_id, content FROM source_records WHERE record_id = ? AND source_id = ? ORDER BY external_id',
  );
  readonly #delete = this.sqlite.prepare('DELETE FROM source_records WHERE record_id = ? AND source_id = ?');
  readonly #others = prepareValue<number>(
    this.sqlite,
    'SELECT content IS NOT NULL FROM source_records WHERE record_id = ? AND source_id <> ?',
  );
  readonly #count = prepareValue<number>(
    this.sqlite,
    'SELECT count(*) FROM source_records WHERE source_id = ?',
  );

  /** Up to `limit` different records of a kind that the source lists or names by an id. */
  records(source: number, kind: FeedKind, limit: number): number[] {
    return [...new Set(this.#page.all(source, kind, limit))];
  }

  /** All different records of a kind that the source lists or names by an id. */
  allRecords(source: number, kind: FeedKind): number[] {
    return prepareValue<number>(
      this.sqlite,
      'SELECT DISTINCT record_id FROM source_records WHERE source_id = ? AND kind = ?',
    ).all(source, kind);
  }

  countRecords(source: number): number {
    return this.#count.get(source) ?? 0;
  }

  /** The source records of one record. */
  rowsOf(source: number, record: number): PurgedRow[] {
    return this.#rows.all(record, source);
  }

  deleteRows(source: number, record: number): void {
    this.#delete.run(record, source);
    sourceRecordCacheOf(this.sqlite).forget(record);
  }

  /** What other sources have of a record: a description, only an id, or nothing. */
  othersOf(source: number, record: number): 'content' | 'id' | 'nothing' {
    const others = this.#others.all(record, source);
    return others.includes(1) ? 'content' : others.length > 0 ? 'id' : 'nothing';
  }

  /** Ends the schedule of a source, so that no run reads it any more. */
  unschedule(source: number): void {
    this.sqlite.prepare('DELETE FROM source_pages WHERE source_id = ?').run(source);
    this.sqlite.prepare('DELETE FROM schedules WHERE source_id = ?').run(source);
    deleteRun(this.sqlite, source);
  }

  /** Deletes some of the runs and held records of a source. Returns whether there may be more. */
  deleteSomeLists(source: number): boolean {
    const changes = ['source_runs', 'held_source_records'].map(
      (table) =>
        this.sqlite
          .prepare(
            `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE source_id = ? LIMIT ${deletedAtOnce})`,
          )
          .run(source).changes,
    );
    return changes.some((count) => count === deletedAtOnce);
  }

  /** Deletes the source itself, which has no source records any more. */
  deleteSource(source: number): void {
    this.sqlite.prepare('DELETE FROM sources WHERE id = ?').run(source);
  }
}
