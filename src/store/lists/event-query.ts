/** The SQL of event lists: one statement per shape, which is the index that is scanned and the conditions. */
import { type SqlBool, sql } from 'kysely';
import { type AreaParams, areaCondition } from '../areas.ts';
import type { SortKey } from './pagination.ts';

/** The stored item of an event, when it last changed (ms), and its sort key; the key ends with the id. With `keys`, start and id. */
export type EventListRow = [item: string, updatedTs: number, ...key: SortKey] | [start: number, id: number];

/** The values that statements of event lists bind. */
export type EventListParams = AreaParams & {
  [also: `also${number}`]: number;
  /** A word of the name between spaces; the last one without the space behind it. */
  [word: `word${number}`]: string;
  artist: number;
  venueNames: string;
  venue: number;
  cityId: number;
  cityText: string;
  genre: number;
  country: string;
  status: string;
  cell: number;
  region: number;
  day: number;
  ids: string;
  editions: string;
  past: number;
  artistIn: string;
  genreIn: string;
  venueIn: string;
  cityTextIn: string;
  countryIn: string;
  statusIn: string;
  statusCodes: string;
  updatedSince: number;
  createdFrom: number;
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

/**
 * What a list scans, in order of selectivity. The first filter present determines it, but `by:` in a shape names
 * another one.
 */
export const scannedFilters = [
  'artist',
  'venue',
  'editions',
  'cityId',
  'cityText',
  'rareStatus',
  'cell',
  'region',
  'day',
  'genre',
  'country',
  'sales',
] as const;
export type ScannedFilter = (typeof scannedFilters)[number];

/** Tables and indexes by filter. Tables other than `events` name the event `event_id`. */
const scans: Record<ScannedFilter | 'unplaced' | 'start', { table: string; index: string | null }> = {
  artist: { table: 'event_artists', index: null },
  genre: { table: 'event_genres', index: null },
  cell: { table: 'event_places', index: 'event_places_by_cell' },
  region: { table: 'event_places', index: 'event_places_by_region' },
  sales: { table: 'event_sales', index: 'event_sales_by_start' },
  venue: { table: 'events', index: 'events_by_venue' },
  unplaced: { table: 'events', index: 'events_by_venue' },
  editions: { table: 'events', index: 'events_by_edition' },
  cityId: { table: 'events', index: 'events_by_city' },
  cityText: { table: 'events', index: 'events_by_city_text' },
  rareStatus: { table: 'events', index: 'events_by_status' },
  day: { table: 'events', index: 'events_by_update' },
  country: { table: 'events', index: 'events_by_country' },
  start: { table: 'events', index: 'events_by_start' },
};

/** Milliseconds of a day: `events_by_update` groups events by the UTC day of their last change. */
const dayLength = 86_400_000;
const condition = (text: ReturnType<typeof sql<SqlBool>>) => text;

function scanCondition(scan: ScannedFilter | 'unplaced', p: EventListParams) {
  switch (scan) {
    case 'artist':
      return condition(sql`w.artist_id = ${p.artist}`);
    case 'genre':
      return condition(sql`w.genre_id = ${p.genre}`);
    case 'unplaced':
      return condition(sql`w.venue_id is null`);
    case 'venue':
      return condition(sql`w.venue_id = ${p.venue}`);
    case 'editions':
      return condition(sql`w.edition_id in (select value from json_each(${p.editions}))`);
    case 'cityId':
      return condition(sql`w.city_id = ${p.cityId}`);
    case 'cityText':
      return condition(sql`w.city_folded = ${p.cityText}`);
    case 'country':
      return condition(sql`w.country = ${p.country}`);
    case 'cell':
      return condition(sql`w.cell = ${p.cell}`);
    case 'region':
      return condition(sql`w.region = ${p.region}`);
    case 'rareStatus':
      return condition(sql`w.status = ${p.status} and w.status <> 'scheduled'`);
    case 'day':
      return condition(
        sql`w.updated_ts / ${sql.raw(String(dayLength))} = ${p.day} and +w.updated_ts >= ${p.updatedSince}`,
      );
    case 'sales':
      return null;
  }
}

/** Conditions on the event `e` by name in the shape. A plus keeps SQLite from using the index of the column. */
const eventConditions: Record<string, (p: EventListParams) => ReturnType<typeof condition>> = {
  venue: (p) => sql`+e.venue_id = ${p.venue}`,
  editions: (p) => sql`+e.edition_id in (select value from json_each(${p.editions}))`,
  cityId: (p) => sql`+e.city_id = ${p.cityId}`,
  cityText: (p) => sql`+e.city_folded = ${p.cityText}`,
  country: (p) => sql`+e.country = ${p.country}`,
  genre: (p) =>
    sql`exists (select 1 from event_genres g where g.genre_id = ${p.genre} and g.start_ts = e.start_ts and g.event_id = e.id)`,
  artist: (p) =>
    sql`exists (select 1 from event_artists a where a.artist_id = ${p.artist} and a.start_ts = e.start_ts and a.event_id = e.id)`,
  sales: () => sql`exists (select 1 from event_sales s where s.event_id = e.id)`,
  artistIn: (p) =>
    sql`exists (select 1 from json_each(${p.artistIn}) j cross join event_artists a on a.artist_id = j.value and a.start_ts = e.start_ts and a.event_id = e.id)`,
  genreIn: (p) =>
    sql`exists (select 1 from json_each(${p.genreIn}) j cross join event_genres g on g.genre_id = j.value and g.start_ts = e.start_ts and g.event_id = e.id)`,
  venueIn: (p) => sql`+e.venue_id in (select value from json_each(${p.venueIn}))`,
  cityTextIn: (p) => sql`+e.city_folded in (select value from json_each(${p.cityTextIn}))`,
  countryIn: (p) => sql`+e.country in (select value from json_each(${p.countryIn}))`,
  statusIn: (p) => sql`+e.status in (select value from json_each(${p.statusIn}))`,
  updatedSince: (p) => sql`+e.updated_ts >= ${p.updatedSince}`,
};

/** The same on `event_places` as `w`, whose indexes hold these columns. */
const placeConditions: typeof eventConditions = {
  country: (p) => sql`+w.country = ${p.country}`,
  countryIn: (p) => sql`+w.country in (select value from json_each(${p.countryIn}))`,
  statusIn: (p) => sql`+w.status in (select value from json_each(${p.statusCodes}))`,
  sales: () => sql`+w.has_tickets = 1`,
};

/** Whether the scan of a value implies the condition that one of several values fits. */
const isImplied = (name: string, scan: string): boolean =>
  name === `${scan}In` ||
  (scan === 'rareStatus' && name === 'statusIn') ||
  (scan === 'day' && name === 'updatedSince');

function restrictions(shape: Set<string>, scan: string, idOf: string, p: EventListParams) {
  const conditions = [];
  const inPlaces = scan === 'cell' || scan === 'region';
  let usesEvent = false;
  for (const name of shape) {
    const also = name.startsWith('also') ? p[name as `also${number}`] : undefined;
    const ofPlace = inPlaces ? placeConditions[name] : undefined;
    if (ofPlace !== undefined) {
      conditions.push(ofPlace(p));
      continue;
    }
    const of = eventConditions[name];
    if (also !== undefined)
      conditions.push(
        condition(
          sql`exists (select 1 from event_artists a where a.artist_id = ${also} and a.start_ts = e.start_ts and a.event_id = e.id)`,
        ),
      );
    else if (of !== undefined && name !== scan && !isImplied(name, scan)) conditions.push(of(p));
    else continue;
    usesEvent = true;
  }
  if (shape.has('unplaced')) {
    conditions.push(condition(sql`+e.venue_id is null`));
    conditions.push(condition(sql`e.venue_name in (select value from json_each(${p.venueNames}))`));
    usesEvent = true;
  }
  const words = [...shape].filter((name) => name.startsWith('word')) as `word${number}`[];
  if (words.length > 0) {
    const each = words.map((word) => sql<SqlBool>`instr(' ' || n.terms || ' ', ${p[word]}) > 0`);
    conditions.push(
      condition(
        sql`exists (select 1 from names n where n.record_id = ${sql.raw(idOf)} and ${sql.join(each, sql` and `)})`,
      ),
    );
  }
  const area = [...shape].find((name) => name.startsWith('area:'))?.slice('area:'.length);
  if (area !== undefined) {
    conditions.push(
      inPlaces
        ? areaCondition('w', area, p)
        : condition(
            sql`exists (select 1 from event_places x where x.event_id = ${sql.raw(idOf)} and ${areaCondition('x', area, p)})`,
          ),
    );
  }
  if (shape.has('createdFrom')) conditions.push(condition(sql`+${sql.raw(idOf)} >= ${p.createdFrom}`));
  if (shape.has('ids'))
    conditions.push(condition(sql`${sql.raw(idOf)} in (select value from json_each(${p.ids}))`));
  return { conditions, usesEvent };
}

function timeConditions(shape: Set<string>, idOf: string, p: EventListParams) {
  const conditions = [];
  if (shape.has('fromDate')) conditions.push(condition(sql`w.start_date >= ${p.fromDate}`));
  if (shape.has('toDate')) conditions.push(condition(sql`w.start_date <= ${p.toDate}`));
  if (shape.has('upcoming')) conditions.push(condition(sql`+w.ends_ts > ${p.now}`));
  if (shape.has('past')) conditions.push(condition(sql`+w.ends_ts <= ${p.past}`));
  if (shape.has('lower')) conditions.push(condition(sql`w.start_ts >= ${p.lower}`));
  if (shape.has('upper')) conditions.push(condition(sql`w.start_ts <= ${p.upper}`));
  if (shape.has('after'))
    conditions.push(condition(sql`(w.start_ts, ${sql.raw(idOf)}) > (${p.afterStart}, ${p.afterId})`));
  const movedIds = sql`(select record_id from sort_key_history where kind = 'event' and revision > ${p.since})`;
  if (shape.has('moved')) conditions.push(condition(sql`${sql.raw(idOf)} in ${movedIds}`));
  if (shape.has('unmoved')) conditions.push(condition(sql`${sql.raw(idOf)} not in ${movedIds}`));
  return conditions;
}

/**
 * Builds the query of one shape. `w` is the table or index that it scans, `e` the event. With `keys` the rows are
 * start and id alone.
 */
export function eventListQuery(shape: Set<string>, p: EventListParams) {
  const named = [...shape].find((name) => name.startsWith('by:'))?.slice('by:'.length);
  const scan = (named ??
    scannedFilters.find((name) => shape.has(name)) ??
    (shape.has('unplaced') ? 'unplaced' : 'start')) as keyof typeof scans;
  const byId = shape.has('ids') && scan === 'start';
  const { table, index } = scans[scan];
  const idOf = table === 'events' ? 'w.id' : 'w.event_id';
  const isScan = scan !== 'start' ? scanCondition(scan, p) : null;
  const own = restrictions(shape, scan, idOf, p);
  const conditions = [
    ...(isScan === null ? [] : [isScan]),
    ...own.conditions,
    ...timeConditions(shape, idOf, p),
  ];
  // Naming the index makes the plan independent of statistics, which a new file lacks. Few ids are sorted.
  const hint = byId ? sql`not indexed` : index === null ? sql`` : sql`indexed by ${sql.raw(index)}`;
  const isShown = !shape.has('keys') && !shape.has('count');
  const event = isShown || own.usesEvent ? sql`cross join events e on e.id = ${sql.raw(idOf)}` : sql``;
  const where = conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const key = sql`w.start_ts, ${sql.raw(idOf)}`;
  const shown = !isShown
    ? key
    : shape.has('moved')
      ? sql`e.item_json, e.updated_ts, e.id`
      : sql`e.item_json, e.updated_ts, ${key}`;
  const from = sql`${sql.raw(table)} w ${hint} ${event} ${where}`;
  if (shape.has('count'))
    return sql<EventListRow>`select count(*) from (select 1 from ${from} limit ${p.limit})`;
  if (shape.has('newest'))
    return sql<EventListRow>`select ${shown} from ${from} order by w.start_ts desc, ${sql.raw(idOf)} desc limit ${p.limit}`;
  const order = shape.has('moved') ? sql`` : sql`order by w.start_ts, ${sql.raw(idOf)}`;
  return sql<EventListRow>`select ${shown} from ${from} ${order} limit ${p.limit}`;
}
