/** ISO 3166-1 countries and their English names. Callers normalize names themselves. */
import { iso31661 } from 'iso-3166';
import { countryCodes } from './parameters.ts';

/** Made at the first use, because it takes some milliseconds of a start. */
let englishNames: Intl.DisplayNames | null = null;

/**
 * Colloquial names and inflected forms ("in den Niederlanden") that no standard list contains, with the code of each. Names
 * are as `normalizeForSearch` returns them, in alphabetical order.
 */
export const colloquialCountryNames: Readonly<Record<string, string>> = {
  america: 'US',
  amerika: 'US',
  angleterre: 'GB',
  brasil: 'BR',
  britain: 'GB',
  'czech republic': 'CZ',
  deutschland: 'DE',
  'dominikanischen republik': 'DO',
  ecosse: 'GB',
  engeland: 'GB',
  england: 'GB',
  escocia: 'GB',
  espana: 'ES',
  'gra bretanha': 'GB',
  'gran bretagna': 'GB',
  'gran bretana': 'GB',
  'grande bretagne': 'GB',
  'great britain': 'GB',
  'groot brittannie': 'GB',
  grossbritannien: 'GB',
  holanda: 'NL',
  holland: 'NL',
  hollande: 'NL',
  inghilterra: 'GB',
  inglaterra: 'GB',
  'irlanda del nord': 'GB',
  'irlanda del norte': 'GB',
  'irlanda do norte': 'GB',
  'irlande du nord': 'GB',
  italia: 'IT',
  'ivory coast': 'CI',
  korea: 'KR',
  macedonia: 'MK',
  niederlanden: 'NL',
  'noord ierland': 'GB',
  nordirland: 'GB',
  'northern ireland': 'GB',
  olanda: 'NL',
  osterreich: 'AT',
  'pays de galles': 'GB',
  'reino unido': 'GB',
  russia: 'RU',
  schotland: 'GB',
  schottland: 'GB',
  schweiz: 'CH',
  scotland: 'GB',
  scozia: 'GB',
  'slowakische republik': 'SK',
  'slowakischen republik': 'SK',
  'south korea': 'KR',
  taiwan: 'TW',
  'the czech republic': 'CZ',
  'the dominican republic': 'DO',
  'the emirates': 'AE',
  'the netherlands': 'NL',
  'the philippines': 'PH',
  'the states': 'US',
  'the uae': 'AE',
  'the uk': 'GB',
  'the united states': 'US',
  'the united states of america': 'US',
  'the us': 'US',
  'the usa': 'US',
  tschechei: 'CZ',
  'tschechische republik': 'CZ',
  'tschechischen republik': 'CZ',
  turkey: 'TR',
  'u k': 'GB',
  'u s': 'US',
  'u s a': 'US',
  'u s of a': 'US',
  uae: 'AE',
  uk: 'GB',
  usa: 'US',
  'vereinigten arabischen emiraten': 'AE',
  'vereinigten konigreich': 'GB',
  'vereinigten staaten': 'US',
  'vereinigten staaten von amerika': 'US',
  vietnam: 'VN',
  wales: 'GB',
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
