/** Counts the records that a source lists, in pages: a source may list a million. */
import { SqliteStore } from '../statement.ts';

export type RecordPosition = { kind: string; externalId: string };
export const firstPosition: RecordPosition = { kind: '', externalId: '' };

/**
 * Counts listed records page by page, beginning at `firstPosition`. Withdrawn records and those without content are not
 * listed.
 */
export class ListedRecords extends SqliteStore {
  readonly #page = this.sqlite.prepare<unknown[], RecordPosition & { isListed: 0 | 1 }>(
    `SELECT kind, external_id AS externalId, content IS NOT NULL AND withdrawn_ts IS NULL AS isListed
     FROM source_records WHERE source_id = @source AND (kind, external_id) > (@kind, @externalId)
     ORDER BY kind, external_id LIMIT @limit`,
  );

  /** Counts the listed ones among up to `limit` records after a position. `next` is null at the end. */
  count(
    source: number,
    after: RecordPosition,
    limit: number,
  ): { records: number; next: RecordPosition | null } {
    const rows = this.#page.all({ source, ...after, limit });
    const records = rows.reduce((sum, { isListed }) => sum + isListed, 0);
    const last = rows.at(-1);
    const next =
      rows.length < limit || last === undefined ? null : { kind: last.kind, externalId: last.externalId };
    return { records, next };
  }
}
