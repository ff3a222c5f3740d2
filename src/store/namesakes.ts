/** Finds the artists of one name, with what tells them apart. */
import type Database from 'better-sqlite3';
import { fold } from '../text/fold.ts';

export type Namesake = {
  slug: string;
  name: string;
  country: string | null;
  genres: string[];
  /** The number of events, past and upcoming, at most 1,000. */
  events: number;
};

const maxNamesakes = 20;
const maxGenres = 3;

/** Returns the artists with this name, the one with most events first, at most 20. Case and accents do not matter. */
export function artistsNamed(sqlite: Database.Database, name: string): Namesake[] {
  const rows = sqlite
    .prepare<unknown[], Omit<Namesake, 'genres'> & { id: number }>(
      `SELECT a.id, a.slug, a.name, a.country,
         (SELECT count(*) FROM (SELECT 1 FROM event_artists e WHERE e.artist_id = a.id LIMIT 1000)) AS events
       FROM artists a WHERE a.folded = ? ORDER BY events DESC, a.slug LIMIT ${maxNamesakes}`,
    )
    .all(fold(name));
  const genres = sqlite
    .prepare(
      `SELECT g.name FROM artist_genres x JOIN genres g ON g.id = x.genre_id
       WHERE x.artist_id = ? AND x.is_direct = 1 ORDER BY g.name LIMIT ${maxGenres}`,
    )
    .pluck();
  return rows.map(({ id, ...row }) => ({ ...row, genres: genres.all(id) as string[] }));
}
