/** Events as bodies show them, rendered when they are written: they are read far more often than they change. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Ref, Shown } from '../contract/records.ts';
import { showVenueRef } from './editions.ts';
import { pageUrl, publicId, showRef } from './show.ts';
import { prepare, query } from './statement.ts';

type Row = {
  id: number;
  slug: string;
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  status: string | null;
  city: string | null;
  country: string | null;
  start_date: number;
  description: string | null;
  image_url: string | null;
  minimum_age: number | null;
  city_slug: string | null;
  city_name: string | null;
  city_country: string | null;
  edition: string | null;
  festival_slug: string | null;
  festival_name: string | null;
  venue_slug: string | null;
  venue_name: string | null;
  venue_city: string | null;
  venue_country: string | null;
};

export class EventItems {
  readonly #row;
  readonly #lineup;
  readonly #genres;
  readonly #sources;

  constructor(sqlite: Database.Database) {
    this.#row = prepare<{ id: number }, Row>(sqlite, (p) =>
      query
        .selectFrom('events as e')
        .leftJoin('venues as v', 'v.id', 'e.venue_id')
        .leftJoin('cities as c', 'c.id', 'e.city_id')
        .leftJoin('editions as d', 'd.id', 'e.edition_id')
        .leftJoin('festivals as f', 'f.id', 'd.festival_id')
        .select([
          'e.start_date',
          'e.description',
          'e.image_url',
          'e.minimum_age',
          'c.slug as city_slug',
          'c.name as city_name',
          'c.country as city_country',
          'd.edition',
          'f.slug as festival_slug',
          'f.name as festival_name',
          'e.id',
          'e.slug',
          'e.name',
          'e.start_at',
          'e.end_at',
          'e.timezone',
          'e.status',
          'e.city',
          'e.country',
          'v.slug as venue_slug',
          'v.city as venue_city',
          'v.country as venue_country',
          sql<string | null>`coalesce(v.name, e.venue_name)`.as('venue_name'),
        ])
        .where('e.id', '=', p.id),
    );
    this.#genres = prepare<{ id: number }, Ref>(sqlite, (p) =>
      query
        .selectFrom('event_genres as x')
        .innerJoin('genres as g', 'g.id', 'x.genre_id')
        .select(['g.slug', 'g.name'])
        .where('x.event_id', '=', p.id)
        .where('x.direct', '=', 1)
        .orderBy('g.folded')
        .orderBy('g.slug'),
    );
    this.#sources = prepare<{ id: number }, Shown<'Event'>['sources'][number]>(sqlite, (p) =>
      query
        .selectFrom('provider_records as r')
        .innerJoin('sources as s', 's.id', 'r.source_id')
        .select(['s.name', 'r.external_id', sql<string | null>`json_extract(r.statement, '$.url')`.as('url')])
        .where('r.record_id', '=', p.id)
        .where('r.statement', 'is not', null)
        .orderBy('s.name')
        .orderBy('r.external_id'),
    );
    this.#lineup = prepare<{ id: number }, Ref>(sqlite, (p) =>
      query
        .selectFrom('lineups as l')
        .innerJoin('artists as a', 'a.id', 'l.artist_id')
        .select(['a.slug', 'a.name'])
        .where('l.record_id', '=', p.id)
        .orderBy('l.position'),
    );
  }

  /**
   * An event as JSON text, with the placeholder of `show.ts` for the base address: its list item, and the members that its
   * detail adds to that (but `updated_at`), without braces.
   */
  render(id: number): { item: string; rest: string } {
    const row = this.#row.get({ id }) as Row;
    const item: Shown<'EventItem'> = {
      id: publicId('event', row.id),
      slug: row.slug,
      name: row.name,
      start_at: row.start_at,
      end_at: row.end_at,
      timezone: row.timezone,
      status: row.status as Shown<'EventItem'>['status'],
      venue: showVenueRef(row),
      url: pageUrl('event', row.slug),
      lineup: this.#lineup.all({ id }),
    };
    const rest: Omit<Shown<'Event'>, keyof Shown<'EventItem'> | 'updated_at'> = {
      date: String(row.start_date)
        .padStart(8, '0')
        .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
      city:
        row.city_slug === null
          ? null
          : { slug: row.city_slug, name: row.city_name as string, country: row.city_country },
      festival_edition:
        row.edition === null
          ? null
          : { festival: showRef(row.festival_slug, row.festival_name) as Ref, edition: row.edition },
      genres: this.#genres.all({ id }),
      description: row.description,
      image_url: row.image_url,
      minimum_age: row.minimum_age,
      sources: this.#sources.all({ id }),
    };
    return { item: JSON.stringify(item), rest: JSON.stringify(rest).slice(1, -1) };
  }
}
