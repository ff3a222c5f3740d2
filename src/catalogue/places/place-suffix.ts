/** Places that stand beside a name: "Berghain, Berlin, DE", "Tresor in Berlin", "Portland, OR". */

import type { NameableKind } from '../../store/search/named-records.ts';
import { fold } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';
import type { Candidate } from '../linking/candidates.ts';
import { areNear, type CityLocation, findCity } from './cities.ts';
import { cityByAbbreviation } from './city-abbreviations.ts';
import { countryCodeInSentence } from './countries.ts';

/** Where a record has to be: a city by its name, or one of these cities on record. */
export type PlaceConstraint = { city?: string; country?: string; cities?: readonly CityLocation[] };

/** Whether a record lies there. */
export function matchesPlace(
  record: { city: string | null; country: string | null },
  place: PlaceConstraint,
): boolean {
  if (place.country !== undefined && record.country !== place.country) return false;
  return place.city === undefined || (record.city !== null && fold(record.city) === fold(place.city));
}

/** The same of a record of a kind: a venue is in the city that it is linked to, whatever that is called. */
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

/** Whether a venue, by its own position or its city's, is near one of the cities asked for. */
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

/** Nothing is upcoming then (ms), so that nothing has to be counted. */
const endOfTime = 8.64e15;
const venueDetailOf = ({ reader }: Catalogue, { id }: Candidate) =>
  reader.details.venue(id, reader.upcoming(endOfTime));

const maxPlaceWords = 4;

/**
 * A text that ends or begins with a city or a country, or both: "Berghain, Berlin, DE", "Tresor in Berlin". Only a
 * country stands beside cities, and behind artists.
 */
export function splitPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  text: string,
): { name: string; within: PlaceConstraint } {
  const within: PlaceConstraint = {};
  let words = text.split(/[\s,;()]+/u).filter(Boolean);
  for (;;) {
    const found = findPlaceAtEdge(catalogue, kind, words, within);
    if (found === null) break;
    Object.assign(within, found.place);
    words = found.rest;
    while (words.length > 1 && /^(?:in|at|@|the|[-–])$/iu.test(words.at(-1) as string))
      words = words.slice(0, -1);
  }
  return { name: Object.keys(within).length > 0 ? words.join(' ') : text, within };
}

/** The longest place at the end or the beginning of the words, and the words without it. */
function findPlaceAtEdge(
  catalogue: Catalogue,
  kind: NameableKind,
  words: readonly string[],
  known: PlaceConstraint,
): { place: PlaceConstraint; rest: string[] } | null {
  for (let count = Math.min(maxPlaceWords, words.length - 1); count > 0; count--) {
    const atEnd = parsePlace(catalogue, kind, words.slice(-count).join(' '), known);
    if (atEnd) return { place: atEnd, rest: words.slice(0, -count) };
    const atBeginning =
      kind === 'venue' ? parsePlace(catalogue, kind, words.slice(0, count).join(' '), known) : null;
    if (atBeginning) return { place: atBeginning, rest: words.slice(count) };
  }
  return null;
}

/** What a text adds to a place that is known in part; null where it is no city and no country. */
function parsePlace(
  { reader }: Catalogue,
  kind: NameableKind,
  text: string,
  known: PlaceConstraint,
): PlaceConstraint | null {
  if (kind === 'venue' && known.city === undefined) {
    const short = cityByAbbreviation(text);
    const called = reader.namedRecords.byExactName('city', text);
    const city = [...called, ...(short ? reader.namedRecords.byExactName('city', short.name) : [])].find(
      ({ country }) => known.country === undefined || country === known.country,
    );
    if (city) return { city: city.name, ...(city.country !== null && { country: city.country }) };
  }
  const country = known.country === undefined ? countryCodeInSentence(text) : null;
  return country === null ? null : { country };
}
