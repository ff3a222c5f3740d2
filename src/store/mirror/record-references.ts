/** Reads the lists of references that belong to a record: genres of an artist, artists of a label. */
import type { RecordRef } from '../../contract/records.ts';
import { SqliteStore } from '../statement.ts';

/** Reads complete lists of references for documents of records; they have no bound. */
export class RecordReferences extends SqliteStore {
  /** The genres of an artist that sources state, by name. */
  readonly genresOfArtist = this.selectAll<[artist: number], RecordRef>(
    `SELECT g.slug, g.name FROM artist_genres x JOIN genres g ON g.id = x.genre_id
     WHERE x.artist_id = ? AND x.is_direct = 1 ORDER BY g.folded, g.slug`,
  );
  /** The artists of a label, by name. */
  readonly artistsOfLabel = this.selectAll<[label: number], RecordRef>(
    `SELECT a.slug, a.name FROM label_artists x JOIN artists a ON a.id = x.artist_id
     WHERE x.label_id = ? ORDER BY a.folded, a.slug`,
  );
}
