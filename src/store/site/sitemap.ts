/** The URLs of all pages for sitemaps, in parts. Sample events are left out, because they are invented. */

import { type Kind, kinds } from '../../contract/fields.ts';
import { kindTables } from '../records/kind-tables.ts';
import { editionUrl, pageUrl } from '../records/serialize.ts';
import { isSampleEventSql } from '../schedule/sample-events.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { mapKeys } from '../values.ts';

/** A page: its URL with the placeholder of `serialize.ts`, and the last change of its record (ms). */
export type SitemapEntry = { id: number; url: string; changed: number };
type SitemapRow = { id: number; slug: string; festival: string; updated_ts: number };

/** Divides the pages of each kind into parts for sitemap files, by record id. */
export class SitemapReader extends SqliteStore {
  // Deleted records count, which only makes a part smaller.
  readonly #end = prepareValue<number>(
    this.sqlite,
    'SELECT id FROM records WHERE kind = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?',
  );
  readonly #slugs = mapKeys(kinds, (kind) =>
    this.sqlite.prepare<[number], string>(`SELECT slug FROM ${kindTables[kind].table} WHERE id = ?`).pluck(),
  );
  readonly #rows = mapKeys(kinds, (kind) =>
    this.sqlite.prepare(
      kind === 'edition'
        ? `SELECT d.id, d.edition AS slug, f.slug AS festival, d.updated_ts
           FROM editions d CROSS JOIN festivals f ON f.id = d.festival_id WHERE d.id > ? AND d.id <= ? ORDER BY d.id LIMIT ?`
        : `SELECT e.id, e.slug, '' AS festival, e.updated_ts FROM ${kindTables[kind].table} e
           WHERE e.id > ? AND e.id <= ?${kind === 'event' ? ` AND NOT ${isSampleEventSql}` : ''} ORDER BY e.id LIMIT ?`,
    ),
  );

  /** The present slug of a record. */
  slug(kind: Exclude<Kind, 'edition'>, id: number): string {
    return this.#slugs[kind].get(id) as string;
  }

  /**
   * The id of the last record of a part that starts after `after` and has `size` records; null for the last part.
   */
  end(kind: Kind, after: number, size: number): number | null {
    return this.#end.get(kind, after, size - 1) ?? null;
  }

  /**
   * The parts of a kind, by the record id that each starts after; null for a part without pages. Each step reads
   * `size` entries of an index.
   */
  *parts(kind: Kind, size: number): Generator<number | null> {
    for (let after: number | null = 0; after !== null; ) {
      const end = this.end(kind, after, size);
      yield this.entries(kind, after, end, 1).length > 0 ? after : null;
      after = end;
    }
  }

  /** Pages of records after `after` up to `end` (null: no end), in the order of creation. */
  entries(kind: Kind, after: number, end: number | null, limit: number): SitemapEntry[] {
    const rows = this.#rows[kind].all(after, end ?? Number.MAX_SAFE_INTEGER, limit) as SitemapRow[];
    return rows.map(({ id, slug, festival, updated_ts }) => ({
      id,
      url: kind === 'edition' ? editionUrl(festival, slug) : pageUrl(kind, slug),
      changed: updated_ts,
    }));
  }
}
