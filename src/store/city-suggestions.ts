/** The cities that a form suggests, and cities by what a person types. */
import type Database from 'better-sqlite3';
import { fold } from '../text/fold.ts';

/** Returns the cities with the most venues, the one with most first. */
export function citiesWithVenues(
  sqlite: Database.Database,
  limit: number,
): { slug: string; name: string; country: string }[] {
  return sqlite
    .prepare<{ limit: number }, { slug: string; name: string; country: string }>(
      `select c.slug, c.name, c.country
       from (
         select city_id, count(*) as venues from venues where city_id is not null
         group by city_id order by venues desc, city_id limit :limit
       ) b join cities c on c.id = b.city_id
       order by b.venues desc, c.slug`,
    )
    .all({ limit });
}

/** Returns the slugs of the cities with a name, at most five; case and accents do not matter. */
export function citySlugsNamed(sqlite: Database.Database, name: string): string[] {
  return sqlite
    .prepare<{ folded: string }, string>(
      `select distinct c.slug from names n join cities c on c.id = n.record_id
       where n.kind = 'city' and n.folded = :folded order by c.slug limit 5`,
    )
    .pluck()
    .all({ folded: fold(name.trim()) });
}
