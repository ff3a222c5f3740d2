/** Addresses of North America: states in several notations, and streets without a comma before the city. */
import { fold } from '../../text/fold.ts';
import { countriesWithCity, countryOfState, findStateCode } from './gazetteer.ts';
import { endsWithStreetWord, lastPart } from './postal-codes.ts';

/** Traditional state abbreviations. The full stop distinguishes them from other words. */
const stateAbbreviations: Readonly<Record<string, string>> = {
  ala: 'AL',
  ariz: 'AZ',
  ark: 'AR',
  calif: 'CA',
  colo: 'CO',
  conn: 'CT',
  del: 'DE',
  fla: 'FL',
  ga: 'GA',
  ill: 'IL',
  ind: 'IN',
  kan: 'KS',
  ky: 'KY',
  la: 'LA',
  mass: 'MA',
  md: 'MD',
  mich: 'MI',
  minn: 'MN',
  miss: 'MS',
  mo: 'MO',
  mont: 'MT',
  neb: 'NE',
  nev: 'NV',
  okla: 'OK',
  ont: 'ON',
  ore: 'OR',
  pa: 'PA',
  tenn: 'TN',
  tex: 'TX',
  va: 'VA',
  vt: 'VT',
  wash: 'WA',
  wis: 'WI',
  wyo: 'WY',
};
/** Longer parts are prose and are not split. */
const maxPartLength = 200;
/** Cities with the same name as their state. Alone, the name means the city. */
const cityNamedAsState = /^(?:new york|washington|quebec|québec)$/i;
const postalCode = String.raw`\d{5}(?:-\d{4})?|[A-Z]\d[A-Z](?: ?\d[A-Z]\d)?`;
const postalCodeOnly = new RegExp(`^(?:${postalCode})$`);
const stateNameAndCode = new RegExp(`^(\\p{L}[\\p{L} ]+?)\\s+(${postalCode})$`, 'u');

/** Expands "Bloomington, Ind." to the state code and its country; the code alone could be a country code. */
export function expandStateAbbreviation(parts: readonly string[]): string[] {
  const [, word = '', code] = /^(\p{L}{2,5})\.(?:\s+(\d{5}(?:-\d{4})?))?$/u.exec(lastPart(parts)) ?? [];
  const letters = stateAbbreviations[word.toLowerCase()];
  if (!letters || parts.length < 2) return [...parts];
  const state = code === undefined ? letters : `${letters} ${code}`;
  return [...parts.slice(0, -1), state, letters === 'ON' ? 'Canada' : 'USA'];
}

/**
 * Returns the address parts with one state code followed by the postal code. Examples of input: "Asheville, North
 * Carolina, 28806", "Toronto, M1L 1Z9, ON", "Cape May, NJ 08204, NJ".
 */
export function normalizeState(parts: readonly string[], country: string | null): string[] {
  if (country !== null && !/^(?:US|CA|AU)$/.test(country)) return [...parts];
  const [last = '', before = '', city = ''] = [parts.at(-1), parts.at(-2), parts.at(-3)];
  const upTo = (count: number): string[] => parts.slice(0, -count);
  const isState = (part: string): boolean => countryOfState.has(part);
  if (parts.length > 2 && isState(last) && postalCodeOnly.test(before))
    return [...upTo(2), `${last} ${before}`];
  if (parts.length > 2 && isState(last) && before.startsWith(`${last} `)) return upTo(1);
  if (parts.length > 3 && postalCodeOnly.test(last) && isState(before) && city === before)
    return [...upTo(3), `${before} ${last}`];
  const [, state, code] = (last.length > maxPartLength ? null : stateNameAndCode.exec(last)) ?? [];
  if (state !== undefined && parts.length > 1 && !/\d/.test(before)) {
    const letters = findStateCode(state, country);
    if (letters !== null) return [...upTo(1), `${letters} ${code}`];
  }
  const isStateThere = !cityNamedAsState.test(before) || countriesWithCity(city).length > 0;
  if (parts.length > 2 && postalCodeOnly.test(last) && !/\d/.test(city) && isStateThere) {
    const letters = findStateCode(before, country);
    if (letters !== null) return [...upTo(2), `${letters} ${last}`];
  }
  // Without a country, only a street before the city shows that the last word is a state.
  const hasEvidence = country !== null || /\d/.test(city);
  const letters = !hasEvidence || cityNamedAsState.test(last) ? null : findStateCode(last, country);
  if (letters !== null && parts.length > 2 && !/\d/.test(before)) return [...upTo(1), letters];
  return [...parts];
}

const streetEnd =
  /^(.*\d.*\b(?:st|street|ave|avenue|rd|road|dr|drive|blvd|boulevard|ln|lane|hwy|highway|pkwy|parkway|pl|place|ct|court|way|cir|circle|sq|square|ext|extension|trail|terrace)\b\.?(?:\s+(?:[NSEW]{1,2}\b\.?|#\S+|(?:ste|suite|unit|apt|fl)\b\.?\s*\S+))*)\s+(?:in\s+)?(\p{Lu}[\p{L}'.-]*(?:\s\p{Lu}[\p{L}'.-]*){0,2})$/iu;

/** A venue name followed by a street with its number: "LGBTQ Center 114 Hunt Street". */
const venueThenStreet = /^(\D{4,}?)[\s,@–—-]+(\d+\w?\s+\S.*)$/;

/** A city, and the venue name (if any) and street before it in the same part. */
type CityAndStreet = { city: string; before: string[] };

/**
 * Splits a city from the street, and the venue name, in one part: "185 Clingman Ave. Asheville".
 * @returns null if the part is only a city, or the start of the city is unclear
 */
export function splitCityFromStreet(part: string, country: string | null): CityAndStreet | null {
  const words = part.split(' ');
  if (words.length < 2 || part.length > maxPartLength || countriesWithCity(part).length > 0) return null;
  const isTown = (name: string): boolean =>
    country === null ? countriesWithCity(name).length > 0 : countriesWithCity(name).includes(country);
  for (const count of [3, 2, 1]) {
    const city = words.slice(-count).join(' ');
    const before = words.slice(0, -count).join(' ');
    const isStreetBefore = /\d/.test(before) || endsWithStreetWord(before) || /\s[-–—]$/.test(before);
    if (before !== '' && isStreetBefore && !/\d/.test(city) && isTown(city))
      return splitVenueFromStreet(city, before);
  }
  const [, before, city] = streetEnd.exec(part) ?? [];
  return before === undefined || city === undefined ? null : splitVenueFromStreet(city, before);
}

function splitVenueFromStreet(city: string, before: string): CityAndStreet {
  const tidy = before.replace(/^[\s–—-]+|(?:[\s,–—-]+(?:in\s*)?|\s+in)$/gi, '');
  const [, venue, street] = venueThenStreet.exec(tidy) ?? [];
  return { city, before: venue === undefined || street === undefined ? [tidy] : [venue, street] };
}

/** Removes a repeated city, and its state and code, from the parts before the city. */
export function withoutRepeatedCity(before: readonly string[], city: string | null): string[] {
  const parts = [...before];
  const isEcho = (part: string): boolean =>
    (city !== null && fold(part) === fold(city)) || stateOnly.test(part);
  const echoed = parts.findLastIndex((part) => city !== null && fold(part) === fold(city));
  if (echoed < 1 || echoed < parts.length - 2) return parts;
  while (parts.length > 1 && isEcho(lastPart(parts))) parts.pop();
  return parts;
}
const stateOnly = new RegExp(`^[A-Z]{2}(?:\\s(?:${postalCode}))?$`);
