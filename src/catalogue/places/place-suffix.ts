/** Separates a place from a name: "Berghain, Berlin, DE", "Tresor in Berlin", "Portland, OR". */

import type { NameableKind } from '../../store/search/named-records.ts';
import { fold } from '../../text/fold.ts';
import type { Candidate } from '../linking/candidates.ts';
import type { Catalogue } from '../request.ts';
import { areNear, type CityLocation, findCity } from './cities.ts';
import { cityByAbbreviation } from './city-abbreviations.ts';
import { countryCodeInSentence } from './countries.ts';

/** Required location of a record: a city by name, or one of the listed city records. */
export type PlaceConstraint = { city?: string; country?: string; cities?: readonly CityLocation[] };

/**
 * Whether the record's own city and country meet the constraint; `cities` is ignored. A record without a city or country
 * fails a constraint on it.
 */
export function matchesPlace(
  record: { city: string | null; country: string | null },
  place: PlaceConstraint,
): boolean {
  if (place.country !== undefined && record.country !== place.country) return false;
  return place.city === undefined || (record.city !== null && fold(record.city) === fold(place.city));
}

/** Like `matchesPlace`, for a record of a kind. A venue is matched by the city record that it is linked to. */
export function isRecordInPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  one: Candidate,
  place: PlaceConstraint,
): boolean {
  const { cities, ...plain } = place;
  if (!matchesPlace(one, plain)) return false;
  if (cities === undefined || kind !== 'venue') return true;
  const slug = venueDetailOf(catalogue, one).city_slug;
  if (slug !== null) return cities.some((city) => city.slug === slug);
  return cities.some(
    ({ name, country }) =>
      matchesPlace(one, { city: name }) &&
      (one.country === null || country === null || one.country === country),
  );
}

/** Whether a venue, by its own position or that of its city, is near one of the cities. */
export function isVenueNear(
  catalogue: Catalogue,
  venue: Candidate,
  { cities, country }: PlaceConstraint,
): boolean {
  if (cities === undefined || (country !== undefined && venue.country !== country)) return false;
  const { location, city_slug } = venueDetailOf(catalogue, venue);
  const city = city_slug === null ? null : findCity(catalogue, city_slug);
  return cities.some((one) => areNear(location, one) || (city !== null && areNear(city, one)));
}

/** No event is upcoming at this time (ms), so no events are counted. */
const endOfTime = 8.64e15;
const venueDetailOf = ({ reader }: Catalogue, { id }: Candidate) =>
  reader.details.venue(id, reader.upcoming(endOfTime));

const maxPlaceWords = 4;

/**
 * Splits a text that starts or ends with a city, a country or both: "Berghain, Berlin, DE", "Tresor in Berlin". For
 * cities and artists the place can only be a country.
 */
export function splitPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  text: string,
): { name: string; within: PlaceConstraint } {
  const within: PlaceConstraint = {};
  let words = text.split(/[\s,;()]+/u).filter(Boolean);
  for (;;) {
    const match = findPlaceAtEdge(catalogue, kind, words, within);
    if (match === null) break;
    Object.assign(within, match.place);
    words = match.rest;
    while (words.length > 1 && /^(?:in|at|@|the|[-–])$/iu.test(words.at(-1) as string))
      words = words.slice(0, -1);
  }
  return { name: Object.keys(within).length > 0 ? words.join(' ') : text, within };
}

/** Returns the longest place at the end or start of the words, and the remaining words. */
function findPlaceAtEdge(
  catalogue: Catalogue,
  kind: NameableKind,
  words: readonly string[],
  partial: PlaceConstraint,
): { place: PlaceConstraint; rest: string[] } | null {
  for (let count = Math.min(maxPlaceWords, words.length - 1); count > 0; count--) {
    const atEnd = parsePlace(catalogue, kind, words.slice(-count).join(' '), partial);
    if (atEnd) return { place: atEnd, rest: words.slice(0, -count) };
    const atBeginning =
      kind === 'venue' ? parsePlace(catalogue, kind, words.slice(0, count).join(' '), partial) : null;
    if (atBeginning) return { place: atBeginning, rest: words.slice(count) };
  }
  return null;
}

/** Adds a city or country to a partial place; null if the text is neither. */
function parsePlace(
  { reader }: Catalogue,
  kind: NameableKind,
  text: string,
  partial: PlaceConstraint,
): PlaceConstraint | null {
  if (kind === 'venue' && partial.city === undefined) {
    const short = cityByAbbreviation(text);
    const called = reader.namedRecords.byExactName('city', text);
    const city = [...called, ...(short ? reader.namedRecords.byExactName('city', short.name) : [])].find(
      ({ country }) => partial.country === undefined || country === partial.country,
    );
    if (city) return { city: city.name, ...(city.country !== null && { country: city.country }) };
  }
  const country = partial.country === undefined ? countryCodeInSentence(text) : null;
  return country === null ? null : { country };
}
