/** Parses a place written on one line, as calendars and small sites write it. */

import { createHash } from 'node:crypto';
import { derivedIdPrefix } from '../../text/derived-id.ts';
import { fold } from '../../text/fold.ts';
import type { RecordOf } from '../adapter.ts';
import { stated } from '../common/values.ts';
import { cityReaders, isStreet, withoutDistrict } from './city.ts';
import { type AddressHints, homeCountries, takeCountry } from './country.ts';
import { countriesWithCity, isTownElsewhere } from './gazetteer.ts';
import {
  expandStateAbbreviation,
  normalizeState,
  splitCityFromStreet,
  withoutRepeatedCity,
} from './north-america.ts';
import { lastPart, splitCityAndCode } from './postal-codes.ts';

/** A place with the fields that are known; it may have only a name. */
export type ParsedPlace = {
  name: string | null;
  address: string | null;
  postalCode: string | null;
  city: string | null;
  /** The code of the state in the United States, Canada or Australia; only texts on one line have it. */
  state?: string | null;
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

/** Longer texts are not addresses. */
const maxAddressLength = 1_000;

/** Placeholders for a place that is not announced, and online events. */
const placeholderPlace =
  /^(?:t\.?b\.?[adc]\.?|to be (?:announced|confirmed|determined)|secret (?:location|venue|place)|undisclosed(?: location)?|location (?:tba|tbc)|venue (?:tba|tbc)|n\/?a|none|online(?: event)?|virtual(?: event)?|livestream|live stream|zoom|microsoft teams.*|google meet|tel\.?|phone|https?:\S*)$/i;

/**
 * Parses a text such as "Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany". City and country need evidence in
 * the text: a country name or code, a postal code, a state, or a known city. Without evidence the whole text is the
 * name. Ambiguous country or state codes are decided by the other parts, then by the hints.
 * @returns null if the text is not a place ("TBA", a URL)
 */
export function parsePlace(text: string, hints: AddressHints = {}): ParsedPlace | null {
  if (text.length > maxAddressLength) return null;
  const comma = /[\n\r;|•·]+|,(?!\d{3}\b)/;
  const spelled = text
    // "Paradiso (Weteringschans 6-8, Amsterdam)"
    .replace(/^([^()]+)\((?=[^()]*,)([^()]*)\)\s*$/, '$1, $2')
    // "Monarch (San Francisco)"
    .replace(/^([^(),]+)\(([^(),]+)\)\s*$/, (whole, name: string, city: string) =>
      isKnownCity(city, hints) ? `${name}, ${city}` : whole,
    );
  const parts = spelled
    .split(comma.test(spelled) ? comma : /\s[-–—]\s/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}-]/u.test(part));
  const first = parts[0];
  if (first === undefined || placeholderPlace.test(first) || placeholderPlace.test(text.trim())) return null;
  const { rest: written, country, isUndecided } = takeCountry(expandStateAbbreviation(parts), hints);
  const rest = isUndecided ? written : normalizeState(written, country);
  if (rest.length === 0) return { ...emptyPlace, country };
  for (const read of cityReaders) {
    const match = isUndecided ? null : read(rest, country);
    if (match === null) continue;
    const { partCount: took, city: cityText, ...where } = match;
    const owner = country ?? where.country ?? homeCountryWithCity(cityText, hints);
    // "Grey Eagle, 185 Clingman Ave. Asheville"
    const apart = cityText === null ? null : splitCityFromStreet(cityText, owner);
    const isStreetAlone =
      cityText !== null && apart === null && /^\d+\w?\s/.test(cityText) && isStreet(cityText);
    const city = isStreetAlone ? null : (apart?.city ?? cityText);
    const street = isStreetAlone ? [cityText] : (apart?.before ?? []);
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

/** The city with its state, "Portland, ME", if a known city of the name is in another one. */
export const cityWithOwnState = ({ city, state }: ParsedPlace): string | null =>
  city !== null && state != null && isTownElsewhere(city, state) ? `${city}, ${state}` : city;

/** Whether a text is the name of a known city, in the stated country if there is one. */
const isKnownCity = (text: string, { country }: AddressHints): boolean => {
  const countries = countriesWithCity(text.trim());
  return country ? countries.includes(country) : countries.length > 0;
};

/** Returns the source's home country that has a known city of this name. */
const homeCountryWithCity = (city: string | null, hints: AddressHints): string | null =>
  homeCountries(hints).find((home) => city !== null && countriesWithCity(city).includes(home)) ?? null;

function cityBeforeUndecidedCode(rest: string[]): Pick<ParsedPlace, 'city' | 'postalCode'> | null {
  const last = lastPart(rest);
  const { city, postalCode } = splitCityAndCode(last) ?? { city: withoutDistrict(last), postalCode: null };
  const isCity = rest.length > 1 || countriesWithCity(city).length > 0;
  return isCity && !/\d/.test(city) && !isStreet(city) ? { city, postalCode } : null;
}

/** Splits name and street for a text without city or country; everything else stays in the name. */
function splitNameAndStreet(parts: string[]): Pick<ParsedPlace, 'name' | 'address'> {
  const street = /^\d+\w?(?:-\d+)?\s+(?:[NSEW]{1,2}\.?\s+)?\p{L}{3,}|^\p{L}{2}[^\d]*\s\d+\w?(?:-\d+)?$/u;
  const room = /\b(?:room|building|hall|floor|stage|level|gate|suite|raum|saal|salle|etage)\b/i;
  const [name = null, ...others] = parts;
  return others.length > 0 && others.every((part) => street.test(part) && !room.test(part))
    ? { name, address: others.join(', ') }
    : { name: parts.join(', '), address: null };
}

/** Splits the remaining parts into name and street. A street alone is an address without a name. */
function nameAndAddress(rest: string[]): Pick<ParsedPlace, 'name' | 'address'> {
  const [first, ...street] = rest;
  if (first === undefined) return { name: null, address: null };
  if (isStreet(first) && street.every((part) => unitInBuilding.test(part)))
    return { name: null, address: rest.join(', ') };
  return { name: first, address: street.length === 0 ? null : street.join(', ') };
}

const unitInBuilding =
  /^(?:(?:suite|ste|unit|apt|floor|fl|level|room|etage|\d+\. ?(?:og|stock|etage)|\d+(?:st|nd|rd|th)? floor)\b|#|\d+\w?$|p\.? ?o\.? box)/i;
/** Returns a stable id: a digest of the identifying texts. */
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
 * Returns an id for a venue that has none at its source, from name, city and country. Two such ids within one source
 * only mean two spellings (`isDerivedId`).
 */
export const derivedId = ({ name, city, country }: Pick<ParsedPlace, 'name' | 'city' | 'country'>): string =>
  `${derivedIdPrefix}${stableDigest(name, city, country)}`;

/** Returns the venue, city and country fields of an event at this place. */
export function eventPlaceFields(
  place: ParsedPlace | null,
  venueId: string | null,
): Partial<Pick<RecordOf<'event'>, 'venue' | 'city' | 'country'>> {
  if (place === null) return {};
  const { name, city, country } = place;
  const where = stated({ city, country });
  return name === null ? where : { ...where, venue: { ...stated({ external_id: venueId }), name, ...where } };
}

/** Returns the venue's own record, or null if too little is known. */
export function toVenueRecord(place: ParsedPlace, externalId: string): RecordOf<'venue'> | null {
  const { name, city, country, address, postalCode, latitude, longitude } = place;
  if (name === null || city === null || country === null) return null;
  const point = latitude === null || longitude === null ? null : { latitude, longitude };
  const optional = stated({ address, postal_code: postalCode, ...point });
  return { kind: 'venue', external_id: externalId, name, city, country, ...optional };
}

/** Parses coordinates; null if they are invalid or 0,0 ("not known"). */
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
