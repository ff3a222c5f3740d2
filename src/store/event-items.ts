/** Events as lists show them, rendered when they are written: they are read far more often than they change. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Ref, Shown } from '../contract/records.ts';
import { showVenueRef } from './editions.ts';
import { pageUrl, publicId } from './show.ts';
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
  venue_slug: string | null;
  venue_name: string | null;
  venue_city: string | null;
  venue_country: string | null;
};

export class EventItems {
  readonly #row;
  readonly #lineup;

  constructor(sqlite: Database.Database) {
    this.#row = prepare<{ id: number }, Row>(sqlite, (p) =>
      query
        .selectFrom('events as e')
        .leftJoin('venues as v', 'v.id', 'e.venue_id')
        .select([
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
    this.#lineup = prepare<{ id: number }, Ref>(sqlite, (p) =>
      query
        .selectFrom('lineups as l')
        .innerJoin('artists as a', 'a.id', 'l.artist_id')
        .select(['a.slug', 'a.name'])
        .where('l.record_id', '=', p.id)
        .orderBy('l.position'),
    );
  }

  /** The list item of an event as JSON text, with the placeholder of `show.ts` for the base address. */
  render(id: number): string {
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
    return JSON.stringify(item);
  }
}
