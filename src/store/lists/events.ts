/** Lists of events by artist, venue, city, label, genre, country or text, built from one query template. */

import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import { midnightUtc } from '../../text/date-number.ts';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { type PreparedStatement, prepare, prepareByShape, prepareValue, query } from '../statement.ts';
import { addMatches, type EventFilter, type EventQuery, type PlainEventFilter } from './event-filter.ts';
import { EventPlaces } from './event-places.ts';
import { type EventListParams, type EventListRow, eventListQuery } from './event-query.ts';
import { EventScans, type ScanLimits, type Scans, type StartRange } from './event-scans.ts';
import { EventWindows, type WindowSizes } from './event-windows.ts';
import { type EventKey, type KeyStream, mergeStreams } from './merge.ts';
import {
  type ListEntry,
  type ListSource,
  type MovedFilter,
  maxMovedLookups,
  type SortKey,
} from './pagination.ts';

export type { EventFilter } from './event-filter.ts';

// Local dates begin at most 14 hours before and 12 hours after the UTC date of that name.
const maxEastOffsetMs = 14 * 3_600_000;
const maxWestOffsetMs = 12 * 3_600_000;
/** More than any time in ms. */
const maxTime = 1e16;

/** Lists and counts events that match a filter. Items are JSON texts with the placeholder of the base URL. */
export class EventLists {
  readonly #bySql: (shape: string) => PreparedStatement<EventListParams, EventListRow>;
  readonly #items: EventItems;
  readonly #maxDuration;
  readonly #roster: PreparedStatement<{ label: number }, [number]>;
  readonly #item: Database.Statement;
  readonly #scans: EventScans;
  readonly #windows: EventWindows;
  readonly #places: EventPlaces;

