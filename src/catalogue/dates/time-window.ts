/**
 * Parses time windows in words: the values of `from` and `to` of the agent tools. A day is a local date, a period has
 * a first and a last date, a timestamp is an instant.
 */
import { Temporal } from 'temporal-polyfill';
import { parseDate, parseInstant, type TimeBound } from '../../contract/parameters.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { nightOf, todayIn } from './current-night.ts';
import {
  calendarNames,
  type Holiday,
  holidays,
  leadingWords,
  phraseMeanings,
  trailingWords,
} from './date-phrases.ts';
import type { Night } from './nights.ts';
import { isoWeek, parseFigures, parsePeriod } from './periods.ts';

type Day = Temporal.PlainDate;
/** The span of one text; `isClosed` if the text defines both start and end. */
type TimeSpan = { from: TimeBound; to: TimeBound; isClosed: boolean };
/** A window; `night` if it covers only a part of its days. */
export type TimeWindow = { from?: TimeBound; to?: TimeBound; night?: Night };

const bound = (date: Day): TimeBound => ({ date: date.year * 10_000 + date.month * 100 + date.day });
const period = (first: Day, days: number): TimeSpan => ({
  from: bound(first),
  to: bound(first.add({ days: days - 1 })),
  isClosed: true,
});
const day = (date: Day): TimeSpan => period(date, 1);
/** Marks a span as start only, as for "now". */
const open = (span: TimeSpan): TimeSpan => ({ ...span, isClosed: false });
const month = (date: Day): TimeSpan => period(date.with({ day: 1 }), date.daysInMonth);
const year = (date: Day): TimeSpan => period(date.with({ month: 1, day: 1 }), date.daysInYear);
const mondayOf = (date: Day): Day => date.subtract({ days: date.dayOfWeek - 1 });
/** Friday to Sunday, because club weekends begin on Friday. */
const weekendOf = (date: Day): TimeSpan => period(mondayOf(date).add({ days: 4 }), 3);

/** The spans of the phrases in `date-phrases.ts`. Those of `calendarPhrases` begin at midnight, the others when a night is over. */
const phrases: Record<string, (today: Day) => TimeSpan> = {
  'this weekend': weekendOf,
  'next weekend': (today) => weekendOf(today.add({ weeks: 1 })),
  'last weekend': (today) => weekendOf(today.subtract({ weeks: 1 })),
  'weekend after next': (today) => weekendOf(today.add({ weeks: 2 })),
  'this week': (today) => period(mondayOf(today), 7),
  'week after next': (today) => period(mondayOf(today).add({ weeks: 2 }), 7),
  'next week': (today) => period(mondayOf(today).add({ weeks: 1 }), 7),
  'last week': (today) => period(mondayOf(today).subtract({ weeks: 1 }), 7),
  'this month': month,
  'next month': (today) => month(today.with({ day: 1 }).add({ months: 1 })),
  'last month': (today) => month(today.with({ day: 1 }).subtract({ months: 1 })),
  'this year': year,
  'next year': (today) => year(today.with({ day: 1 }).add({ years: 1 })),
  tonight: day,
  tomorrow: (today) => day(today.add({ days: 1 })),
  'day after tomorrow': (today) => day(today.add({ days: 2 })),
  yesterday: (today) => day(today.subtract({ days: 1 })),
  today: day,
  now: (today) => open(day(today)),
};
const calendarPhrases: ReadonlySet<string> = new Set(['today', 'yesterday', 'now']);

/** Whether words count from the day on which the present night began: "tomorrow", but not "today" or "Friday". */
export function isReadByNight(text: string): boolean {
  const meaning = phraseMeanings.get(normalizeForSearch(text));
  return meaning !== undefined && !calendarPhrases.has(meaning);
}

/**
 * The days from which words are counted. At 02:00 on Saturday, today is Saturday, but tonight is the night of Friday, and
 * tomorrow is Saturday.
 */
type Present = {
  today: Day;
  /** The day on which the present night began. */
  night: Day;
  /** Day after which weekdays, months and holidays are looked for. */
  base: Day;
};

const dateOf = (ofYear: number, ofMonth: number, ofDay: number): Day | null => {
  const number = parseDate(
    [String(ofYear).padStart(4, '0'), String(ofMonth).padStart(2, '0'), String(ofDay).padStart(2, '0')].join(
      '-',
    ),
  );
  return number === null ? null : Temporal.PlainDate.from({ year: ofYear, month: ofMonth, day: ofDay });
};

