/** Reads what an agent's answer shows of an artist or genre beyond its record: labels, mixes, subgenres. */
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { pageUrl } from '../records/serialize.ts';
import { SqliteStore } from '../statement.ts';

/** A mix of an artist. The address has the placeholder of the base URL. */
export type Mix = Pick<ApiRecord<'EpisodeItem'>, 'slug' | 'name' | 'podcast' | 'published_at' | 'url'> & {
  tracks: Pick<ApiRecord<'Track'>, 'position' | 'artist_name' | 'title' | 'label_name'>[];
};
type MixRow = {
  id: number;
  slug: string;
  name: string;
  published_at: string | null;
  podcast_slug: string;
  podcast: string;
};

const maxRefs = 50;

/**
 * Reads the labels, newest mixes and subgenres that agent answers list. Lists have at most 50 entries; an unknown id has
 * none.
 */
export class ArtistExtras extends SqliteStore {
  /** The labels of an artist, by name. */
  readonly labels = this.selectAll<[artist: number], RecordRef>(
    `SELECT l.slug, l.name FROM label_artists x JOIN labels l ON l.id = x.label_id WHERE x.artist_id = ?
     ORDER BY l.folded, l.slug LIMIT ${maxRefs}`,
  );
  readonly #mixes = this.sqlite.prepare<[number, number], MixRow>(
    `SELECT DISTINCT e.id, e.slug, e.name, e.published_at, p.slug AS podcast_slug, p.name AS podcast
     FROM episode_artists x CROSS JOIN episodes e ON e.id = x.episode_id JOIN podcasts p ON p.id = e.podcast_id
     WHERE x.artist_id = ? ORDER BY e.published_ts DESC, e.id DESC LIMIT ?`,
  );
  readonly #tracks = this.sqlite.prepare<[number, number], Mix['tracks'][number]>(
    'SELECT position, artist_name, title, label_name FROM tracks WHERE episode_id = ? ORDER BY position LIMIT ?',
  );
  /** The genres directly below a genre, by name. */
  readonly subgenres = this.selectAll<[genre: number], RecordRef>(
    `SELECT slug, name FROM genres WHERE parent_id = ? ORDER BY folded, slug LIMIT ${maxRefs}`,
  );

  /** The newest mixes of an artist with the beginnings of their tracklists. */
  mixes(artist: number, count: number, maxTracks: number): Mix[] {
    return this.#mixes.all(artist, count).map((row) => ({
      slug: row.slug,
      name: row.name,
      podcast: { slug: row.podcast_slug, name: row.podcast },
      published_at: row.published_at,
      url: pageUrl('episode', row.slug),
      tracks: this.#tracks.all(row.id, maxTracks),
    }));
  }
}
