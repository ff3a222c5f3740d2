/** Stores the HTTP validators of the pages of a source, which a run sends to fetch only what changed. */
import { pick, query, SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';

export type SourcePageRow = Omit<Row<'source_pages'>, 'source_id'>;

/** Stores the `ETag` and `Last-Modified` of each page of a source (RFC 9110, section 8.8). */
export class SourcePageStore extends SqliteStore {
  /** The validators of a source. */
  readonly all = this.selectAll<[source: number], SourcePageRow>(
    'SELECT page, etag, last_modified FROM source_pages WHERE source_id = ?',
  );
  /** Deletes the validators of a source. */
  readonly clear = this.execute<[source: number]>('DELETE FROM source_pages WHERE source_id = ?');
  readonly #add = this.execute<[source: number, page: SourcePageRow]>((source, page) =>
    query
      .insertInto('source_pages')
      .values({ source_id: source, ...pick(page, ['page', 'etag', 'last_modified']) }),
  );

  /** Replaces the validators of a source, within an open transaction. */
  replace(source: number, pages: readonly SourcePageRow[]): void {
    this.clear(source);
    for (const page of pages) this.#add(source, page);
  }
}
