/** The filter of an event list, and the values that it binds. */
import { type EventStatus, eventStatuses } from '../../contract/fields.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import { type Area, areaParams, areaShape } from '../areas.ts';
import type { EventListParams } from './event-query.ts';

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
  /** Of each of these lists one value must fit. */
  anyOf?: AnyOf;
  /** Only events in this area. */
  area?: Area;
  /** Only events of one of these states. */
  status?: readonly EventStatus[];
  hasTickets?: boolean;
  /** Only events with a name that contains these words (`normalizeForSearch`), the last one as a prefix. */
  nameWords?: string;
  /** Only these events. */
  ids?: readonly number[];
  /** Only events that changed at this time (ms) or later. */
  updatedSince?: number;
  /** Only events whose id is at least this: ids rise in the order of creation. */
  createdFrom?: number;
};
/** A filter that one scan answers. */
export type PlainEventFilter = Omit<
  EventFilter,
  'anyOf' | 'area' | 'status' | 'hasTickets' | 'ids' | 'updatedSince' | 'createdFrom'
>;
type AnyOf = {
  artist?: readonly number[];
  venue?: readonly number[];
  genre?: readonly number[];
  cityId?: readonly number[];
  cityText?: readonly string[];
  country?: readonly string[];
};

/** Filters with one value. */
const singleFilters = ['artist', 'venue', 'cityId', 'cityText', 'genre', 'country'] as const;
/** Filters with several values, and the parameter of all values as a JSON array. */
const listFilters = {
  artist: 'artistIn',
  venue: 'venueIn',
  cityId: 'cityIdIn',
  cityText: 'cityTextIn',
  genre: 'genreIn',
  country: 'countryIn',
} as const satisfies Record<keyof AnyOf, keyof EventListParams>;

/** The part of a query that is the same for all scans of a list. */
export type EventQuery = { shape: string[]; values: Partial<EventListParams> };

/** Adds the conditions other than those on time. */
export function addMatches({ shape, values }: EventQuery, filter: EventFilter): void {
  const all = values as Record<string, unknown>;
  for (const name of singleFilters) {
    if (filter[name] === undefined) continue;
    shape.push(name);
    all[name] = filter[name];
  }
  for (const [name, parameter] of Object.entries(listFilters)) {
    const list = filter.anyOf?.[name as keyof AnyOf];
    if (list === undefined) continue;
    shape.push(parameter);
    all[parameter] = JSON.stringify(list);
  }
  for (const [index, id] of (filter.otherArtists ?? []).entries()) {
    shape.push(`also${index}`);
    values[`also${index}`] = id;
  }
  if (filter.venueNames) {
    shape.push('unplaced');
    values.venueNames = JSON.stringify(filter.venueNames);
  }
  if (filter.editions !== undefined) {
    shape.push('editions');
    values.editions = JSON.stringify(filter.editions);
  }
  for (const [index, word] of (filter.nameWords?.split(' ') ?? []).entries()) {
    shape.push(`word${index}`);
    values[`word${index}`] = ` ${word} `;
  }
  if (filter.nameWords !== undefined) {
    const last = shape.at(-1) as `word${number}`;
    values[last] = values[last]?.trimEnd() ?? '';
  }
  if (filter.status !== undefined) {
    shape.push('statusIn');
    values.statusIn = JSON.stringify(filter.status);
    values.statusCodes = JSON.stringify(filter.status.map((status) => eventStatuses.indexOf(status)));
  }
  if (filter.hasTickets) shape.push('sales');
  if (filter.ids !== undefined) {
    shape.push('by:start', 'ids');
    values.ids = JSON.stringify(filter.ids);
  }
  if (filter.area !== undefined) {
    shape.push(`area:${areaShape(filter.area)}`);
    Object.assign(values, areaParams(filter.area));
  }
  if (filter.updatedSince !== undefined) {
    shape.push('updatedSince');
    values.updatedSince = filter.updatedSince;
  }
  if (filter.createdFrom !== undefined) {
    shape.push('createdFrom');
    values.createdFrom = filter.createdFrom;
  }
}
