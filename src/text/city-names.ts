/** Names of cities in the languages of the pages (`lexicon/city-names.tsv`). */
import { memoize } from '../memoize.ts';
import { fold } from './fold.ts';
import { readLexicon } from './lexicon.ts';

type CityNames = {
  /** The name in a language, by language, country and folded name: `de CH geneva`. */
  translated: ReadonlyMap<string, string>;
  /** Names in other languages, by country and folded name: `CH geneva`. */
  others: ReadonlyMap<string, readonly string[]>;
};

const cityNames = memoize(1, (): CityNames => {
  const translated = new Map<string, string>();
  const others = new Map<string, string[]>();
  for (const { term, language, class: group } of readLexicon('city-names')) {
    const country = group.slice(0, 2);
    const names = group.slice(3).replaceAll('_', ' ').split('|');
    for (const name of [...names, fold(term)]) {
      if (names.includes(name)) translated.set(`${language} ${country} ${name}`, term);
      const key = `${country} ${name}`;
      others.set(key, [
        ...(others.get(key) ?? []),
        ...[term, ...names].filter((other) => fold(other) !== name),
      ]);
    }
  }
  return { translated, others };
});

const all = (): CityNames => cityNames('');

/**
 * The name of a city in a language: "Genf" for Geneva in German. The written name if the list has none.
 * @param country ISO 3166-1; without one the name stays, because namesakes have names of their own (Vienna in Virginia)
 */
export const cityNameIn = (language: string, name: string, country: string | null): string =>
  country === null ? name : (all().translated.get(`${language} ${country} ${fold(name).trim()}`) ?? name);

/** The names by which people look for a city in other languages: "Genf" and "geneve" for Geneva. */
export const otherCityNames = (name: string, country: string | null): readonly string[] =>
  country === null ? [] : (all().others.get(`${country} ${fold(name).trim()}`) ?? []);
