/** Builds event filters from linked names, and fetches the matching events. */
import type { EventFilter } from '../store/lists/events.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import type { TimeWindow } from './dates/time-window.ts';
import type { Catalogue } from './handlers.ts';
import type { EntityLink } from './linking/entity-linking.ts';

type FilterOptions = { includePast: boolean; now: number };
type LinkedFilters = { names: readonly EntityLink[]; country: { code: string } | null };

/** Returns the list filters of a query, one set per span of a night. */
export function buildFilters(
  options: FilterOptions,
  linked: LinkedFilters,
  window: TimeWindow,
  catalogue: Catalogue,
): EventFilter[] {
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
): EventFilter[] {
  const plain: EventFilter = { ...window, ...(country !== null && { country: country.code }) };
  if (!includePast) plain.upcomingAt = now;
  for (const { kind, match } of names) {
    if (kind !== 'artist' && kind !== 'genre') continue;
    if (match === null) return [];
    if (kind === 'genre') plain.genre = match.id;
    else if (plain.artist === undefined) plain.artist = match.id;
    else plain.otherArtists = [...(plain.otherArtists ?? []), match.id];
  }
  const venue = names.find(({ kind }) => kind === 'venue');
  const cities = filtersForCities(
    plain,
    names.find(({ kind }) => kind === 'city'),
  );
  if (venue === undefined) return cities;
  const { reader } = catalogue;
  const since = includePast ? 0 : reader.upcoming(now).since;
  const spellings = (text: string) =>
    reader.namedRecords.unlinkedVenueSpellings(text, since, includePast ? 0 : now);
  if (venue.match === null) {
    const venueNames = spellings(venue.text);
    return venueNames.length === 0 ? [] : cities.map((filter) => ({ ...filter, venueNames }));
  }
  // The city was already used to select the venue.
  const own: EventFilter = { ...plain, venue: venue.match.id };
  const venueNames = spellings(venue.match.name);
  if (venueNames.length === 0) return [own];
  const slug = reader.details.venue(venue.match.id, reader.upcoming(endOfTime)).city_slug;
  const cityId = slug === null ? null : reader.find('city', slug);
  if (cityId !== null) return [own, { ...plain, venueNames, cityId }];
  if (venue.match.city !== null)
    return [own, { ...plain, venueNames, cityText: fold(venue.match.city).trim() }];
  return [own, ...(cities[0] === plain ? [] : cities.map((filter) => ({ ...filter, venueNames })))];
}

/** No event is upcoming at this time (ms), so no events are counted. */
const endOfTime = 8.64e15;

/** Returns one filter per city of a link. */
function filtersForCities(plain: EventFilter, city: EntityLink | undefined): EventFilter[] {
  if (city === undefined) return [plain];
  if (city.region !== null) return city.region.cities.map(({ id }) => ({ ...plain, cityId: id }));
  if (city.match !== null) return [{ ...plain, cityId: city.match.id }];
  return [{ ...plain, cityText: fold(city.text).trim() }];
}

/** Returns the first `limit` events that pass one of the filters, by start, as JSON texts; their names contain the words. */
export function fetchEvents(
  { reader }: Catalogue,
  filters: readonly EventFilter[],
  words: string,
  limit: number,
): string[] {
  // Text without letters or digits occurs in no name.
  if (words !== '') return fetchEventsByName(reader, filters, normalizeForSearch(words), limit);
  const lists = filters.map((filter) => reader.events.source(filter).fetch(null, limit, null));
  if (lists.length === 1) return (lists[0] ?? []).map(([item]) => item);
  return lists
    .flat()
    .sort((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]))
    .slice(0, limit)
    .map(([item]) => item);
}

/** Maximum number of events scanned for those that only name their venue. */
const maxScannedEvents = 500;

function fetchEventsByName(
  reader: Catalogue['reader'],
  filters: readonly EventFilter[],
  words: string,
  limit: number,
): string[] {
  const lists = filters.map(({ venueNames, ...filter }) => {
    if (venueNames === undefined) return reader.eventNames.find(words, filter, limit);
    const names = new Set(venueNames);
    return reader.eventNames.find(words, filter, maxScannedEvents).filter((json) => {
      const { venue } = JSON.parse(json) as { venue: { slug: string | null; name: string | null } };
      return venue.slug === null && venue.name !== null && names.has(venue.name);
    });
  });
  if (lists.length === 1) return (lists[0] ?? []).slice(0, limit);
  return lists
    .flat()
    .map((json) => ({ json, start: Date.parse((JSON.parse(json) as { start_at: string }).start_at) }))
    .sort((a, b) => a.start - b.start)
    .slice(0, limit)
    .map(({ json }) => json);
}
