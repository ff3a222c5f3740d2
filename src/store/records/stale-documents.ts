/**
 * The queue of records whose document shows a record that changed: an edition with the name of its festival, an
 * episode with the names of its artists. Each gets a new revision, so that the change feed contains it
 * (docs/decisions/33-changes-and-exports.md). Events are not queued: their documents are stored and compared.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { SqliteStore } from '../statement.ts';
import { writeBufferOf } from './write-buffer.ts';

/** Selects the records, except events, whose document names a record of the kind. */
const namingRecords: Partial<Record<Kind, string>> = {
  artist: `SELECT label_id FROM label_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM episode_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM track_artists WHERE artist_id = @id
    UNION SELECT d.id FROM lineups l JOIN editions d ON d.id = l.record_id WHERE l.artist_id = @id`,
  venue: 'SELECT id FROM editions WHERE venue_id = @id',
  festival: 'SELECT id FROM editions WHERE festival_id = @id',
  city: 'SELECT id FROM venues WHERE city_id = @id',
  label:
    'SELECT id FROM labels WHERE parent_id = @id UNION SELECT episode_id FROM tracks WHERE label_id = @id',
  genre: `SELECT id FROM genres WHERE parent_id = @id
    UNION SELECT artist_id FROM artist_genres WHERE genre_id = @id
    UNION SELECT festival_id FROM festival_genres WHERE genre_id = @id`,
  podcast: 'SELECT id FROM episodes WHERE podcast_id = @id',
};

/** The columns of a kind that documents of other records show. */
const shownColumns: Partial<Record<Kind, readonly string[]>> = {
  artist: ['name'],
  venue: ['name', 'city', 'country', 'latitude', 'longitude'],
  festival: ['name'],
  label: ['name'],
  genre: ['name'],
  podcast: ['name'],
};

/** The queue, which is stored in the table `stale_documents`: it outlives a killed import. */
export class StaleDocuments extends SqliteStore {
  readonly #marks: Partial<Record<Kind, Database.Statement>> = Object.fromEntries(
    Object.entries(namingRecords).map(([kind, sql]) => [
      kind,
      this.sqlite.prepare(
        `INSERT OR IGNORE INTO stale_documents (record_id) SELECT * FROM (${sql}) ORDER BY 1`,
      ),
    ]),
  );
  /** Up to `limit` queued records. */
  readonly page = this.selectAll<[limit: number], { id: number; kind: Kind }>(
    'SELECT s.record_id AS id, r.kind FROM stale_documents s JOIN records r ON r.id = s.record_id ORDER BY 1 LIMIT ?',
  );
  /** Removes a record from the queue. */
  readonly clear = this.execute<[id: number]>('DELETE FROM stale_documents WHERE record_id = ?');

  /** Queues the records that name this one, if a column that they show is among the changed ones. */
  markIfShown(kind: Kind, id: number, changedColumns: ReadonlySet<string>): void {
    if (shownColumns[kind]?.some((column) => changedColumns.has(column))) this.mark(kind, id);
  }

  /** Queues the records that name this one. Call it before the references to it are changed or deleted. */
  mark(kind: Kind, id: number): void {
    const mark = this.#marks[kind];
    if (mark === undefined) return;
    writeBufferOf(this.sqlite).flush();
    mark.run({ id });
  }
}
