/** Searches events by words of their names, with the filters of event lists. */

import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import { midnightUtc } from '../../text/date-number.ts';
import type { PlainEventFilter } from '../lists/event-filter.ts';
import type { EventLists } from '../lists/events.ts';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { type PreparedStatement, prepareByShape, prepareValue } from '../statement.ts';
import { type ChunkSizes, CommonEvents, type ScannedFilter, scannedFilters } from './common-events.ts';
import { type EventNameParams, type EventNameRow, eventNameQuery } from './event-name-query.ts';
import { firstEventRowId, firstRowIdOfDay, rowIdLimit } from './row-ids.ts';
import { type TermPrefixes, termPrefixesOf } from './vocabulary.ts';

/**
 * What is read: the rows of all names that match; of those, or of these names, whose events have these parts of the
 * filter; or the list of events, which compares their names.
 */
type Plan = 'names' | { names?: number[]; common: readonly ScannedFilter[] } | 'events';

/** How many events of the last day shown are read to find its earliest ones. */
const maxEventsPerDay = 500;
/**
 * With fewer than `fewEvents` events of a part of the filter, those are read. Otherwise, with at most `few` names that
 * contain the words, those are. Names and events are counted up to `counted` to find out which of them are fewer.
 */
export type NameLimits = { fewEvents: number; few: number; counted: number; chunks?: ChunkSizes };
const nameLimits: NameLimits = { fewEvents: 64, few: 200, counted: 2_000 };

/** Searches events by name. It counts which are fewer, the matching names or the events of the filter, and reads those. */
export class EventNameSearch {
  readonly #bySql: (shape: string) => PreparedStatement<EventNameParams, EventNameRow>;
  readonly #count;
  readonly #items: EventItems;
  readonly #stored: Database.Statement<[string], StoredEventItem>;
  readonly #lists: EventLists;
  readonly #prefixes: TermPrefixes;
  readonly #maxDuration;
  readonly #common: CommonEvents;

  readonly #limits: NameLimits;

