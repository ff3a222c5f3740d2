/**
 * Finds the venues and cities whose events can pass two filters by place: country, city by name, area. Most of these
 * pairs have no common event, or as many as one of the filters. Venues and cities tell which, without reading events.
 * The events of a venue have its city and country, and its position or that of its city (`mergePlace` in
 * ingest/records/occurrences.ts).
 */
import { type SqlBool, sql } from 'kysely';
import { type AreaParams, areaCondition, areaParams, areaShape } from '../areas.ts';
import { prepareByShape, prepareValue, SqliteStore } from '../statement.ts';
import type { EventFilter } from './event-filter.ts';

type PairParams = AreaParams & { countries: string; names: string; stale: string; limit: number };

/** More venues or cities are not listed: then the pair has many events. */
const maxPlaces = 160;
/** More venues of a filter are not read; tests set fewer. */
const maxRead = 6_000;
/** As many records that wait to be computed again are compared with the filters. */
const maxStale = 2_000;
/** As many places of these are read beside those that the filters have in common. */
const maxFormerPlaces = 400;
/** Events of a former place, or of a venue or city that waits. Records of other kinds are none of these. */
type StalePlace = { venue: number | null; city: number | null };

/** The venues, the cities, and whether events without a city record can pass the filter, too. */
export type PairPlaces = { venues: number[]; cities: number[]; hasCityless: boolean };

/** Lists the places of events that pass two filters by place (docs/decisions/39-pairs-of-filters.md). */
export class PlacePairs extends SqliteStore {
  readonly #bySql = prepareByShape<PairParams, [number]>(
    this.sqlite,
    (shape, values) => select(new Set(shape.split(' ')), values),
    true,
  );
  readonly #stale = prepareValue<number>(
    this.sqlite,
    `SELECT record_id FROM stale_records WHERE record_id > 0 LIMIT ${maxStale + 1}`,
  );
  readonly #stalePlaces = prepareByShape<PairParams, [number | null, number | null]>(
    this.sqlite,
    (shape, values) => selectFormer(new Set(shape.split(' ')), values),
    true,
  );

  /**
   * Returns where events can be that pass the filter; null if that is unknown or too many places.
   * @param maxVenues more venues of one filter are not read
   */
  find(filter: EventFilter, maxVenues = maxRead): PairPlaces | null {
    const countries = filter.country === undefined ? filter.anyOf?.country : [filter.country];
    const names = filter.cityText === undefined ? filter.anyOf?.cityText : [filter.cityText];
    const { area } = filter;
    if ([countries, names, area].filter((one) => one !== undefined).length < 2) return null;
    const shape = [
      ...(countries === undefined ? [] : ['countries']),
      ...(names === undefined ? [] : ['names']),
      ...(area === undefined ? [] : [`area:${areaShape(area)}`]),
    ];
    const values = {
      ...(area === undefined ? {} : areaParams(area)),
      countries: JSON.stringify(countries ?? []),
      names: JSON.stringify(names ?? []),
    };
    const former = this.#formerPlaces(shape.join(' '), values);
    if (former === null) return null;
    const find = (table: string, limit: number): number[] =>
      this.#bySql([...shape, table].join(' '))
        .all({ ...values, limit } as PairParams)
        .map(([id]) => id);
    const most = Math.min(maxRead, maxVenues);
    if ((find('count', most + 1)[0] as number) > most) return null;
    const venues = find('venues', maxPlaces + 1);
    if (venues.length > maxPlaces) return null;
    const cities = find('cities', maxPlaces + 1);
    if (cities.length > maxPlaces) return null;
    const idsOf = (kind: keyof StalePlace) =>
      former.map((place) => place[kind]).filter((id): id is number => id !== null);
    return {
      venues: [...new Set([...venues, ...idsOf('venue')])],
      cities: [...new Set([...cities, ...idsOf('city')])],
      // The city of the others is a text.
      hasCityless: names !== undefined || former.some(({ venue, city }) => venue === null && city === null),
    };
  }

  /**
   * Returns where events are listed that pass the filters, while their venue or city may have other values: the events,
   * or the venue, wait to be computed again. Null if too many wait.
   */
  #formerPlaces(shape: string, values: Partial<PairParams>): StalePlace[] | null {
    const stale = this.#stale.all();
    if (stale.length === 0) return [];
    if (stale.length > maxStale) return null;
    const bound = { ...values, stale: JSON.stringify(stale), limit: maxFormerPlaces + 1 };
    const places = this.#stalePlaces(shape)
      .all(bound as PairParams)
      .map(([venue, city]) => ({ venue, city }));
    return places.length > maxFormerPlaces ? null : places;
  }
}

