/** Statistics over the whole catalogue for the public pages. They are slow, so callers cache them. */
import { sql } from 'kysely';
import { prepare, SqliteStore } from '../statement.ts';

export type CityEventCount = { slug: string; name: string; country: string; events: number };

/** Counts events over the whole catalogue. Nothing is cached here. */
export class SiteStatistics extends SqliteStore {
  /** The number of events that start from `from` (inclusive) to `until` (exclusive), in ms. */
  readonly countEvents = this.selectCount<[from: number, until: number]>(
    'select count(*) from events where start_ts >= ? and start_ts < ?',
  );
  readonly #cities = prepare<{ from: number; until: number; looked: number; limit: number }, CityEventCount>(
    this.sqlite,
    (p) => sql`
      select c.slug, c.name, c.country, (
          select count(*) from events e where e.city_id = b.city_id and e.start_ts >= ${p.from} and e.start_ts < ${p.until}
        ) as events
      from (
        select city_id, count(*) as venues from venues where city_id is not null
        group by city_id order by venues desc, city_id limit ${p.looked}
      ) b join cities c on c.id = b.city_id
      order by events desc, c.folded, c.slug limit ${p.limit}`,
  );

  /** The cities with the most events in a period (ms), among the `maxCandidates` cities with the most venues. */
  busiestCities(from: number, until: number, maxCandidates: number, limit: number): CityEventCount[] {
    return this.#cities.all({ from, until, looked: maxCandidates, limit }).filter(({ events }) => events > 0);
  }
}
