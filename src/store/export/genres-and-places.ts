/** Exports genres, cities and venues as lines of a feed. */
import { sql } from 'kysely';
import { namedReader } from './feed-lines.ts';

export const genreReader = namedReader({
  table: 'genres',
  columns: ['parent', 'description'],
  joined: { parent: 'p.name' },
  joins: sql`left join genres p on p.id = t.parent_id`,
});

export const cityReader = namedReader({
  table: 'cities',
  columns: ['country', 'region', 'latitude', 'longitude', 'timezone', 'population'],
});

export const venueReader = namedReader({
  table: 'venues',
  columns: [
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
  ],
  json: ['links', 'external_ids'],
});
