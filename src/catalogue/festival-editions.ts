/** Selects the festival editions that a query about events also asks for. */

import type { TimeBound } from '../contract/parameters.ts';
import type { EditionTimes } from '../store/answers/edition-search.ts';
import { midnightUtc } from '../text/date-number.ts';
import { normalizeForSearch } from '../text/fold.ts';
import type { TimeWindow } from './dates/time-window.ts';
import { type FestivalMatch, findFestivals } from './festival-names.ts';
import type { EventQuery, EventResults } from './find-events.ts';
import type { Catalogue } from './request.ts';
import { festivalWords } from './stop-words.ts';

/** An edition, and the artists whose sets are asked for; without artists, all of the line-up. */
export type ChosenEdition = { id: number; artists: readonly number[] };

const maxEditions = 10;
const dayMs = 86_400_000;

/** Whether a word of a free text only says that festivals are asked for. */
export const isFestivalWord = (word: string): boolean => festivalWords.has(normalizeForSearch(word));

/** Whether a free text asks for festivals. */
export const asksForFestivals = (text: string): boolean =>
  normalizeForSearch(text)
    .split(' ')
    .some((word) => festivalWords.has(word));

/** Returns the editions of the festivals in a query, of its artists, or of its place if it asks for festivals or has no events. */
export function chooseEditions(
  query: EventQuery,
  results: EventResults,
  catalogue: Catalogue,
): ChosenEdition[] {
  const { names } = results;
  const artists = names.flatMap(({ kind, match }) => (kind === 'artist' && match ? [match.id] : []));
  const isUnknown = names.some(({ kind, match }) => match === null && kind !== 'venue' && kind !== 'city');
  const festivals = festivalsOf(query, results, catalogue);
  const { editionSearch } = catalogue.reader;
  if (festivals.length > 0)
    return festivals
      .flatMap((festival) => {
        // Before the selection: the last edition with the artists is asked for, not the last edition of all.
        const editions = editionSearch
          .ofFestival(festival)
          .filter(({ id }) => artists.every((artist) => editionSearch.setsOf(id, artist).length > 0));
        return selectEditions(editions, query, results);
      })
      .slice(0, maxEditions)
      .map(({ id }) => ({ id, artists }));
  if (isUnknown || names.some(({ kind }) => kind === 'venue' || kind === 'label')) return [];
  const [first, ...others] = artists;
  const inPlace = placeTest(results, catalogue);
  if (first !== undefined)
    return editionSearch
      .ofArtist(first, endsAfter(query, results))
      .filter(
        (edition) =>
          overlaps(edition, results.window) &&
          others.every((artist) => editionSearch.setsOf(edition.id, artist).length > 0) &&
          inPlace(edition.id),
      )
      .slice(0, maxEditions)
      .map(({ id }) => ({ id, artists }));
  const isAsked = asksForFestivals(query.query ?? '') || isPlaceWithoutEvents(results);
  return isAsked ? editionsInPlace(query, results, catalogue) : [];
}

/** Whether a place that was understood completely has no events: its festivals may be what is asked for. */
const isPlaceWithoutEvents = ({ items, names, country, words, unread }: EventResults): boolean =>
  items.length === 0 &&
  words === '' &&
  unread.length === 0 &&
  (country !== null || names.some(({ kind, match }) => kind === 'city' && match !== null));

/** Whether the query names the festivals of its answer, by a field or in the free text. */
export const namesFestivals = (query: EventQuery, results: EventResults, catalogue: Catalogue): boolean =>
  festivalsOf(query, results, catalogue).length > 0;

/** Returns the festivals that a field or the free text names. */
function festivalsOf(query: EventQuery, results: EventResults, catalogue: Catalogue): number[] {
  const linked = results.names.flatMap(({ kind, match }) => (kind === 'festival' && match ? [match.id] : []));
  if (linked.length > 0) return linked;
  return festivalsInText(query, results, catalogue).flatMap(
    ({ slug }) => catalogue.reader.find('festival', slug) ?? [],
  );
}

/** Returns the festivals whose names are what a free text says besides its other names. */
export function festivalsInText(
  query: EventQuery,
  { names, unread, words }: EventResults,
  catalogue: Catalogue,
): FestivalMatch[] {
  const unmatched = names.filter(({ match }) => match === null).map(({ text }) => text);
  const texts = [...unmatched, unread.join(' '), words, ...(names.length === 0 ? [query.query ?? ''] : [])];
  return findFestivals(catalogue, texts);
}

