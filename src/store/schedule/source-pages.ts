/** Stores the HTTP validators of the pages of a source, which a run sends to fetch only what changed. */
import { prepare, query, SqliteStore } from '../statement.ts';

export type SourcePageRow = { page: string; etag: string | null; last_modified: string | null };

export class SourcePageStore extends SqliteStore {
  readonly #pages = prepare<{ source: number }, SourcePageRow>(this.sqlite, (p) =>
    query
      .selectFrom('source_pages')
      .select(['page', 'etag', 'last_modified'])
      .where('source_id', '=', p.source),
  );
  readonly #clear = prepare<{ source: number }, never>(this.sqlite, (p) =>
    query.deleteFrom('source_pages').where('source_id', '=', p.source),
  );
  readonly #add = prepare<SourcePageRow & { source: number }, never>(this.sqlite, (p) =>
    query.insertInto('source_pages').values({
      source_id: p.source,
      page: p.page,
      etag: p.etag,
      last_modified: p.last_modified,
    }),
  );

  /** The validators of a source. */
  all(source: number): SourcePageRow[] {
    return this.#pages.all({ source });
  }

  /** Deletes the validators of a source. */
  clear(source: number): void {
    this.#clear.run({ source });
  }

  /** Replaces the validators of a source, within an open transaction. */
  replace(source: number, pages: readonly SourcePageRow[]): void {
    this.clear(source);
    for (const page of pages) this.#add.run({ source, ...page });
  }
}
