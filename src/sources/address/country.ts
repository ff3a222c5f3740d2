/** Reads the country at the end of an address, by name or code. */
import { countryCodes } from '../../contract/parameters.ts';
import { countryOfZone, parseCountryName } from '../../text/countries.ts';
import {
  ambiguousAustralianStates,
  countriesWithCity,
  countryOfState,
  countryOfStateName,
  isPlaceInCountry,
  isRegionInCountry,
  isTownInState,
} from './gazetteer.ts';
import {
  endsWithStreetWord,
  isCodeOfCountry,
  isPostalCode,
  lastPart,
  splitCityAndCode,
} from './postal-codes.ts';

/** Where the source is based. Hints only decide what the text leaves open. */
export type AddressHints = { timezone?: string | null | undefined; country?: string | null | undefined };

/** `isUndecided`: the last code may be a country or a state. It is not in `rest`. */
type AddressEnd = { rest: string[]; country: string | null; isUndecided: boolean };

/** Whether a code is both a state code and a country code. */
export const isAmbiguousCode = (letters: string): boolean =>
  countryOfState.has(letters) && countryCodes.has(letters);

/** Returns the country of a state code by the postal code after it, or null. */
export function countryOfStateCode(
  letters: string,
  code: string | null,
  country: string | null,
): string | null {
  const owner = countryOfState.get(letters) ?? null;
  if (ambiguousAustralianStates.has(letters) && (country === 'AU' || /^\d{4}$/.test(code ?? ''))) return 'AU';
  return owner === null || code === null || isCodeOfCountry(code, owner) ? owner : null;
}

/** Removes the country from the end of an address. */
export function takeCountry(parts: readonly string[], hints: AddressHints): AddressEnd {
  const cleaned = replaceLast(parts, normalizePart(lastPart(parts)));
  const end = fromLoneCode(cleaned, hints) ?? fromCountryName(cleaned) ?? fromTrailingWords(cleaned, hints);
  if (end === null) return { rest: [...cleaned], country: null, isUndecided: false };
  return end.country === null ? end : { ...end, rest: withoutRegion(end.rest, end.country) };
}

const replaceLast = (parts: readonly string[], ...last: string[]): string[] => [
  ...parts.slice(0, -1),
  ...last,
];

/** Normalizes a part: no trailing full stop, no dots between letters, state codes in capitals. */
function normalizePart(part: string): string {
  const bare = /^(?:\p{L}\.){2,3}$/u.test(part) ? part.replaceAll('.', '') : part.replace(/\s*\.$/, '');
  if (bare !== bare.toLowerCase()) return bare;
  // "berlin, de", "wilmington, de 19801", "brooklyn ny 11249", "toronto, on m5v 2t6"
  const zip = /^(?:(.*?)\s+)?([a-z]{2,3})\s+(\d{5}|[a-z]\d[a-z] ?\d[a-z]\d)$/.exec(bare);
  const [, before, state = '', code = ''] = zip ?? [];
  if (countryOfState.has(state.toUpperCase()))
    return [before, state.toUpperCase(), code.toUpperCase()].filter(Boolean).join(' ');
  return bare.replace(/\b(?:\d{4} ?[a-z]{2}(?=\s)|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$)/, (code) =>
    code.toUpperCase(),
  );
}

/** Codes that more likely mean a floor, a time or a performer than a country. */
const nonCountryCode = /^(?:EG|DJ|TV|FM|AM|PM|IO|MC|VU)$/;

/** Reads a country or state code of two or three letters as the last part. */
function fromLoneCode(parts: readonly string[], hints: AddressHints): AddressEnd | null {
  const last = lastPart(parts);
  const rest = parts.slice(0, -1);
  if (rest.length === 0 || !/^[a-z]{2,3}$/i.test(last) || /^(?:uk|us|usa)$/i.test(last)) return null;
  const letters = last.toUpperCase();
  const state = countryOfState.get(letters);
  const isCountry = countryCodes.has(letters);
  const asState: AddressEnd = { rest: [...rest, letters], country: null, isUndecided: false };
  if (!isCountry) return state === undefined ? null : asState;
  const asCountry: AddressEnd = { rest: normalizeLast(rest), country: letters, isUndecided: false };
  if (state === undefined) {
    const isSure = hasEvidenceFor(rest, letters, hints);
    if (isSure || (!nonCountryCode.test(letters) && (rest.length > 1 || last === letters))) return asCountry;
    return null;
  }
  const decided = decideCountryOrState(rest, letters, state, hints);
  if (decided === null) return { rest: normalizeLast(rest), country: null, isUndecided: true };
  return decided === 'country' ? asCountry : asState;
}

