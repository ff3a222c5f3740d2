/** List items of festival editions, newest first. */
import type Database from 'better-sqlite3';
import { type InferResult, sql } from 'kysely';
import type { ApiRecord, VenueRef } from '../../contract/records.ts';
import { editionUrl, publicId, toRef } from '../records/serialize.ts';
import { query } from '../statement.ts';
import { childListSource, idsOf } from './child-list.ts';
import type { ListSource } from './pagination.ts';

export const editionItemQuery = query
  .selectFrom('editions as d')
  .innerJoin('festivals as f', 'f.id', 'd.festival_id')
  .leftJoin('venues as v', 'v.id', 'd.venue_id')
  .select([
    'd.id',
    'd.edition',
    'd.name',
    'd.start_at',
    'd.end_at',
    'd.timezone',
    'd.status',
    'd.city',
    'd.country',
    'd.sort_ts',
    'f.slug as festival_slug',
    'f.name as festival_name',
    'v.slug as venue_slug',
    'v.city as venue_city',
    'v.country as venue_country',
    'v.latitude as venue_latitude',
    'v.longitude as venue_longitude',
    sql<string | null>`coalesce(v.name, d.venue_name)`.as('venue_name'),
  ]);

type EditionItemRow = InferResult<typeof editionItemQuery>[number];

/**
 * The venue of an event or edition, with the venue's city. Without a venue record, the city and country are the
 * event's own.
 */
export const toVenueRef = (
  row: Pick<
    EditionItemRow,
    | 'venue_slug'
    | 'venue_name'
    | 'venue_city'
    | 'venue_country'
    | 'venue_latitude'
    | 'venue_longitude'
    | 'city'
    | 'country'
  >,
): VenueRef => ({
  slug: row.venue_slug,
  name: row.venue_name,
  city: row.venue_slug === null ? row.city : row.venue_city,
  country: row.venue_slug === null ? row.country : row.venue_country,
  latitude: row.venue_latitude,
  longitude: row.venue_longitude,
});

/** Converts a row to a list item. The URL has the placeholder of the base URL. */
export const toEditionItem = (row: EditionItemRow): ApiRecord<'EditionItem'> => ({
  id: publicId('edition', row.id),
  edition: row.edition,
  festival: toRef(row.festival_slug, row.festival_name) as { slug: string; name: string },
  name: row.name,
  start_at: row.start_at,
  end_at: row.end_at,
  timezone: row.timezone,
  status: row.status as ApiRecord<'EditionItem'>['status'],
  venue: toVenueRef(row),
  city: row.city,
  country: row.country,
  url: editionUrl(row.festival_slug, row.edition),
});

/** The editions of a festival, newest first. */
export const editionListSource = (sqlite: Database.Database): ((festival: number) => ListSource) =>
  childListSource<EditionItemRow>(sqlite, {
    kind: 'edition',
    build: (p, has, moved) =>
      editionItemQuery
        .where('d.festival_id', '=', p.owner)
        .$if(has('after'), (q) =>
          q.where((eb) => eb(eb.refTuple('d.sort_ts', 'd.id'), '<', eb.tuple(p.afterTime, p.afterId))),
        )
        .$if(has('only-moved'), (q) => q.where('d.id', 'in', idsOf(p)))
        .$if(has('not-moved'), (q) => q.where('d.id', 'not in', moved))
        .orderBy('d.sort_ts', 'desc')
        .orderBy('d.id', 'desc')
        .limit(p.limit),
    toItem: toEditionItem,
    timeOf: (row) => row.sort_ts,
  });
