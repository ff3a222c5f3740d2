/** What stands behind a city's name: "WA", "Washington", "Washington, USA". */
import { colloquialCountryNames, countryName } from '../contract/countries.ts';
import { normalizeForSearch } from './fold.ts';

/**
 * Whether all that is said behind a city's name is its region or its country.
 * @param said what stands behind the first comma
 * @param known the region's name, where it is known, and the country's code
 */
export function isRegionOrCountry(
  said: string,
  [region, country]: readonly [string | null, string],
): boolean {
  const parts = said.split(',').map(normalizeForSearch).filter(Boolean);
  return parts.every((part) => isCountry(part, country) || (region !== null && isRegionName(part, region)));
}

const isCountry = (part: string, country: string): boolean =>
  part === country.toLowerCase() ||
  colloquialCountryNames[part] === country ||
  part === normalizeForSearch(countryName(country));

/** A region's name, or its code of two or three letters: the first, and others that follow in it. "WA", "NSW", "PA". */
export function isRegionName(part: string, region: string): boolean {
  const name = normalizeForSearch(region);
  if (part === name) return true;
  const [code = '', more] = part.split(' ');
  if (more !== undefined || !/^[a-z]{2,3}$/.test(code) || code[0] !== name[0]) return false;
  let at = -1;
  return [...code].every((letter) => {
    at = name.indexOf(letter, at + 1);
    return at >= 0;
  });
}
