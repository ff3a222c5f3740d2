/** Whether two names of cities are one city's. */
import { distance } from 'fastest-levenshtein';
import { remembered } from '../../remembered.ts';
import { areOfTwoScripts } from './letters.ts';
import type { Reason, VenueFacts } from './listing.ts';
import { cityWords, collapsed, townOf, wordsOf } from './words.ts';

export type Placed = Pick<VenueFacts, 'city' | 'cityAliases' | 'country'>;

/** Whether two names of cities are one; null where one is not known. */
export function compareCities(a: Placed, b: Placed): Reason | null {
  const [namesA, namesB] = [cityNames(a), cityNames(b)];
  if (namesA.length === 0 || namesB.length === 0) return null;
  // Of two that are known each by itself, names that are nearly one are two: "Offenbach", "Offenburg".
  const slips = !isKnown(a) && !isKnown(b);
  const one = !areOtherRegions(a, b) && namesA.some((x) => namesB.some((y) => sameCity(x, y, slips)));
  // In letters of their own: whether they are one nobody can read from them.
  if (!one && areOfTwoScripts(a.city ?? '', b.city ?? '')) return null;
  const text = one ? 'one city' : `${a.city} and ${b.city}`;
  return { evidence: 'city', weight: one ? 1.2 : ifOneTown(a, b), text };
}

/** How much it counts that two cities, of which one is unknown here, are called differently; and that two are. */
export const districtPerhaps = -2.2;
export const bothUnknown = -4.4;

/** How much it counts that a city has nearly the other's name, as in another language: "Luzern", "Lucerne". */
const perhapsTranslated = -1.5;

const isTranslated = (a: Placed, b: Placed): boolean => {
  const [one, two] = [a, b].map(({ city }) => cityWords(townOf(city ?? '')).join('')) as [string, string];
  return (
    a.country != null &&
    a.country === b.country &&
    Math.min(one.length, two.length) >= 6 &&
    one.slice(0, 2) === two.slice(0, 2) &&
    distance(one, two) <= 2
  );
};

/** "Newtown" and "Sydney": of a name that no list of cities has nobody knows that it is far from one that is there. */
function ifOneTown(a: Placed, b: Placed): number {
  const known = [a, b].filter(isKnown).length;
  if (known < 2 && isTranslated(a, b)) return perhapsTranslated;
  if (a.country == null || a.country !== b.country || known === 2) return -4.5;
  return known === 1 ? districtPerhaps : bothUnknown;
}

const isKnown = ({ cityAliases }: Placed): boolean => (cityAliases?.length ?? 0) > 0;

/** All names of a city, word by word; "Gdańsk/Sopot" is either. */
export const cityNames = ({ city, cityAliases }: Placed): (readonly string[])[] =>
  [city ?? '', townOf(city ?? ''), ...(city?.split(/\s*[/|]\s*/) ?? []), ...(cityAliases ?? [])]
    .map(cityWords)
    .filter((words) => words.length > 0);

/** "Portland, OR" and "Portland, ME"; a region may be written in letters of its name. */
function areOtherRegions(a: Placed, b: Placed): boolean {
  const [one, two] = [a, b].map(({ city }) => wordsOf((city ?? '').split(',')[1] ?? '').join(''));
  if (!one || !two || one === two) return false;
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return short.length > 3 || short[0] !== long[0] || (long.length <= 3 && short !== long);
}

/** "Frankfurt" is "Frankfurt am Main", "New York" is "New York City". */
function sameCity(a: readonly string[], b: readonly string[], slips: boolean): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const [one, two] = [a.join(''), b.join('')];
  if (one === two) return true;
  if (a.length === b.length) return collapsed(one) === collapsed(two) || (slips && distance(one, two) === 1);
  const lead = short.every((word, at) => word === long[at]);
  return (
    lead &&
    short.join('').length >= 4 &&
    (long.length - short.length > 1 ||
      /^(?:city|centre|center|central|stadt|..?|\w?\d+\w?)$/.test(long.at(-1) as string))
  );
}

/** "Nadir at Lido, Berlin, Germany": a country's names in the languages of most listings, word by word. */
export const countryWords = (code: string | null | undefined): readonly string[] =>
  code == null || !/^[A-Za-z]{2}$/.test(code) ? [] : namesOfCountry(code.toUpperCase());

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
const namesOfCountry = remembered(300, (code: string): readonly string[] => [
  ...new Set([
    ...languages.flatMap((language) =>
      wordsOf(new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? ''),
    ),
  ]),
]);
