/**
 * Excludes venues and cities whose events cannot pass the other filters, before any event is read. The events of a venue
 * have its city and country, and its position or that of its city (`mergePlace` in ingest/records/occurrences.ts).
 */
import { type SqlBool, sql } from 'kysely';
import { fold } from '../../text/fold.ts';
import { type AreaParams, areaCondition, areaParams, areaShape } from '../areas.ts';
import { prepareByShape, prepareValue, SqliteStore } from '../statement.ts';
import type { EventFilter } from './event-filter.ts';

type PlaceParams = AreaParams & { ids: string; cityId: number; countries: string };
type PlaceRow = { id: number; city: string | null };

/** More venues or cities of a filter are not tested. */
const maxTested = 100;
/** As many records that wait to be computed again are compared with the filter. */
const maxStale = 2_000;

/** Drops the venues of a filter that its other places exclude. With more than 100 venues, none is dropped. */
export class EventPlaces extends SqliteStore {
  readonly #bySql = prepareByShape<PlaceParams, PlaceRow>(this.sqlite, (shape, values) =>
    select(new Set(shape.split(' ')), values),
  );
  readonly #stale = prepareValue<number>(
    this.sqlite,
    `SELECT record_id FROM stale_records WHERE record_id > 0 LIMIT ${maxStale + 1}`,
  );
  readonly #staleEvents = prepareValue<number>(
    this.sqlite,
    `SELECT e.id FROM json_each(@stale) j CROSS JOIN events e ON e.id = j.value
       WHERE e.venue_id IN (SELECT value FROM json_each(@venues)) OR e.city_id = @city`,
  );

  /**
   * Returns the filter without venues whose events it excludes; null if no event can pass it. Events that wait to be
   * computed again still have a former place: the filter keeps what could be theirs.
   */
  narrow(filter: EventFilter): EventFilter | null {
    const narrowed = this.#narrow(filter);
    if (narrowed === filter) return filter;
    const stale = this.#stale.all();
    if (stale.length === 0) return narrowed;
    if (stale.length > maxStale) return filter;
    const venues = filter.venue === undefined ? (filter.anyOf?.venue ?? []) : [filter.venue];
    const former = this.#staleEvents.all({
      stale: JSON.stringify(stale),
      venues: JSON.stringify(venues),
      city: filter.cityId ?? null,
    });
    if (former.length === 0) return narrowed;
    return narrowed === null && filter.ids === undefined ? { ...filter, ids: former } : filter;
  }

  #narrow(filter: EventFilter): EventFilter | null {
    const venues = filter.venue === undefined ? filter.anyOf?.venue : [filter.venue];
    const hasVenues = venues !== undefined && venues.length <= maxTested;
    const countries = filter.country === undefined ? filter.anyOf?.country : [filter.country];
    const cities = filter.cityText === undefined ? filter.anyOf?.cityText : [filter.cityText];
    const isPair =
      filter.area !== undefined ||
      countries !== undefined ||
      (hasVenues && (filter.cityId !== undefined || cities !== undefined));
    if (!isPair || !(hasVenues || filter.cityId !== undefined)) return filter;
    const shape: string[] = [];
    const values: Partial<PlaceParams> = {};
    if (filter.cityId !== undefined) {
      shape.push('cityId');
      values.cityId = filter.cityId;
    }
    if (countries !== undefined) {
      shape.push('countries');
      values.countries = JSON.stringify(countries);
    }
    if (filter.area !== undefined) {
      shape.push(`area:${areaShape(filter.area)}`);
      Object.assign(values, areaParams(filter.area));
    }
    const find = (table: string, more: Partial<PlaceParams> = {}): PlaceRow[] =>
      this.#bySql([...shape, table].join(' ')).all({ ...values, ...more } as PlaceParams);
    if (!hasVenues) return find('city').length + find('venuesOfCity').length > 0 ? filter : null;
    const venueIds = find('venues', { ids: JSON.stringify(venues) })
      .filter(({ city }) => cities === undefined || (city !== null && cities.includes(fold(city))))
      .map(({ id }) => id);
    if (venueIds.length === 0) return null;
    if (filter.venue !== undefined || venueIds.length === venues.length) return filter;
    return { ...filter, anyOf: { ...filter.anyOf, venue: venueIds } };
  }
}

/** Builds the query of venues that events could be at, or of the city for events without a venue. */
function select(shape: Set<string>, p: PlaceParams) {
  const isCity = shape.has('city');
  const conditions = [];
  if (shape.has('venues')) conditions.push(sql<SqlBool>`v.id in (select value from json_each(${p.ids}))`);
  if (shape.has('cityId'))
    conditions.push(
      isCity
        ? sql<SqlBool>`v.id = ${p.cityId}`
        : sql<SqlBool>`${sql.raw(shape.has('venues') ? '+' : '')}v.city_id = ${p.cityId}`,
    );
  if (shape.has('countries')) {
    const isOne = sql<SqlBool>`+v.country in (select value from json_each(${p.countries}))`;
    // The sources of an event state the country if its city has none.
    conditions.push(isCity ? sql<SqlBool>`(v.country is null or ${isOne})` : isOne);
  }
  const area = [...shape].find((name) => name.startsWith('area:'))?.slice('area:'.length);
  if (area !== undefined) {
    const own = areaCondition('v', area, p);
    const ofCity = sql<SqlBool>`exists (select 1 from cities c where c.id = v.city_id and ${areaCondition('c', area, p)})`;
    conditions.push(
      isCity
        ? own
        : sql<SqlBool>`case when v.latitude is null or v.longitude is null then ${ofCity} else ${own} end`,
    );
  }
  const table = isCity
    ? sql`cities v`
    : shape.has('venues')
      ? sql`venues v not indexed`
      : sql`venues v indexed by venues_by_city`;
  const limit = shape.has('venues') ? sql`` : sql`limit 1`;
  return sql<PlaceRow>`select v.id, ${sql.raw(isCity ? 'v.name' : 'v.city')} as city from ${table} where ${sql.join(conditions, sql` and `)} ${limit}`;
}
