/**
 * Merges one record into another: redirects references to the survivor and deletes the merged record's own rows.
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { kindTables } from '../records/kind-tables.ts';
import { writeBufferOf } from '../records/write-buffer.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { ArtistGenres } from './artist-genres.ts';
import type { InheritedName } from './record-lookup.ts';
import { sourceRecordCacheOf } from './source-record-cache.ts';

/**
 * Columns that reference a record of a kind. If the survivor already has the same row, the other row is deleted.
 */
export const referencingColumns: Record<FeedKind, readonly (readonly [table: string, column: string])[]> = {
  artist: [
    ['lineups', 'artist_id'],
    ['event_artists', 'artist_id'],
    ['label_artists', 'artist_id'],
    ['episode_artists', 'artist_id'],
    ['track_artists', 'artist_id'],
  ],
  venue: [
    ['events', 'venue_id'],
    ['editions', 'venue_id'],
  ],
  festival: [['editions', 'festival_id']],
  edition: [['events', 'edition_id']],
  city: [
    ['venues', 'city_id'],
    ['events', 'city_id'],
    ['festivals', 'city_id'],
    ['editions', 'city_id'],
  ],
  label: [
    ['labels', 'parent_id'],
    ['tracks', 'label_id'],
  ],
  genre: [
    ['genres', 'parent_id'],
    ['event_genres', 'genre_id'],
    ['artist_genres', 'genre_id'],
    ['festival_genres', 'genre_id'],
  ],
  podcast: [['episodes', 'podcast_id']],
  event: [],
  episode: [],
};

/** Rows that belong to a record of a kind and are deleted with it. */
export const ownedRows: Record<FeedKind, readonly (readonly [table: string, column: string])[]> = {
  artist: [['artist_genres', 'artist_id']],
  venue: [],
  festival: [['festival_genres', 'festival_id']],
  edition: [
    ['lineups', 'record_id'],
    ['tickets', 'record_id'],
  ],
  city: [],
  label: [['label_artists', 'label_id']],
  genre: [],
  podcast: [],
  event: [
    ['lineups', 'record_id'],
    ['tickets', 'record_id'],
    ['event_artists', 'event_id'],
    ['event_genres', 'event_id'],
    ['event_places', 'event_id'],
    ['event_sales', 'event_id'],
    ['event_details', 'event_id'],
  ],
  episode: [
    ['track_artists', 'episode_id'],
    ['tracks', 'episode_id'],
    ['episode_artists', 'episode_id'],
  ],
};

/** Selects the records that show a record of a kind, which must be recomputed. */
const dependentsSql: Partial<Record<FeedKind, string>> = {
  artist: `SELECT record_id FROM lineups WHERE artist_id = @id UNION SELECT label_id FROM label_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM episode_artists WHERE artist_id = @id UNION SELECT episode_id FROM track_artists WHERE artist_id = @id`,
  venue: 'SELECT id FROM events WHERE venue_id = @id UNION SELECT id FROM editions WHERE venue_id = @id',
  festival: `SELECT id FROM editions WHERE festival_id = @id
    UNION SELECT e.id FROM editions d JOIN events e ON e.edition_id = d.id WHERE d.festival_id = @id`,
  edition: 'SELECT id FROM events WHERE edition_id = @id',
  city: `SELECT id FROM venues WHERE city_id = @id UNION SELECT id FROM events WHERE city_id = @id
    UNION SELECT id FROM festivals WHERE city_id = @id UNION SELECT id FROM editions WHERE city_id = @id`,
  label:
    'SELECT id FROM labels WHERE parent_id = @id UNION SELECT episode_id FROM tracks WHERE label_id = @id',
  genre: `SELECT event_id FROM event_genres WHERE genre_id = @id UNION SELECT artist_id FROM artist_genres WHERE genre_id = @id
    UNION SELECT festival_id FROM festival_genres WHERE genre_id = @id UNION SELECT id FROM genres WHERE parent_id = @id`,
  podcast: 'SELECT id FROM episodes WHERE podcast_id = @id',
};

/** References of events and episodes that can be redirected in batches: [table, id column, column]. */
const redirectsInBatches: Partial<
  Record<FeedKind, { ids: string; tables: readonly (readonly [string, string, string])[] }>
