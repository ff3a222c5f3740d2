/** Lists of events by artist, venue, city, label, genre, country or text, built from one query template. */

import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import type { Area } from '../areas.ts';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { type PreparedStatement, prepare, prepareByShape, query } from '../statement.ts';
import { EventCounts, maxFewEvents } from './event-counts.ts';
import { addMatches, type EventFilter, type EventQuery, type PlainEventFilter } from './event-filter.ts';
import {
  type EventListParams,
  type EventListRow,
  eventListQuery,
  type ScannedFilter,
} from './event-query.ts';
import { type EventKey, mergeStreams } from './merge.ts';
import type { ListEntry, ListSource, MovedFilter, SortKey } from './pagination.ts';

export type { EventFilter } from './event-filter.ts';

// Local dates begin at most 14 hours before and 12 hours after the UTC date of that name.
const maxEastOffsetMs = 14 * 3_600_000;
const maxWestOffsetMs = 12 * 3_600_000;
const utcMidnight = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100);

/** The scans of a list: one per value of the filter that it is read by. */
type Scans = { by: ScannedFilter; values: readonly (number | string)[] };

export class EventLists {
  readonly #bySql: (shape: string) => PreparedStatement<EventListParams, EventListRow>;
  readonly #items: EventItems;
  readonly #maxDuration: Database.Statement;
  readonly #roster: PreparedStatement<{ label: number }, [number]>;
  readonly #item: Database.Statement;
  readonly #updateDays: Database.Statement;
  readonly #counts: EventCounts;
  readonly #createdFrom: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#items = new EventItems(sqlite);
    this.#bySql = prepareByShape<EventListParams, EventListRow>(
      sqlite,
      (shape, values) => eventListQuery(new Set(shape.split(' ')), values),
      true,
    );
    this.#maxDuration = sqlite.prepare('SELECT max_event_duration_ms FROM catalogue').pluck();
    this.#roster = prepare(
      sqlite,
      (p) => query.selectFrom('label_artists').select('artist_id').where('label_id', '=', p.label),
      true,
    );
    this.#item = sqlite.prepare('SELECT id, item_json AS item, updated_ts FROM events WHERE id = ?');
    // Each step finds the next day on which an event changed, without reading those of one day.
    this.#updateDays = sqlite
      .prepare(
        `WITH RECURSIVE days (day) AS (
           SELECT min(updated_ts / ${dayMs}) FROM events INDEXED BY events_by_update WHERE updated_ts / ${dayMs} >= @day
           UNION ALL
           SELECT (SELECT min(updated_ts / ${dayMs}) FROM events INDEXED BY events_by_update WHERE updated_ts / ${dayMs} > day)
           FROM days WHERE day IS NOT NULL
         ) SELECT day FROM days WHERE day IS NOT NULL`,
      )
      .pluck();
    this.#counts = new EventCounts(sqlite);
    this.#createdFrom = sqlite
      .prepare(`SELECT id FROM events NOT INDEXED WHERE id >= ? LIMIT ${maxFewEvents + 1}`)
      .pluck();
  }

  /** The events that match the filter, by start_at, then id. */
  source(filter: EventFilter): ListSource {
    return {
      kind: 'event',
      descending: false,
      fetch: (after, limit, moved) => this.#fetch(filter, after, limit, moved),
    };
  }

  /** The last `limit` events that match the filter, newest first. */
  newest(filter: PlainEventFilter, limit: number): ListEntry[] {
    return this.#run(this.#prepare(filter, 'newest'), null, limit);
  }

  /** The number of events that match the filter, counted up to `max`. */
  count(filter: PlainEventFilter, max: number): number {
    return Number(this.#rows(this.#prepare(filter, 'count'), null, max)[0]?.[0] ?? 0);
  }

  /** The artists of a label. */
  rosterOf(label: number): number[] {
    return this.#roster.all({ label }).map(([artist]) => artist);
  }

  /**
   * The same for all artists of a label: the next events of each artist, merged. The cost of a page does not
   * depend on its depth.
   */
  sourceForLabel(label: number, filter: EventFilter): ListSource {
    const fetch = (after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[] => {
      const rowsById = new Map<number, ListEntry>();
      for (const [artist] of this.#roster.all({ label })) {
        for (const row of this.#fetch(alsoBy(filter, artist), after, limit, moved))
          rowsById.set(row.at(-1) as number, row);
      }
      const rows = [...rowsById.values()];
      if (moved?.only) return rows;
      rows.sort((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]));
      return rows.slice(0, limit);
    };
    return { kind: 'event', descending: false, fetch };
  }

  #prepare(filter: PlainEventFilter, mode: 'newest' | 'count'): EventQuery {
    const prepared: EventQuery = { shape: [mode], values: {} };
    addMatches(prepared, filter);
    this.#addTimes(prepared, filter, false);
    return prepared;
  }

  #fetch(asked: EventFilter, after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[] {
    const filter = this.#withFew(asked);
    const prepared: EventQuery = { shape: [], values: {} };
    addMatches(prepared, filter);
    this.#addTimes(prepared, filter, after !== null);
    if (moved) {
      prepared.shape.push(moved.only ? 'moved' : 'unmoved');
      prepared.values.since = moved.since;
    }
    const scans = this.#scansOf(filter);
    // The SQL finds the scan of filters with one value by itself.
    if (scans === null) return this.#run(prepared, after as EventKey | null, limit);
    if (moved?.only) return this.#fetchAll(prepared, scans);
    if (scans.values.length === 1) {
      return this.#run(scanned(prepared, scans, 0), after as EventKey | null, limit);
    }
    const streams = scans.values.map((_, index) => {
      const own = scanned({ ...prepared, shape: [...prepared.shape, 'keys'] }, scans, index);
      return (from: EventKey | null, count: number) => this.#rows(own, from, count) as EventKey[];
    });
    return mergeStreams(streams, after as EventKey | null, limit).map(
      ([start, id]): ListEntry => [this.#items.complete(this.#item.get(id) as StoredEventItem), start, id],
    );
  }

  /** All moved events of several scans, each once, in no order. */
  #fetchAll(prepared: EventQuery, scans: Scans): ListEntry[] {
    const rowsById = new Map<number, ListEntry>();
    for (const index of scans.values.keys()) {
      for (const row of this.#run(scanned(prepared, scans, index), null, -1))
        rowsById.set(row.at(-1) as number, row);
    }
    return [...rowsById.values()];
  }

  #run(prepared: EventQuery, after: EventKey | null, limit: number): ListEntry[] {
    return this.#rows(prepared, after, limit).map((row): ListEntry => {
      const [item, updated_ts, ...key] = row as [string, number, ...SortKey];
      return [this.#items.complete({ id: key.at(-1) as number, item, updated_ts }), ...key];
    });
  }

  #rows({ shape, values }: EventQuery, after: EventKey | null, limit: number): EventListRow[] {
    // The cursor's position is already a lower bound.
    const own = after === null ? shape : [...shape.filter((name) => name !== 'lower'), 'after'];
    const bound = { ...values, limit, afterStart: after?.[0] ?? 0, afterId: after?.[1] ?? 0 };
    return this.#bySql(own.join(' ')).all(bound as EventListParams);
  }

  #addTimes({ shape, values }: EventQuery, filter: EventFilter, isContinued: boolean): void {
    let lower = Number.NEGATIVE_INFINITY;
    let upper = filter.pastAt ?? Number.POSITIVE_INFINITY;
    if (filter.pastAt !== undefined) {
      shape.push('past');
      values.past = filter.pastAt;
    }
    if (filter.from) {
      if ('date' in filter.from) {
        shape.push('fromDate');
        values.fromDate = filter.from.date;
        lower = utcMidnight(filter.from.date) - maxEastOffsetMs;
      } else lower = filter.from.instant;
    }
    if (filter.to) {
      if ('date' in filter.to) {
        shape.push('toDate');
        values.toDate = filter.to.date;
        upper = Math.min(upper, utcMidnight(filter.to.date) + dayMs + maxWestOffsetMs);
      } else upper = Math.min(upper, filter.to.instant);
    }
    if (filter.upcomingAt !== undefined) {
      shape.push('upcoming');
      values.now = filter.upcomingAt;
      lower = Math.max(lower, filter.upcomingAt - (this.#maxDuration.get() as number));
    }
    if (lower !== Number.NEGATIVE_INFINITY && !isContinued) {
      shape.push('lower');
      values.lower = lower;
    }
    if (upper !== Number.POSITIVE_INFINITY) {
      shape.push('upper');
      values.upper = upper;
    }
  }

  /** What to scan for a filter; null if its one value determines it (`scannedFilters`). */
  #scansOf(filter: EventFilter): Scans | null {
    const { anyOf = {}, area } = filter;
    if (filter.ids !== undefined) return null;
    for (const name of ['artist', 'venue', 'cityId', 'cityText'] as const) {
      const value = filter[name];
      if (value !== undefined) return this.#byFewInArea(filter, name, value);
      if (name === 'cityId') continue;
      const values = anyOf[name];
      if (values !== undefined) return { by: name, values };
    }
    if (filter.venueNames !== undefined) return null;
    const rare = filter.status?.includes('scheduled') === false ? [...new Set(filter.status)] : null;
    const genres = anyOf.genre ?? (filter.genre === undefined ? null : [filter.genre]);
    const byTime = filter.updatedSince;
    const inArea = area === undefined || isWorld(area) ? undefined : area;
    const isWide = inArea !== undefined || byTime !== undefined;
    if (rare !== null && (!isWide || this.#areFew('status', rare, filter)))
      return { by: 'rareStatus', values: rare };
    if (genres !== null && isWide && this.#areFew('genre', genres, filter))
      return { by: 'genre', values: genres };
    if (inArea !== undefined) return this.#counts.cellsOf(inArea);
    if (byTime !== undefined) {
      const days = this.#updateDays.all({ day: Math.floor(byTime / dayMs) }) as number[];
      return { by: 'day', values: days };
    }
    if (genres !== null) return anyOf.genre === undefined ? null : { by: 'genre', values: genres };
    if (filter.country !== undefined) return null;
    return anyOf.country === undefined ? null : { by: 'country', values: anyOf.country };
  }

  /** Whether each value has few events in the window that is asked for. */
  #areFew(name: 'genre' | 'status', values: readonly (number | string)[], filter: EventFilter): boolean {
    const lower = lowerBound(filter);
    return values.length <= 10 && values.every((value) => this.#counts.isFew(name, value, lower));
  }

  /** The cells of an area with few events, if the artist, venue or city has many; else null. */
  #byFewInArea(
    filter: EventFilter,
    name: 'artist' | 'venue' | 'cityId' | 'cityText',
    value: number | string,
  ): Scans | null {
    const lower = lowerBound(filter);
    if (filter.area === undefined || this.#counts.isFew(name, value, lower)) return null;
    const cells = this.#counts.cellsOf(filter.area);
    return this.#counts.areFewIn(cells, lower) ? cells : null;
  }

  /** Names the events that can fit if few are new, if few changed, or if their venue is elsewhere. */
  #withFew(asked: EventFilter): EventFilter {
    const filter = this.#counts.withoutAreaOfVenue(asked);
    if (filter.ids !== undefined) return filter;
    if (filter.createdFrom !== undefined) {
      const ids = this.#createdFrom.all(filter.createdFrom) as number[];
      if (ids.length <= maxFewEvents) return { ...filter, ids };
    }
    const ids = filter.updatedSince === undefined ? null : this.#counts.updatedSince(filter.updatedSince);
    return ids === null ? filter : { ...filter, ids };
  }
}

/** Whether an area has every position. */
const isWorld = ({ west, south, east, north, circle }: Area): boolean =>
  circle === undefined && west <= -180 && east >= 180 && south <= -90 && north >= 90;

/** The time (ms) before which no event of the window that is asked for begins. */
const lowerBound = ({ from }: EventFilter): number => {
  if (from === undefined) return 0;
  return 'date' in from ? utcMidnight(from.date) - maxEastOffsetMs : from.instant;
};

/** Adds an artist who must play as well. */
const alsoBy = (filter: EventFilter, artist: number): EventFilter =>
  filter.artist === undefined
    ? { ...filter, artist }
    : { ...filter, artist, otherArtists: [...(filter.otherArtists ?? []), filter.artist] };

/** The query of one scan. */
function scanned({ shape, values }: EventQuery, { by, values: scans }: Scans, index: number): EventQuery {
  const parameter = by === 'rareStatus' ? 'status' : by;
  return { shape: [...shape, `by:${by}`], values: { ...values, [parameter]: scans[index] } };
}
