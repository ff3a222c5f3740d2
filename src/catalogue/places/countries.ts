/** Countries as people and models write them: a code, a name, or one of the short forms everybody uses. */
import { colloquialCountryNames, countryName, countryNames } from '../../contract/countries.ts';
import { countryCodes } from '../../contract/parameters.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isOneEditApart } from '../linking/typos.ts';

export { countryName };

/** Longer texts name no country. */
const maxNameLength = 100;

/** The code of every name of a country. */
const codesByName: ReadonlyMap<string, string> = new Map(
  countryNames().map(([name, code]) => [normalizeForSearch(name), code]),
);

const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl'];
let localizedCodes: ReadonlyMap<string, string> | null = null;

/** The code of a country by its name in another language; gathered when it is first wanted. */
function codeByLocalizedName(words: string): string | null {
  // Shorter ones are codes, which stand for themselves where a language has no name.
  if (words.length <= 3) return null;
  localizedCodes ??= new Map(
    languages.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' });
      return [...countryCodes].map((code): [string, string] => [
        normalizeForSearch(names.of(code) ?? code),
        code,
      ]);
    }),
  );
  return localizedCodes.get(words) ?? null;
}

/** Names that take an article within a sentence. */
const withArticle =
  /^(?:United |Netherlands|Philippines|Bahamas|Maldives|Gambia|Seychelles|Comoros|Isle of|Dominican Republic|Central African|Vatican|.* (?:Islands|Territories|Republic|Emirates)$)/u;

/** The name of a country as it stands within a sentence: "the United Kingdom". */
export function countryNameWithArticle(code: string): string {
  const name = countryName(code);
  return withArticle.test(name) ? `the ${name}` : name;
}

/** The ISO 3166-1 alpha-2 code of a country given by code or name; null where there is none. */
export function countryCode(text: string): string | null {
  if (text.length > maxNameLength) return null;
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  const words = normalizeForSearch(text);
  return codesByName.get(words) ?? codeByLocalizedName(words);
}

/** Whether a text is a code of a country rather than a name of one. */
export const isCountryCode = (text: string): boolean =>
  /^\p{L}{2,3}$/u.test(text) && countryCode(text) !== null;

const countryParts = new Set(['england', 'scotland', 'wales', 'northern ireland']);

/** Whether a text that is taken for a country is the name of a part of it. */
export const isPartOfCountry = (text: string): boolean => countryParts.has(normalizeForSearch(text));

/** The same, but a code has to be written in capitals: "de", "in" and "is" are words too. */
export function countryCodeInSentence(text: string): string | null {
  const isCode = /^\p{L}{2,3}$/u.test(text) && !Object.hasOwn(colloquialCountryNames, text.toLowerCase());
  return isCode && /\p{Ll}/u.test(text) ? null : countryCode(text);
}

/** A country whose name is one typo away; null where there is none. */
export function guessCountryCode(text: string): string | null {
  const asked = text.length > maxNameLength ? '' : fold(text).trim();
  if (asked.length < 4) return null;
  for (const [name, code] of codesByName) if (name.length > 3 && isOneEditApart(asked, name)) return code;
  return null;
}