/** Builds the query of the places of events that wait and pass the filters, and of the venues and cities that wait. */
function selectFormer(shape: Set<string>, p: PairParams) {
  const area = areaOf(shape);
  const conditions = [
    ...(shape.has('countries')
      ? [sql<SqlBool>`e.country in (select value from json_each(${p.countries}))`]
      : []),
    ...(shape.has('names') ? [sql<SqlBool>`e.city_folded in (select value from json_each(${p.names}))`] : []),
    ...(area === undefined ? [] : [areaCondition('ep', area, p)]),
  ];
  const places = area === undefined ? sql`` : sql`cross join event_places ep on ep.event_id = e.id`;
  return sql<[number | null, number | null]>`
    select distinct e.venue_id, case when e.venue_id is null then e.city_id end
    from json_each(${p.stale}) j cross join events e on e.id = j.value ${places} where ${sql.join(conditions, sql` and `)}
    union select v.id, null from json_each(${p.stale}) j cross join venues v on v.id = j.value
    union select null, c.id from json_each(${p.stale}) j cross join cities c on c.id = j.value
    limit ${p.limit}`;
}

const areaOf = (shape: Set<string>): string | undefined =>
  [...shape].find((name) => name.startsWith('area:'))?.slice('area:'.length);

/** Builds the query of venues or cities that pass the filters, or the number of venues that it reads. */
function select(shape: Set<string>, p: PairParams) {
  const hasNames = shape.has('names');
  const isNamed = sql<SqlBool>`folded in (select value from json_each(${p.names}))`;
  const isInCountry = (plus: string) =>
    sql<SqlBool>`${sql.raw(plus)}v.country in (select value from json_each(${p.countries}))`;
  if (shape.has('cities')) {
    const index = hasNames ? 'cities_by_name' : 'cities_by_country';
    const where = [
      ...(hasNames ? [sql<SqlBool>`v.${isNamed}`] : []),
      ...(shape.has('countries') ? [isInCountry(hasNames ? '+' : '')] : []),
      ...areaConditions(shape, p, false),
    ];
    return sql<
      [number]
    >`select v.id from cities v indexed by ${sql.raw(index)} where ${sql.join(where, sql` and `)} limit ${p.limit}`;
  }
  const from = hasNames
    ? sql`cities t indexed by cities_by_name cross join venues v indexed by venues_by_city on v.city_id = t.id where t.${isNamed}`
    : sql`venues v indexed by venues_by_country where ${isInCountry('')}`;
  if (shape.has('count')) return sql<[number]>`select count(*) from (select 1 from ${from} limit ${p.limit})`;
  const conditions = [
    ...(hasNames && shape.has('countries') ? [isInCountry('+')] : []),
    ...areaConditions(shape, p, true),
  ].map((one) => sql` and ${one}`);
  return sql<[number]>`select v.id from ${from} ${sql.join(conditions, sql``)} limit ${p.limit}`;
}

/** The condition that a city or venue lies in the area; a venue without a position is where its city is. */
function areaConditions(shape: Set<string>, p: PairParams, isVenue: boolean) {
  const area = areaOf(shape);
  if (area === undefined) return [];
  const own = areaCondition('v', area, p);
  if (!isVenue) return [own];
  const ofCity = sql<SqlBool>`exists (select 1 from cities c where c.id = v.city_id and ${areaCondition('c', area, p)})`;
  return [sql<SqlBool>`case when v.latitude is null or v.longitude is null then ${ofCity} else ${own} end`];
}
