/** Finds the country in descriptions of artists: "German techno producer". */
import { readLexicon } from './lexicon.ts';

const countryByNationality: ReadonlyMap<string, string> = new Map(
  readLexicon('nationalities').map((entry) => [entry.term, entry.class]),
);

/** Only the beginning describes the artist; later parts mention others. */
const maxScannedLength = 60;
const nationalityPattern = new RegExp(
  `(?<![\\w-])(${[...countryByNationality.keys()].join('|')})(?![\\w-])`,
  'gi',
);

/** The country code of the nationality at the beginning of a description; null if it names none or several. */
export function findNationality(text: string | null | undefined): string | null {
  const countries = new Set(
    [...(text ?? '').slice(0, maxScannedLength).matchAll(nationalityPattern)]
      // "us" is a word, "US" a country.
      .filter(([word]) => word.length > 2 || word === word.toUpperCase())
      .map(([word]) => countryByNationality.get(word.toLowerCase()) as string),
  );
  return countries.size === 1 ? ([...countries][0] as string) : null;
}
