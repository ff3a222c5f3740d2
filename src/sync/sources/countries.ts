/** Countries as sources write them: a code, an English name, or the name its own people use. */
import { countryNames } from '../../contract/countries.ts';
import { countryCodes } from '../../contract/parameters.ts';
import { searchWords } from '../../store/fold.ts';

/** Languages of pages and calendars in which countries are named, besides English. */
const languages = 'de fr es it nl pt pl cs sv da nb fi hu ro hr el tr ja ko zh ru uk'.split(' ');

let codes: Map<string, string> | null = null;

function load(): Map<string, string> {
  const names = languages.map((language) => new Intl.DisplayNames([language], { type: 'region' }));
  const foreign = names.flatMap((of) =>
    [...countryCodes].map((code): [string, string] => [of.of(code) ?? code, code]),
  );
  // English counts where two languages call two countries the same.
  return new Map([...foreign, ...countryNames()].map(([name, code]) => [searchWords(name), code]));
}

/** The ISO 3166-1 alpha-2 code of a country given by code or name; null where there is none. */
export function countryOf(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  codes ??= load();
  return codes.get(searchWords(text)) ?? null;
}

/** The same for a word that may be anything: a code is not taken for one, since `CA`, `IN` and `DE` are states too. */
export function namedCountry(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text.trim()) && !/^(?:UK|US)$/i.test(text.trim()) ? null : countryOf(text);
}

/** Zones that were renamed, by their new names: lists have the old ones. */
const newerZones: Readonly<Record<string, string>> = {
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

let zones: Map<string, string> | null = null;

/** The country in which a time zone lies; null for those of none ("UTC"). */
export function countryOfZone(zone: string): string | null {
  zones ??= new Map(
    [...countryCodes].flatMap((code) => zonesOf(code).map((name): [string, string] => [name, code])),
  );
  return zones.get(zone) ?? newerZones[zone] ?? null;
}

/** In ECMAScript since 2024; the types have it not yet. */
type WithZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };
const zonesOf = (country: string): string[] =>
  (new Intl.Locale('und', { region: country }) as WithZones).getTimeZones?.() ?? [];
