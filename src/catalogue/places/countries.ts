/** Resolves countries given as a code, a name or a common short form. */
import { colloquialCountryNames, countryName, countryNames } from '../../contract/countries.ts';
import { countryCodes } from '../../contract/parameters.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isOneEditApart } from '../../text/one-edit.ts';

export { countryName };

/** Longer texts are not country names. */
const maxNameLength = 100;

/** Country code by normalized English name. Made at the first use: most commands need no names of countries. */
let codesByName: ReadonlyMap<string, string> | null = null;

function englishCodes(): ReadonlyMap<string, string> {
  codesByName ??= new Map(countryNames().map(([name, code]) => [normalizeForSearch(name), code]));
  return codesByName;
}

const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl'];
let localizedCodes: ReadonlyMap<string, string> | null = null;

/** Returns the code of a country by its name in another language. The names are collected on first use. */
function codeByLocalizedName(words: string): string | null {
  // Shorter names are codes, which `Intl` returns if a language has no name.
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

/** Countries whose name takes an article in a sentence. */
const withArticle =
  /^(?:United |Netherlands|Philippines|Bahamas|Maldives|Gambia|Seychelles|Comoros|Isle of|Dominican Republic|Central African|Vatican|.* (?:Islands|Territories|Republic|Emirates)$)/u;

/** Returns a country's name as used in a sentence: "the United Kingdom". */
export function countryNameWithArticle(code: string): string {
  const name = countryName(code);
  return withArticle.test(name) ? `the ${name}` : name;
}

/** Returns the ISO 3166-1 alpha-2 code of a country given by code or name, or null. */
export function countryCode(text: string): string | null {
  if (text.length > maxNameLength) return null;
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  const words = normalizeForSearch(text);
  return englishCodes().get(words) ?? codeByLocalizedName(words);
}

/** Whether a text is a country code rather than a name. */
export const isCountryCode = (text: string): boolean =>
  /^\p{L}{2,3}$/u.test(text) && countryCode(text) !== null;

/** Parts of the United Kingdom in seven languages, in alphabetical order. */
const countryParts: ReadonlySet<string> = new Set(
  `angleterre|ecosse|engeland|england|escocia|inghilterra|inglaterra|irlanda del nord|irlanda del norte|irlanda do norte|irlande du nord|noord ierland|nordirland|northern ireland|pays de galles|schotland|schottland|scotland|scozia|wales`.split(
    '|',
  ),
);

/** Whether a text that resolves to a country names only a part of it. */
export const isPartOfCountry = (text: string): boolean => countryParts.has(normalizeForSearch(text));

/** Like `countryCode`, but accepts codes in capitals only: "de", "in" and "is" are also words. "PER" is no country. */
export function countryCodeInSentence(text: string): string | null {
  const isCode = /^\p{L}{2,3}$/u.test(text) && !Object.hasOwn(colloquialCountryNames, text.toLowerCase());
  const isWord = isCode && (text.length === 3 || /\p{Ll}/u.test(text));
  return isWord ? null : countryCode(text);
}

/** Returns the country whose name is one typo away, or null. */
export function guessCountryCode(text: string): string | null {
  const foldedText = text.length > maxNameLength ? '' : fold(text).trim();
  if (foldedText.length < 4) return null;
  for (const [name, code] of englishCodes())
    if (name.length > 3 && isOneEditApart(foldedText, name)) return code;
  return null;
}
