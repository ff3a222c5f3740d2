/** Reads the city at the end of an address without its country: next to a postal code, next to a state, or alone. */
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
  lastPart,
  splitCityAndCode,
} from './postal-codes.ts';

/** What the end of an address contains: the number of parts used, and the city and code in them. */
type CityMatch = {
  partCount: number;
  city: string | null;
  postalCode: string | null;
  state?: string;
  country?: string;
};
/** Reads the city from the end of an address; null if this format does not match. */
type CityReader = (parts: string[], country: string | null) => CityMatch | null;

/** `10243 Berlin`, `F-75011 Paris`, `1012 AB Amsterdam`, `110 00 Praha 1`. A house number has fewer digits. */
const cityAfterCode: CityReader = (parts, country) => {
  const cityAndCode = splitCityAndCode(lastPart(parts));
  if (!cityAndCode?.isFirst) return null;
  const owner = country ?? cityAndCode.country ?? countryOfCodeAndCity(cityAndCode);
  const { city, postalCode } = cityAndCode;
  return { partCount: 1, city, postalCode, ...(owner ? { country: owner } : {}) };
};

/** `Brooklyn NY 11225`; `Brooklyn, NY 11225`; `Brooklyn, NY, 11225`; `Memphis, TN`; `Toronto ON M5V 2T6`. */
const cityWithState: CityReader = (parts, country) => {
  const last = lastPart(parts);
  const lone =
    parts.length > 2 && /^(?:\d{4,5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/.test(last) ? last : null;
  const form =
    /^(?:([\p{L}\d].*?)\s+)?([A-Z]{2,3})(?:\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z](?: ?\d[A-Z]\d)?|\d{4}))?$/u;
  const [, name, state, code] = form.exec(parts.at(lone === null ? -1 : -2) ?? '') ?? [];
  if (state === undefined) return null;
  const postalCode = code ?? lone;
  const owner = countryOfStateCode(state, postalCode, country);
  if (!owner || (country !== null && country !== owner)) return null;
  // "215 Church Ave Roanoke VA 24011", but not "1012 AB".
  if (name !== undefined && /^\d/.test(name) && splitCityFromStreet(name, owner) === null) return null;
  const took = lone === null ? 1 : 2;
  if (name !== undefined) {
    // "Studio LA": a code that is also a country code needs a town before it.
    const isUnambiguous = postalCode !== null || country !== null || !isAmbiguousCode(state);
    return isUnambiguous || isTownInState(name, state)
      ? { partCount: took, city: name, postalCode, state, country: owner }
      : null;
  }
  const before = parts.at(-1 - took);
  const city = before === undefined || isPostalCode(before) ? null : withoutDistrict(before);
  return { partCount: took + (city === null ? 0 : 1), city, postalCode, state, country: owner };
};

