/** Recognizes regions and countries behind a city's name: "WA", "Washington", "Washington, USA". */
import { colloquialCountryNames, countryName } from '../contract/countries.ts';
import { normalizeForSearch } from './fold.ts';

/**
 * Whether every part of the text behind a city's name is its region or its country.
 * @param suffix the text behind the first comma
 * @param place the region's name, or null if unknown, and the country's code
 */
export function isRegionOrCountry(
  suffix: string,
  [region, country]: readonly [string | null, string],
): boolean {
  const parts = suffix.split(',').map(normalizeForSearch).filter(Boolean);
  return parts.every((part) => isCountry(part, country) || (region !== null && isRegionName(part, region)));
}

const isCountry = (part: string, country: string): boolean =>
  part === country.toLowerCase() ||
  colloquialCountryNames[part] === country ||
  part === normalizeForSearch(countryName(country));

/** Whether a text is a region's name, or a code of its first letter and one or two later ones: "WA", "NSW", "PA". */
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
