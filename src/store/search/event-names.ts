/** Searches events by words of their names, with the filters of event lists. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { dayMs } from '../../clock.ts';
import type { PlainEventFilter } from '../lists/event-filter.ts';
import type { EventLists } from '../lists/events.ts';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { type PreparedStatement, prepareByShape } from '../statement.ts';
import { firstEventRowId, firstRowIdOfDay, rowIdLimit, rowIdsPerDay, rowIdsPerEvent } from './name-index.ts';
import { TermPrefixes } from './vocabulary.ts';

type EventNameParams = {
  [artist: `artist${number}`]: number;
  match: string;
  low: number;
  high: number;
  limit: number;
  venue: number;
  venueNames: string;
  cityId: number;
  cityText: string;
  country: string;
  genre: number;
  fromDate: number;
  toDate: number;
  fromTs: number;
  toTs: number;
  now: number;
  past: number;
};
type EventNameRow = StoredEventItem & { start_ts: number; row: number };

const filterColumns = {
  venue: 'venue_id',
  cityId: 'city_id',
  cityText: 'city_folded',
  country: 'country',
} as const;
/** The filters that a list can be read by, the most selective first. */
const listedFilters = ['artist', 'venue', 'venueNames', 'cityId', 'cityText', 'genre', 'country'] as const;
/** How many events of the last day shown are read to find its earliest ones. */
const maxEventsPerDay = 500;
/** With fewer names that contain the words, those are read, whatever the filter. */
const maxFewNames = 200;
/** Names and events are counted up to this number to find out which of them are fewer. */
const maxCounted = 20_000;

export class EventNameSearch {
  readonly #bySql: (shape: string) => PreparedStatement<EventNameParams, EventNameRow>;
  readonly #count: Database.Statement;
  readonly #items: EventItems;
  readonly #lists: EventLists;
  readonly #prefixes: TermPrefixes;
  readonly #maxDuration: Database.Statement;

