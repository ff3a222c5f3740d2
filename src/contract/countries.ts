/** ISO 3166-1 countries and their English names. Callers normalize names themselves. */
import { iso31661 } from 'iso-3166';
import { countryCodes } from './parameters.ts';

/** Made at the first use, because it takes some milliseconds of a start. */
let englishNames: Intl.DisplayNames | null = null;

/** Colloquial names that no standard list contains. */
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

/** Returns the English name of a country, or the code itself if it is unknown. */
export function countryName(code: string): string {
  englishNames ??= new Intl.DisplayNames(['en'], { type: 'region' });
  return englishNames.of(code) ?? code;
}

/** Returns all names with their codes: official, three-letter and colloquial. Later entries win. */
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
