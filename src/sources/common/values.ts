/** Parses times, prices, currencies and ages as web pages write them. */

import { amountOf, amountPattern } from '../../text/amount.ts';

/** Says why an event of a source is not valid. The message goes to the report of the run. */
export class InvalidEventError extends Error {}

/** An object as JSON has it: every member may be missing or have another type than expected. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a value is an object, not a list or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records that were not emitted before, by kind and id. */
export function* newRecords<R extends { kind: string; external_id: string }>(
  records: readonly R[],
  emitted: Set<string>,
): Generator<R> {
  for (const record of records) {
    const key = `${record.kind} ${record.external_id}`;
    if (emitted.has(key)) continue;
    emitted.add(key);
    yield record;
  }
}

type StatedMembers<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** The members that a source states: those that are not null, undefined or an empty list. */
export const stated = <T extends object>(members: T): StatedMembers<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value != null && !(Array.isArray(value) && !value.length)),
  ) as StatedMembers<T>;

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?|[+-]\d:\d{2})?(?:\[[\w/]+\])?$/i;
const compactDateTime = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?$/i;

/**
 * Converts a time to the feed format: a date, a local time, or a time with an offset.
 * @returns null if the text contains no time; "2017-06" is not a date, and "10/11/2017" is ambiguous
 */
export function parseDateTime(text: string): string | null {
  const padded = padDigits(text.trim().replace(/[−–]/g, '-'));
  const compact = compactDateTime.exec(padded);
  const full = compact
    ? `${compact[1]}-${compact[2]}-${compact[3]}${compact[4] ? `T${compact[4]}:${compact[5]}:${compact[6] ?? '00'}${compact[7] ?? ''}` : ''}`
    : padded;
  if (datePattern.test(full)) return isCalendarDate(full) ? full : null;
  const match = dateTimePattern.exec(full);
  if (match) return toDateTime(match);
  return parseWrittenDate(full);
}

/** Pads "2019-9-3T8:30". A common calendar plugin writes the hour twice: "2019-9-3T08-08-30-00". */
const padDigits = (text: string): string =>
  text
    .replace(/^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[T\s])/, (_, year, month, date) =>
      [year, month.padStart(2, '0'), date.padStart(2, '0')].join('-'),
    )
    .replace(/T(\d{1,2})-(\d{1,2})-(\d{2})-(\d{2})$/, (whole, hour, again, minute, second) =>
      Number(hour) % 12 === Number(again) % 12 ? `T${hour}:${minute}:${second}` : whole,
    );

function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

function toDateTime([, date = '', hour = '', minute, second = '00', zone = '']: RegExpExecArray):
  | string
  | null {
  if (!isCalendarDate(date)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date;
  const local = `${date}T${hour.padStart(2, '0')}:${minute}:${second}`;
  if (zone === '') return local;
  if (/^[A-Z]/i.test(zone)) return `${local}Z`;
  const offset = zone.replace(/^([+-])(?=\d:)/, '$10');
  const minutes = offset.replace(':', '').slice(3).padEnd(2, '0');
  return Number(offset.slice(1, 3)) > 14 || Number(minutes) > 59
    ? local
    : `${local}${offset.slice(0, 3)}:${minutes}`;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Parses "Sat, 31 Oct 2015 8:00 PM" and "October 31, 2015": a month name makes the order unambiguous. */
function parseWrittenDate(text: string): string | null {
  if (text.length > 60) return null;
  const match =
    /\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})\b/.exec(text) ??
    /\b([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/.exec(text);
  if (!match) return null;
  const [whole, first = '', second = '', year] = match;
  const [dayText, monthText] = /^\d/.test(first) ? [first, second] : [second, first];
  const month = months.indexOf(monthText.slice(0, 3).toLowerCase()) + 1;
  const date = `${year}-${String(month).padStart(2, '0')}-${dayText.padStart(2, '0')}`;
  if (month === 0 || !isCalendarDate(date)) return null;
  const time = parseClockTime(text.slice(match.index + whole.length));
  return time === null ? date : `${date}T${time}`;
}

/** Converts "20:00", "8:30 pm" or "8pm" to `hh:mm:ss`; null if the text contains no clock time. */
export function parseClockTime(text: string): string | null {
  const match =
    /(?:^|[^\d])(\d{1,2})(?::(\d{2})(?::\d{2})?)?\s*([ap])\.?m\b|(?:^|[^\d])(\d{1,2}):(\d{2})/i.exec(text);
  if (!match) return null;
  const meridiem = match[3]?.toLowerCase();
  const written = Number(match[1] ?? match[4]);
  if (meridiem !== undefined && (written < 1 || written > 12)) return null;
  const hour = meridiem === undefined ? written : (written % 12) + (meridiem === 'p' ? 12 : 0);
  const minute = match[2] ?? match[5] ?? '00';
  return hour > 23 || Number(minute) > 59 ? null : `${String(hour).padStart(2, '0')}:${minute}:00`;
}

/** "free", "frei", "Eintritt frei", "Der Eintritt ist frei", "entrée libre": the text begins with it. */
const freePattern =
  /^\s*(?:(?:(?:der )?eintritt|entry|entrance|admission|entrée|entrada|ingresso):? (?:is |ist )?(?:free|frei|gratis|kostenlos|gratuit[aeo]?|libre|libero)|free|frei|freier eintritt|gratis|gratuit[aeo]?|kostenfrei|kostenlos|no cover|umsonst)(?![\p{L}\p{N}])/iu;

/** Parses the first amount of a text: "12,50", "€ 1.234,50", "free"; null if there is none. A number is taken as it is. */
export function parsePrice(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string') return null;
  if (freePattern.test(value)) return 0;
  const [amount] = amountPattern.exec(value) ?? [];
  if (amount === undefined) return null;
  const number = amountOf(amount);
  return Number.isFinite(number) && number < 1e9 ? number : null;
}

const currencySigns: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₹': 'INR',
  zł: 'PLN',
};

/** Parses an ISO 4217 code or an unambiguous currency sign; null for "$" and other texts. */
export function parseCurrency(text: string | null): string | null {
  if (text === null) return null;
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  return Object.entries(currencySigns).find(([sign]) => text.includes(sign))?.[1] ?? null;
}

/**
 * Parses a minimum age in years: "18+", "18-", "18-99", "Over 21s".
 * @returns null for "all ages"; undefined if the text contains no age
 */
export function parseMinimumAge(text: string): number | null | undefined {
  if (/\ball\s+ages\b|\ballen?\s+alters/i.test(text)) return null;
  const match =
    /^\D{0,12}?(\d{1,2})\s*(?:\+|-\s*\d*|–\s*\d*|years?\b|yrs?\b|and\b|or\b|s\b|ans\b|jahren?\b|$)/i.exec(
      text.trim(),
    );
  const upTo = /^\s*[-–]|\b(?:under|below|unter|up to|max)/i.test(text);
  return match && !upTo ? Number(match[1]) : undefined;
}