/** `London N1 6NU`; `London, N1 6NU`; `N1 6NU London`; `London, England, N1` if the country is given. */
const britishCity: CityReader = (parts, country) => {
  if (country !== null && country !== 'GB') return null;
  const last = lastPart(parts);
  const [before = null, region = ''] = [parts.at(-3), parts.at(-2)];
  const [, leading, cityBehind] = /^([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\s+(\p{L}[^\d]*)$/u.exec(last) ?? [];
  if (leading !== undefined && cityBehind !== undefined)
    return { partCount: 1, city: cityBehind, postalCode: leading, country: 'GB' };
  if (country === 'GB' && parts.length > 2 && /^[A-Z]{1,2}\d[A-Z\d]?$/.test(last)) {
    const isRegion = isRegionInCountry(region, 'GB') && parts.length > 3;
    return { partCount: isRegion ? 3 : 2, city: isRegion ? before : region, postalCode: last };
  }
  const match = /^(?:(\p{L}.*?)\s+)?([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/iu.exec(last);
  const [, city, code] = match ?? [];
  if (code === undefined) return null;
  const postalCode = code.toUpperCase();
  if (city !== undefined) return { partCount: 1, city, postalCode, country: 'GB' };
  return parts.length > 2
    ? { partCount: 2, city: region, postalCode, country: 'GB' }
    : { partCount: 1, city: null, postalCode, country: 'GB' };
};

/** `Tokyo 150-0044, Japan`; `Berlin, 10243`; `Amsterdam 1094 GZ`. */
const cityBeforeCode: CityReader = (parts, country) => {
  const last = lastPart(parts);
  const cityAndCode = splitCityAndCode(last);
  const owner = country ?? (cityAndCode && (cityAndCode.country ?? countryOfCodeAndCity(cityAndCode)));
  if (cityAndCode && !cityAndCode.isFirst && owner)
    return { partCount: 1, city: cityAndCode.city, postalCode: cityAndCode.postalCode, country: owner };
  const before = parts.at(-2);
  if (!isPostalCode(last) || before === undefined || /\d/.test(before) || endsWithStreetWord(before))
    return null;
  if (parts.length <= 2 && countriesWithCity(before).length === 0) return null;
  const codeCountry =
    country ?? countryOfCodeAndCity({ city: before, postalCode: last, isFirst: false, country: null });
  return {
    partCount: 2,
    city: before,
    postalCode: last.replace('〒', ''),
    ...(codeCountry ? { country: codeCountry } : {}),
  };
};

/** Reads the last part as the city if a country follows; otherwise only cities with a time zone named after them. */
const bareCity: CityReader = (parts, country) => {
  const last = lastPart(parts);
  const city = withoutDistrict(last);
  if (country === null)
    return zoneOfCity(last) !== undefined || (parts.length > 1 && countriesWithCity(city).length > 0)
      ? { partCount: 1, city, postalCode: null }
      : null;
  // Separates the street if the country is known.
  if (/\d/.test(city) && splitCityFromStreet(city, country) !== null)
    return { partCount: 1, city, postalCode: null };
  // "Stadsschouwburg, Netherlands" is a venue without a city.
  if (parts.length === 1 && isVenueLike(city) && countriesWithCity(city).length === 0) return null;
  const isCity =
    !/\d/.test(city) && !isStreet(city) && !(/^[A-Z]{2,3}$/.test(city) && countryOfState.has(city));
  return isCity ? { partCount: 1, city, postalCode: null } : null;
};

/** Whether a part looks like a venue name: it has a venue word, or one word with a typical ending. */
const isVenueLike = (part: string): boolean =>
  /\s/.test(part)
    ? /(?:^|\s)(?:club|nightclub|theat(?:re|er)|teatro|teatr|schouwburg|concert|arena|stadium|stadion|ballroom|bar|pub|café|lounge|warehouse|museum|auditorium|kulturhaus|kulturzentrum|konzerthaus)(?:\s|$)/i.test(
        part,
      )
    : /^\p{L}{4,}(?:huis|theater|theatre|schouwburg|konzerthaus|kulturhaus|stadthalle|stadion|arena)$/iu.test(
        part,
      );

/** Removes a district number or letter: "Dublin 8", "Wien 2", "Aarhus C". */
export function withoutDistrict(part: string): string {
  const city = part.replace(/\s+(?:\d{1,2}|[CKNSVØ]|NV|SV)$/, '');
  return countriesWithCity(city).length > 0 ? city : part;
}

/** Returns the country of a postal code next to a known city, or of a format that only one country has. */
function countryOfCodeAndCity({ city, postalCode, isFirst }: CityAndCode): string | null {
  const own = countryOfCode(postalCode);
  if (own !== null) return own;
  const countries = countriesWithCity(city).filter(
    (country) => isCodeOfCountry(postalCode, country) && !(isFirst && /^(?:US|CA|GB|AU)$/.test(country)),
  );
  return countries.length === 1 ? (countries[0] as string) : null;
}

/** The readers, in the order in which they are tried. */
export const cityReaders = [cityAfterCode, cityWithState, britishCity, cityBeforeCode, bareCity];

/** Whether a part is a street with a house number, or a PO box. */
export const isStreet = (part: string): boolean =>
  /^\d+\w?(?:-\d+\w?)?\s+(?:bis\s+)?\p{L}|\p{L}(?:str(?:\.|a(?:ß|ss)e)?|weg|platz|gasse|allee|laan|straat|kade|gracht)\s*\d+|^(?:p\.? ?o\.? box|postfach|postbus)\b|^(?:rue|via|calle|rua|av\.?|avenida)\s.*\d/iu.test(
    part,
  ) ||
  (/\s/.test(part) && endsWithStreetWord(part));
