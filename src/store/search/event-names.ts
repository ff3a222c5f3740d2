/** Searches events by words of their names, with the filters of event lists. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { dayMs } from '../../clock.ts';
import type { EventFilter } from '../lists/events.ts';
import { EventItems, type StoredEventItem } from '../records/event-items.ts';
import { type PreparedStatement, prepareByShape } from '../statement.ts';
import { firstEventRowId, firstRowIdOfDay, rowIdLimit } from './name-index.ts';

type EventNameParams = {
  [artist: `artist${number}`]: number;
  match: string;
  low: number;
  high: number;
  limit: number;
  venue: number;
  cityId: number;
  cityText: string;
  country: string;
  genre: number;
  fromDate: number;
  toDate: number;
  fromTs: number;
  toTs: number;
  now: number;
};
type EventNameRow = StoredEventItem & { start_ts: number; row: number };

const filterColumns = {
  venue: 'venue_id',
  cityId: 'city_id',
  cityText: 'city_folded',
  country: 'country',
} as const;
/** How many events of the last day shown are read to find its earliest ones. */
const maxEventsPerDay = 500;

export class EventNameSearch {
  readonly #bySql: (shape: string) => PreparedStatement<EventNameParams, EventNameRow>;
  readonly #items: EventItems;
  readonly #maxDuration: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#bySql = prepareByShape<EventNameParams, EventNameRow>(sqlite, (shape, values) =>
      select(new Set(shape.split(' ')), values),
    );
    this.#items = new EventItems(sqlite);
    this.#maxDuration = sqlite.prepare('SELECT max_event_duration_ms FROM catalogue').pluck();
  }

  /**
   * The first `limit` events that match the filter and whose names contain all words, the last one as a prefix.
   * Returns JSON texts of list items, by start_at, then id. Row ids of names are ordered by day, so only the
   * needed rows are read.
   * @param words as returned by `normalizeForSearch`; without words nothing matches
   */
  find(words: string, filter: EventFilter, limit: number): string[] {
    const terms = words.split(' ').filter(Boolean);
    if (terms.length === 0) return [];
    const { shape, values } = this.#toParams(filter);
    values.match = terms.map((word, at) => `"${word}"${at === terms.length - 1 ? ' *' : ''}`).join(' AND ');
    const statement = this.#bySql(shape.join(' '));
    const rows = readEvents(statement, values as EventNameParams, limit);
    const last = [...rows.values()].at(-1);
    if (last && rows.size >= limit) {
      const high = firstRowIdOfDay(last.start_ts, 1);
      const rest = { ...values, low: last.row + 1, high, limit: maxEventsPerDay } as EventNameParams;
      for (const row of statement.all(rest)) rows.set(row.id, row);
    }
    return [...rows.values()]
      .sort((a, b) => a.start_ts - b.start_ts || a.id - b.id)
      .slice(0, limit)
      .map((row) => this.#items.complete(row));
  }

  #toParams(filter: EventFilter): { shape: string[]; values: Partial<EventNameParams> } {
    const values: Partial<EventNameParams> = { low: firstEventRowId, high: rowIdLimit };
    const shape: string[] = [];
    for (const name of ['venue', 'cityId', 'cityText', 'country', 'genre'] as const) {
      if (filter[name] === undefined) continue;
      shape.push(name);
      (values as Record<string, unknown>)[name] = filter[name];
    }
    const artists = filter.artist === undefined ? [] : [filter.artist, ...(filter.otherArtists ?? [])];
    for (const [index, id] of artists.entries()) {
      shape.push(`artist${index}`);
      values[`artist${index}`] = id;
    }
    const { from, to, upcomingAt } = filter;
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
    if (upcomingAt !== undefined) {
      shape.push('upcoming');
      values.now = upcomingAt;
      values.low = firstRowIdOfDay(upcomingAt - (this.#maxDuration.get() as number));
    }
    if (from) values.low = Math.max(values.low as number, firstRowIdOfDay(earliestStartMs(from)));
    return { shape, values };
  }
}

/** Reads the first `limit` events by id. An event has a row for each of its titles that matches. */
function readEvents(
  statement: PreparedStatement<EventNameParams, EventNameRow>,
  values: EventNameParams,
  limit: number,
): Map<number, EventNameRow> {
  const events = new Map<number, EventNameRow>();
  for (let low = values.low; ; ) {
    const rows = statement.all({ ...values, low, limit });
    for (const row of rows) events.set(row.id, row);
    if (rows.length < limit || events.size >= limit) return events;
    low = (rows.at(-1) as EventNameRow).row + 1;
  }
}

/** The earliest possible start (ms) within the bound: local dates begin up to 14 hours before the UTC date. */
function earliestStartMs(from: { date: number } | { instant: number }): number {
  if ('instant' in from) return from.instant;
  const { date } = from;
  return Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100) - dayMs;
}

/** Builds the query of one shape. */
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
  return sql<EventNameRow>`select e.item_json as item, e.updated_ts, e.start_ts, e.id, n.id as row
    from name_search s cross join names n on n.id = s.rowid cross join events e on e.id = n.record_id
    where ${sql.join(conditions, sql` and `)} order by s.rowid limit ${p.limit}`;
}
