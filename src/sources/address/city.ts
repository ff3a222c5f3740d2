/** The city at the end of an address from which the country was taken: beside its postal code, a state, or by itself. */
import { countryOfStateCode, isAmbiguousCode } from './country.ts';
import {
  countriesWithCity,
  countryOfState,
  isRegionInCountry,
  isTownInState,
  zoneOfCity,
} from './gazetteer.ts';
import { splitCityFromStreet } from './north-america.ts';
import {
  type CityAndCode,
  countryOfCode,
  endsWithStreetWord,
  isCodeOfCountry,
  isPostalCode,
  splitCityAndCode,
} from './postal-codes.ts';

/** What the end of a line says of the city: how many parts it took, and what they were. */
type CityMatch = { partCount: number; city: string | null; postalCode: string | null; country?: string };
/** Reads the city off the end; null where there is no evidence of this sort. */
type CityReader = (parts: string[], country: string | null) => CityMatch | null;

/** `10243 Berlin`, `F-75011 Paris`, `1012 AB Amsterdam`, `110 00 Praha 1`; a house number has fewer figures. */
const cityAfterCode: CityReader = (parts, country) => {
  const found = splitCityAndCode(parts.at(-1) as string);
  if (!found?.isFirst) return null;
  const owner = country ?? found.country ?? countryOfCodeAndCity(found);
  return {
    partCount: 1,
    city: found.city,
    postalCode: found.postalCode,
    ...(owner ? { country: owner } : {}),
  };
};

/** `Brooklyn NY 11225`; `Brooklyn, NY 11225`; `Brooklyn, NY, 11225`; `Memphis, TN`; `Toronto ON M5V 2T6`. */
const cityWithState: CityReader = (parts, country) => {
  const last = parts.at(-1) as string;
  const lone =
    parts.length > 2 && /^(?:\d{4,5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/.test(last) ? last : null;
  const form =
    /^(?:([\p{L}\d].*?)\s+)?([A-Z]{2,3})(?:\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z](?: ?\d[A-Z]\d)?|\d{4}))?$/u;
  const match = form.exec(parts.at(lone === null ? -1 : -2) as string);
  const postalCode = match?.[3] ?? lone;
  const owner = match && countryOfStateCode(match[2] as string, postalCode, country);
  if (!match || !owner || (country !== null && country !== owner)) return null;
  // "215 Church Ave Roanoke VA 24011", but not "1012 AB".
  if (/^\d/.test(match[1] ?? '') && splitCityFromStreet(match[1] as string, owner) === null) return null;
  const took = lone === null ? 1 : 2;
  if (match[1] !== undefined) {
    // "Studio LA": letters that are a country's as well say nothing without a town before them.
    const isTold = postalCode !== null || country !== null || !isAmbiguousCode(match[2] as string);
    return isTold || isTownInState(match[1], match[2] as string)
      ? { partCount: took, city: match[1], postalCode, country: owner }
      : null;
  }
  const before = parts.at(-1 - took);
  const city = before === undefined || isPostalCode(before) ? null : withoutDistrict(before);
  return { partCount: took + (city === null ? 0 : 1), city, postalCode, country: owner };
};

