/** Countries as people and models write them: a code, an English name, or one of the short forms everybody uses. */
import { iso31661 } from 'iso-3166';
import { countryCodes } from '../contract/parameters.ts';
import { fold, searchWords } from '../store/fold.ts';
import { isOneTypoApart } from './typos.ts';

const english = new Intl.DisplayNames(['en'], { type: 'region' });

/** Short and everyday forms that neither list has. */
const everyday: Record<string, string> = {
  uk: 'GB',
  'u k': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'u s a': 'US',
  'u s': 'US',
  america: 'US',
  'the us': 'US',
  'the usa': 'US',
  'the uk': 'GB',
  'the united states': 'US',
  'the netherlands': 'NL',
  holland: 'NL',
  deutschland: 'DE',
  espana: 'ES',
  italia: 'IT',
  osterreich: 'AT',
  schweiz: 'CH',
  brasil: 'BR',
  uae: 'AE',
  'czech republic': 'CZ',
  turkey: 'TR',
  'south korea': 'KR',
  korea: 'KR',
  russia: 'RU',
  vietnam: 'VN',
  taiwan: 'TW',
  macedonia: 'MK',
  'ivory coast': 'CI',
};

/** The code of every name of a country. */
const codes: ReadonlyMap<string, string> = new Map([
  ...iso31661.flatMap(({ alpha2, alpha3, name }): [string, string][] => [
    [searchWords(name), alpha2],
    [alpha3.toLowerCase(), alpha2],
  ]),
  ...[...countryCodes].map((code): [string, string] => [searchWords(countryName(code)), code]),
  ...Object.entries(everyday),
]);

/** The English name of a country by its code; a code that nobody knows is its own name. */
export function countryName(code: string): string {
  return english.of(code) ?? code;
}

/** The ISO 3166-1 alpha-2 code of a country given by code or name; null where there is none. */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  return codes.get(searchWords(text)) ?? null;
}

/** The same, but a code has to be written in capitals: "de", "in" and "is" are words too. */
export function countryWord(text: string): string | null {
  return /^[a-z]{2,3}$/.test(text) && !Object.hasOwn(everyday, text) ? null : countryCode(text);
}

/** A country whose name is one typo away; null where there is none. */
export function likelyCountry(text: string): string | null {
  const asked = fold(text).trim();
  if (asked.length < 4) return null;
  for (const [name, code] of codes) if (name.length > 3 && isOneTypoApart(asked, name)) return code;
  return null;
}