  /** @param limits bounds that only tests set, as are the sizes of windows */
  constructor(sqlite: Database.Database, limits?: ScanLimits, windows?: WindowSizes) {
    this.#items = new EventItems(sqlite);
    this.#bySql = prepareByShape<EventListParams, EventListRow>(
      sqlite,
      (shape, values) => eventListQuery(new Set(shape.split(' ')), values),
      true,
    );
    this.#maxDuration = prepareValue<number>(sqlite, 'SELECT max_event_duration_ms FROM catalogue');
    this.#roster = prepare(
      sqlite,
      (p) => query.selectFrom('label_artists').select('artist_id').where('label_id', '=', p.label),
      true,
    );
    this.#item = sqlite.prepare('SELECT id, item_json AS item, updated_ts FROM events WHERE id = ?');
    this.#scans = new EventScans(sqlite, limits);
    this.#windows = new EventWindows(sqlite, windows);
    this.#places = new EventPlaces(sqlite);
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
    return this.#run(this.#byOneScan(this.#prepare(filter, 'newest'), filter), null, limit);
  }

  /** The number of events that match the filter, counted up to `max`. */
  count(filter: PlainEventFilter, max: number): number {
    const query = this.#byOneScan(this.#prepare(filter, 'count'), filter);
    return Number(this.#rows(query, null, max)[0]?.[0] ?? 0);
  }

  /** The query with the scan of the filter with the fewest events, if that is one. */
  #byOneScan(query: EventQuery, filter: PlainEventFilter): EventQuery {
    const { lower = -maxTime, upper = maxTime } = query.values;
    const scans = this.#scans.choose(filter, { lower, upper });
    const isOne = scans?.values.length === 1 && scans.also === undefined;
    return isOne ? scanned(query, scans, 0) : query;
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
      const filters = this.rosterOf(label).map((artist) => alsoBy(filter, artist));
      if (moved?.ids) return byId(filters.flatMap((one) => this.#fetch(one, after, limit, moved)));
      const streams = filters.map((one) => this.#streamOf(this.#query(one, after, moved), 'artist'));
      return this.#mergeItems(streams, after, limit);
    };
    return { kind: 'event', descending: false, fetch };
  }

  #prepare(filter: PlainEventFilter, mode: 'newest' | 'count'): EventQuery {
    const prepared: EventQuery = { shape: [mode], values: {} };
    addMatches(prepared, filter);
    this.#addTimes(prepared, filter, false);
    return prepared;
  }

  #fetch(fullFilter: EventFilter, after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[] {
    const narrowFilter = this.#places.narrow(fullFilter);
    if (narrowFilter === null) return [];
    const filter = this.#scans.withFewNew(narrowFilter);
    const query = this.#query(filter, after, moved);
    // More are found among the events that the filters scan.
    if (moved?.ids && moved.ids.length <= maxMovedLookups)
      return this.#run({ ...query, shape: [...query.shape, 'by:start'] }, null, -1);
    const { lower = -maxTime, upper = maxTime } = query.values;
    const scans = this.#scans.choose(filter, { lower: Math.max(lower, Number(after?.[0] ?? lower)), upper });
    // The SQL finds the scan of filters with one value by itself.
    if (scans === null) return this.#run(query, after as EventKey | null, limit);
    if (moved?.ids) return byId(scansOf(query, scans).flatMap((one) => this.#run(one, null, -1)));
    const start = Math.max(lower, Number(after?.[0] ?? lower));
    const pair = this.#scans.pairOf(filter, scans);
    if (pair === null) return this.#readScans(query, scans, after, limit);
    return this.#readWindows(query, pair, filter.area, after, limit, { lower: start, upper });
  }

  /** Reads a page window by window: the first by look-ups, the others by the ids that the filters have in common. */
  #readWindows(
    query: EventQuery,
    { scans, others }: NonNullable<ReturnType<EventScans['pairOf']>>,
    area: EventFilter['area'],
    after: SortKey | null,
    limit: number,
    range: StartRange,
  ): ListEntry[] {
    const entries: ListEntry[] = [];
    for (const { isFirst, ...window } of this.#windows.over(scans, range)) {
      const part = inWindow(query, window);
      const room = limit - entries.length;
      const ids = isFirst ? null : this.#windows.common(scans, others, window, area);
      entries.push(
        ...(ids === null
          ? this.#readScans(part, scans, isFirst ? after : null, room)
          : this.#readIds(part, ids, room)),
      );
      if (entries.length >= limit) break;
    }
    return entries;
  }

  /** The first events that match the query and have one of the ids. */
  #readIds({ shape, values }: EventQuery, ids: readonly number[], limit: number): ListEntry[] {
    if (ids.length === 0) return [];
    const query = { shape: [...shape, 'by:start', 'ids'], values: { ...values, ids: JSON.stringify(ids) } };
    return this.#mergeItems([this.#streamOf(query)], null, limit);
  }

  #readScans(query: EventQuery, scans: Scans, after: SortKey | null, limit: number): ListEntry[] {
    const queries = scansOf(query, scans);
    const [first, ...others] = queries;
    // Events that changed are sorted by their keys, before their rows are read.
    const isInOrder = scans.by !== 'changed';
    if (first !== undefined && others.length === 0 && isInOrder)
      return this.#run(first, after as EventKey | null, limit);
    return this.#mergeItems(
      queries.map((one) => this.#streamOf(one)),
      after,
      limit,
    );
  }

  #query(filter: EventFilter, after: SortKey | null, moved: MovedFilter): EventQuery {
    const query: EventQuery = { shape: [], values: {} };
    addMatches(query, filter);
    this.#addTimes(query, filter, after !== null);
    if (moved) {
      query.shape.push(moved.ids ? 'moved' : 'unmoved');
      query.values.since = moved.unmovedSince ?? 0;
      query.values.movedIds = JSON.stringify(moved.ids ?? []);
    }
    return query;
  }

  /** The keys of a query, in order; `by` names the filter that is scanned. */
  #streamOf(query: EventQuery, by?: 'artist'): KeyStream {
    const keys = { ...query, shape: [...query.shape, 'keys', ...(by === undefined ? [] : [`by:${by}`])] };
    return (after, count) => this.#rows(keys, after, count) as EventKey[];
  }

  /** The first events of several streams as items. */
  #mergeItems(streams: readonly KeyStream[], after: SortKey | null, limit: number): ListEntry[] {
    return mergeStreams(streams, after as EventKey | null, limit).map(
      ([start, id]): ListEntry => [this.#items.complete(this.#item.get(id) as StoredEventItem), start, id],
    );
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
        lower = midnightUtc(filter.from.date) - maxEastOffsetMs;
      } else lower = filter.from.instant;
    }
    if (filter.to) {
      if ('date' in filter.to) {
        shape.push('toDate');
        values.toDate = filter.to.date;
        upper = Math.min(upper, midnightUtc(filter.to.date) + dayMs + maxWestOffsetMs);
      } else upper = Math.min(upper, filter.to.instant);
    }
    if (filter.upcomingAt !== undefined) {
      shape.push('upcoming');
      values.now = filter.upcomingAt;
      lower = Math.max(lower, filter.upcomingAt - this.#maxDuration.one());
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
}

/** Keeps each event once. */
const byId = (entries: readonly ListEntry[]): ListEntry[] => [
  ...new Map(entries.map((entry) => [entry.at(-1), entry])).values(),
];

/** Adds an artist who must play as well. */
const alsoBy = (filter: EventFilter, artist: number): EventFilter =>
  filter.artist === undefined
    ? { ...filter, artist }
    : { ...filter, artist, otherArtists: [...(filter.otherArtists ?? []), filter.artist] };

/** The query with another range of starts. */
function inWindow({ shape, values }: EventQuery, window: StartRange): EventQuery {
  const others = shape.filter((name) => name !== 'lower' && name !== 'upper');
  return { shape: [...others, 'lower', 'upper'], values: { ...values, ...window } };
}

/** The queries of all scans. */
const scansOf = (query: EventQuery, scans: Scans): EventQuery[] =>
  [scans, ...(scans.also ?? [])].flatMap((one) => one.values.map((_, index) => scanned(query, one, index)));

/** The query of one scan. */
function scanned({ shape, values }: EventQuery, { by, values: scans }: Scans, index: number): EventQuery {
  const parameter = by === 'rareStatus' ? 'status' : by;
  return { shape: [...shape, `by:${by}`], values: { ...values, [parameter]: scans[index] } };
}
