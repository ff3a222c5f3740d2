/** The days that a visitor selects on a page: tonight, a day, a weekend, a week or a month, local to a place. */

import { Temporal } from 'temporal-polyfill';
import { parseDate } from '../../contract/parameters.ts';
import { getOrCreate } from '../../memoize.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import { endOfNight, nightOf, todayIn } from './current-night.ts';

export type SelectionKind = 'tonight' | 'day' | 'weekend' | 'week' | 'month';
/** Selected days. Dates are local, yyyy-mm-dd. */
export type SelectedDays = {
  kind: SelectionKind;
  /** The value of the query parameter, in its canonical form. */
  value: string;
  first: string;
  last: string;
  /** The filter of the events of these days. */
  filter: Pick<EventFilter, 'from' | 'to' | 'upcomingAt'>;
  /** The value of the day, week or month before and after; null for other kinds. */
  around: { before: string; after: string } | null;
};

const firstYear = 1970;
const lastYear = 2200;

const toNumber = (date: Temporal.PlainDate): number => Number(date.toString().replaceAll('-', ''));

/** The end of the present night in a zone, in ms since 1970. */
const nightEnd = (zone: string | null, now: number): number => endOfNight(zone, nightOf(zone, now));

function select(
  kind: SelectionKind,
  value: string,
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
  { today, now }: { today: Temporal.PlainDate; now: number },
  around: SelectedDays['around'] = null,
): SelectedDays {
  // The events of a day that is over stay on its page.
  const isOver = Temporal.PlainDate.compare(last, today) < 0;
  return {
    kind,
    value,
    first: first.toString(),
    last: last.toString(),
    filter: {
      from: { date: toNumber(first) },
      to: { date: toNumber(last) },
      ...(isOver || kind === 'month' ? {} : { upcomingAt: now }),
    },
    around,
  };
}

/** "2026-W48". */
export function weekValue(date: Temporal.PlainDate): string {
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`;
}
const monthValue = (date: Temporal.PlainDate): string => date.toString().slice(0, 7);

/**
 * Parses selected days: `tonight`, `today`, `tomorrow`, `weekend`, a date (2026-11-27), a week (2026-W48), a month
 * (2026-11), `week` or `month`. Null if the text is none of them.
 * @param zone the time zone of the place; null means UTC
 * @param now ms since 1970
 */
export function parseSelectedDays(text: string, zone: string | null, now: number): SelectedDays | null {
  const today = todayIn(zone, now);
  const at = { today, now };
  const night = nightOf(zone, now);
  switch (text) {
    case 'tonight':
    case 'today': {
      const until = nightEnd(zone, now);
      const days = select('tonight', 'tonight', night, night, at);
      return { ...days, filter: { to: { instant: until - 1 }, upcomingAt: now } };
    }
    case 'tomorrow':
      return select('day', text, night.add({ days: 1 }), night.add({ days: 1 }), at);
    case 'weekend': {
      const friday = night.add({ days: 5 - night.dayOfWeek });
      const first = Temporal.PlainDate.compare(friday, night) < 0 ? night : friday;
      return select('weekend', text, first, friday.add({ days: 2 }), at);
    }
    // Weeks and months begin at midnight: at 03:00 on the first of a month, the month before is over.
    case 'week':
      return parseSelectedDays(weekValue(today), zone, now);
    case 'month':
      return parseSelectedDays(monthValue(today), zone, now);
    default:
      return parsePeriod(text, at);
  }
}

function parsePeriod(text: string, at: { today: Temporal.PlainDate; now: number }): SelectedDays | null {
  const [, year = '', week, month, day] = /^(\d{4})-(?:W(\d{2})|(\d{2})(?:-(\d{2}))?)$/i.exec(text) ?? [];
  if (year === '' || Number(year) < firstYear || Number(year) > lastYear) return null;
  if (week !== undefined) {
    const fourth = Temporal.PlainDate.from({ year: Number(year), month: 1, day: 4 });
    const monday = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: Number(week) - 1 });
    if (weekValue(monday) !== `${year}-W${week}`) return null;
    const around = {
      before: weekValue(monday.subtract({ weeks: 1 })),
      after: weekValue(monday.add({ weeks: 1 })),
    };
    return select('week', weekValue(monday), monday, monday.add({ days: 6 }), at, around);
  }
  const date = parseDate(`${year}-${month}-${day ?? '01'}`);
  if (date === null) return null;
  const first = Temporal.PlainDate.from(String(date));
  if (day !== undefined) {
    const around = {
      before: first.subtract({ days: 1 }).toString(),
      after: first.add({ days: 1 }).toString(),
    };
    return select('day', first.toString(), first, first, at, around);
  }
  const around = {
    before: monthValue(first.subtract({ months: 1 })),
    after: monthValue(first.add({ months: 1 })),
  };
  const last = first.with({ day: first.daysInMonth });
  return select('month', monthValue(first), first, last, at, around);
}

/** The days that the links of a page offer: tonight, tomorrow, the days of the weekend, and the weekend. */
export function offeredDays(zone: string | null, now: number): { value: string; date: string | null }[] {
  const night = nightOf(zone, now);
  const friday = night.add({ days: 5 - night.dayOfWeek });
  const weekend = [0, 1, 2]
    .map((days) => friday.add({ days }))
    // Tonight and tomorrow have links of their own.
    .filter((date) => Temporal.PlainDate.compare(date, night.add({ days: 1 })) > 0)
    .map((date) => ({ value: date.toString(), date: date.toString() }));
  return [
    { value: 'tonight', date: null },
    { value: 'tomorrow', date: null },
    ...weekend,
    { value: 'weekend', date: null },
  ];
}

/** The days of a period, yyyy-mm-dd. */
export function datesBetween(first: string, last: string): string[] {
  const dates: string[] = [];
  const end = Temporal.PlainDate.from(last);
  for (
    let date = Temporal.PlainDate.from(first);
    Temporal.PlainDate.compare(date, end) <= 0;
    date = date.add({ days: 1 })
  )
    dates.push(date.toString());
  return dates;
}

/**
 * Returns a test whether an event that is not over is of tonight. The end of the night is computed once per time zone:
 * that takes longer than the rest of a list of 150 events.
 * @param zone the zone of events without a time zone; null means UTC
 * @param now ms since 1970
 */
export function tonightFilter(
  zone: string | null,
  now: number,
): (event: { start_at: string; timezone: string | null }) => boolean {
  const night = nightOf(zone, now).toString();
  const ends = new Map<string, number>();
  return ({ start_at, timezone }) => {
    // An event of unknown time belongs to its day.
    if (timezone === null) return start_at.slice(0, 10) <= night;
    const end = getOrCreate(ends, timezone, () => nightEnd(timezone, now));
    return Date.parse(start_at) < end;
  };
}
