/** The SQL of event lists: one statement per shape, which is the index that is scanned and the conditions. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AreaParams, areaCondition } from '../areas.ts';
import { type EventKey, hasLink, hasOneOfLinks, isIn, isPlaceFilter } from './event-links.ts';
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
  cityIdIn: string;
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
  movedIds: string;
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
  'changed',
  'day',
  'genre',
  'country',
  'sales',
] as const;
export type ScannedFilter = (typeof scannedFilters)[number];

/** Tables and indexes by filter. Tables other than `events` name the event `event_id`. */
const scans: Record<
  ScannedFilter | 'cityless' | 'unplaced' | 'start',
  { table: string; index: string | null }
> = {
  artist: { table: 'event_artists', index: null },
  genre: { table: 'event_genres', index: null },
  cell: { table: 'event_places', index: 'event_places_by_cell' },
  region: { table: 'event_places', index: 'event_places_by_region' },
  sales: { table: 'event_sales', index: 'event_sales_by_start' },
  venue: { table: 'events', index: 'events_by_venue' },
  unplaced: { table: 'events', index: 'events_by_venue' },
  editions: { table: 'events', index: 'events_by_edition' },
  cityId: { table: 'events', index: 'events_by_city' },
  cityless: { table: 'events', index: 'events_by_city' },
  cityText: { table: 'events', index: 'events_by_city_text' },
  rareStatus: { table: 'events', index: 'events_by_status' },
  changed: { table: 'events', index: 'events_by_update_time' },
  day: { table: 'events', index: 'events_by_update' },
  country: { table: 'events', index: 'events_by_country' },
  start: { table: 'events', index: 'events_by_start' },
};

/** Milliseconds of a day: `events_by_update` groups events by the UTC day of their last change. */
const dayLength = 86_400_000;
const condition = (text: ReturnType<typeof sql<SqlBool>>) => text;

function scanCondition(scan: ScannedFilter | 'cityless' | 'unplaced', p: EventListParams) {
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
    case 'cityless':
      return condition(sql`w.city_id is null`);
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
    case 'changed':
      return condition(sql`w.updated_ts >= ${p.updatedSince}`);
    case 'day':
      return condition(
        sql`w.updated_ts / ${sql.raw(String(dayLength))} = ${p.day} and +w.updated_ts >= ${p.updatedSince}`,
      );
    case 'sales':
      return null;
  }
}

/** Conditions on columns of the event in `events_by_start`. A plus keeps SQLite from using the index of the column. */
const columnConditions: Record<
  string,
  (p: EventListParams, e: RawBuilder<unknown>) => ReturnType<typeof condition>
> = {
  venue: (p, e) => sql`+${e}.venue_id = ${p.venue}`,
  editions: (p, e) => sql`+${e}.edition_id in (select value from json_each(${p.editions}))`,
  cityId: (p, e) => sql`+${e}.city_id = ${p.cityId}`,
  cityText: (p, e) => sql`+${e}.city_folded = ${p.cityText}`,
  country: (p, e) => sql`+${e}.country = ${p.country}`,
  venueIn: (p, e) => sql`+${e}.venue_id in (select value from json_each(${p.venueIn}))`,
  cityIdIn: (p, e) => sql`+${e}.city_id in (select value from json_each(${p.cityIdIn}))`,
  cityTextIn: (p, e) => sql`+${e}.city_folded in (select value from json_each(${p.cityTextIn}))`,
  countryIn: (p, e) => sql`+${e}.country in (select value from json_each(${p.countryIn}))`,
  statusIn: (p, e) => sql`+${e}.status in (select value from json_each(${p.statusIn}))`,
  updatedSince: (p, e) => sql`+${e}.updated_ts >= ${p.updatedSince}`,
};

/** Conditions that are look-ups in other tables, by start and id. */
const lookupConditions: Record<string, (p: EventListParams, key: EventKey) => ReturnType<typeof condition>> =
  {
    genre: (p, key) => hasLink('genre', p.genre, key),
    artist: (p, key) => hasLink('artist', p.artist, key),
    sales: (_p, { id }) => sql`exists (select 1 from event_sales s where s.event_id = ${id})`,
    artistIn: (p, key) => hasOneOfLinks('artist', p.artistIn, key),
    genreIn: (p, key) => hasOneOfLinks('genre', p.genreIn, key),
  };

/** The same on `event_places` as `w`, whose indexes hold these columns. */
const placeConditions: typeof columnConditions = {
  country: (p) => sql`+w.country = ${p.country}`,
  countryIn: (p) => sql`+w.country in (select value from json_each(${p.countryIn}))`,
  statusIn: (p) => sql`+w.status in (select value from json_each(${p.statusCodes}))`,
  sales: () => sql`+w.has_tickets = 1`,
};