/** Selects editions of a festival by the year in its name, by the window, or what is upcoming; at least the last. */
function selectEditions(
  editions: readonly EditionTimes[],
  { festival, query, now }: EventQuery,
  { window }: EventResults,
): EditionTimes[] {
  const [year] = /\b20\d{2}\b/.exec(`${festival ?? ''} ${query ?? ''}`) ?? [];
  const ofYear = editions.filter(({ edition }) => year !== undefined && edition.includes(year));
  if (ofYear.length > 0) return ofYear;
  if (window.from || window.to) return editions.filter((edition) => overlaps(edition, window));
  const upcoming = editions.filter((edition) => isUpcoming(edition, now));
  return upcoming.length > 0 ? upcoming : editions.slice(-1);
}

/** The time (ms) after which the editions of an artist must end, so that few of a busy artist are read. */
function endsAfter({ includePast, now }: EventQuery, { window: { from } }: EventResults): number {
  const start = from === undefined ? Number.MIN_SAFE_INTEGER : timeOf(from) - 1;
  return includePast ? start : Math.max(start, now);
}

const isUpcoming = ({ ends_ts, sort_ts }: EditionTimes, now: number): boolean => (ends_ts ?? sort_ts) > now;

/** Whether an edition is held within the window; its days count from midnight UTC. */
function overlaps({ start_ts, ends_ts, sort_ts }: EditionTimes, { from, to }: TimeWindow): boolean {
  const [first, last] = [start_ts ?? sort_ts, ends_ts ?? sort_ts];
  return (from === undefined || last >= timeOf(from)) && (to === undefined || first < timeOf(to) + dayMs);
}

const timeOf = (bound: TimeBound): number => ('instant' in bound ? bound.instant : midnightUtc(bound.date));

/** Returns a test of an edition's place against the cities and country of the query. */
function placeTest({ names, country }: EventResults, { reader }: Catalogue): (edition: number) => boolean {
  const city = names.find(({ kind }) => kind === 'city');
  const cities = new Set(
    city?.region?.cities.map(({ name }) => name) ?? (city?.match ? [city.match.name] : []),
  );
  if (city === undefined && country === null) return () => true;
  return (id) => {
    const edition = reader.editionSearch.placeOf(id);
    const isInCountry = country === null || edition.country === country.code;
    return isInCountry && (city === undefined || (edition.city !== null && cities.has(edition.city)));
  };
}

function editionsInPlace(query: EventQuery, results: EventResults, catalogue: Catalogue): ChosenEdition[] {
  const { from } = results.window;
  const since = query.includePast && from ? timeOf(from) - dayMs : query.now;
  return inPlaceOf(results, catalogue, (city, country) =>
    catalogue.reader.editionSearch.inPlace(since, city, country),
  )
    .filter((edition) => overlaps(edition, results.window))
    .sort((a, b) => a.sort_ts - b.sort_ts)
    .slice(0, maxEditions)
    .map(({ id }) => ({ id, artists: [] }));
}

/** Editions of the place and genre of a query; none if one of these is not known. */
function inPlaceOf(
  { names, country }: EventResults,
  { reader: { editionSearch } }: Catalogue,
  find: (city: number | null, country: string | null) => EditionTimes[],
): EditionTimes[] {
  const city = names.find(({ kind }) => kind === 'city');
  const genre = names.find(({ kind }) => kind === 'genre');
  if (city?.match === null || genre?.match === null) return [];
  const cities = city?.region?.cities.map(({ id }) => id) ?? [city?.match?.id ?? null];
  return cities
    .flatMap((id) => find(id, country?.code ?? null))
    .filter(({ id }) => !genre?.match || editionSearch.hasGenre(id, genre.match.id));
}

/** Editions outside the window of a query: the next ones, or the last if none is to come. */
export type NearestEditions = { editions: ChosenEdition[]; areOver: boolean };

const maxNearest = 3;

/**
 * Finds the editions nearest to a query for festivals of a place that has none in its window. Null if the query does
 * not ask for festivals, or names what is no place or genre.
 */
export function findNearestEditions(
  query: EventQuery,
  results: EventResults,
  catalogue: Catalogue,
): NearestEditions | null {
  const isOfPlace = results.names.every(({ kind }) => kind === 'city' || kind === 'genre');
  const rest = results.words.split(' ').filter((word) => word !== '' && !isFestivalWord(word));
  if (!isOfPlace || rest.length > 0 || !asksForFestivals(query.query ?? '')) return null;
  const { editionSearch } = catalogue.reader;
  const nearestOf = (editions: readonly EditionTimes[]) =>
    editions.slice(0, maxNearest).map(({ id }) => ({ id, artists: [] }));
  const next = inPlaceOf(results, catalogue, (city, country) =>
    editionSearch.inPlace(query.now, city, country),
  ).sort((a, b) => a.sort_ts - b.sort_ts);
  if (next.length > 0) return { editions: nearestOf(next), areOver: false };
  const past = inPlaceOf(results, catalogue, (city, country) =>
    editionSearch.heldInPlace(query.now, city, country),
  ).sort((a, b) => b.sort_ts - a.sort_ts);
  return { editions: nearestOf(past), areOver: true };
}
