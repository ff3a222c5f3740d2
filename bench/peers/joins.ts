/** Events as most services read them: rows of the normalized tables, joined with Kysely at every request. */
import Database from 'better-sqlite3';
import { Kysely, type SelectQueryBuilder, SqliteDialect } from 'kysely';
import type { Tables } from '../../src/store/tables.ts';

export type PeerEvent = {
  slug: string;
  name: string;
  start_at: string;
  status: string | null;
  venue: { slug: string | null; name: string | null; city: string | null; country: string | null };
  lineup: { slug: string; name: string }[];
  genres: { slug: string; name: string }[];
};
type Row = Omit<PeerEvent, 'venue' | 'lineup' | 'genres'> & {
  id: number;
  start_ts: number;
  venue_slug: string | null;
  venue: string | null;
  city: string | null;
  country: string | null;
};
/** The position behind which a page begins. */
export type Position = { start: number; id: number };

/** Reads events of a cratebase data file by joins. */
export class JoinedEvents {
  readonly #db: Kysely<Tables>;

  constructor(file: string) {
    const database = new Database(file, { fileMustExist: true });
    database.pragma('query_only = ON');
    database.pragma('cache_size = -48000');
    this.#db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  }

  /** One page behind a position, by a key. */
  async after({ start, id }: Position, limit: number): Promise<PeerEvent[]> {
    return this.#complete(
      await this.#rows()
        .where((eb) => eb(eb.refTuple('e.start_ts', 'e.id'), '>', eb.tuple(start, id)))
        .orderBy('e.start_ts')
        .orderBy('e.id')
        .limit(limit)
        .execute(),
    );
  }

  /** One page by its offset. */
  async at(offset: number, limit: number): Promise<PeerEvent[]> {
    return this.#complete(
      await this.#rows().orderBy('e.start_ts').orderBy('e.id').limit(limit).offset(offset).execute(),
    );
  }

  /** One event; null if there is none. */
  async bySlug(
    slug: string,
  ): Promise<(PeerEvent & { tickets: unknown[]; description: string | null }) | null> {
    const rows = await this.#rows().select('e.description').where('e.slug', '=', slug).execute();
    const [row] = rows;
    if (row === undefined) return null;
    const [event] = await this.#complete(rows);
    const tickets = await this.#db
      .selectFrom('tickets')
      .select(['seller', 'url', 'price_min', 'price_max', 'currency', 'availability'])
      .where('record_id', '=', row.id)
      .orderBy('seller')
      .execute();
    return { ...(event as PeerEvent), description: row.description, tickets };
  }

  #rows(): SelectQueryBuilder<Tables & Record<'e', Tables['events']>, 'e', Row> {
    return this.#db
      .selectFrom('events as e')
      .leftJoin('venues as v', 'v.id', 'e.venue_id')
      .select((eb) => [
        'e.id',
        'e.start_ts',
        'e.slug',
        'e.name',
        'e.start_at',
        'e.status',
        'v.slug as venue_slug',
        eb.fn.coalesce('v.name', 'e.venue_name').as('venue'),
        eb.fn.coalesce('v.city', 'e.city').as('city'),
        eb.fn.coalesce('v.country', 'e.country').as('country'),
      ]) as never;
  }

  async #complete(rows: readonly Row[]): Promise<PeerEvent[]> {
    const ids = rows.map(({ id }) => id);
    const [artists, genres] = await Promise.all([
      this.#db
        .selectFrom('lineups as l')
        .innerJoin('artists as a', 'a.id', 'l.artist_id')
        .select(['l.record_id as event', 'a.slug', 'a.name'])
        .where('l.record_id', 'in', ids)
        .orderBy('l.record_id')
        .orderBy('l.position')
        .execute(),
      this.#db
        .selectFrom('event_genres as x')
        .innerJoin('genres as g', 'g.id', 'x.genre_id')
        .select(['x.event_id as event', 'g.slug', 'g.name'])
        .where('x.event_id', 'in', ids)
        .where('x.is_direct', '>', 0)
        .orderBy('g.folded')
        .execute(),
    ]);
    const refsOf = (refs: readonly { event: number; slug: string; name: string }[], id: number) =>
      refs.filter(({ event }) => event === id).map(({ slug, name }) => ({ slug, name }));
    return rows.map((row) => ({
      slug: row.slug,
      name: row.name,
      start_at: row.start_at,
      status: row.status,
      venue: { slug: row.venue_slug, name: row.venue, city: row.city, country: row.country },
      lineup: refsOf(artists, row.id),
      genres: refsOf(genres, row.id),
    }));
  }
}
