/** Parses countries as sources write them: a code, an English name, or a name in another language. */
import { countryNames } from '../contract/countries.ts';
import { countryCodes } from '../contract/parameters.ts';
import { normalizeForSearch } from './fold.ts';

/** Languages other than English in which pages and calendars name countries. */
const nameLanguages = 'de fr es it nl pt pl cs sv da nb fi hu ro hr el tr ja ko zh ru uk'.split(' ');

let codesByName: Map<string, string> | null = null;

function loadCodes(): Map<string, string> {
  const names = nameLanguages.map((language) => new Intl.DisplayNames([language], { type: 'region' }));
  const foreign = names.flatMap((of) =>
    [...countryCodes].map((code): [string, string] => [of.of(code) ?? code, code]),
  );
  // English wins where two languages use one name for two countries.
  return new Map([...foreign, ...countryNames()].map(([name, code]) => [normalizeForSearch(name), code]));
}

/** The ISO 3166-1 alpha-2 code of a country written as code or name; null if the text is neither. */
export function parseCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  codesByName ??= loadCodes();
  return codesByName.get(normalizeForSearch(text)) ?? null;
}

/** The country code for a name. Two-letter codes other than UK and US are not accepted: `CA`, `IN` and `DE` are states too. */
export function parseCountryName(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text.trim()) && !/^(?:UK|US)$/i.test(text.trim()) ? null : parseCountry(text);
}

/** Countries of renamed time zones, which ICU lists under their old names. */
const renamedZones: ReadonlyMap<string, string> = new Map([
  ['Asia/Kolkata', 'IN'],
  ['Europe/Kyiv', 'UA'],
  ['Asia/Ho_Chi_Minh', 'VN'],
  ['Asia/Kathmandu', 'NP'],
  ['Asia/Yangon', 'MM'],
  ['Atlantic/Faroe', 'FO'],
  ['America/Argentina/Buenos_Aires', 'AR'],
  ['America/Argentina/Cordoba', 'AR'],
  ['America/Argentina/Mendoza', 'AR'],
  ['America/Indiana/Indianapolis', 'US'],
  ['America/Kentucky/Louisville', 'US'],
]);

let countriesByZone: Map<string, string> | null = null;

/** The country of a time zone; null for zones without a country ("UTC"). */
export function countryOfZone(zone: string): string | null {
  countriesByZone ??= new Map(
    [...countryCodes].flatMap((code) => timeZonesOf(code).map((name): [string, string] => [name, code])),
  );
  return countriesByZone.get(zone) ?? renamedZones.get(zone) ?? null;
}

/** `getTimeZones` is in ECMAScript since 2024, but not yet in the types. */
type LocaleWithTimeZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };
const timeZonesOf = (country: string): string[] =>
  (new Intl.Locale('und', { region: country }) as LocaleWithTimeZones).getTimeZones?.() ?? [];
