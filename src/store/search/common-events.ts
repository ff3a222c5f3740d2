/**
 * Finds the events that a filter and the words of names have in common, if both have many: row ids of names and ids of
 * events are read from indexes in the order of days, and the rows of both only for the ids in common.
 */
import type Database from 'better-sqlite3';
import type { PlainEventFilter } from '../lists/event-filter.ts';
import { eventIdOf, startsOfRowIds } from './row-ids.ts';

/** The filters with an index by start, the most selective first. */
export const scannedFilters = ['artist', 'venue', 'cityId', 'cityText', 'genre', 'country'] as const;
export type ScannedFilter = (typeof scannedFilters)[number];

const scans: Record<ScannedFilter, string> = {
  artist: 'event_id FROM event_artists WHERE artist_id',
  genre: 'event_id FROM event_genres WHERE genre_id',
  venue: 'id FROM events INDEXED BY events_by_venue WHERE venue_id',
  cityId: 'id FROM events INDEXED BY events_by_city WHERE city_id',
  cityText: 'id FROM events INDEXED BY events_by_city_text WHERE city_folded',
  country: 'id FROM events INDEXED BY events_by_country WHERE country',
};
type ScanParams = { value: unknown; from: number; to: number; limit: number };

/** Row ids of names, from `low` (inclusive) to `high` (exclusive). */
export type NameRange = { match: string; low: number; high: number };

/** Row ids of names read at first, and at most; each time four times as many. */
export type ChunkSizes = { first: number; max: number };
const chunkSizes: ChunkSizes = { first: 250, max: 4_000 };
/** With more events per name in the same days, the rows of all names are read instead: a row costs as much as these. */
const eventsPerName = [4, 16] as const;

/**
 * Reads row ids of names and ids of events, and intersects them. Results may contain other events: the caller tests all
 * filters again.
 */
export class CommonEvents {
  readonly #scans: Record<ScannedFilter, Database.Statement<[ScanParams], number>>;
  readonly #counts: Record<ScannedFilter, Database.Statement<[ScanParams], number>>;
  readonly #names: Record<'up' | 'down', Database.Statement<[NameRange & { limit: number }], number>>;

  readonly #sizes: ChunkSizes;

  constructor(sqlite: Database.Database, sizes = chunkSizes) {
    this.#sizes = sizes;
    const scan = (one: ScannedFilter) =>
      `SELECT ${scans[one]} = @value AND start_ts >= @from AND start_ts < @to LIMIT @limit`;
    const pluck = <P extends object>(text: string) => sqlite.prepare<[P], number>(text).pluck();
    const each = <T>(make: (one: ScannedFilter) => T) =>
      Object.fromEntries(scannedFilters.map((one) => [one, make(one)])) as Record<ScannedFilter, T>;
    this.#scans = each((one) => pluck(scan(one)));
    this.#counts = each((one) => pluck(`SELECT count(*) FROM (${scan(one)})`));
    const names = (order: string) =>
      pluck<NameRange & { limit: number }>(
        `SELECT rowid FROM name_search WHERE name_search MATCH @match
         AND rowid >= cast(@low AS INTEGER) AND rowid < cast(@high AS INTEGER) ORDER BY rowid ${order} LIMIT @limit`,
      );
    this.#names = { up: names('ASC'), down: names('DESC') };
  }

  /** The number of events that have the value of one filter and start on the days of the names, counted up to `max`. */
  count(one: ScannedFilter, filter: PlainEventFilter, { low, high }: NameRange, max: number): number {
    const days = startsOfRowIds(low, high - 1);
    return this.#counts[one].get({ value: filter[one], ...days, limit: max }) as number;
  }

  /** The first `limit` row ids of names. */
  namesIn({ match, low, high }: NameRange, limit: number): number[] {
    return this.#names.up.all({ match, low, high, limit });
  }

  /**
   * Yields row ids of names in their order, some at a time: all whose events have the values of these filters, perhaps
   * among others.
   */
  *rowIds(
    parts: readonly ScannedFilter[],
    filter: PlainEventFilter,
    range: NameRange,
    isNewestFirst: boolean,
  ): Generator<number[]> {
    let { low, high } = range;
    const { first, max } = this.#sizes;
    for (let size = first; ; size = Math.min(4 * size, max)) {
      const { match } = range;
      const ids = this.#names[isNewestFirst ? 'down' : 'up'].all({ match, low, high, limit: size });
      const last = ids.at(-1);
      if (last === undefined) return;
      yield this.keepAll(ids, parts, filter);
      if (ids.length < size) return;
      if (isNewestFirst) high = last;
      else low = last + 1;
    }
  }

  /**
   * Keeps the row ids of names whose events have the values of these filters, the rarest value first, perhaps among others.
   * @param ids in ascending or descending order
   */
  keepAll(ids: number[], parts: readonly ScannedFilter[], filter: PlainEventFilter): number[] {
    let common = ids;
    const others = [...parts];
    for (const perName of eventsPerName) {
      for (const one of others.splice(0)) {
        const subset = this.#keep(common, one, filter, perName);
        if (subset === null) others.push(one);
        else common = subset;
      }
    }
    return common;
  }

  /** Keeps the names whose events have the value of a filter; null if it has more than `perName` events for each name. */
  #keep(ids: number[], one: ScannedFilter, filter: PlainEventFilter, perName: number): number[] | null {
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return ids;
    const days = startsOfRowIds(Math.min(first, last), Math.max(first, last));
    const limit = perName * ids.length;
    const events = this.#scans[one].all({ value: filter[one], ...days, limit: limit + 1 });
    if (events.length > limit) return null;
    const eventIds = new Set(events);
    return ids.filter((id) => eventIds.has(eventIdOf(id)));
  }
}
