/** The URLs of all pages for sitemaps, in parts. Sample events are left out, because they are invented. */
import type Database from 'better-sqlite3';
import { type Kind, kinds } from '../../contract/fields.ts';
import { editionUrl, pageUrl } from '../records/serialize.ts';
import { isSampleEventSql } from '../schedule/sample-events.ts';

/** A page: its URL with the placeholder of `serialize.ts`, and the last change of its record (ms). */
export type SitemapEntry = { id: number; url: string; changed: number };
type SitemapRow = { id: number; slug: string; festival: string; updated_ts: number };

const kindTableNames: Record<Kind, string> = {
  event: 'events',
  artist: 'artists',
  venue: 'venues',
  festival: 'festivals',
  edition: 'editions',
  city: 'cities',
  label: 'labels',
  genre: 'genres',
  podcast: 'podcasts',
  episode: 'episodes',
};

export class SitemapReader {
  readonly #end: Database.Statement;
  readonly #rows: Record<Kind, Database.Statement>;
  readonly #slugs: Record<Kind, Database.Statement>;

  constructor(sqlite: Database.Database) {
    // Deleted records count, which only makes a part smaller.
    this.#end = sqlite
      .prepare('SELECT id FROM records WHERE kind = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?')
      .pluck();
    const select = (kind: Kind) =>
      kind === 'edition'
        ? sqlite.prepare(
            `SELECT d.id, d.edition AS slug, f.slug AS festival, d.updated_ts
             FROM editions d CROSS JOIN festivals f ON f.id = d.festival_id WHERE d.id > ? AND d.id <= ? ORDER BY d.id LIMIT ?`,
          )
        : sqlite.prepare(
            `SELECT e.id, e.slug, '' AS festival, e.updated_ts FROM ${kindTableNames[kind]} e
             WHERE e.id > ? AND e.id <= ?${kind === 'event' ? ` AND NOT ${isSampleEventSql}` : ''} ORDER BY e.id LIMIT ?`,
          );
    const slug = (kind: Kind) =>
      sqlite.prepare(`SELECT slug FROM ${kindTableNames[kind]} WHERE id = ?`).pluck();
    this.#slugs = Object.fromEntries(kinds.map((kind) => [kind, slug(kind)])) as Record<
      Kind,
      Database.Statement
    >;
    this.#rows = Object.fromEntries(kinds.map((kind) => [kind, select(kind)])) as Record<
      Kind,
      Database.Statement
    >;
  }

  /** The present slug of a record. */
  slug(kind: Exclude<Kind, 'edition'>, id: number): string {
    return this.#slugs[kind].get(id) as string;
  }

  /**
   * The id of the last record of a part that starts after `after` and has `size` records; null for the last part.
   */
  end(kind: Kind, after: number, size: number): number | null {
    return (this.#end.get(kind, after, size - 1) as number | undefined) ?? null;
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
