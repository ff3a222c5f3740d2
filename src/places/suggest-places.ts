/** Suggests places while a name is typed. */
import { countryName } from '../contract/countries.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { isRegionOrCountry } from '../text/region-names.ts';
import type { Place, PlaceIndex } from './place-index.ts';

/** Maximum number of suggestions. */
export const maxSuggestions = 50;

/** A suggested place, as the terminal and the console show it. */
export type SuggestedPlace = Omit<Place, 'rank' | 'isDistrict'>;

/**
 * Suggests the places whose names start with a text, the largest first. Another name counts from half of its letters on
 * ("münc" for Munich).
 * @param prefix "mün"; behind a comma, the beginning of a region or country: "paris, te", "frankfurt, DE"
 */
export function suggestPlaces(index: PlaceIndex, prefix: string, limit: number): SuggestedPlace[] {
  if (prefix.length > 200) return [];
  const [name = '', ...rest] = prefix.split(',');
  const where = normalizeForSearch(rest.join(' '));
  const count = limit >= 1 ? Math.min(Math.trunc(limit), maxSuggestions) : 0;
  return index
    .startingWith(name, count, (place) => where === '' || isInPlace(place, where, rest.join(',')))
    .map(({ rank: _rank, isDistrict: _isDistrict, ...place }) => place);
}

const isInPlace = ({ country, region }: Place, where: string, text: string): boolean =>
  normalizeForSearch(region ?? '').startsWith(where) ||
  normalizeForSearch(countryName(country)).startsWith(where) ||
  isRegionOrCountry(text, [region, country]);
