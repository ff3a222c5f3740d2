/** A place written in one line, as calendars and small pages write it: what one can honestly say of it. */
import { createHash } from 'node:crypto';
import { derivedIdPrefix } from '../../text/derived-id.ts';
import { fold } from '../../text/fold.ts';
import type { RecordOf } from '../adapter.ts';
import { cityReaders, isStreet, withoutDistrict } from './city.ts';
import { type AddressHints, homeCountries, takeCountry } from './country.ts';
import { countriesWithCity } from './gazetteer.ts';
import {
  expandStateAbbreviation,
  normalizeState,
  splitCityFromStreet,
  withoutRepeatedCity,
} from './north-america.ts';
import { splitCityAndCode } from './postal-codes.ts';

/** A place as far as it is known; a name alone is one too. */
export type ParsedPlace = {
  name: string | null;
  address: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
};

export const emptyPlace: ParsedPlace = {
  name: null,
  address: null,
  postalCode: null,
  city: null,
  country: null,
  latitude: null,
  longitude: null,
};

/** What is longer is no address. */
const maxAddressLength = 1_000;

/** Not places: said while the place is not told, and of shows that have none. */
const placeholderPlace =
  /^(?:t\.?b\.?[adc]\.?|to be (?:announced|confirmed|determined)|secret (?:location|venue|place)|undisclosed(?: location)?|location (?:tba|tbc)|venue (?:tba|tbc)|n\/?a|none|online(?: event)?|virtual(?: event)?|livestream|live stream|zoom|microsoft teams.*|google meet|tel\.?|phone|https?:\S*)$/i;

/**
 * Reads "Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany". The city and the country are told only where the text
 * gives evidence (a country's name or code, a postal code, a state, a city that is known); without any the whole text
 * is the name. Letters that are a country's and a state's are decided by what else is said, by the hints last.
 * @returns null where the text is no place ("TBA", an address of the web)
 */
export function parsePlace(text: string, hints: AddressHints = {}): ParsedPlace | null {
  if (text.length > maxAddressLength) return null;
  const comma = /[\n\r;|•·]+|,(?!\d{3}\b)/;
  // "Paradiso (Weteringschans 6-8, Amsterdam)"
  const parts = text
    .replace(/^([^()]+)\((?=[^()]*,)([^()]*)\)\s*$/, '$1, $2')
    .split(comma.test(text) ? comma : /\s[-–—]\s/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}-]/u.test(part));
  const first = parts[0];
  if (first === undefined || placeholderPlace.test(first) || placeholderPlace.test(text.trim())) return null;
  const { rest: written, country, isUndecided } = takeCountry(expandStateAbbreviation(parts), hints);
  const rest = isUndecided ? written : normalizeState(written, country);
  if (rest.length === 0) return { ...emptyPlace, country };
  for (const read of cityReaders) {
    const found = isUndecided ? null : read(rest, country);
    if (found === null) continue;
    const { partCount: took, city: told, ...where } = found;
    const owner = country ?? where.country ?? homeCountryWithCity(told, hints);
    // "Grey Eagle, 185 Clingman Ave. Asheville"
    const apart = told === null ? null : splitCityFromStreet(told, owner);
    const isStreetAlone = told !== null && apart === null && /^\d+\w?\s/.test(told) && isStreet(told);
    const city = isStreetAlone ? null : (apart?.city ?? told);
    const street = isStreetAlone ? [told] : (apart?.before ?? []);
    const before = withoutRepeatedCity([...rest.slice(0, rest.length - took), ...street], city);
    return { ...emptyPlace, ...where, city, country: owner, ...nameAndAddress(before) };
  }
  const city = isUndecided ? cityBeforeUndecidedCode(rest) : null;
  if (city !== null)
    return { ...emptyPlace, ...city, ...nameAndAddress(withoutRepeatedCity(rest.slice(0, -1), city.city)) };
  return country === null
    ? { ...emptyPlace, ...splitNameAndStreet(parts) }
    : { ...emptyPlace, country, ...nameAndAddress(rest) };
}

/** A known city of the country where the source is at home is that one. */
const homeCountryWithCity = (city: string | null, hints: AddressHints): string | null =>
  homeCountries(hints).find((home) => city !== null && countriesWithCity(city).includes(home)) ?? null;

