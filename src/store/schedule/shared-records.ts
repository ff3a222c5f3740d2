/** Reads which records of a source other sources list as well. */
import { sql } from 'kysely';
import type { FeedKind } from '../../contract/feed.ts';
import { SqliteStore } from '../statement.ts';

export type SharedRow = { kind: FeedKind; external_id: string; is_shared: 0 | 1 };

/** Pages through the records of a source; `is_shared` tells that another source lists the same record at present. */
export class SharedRecords extends SqliteStore {
  /** Up to `limit` records that the source lists, in the order of kind and external id, after the given ones. */
  readonly page = this.selectAll<
    [source: number, after: Pick<SharedRow, 'external_id'> & { kind: string }, limit: number],
    SharedRow
  >(
    (source, after, limit) => sql`SELECT r.kind, r.external_id, EXISTS (
       SELECT 1 FROM source_records x WHERE x.record_id = r.record_id AND x.source_id <> r.source_id
         AND x.content IS NOT NULL AND x.withdrawn_ts IS NULL) AS is_shared
     FROM source_records r
     WHERE r.source_id = ${source} AND (r.kind, r.external_id) > (${after.kind}, ${after.external_id})
       AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL
     ORDER BY r.kind, r.external_id LIMIT ${limit}`,
  );
}
