/** Exports genres, cities and venues as lines of a feed. */
import { sql } from 'kysely';
import { linkMembers, nameMembers, pickColumns, simpleReader } from './feed-lines.ts';

export const genreReader = simpleReader(
  'genres',
  ['t.name', 't.aliases', 't.description', 'p.name as parent'],
  (row) => ({ ...nameMembers(row), ...pickColumns(row, ['parent', 'description']) }),
  sql`left join genres p on p.id = t.parent_id`,
);

export const cityReader = simpleReader(
  'cities',
  ['t.name', 't.aliases', 't.country', 't.region', 't.latitude', 't.longitude', 't.timezone', 't.population'],
  (row) => ({
    ...nameMembers(row),
    ...pickColumns(row, ['country', 'region', 'latitude', 'longitude', 'timezone', 'population']),
  }),
);

export const venueReader = simpleReader(
  'venues',
  [
    't.name',
    't.aliases',
    't.city',
    't.country',
    't.timezone',
    't.address',
    't.postal_code',
    't.latitude',
    't.longitude',
    't.capacity',
    't.website',
    't.image_url',
    't.closed_at',
    't.links',
    't.external_ids',
  ],
  (row) => ({
    ...nameMembers(row),
    ...pickColumns(row, [
      'city',
      'country',
      'timezone',
      'address',
      'postal_code',
      'latitude',
      'longitude',
      'capacity',
      'website',
      'image_url',
      'closed_at',
    ]),
    ...linkMembers(row),
  }),
);
