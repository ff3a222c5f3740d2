/** Lists of events by artist, venue, city, label, genre, country or text, built from one query template. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { dayMs } from '../../clock.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import { type PreparedStatement, prepare, prepareByShape, query } from '../statement.ts';
import type { ListEntry, ListSource, MovedFilter, SortKey } from './pagination.ts';

/** The filter of an event list; ids are those of records. */
export type EventFilter = {
  artist?: number;
  /** More artists, all of whom must play. */
  otherArtists?: readonly number[];
  venue?: number;
  /** Only events without a venue record whose venue has one of these spellings. */
  venueNames?: readonly string[];
  cityId?: number;
  /** Folded text that the event's city name equals. */
  cityText?: string;
  genre?: number;
  country?: string;
  from?: TimeBound;
  to?: TimeBound;
  /** Only events that end after this time (ms). */
  upcomingAt?: number;
  /** Only events that are over at this time (ms). */
  pastAt?: number;
  /** Only events of these festival editions. */
  editions?: readonly number[];
};

// Local dates begin at most 14 hours before and 12 hours after the UTC date of that name.
const maxEastOffsetMs = 14 * 3_600_000;
const maxWestOffsetMs = 12 * 3_600_000;
const utcMidnight = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100);

type EventListParams = {
  [also: `also${number}`]: number;
  artist: number;
  venueNames: string;
  venue: number;
  cityId: number;
  cityText: string;
  genre: number;
  editions: string;
  past: number;
  country: string;
  lower: number;
  upper: number;
  fromDate: number;
  toDate: number;
  now: number;
  afterStart: number;
  afterId: number;
  since: number;
  limit: number;
};

/** Filters in order of selectivity. The first one present determines the index. */
const drivingFilters = ['artist', 'venue', 'cityId', 'cityText', 'genre', 'country'] as const;
const filterColumns = {
  venue: 'venue_id',
  cityId: 'city_id',
  cityText: 'city_folded',
  country: 'country',
} as const;

export class EventLists {
  readonly #bySql: (shape: string) => PreparedStatement<EventListParams, ListEntry>;
  readonly #maxDuration: Database.Statement;
  readonly #roster: PreparedStatement<{ label: number }, [number]>;

  constructor(sqlite: Database.Database) {
    this.#bySql = prepareByShape<EventListParams, ListEntry>(
      sqlite,
      (shape, values) => select(new Set(shape.split(' ')), values),
      true,
    );
    this.#maxDuration = sqlite.prepare('SELECT max_event_duration_ms FROM catalogue').pluck();
    this.#roster = prepare(
      sqlite,
      (p) => query.selectFrom('label_artists').select('artist_id').where('label_id', '=', p.label),
      true,
    );
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
  newest(filter: EventFilter, limit: number): ListEntry[] {
    return this.#fetch(filter, null, limit, null, 'newest');
  }

  /** The number of events that match the filter, counted up to `max`. */
  count(filter: EventFilter, max: number): number {
    return Number(this.#fetch(filter, null, max, null, 'count')[0]?.[0] ?? 0);
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

  #fetch(
    filter: EventFilter,
    after: SortKey | null,
    limit: number,
    moved: MovedFilter,
    mode?: 'newest' | 'count',
  ): ListEntry[] {
    const values: Partial<EventListParams> = { limit };
    const shape: string[] = mode === undefined ? [] : [mode];
    if (filter.editions) {
      shape.push('editions');
      values.editions = JSON.stringify(filter.editions);
    }
    if (filter.pastAt !== undefined) {
      shape.push('past');
      values.past = filter.pastAt;
    }
    for (const driver of drivingFilters) {
      const value = filter[driver];
      if (value === undefined) continue;
      shape.push(driver);
      (values as Record<string, unknown>)[driver] = value;
    }
    for (const [index, id] of (filter.otherArtists ?? []).entries()) {
      shape.push(`also${index}`);
      values[`also${index}`] = id;
    }
    if (filter.venueNames) {
      shape.push('unplaced');
      values.venueNames = JSON.stringify(filter.venueNames);
    }
    let lower = Number.NEGATIVE_INFINITY;
    let upper = filter.pastAt ?? Number.POSITIVE_INFINITY;
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
    if (moved) {
      shape.push(moved.only ? 'moved' : 'unmoved');
      values.since = moved.since;
    }
    if (after) {
      shape.push('after');
      values.afterStart = after[0] as number;
      values.afterId = after[1] as number;
    }
    // The cursor's position is already a lower bound.
    if (lower !== Number.NEGATIVE_INFINITY && !after) {
      shape.push('lower');
      values.lower = lower;
    }
    if (upper !== Number.POSITIVE_INFINITY) {
      shape.push('upper');
      values.upper = upper;
    }
    return this.#bySql(shape.join(' ')).all(values as EventListParams);
  }
}

/** Adds an artist who must play as well. */
const alsoBy = (filter: EventFilter, artist: number): EventFilter =>
  filter.artist === undefined
    ? { ...filter, artist }
    : { ...filter, artist, otherArtists: [...(filter.otherArtists ?? []), filter.artist] };

