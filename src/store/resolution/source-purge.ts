/** Deletes a source with all its source records (`sources remove --purge`). */
import type { FeedKind } from '../../contract/feed.ts';
import { deleteRun } from '../schedule/active-runs.ts';
import { SqliteStore } from '../statement.ts';
import { sourceRecordCacheOf } from './source-record-cache.ts';

export type PurgedRow = { external_id: string; content: string | null };

/** Rows of a source's lists that are deleted at once. */
const deletedAtOnce = 500;

/** The statements of a purge, which deletes in several transactions: records, then lists, then the source. */
export class SourcePurgeStore extends SqliteStore {
  readonly #page = this.selectValues<[source: number, kind: FeedKind, limit: number], number>(
    'SELECT record_id FROM source_records WHERE source_id = ? AND kind = ? LIMIT ?',
  );
  /** The source records of one record. */
  readonly rowsOf = this.selectAll<[source: number, record: number], PurgedRow>(
    'SELECT external_id, content FROM source_records WHERE source_id = ? AND record_id = ? ORDER BY external_id',
  );
  /** All different records of a kind that the source lists or names by an id. */
  readonly allRecords = this.selectValues<[source: number, kind: FeedKind], number>(
    'SELECT DISTINCT record_id FROM source_records WHERE source_id = ? AND kind = ?',
  );
  readonly countRecords = this.selectCount<[source: number]>(
    'SELECT count(*) FROM source_records WHERE source_id = ?',
  );
  /** Deletes the source itself, which has no source records any more. */
  readonly deleteSource = this.execute<[source: number]>('DELETE FROM sources WHERE id = ?');
  readonly #delete = this.execute<[source: number, record: number]>(
    'DELETE FROM source_records WHERE source_id = ? AND record_id = ?',
  );
  readonly #others = this.selectValues<[source: number, record: number], 0 | 1>(
    'SELECT content IS NOT NULL FROM source_records WHERE source_id <> ? AND record_id = ?',
  );

  /** Up to `limit` different records of a kind that the source lists or names by an id. */
  records(source: number, kind: FeedKind, limit: number): number[] {
    return [...new Set(this.#page(source, kind, limit))];
  }

  /** Deletes the source records of a record at a source. */
  deleteRows(source: number, record: number): void {
    this.#delete(source, record);
    sourceRecordCacheOf(this.sqlite).forget(record);
  }

  /** What other sources have of a record: a description, only an id, or nothing. */
  othersOf(source: number, record: number): 'content' | 'id' | 'nothing' {
    const others = this.#others(source, record);
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
}