  /** @param limits only tests set them; results are the same */
  constructor(sqlite: Database.Database, lists: EventLists, limits = nameLimits) {
    this.#limits = limits;
    this.#bySql = prepareByShape<EventNameParams, EventNameRow>(sqlite, (shape, values) =>
      eventNameQuery(new Set(shape.split(' ')), values),
    );
    this.#count = prepareValue<number>(
      sqlite,
      `SELECT count(*) FROM (SELECT 1 FROM name_search WHERE name_search MATCH @match
         AND rowid >= cast(@low AS INTEGER) AND rowid < cast(@high AS INTEGER) LIMIT @max)`,
    );
    this.#items = new EventItems(sqlite);
    this.#stored = sqlite.prepare(
      'SELECT e.id, e.item_json AS item, e.updated_ts FROM json_each(?) s CROSS JOIN events e ON e.id = s.value',
    );
    this.#lists = lists;
    this.#prefixes = termPrefixesOf(sqlite);
    this.#common = new CommonEvents(sqlite, limits.chunks);
    this.#maxDuration = prepareValue<number>(sqlite, 'SELECT max_event_duration_ms FROM catalogue');
  }

  /**
   * The first `limit` events that match the filter and whose names contain all words, the last one as a prefix.
   * Returns JSON texts of list items, by start_at, then id. Row ids of names are ordered by day, so only the
   * needed rows are read. If the words are in more names than the filter has events, the events are read instead; if
   * both are many, only those in common.
   * @param words as returned by `normalizeForSearch`; without words nothing matches
   * @param isNewestFirst returns the last events instead, newest first
   */
  find(words: string, filter: PlainEventFilter, limit: number, isNewestFirst = false): string[] {
    const terms = words.split(' ').filter(Boolean);
    const match = this.#matchOf(terms);
    if (match === null) return [];
    const { shape, values } = this.#toParams(filter);
    values.match = match;
    const plan = this.#plan(filter, values as EventNameParams, terms.length > 1);
    if (plan === 'events') {
      const nameFilter = { ...filter, nameWords: terms.join(' ') };
      const entries = isNewestFirst
        ? this.#lists.newest(nameFilter, limit)
        : this.#lists.source(nameFilter).fetch(null, limit, null);
      return entries.map(([item]) => item);
    }
    if (isNewestFirst) shape.push('newest');
    const rows = this.#rowsOf(shape.join(' '), filter, plan, isNewestFirst);
    return this.#read(rows, values as EventNameParams, limit, isNewestFirst);
  }

  /** The number of events that `find` returns for the words and the filter, counted up to `max`. Reads no list items. */
  count(words: string, filter: PlainEventFilter, max: number): number {
    const terms = words.split(' ').filter(Boolean);
    const match = this.#matchOf(terms);
    if (match === null) return 0;
    const { shape, values } = this.#toParams(filter);
    const range = { ...values, match } as EventNameParams;
    const plan = this.#plan(filter, range, terms.length > 1);
    if (plan === 'events') return this.#lists.count({ ...filter, nameWords: terms.join(' ') }, max);
    const rowsOf = this.#rowsOf(shape.join(' '), filter, plan, false);
    return Math.min(readEvents(rowsOf, range, max, false).size, max);
  }

  /** The row id before which all events have ended at a time (ms). */
  #firstRunning(now: number): number {
    return firstRowIdOfDay(now - this.#maxDuration.one());
  }

  /** Whether `find` returns an event for the words and the filter. */
  has(words: string, filter: PlainEventFilter): boolean {
    const match = this.#matchOf(words.split(' ').filter(Boolean));
    if (match === null) return false;
    const { shape, values } = this.#toParams(filter);
    const all = { ...values, match, limit: 1 } as EventNameParams;
    return this.#bySql(shape.join(' ')).get(all) !== undefined;
  }

  /** Returns a function that reads the first rows of events in the bounds. */
  #rowsOf(
    shape: string,
    filter: PlainEventFilter,
    plan: Exclude<Plan, 'events'>,
    isNewestFirst: boolean,
  ): (values: EventNameParams) => EventNameRow[] {
    if (plan === 'names') {
      const statement = this.#bySql(shape);
      return (values) => statement.all(values);
    }
    const statement = this.#bySql(`${shape} rowIds`);
    const partsOf = (values: EventNameParams) =>
      plan.names === undefined
        ? this.#common.rowIds(plan.common, filter, values, isNewestFirst)
        : [this.#common.keepAll(inRange(plan.names, values, isNewestFirst), plan.common, filter)];
    return (values) => {
      const rows: EventNameRow[] = [];
      for (const ids of partsOf(values)) {
        const limit = values.limit - rows.length;
        if (ids.length > 0) rows.push(...statement.all({ ...values, match: JSON.stringify(ids), limit }));
        if (rows.length >= values.limit) break;
      }
      return rows;
    };
  }

  #read(
    rowsOf: (values: EventNameParams) => EventNameRow[],
    values: EventNameParams,
    limit: number,
    isNewestFirst: boolean,
  ): string[] {
    const rows = readEvents(rowsOf, values, limit, isNewestFirst);
    const last = [...rows.values()].at(-1);
    if (last && rows.size >= limit) {
      const bounds = isNewestFirst
        ? { low: firstRowIdOfDay(last.start_ts), high: last.row }
        : { low: last.row + 1, high: firstRowIdOfDay(last.start_ts, 1) };
      const rest = { ...values, ...bounds, limit: maxEventsPerDay };
      for (const row of rowsOf(rest)) rows.set(row.id, row);
    }
    const sign = isNewestFirst ? -1 : 1;
    const ids = [...rows.values()]
      .sort((a, b) => sign * (a.start_ts - b.start_ts || a.id - b.id))
      .slice(0, limit)
      .map(({ id }) => id);
    return this.#stored.all(JSON.stringify(ids)).map((stored) => this.#items.complete(stored));
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
   * Finds out which are fewer: the names with the words, or the events of a part of the filter. Both are counted in turn,
   * further each time, because one of them is often small. The counts are of the days alone, so that indexes have them.
   * Names that have several words in common take longer to find than events to read, so they are not counted.
   */
  #plan(filter: PlainEventFilter, range: EventNameParams, hasSeveralWords: boolean): Plan {
    const { fewEvents, few, counted } = this.#limits;
    const present = scannedFilters.filter((one) => filter[one] !== undefined);
    const parts = filter.venueNames === undefined ? present : [];
    if (present.length === 0 && filter.venueNames === undefined) return 'names';
    const hasFewer = (max: number) => parts.some((one) => this.#common.count(one, filter, range, max) < max);
    if (hasFewer(fewEvents)) return 'events';
    const names = this.#common.namesIn(range, few + 1);
    if (names.length <= few) return { names, common: parts };
    if (parts.length === 0) return this.#planForSpellings(filter, range);
    // There are more names than `few`.
    if (hasFewer(few)) return 'events';
    for (const one of parts) {
      const events = this.#common.count(one, filter, range, counted);
      if (events >= counted) continue;
      if (hasSeveralWords || this.#countNames(range, events + 1) > events) return 'events';
      break;
    }
    return { common: parts };
  }

  /** Lists with spellings of venues are read by the artist, otherwise by the spellings. */
  #planForSpellings(filter: PlainEventFilter, range: EventNameParams): Plan {
    const { counted } = this.#limits;
    const first = filter.artist === undefined ? 'venueNames' : 'artist';
    const events = this.#lists.count({ [first]: filter[first], ...timesOf(filter) }, counted);
    return events < counted && this.#countNames(range, events + 1) > events ? 'events' : 'names';
  }

  #countNames({ match, low, high }: EventNameParams, max: number): number {
    return this.#count.one({ match, low, high, max });
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
      lows.push(this.#firstRunning(upcomingAt));
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

/** The row ids in the bounds, in the order of reading. */
function inRange(ids: readonly number[], { low, high }: EventNameParams, isNewestFirst: boolean): number[] {
  const within = ids.filter((id) => id >= low && id < high);
  return isNewestFirst ? within.reverse() : within;
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
  rowsOf: (values: EventNameParams) => EventNameRow[],
  values: EventNameParams,
  limit: number,
  isNewestFirst: boolean,
): Map<number, EventNameRow> {
  const events = new Map<number, EventNameRow>();
  let { low, high } = values;
  for (;;) {
    const rows = rowsOf({ ...values, low, high, limit });
    for (const row of rows) events.set(row.id, row);
    if (rows.length < limit || events.size >= limit) return events;
    const { row } = rows.at(-1) as EventNameRow;
    if (isNewestFirst) high = row;
    else low = row + 1;
  }
}

/** The earliest possible start (ms) within the bound: local dates begin up to 14 hours before the UTC date. */
export function earliestStartMs(from: { date: number } | { instant: number }): number {
  return 'instant' in from ? from.instant : midnightUtc(from.date) - dayMs;
}

/** The latest possible start (ms) within the bound: local dates end up to 12 hours after the UTC date. */
export function latestStartMs(to: { date: number } | { instant: number }): number {
  return 'instant' in to ? to.instant : midnightUtc(to.date) + 2 * dayMs;
}
