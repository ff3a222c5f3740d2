/**
 * Chooses what a list of events is read by. Every index is in the order of the list. Filters with few events are counted,
 * so that a pair of filters reads the smaller set and looks up the other (docs/decisions/39-pairs-of-filters.md).
 */
import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import { type Area, coverArea } from '../areas.ts';
import { prepareValue } from '../statement.ts';
import type { EventFilter } from './event-filter.ts';
import type { ScannedFilter } from './event-query.ts';
import { PlacePairs } from './place-pairs.ts';

/** The scans of a list: one per value of the filter that it is read by; `also` has scans by other filters. */
export type Scans = {
  by: ScannedFilter | 'cityless';
  values: readonly (number | string)[];
  also?: readonly CountedScans[];
};
/** The starts (ms) that a page can have. */
export type StartRange = { lower: number; upper: number };

/** As many new events are read by their ids. */
const maxNewEvents = 1_000;
/** Bounds of the choice; tests set others, because their catalogues are small. */
export type ScanLimits = {
  /** A set with as many events is read without looking for a smaller one. */
  veryFewEvents: number;
  /** A set with fewer events is read to its end within a few milliseconds. */
  fewEvents: number;
  /** Sets with as many events are not compared. */
  comparedEvents: number;
  /** An area with more regions is compared with the position of each event. */
  regions: number;
};
const defaultLimits: ScanLimits = {
  veryFewEvents: 500,
  fewEvents: 4_000,
  comparedEvents: 25_000,
  regions: 64,
};
/** Reading the venues of a filter takes less time than testing this number of events for each. */
const eventsPerVenue = 2;
/** The events of an area are counted only if it has few cells. */
const maxCountedCells = 24;

/** The condition of a scan, with its value as the first parameter. */
export const sizeConditions = {
  artist: 'event_artists WHERE artist_id = @value',
  venue: 'events INDEXED BY events_by_venue WHERE venue_id = @value',
  cityId: 'events INDEXED BY events_by_city WHERE city_id = @value',
  cityless: 'events INDEXED BY events_by_city WHERE city_id IS NULL',
  cityText: 'events INDEXED BY events_by_city_text WHERE city_folded = @value',
  rareStatus: "events INDEXED BY events_by_status WHERE status = @value AND status <> 'scheduled'",
  genre: 'event_genres WHERE genre_id = @value',
  country: 'events INDEXED BY events_by_country WHERE country = @value',
  cell: 'event_places INDEXED BY event_places_by_cell WHERE cell = @value',
  region: 'event_places INDEXED BY event_places_by_region WHERE region = @value',
  changed: 'events INDEXED BY events_by_update_time WHERE updated_ts >= @value',
} as const satisfies Partial<Record<ScannedFilter | 'cityless', string>>;
/** What is scanned first if all filters have many events. */
const firstChoices: readonly Scans['by'][] = ['artist', 'venue', 'cityId', 'cityText', 'rareStatus', 'cell'];
export type CountedFilter = keyof typeof sizeConditions;
/** Scans whose events can be counted. */
export type CountedScans = Scans & { by: CountedFilter };
type SizedScans = { scans: CountedScans; size: number };

/**
 * Chooses the index that a list of events is read from: that of the filter with the fewest events in the range of
 * starts.
 */
export class EventScans {
  readonly #limits: ScanLimits;
  readonly #sizes: Record<CountedFilter, Database.Statement>;
  readonly #updateDays;
  readonly #regions;
  readonly #createdFrom;
  readonly #pairs: PlacePairs;

