/** Compares the names of two cities. */
import { distance } from 'fastest-levenshtein';
import { memoize, memoizeByObject } from '../../memoize.ts';
import { areInDifferentScripts } from '../../text/scripts.ts';
import { cityTokens, cityWithoutRegion, foldUmlauts, tokenize } from '../../text/tokens.ts';
import type { VenueFacts } from '../model.ts';

export type CityFacts = Pick<VenueFacts, 'city' | 'cityAliases' | 'country'>;

/** How the cities of two records compare; each kind of record weighs it by its own table. */
export type CityCode =
  | 'city.same'
  | 'city.different'
  | 'city.possible-translation'
  | 'city.possible-district'
  | 'city.both-unknown';

/** Compares two cities by their names; null where one is not known, or the two are in different scripts. */
export function compareCities(a: CityFacts, b: CityFacts): CityCode | null {
  const [namesA, namesB] = [cityNames(a), cityNames(b)];
  if (namesA.length === 0 || namesB.length === 0) return null;
  // Two known cities with similar names are two: "Offenbach", "Offenburg".
  const slips = !isKnownCity(a) && !isKnownCity(b);
  const one =
    !haveDifferentRegions(a, b) && namesA.some((x) => namesB.some((y) => isSameCityName(x, y, slips)));
  // Names in two scripts cannot be compared.
  if (!one && areInDifferentScripts(a.city ?? '', b.city ?? '')) return null;
  return one ? 'city.same' : compareDifferentNames(a, b);
}

/** "Luzern", "Lucerne": nearly one name, as in another language. */
const isPossibleTranslation = (a: CityFacts, b: CityFacts): boolean => {
  const [one, two] = [a, b].map(({ city }) => cityTokens(cityWithoutRegion(city ?? '')).join('')) as [
    string,
    string,
  ];
  return (
    a.country != null &&
    a.country === b.country &&
    Math.min(one.length, two.length) >= 6 &&
    one.slice(0, 2) === two.slice(0, 2) &&
    distance(one, two) <= 2
  );
};

/** "Newtown" and "Sydney": a name that no list of cities has may be a district of a city that is listed. */
function compareDifferentNames(a: CityFacts, b: CityFacts): CityCode {
  const knownCount = [a, b].filter(isKnownCity).length;
  if (knownCount < 2 && isPossibleTranslation(a, b)) return 'city.possible-translation';
  if (a.country == null || a.country !== b.country || knownCount === 2) return 'city.different';
  return knownCount === 1 ? 'city.possible-district' : 'city.both-unknown';
}

const isKnownCity = ({ cityAliases }: CityFacts): boolean => (cityAliases?.length ?? 0) > 0;

/** All names of a city, word by word; "Gdańsk/Sopot" is either. */
export const cityNames = memoizeByObject(({ city, cityAliases }: CityFacts): readonly (readonly string[])[] =>
  [city ?? '', cityWithoutRegion(city ?? ''), ...(city?.split(/\s*[/|]\s*/) ?? []), ...(cityAliases ?? [])]
    .map(cityTokens)
    .filter((words) => words.length > 0),
);

/** "Portland, OR" and "Portland, ME"; a region may be written in letters of its name. */
function haveDifferentRegions(a: CityFacts, b: CityFacts): boolean {
  if (a.city === b.city) return false;
  const [one, two] = [a, b].map(({ city }) => tokenize((city ?? '').split(',')[1] ?? '').join(''));
  if (!one || !two || one === two) return false;
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return short.length > 3 || short[0] !== long[0] || (long.length <= 3 && short !== long);
}

/** "Frankfurt" is "Frankfurt am Main", "New York" is "New York City". */
function isSameCityName(a: readonly string[], b: readonly string[], allowTypos: boolean): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const [one, two] = [a.join(''), b.join('')];
  if (one === two) return true;
  if (a.length === b.length)
    return foldUmlauts(one) === foldUmlauts(two) || (allowTypos && distance(one, two) === 1);
  const lead = short.every((word, at) => word === long[at]);
  return (
    lead &&
    short.join('').length >= 4 &&
    (long.length - short.length > 1 ||
      /^(?:city|centre|center|central|stadt|..?|\w?\d+\w?)$/.test(long.at(-1) as string))
  );
}

/** "Nadir at Lido, Berlin, Germany": a country's names in the languages of most listings, word by word. */
export const countryTokens = (code: string | null | undefined): readonly string[] =>
  code == null || !/^[A-Za-z]{2}$/.test(code) ? [] : countryNameTokens(code.toUpperCase());

const countryNameLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
const countryNameTokens = memoize(300, (code: string): readonly string[] => [
  ...new Set([
    ...countryNameLanguages.flatMap((language) =>
      tokenize(new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? ''),
    ),
  ]),
]);
