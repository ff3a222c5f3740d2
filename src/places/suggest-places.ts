/** Suggests places while a name is typed. */
import { countryName } from '../contract/countries.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { isRegionOrCountry } from '../text/region-names.ts';
import type { Place, PlaceIndex } from './place-index.ts';

/** Maximum number of suggestions. */
export const maxSuggestions = 50;

/**
 * Suggests the places whose names start with a text, the largest first. Another name counts from half of its letters on
 * ("münc" for Munich).
 * @param prefix "mün"; behind a comma, the beginning of a region or country: "paris, te", "frankfurt, DE"
 */
export function suggestPlaces(index: PlaceIndex, prefix: string, limit: number): Place[] {
  if (prefix.length > 200) return [];
  const [name = '', ...rest] = prefix.split(',');
  const where = normalizeForSearch(rest.join(' '));
  return index.startingWith(
    name,
    Math.min(Math.max(Math.trunc(limit), 0), maxSuggestions),
    (place) => where === '' || isInPlace(place, where, rest.join(',')),
  );
}

const isInPlace = ({ country, region }: Place, where: string, written: string): boolean =>
  normalizeForSearch(region ?? '').startsWith(where) ||
  normalizeForSearch(countryName(country)).startsWith(where) ||
  isRegionOrCountry(written, [region, country]);
