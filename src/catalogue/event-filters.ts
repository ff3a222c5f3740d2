/** Builds event filters from linked names, and fetches the matching events. */
import type { ApiRecord } from '../contract/records.ts';
import type { EventFilter } from '../store/lists/events.ts';
import type { ListEntry } from '../store/lists/pagination.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import type { TimeWindow } from './dates/time-window.ts';
import type { EntityLink } from './linking/entity-linking.ts';
import type { Catalogue } from './request.ts';

/** A list filter; `label` selects the events of the label's artists. */
export type QueryFilter = EventFilter & { label?: number };
type FilterOptions = { includePast: boolean; now: number };
type LinkedFilters = { names: readonly EntityLink[]; country: { code: string } | null };

/** Returns the list filters of a query, one set per span of a night. */
export function buildFilters(
  options: FilterOptions,
  linked: LinkedFilters,
  window: TimeWindow,
  catalogue: Catalogue,
): QueryFilter[] {
  const { night, ...days } = window;
  if (night === undefined) return buildWindowFilters(options, linked, days, catalogue);
  const all = buildWindowFilters(options, linked, {}, catalogue);
  return night.spans.flatMap((span) => all.map((filter) => ({ ...filter, ...span })));
}

/**
 * Returns list filters that each match different events; empty if a name is unknown, so no event can match. Events
 * that only name a venue count as events of the venue record with that name.
 */
function buildWindowFilters(
  { includePast, now }: FilterOptions,
  { names, country }: LinkedFilters,
  window: Omit<TimeWindow, 'night'>,
  catalogue: Catalogue,
): QueryFilter[] {
  const plain: QueryFilter = { ...window, ...(country !== null && { country: country.code }) };
  if (!includePast) plain.upcomingAt = now;
  for (const { kind, match } of names) {
    if (kind === 'venue' || kind === 'city') continue;
    if (match === null) return [];
    if (kind === 'genre') plain.genre = match.id;
    else if (kind === 'label') plain.label = match.id;
    else if (kind === 'festival')
      plain.editions = catalogue.reader.editionSearch.ofFestival(match.id).map(({ id }) => id);
  }
  Object.assign(plain, artistFilter(names, catalogue));
  const venue = names.find(({ kind }) => kind === 'venue');
  const cities = filtersForCities(
    plain,
    names.find(({ kind }) => kind === 'city'),
  );
  if (venue === undefined) return cities;
  const { reader } = catalogue;
  const spellings = (text: string) => reader.namedRecords.unlinkedVenueSpellings(text);
  if (venue.match === null) {
    const venueNames = spellings(venue.text);
    return venueNames.length === 0 ? [] : cities.map((filter) => ({ ...filter, venueNames }));
  }
  // The city was already used to select the venue.
  const own: QueryFilter = { ...plain, venue: venue.match.id };
  const venueNames = spellings(venue.match.name);
  if (venueNames.length === 0) return [own];
  const slug = reader.details.venue(venue.match.id, reader.upcoming(endOfTime)).city_slug;
  const cityId = slug === null ? null : reader.find('city', slug);
  if (cityId !== null) return [own, { ...plain, venueNames, cityId }];
  if (venue.match.city !== null)
    return [own, { ...plain, venueNames, cityText: fold(venue.match.city).trim() }];
  return [own, ...(cities[0] === plain ? [] : cities.map((filter) => ({ ...filter, venueNames })))];
}

/** The events of artists are counted up to the first of these, then the next. With more, artists count as equally busy. */
const comparedEvents = [100, 5_000] as const;

/** Returns the filter of the named artists. Lists read the events of `artist`, so that is the least busy one. */
function artistFilter(
  names: readonly EntityLink[],
  { reader }: Catalogue,
): Pick<QueryFilter, 'artist' | 'otherArtists'> {
  const ids = names.flatMap(({ kind, match }) => (kind === 'artist' && match !== null ? [match.id] : []));
  if (ids.length < 2) return ids[0] === undefined ? {} : { artist: ids[0] };
  let compared: { id: number; events: number }[] = [];
  for (const max of comparedEvents) {
    compared = ids.map((id) => ({ id, events: reader.events.count({ artist: id }, max) }));
    if (compared.some(({ events }) => events < max)) break;
  }
  const [artist, ...otherArtists] = compared.sort((a, b) => a.events - b.events).map(({ id }) => id);
  return { ...(artist !== undefined && { artist }), otherArtists };
}