/** `London N1 6NU`; `London, N1 6NU`; `N1 6NU London`; `London, England, N1` where the country is told. */
const britishCity: CityReader = (parts, country) => {
  if (country !== null && country !== 'GB') return null;
  const last = parts.at(-1) as string;
  const before = /^([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\s+(\p{L}[^\d]*)$/u.exec(last);
  if (before)
    return { partCount: 1, city: before[2] as string, postalCode: before[1] as string, country: 'GB' };
  if (country === 'GB' && parts.length > 2 && /^[A-Z]{1,2}\d[A-Z\d]?$/.test(last)) {
    const isRegion = isRegionInCountry(parts.at(-2) as string, 'GB') && parts.length > 3;
    return { partCount: isRegion ? 3 : 2, city: parts.at(isRegion ? -3 : -2) as string, postalCode: last };
  }
  const match = /^(?:(\p{L}.*?)\s+)?([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/iu.exec(parts.at(-1) as string);
  if (!match) return null;
  const postalCode = (match[2] as string).toUpperCase();
  if (match[1] !== undefined) return { partCount: 1, city: match[1], postalCode, country: 'GB' };
  return parts.length > 2
    ? { partCount: 2, city: parts.at(-2) as string, postalCode, country: 'GB' }
    : { partCount: 1, city: null, postalCode, country: 'GB' };
};

/** `Tokyo 150-0044, Japan`; `Berlin, 10243`; `Amsterdam 1094 GZ`. */
const cityBeforeCode: CityReader = (parts, country) => {
  const last = parts.at(-1) as string;
  const found = splitCityAndCode(last);
  const owner = country ?? (found && (found.country ?? countryOfCodeAndCity(found)));
  if (found && !found.isFirst && owner)
    return { partCount: 1, city: found.city, postalCode: found.postalCode, country: owner };
  const before = parts.at(-2);
  if (!isPostalCode(last) || before === undefined || /\d/.test(before) || endsWithStreetWord(before))
    return null;
  if (parts.length <= 2 && countriesWithCity(before).length === 0) return null;
  const told =
    country ?? countryOfCodeAndCity({ city: before, postalCode: last, isFirst: false, country: null });
  return {
    partCount: 2,
    city: before,
    postalCode: last.replace('〒', ''),
    ...(told ? { country: told } : {}),
  };
};

/** Before a country stands a city; without one, only what a time zone is named after is known to be one. */
const bareCity: CityReader = (parts, country) => {
  const last = parts.at(-1) as string;
  const city = withoutDistrict(last);
  if (country === null)
    return zoneOfCity(last) !== undefined || (parts.length > 1 && countriesWithCity(city).length > 0)
      ? { partCount: 1, city, postalCode: null }
      : null;
  // The street is taken off where all is told.
  if (/\d/.test(city) && splitCityFromStreet(city, country) !== null)
    return { partCount: 1, city, postalCode: null };
  // "Stadsschouwburg, Netherlands" is a house without its city.
  if (parts.length === 1 && isVenueLike(city) && countriesWithCity(city).length === 0) return null;
  const isCity =
    !/\d/.test(city) && !isStreet(city) && !(/^[A-Z]{2,3}$/.test(city) && countryOfState.has(city));
  return isCity ? { partCount: 1, city, postalCode: null } : null;
};

/** Whether a part is called as houses are, and no city is: by a word of its own, or at the end of its only one. */
const isVenueLike = (part: string): boolean =>
  /\s/.test(part)
    ? /(?:^|\s)(?:club|nightclub|theat(?:re|er)|teatro|teatr|schouwburg|concert|arena|stadium|stadion|ballroom|bar|pub|café|lounge|warehouse|museum|auditorium|kulturhaus|kulturzentrum|konzerthaus)(?:\s|$)/i.test(
        part,
      )
    : /^\p{L}{4,}(?:huis|theater|theatre|schouwburg|konzerthaus|kulturhaus|stadthalle|stadion|arena)$/iu.test(
        part,
      );

/** "Dublin 8", "Wien 2", "Aarhus C": the number or letter of a district is none of the city's name. */
export function withoutDistrict(part: string): string {
  const city = part.replace(/\s+(?:\d{1,2}|[CKNSVØ]|NV|SV)$/, '');
  return countriesWithCity(city).length > 0 ? city : part;
}

/** The country of a code and the known city beside it; of a form that only one country has, that one. */
function countryOfCodeAndCity({ city, postalCode, isFirst }: CityAndCode): string | null {
  const own = countryOfCode(postalCode);
  if (own !== null) return own;
  const found = countriesWithCity(city).filter(
    (country) => isCodeOfCountry(postalCode, country) && !(isFirst && /^(?:US|CA|GB|AU)$/.test(country)),
  );
  return found.length === 1 ? (found[0] as string) : null;
}

/** In the order in which they are asked. */
export const cityReaders = [cityAfterCode, cityWithState, britishCity, cityBeforeCode, bareCity];

/** Whether a part is a street with its number, or a box at the post office. */
export const isStreet = (part: string): boolean =>
  /^\d+\w?(?:-\d+\w?)?\s+(?:bis\s+)?\p{L}|\p{L}(?:str(?:\.|a(?:ß|ss)e)?|weg|platz|gasse|allee|laan|straat|kade|gracht)\s*\d+|^(?:p\.? ?o\.? box|postfach|postbus)\b|^(?:rue|via|calle|rua|av\.?|avenida)\s.*\d/iu.test(
    part,
  ) ||
  (/\s/.test(part) && endsWithStreetWord(part));
