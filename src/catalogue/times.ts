/**
 * Windows as people and models write them: what `from` and `to` of the agent tools mean. A day is a local date, a
 * period has a first and a last one, a timestamp is an instant.
 */
import { Temporal } from 'temporal-polyfill';
import { type Bound, readDate, readInstant } from '../contract/parameters.ts';

/** What one text means: from when to when; `isPeriod` where it says both. */
type Span = { from: Bound; to: Bound; isPeriod: boolean };
export type Window = { from?: Bound; to?: Bound };

const bound = (date: Temporal.PlainDate): Bound => ({
  date: date.year * 10_000 + date.month * 100 + date.day,
});
const day = (date: Temporal.PlainDate): Span => ({ from: bound(date), to: bound(date), isPeriod: false });
const period = (first: Temporal.PlainDate, days: number): Span => ({
  from: bound(first),
  to: bound(first.add({ days: days - 1 })),
  isPeriod: true,
});
const month = (date: Temporal.PlainDate): Span => period(date.with({ day: 1 }), date.daysInMonth);
const monday = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });
/** Friday to Sunday: that is when a weekend of nights begins. */
const weekend = (date: Temporal.PlainDate): Span => period(monday(date).add({ days: 4 }), 3);

/** The words for times, longest first. They are the same in `from` and `to` and within a free text. */
const words: Record<string, (today: Temporal.PlainDate) => Span> = {
  'this weekend': weekend,
  'next weekend': (today) => weekend(today.add({ weeks: 1 })),
  'this week': (today) => period(monday(today), 7),
  'next week': (today) => period(monday(today).add({ weeks: 1 }), 7),
  'this month': month,
  'next month': (today) => month(today.with({ day: 1 }).add({ months: 1 })),
  'this year': (today) => period(today.with({ month: 1, day: 1 }), today.daysInYear),
  weekend,
  tonight: (today) => period(today, 1),
  tomorrow: (today) => day(today.add({ days: 1 })),
  yesterday: (today) => day(today.subtract({ days: 1 })),
  today: day,
  now: day,
};

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const monthNamed = new RegExp(`^(${months.join('|')})(?: (\\d{4}))?$`);

/** A month or weekday by name: without a year the next one, that of today included; null where it is neither. */
function readName(text: string, today: Temporal.PlainDate): Span | null {
  const weekday = weekdays.indexOf(text) + 1;
  if (weekday > 0) return day(today.add({ days: (weekday - today.dayOfWeek + 7) % 7 }));
  const [, name = '', year] = monthNamed.exec(text) ?? [];
  const number = months.indexOf(name) + 1;
  if (number === 0) return null;
  const next = number < today.month ? today.year + 1 : today.year;
  return month(
    Temporal.PlainDate.from({ year: year === undefined ? next : Number(year), month: number, day: 1 }),
  );
}

/** The local date at `now` (ms) in a zone; in UTC where none is known. */
function todayIn(zone: string | null, now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone ?? 'UTC')
    .toPlainDate();
}

/** The first day of an ISO week; null where the year has no such week. */
function isoWeek(year: number, week: number): Temporal.PlainDate | null {
  const first = monday(Temporal.PlainDate.from({ year, month: 1, day: 4 })).add({ weeks: week - 1 });
  return week >= 1 && first.add({ days: 3 }).year === year ? first : null;
}

function readSpan(text: string, today: Temporal.PlainDate): Span | null {
  const asked = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const word = Object.hasOwn(words, asked) ? words[asked] : undefined;
  const named = word ? word(today) : readName(asked, today);
  if (named) return named;
  const date = readDate(text.trim());
  if (date !== null) return { from: { date }, to: { date }, isPeriod: false };
  const instant = readInstant(text.trim());
  if (instant !== null) return { from: { instant }, to: { instant }, isPeriod: false };
  const [, year = '', number = ''] = /^(\d{4})-(\d{2})$/.exec(asked) ?? [];
  if (year !== '' && readDate(`${year}-${number}-01`) !== null)
    return month(Temporal.PlainDate.from(`${year}-${number}-01`));
  const week = /^(\d{4})-?w(\d{2})$/.exec(asked);
  const first = week && Number(week[1]) > 0 ? isoWeek(Number(week[1]), Number(week[2])) : null;
  return first ? period(first, 7) : null;
}

/**
 * The window of `from` and `to`; null in place of the one that cannot be read. A period in `from` alone is the whole
 * window.
 * @param zone where "today" is meant; null where no place is known
 * @param now ms since 1970
 */
export function readWindow(
  from: string | undefined,
  to: string | undefined,
  zone: string | null,
  now: number,
): Window | { unreadable: 'from' | 'to' } {
  const today = todayIn(zone, now);
  const first = from === undefined ? undefined : readSpan(from, today);
  const last = to === undefined ? undefined : readSpan(to, today);
  if (first === null) return { unreadable: 'from' };
  if (last === null) return { unreadable: 'to' };
  const end = last ?? (first?.isPeriod ? first : undefined);
  return { ...(first && { from: first.from }), ...(end && { to: end.to }) };
}

/** Words that also stand in names of events mean no time in a free text. */
const ofNames = ['now', 'weekend'];
const timely = Object.keys(words).filter((word) => !ofNames.includes(word));
const monthWord = `(?:${months.join('|')})`;
/** Months and weekdays stand in names too ("Long Friday"): they mean a time where a word or a year says so. */
const worded = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(${timely.join('|')}|\\d{4}-\\d{2}(?:-\\d{2})?|${monthWord} \\d{4})|in (${monthWord})|(?:on|this) (${weekdays.join('|')}))(?![\\p{L}\\p{N}])`,
  'iu',
);

/** The words for a time in a free text, and the text without them. */
export function splitTime(text: string): { time: string | null; rest: string } {
  const found = worded.exec(text.replace(/\s+/gu, ' '));
  if (found === null) return { time: null, rest: text };
  const { index, input } = found;
  const rest = `${input.slice(0, index)} ${input.slice(index + found[0].length)}`;
  const [, time, monthName, weekday] = found;
  return { time: time ?? monthName ?? weekday ?? null, rest: rest.trim() };
}