/** Whether the scan of a value implies the condition that one of several values fits. */
const isImplied = (name: string, scan: string): boolean =>
  name === `${scan}In` ||
  (scan === 'rareStatus' && name === 'statusIn') ||
  ((scan === 'day' || scan === 'changed') && name === 'updatedSince');

function restrictions(shape: Set<string>, scan: string, idOf: string, p: EventListParams) {
  const conditions = [];
  const inPlaces = scan === 'cell' || scan === 'region';
  // The index that is scanned by start has the columns of the conditions; so has the row that was found by its id.
  const e = sql.raw(scan === 'start' ? 'w' : 'e');
  const key: EventKey = { start: sql.raw('w.start_ts'), id: sql.raw(idOf) };
  let usesEvent = false;
  for (const name of shape) {
    const also = name.startsWith('also') ? p[name as `also${number}`] : undefined;
    const ofPlace = inPlaces ? placeConditions[name] : undefined;
    const isMet = name === scan || isImplied(name, scan);
    if (ofPlace !== undefined) conditions.push(ofPlace(p, e));
    else if (also !== undefined) conditions.push(hasLink('artist', also, key));
    else if (lookupConditions[name] !== undefined && !isMet) conditions.push(lookupConditions[name](p, key));
    else if (isPlaceFilter(name) && !isMet && scan !== 'start') conditions.push(isIn(name, p[name], key));
    else if (columnConditions[name] !== undefined && !isMet) {
      conditions.push(columnConditions[name](p, e));
      usesEvent ||= scan !== 'start';
    }
  }
  if (shape.has('unplaced')) {
    conditions.push(condition(sql`+${e}.venue_id is null`));
    usesEvent ||= scan !== 'start';
  }
  const words = [...shape].filter((name) => name.startsWith('word')) as `word${number}`[];
  if (words.length > 0) {
    const each = words.map((word) => sql<SqlBool>`instr(' ' || n.terms || ' ', ${p[word]}) > 0`);
    conditions.push(
      condition(
        sql`exists (select 1 from names n where n.record_id = ${sql.raw(usesEvent ? 'e.id' : idOf)} and ${sql.join(each, sql` and `)})`,
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
  if (shape.has('moved'))
    conditions.push(condition(sql`${sql.raw(idOf)} in (select value from json_each(${p.movedIds}))`));
  if (shape.has('unmoved'))
    conditions.push(
      condition(
        sql`not exists (select 1 from sort_key_history m indexed by sort_key_history_by_record where m.record_id = ${sql.raw(idOf)} and m.kind = 'event' and m.revision > ${p.since})`,
      ),
    );
  return conditions;
}

/**
 * Builds the query of one shape. `w` is the table or index that it scans, `e` the event. With `keys` the rows are
 * start and id alone.
 */
export function eventListQuery(shape: Set<string>, p: EventListParams) {
  const scanName = [...shape].find((name) => name.startsWith('by:'))?.slice('by:'.length);
  const scan = (scanName ??
    scannedFilters.find((name) => shape.has(name)) ??
    (shape.has('unplaced') ? 'unplaced' : 'start')) as keyof typeof scans;
  const byId = (shape.has('ids') || shape.has('moved')) && scan === 'start';
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
  // Conditions read a narrow index. The row of the event, which is long, is read only if it is shown.
  const event = own.usesEvent
    ? sql`cross join events e indexed by events_by_start on e.start_ts = w.start_ts and e.id = ${sql.raw(idOf)}`
    : sql``;
  const row = table === 'events' ? 'w' : 'd';
  if (shape.has('unplaced'))
    conditions.push(
      condition(sql`${sql.raw(row)}.venue_name in (select value from json_each(${p.venueNames}))`),
    );
  const rowJoin =
    row === 'd' && (isShown || shape.has('unplaced'))
      ? sql`cross join events d on d.id = ${sql.raw(idOf)}`
      : sql``;
  const where = conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const key = sql`w.start_ts, ${sql.raw(idOf)}`;
  const item = sql`${sql.raw(row)}.item_json, ${sql.raw(row)}.updated_ts`;
  const columns = !isShown ? key : shape.has('moved') ? sql`${item}, ${sql.raw(idOf)}` : sql`${item}, ${key}`;
  const from = sql`${sql.raw(table)} w ${hint} ${event} ${rowJoin} ${where}`;
  if (shape.has('count'))
    return sql<EventListRow>`select count(*) from (select 1 from ${from} limit ${p.limit})`;
  if (shape.has('newest'))
    return sql<EventListRow>`select ${columns} from ${from} order by w.start_ts desc, ${sql.raw(idOf)} desc limit ${p.limit}`;
  const order = shape.has('moved') ? sql`` : sql`order by w.start_ts, ${sql.raw(idOf)}`;
  return sql<EventListRow>`select ${columns} from ${from} ${order} limit ${p.limit}`;
}
