/** The genres of artists, for the genres that events derive from their line-ups. */
import { createLruCache } from '../lru-cache.ts';
import { type WriteBuffer, writeBufferOf } from '../records/write-buffer.ts';
import { SqliteStore } from '../statement.ts';

/** A genre of an artist. `isDirect` is false if the artist has it only through a genre below it. */
export type ArtistGenre = { genre: number; isDirect: boolean };

/** Values of `event_genres.is_direct`. */
export const genreLink = { ancestor: 0, stated: 1, derived: 2 } as const;
export type GenreLinkType = (typeof genreLink)[keyof typeof genreLink];

/** Artists whose genres are kept in memory. */
const maxCachedArtists = 40_000;

/** Events that list the artist and whose genres are derived, or would be if their artists had any. */
const eventsWithoutStatedGenres = `
  (NOT EXISTS (SELECT 1 FROM event_genres g WHERE g.event_id = x.event_id AND g.is_direct = ${genreLink.stated})
    OR EXISTS (SELECT 1 FROM edits e WHERE e.record_id = x.event_id AND e.field = 'genres+'))`;

/**
 * Reads the genres of artists through a cache, and marks the events that derive genres from them
 * (docs/decisions/21-derived-genres.md).
 */
export class ArtistGenres extends SqliteStore {
  readonly #cached = createLruCache<number, readonly ArtistGenre[]>(maxCachedArtists);
  readonly #buffer: WriteBuffer = writeBufferOf(this.sqlite);
  readonly #genres = this.sqlite
    .prepare<unknown[], [number, number]>('SELECT genre_id, is_direct FROM artist_genres WHERE artist_id = ?')
    .raw();
  readonly #markEvents = this.sqlite.prepare(
    `INSERT OR IGNORE INTO stale_records (record_id)
     SELECT x.event_id FROM event_artists x WHERE x.artist_id = ? AND ${eventsWithoutStatedGenres} ORDER BY 1`,
  );
  readonly #markEventsOfGenre = this.sqlite.prepare(
    `INSERT OR IGNORE INTO stale_records (record_id)
     SELECT DISTINCT x.event_id FROM artist_genres a JOIN event_artists x ON x.artist_id = a.artist_id
     WHERE a.genre_id = ? AND ${eventsWithoutStatedGenres} ORDER BY 1`,
  );

  /** The genres of an artist with their ancestors. */
  of(artist: number): readonly ArtistGenre[] {
    let genres = this.#cached.get(artist);
    if (genres === undefined) {
      const rows = this.#genres.all(artist);
      genres = rows.map(([genre, isDirect]) => ({ genre, isDirect: isDirect === 1 }));
      this.#cached.set(artist, genres);
    }
    return genres;
  }

  /** Marks the events to be recomputed whose genres depend on this artist. Call it after the genres were saved. */
  markEvents(artist: number): void {
    this.#cached.delete(artist);
    this.#buffer.flush();
    this.#markEvents.run(artist);
  }

  /** Marks the events to be recomputed whose genres depend on artists of this genre, before it is merged or removed. */
  markEventsOfGenre(genre: number): void {
    this.#buffer.flush();
    this.#markEventsOfGenre.run(genre);
  }

  /** Clears the cache. Call it after rows were written by other means or rolled back. */
  clear(): void {
    this.#cached.clear();
  }
}