  constructor(sqlite: Database.Database, limits: ScanLimits = defaultLimits) {
    this.#limits = limits;
    this.#pairs = new PlacePairs(sqlite);
    this.#sizes = Object.fromEntries(
      Object.entries(sizeConditions).map(([by, condition]) => [
        by,
        sqlite
          .prepare(
            // Changes are not in the order of starts: few of many could be in the range.
            by === 'changed'
              ? `SELECT count(*) FROM (SELECT 1 FROM ${condition} LIMIT @max)`
              : `SELECT count(*) FROM (SELECT 1 FROM ${condition} AND start_ts BETWEEN @lower AND @upper LIMIT @max)`,
          )
          .pluck(),
      ]),
    ) as Record<CountedFilter, Database.Statement>;
    // Each step finds the next day on which an event changed, without reading those of one day.
    this.#updateDays = prepareValue<number>(
      sqlite,
      `WITH RECURSIVE days (day) AS (
           SELECT min(updated_ts / ${dayMs}) FROM events INDEXED BY events_by_update WHERE updated_ts / ${dayMs} >= @day
           UNION ALL
           SELECT (SELECT min(updated_ts / ${dayMs}) FROM events INDEXED BY events_by_update WHERE updated_ts / ${dayMs} > day)
           FROM days WHERE day IS NOT NULL
         ) SELECT day FROM days WHERE day IS NOT NULL`,
    );
    this.#regions = prepareValue<number>(
      sqlite,
      `WITH RECURSIVE regions (region) AS (
           SELECT min(region) FROM event_places
           UNION ALL
           SELECT (SELECT min(p.region) FROM event_places p WHERE p.region > regions.region) FROM regions WHERE region IS NOT NULL
         ) SELECT region FROM regions WHERE region IS NOT NULL`,
    );
    this.#createdFrom = prepareValue<number>(
      sqlite,
      `SELECT id FROM events NOT INDEXED WHERE id >= ? LIMIT ${maxNewEvents + 1}`,
    );
  }

  /** Replaces the lowest id of a filter by the ids themselves if few events are new. */
  withFewNew(filter: EventFilter): EventFilter {
    if (filter.createdFrom === undefined || filter.ids !== undefined) return filter;
    const ids = this.#createdFrom.all(filter.createdFrom);
    return ids.length > maxNewEvents ? filter : { ...filter, ids };
  }

  /** Returns what to scan for a filter; null if the SQL finds it (`scannedFilters`). */
  choose(filter: EventFilter, range: StartRange): Scans | null {
    if (filter.ids !== undefined || filter.editions !== undefined || filter.venueNames !== undefined)
      return null;
    const area = filter.area === undefined ? null : this.#cellsOf(filter.area);
    const candidates = candidatesOf(filter, area);
    if (candidates.length > 1 || area !== null || filter.updatedSince !== undefined) {
      const few = this.#smallest(candidates, range, this.#limits.fewEvents);
      if (few !== null) return this.#fewer(few, filter, range);
      const places = this.#scansOfPlaces(filter);
      const smallest = this.#smallest(
        [...places, ...candidates.filter(({ by }) => by !== 'changed')],
        range,
        this.#limits.comparedEvents,
      );
      if (smallest !== null) return smallest.scans;
    }
    const first = candidates.find(({ by }) => firstChoices.includes(by));
    if (first !== undefined) return first;
    if (area?.by === 'cell') return area;
    if (filter.updatedSince !== undefined) return { by: 'day', values: this.#daysSince(filter.updatedSince) };
    // A large area has many lists to merge, and most events are in it.
    if (candidates[0] !== undefined || area === null) return candidates[0] ?? null;
    return area.values.length > this.#limits.regions ? null : area;
  }

  /**
   * Returns what else a list could be read by, if `scans` and that are in the order of starts; null if there is nothing
   * else.
   */
  pairOf(filter: EventFilter, scans: Scans): { scans: CountedScans; others: CountedScans[] } | null {
    const isInOrder = scans.by in sizeConditions && scans.by !== 'changed';
    if (!isInOrder || scans.also !== undefined || scans.values.length > maxCountedCells) return null;
    const area = filter.area === undefined ? null : this.#cellsOf(filter.area);
    const others = candidatesOf(filter, area).filter(({ by }) => by !== scans.by && by !== 'changed');
    return others.length === 0 ? null : { scans: scans as CountedScans, others };
  }

  /** The scans of the places that filters have in common, if these have fewer events; they are read if they are few. */
  #fewer({ scans, size }: SizedScans, filter: EventFilter, range: StartRange): Scans {
    if (size <= this.#limits.veryFewEvents) return scans;
    const places = this.#scansOfPlaces(filter, Math.floor(size / eventsPerVenue));
    return this.#smallest(places, range, size)?.scans ?? scans;
  }

  /**
   * The scans of the places that two filters by place have in common; none if they are unknown.
   * @param maxVenues more venues of one filter are not read
   */
  #scansOfPlaces(filter: EventFilter, maxVenues?: number): CountedScans[] {
    const places = this.#pairs.find(filter, maxVenues);
    if (places === null) return [];
    const cityless: CountedScans = { by: 'cityless', values: [1] };
    const cities: CountedScans = { by: 'cityId', values: places.cities };
    return [{ by: 'venue', values: places.venues, also: places.hasCityless ? [cities, cityless] : [cities] }];
  }

  /** The candidate with the fewest events; null if all have `max` or more. */
  #smallest(candidates: readonly CountedScans[], range: StartRange, max: number): SizedScans | null {
    let [smallest, size]: [CountedScans | null, number] = [null, max];
    for (const one of candidates) {
      const count = this.#count(one, range, size);
      if (count < size) [smallest, size] = [one, count];
      if (size === 0) break;
    }
    return smallest === null ? null : { scans: smallest, size };
  }

  /** The number of events of scans, up to `max`. */
  #count({ by, values, also = [] }: CountedScans, range: StartRange, max: number): number {
    let count = 0;
    for (const value of values) {
      if (count >= max) return count;
      count += this.#sizes[by].get({ value, max: max - count, ...range }) as number;
    }
    for (const one of also) count += this.#count(one, range, Math.max(0, max - count));
    return count;
  }

  #daysSince(time: number): number[] {
    return this.#updateDays.all({ day: Math.floor(time / dayMs) });
  }

  /** The cells of an area, of large ones without those that hold no event. */
  #cellsOf(area: Area): Scans {
    const { grid, cells } = coverArea(area);
    if (grid === 'cell') return { by: grid, values: cells };
    const inArea = new Set(cells);
    return { by: grid, values: this.#regions.all().filter((region) => inArea.has(region)) };
  }
}

/** Returns what a list could be read by, in order of selectivity. */
function candidatesOf(filter: EventFilter, area: Scans | null): CountedScans[] {
  const { anyOf = {} } = filter;
  const candidates: CountedScans[] = [];
  const add = (by: CountedFilter, values: readonly (number | string)[] | undefined): void => {
    if (values !== undefined) candidates.push({ by, values });
  };
  const oneOrMore = <T>(one: T | undefined, more: readonly T[] | undefined) =>
    one === undefined ? more : [one];
  add('artist', oneOrMore(filter.artist, anyOf.artist));
  add('venue', oneOrMore(filter.venue, anyOf.venue));
  add('cityId', oneOrMore(filter.cityId, anyOf.cityId));
  add('cityText', oneOrMore(filter.cityText, anyOf.cityText));
  if (filter.status?.includes('scheduled') === false) add('rareStatus', [...new Set(filter.status)]);
  if ((area?.by === 'cell' || area?.by === 'region') && area.values.length <= maxCountedCells)
    add(area.by, area.values);
  add('genre', oneOrMore(filter.genre, anyOf.genre));
  add('country', oneOrMore(filter.country, anyOf.country));
  if (filter.updatedSince !== undefined) add('changed', [filter.updatedSince]);
  return candidates;
}