/** Normalizes the part before the country, which is now the last one. */
const normalizeLast = (rest: readonly string[]): string[] => replaceLast(rest, normalizePart(lastPart(rest)));

function hasEvidenceFor(rest: readonly string[], country: string, hints: AddressHints): boolean {
  const last = normalizePart(lastPart(rest));
  const cityAndCode = splitCityAndCode(last);
  if (cityAndCode) return isCodeOfCountry(cityAndCode.postalCode, country);
  return isPlaceInCountry(withoutDistrictNumber(last), country) || homeCountries(hints).includes(country);
}

/** Returns the countries where a source is based, the configured one first. */
export const homeCountries = ({ country, timezone }: AddressHints): string[] =>
  [country ?? null, timezone ? countryOfZone(timezone) : null].filter((home) => home !== null);

/** "Dublin 8" is Dublin. */
const withoutDistrictNumber = (part: string): string => part.replace(/\s+\d{1,2}$/, '');

/** Decides whether an ambiguous code is a country or a state; null if undecidable. */
function decideCountryOrState(
  rest: readonly string[],
  letters: string,
  owner: string,
  hints: AddressHints,
): 'country' | 'state' | null {
  const last = normalizePart(lastPart(rest));
  // A postal code follows a state, but precedes a country.
  const code = splitCityAndCode(last)?.postalCode ?? (isPostalCode(last) ? last : null);
  if (code !== null) return isCodeOfCountry(code, letters) ? 'country' : null;
  const region = /^[A-Z]{2,3}$/.test(last) || /^[A-Z]{2}\s/.test(last) || /\s[A-Z]{2,3}$/.test(last);
  const inner = region ? (/\b[A-Z]{2,3}\b/.exec(last)?.[0] ?? null) : null;
  if (inner !== null && countryOfState.has(inner) && (rest.length > 1 || inner !== last))
    return countryOfState.get(inner) === letters ? 'country' : null;
  const inCountry = isPlaceInCountry(withoutDistrictNumber(last), letters);
  const inState = isTownInState(withoutDistrictNumber(last), letters);
  if (inCountry !== inState) return inCountry ? 'country' : 'state';
  const [home] = homeCountries(hints).filter((one) => one === letters || one === owner);
  if (home !== undefined) return home === letters ? 'country' : 'state';
  return decideByStreet(rest.slice(0, -1), letters);
}

/** Countries that write the house number first, as the United States do. */
const numberFirst = /^(?:IN|IL|MT|CA|AR|PA)$/;

/** "123 Main St" is American; "Javastraat 1" is not. */
function decideByStreet(parts: readonly string[], letters: string): 'country' | 'state' | null {
  if (parts.some((part) => /^\d+\w?\s/.test(part) && endsWithStreetWord(part)))
    return numberFirst.test(letters) ? null : 'state';
  const european =
    /\p{L}(?:str\.?|stra(?:ß|ss)e|weg|platz|allee|gasse|straat|laan|kade|gracht|plein)\s*\d+/iu;
  return /^(?:DE|NL)$/.test(letters) && parts.some((part) => european.test(part)) ? 'country' : null;
}

/** City states: the country name is also the city name. */
const cityStates: Readonly<Record<string, string>> = {
  SG: 'Singapore',
  HK: 'Hong Kong',
  MO: 'Macau',
  MC: 'Monaco',
  GI: 'Gibraltar',
};

/** Reads a country name or three-letter code as the last part, with an optional postal code after it. */
function fromCountryName(parts: readonly string[]): AddressEnd | null {
  const last = lastPart(parts);
  const rest = parts.slice(0, -1);
  const before = rest.at(-1);
  const [, name = last, code = null] = /^(\p{L}[\p{L} .]{3,}?)\s+(〒?[\d-]{4,9})$/u.exec(last) ?? [];
  const country = parseCountryName(name);
  if (country === null) return fromStateName(parts);
  if (
    name === last &&
    before !== undefined &&
    countryOfStateName(last) === 'US' &&
    isPlaceInCountry(withoutDistrictNumber(before), 'US')
  )
    return fromStateName(parts);
  const own = cityStates[country];
  const isOwn =
    own !== undefined &&
    (before === undefined || !isPlaceInCountry(splitCityAndCode(before)?.city ?? before, country));
  if (isOwn && (before === undefined || !/^\d{5,6}$/.test(before)))
    return { rest: [...rest, code === null ? own : `${own} ${code}`], country, isUndecided: false };
  if (code !== null && before === undefined) return null;
  const kept = code === null || before === undefined ? rest : replaceLast(rest, `${before} ${code}`);
  return { rest: kept.length === 0 ? [] : normalizeLast(kept), country, isUndecided: false };
}