/** Builds the query of one shape. `w` is the table or index that it scans. */
function select(shape: Set<string>, p: EventListParams) {
  const driver =
    drivingFilters.find((name) => shape.has(name)) ??
    (['unplaced', 'editions'] as const).find((name) => shape.has(name));
  const table = driver === 'artist' ? 'event_artists' : driver === 'genre' ? 'event_genres' : 'events';
  const idOf = table === 'events' ? 'w.id' : 'w.event_id';
  const test = (condition: ReturnType<typeof sql<SqlBool>>) => condition;
  const conditions = [];
  if (driver === 'artist') conditions.push(test(sql`w.artist_id = ${p.artist}`));
  else if (driver === 'genre') conditions.push(test(sql`w.genre_id = ${p.genre}`));
  else if (driver === 'unplaced') conditions.push(test(sql`w.venue_id is null`));
  else if (driver === 'editions')
    conditions.push(test(sql`w.edition_id in (select value from json_each(${p.editions}))`));
  else if (driver) conditions.push(test(sql`w.${sql.raw(filterColumns[driver])} = ${p[driver]}`));
  for (const name of drivingFilters) {
    if (name === driver || !shape.has(name)) continue;
    if (name === 'genre') {
      conditions.push(
        test(
          sql`exists (select 1 from event_genres g where g.genre_id = ${p.genre} and g.start_ts = e.start_ts and g.event_id = e.id)`,
        ),
      );
    } else if (name !== 'artist') {
      // The plus keeps SQLite from using the index of this column instead of the driver's.
      conditions.push(test(sql`+e.${sql.raw(filterColumns[name])} = ${p[name]}`));
    }
  }
  for (const name of shape) {
    if (!name.startsWith('also')) continue;
    const also = p[name as `also${number}`];
    conditions.push(
      test(
        sql`exists (select 1 from event_artists a where a.artist_id = ${also} and a.start_ts = e.start_ts and a.event_id = e.id)`,
      ),
    );
  }
  if (shape.has('unplaced')) {
    conditions.push(test(sql`+e.venue_id is null`));
    conditions.push(test(sql`e.venue_name in (select value from json_each(${p.venueNames}))`));
  }
  if (shape.has('editions') && driver !== 'editions')
    conditions.push(test(sql`+e.edition_id in (select value from json_each(${p.editions}))`));
  if (shape.has('past')) conditions.push(test(sql`+w.ends_ts <= ${p.past}`));
  if (shape.has('fromDate')) conditions.push(test(sql`w.start_date >= ${p.fromDate}`));
  if (shape.has('toDate')) conditions.push(test(sql`w.start_date <= ${p.toDate}`));
  if (shape.has('upcoming')) conditions.push(test(sql`+w.ends_ts > ${p.now}`));
  if (shape.has('lower')) conditions.push(test(sql`w.start_ts >= ${p.lower}`));
  if (shape.has('upper')) conditions.push(test(sql`w.start_ts <= ${p.upper}`));
  if (shape.has('after'))
    conditions.push(test(sql`(w.start_ts, ${sql.raw(idOf)}) > (${p.afterStart}, ${p.afterId})`));
  const movedIds = sql`(select record_id from sort_key_history where kind = 'event' and revision > ${p.since})`;
  if (shape.has('moved')) conditions.push(test(sql`${sql.raw(idOf)} in ${movedIds}`));
  if (shape.has('unmoved')) conditions.push(test(sql`${sql.raw(idOf)} not in ${movedIds}`));
  // Naming the index makes the plan independent of statistics, which a new file lacks.
  const index =
    driver && table === 'events' ? indexByFilter[driver as keyof typeof indexByFilter] : 'events_by_start';
  const from =
    table === 'events'
      ? sql`events w indexed by ${sql.raw(index)} cross join events e on e.id = w.id`
      : sql`${sql.raw(table)} w cross join events e on e.id = w.event_id`;
  const where = conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const shown = shape.has('moved') ? sql`e.item_json, e.id` : sql`e.item_json, w.start_ts, ${sql.raw(idOf)}`;
  if (shape.has('count'))
    return sql<ListEntry>`select count(*) from (select 1 from ${from} ${where} limit ${p.limit})`;
  if (shape.has('newest'))
    return sql<ListEntry>`select ${shown} from ${from} ${where}
      order by w.start_ts desc, ${sql.raw(idOf)} desc limit ${p.limit}`;
  const order = shape.has('moved') ? sql`` : sql`order by w.start_ts, ${sql.raw(idOf)}`;
  return sql<ListEntry>`select ${shown} from ${from} ${where} ${order} limit ${p.limit}`;
}

const indexByFilter = {
  editions: 'events_by_edition',
  unplaced: 'events_by_venue',
  venue: 'events_by_venue',
  cityId: 'events_by_city',
  cityText: 'events_by_city_text',
  country: 'events_by_country',
} as const;
