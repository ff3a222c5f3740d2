/** The query of events by words of their names, with the filters of event lists. */
import { type SqlBool, sql } from 'kysely';
import { type EventKey, hasLink } from '../lists/event-links.ts';
import { rowIdsPerDay, rowIdsPerEvent } from './row-ids.ts';

/** The values of a query: the full-text expression or row ids, their bounds, and the filters of its shape. */
export type EventNameParams = {
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
/** The key of an event, and the row id of one of its names. */
export type EventNameRow = { start_ts: number; id: number; row: number };

const filterColumns = {
  venue: 'venue_id',
  cityId: 'city_id',
  cityText: 'city_folded',
  country: 'country',
} as const;

/** Builds the query of one shape. The row id of an event's name contains the event's id (`row-ids.ts`). */
export function eventNameQuery(shape: Set<string>, p: EventNameParams) {
  const isById = shape.has('rowIds');
  const row = sql.raw(isById ? 's.value' : 's.rowid');
  const key: EventKey = { start: sql.raw('e.start_ts'), id: sql.raw('e.id') };
  const conditions = isById
    ? []
    : [
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
  if (shape.has('genre')) conditions.push(hasLink('genre', p.genre, key));
  for (const name of shape) {
    if (name.startsWith('artist')) conditions.push(hasLink('artist', p[name as `artist${number}`], key));
  }
  if (shape.has('fromDate')) conditions.push(sql<SqlBool>`e.start_date >= ${p.fromDate}`);
  if (shape.has('toDate')) conditions.push(sql<SqlBool>`e.start_date <= ${p.toDate}`);
  if (shape.has('fromTs')) conditions.push(sql<SqlBool>`e.start_ts >= ${p.fromTs}`);
  if (shape.has('toTs')) conditions.push(sql<SqlBool>`e.start_ts <= ${p.toTs}`);
  if (shape.has('upcoming')) conditions.push(sql<SqlBool>`e.ends_ts > ${p.now}`);
  if (shape.has('past')) conditions.push(sql<SqlBool>`e.ends_ts <= ${p.past}`);
  // Row ids are given in their order.
  const order = isById ? sql`s.id` : shape.has('newest') ? sql`s.rowid desc` : sql`s.rowid`;
  const from = isById ? sql`json_each(${p.match}) s` : sql`name_search s`;
  // The list items are read for the events of the result alone.
  return sql<EventNameRow>`select e.start_ts, e.id, ${row} as row
    from ${from} cross join events e on e.id = (${row} % ${sql.raw(String(rowIdsPerDay))}) / ${sql.raw(String(rowIdsPerEvent))}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${p.limit}`;
}
