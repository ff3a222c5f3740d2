/** Deletes the rows by which readers find a record, and the references to it. The record's id and slugs stay. */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { kindTables } from '../records/kind-tables.ts';
import { writeBufferOf } from '../records/write-buffer.ts';
import { SqliteStore } from '../statement.ts';
import { ownedRows, referencingColumns } from './merge-store.ts';

/** References that cannot be deleted with the row that holds them: the column becomes null until it is recomputed. */
const nullableReferences: ReadonlySet<string> = new Set([
  'events.venue_id',
  'events.city_id',
  'events.edition_id',
  'editions.venue_id',
  'editions.city_id',
  'venues.city_id',
  'festivals.city_id',
  'labels.parent_id',
  'tracks.label_id',
  'genres.parent_id',
]);

/** Kinds that belong to a record of another kind and leave with it. */
const partTables: Partial<Record<FeedKind, { kind: FeedKind; table: string; column: string }>> = {
  festival: { kind: 'edition', table: 'editions', column: 'festival_id' },
  podcast: { kind: 'episode', table: 'episodes', column: 'podcast_id' },
};

/** The column by which the tables of references name the record that refers. */
const ownerColumns: Record<string, string> = {
  lineups: 'record_id',
  event_artists: 'event_id',
  label_artists: 'label_id',
  episode_artists: 'episode_id',
  track_artists: 'episode_id',
  tracks: 'episode_id',
  event_genres: 'event_id',
  artist_genres: 'artist_id',
  festival_genres: 'festival_id',
};

export type RecordReference = { kind: FeedKind; id: number };

/** Deletes and reads the rows of removals (docs/decisions/17-removals.md), within the transactions of a writer. */
export class RemovalStore extends SqliteStore {
  readonly #statements = new Map<string, Database.Statement>();

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Up to `limit` events that name an artist or venue, for a removal in several transactions. */
  someEventsOf(kind: FeedKind, id: number, limit: number): number[] {
    writeBufferOf(this.sqlite).flush();
    const sql =
      kind === 'artist'
        ? 'SELECT event_id FROM event_artists WHERE artist_id = ? LIMIT ?'
        : 'SELECT id FROM events WHERE venue_id = ? LIMIT ?';
    return this.#prepare(sql).pluck().all(id, limit) as number[];
  }

  /** Deletes the references of these events to an artist or venue. They must be marked to be recomputed. */
  detachEvents(kind: FeedKind, id: number, events: readonly number[]): void {
    const sql =
      kind === 'artist'
        ? [
            'DELETE FROM lineups WHERE artist_id = ? AND record_id = ?',
            'DELETE FROM event_artists WHERE artist_id = ? AND event_id = ?',
          ]
        : ['UPDATE events SET venue_id = NULL WHERE venue_id = ? AND id = ?'];
    for (const event of events) for (const one of sql) this.#prepare(one).run(id, event);
  }

  /** The editions of a festival or the episodes of a podcast. */
  partsOf(kind: FeedKind, id: number): RecordReference[] {
    writeBufferOf(this.sqlite).flush();
    const part = partTables[kind];
    if (part === undefined) return [];
    const ids = this.#prepare(`SELECT id FROM ${part.table} WHERE ${part.column} = ? ORDER BY id`)
      .pluck()
      .all(id) as number[];
    return ids.map((one) => ({ kind: part.kind, id: one }));
  }

  /** Deletes the row of a record, its child rows, and all references to it. */
  deleteRows(kind: FeedKind, id: number): void {
    writeBufferOf(this.sqlite).flush();
    for (const [table, column] of referencingColumns[kind]) {
      const isNullable = nullableReferences.has(`${table}.${column}`);
      const sql = isNullable
        ? `UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`
        : `DELETE FROM ${table} WHERE ${column} = ?`;
      this.#prepare(sql).run(id);
    }
    for (const [table, column] of ownedRows[kind])
      this.#prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(id);
    this.#prepare(`DELETE FROM ${kindTables[kind].table} WHERE id = ?`).run(id);
    this.#prepare('DELETE FROM stale_records WHERE record_id = ?').run(id);
  }

  /** Deletes what is left of a record for good: slugs, inherited names, history. Its id is not used again. */
  eraseTraces(id: number): void {
    this.#prepare('DELETE FROM slugs WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM inherited_names WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM sort_key_history WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM list_history WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM removed_references WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM edits WHERE record_id = ?').run(id);
  }

  /** Whether a record shows this one or was computed from it. */
  isReferenced(kind: FeedKind, id: number): boolean {
    writeBufferOf(this.sqlite).flush();
    return referencingColumns[kind].some(
      ([table, column]) =>
        this.#prepare(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`).get(id) !== undefined,
    );
  }

  /** Whether all records that name this one pass a test. */
  areReferrers(kind: FeedKind, id: number, test: (referrer: number) => boolean): boolean {
    return referencingColumns[kind].every(([table, column]) => {
      const owner = ownerColumns[table] ?? 'id';
      const ids = this.#prepare(`SELECT ${owner} FROM ${table} WHERE ${column} = ?`).pluck().iterate(id);
      for (const referrer of ids as Iterable<number>) if (!test(referrer)) return false;
      return true;
    });
  }

  /** The records that a record names: artists, venue, city, genres, labels, festival. */
  referencesOf(kind: FeedKind, id: number): RecordReference[] {
    writeBufferOf(this.sqlite).flush();
    const table = kindTables[kind].table;
    const references = (Object.keys(referencingColumns) as FeedKind[]).flatMap((referenced) =>
      referencingColumns[referenced].flatMap(([holder, column]) => {
        const owner = holder === table ? 'id' : (ownerColumns[holder] ?? null);
        if (owner === null || !this.#mayOwn(kind, holder)) return [];
        const ids = this.#prepare(
          `SELECT DISTINCT ${column} FROM ${holder} WHERE ${owner} = ? AND ${column} IS NOT NULL`,
        )
          .pluck()
          .all(id) as number[];
        return ids.map((one) => ({ kind: referenced, id: one }));
      }),
    );
    return references;
  }

  /** Whether rows of a table belong to records of a kind. */
  #mayOwn(kind: FeedKind, holder: string): boolean {
    if (holder === kindTables[kind].table) return true;
    if (holder === 'lineups') return kind === 'event' || kind === 'edition';
    return ownedRows[kind].some(([table]) => table === holder);
  }
}