> = {
  artist: {
    ids: 'SELECT event_id FROM event_artists WHERE artist_id = @from',
    tables: [
      ['lineups', 'record_id', 'artist_id'],
      ['event_artists', 'event_id', 'artist_id'],
    ],
  },
  venue: { ids: 'SELECT id FROM events WHERE venue_id = @from', tables: [['events', 'id', 'venue_id']] },
  city: { ids: 'SELECT id FROM events WHERE city_id = @from', tables: [['events', 'id', 'city_id']] },
  genre: {
    ids: 'SELECT event_id FROM event_genres WHERE genre_id = @from',
    tables: [['event_genres', 'event_id', 'genre_id']],
  },
  podcast: {
    ids: 'SELECT id FROM episodes WHERE podcast_id = @from',
    tables: [['episodes', 'id', 'podcast_id']],
  },
};

/**
 * Executes merges within the transactions of a writer. Look-ups of dependents flush the write buffer first, so they
 * find the rows of the batch.
 */
export class MergeStore extends SqliteStore {
  readonly #dependents: Partial<Record<FeedKind, Database.Statement>> = {};

  /** Records that show this one or were computed from it. */
  dependents(kind: FeedKind, id: number): number[] {
    return this.dependentsOfAll(kind, [id]);
  }

  /** The dependents of several records of a kind, each once. */
  dependentsOfAll(kind: FeedKind, ids: readonly number[]): number[] {
    writeBufferOf(this.sqlite).flush();
    const sql = dependentsSql[kind];
    if (sql === undefined || ids.length === 0) return [];
    // Compiling the statement takes longer than running it.
    this.#dependents[kind] ??= this.sqlite
      .prepare(sql.replaceAll('= @id', 'IN (SELECT value FROM json_each(@ids))'))
      .pluck();
    return this.#dependents[kind].all({ ids: JSON.stringify(ids) }) as number[];
  }

  /** Counts the dependents by kind. */
  countDependents(kind: FeedKind, id: number): Partial<Record<FeedKind, number>> {
    writeBufferOf(this.sqlite).flush();
    const sql = dependentsSql[kind];
    if (sql === undefined) return {};
    const rows = this.sqlite
      .prepare<unknown[], [FeedKind, number]>(
        `SELECT kind, count(*) FROM records WHERE id IN (${sql}) GROUP BY kind ORDER BY kind`,
      )
      .raw()
      .all({ id });
    return Object.fromEntries(rows);
  }

  /** Marks the dependents to be recomputed after the batch. */
  markDependents(kind: FeedKind, id: number): void {
    writeBufferOf(this.sqlite).flush();
    if (kind === 'genre') new ArtistGenres(this.sqlite).markEventsOfGenre(id);
    const sql = dependentsSql[kind];
    if (sql === undefined) return;
    this.sqlite
      .prepare(`INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${sql}) ORDER BY 1`)
      .run({ id });
  }

  /**
   * Redirects up to `limit` events or episodes from `from` to `into`, and marks them to be recomputed. If the
   * merge does not follow, recomputing reverts this, because their source records name `from`.
   * @returns whether there may be more of them
   */
  leadSome(kind: FeedKind, from: number, into: number, limit: number): boolean {
    writeBufferOf(this.sqlite).flush();
    const redirects = redirectsInBatches[kind];
    if (redirects === undefined) return false;
    const ids = prepareValue<number>(this.sqlite, `${redirects.ids} LIMIT @limit`).all({ from, limit });
    const isSelected = 'IN (SELECT value FROM json_each(@ids))';
    const run = (sql: string, values: object) =>
      this.sqlite.prepare(sql).run({ ids: JSON.stringify(ids), ...values });
    run('INSERT OR IGNORE INTO stale_records (record_id) SELECT value FROM json_each(@ids) ORDER BY 1', {});
    for (const [table, id, column] of redirects.tables) {
      run(`UPDATE OR IGNORE ${table} SET ${column} = @into WHERE ${column} = @from AND ${id} ${isSelected}`, {
        from,
        into,
      });
      run(`DELETE FROM ${table} WHERE ${column} = @from AND ${id} ${isSelected}`, { from });
    }
    return ids.length === limit;
  }

  /** Pairs of editions of two festivals with the same edition key: [of the first, of the second]. */
  commonEditions(a: number, b: number): [number, number][] {
    return this.sqlite
      .prepare<unknown[], [number, number]>(
        'SELECT x.id, y.id FROM editions x JOIN editions y ON y.edition = x.edition WHERE x.festival_id = ? AND y.festival_id = ?',
      )
      .raw()
      .all(a, b);
  }