/** Reads a US state name: "Los Angeles, California". */
function fromStateName(parts: readonly string[]): AddressEnd | null {
  const [before, last] = [parts.at(-2), lastPart(parts)];
  const country = countryOfStateName(last);
  if (country === null || before === undefined || !isPlaceInCountry(withoutDistrictNumber(before), country))
    return null;
  return { rest: parts.slice(0, -1), country, isUndecided: false };
}

/** Reads a country at the end of the last part: "10115 Berlin Germany", "Sydney NSW 2000 Australia", "10115 Berlin DE". */
function fromTrailingWords(parts: readonly string[], hints: AddressHints): AddressEnd | null {
  const words = lastPart(parts).split(' ');
  for (const count of [3, 2, 1]) {
    if (words.length <= count) continue;
    const name = words.slice(-count).join(' ');
    const head = words.slice(0, -count).join(' ');
    const isLetters = /^[A-Z]{2}$/.test(name) && countryCodes.has(name);
    const country = isLetters
      ? name
      : name.length > 2 || name === 'UK' || name === 'US'
        ? parseCountryName(name)
        : null;
    if (country === null) continue;
    const rest = replaceLast(parts, head);
    if (isLetters && isAmbiguousCode(name)) {
      const decided = decideCountryOrState(rest, name, countryOfState.get(name) as string, hints);
      if (decided !== 'country' || !hasEvidenceFor(rest, name, {})) return null;
    } else if (!hasEvidenceFor(rest, country, {}) && !/\b[A-Z]{2,3} \d{4,5}$/.test(head)) continue;
    return { rest, country, isUndecided: false };
  }
  return null;
}

/** Countries whose addresses have a province code after the city. */
const countryWithProvinces = /^(?:US|CA|AU|BR|IT|MX|IN|ES|AR|CH|MY)$/;

/** Removes the province or region between city and country: "Milano MI", "São Paulo - SP", "Los Angeles, California". */
function withoutRegion(rest: string[], country: string): string[] {
  const last = rest.at(-1);
  const before = rest.at(-2);
  if (last === undefined) return rest;
  if (
    before !== undefined &&
    isRegionInCountry(last, country) &&
    countriesWithCity(withoutDistrictNumber(splitCityAndCode(before)?.city ?? before)).includes(country)
  )
    return rest.slice(0, -1);
  if (!countryWithProvinces.test(country) || /^(?:US|CA|AU)$/.test(country)) return rest;
  const isLetters = /^(?:[A-Z]{2,4}|[A-Z][a-z]{1,4}\.|(?:[A-Z]\.){2,3})\.?$/.test(last);
  // "44160 Guadalajara, Jal."
  const isShort =
    before !== undefined && splitCityAndCode(before)?.isFirst === true && /^[A-Z][a-z]{1,4}$/.test(last);
  if ((isLetters || isShort) && before !== undefined) return rest.slice(0, -1);
  // "São Paulo - SP 01310-100", "20121 Milano (MI)"
  const bare = last.replace(/\s*(?:[-–/]\s*|\s\(?)([A-Z]{2})\)?(?=$|\s\d)/, '');
  if (bare !== last && bare !== '') return replaceLast(rest, bare);
  // "São Paulo - SP, 01310-100"
  if (isPostalCode(last) && before !== undefined && /\p{L}\s*[-–/]\s*[A-Z]{2}$/u.test(before))
    return [...rest.slice(0, -2), before.replace(/\s*[-–/]\s*[A-Z]{2}$/, ''), last];
  // "São Paulo, SP, 01310-100"
  if (isPostalCode(last) && rest.length > 2 && before !== undefined && /^[A-Z]{2}$/.test(before))
    return [...rest.slice(0, -2), last];
  const [, code] = /^[A-Z]{2} ([\d-]{5,9})$/.exec(last) ?? [];
  return code !== undefined && before !== undefined ? [...rest.slice(0, -1), code] : rest;
}
