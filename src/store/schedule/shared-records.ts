/** Reads which records of a source other sources list as well. */
import type { FeedKind } from '../../contract/feed.ts';
import { SqliteStore } from '../statement.ts';

export type SharedRow = { kind: FeedKind; external_id: string; is_shared: 0 | 1 };

export class SharedRecords extends SqliteStore {
  readonly #page = this.sqlite.prepare<unknown[], SharedRow>(
    `SELECT r.kind, r.external_id, EXISTS (
       SELECT 1 FROM source_records x WHERE x.record_id = r.record_id AND x.source_id <> r.source_id
         AND x.content IS NOT NULL AND x.withdrawn_ts IS NULL) AS is_shared
     FROM source_records r
     WHERE r.source_id = @source AND (r.kind, r.external_id) > (@kind, @externalId)
       AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL
     ORDER BY r.kind, r.external_id LIMIT @limit`,
  );

  /** Up to `limit` records that the source lists, in the order of kind and external id, after the given ones. */
  page(source: number, after: { kind: string; external_id: string }, limit: number): SharedRow[] {
    return this.#page.all({ source, kind: after.kind, externalId: after.external_id, limit });
  }
}