  constructor(sqlite: Database.Database, lists: EventLists) {
    this.#bySql = prepareByShape<EventNameParams, EventNameRow>(sqlite, (shape, values) =>
      select(new Set(shape.split(' ')), values),
    );
    this.#count = sqlite
      .prepare(
        `SELECT count(*) FROM (SELECT 1 FROM name_search WHERE name_search MATCH @match
         AND rowid >= cast(@low AS INTEGER) AND rowid < cast(@high AS INTEGER) LIMIT @max)`,
      )
      .pluck();
    this.#items = new EventItems(sqlite);
    this.#lists = lists;
    this.#prefixes = new TermPrefixes(sqlite);
    this.#maxDuration = sqlite.prepare('SELECT max_event_duration_ms FROM catalogue').pluck();
  }

  /**
   * The first `limit` events that match the filter and whose names contain all words, the last one as a prefix.
   * Returns JSON texts of list items, by start_at, then id. Row ids of names are ordered by day, so only the
   * needed rows are read. If the words are in more names than the filter has events, the events are read instead.
   * @param words as returned by `normalizeForSearch`; without words nothing matches
   * @param isNewestFirst returns the last events instead, newest first
   */
  find(words: string, filter: PlainEventFilter, limit: number, isNewestFirst = false): string[] {
    const terms = words.split(' ').filter(Boolean);
    const match = this.#matchOf(terms);
    if (match === null) return [];
    const { shape, values } = this.#toParams(filter);
    values.match = match;
    if (this.#areEventsFewer(filter, values as EventNameParams)) {
      const named = { ...filter, nameWords: terms.join(' ') };
      const entries = isNewestFirst
        ? this.#lists.newest(named, limit)
        : this.#lists.source(named).fetch(null, limit, null);
      return entries.map(([item]) => item);
    }
    if (isNewestFirst) shape.push('newest');
    return this.#read(shape.join(' '), values as EventNameParams, limit, isNewestFirst);
  }

  /** Whether `find` returns an event for the words and the filter. */
  has(words: string, filter: PlainEventFilter): boolean {
    const match = this.#matchOf(words.split(' ').filter(Boolean));
    if (match === null) return false;
    const { shape, values } = this.#toParams(filter);
    const all = { ...values, match, limit: 1 } as EventNameParams;
    return this.#bySql(shape.join(' ')).get(all) !== undefined;
  }

  #read(shape: string, values: EventNameParams, limit: number, isNewestFirst: boolean): string[] {
    const statement = this.#bySql(shape);
    const rows = readEvents(statement, values, limit, isNewestFirst);
    const last = [...rows.values()].at(-1);
    if (last && rows.size >= limit) {
      const bounds = isNewestFirst
        ? { low: firstRowIdOfDay(last.start_ts), high: last.row }
        : { low: last.row + 1, high: firstRowIdOfDay(last.start_ts, 1) };
      const rest = { ...values, ...bounds, limit: maxEventsPerDay };
      for (const row of statement.all(rest)) rows.set(row.id, row);
    }
    const sign = isNewestFirst ? -1 : 1;
    return [...rows.values()]
      .sort((a, b) => sign * (a.start_ts - b.start_ts || a.id - b.id))
      .slice(0, limit)
      .map((row) => this.#items.complete(row));
  }

  /** The full-text expression of the words; null if no name contains them. The last one may go on. */
  #matchOf(terms: readonly string[]): string | null {
    const last = terms.at(-1);
    if (last === undefined) return null;
    const others = terms.slice(0, -1).map((word) => `"${word}"`);
    const completions = this.#prefixes.completions(last);
    if (completions?.length === 0) return null;
    const prefix = completions?.map((term) => `"${term}"`).join(' OR ') ?? `"${last}" *`;
    return [...others, `(${prefix})`].join(' AND ');
  }

  /**
   * Whether a part of the filter leaves fewer events than there are names with the words. Both are counted in turn, four
   * times as far each time, because one of them is often small: counting costs as much as the smaller one.
   */
  #areEventsFewer(filter: PlainEventFilter, values: EventNameParams): boolean {
    const present = listedFilters.filter((one) => filter[one] !== undefined);
    // Lists with spellings of venues are read by the first filter.
    const listed = filter.venueNames === undefined ? present : present.slice(0, 1);
    const { match, low, high } = values;
    const countNames = (max: number) => this.#count.get({ match, low, high, max }) as number;
    if (listed.length === 0 || countNames(maxFewNames + 1) <= maxFewNames) return false;
    const times = timesOf(filter);
    for (let max = maxFewNames; ; max = Math.min(4 * max, maxCounted)) {
      for (const name of listed) {
        const events = this.#lists.count({ ...times, [name]: filter[name] }, max);
        if (events < max) return countNames(events + 1) > events;
      }
      if (max === maxCounted || countNames(max) < max) return false;
    }
  }

  #toParams(filter: PlainEventFilter): { shape: string[]; values: Partial<EventNameParams> } {
    const values: Partial<EventNameParams> = { low: firstEventRowId, high: rowIdLimit };
    const shape: string[] = [];
    for (const name of ['venue', 'cityId', 'cityText', 'country', 'genre'] as const) {
      if (filter[name] === undefined) continue;
      shape.push(name);
      (values as Record<string, unknown>)[name] = filter[name];
    }
    if (filter.venueNames !== undefined) {
      shape.push('venueNames');
      values.venueNames = JSON.stringify(filter.venueNames);
    }
    const artists = filter.artist === undefined ? [] : [filter.artist, ...(filter.otherArtists ?? [])];
    for (const [index, id] of artists.entries()) {
      shape.push(`artist${index}`);
      values[`artist${index}`] = id;
    }
    this.#addTimes(shape, values, filter);
    return { shape, values };
  }

  #addTimes(shape: string[], values: Partial<EventNameParams>, filter: PlainEventFilter): void {
    const { from, to, upcomingAt, pastAt } = filter;
    if (from && 'date' in from) {
      shape.push('fromDate');
      values.fromDate = from.date;
    } else if (from) {
      shape.push('fromTs');
      values.fromTs = from.instant;
    }
    if (to && 'date' in to) {
      shape.push('toDate');
      values.toDate = to.date;
    } else if (to) {
      shape.push('toTs');
      values.toTs = to.instant;
    }
    const lows = [firstEventRowId];
    const highs = [rowIdLimit];
    if (upcomingAt !== undefined) {
      shape.push('upcoming');
      values.now = upcomingAt;
      lows.push(firstRowIdOfDay(upcomingAt - (this.#maxDuration.get() as number)));
    }
    if (pastAt !== undefined) {
      shape.push('past');
      values.past = pastAt;
      highs.push(firstRowIdOfDay(pastAt, 1));
    }
    if (from) lows.push(firstRowIdOfDay(earliestStartMs(from)));
    if (to) highs.push(firstRowIdOfDay(latestStartMs(to), 1));
    values.low = Math.max(...lows);
    values.high = Math.min(...highs);
  }
}

/** The times of a filter alone. */
function timesOf({ from, to, upcomingAt, pastAt }: PlainEventFilter): PlainEventFilter {
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(upcomingAt !== undefined && { upcomingAt }),
    ...(pastAt !== undefined && { pastAt }),
  };
}

