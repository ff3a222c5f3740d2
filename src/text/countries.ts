/** Countries as sources write them: a code, an English name, or the name its own people use. */
import { countryNames } from '../contract/countries.ts';
import { countryCodes } from '../contract/parameters.ts';
import { normalizeForSearch } from './fold.ts';

/** Languages of pages and calendars in which countries are named, besides English. */
const nameLanguages = 'de fr es it nl pt pl cs sv da nb fi hu ro hr el tr ja ko zh ru uk'.split(' ');

let codesByName: Map<string, string> | null = null;

function loadCodes(): Map<string, string> {
  const names = nameLanguages.map((language) => new Intl.DisplayNames([language], { type: 'region' }));
  const foreign = names.flatMap((of) =>
    [...countryCodes].map((code): [string, string] => [of.of(code) ?? code, code]),
  );
  // English counts where two languages call two countries the same.
  return new Map([...foreign, ...countryNames()].map(([name, code]) => [normalizeForSearch(name), code]));
}

/** The ISO 3166-1 alpha-2 code of a country given by code or name; null where there is none. */
export function parseCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  codesByName ??= loadCodes();
  return codesByName.get(normalizeForSearch(text)) ?? null;
}

/** The same for a word that may be anything: a code is not taken for one, since `CA`, `IN` and `DE` are states too. */
export function parseCountryName(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text.trim()) && !/^(?:UK|US)$/i.test(text.trim()) ? null : parseCountry(text);
}

/** Zones that were renamed, by their new names: lists have the old ones. */
const renamedZones: Readonly<Record<string, string>> = {
  'Asia/Kolkata': 'IN',
  'Europe/Kyiv': 'UA',
  'Asia/Ho_Chi_Minh': 'VN',
  'Asia/Kathmandu': 'NP',
  'Asia/Yangon': 'MM',
  'Atlantic/Faroe': 'FO',
  'America/Argentina/Buenos_Aires': 'AR',
  'America/Argentina/Cordoba': 'AR',
  'America/Argentina/Mendoza': 'AR',
  'America/Indiana/Indianapolis': 'US',
  'America/Kentucky/Louisville': 'US',
};

let countriesByZone: Map<string, string> | null = null;

/** The country in which a time zone lies; null for those of none ("UTC"). */
export function countryOfZone(zone: string): string | null {
  countriesByZone ??= new Map(
    [...countryCodes].flatMap((code) => timeZonesOf(code).map((name): [string, string] => [name, code])),
  );
  return countriesByZone.get(zone) ?? renamedZones[zone] ?? null;
}

/** In ECMAScript since 2024; the types have it not yet. */
type LocaleWithTimeZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };
const timeZonesOf = (country: string): string[] =>
  (new Intl.Locale('und', { region: country }) as LocaleWithTimeZones).getTimeZones?.() ?? [];