  /** Redirects all references, slugs and external ids from `from` to `into`, and deletes the rows of `from`. */
  merge(kind: FeedKind, from: number, into: number): void {
    writeBufferOf(this.sqlite).flush();
    const run = (sql: string, ...values: number[]) => this.sqlite.prepare(sql).run(...values);
    for (const [table, column] of referencingColumns[kind]) {
      run(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${column} = ?`, into, from);
      run(`DELETE FROM ${table} WHERE ${column} = ?`, from);
    }
    run('UPDATE source_records SET record_id = ? WHERE record_id = ?', into, from);
    for (const record of [from, into]) sourceRecordCacheOf(this.sqlite).forget(record);
    run('UPDATE edits SET record_id = ? WHERE record_id = ?', into, from);
    run('UPDATE slugs SET record_id = ? WHERE record_id = ?', into, from);
    run('UPDATE OR IGNORE inherited_names SET record_id = ? WHERE record_id = ?', into, from);
    run('DELETE FROM inherited_names WHERE record_id = ?', from);
    run(
      `UPDATE OR IGNORE external_ids SET checksum = checksum + ? - record_id, record_id = ?
       WHERE kind = (SELECT kind FROM records WHERE id = ?) AND record_id = ?`,
      into,
      into,
      from,
      from,
    );
    for (const [table, column] of ownedRows[kind]) run(`DELETE FROM ${table} WHERE ${column} = ?`, from);
    run(`DELETE FROM ${kindTables[kind].table} WHERE id = ?`, from);
    run('DELETE FROM stale_records WHERE record_id = ?', from);
  }

  /** Adds a name to a record that no source states. */
  addInheritedName(id: number, { name, place, slug }: InheritedName): void {
    this.sqlite
      .prepare(
        `INSERT INTO inherited_names (record_id, name, place, merged_slug) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET merged_slug = excluded.merged_slug WHERE merged_slug = ''`,
      )
      .run(id, name, place, slug);
  }

  /** Removes an inherited name from the record. */
  removeInheritedName(id: number, { name, place }: InheritedName): void {
    this.sqlite
      .prepare('DELETE FROM inherited_names WHERE record_id = ? AND name = ? AND place = ?')
      .run(id, name, place);
  }

  /** Slugs that resolve to a record and are not its present one. */
  formerSlugs(kind: FeedKind, id: number): string[] {
    return prepareValue<string>(
      this.sqlite,
      `SELECT s.slug FROM slugs s JOIN ${kindTables[kind].table} t ON t.id = s.record_id
         WHERE s.kind = ? AND s.record_id = ? AND s.slug <> t.slug ORDER BY length(s.slug), s.slug`,
    ).all(kind, id);
  }

  /** The record with this slug that was last merged into `into`, directly or through other records. */
  findMergedId(into: number, slug: string): number | null {
    const id = this.sqlite
      .prepare(
        `WITH RECURSIVE inside (id, slug, revision) AS (
           SELECT record_id, slug, revision FROM changes WHERE merged_into_id = @into AND change_type = 'merged'
           UNION SELECT c.record_id, c.slug, c.revision FROM inside i JOIN changes c ON c.merged_into_id = i.id AND c.change_type = 'merged')
         SELECT id FROM inside WHERE slug = @slug ORDER BY revision DESC LIMIT 1`,
      )
      .pluck()
      .get({ into, slug });
    return (id as number | undefined) ?? null;
  }

  /** All records merged into a record, directly or through others, with their former slugs. */
  mergedInto(id: number): { id: number; slug: string }[] {
    return this.sqlite
      .prepare<unknown[], { id: number; slug: string }>(
        `WITH RECURSIVE inside (id, slug) AS (
           SELECT record_id, slug FROM changes WHERE merged_into_id = @id AND change_type = 'merged'
           UNION SELECT c.record_id, c.slug FROM inside i JOIN changes c ON c.merged_into_id = i.id AND c.change_type = 'merged')
         SELECT id, slug FROM inside WHERE slug IS NOT NULL ORDER BY id, slug`,
      )
      .all({ id });
  }

  /** Deletes the source records of a record without content. The next reference resolves by name again. */
  unbindReferences(id: number): void {
    this.sqlite.prepare('DELETE FROM source_records WHERE record_id = ? AND content IS NULL').run(id);
  }
}
