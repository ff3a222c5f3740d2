/** Postal codes by country: which countries a format is valid in, and how to separate codes from cities. */

/** Countries by the number of digits, for codes of digits only. */
const countriesByDigitCount: Readonly<Record<number, string>> = {
  3: 'IS FO TW',
  4: 'AT CH BE DK NO AU NZ HU PT SI BG LU LV ZA TN MK CY AR GE AL AM VE PH BD LI MD NL PY GL',
  5: 'DE FR IT ES US MX FI EE HR TR UA LT MA SA TH MY ID KR TW GR CZ SK SE PK RS BA ME MC SN DZ CU GT CR PE UY VA SM IL LK NP KW JO LB EG MN MM KH LA RE GP MQ GF PF NC PR XK DO NI',
  6: 'IN RU CN SG RO KZ CO BY VN EC KG UZ TJ MN TM NG TT',
  7: 'IL JP CL',
};
const countrySetByDigitCount = new Map(
  Object.entries(countriesByDigitCount).map(([length, list]) => [Number(length), new Set(list.split(' '))]),
);
const countriesWithDigitCodes = new Set(
  Object.values(countriesByDigitCount).flatMap((list) => list.split(' ')),
);

/** Formats with letters and signs, and the countries that use them. */
const letteredForms: readonly [form: RegExp, countries: string][] = [
  [/^\d{4} ?[A-Z]{2}$/i, 'NL'],
  [/^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, 'CA'],
  [/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, 'GB GI IM JE GG'],
  [/^[A-Z]\d[\dW] ?[A-Z\d]{4}$/i, 'IE'],
  [/^\d{3} \d{2}$/, 'CZ SK SE GR'],
  [/^\d{2}-\d{3}$/, 'PL'],
  [/^\d{4}-\d{3}$/, 'PT'],
  [/^\d{5}-\d{3}$/, 'BR'],
  [/^\d{5}-\d{4}$/, 'US'],
  [/^\d{3}-\d{4}$/, 'JP'],
  [/^[A-Z]\d{4}[A-Z]{0,3}$/i, 'AR'],
];

/** Whether a postal code may belong to a country; true for countries whose format is not listed. */
export function isCodeOfCountry(code: string, country: string): boolean {
  const form = letteredForms.find(([one]) => one.test(code));
  if (form) return form[1].split(' ').includes(country);
  const length = code.replace(/\D/g, '').length;
  return countrySetByDigitCount.get(length)?.has(country) ?? !countriesWithDigitCodes.has(country);
}

/** Returns the only country with codes of this format; null if there are several. */
export function countryOfCode(code: string): string | null {
  const countries = letteredForms.find(([form]) => form.test(code))?.[1];
  return countries === undefined || countries.includes(' ')
    ? countries?.startsWith('GB')
      ? 'GB'
      : null
    : countries;
}

/** Country prefixes of codes: old vehicle registration codes, and ISO codes. */
const countryPrefixes: Readonly<Record<string, string>> = {
  D: 'DE',
  A: 'AT',
  F: 'FR',
  I: 'IT',
  B: 'BE',
  L: 'LU',
  S: 'SE',
  N: 'NO',
  E: 'ES',
  P: 'PT',
  H: 'HU',
  FIN: 'FI',
  CH: 'CH',
  DE: 'DE',
  AT: 'AT',
  FR: 'FR',
  IT: 'IT',
  BE: 'BE',
  LU: 'LU',
  SE: 'SE',
  NO: 'NO',
  ES: 'ES',
  PT: 'PT',
  HU: 'HU',
  FI: 'FI',
  NL: 'NL',
  PL: 'PL',
  CZ: 'CZ',
  SK: 'SK',
  SI: 'SI',
  HR: 'HR',
  LT: 'LT',
  LV: 'LV',
  EE: 'EE',
  DK: 'DK',
  GR: 'GR',
  RO: 'RO',
  LI: 'LI',
  MD: 'MD',
  MC: 'MC',
  BG: 'BG',
  AZ: 'AZ',
  KY: 'KY',
}; // prettier-ignore

export type CityAndCode = { city: string; postalCode: string; isFirst: boolean; country: string | null };

const codeFirstPattern =
  /^(?:([A-Z]{1,3})[- ])?〒?(\d{4} ?[A-Z]{2}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{3}-\d{4}|[A-Z]\d{4}[A-Z]{0,3}|\d{4,6})\s+(\p{L}[^\d]*?)(?:\s+\d{1,2})?$/u;
const codeLastPattern =
  /^(\p{L}[^\d]*?)\s+(?:([A-Z]{1,3})[- ])?〒?([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d[\dW] ?[A-Z\d]{4}|[A-Z]\d{4}[A-Z]{0,3}|\d{4} ?[A-Z]{2}|\d{3} \d{2,3}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{3}-\d{4}|\d{4,7})$/u;
const streetEnding =
  /(?:^|\s)(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|way|square|sq|court|place|parkway|pkwy)\.?$/i;

/** "Dundas Street W", "Guess Rd Durham NC"; but "St. Gallen" is a city. */
const streetWithin =
  /\S\s(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|parkway|pkwy)\.?\s/i;

/** Splits a city and its postal code: `D-10115 Berlin`, `1094 GZ Amsterdam`, `Tokyo 150-0043`; null if there is no code. */
export function splitCityAndCode(part: string): CityAndCode | null {
  const before = codeFirstPattern.exec(part);
  if (before) {
    // "1012 AB Amsterdam"; but in "4000 LA Liège" the letters are not part of the code.
    const [, prefix = '', postalCode = '', city = ''] = before;
    const isStreet = !postalCode.includes(' ') && (streetEnding.test(city) || streetWithin.test(city));
    if (!isStreet) return { city, postalCode, isFirst: true, country: countryPrefixes[prefix] ?? null };
  }
  const [, city, prefix = '', postalCode = ''] = codeLastPattern.exec(part) ?? [];
  if (city === undefined || streetEnding.test(city)) return null;
  return { city, postalCode, isFirst: false, country: countryPrefixes[prefix] ?? null };
}

/** The last part of an address. An address has at least one part. */
export const lastPart = (parts: readonly string[]): string => parts.at(-1) ?? '';

/** Whether a part is only a postal code. */
export const isPostalCode = (part: string): boolean =>
  /^〒?(?:\d{4,7}|\d{5}-\d{3,4}|\d{3}-\d{4}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2,3}|\d{4} ?[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{2}-\d{4,5}|[A-Z]\d[\dW] ?[A-Z\d]{4})$/.test(
    part,
  );

/** Whether a text ends with an English street word. */
export const endsWithStreetWord = (part: string): boolean => streetEnding.test(part);