function parseNumericDate(text: string): TimeSpan | null {
  const date = parseDate(text);
  if (date !== null) return { from: { date }, to: { date }, isClosed: false };
  const instant = parseInstant(text);
  if (instant !== null) return { from: { instant }, to: { instant }, isClosed: false };
  const [, ofYear = '', separator, number = ''] = /^(\d{4})(-?w|-|$)(\d{2})?$/i.exec(text) ?? [];
  if (ofYear === '' || Number(ofYear) === 0) return null;
  const first = dateOf(Number(ofYear), 1, 1) as Day;
  if (separator === '') return number === '' ? year(first) : null;
  if (separator === '-') {
    const named = dateOf(Number(ofYear), Number(number), 1);
    return named && month(named);
  }
  const week = isoWeek(Number(ofYear), Number(number));
  return week && period(week, 7);
}

/** Returns the next of the yearly spans of `of` that ends on or after `base`. */
function nextYearly(
  base: Day,
  ofYear: string | undefined,
  of: (year: number) => TimeSpan | null,
): TimeSpan | null {
  if (ofYear !== undefined) return of(Number(ofYear));
  for (let at = base.year; at <= base.year + 8; at++) {
    const span = of(at);
    if (span && 'date' in span.to && span.to.date >= (bound(base) as { date: number }).date) return span;
  }
  return null;
}

/** Returns Easter Sunday of a year (Gregorian computus). */
function easterSunday(ofYear: number): Day {
  const [a, b, c] = [ofYear % 19, Math.trunc(ofYear / 100), ofYear % 100];
  const e = (b - Math.trunc(b / 4) - Math.trunc((8 * b + 13) / 25) + 19 * a + 15) % 30;
  const f = Math.trunc((a + 11 * e) / 319);
  const g = (2 * (b % 4) + 2 * Math.trunc(c / 4) - (c % 4) - e + f + 32) % 7;
  const ofMonth = Math.trunc((e - f + g + 90) / 25);
  return Temporal.PlainDate.from({ year: ofYear, month: ofMonth, day: (e - f + g + ofMonth + 19) % 32 });
}

const holidaySpan = (holiday: Holiday, ofYear: number): TimeSpan =>
  'month' in holiday
    ? period(
        Temporal.PlainDate.from({ year: ofYear, month: holiday.month, day: holiday.day }),
        holiday.days ?? 1,
      )
    : period(easterSunday(ofYear).add({ days: holiday.fromEaster }), holiday.days);

const yearBehind = /^(.*?)(?: (?:of |de |del |di |van )?([1-9]\d{3}))?$/;
const dayOfMonth =
  /^(\d{1,2})(?:st|nd|rd|th|er|ste)? (?:of |de )?(\p{L}+)$|^(\p{L}+) (?:the )?(\d{1,2})(?:st|nd|rd|th)?$/u;

/** Parses a weekday, month, day of a month or holiday: the next one on or after `base`. */
function parseNamedDate(text: string, base: Day): TimeSpan | null {
  const [, turn, rest = ''] = /^(?:(next|last|this) )?(.*)$/.exec(text) ?? [];
  const { months, weekdays } = calendarNames();
  const weekday = weekdays.get(rest);
  if (weekday !== undefined) {
    if (turn === 'next') return day(mondayOf(base).add({ days: 6 + weekday }));
    if (turn === 'last') return day(base.subtract({ days: ((base.dayOfWeek - weekday + 6) % 7) + 1 }));
    return day(base.add({ days: (weekday - base.dayOfWeek + 7) % 7 }));
  }
  const [, name = '', ofYear] = yearBehind.exec(rest) ?? [];
  const from = turn === 'last' ? base.subtract({ years: 1 }) : base;
  const holiday = holidays.get(name);
  if (holiday) return nextYearly(from, ofYear, (at) => holidaySpan(holiday, at));
  const number = months.get(name);
  if (number !== undefined)
    return nextYearly(turn === 'last' ? from.with({ day: 1 }) : from, ofYear, (at) =>
      month(dateOf(at, number, 1) as Day),
    );
  const [, early, monthBehind, monthFirst, late] = dayOfMonth.exec(name) ?? [];
  const named = months.get(monthBehind ?? monthFirst ?? '');
  if (named === undefined) return null;
  return nextYearly(from, ofYear, (at) => {
    const date = dateOf(at, named, Number(early ?? late));
    return date && day(date);
  });
}

const counts = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const lasting = new RegExp(`^next (\\d{1,3}|${counts.slice(1).join('|')}) (day|night|week|weekend|month)s?$`);

/** Parses "next 7 days", starting today. */
function parseDuration(text: string, today: Day): TimeSpan | null {
  const [, count = '', unit] = lasting.exec(text) ?? [];
  const number = Number(count) || counts.indexOf(count);
  if (count === '' || number < 1) return null;
  if (unit === 'month') return period(today, today.until(today.add({ months: number })).days);
  return period(today, unit === 'week' || unit === 'weekend' ? number * 7 : number);
}

const leading = new RegExp(`^(?:${leadingWords}) `);
const trailing = new RegExp(` (?:${trailingWords})$`);