/** Adds the same filters with each other genre. An event of several genres passes several of them. */
export const withOtherGenres = <T extends { genre?: number }>(
  filters: readonly T[],
  others: readonly EntityLink[],
): T[] => [
  ...filters,
  ...others.flatMap(({ match }) =>
    match === null ? [] : filters.map((filter) => ({ ...filter, genre: match.id })),
  ),
];

/** No event is upcoming at this time (ms), so no events are counted. */
const endOfTime = 8.64e15;

/** Returns one filter per city of a link. */
function filtersForCities(plain: QueryFilter, city: EntityLink | undefined): QueryFilter[] {
  if (city === undefined) return [plain];
  if (city.region !== null) return city.region.cities.map(({ id }) => ({ ...plain, cityId: id }));
  if (city.match !== null) return [{ ...plain, cityId: city.match.id }];
  return [{ ...plain, cityText: fold(city.text).trim() }];
}

/**
 * Returns the first `limit` events that pass one of the filters, by start, as JSON texts; their names contain the words.
 * @param isNewestFirst returns the last ones instead, newest first
 */
export function fetchEvents(
  { reader }: Catalogue,
  filters: readonly QueryFilter[],
  words: string,
  limit: number,
  isNewestFirst = false,
): string[] {
  // Text without letters or digits occurs in no name.
  if (words !== '')
    return fetchEventsByName(reader, filters, normalizeForSearch(words), limit, isNewestFirst);
  const lists = filters.map((filter) => fetchList(reader, filter, limit, isNewestFirst));
  if (lists.length === 1) return (lists[0] ?? []).map(([item]) => item);
  return mergeLists(lists, isNewestFirst)
    .slice(0, limit)
    .map(([item]) => item);
}

function fetchList(
  { events }: Catalogue['reader'],
  { label, ...filter }: QueryFilter,
  limit: number,
  isNewestFirst: boolean,
): ListEntry[] {
  if (label === undefined)
    return isNewestFirst ? events.newest(filter, limit) : events.source(filter).fetch(null, limit, null);
  if (!isNewestFirst) return events.sourceForLabel(label, filter).fetch(null, limit, null);
  const { artist: also, otherArtists = [] } = filter;
  const others = also === undefined ? otherArtists : [...otherArtists, also];
  const lists = events
    .rosterOf(label)
    .map((artist) =>
      events.newest({ ...filter, artist, ...(others.length > 0 && { otherArtists: others }) }, limit),
    );
  return mergeLists(lists, true).slice(0, limit);
}

/** Merges lists by start; an event that is in several of them is kept once. */
function mergeLists(lists: readonly ListEntry[][], isNewestFirst: boolean): ListEntry[] {
  const byId = new Map(lists.flat().map((entry) => [entry.at(-1), entry]));
  const sign = isNewestFirst ? -1 : 1;
  return [...byId.values()].sort(
    (a, b) => sign * (Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2])),
  );
}

/** Maximum number of events of a label or of festival editions that are scanned. */
const maxScannedEvents = 500;

function fetchEventsByName(
  reader: Catalogue['reader'],
  filters: readonly QueryFilter[],
  words: string,
  limit: number,
  isNewestFirst: boolean,
): string[] {
  const lists = filters.map(({ label, ...filter }) => {
    if (label !== undefined) {
      const roster = new Set(reader.events.rosterOf(label));
      const isOnRoster = ({ slug }: { slug: string }) => roster.has(reader.find('artist', slug) ?? 0);
      return reader.eventNames
        .find(words, filter, maxScannedEvents, isNewestFirst)
        .filter((json) => (JSON.parse(json) as ApiRecord<'EventItem'>).lineup.some(isOnRoster));
    }
    if (filter.editions === undefined) return reader.eventNames.find(words, filter, limit, isNewestFirst);
    return fetchList(reader, filter, maxScannedEvents, isNewestFirst)
      .map(([json]) => json)
      .filter((json) => normalizeForSearch((JSON.parse(json) as { name: string }).name).includes(words));
  });
  if (lists.length === 1 && !isNewestFirst) return (lists[0] ?? []).slice(0, limit);
  const sign = isNewestFirst ? -1 : 1;
  return lists
    .flat()
    .map((json) => ({ json, start: Date.parse((JSON.parse(json) as { start_at: string }).start_at) }))
    .sort((a, b) => sign * (a.start - b.start))
    .slice(0, limit)
    .map(({ json }) => json);
}
