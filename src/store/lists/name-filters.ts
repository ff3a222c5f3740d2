/**
 * Filters of lists by name that fit a part of the records: an area, a status, a time. Each has a condition for a walk
 * along the names, and a query for the records that fit, which are read instead if they are few.
 */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { type Area, type AreaParams, areaCondition, areaParams, areaShape } from '../areas.ts';
import { type PreparedStatement, prepareByShape } from '../statement.ts';

export type PartialFilter = {
  area?: Area;
  /** Whether the record has closed or ended, by the day `today` (2026-11-23, UTC). */
  hasEnded?: { value: boolean; today: string };
  /** Only records with an event or edition that ends after `now`; none began before `since` (ms). */
  upcoming?: { now: number; since: number };
  /** Only records that changed at this time (ms) or later. */
  updatedSince?: number;
  /** Only records whose id is at least this: ids rise in the order of creation. */
  createdFrom?: number;
};

export type PartialParams = AreaParams & {
  today: string;
  now: number;
  begin: number;
  updatedSince: number;
  createdFrom: number;
  max: number;
};

/** Columns of the date at which a record closed or ended. */
const endColumns: Record<string, string> = {
  venues: 'closed_at',
  labels: 'closed_at',
  artists: 'ended_at',
  festivals: 'ended_at',
};

/** A set of records that is sorted by name when it is read; more are found along the names. */
const maxFewRecords = 2_000;
/** As many events are looked through for the artists or venues that have some. */
const maxFewEvents = 1_000;

/** Returns the shape of the filters and the values they bind. */
export function partialShape(filter: PartialFilter): { shape: string[]; values: Partial<PartialParams> } {
  const { area, hasEnded, upcoming, updatedSince, createdFrom } = filter;
  const shape: string[] = [];
  const values: Partial<PartialParams> = {};
  if (area !== undefined) {
    shape.push(`area:${areaShape(area)}`);
    Object.assign(values, areaParams(area));
  }
  if (hasEnded !== undefined) {
    shape.push(hasEnded.value ? 'ended' : 'open');
    values.today = hasEnded.today;
  }
  if (upcoming !== undefined) {
    shape.push('upcoming');
    values.now = upcoming.now;
    values.begin = upcoming.since;
  }
  if (updatedSince !== undefined) {
    shape.push('updatedSince');
    values.updatedSince = updatedSince;
  }
  if (createdFrom !== undefined) {
    shape.push('createdFrom');
    values.createdFrom = createdFrom;
  }
  return { shape, values };
}

/** Returns the conditions of the filters on the rows of a table. */
export function partialConditions(table: string, shape: ReadonlySet<string>, p: PartialParams) {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  const conditions = [];
  for (const name of shape) {
    if (name.startsWith('area:')) conditions.push(areaCondition(table, name.slice('area:'.length), p));
  }
  const end = endColumns[table];
  if (end !== undefined && shape.has('ended')) conditions.push(sql<SqlBool>`+${own(end)} <= ${p.today}`);
  if (end !== undefined && shape.has('open'))
    conditions.push(sql<SqlBool>`(+${own(end)} is null or +${own(end)} > ${p.today})`);
  if (shape.has('upcoming')) conditions.push(upcomingCondition(table, p));
  if (shape.has('updatedSince')) conditions.push(sql<SqlBool>`+${own('updated_ts')} >= ${p.updatedSince}`);
  if (shape.has('createdFrom')) conditions.push(sql<SqlBool>`+${own('id')} >= ${p.createdFrom}`);
  return conditions;
}

function upcomingCondition(table: string, p: PartialParams) {
  if (table === 'artists')
    return sql<SqlBool>`exists (select 1 from event_artists x where x.artist_id = artists.id and x.start_ts >= ${p.begin} and x.ends_ts > ${p.now})`;
  if (table === 'venues')
    return sql<SqlBool>`exists (select 1 from events x indexed by events_by_venue where x.venue_id = venues.id and x.start_ts >= ${p.begin} and x.ends_ts > ${p.now})`;
  return sql<SqlBool>`exists (select 1 from editions x where x.festival_id = festivals.id and x.ends_ts > ${p.now})`;
}

type CandidateParams = PartialParams & { max: number };

/** Finds the records that fit one of the filters, if they are few. */
export class PartialCandidates {
  readonly #byShape: (shape: string) => PreparedStatement<CandidateParams, [number]>;

  constructor(sqlite: Database.Database, table: string) {
    this.#byShape = prepareByShape<CandidateParams, [number]>(
      sqlite,
      (shape, values) => candidates(table, shape, values),
      true,
    );
  }

  /** The ids of the records that fit one of the filters; null if of each too many fit. */
  few({ shape, values }: ReturnType<typeof partialShape>): number[] | null {
    for (const name of shape) {
      if (name === 'open') continue;
      if (name === 'upcoming' && this.#count('upcoming-events', values) > maxFewEvents) continue;
      const ids = this.#byShape(name).all({ ...values, max: maxFewRecords + 1 } as CandidateParams);
      if (ids.length <= maxFewRecords) return ids.map(([id]) => id);
    }
    return null;
  }

  #count(shape: string, values: Partial<PartialParams>): number {
    return this.#byShape(shape).all({ ...values, max: maxFewEvents + 1 } as CandidateParams).length;
  }
}

function candidates(table: string, shape: string, p: CandidateParams) {
  const from = sql.raw(table);
  if (shape.startsWith('area:'))
    return sql`select id from ${from} indexed by ${sql.raw(`${table}_by_position`)}
      where ${areaCondition(table, shape.slice('area:'.length), p, true)} limit ${p.max}`;
  if (shape === 'ended')
    return sql`select id from ${from} indexed by ${sql.raw(`${table}_by_end`)}
      where ${sql.ref(endColumns[table] as string)} <= ${p.today} limit ${p.max}`;
  if (shape === 'updatedSince')
    return sql`select id from ${from} indexed by ${sql.raw(`${table}_by_update`)}
      where updated_ts >= ${p.updatedSince} limit ${p.max}`;
  if (shape === 'createdFrom')
    return sql`select id from ${from} not indexed where id >= ${p.createdFrom} limit ${p.max}`;
  const events = sql`select id, venue_id from events indexed by events_by_end where ends_ts > ${p.now}`;
  if (table === 'festivals')
    return shape === 'upcoming'
      ? sql`select distinct festival_id from editions indexed by editions_by_end where ends_ts > ${p.now} limit ${p.max}`
      : sql`select 1 where false`;
  if (shape === 'upcoming-events') return sql`${events} limit ${p.max}`;
  return table === 'artists'
    ? sql`select distinct x.artist_id from (${events}) u
        cross join event_artists x indexed by event_artists_by_event on x.event_id = u.id limit ${p.max}`
    : sql`select distinct venue_id from (${events}) where venue_id is not null limit ${p.max}`;
}