/** Reads the first or last `limit` events by row id. An event has a row for each of its titles that matches. */
function readEvents(
  statement: PreparedStatement<EventNameParams, EventNameRow>,
  values: EventNameParams,
  limit: number,
  isNewestFirst: boolean,
): Map<number, EventNameRow> {
  const events = new Map<number, EventNameRow>();
  let { low, high } = values;
  for (;;) {
    const rows = statement.all({ ...values, low, high, limit });
    for (const row of rows) events.set(row.id, row);
    if (rows.length < limit || events.size >= limit) return events;
    const { row } = rows.at(-1) as EventNameRow;
    if (isNewestFirst) high = row;
    else low = row + 1;
  }
}

/** The earliest possible start (ms) within the bound: local dates begin up to 14 hours before the UTC date. */
function earliestStartMs(from: { date: number } | { instant: number }): number {
  return 'instant' in from ? from.instant : utcMidnight(from.date) - dayMs;
}

/** The latest possible start (ms) within the bound: local dates end up to 12 hours after the UTC date. */
function latestStartMs(to: { date: number } | { instant: number }): number {
  return 'instant' in to ? to.instant : utcMidnight(to.date) + 2 * dayMs;
}

const utcMidnight = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100);

/** Builds the query of one shape. The row id of an event's name contains the event's id (`name-index.ts`). */
function select(shape: Set<string>, p: EventNameParams) {
  const conditions = [
    sql<SqlBool>`s.name_search match ${p.match}`,
    // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
    sql<SqlBool>`s.rowid >= cast(${p.low} as integer)`,
    sql<SqlBool>`s.rowid < cast(${p.high} as integer)`,
  ];
  for (const [name, column] of Object.entries(filterColumns)) {
    if (shape.has(name))
      conditions.push(sql<SqlBool>`+e.${sql.raw(column)} = ${p[name as keyof typeof filterColumns]}`);
  }
  if (shape.has('venueNames')) {
    conditions.push(sql<SqlBool>`+e.venue_id is null`);
    conditions.push(sql<SqlBool>`e.venue_name in (select value from json_each(${p.venueNames}))`);
  }
  if (shape.has('genre')) {
    conditions.push(
      sql<SqlBool>`exists (select 1 from event_genres g where g.genre_id = ${p.genre} and g.start_ts = e.start_ts and g.event_id = e.id)`,
    );
  }
  for (const name of shape) {
    if (!name.startsWith('artist')) continue;
    const artist = p[name as `artist${number}`];
    conditions.push(
      sql<SqlBool>`exists (select 1 from event_artists a where a.artist_id = ${artist} and a.start_ts = e.start_ts and a.event_id = e.id)`,
    );
  }
  if (shape.has('fromDate')) conditions.push(sql<SqlBool>`e.start_date >= ${p.fromDate}`);
  if (shape.has('toDate')) conditions.push(sql<SqlBool>`e.start_date <= ${p.toDate}`);
  if (shape.has('fromTs')) conditions.push(sql<SqlBool>`e.start_ts >= ${p.fromTs}`);
  if (shape.has('toTs')) conditions.push(sql<SqlBool>`e.start_ts <= ${p.toTs}`);
  if (shape.has('upcoming')) conditions.push(sql<SqlBool>`e.ends_ts > ${p.now}`);
  if (shape.has('past')) conditions.push(sql<SqlBool>`e.ends_ts <= ${p.past}`);
  const order = shape.has('newest') ? sql`s.rowid desc` : sql`s.rowid`;
  return sql<EventNameRow>`select e.item_json as item, e.updated_ts, e.start_ts, e.id, s.rowid as row
    from name_search s cross join events e on e.id = (s.rowid % ${sql.raw(String(rowIdsPerDay))}) / ${sql.raw(String(rowIdsPerEvent))}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${p.limit}`;
}