/** Before letters that nobody can decide stands a city all the same. */
function cityBeforeUndecidedCode(rest: string[]): Pick<ParsedPlace, 'city' | 'postalCode'> | null {
  const last = rest.at(-1) as string;
  const { city, postalCode } = splitCityAndCode(last) ?? { city: withoutDistrict(last), postalCode: null };
  const isCity = rest.length > 1 || countriesWithCity(city).length > 0;
  return isCity && !/\d/.test(city) && !isStreet(city) ? { city, postalCode } : null;
}

/** Without a city or country: a street after the name is taken for one, all else stays in the name. */
function splitNameAndStreet(parts: string[]): Pick<ParsedPlace, 'name' | 'address'> {
  const street = /^\d+\w?(?:-\d+)?\s+(?:[NSEW]{1,2}\.?\s+)?\p{L}{3,}|^\p{L}{2}[^\d]*\s\d+\w?(?:-\d+)?$/u;
  const room = /\b(?:room|building|hall|floor|stage|level|gate|suite|raum|saal|salle|etage)\b/i;
  const [name, ...others] = parts;
  return others.length > 0 && others.every((part) => street.test(part) && !room.test(part))
    ? { name: name as string, address: others.join(', ') }
    : { name: parts.join(', '), address: null };
}

/** What is left: the name, then the street. A street alone is an address without a name. */
function nameAndAddress(rest: string[]): Pick<ParsedPlace, 'name' | 'address'> {
  const [first, ...street] = rest;
  if (first === undefined) return { name: null, address: null };
  if (isStreet(first) && street.every((part) => unitInBuilding.test(part)))
    return { name: null, address: rest.join(', ') };
  return { name: first, address: street.length === 0 ? null : street.join(', ') };
}

const unitInBuilding =
  /^(?:(?:suite|ste|unit|apt|floor|fl|level|room|etage|\d+\. ?(?:og|stock|etage)|\d+(?:st|nd|rd|th)? floor)\b|#|\d+\w?$|p\.? ?o\.? box)/i;
/** A stable id made of what something is known by. */
export const stableDigest = (...parts: (string | null)[]): string =>
  createHash('sha256')
    .update(
      parts
        .map((part) =>
          fold(part ?? '')
            .replace(/\s+/g, ' ')
            .trim(),
        )
        .join('\u0000'),
    )
    .digest('hex')
    .slice(0, 24);

/**
 * The id of a house that its source gives none: made of what it is called and where it is. That a source has two of
 * these says only that it spells a house in two ways (`isDerivedId`).
 */
export const derivedId = ({ name, city, country }: Pick<ParsedPlace, 'name' | 'city' | 'country'>): string =>
  `${derivedIdPrefix}${stableDigest(name, city, country)}`;

/** How a place stands within an event: a venue with a name, and the city and country of the event itself. */
export function eventPlaceFields(
  place: ParsedPlace | null,
  venueId: string | null,
): Partial<Pick<RecordOf<'event'>, 'venue' | 'city' | 'country'>> {
  if (place === null) return {};
  const { name, city, country } = place;
  const where = { ...(city === null ? {} : { city }), ...(country === null ? {} : { country }) };
  if (name === null) return where;
  return { ...where, venue: { ...(venueId === null ? {} : { external_id: venueId }), name, ...where } };
}

/** The venue's own record, where enough is known to make one. */
export function toVenueRecord(place: ParsedPlace, externalId: string): RecordOf<'venue'> | null {
  const { name, city, country } = place;
  if (name === null || city === null || country === null) return null;
  return {
    kind: 'venue',
    external_id: externalId,
    name,
    city,
    country,
    ...(place.address === null ? {} : { address: place.address }),
    ...(place.postalCode === null ? {} : { postal_code: place.postalCode }),
    ...(place.latitude === null || place.longitude === null
      ? {}
      : { latitude: place.latitude, longitude: place.longitude }),
  };
}

/** A pair of coordinates; null where it is none, or the point in the ocean that stands for "not known". */
export function parseCoordinates(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | null {
  const [north, east] = [toNumber(latitude), toNumber(longitude)];
  if (!Number.isFinite(north) || !Number.isFinite(east) || (north === 0 && east === 0)) return null;
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : null;
}

const toNumber = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : Number.NaN;
