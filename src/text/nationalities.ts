/** What people are called by their country, as catalogues describe them: "German techno producer". */
import { readLexicon } from './lexicon.ts';

const countryByNationality: ReadonlyMap<string, string> = new Map(
  readLexicon('nationalities').map((entry) => [entry.term, entry.class]),
);

/** Only the beginning says what somebody is; later on others are told of. */
const maxScannedLength = 60;
const nationalityPattern = new RegExp(
  `(?<![\\w-])(${[...countryByNationality.keys()].join('|')})(?![\\w-])`,
  'gi',
);

/** The country of whom a text begins to describe; null where it names none, or several. */
export function findNationality(text: string | null | undefined): string | null {
  const found = new Set(
    [...(text ?? '').slice(0, maxScannedLength).matchAll(nationalityPattern)]
      // "us" is a word, "US" a country.
      .filter(([word]) => word.length > 2 || word === word.toUpperCase())
      .map(([word]) => countryByNationality.get(word.toLowerCase()) as string),
  );
  return found.size === 1 ? ([...found][0] as string) : null;
}
