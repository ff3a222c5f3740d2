/** Counts how many events a filter keeps, up to a bound, so that a list scans the filter that keeps few. */
import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import { type Area, contains, coverArea } from '../areas.ts';
import type { EventFilter } from './event-filter.ts';

/** A filter with at most this many events is scanned, rather than the area or time that is also asked for. */
export const maxFewEvents = 1_000;
/** An area with at most this many events is scanned, rather than an artist, venue or city with many. */
const maxFewInArea = 5_000;

type CountedFilter = 'artist' | 'venue' | 'cityId' | 'cityText' | 'genre' | 'status';

const counted = (rows: string): string => `SELECT count(*) FROM (${rows} LIMIT ${maxFewEvents + 1})`;

export class EventCounts {
  readonly #byValue: Record<CountedFilter, Database.Statement>;
  readonly #inCells: Record<'cell' | 'region', Database.Statement>;
  readonly #regions: Database.Statement;
  readonly #updated: Database.Statement;
  readonly #venuePosition: Database.Statement;

  constructor(sqlite: Database.Database) {
    const count = (rows: string) =>
      sqlite.prepare(counted(`SELECT 1 FROM ${rows} = ? AND start_ts >= ?`)).pluck();
    this.#byValue = {
      artist: count('event_artists WHERE artist_id'),
      genre: count('event_genres WHERE genre_id'),
      venue: count('events INDEXED BY events_by_venue WHERE venue_id'),
      cityId: count('events INDEXED BY events_by_city WHERE city_id'),
      cityText: count('events INDEXED BY events_by_city_text WHERE city_folded'),
      status: count("events INDEXED BY events_by_status WHERE status <> 'scheduled' AND status"),
    };
    const inCells = (column: 'cell' | 'region') =>
      sqlite
        .prepare(
          `SELECT count(*) FROM (SELECT 1 FROM json_each(?) j
           CROSS JOIN event_places p INDEXED BY event_places_by_${column} ON p.${column} = j.value AND p.start_ts >= ?
           LIMIT ${maxFewInArea + 1})`,
        )
        .pluck();
    this.#inCells = { cell: inCells('cell'), region: inCells('region') };
    this.#regions = sqlite
      .prepare(
        `WITH RECURSIVE regions (region) AS (
           SELECT min(region) FROM event_places
           UNION ALL
           SELECT (SELECT min(p.region) FROM event_places p WHERE p.region > regions.region) FROM regions WHERE region IS NOT NULL
         ) SELECT region FROM regions WHERE region IS NOT NULL`,
      )
      .pluck();
    this.#updated = sqlite
      .prepare(
        `SELECT id FROM events INDEXED BY events_by_update WHERE updated_ts / ${dayMs} >= ? LIMIT ${maxFewEvents + 1}`,
      )
      .pluck();
    this.#venuePosition = sqlite.prepare(
      'SELECT latitude, longitude FROM venues WHERE id = ? AND latitude IS NOT NULL AND longitude IS NOT NULL',
    );
  }

  /** Whether a value of a filter has few events from a time (ms) on. */
  isFew(name: CountedFilter, value: number | string, lower: number): boolean {
    return (this.#byValue[name].get(value, lower) as number) <= maxFewEvents;
  }

  /** The cells of an area, of large ones without those that hold no event. */
  cellsOf(area: Area): { by: 'cell' | 'region'; values: number[] } {
    const { grid, cells } = coverArea(area);
    if (grid === 'cell') return { by: grid, values: cells };
    const inArea = new Set(cells);
    return { by: grid, values: (this.#regions.all() as number[]).filter((region) => inArea.has(region)) };
  }

  /** Whether cells hold few events from a time (ms) on. */
  areFewIn({ by, values }: { by: 'cell' | 'region'; values: number[] }, lower: number): boolean {
    return (this.#inCells[by].get(JSON.stringify(values), lower) as number) <= maxFewInArea;
  }

  /** The ids of the events that changed on the day of a time (ms) or later; null if they are many. */
  updatedSince(time: number): number[] | null {
    const ids = this.#updated.all(Math.floor(time / dayMs)) as number[];
    return ids.length > maxFewEvents ? null : ids;
  }

  /** Replaces the area for the events of a venue with a position: they are all there, so all fit or none. */
  withoutAreaOfVenue(filter: EventFilter): EventFilter {
    const { venue, area, ...rest } = filter;
    if (venue === undefined || area === undefined) return filter;
    const position = this.#venuePosition.get(venue) as { latitude: number; longitude: number } | undefined;
    if (position === undefined) return filter;
    return contains(area, position) ? { ...rest, venue } : { ...filter, ids: [] };
  }
}