function spanOfPeriod(words: string, today: Day): TimeSpan | null {
  const found = parsePeriod(words, today);
  return found && { from: bound(found.first), to: bound(found.last), isClosed: true };
}

const rangeOpenings = new Set(
  'between zwischen entre tra fra tussen from von vom du de del dal desde van'.split(' '),
);
const rangeJoiners = new Set('and und et y e en to until bis au a al hasta tot till'.split(' '));

/** Parses "between Christmas and New Year"; null if the words are no range. */
function parseRange(words: string, present: Present): TimeSpan | null {
  const [opening = '', ...rest] = words.split(' ');
  if (!rangeOpenings.has(opening)) return null;
  for (const [at, word] of rest.entries()) {
    if (!rangeJoiners.has(word) || at === 0) continue;
    const first = parseSpan(rest.slice(0, at).join(' '), present, false);
    const end = rest.slice(at + 1).join(' ');
    if (first === null || end === '') continue;
    const last = parseSpan(end, { ...present, base: dateAt(first.from, null) }, false);
    if (last !== null) return { from: first.from, to: last.to, isClosed: true };
  }
  return null;
}

/**
 * Parses one text.
 * @param mayBeRange false for an end of a range: otherwise a text of many small words takes time that grows exponentially
 */
function parseSpan(text: string, present: Present, mayBeRange = true): TimeSpan | null {
  const { today, night, base } = present;
  const numbers = parseNumericDate(text.trim());
  if (numbers || text.length > 100) return numbers;
  const figures = parseFigures(text.trim(), base);
  if (figures !== null) return day(figures);
  // Other punctuation is ambiguous: "12.5".
  if (!/^[\p{L}\p{M}\p{N}\s'’,.-]+$/u.test(text) || /\d[.,-]\d/.test(text)) return null;
  let words = normalizeForSearch(text);
  const range = mayBeRange ? parseRange(words, present) : null;
  if (range !== null) return range;
  for (let tries = 0; tries < 4; tries++) {
    const meaning = phraseMeanings.get(words) ?? '';
    const phrase = phrases[meaning];
    const span = phrase
      ? phrase(calendarPhrases.has(meaning) ? today : night)
      : (parseNamedDate(words, base) ?? parseDuration(words, today) ?? spanOfPeriod(words, today));
    if (span) return span;
    const bare = leading.test(words) ? words.replace(leading, '') : words.replace(trailing, '');
    if (bare === words) return null;
    words = bare;
  }
  return null;
}

/** Returns the day before a bound; for a timestamp, the millisecond before. */
export function dayBefore(at: TimeBound): TimeBound {
  return 'instant' in at ? { instant: at.instant - 1 } : bound(dateAt(at, null).subtract({ days: 1 }));
}

/** Returns the local date of a bound. */
const dateAt = (at: TimeBound, zone: string | null): Day =>
  'instant' in at
    ? todayIn(zone, at.instant)
    : (dateOf(Math.trunc(at.date / 10_000), Math.trunc(at.date / 100) % 100, at.date % 100) as Day);

const hasYear = /(?<!\d)[1-9]\d{3}(?!\d)/;

/**
 * Returns the day after which the start of a range is looked for: "20 December to 5 January 2028" starts within the
 * year before its end. A weekday is the next one.
 */
function baseOfStart(from: string, to: string | undefined, present: Present): Day {
  if (to === undefined || hasYear.test(from) || !hasYear.test(to)) return present.base;
  const { weekdays } = calendarNames();
  if (
    normalizeForSearch(from)
      .split(' ')
      .some((word) => weekdays.has(word))
  )
    return present.base;
  const last = parseSpan(to, present, false);
  return last === null ? present.base : dateAt(last.to, null).subtract({ years: 1 }).add({ days: 1 });
}

/**
 * Parses the window of `from` and `to`, or returns the name of the one that cannot be read. A day or period in `from`
 * alone is the whole window; a weekday, month or holiday in `to` is the next one after the start.
 * @param zone the zone of "today"; null if no place is known
 * @param now ms since 1970
 */
export function parseWindow(
  from: string | undefined,
  to: string | undefined,
  zone: string | null,
  now: number,
): TimeWindow | { unreadable: 'from' | 'to' } {
  const today = todayIn(zone, now);
  const present = { today, night: nightOf(zone, now), base: today };
  const first =
    from === undefined ? undefined : parseSpan(from, { ...present, base: baseOfStart(from, to, present) });
  if (first === null) return { unreadable: 'from' };
  const base = first ? dateAt(first.from, zone) : today;
  const last = to === undefined ? undefined : parseSpan(to, { ...present, base });
  if (last === null) return { unreadable: 'to' };
  const end = last ?? (first?.isClosed ? first : undefined);
  return { ...(first && { from: first.from }), ...(end && { to: end.to }) };
}
