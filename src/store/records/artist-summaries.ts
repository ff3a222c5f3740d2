/** What artist items show of other tables: genres, and the number of upcoming events. Read with each response. */
import type Database from 'better-sqlite3';
import type { ApiRecord } from '../../contract/records.ts';
import { prepare, query } from '../statement.ts';

export type ArtistSummary = Pick<ApiRecord<'ArtistItem'>, 'genres' | 'upcoming_event_count'>;

export class ArtistSummaries {
  readonly #genres;
  readonly #upcoming;
  readonly #maxDuration: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#genres = prepare<{ id: number }, { slug: string; name: string }>(sqlite, (p) =>
      query
        .selectFrom('artist_genres as x')
        .innerJoin('genres as g', 'g.id', 'x.genre_id')
        .select(['g.slug', 'g.name'])
        .where('x.artist_id', '=', p.id)
        .where('x.is_direct', '=', 1)
        .orderBy('g.folded')
        .orderBy('g.slug'),
    );
    // The rows of an artist are a range of the table, in the order of their start.
    this.#upcoming = prepare<{ id: number; now: number; since: number }, [number]>(
      sqlite,
      (p) =>
        query
          .selectFrom('event_artists')
          .select((eb) => eb.fn.countAll().as('n'))
          .where('artist_id', '=', p.id)
          .where('start_ts', '>=', p.since)
          .where('ends_ts', '>', p.now),
      true,
    );
    this.#maxDuration = sqlite.prepare('SELECT max_event_duration_ms FROM catalogue').pluck();
  }

  /** Reads the summaries of artists. `now` is in ms since 1970. */
  of(ids: readonly number[], now: number): ArtistSummary[] {
    const since = now - (this.#maxDuration.get() as number);
    return ids.map((id) => ({
      genres: this.#genres.all({ id }),
      upcoming_event_count: this.#upcoming.get({ id, now, since })?.[0] ?? 0,
    }));
  }
}
