/** Genres, cities and venues as lines of a feed. */
import { sql } from 'kysely';
import { identity, known, pick, plain } from './rows.ts';

export const genre = plain(
  'genres',
  ['t.name', 't.aliases', 't.description', 'p.name as parent'],
  (row) => ({ ...identity(row), ...pick(row, ['parent', 'description']) }),
  sql`left join genres p on p.id = t.parent_id`,
);

export const city = plain(
  'cities',
  ['t.name', 't.aliases', 't.country', 't.region', 't.latitude', 't.longitude', 't.timezone', 't.population'],
  (row) => ({
    ...identity(row),
    ...pick(row, ['country', 'region', 'latitude', 'longitude', 'timezone', 'population']),
  }),
);

export const venue = plain(
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
    't.links',
    't.external_ids',
  ],
  (row) => ({
    ...identity(row),
    ...pick(row, [
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
    ]),
    ...known(row),
  }),
);
