/** The countries of ISO 3166-1 and what people call them in English; each reader folds names in its own way. */
import { iso31661 } from 'iso-3166';
import { countryCodes } from './parameters.ts';

const englishNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Short and everyday forms that no list has. */
export const colloquialCountryNames: Readonly<Record<string, string>> = {
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

/** The English name of a country by its code; a code that nobody knows is its own name. */
export function countryName(code: string): string {
  return englishNames.of(code) ?? code;
}

/** Every name with its code: of the standard, of three letters, in everyday English. A later one counts. */
export function countryNames(): [name: string, code: string][] {
  return [
    ...iso31661.flatMap(({ alpha2, alpha3, name }): [string, string][] => [
      [name, alpha2],
      [alpha3, alpha2],
    ]),
    ...[...countryCodes].map((code): [string, string] => [countryName(code), code]),
    ...Object.entries(colloquialCountryNames),
  ];
}
