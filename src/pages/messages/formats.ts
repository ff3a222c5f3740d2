/** Formats of a language: numbers, plural forms, dates, prices, names of countries and time zones (by Intl). */

import { memoize } from '../../memoize.ts';

export type Formats = {
  /** "Techno or House", "Techno, House or Trance". */
  either: (names: readonly string[]) => string;
  /** The code of the language (ISO 639-1). */
  language: string;
  /** "2,300". */
  number: (value: number) => string;
  /** "1 event", "2,300 events". */
  counted: (count: number, one: string, other: string) => string;
  /** "Saturday 5 December 2026", of 'yyyy-mm-dd'. */
  longDate: (date: string) => string;
  /** "5 Dec 2026". */
  shortDate: (date: string) => string;
  /** "Sat 5 Dec". */
  weekdayDate: (date: string) => string;
  /** "5 Dec". */
  dayMonth: (date: string) => string;
  /** "Sat". */
  weekday: (date: string) => string;
  /** "2016", "March 2016" or "12 March 2016", of a partial date. */
  partialDate: (date: string) => string;
  /** "December 2026", of 'yyyy-mm'. */
  monthName: (month: string) => string;
  /** "Dec 2026", of 'yyyy-mm'. */
  shortMonth: (month: string) => string;
  /** "14:05", of ms since 1970, in UTC. */
  timeOfDay: (at: number) => string;
  /** "€ 12.50"; the amount and the code if the code is no currency. */
  price: (amount: number, currency: string) => string;
  /** A country's name by its code. */
  country: (code: string) => string;
  /** "Central European Standard Time" at a time; empty if the zone is unknown. */
  zone: (zone: string, at: string) => string;
};

/** The locales of a language: dates and prices follow a country, numbers and names the language. */
export type Locales = { language: string; dates: string; keepsCommas: boolean };

/** Cached texts of each format of dates. */
const maxDates = 1_000;
const maxCurrencies = 100;
/** More than there are languages of the pages. */
const maxLocales = 20;

const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** Returns the formats of a language. They are made once: each has a dozen of Intl's objects, which take 0.2 ms each. */
export const formatsOf = memoize(
  maxLocales,
  createFormats,
  ({ language, dates, keepsCommas }: Locales) => `${language} ${dates} ${keepsCommas}`,
);

function createFormats({ language, dates, keepsCommas }: Locales): Formats {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(dates, { timeZone: 'UTC', ...options });
    // Formatting a date takes 2 µs, and a page repeats its dates.
    return memoize(maxDates, (date: string): string => {
      const at = noon(date);
      if (Number.isNaN(at)) return date;
      return keepsCommas ? formatter.format(at) : formatter.format(at).replace(/,/g, '');
    });
  };
  const day = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = format({ month: 'long', year: 'numeric' });
  const shortMonth = format({ month: 'short', year: 'numeric' });
  const time = new Intl.DateTimeFormat(dates, { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const countries = new Intl.DisplayNames([language], { type: 'region' });
  const alternatives = new Intl.ListFormat(dates, { type: 'disjunction' });
  return {
    language,
    either: (names) => alternatives.format(names),
    number: (value) => numbers.format(value),
    counted: (count, one, other) =>
      `${numbers.format(count)} ${plurals.select(count) === 'one' ? one : other}`,
    longDate: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDate: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    weekdayDate: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    dayMonth: format({ day: 'numeric', month: 'short' }),
    weekday: format({ weekday: 'short' }),
    partialDate: (text) => (text.length <= 4 ? text : text.length === 7 ? month(`${text}-15`) : day(text)),
    monthName: (text) => month(`${text}-15`),
    shortMonth: (text) => shortMonth(`${text}-15`),
    timeOfDay: (at) => time.format(at),
    price: createPriceFormat(dates),
    country: (code) => countries.of(code) ?? code,
    zone: createZoneNames(dates),
  };
}

function createPriceFormat(locale: string): Formats['price'] {
  // A new format takes 50 µs. A code that is no currency has none.
  const formatOf = memoize(maxCurrencies, (currency: string) => {
    const format = (minimumFractionDigits: number) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits });
    try {
      return { whole: format(0), parts: format(2) };
    } catch {
      return null;
    }
  });
  return (amount, currency) => {
    const formats = formatOf(currency);
    if (formats === null) return `${amount} ${currency}`;
    return (amount % 1 ? formats.parts : formats.whole).format(amount);
  };
}

function createZoneNames(locale: string): Formats['zone'] {
  const zones = new Map<string, Intl.DateTimeFormat | null>();
  return (zone, at) => {
    let names = zones.get(zone);
    if (names === undefined) {
      try {
        names = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'long' });
      } catch {
        names = null;
      }
      zones.set(zone, names);
    }
    const time = Date.parse(at);
    if (names === null || Number.isNaN(time)) return '';
    return names.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  };
}
