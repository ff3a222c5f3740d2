/** The cities that a form suggests. */
import type Database from 'better-sqlite3';

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
