/** Nights and moments, which calendar dates cannot express. "Tonight" ends when clubs close. */
import { Temporal } from 'temporal-polyfill';
import type { EventFilter } from '../../store/lists/events.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { phraseMeanings, trailingWords } from './date-phrases.ts';
import type { TimeExpression } from './time-expressions.ts';

/** A night or moment. It contains the events that begin in one of its spans. */
export type Night = {
  readonly spans: readonly Pick<EventFilter, 'from' | 'to' | 'upcomingAt'>[];
  /** The date on which it begins, yyyy-mm-dd. */
  readonly date: string;
  /** The last instant at which an event of the night may begin. */
  readonly until: { readonly instant: number };
  /** The list position (ms) of the day's events of unknown time, if it is outside the spans; otherwise null. */
  readonly unknownTimeMs: number | null;
  /** The interpretation in words. */
  readonly text: string;
};

const nightStart = '17:00';
const nightEnd = '06:00';
const nightSuffix = new RegExp(` (?:${trailingWords})$`);

/**
 * Parses a night or moment; null if the words mean whole days.
 * @param first the words
 * @param times the time expression of a free text; null for a field, where "now" starts a window
 * @param day the parsed day, as the number yyyymmdd
 * @param zone null if no place is known; a night needs a time zone
 * @param now ms since 1970
 */
export function parseNight(
  first: string,
  times: TimeExpression | null,
  day: number,
  zone: string | null,
  now: number,
): Night | null {
  const words = normalizeForSearch(first);
  const meaning = phraseMeanings.get(words);
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone ?? 'UTC');
  const running = { to: { instant: now }, upcomingAt: now };
  if (meaning === 'now' && times !== null)
    return {
      spans: [running],
      date: local.toPlainDate().toString(),
      until: running.to,
      unknownTimeMs: null,
      text: 'what is on at this moment',
    };
  const isNight = meaning === 'tonight' || nightSuffix.test(words) || times?.isNight === true;
  if (zone === null || !isNight || meaning === 'yesterday') return null;
  const startDay = Temporal.PlainDate.from(String(day));
  // After midnight, the night still belongs to the previous day.
  const date = meaning === 'tonight' && local.hour < 6 ? startDay.subtract({ days: 1 }) : startDay;
  const at = (of: Temporal.PlainDate, plainTime: string): number =>
    of.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  const [begins, ends] = [at(date, nightStart), at(date.add({ days: 1 }), nightEnd)];
  const isOn = ends > now && (meaning === 'tonight' || startDay.equals(local.toPlainDate()));
  // Lists place events of unknown time at midnight UTC of their day.
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const clockless = isOn && midnight <= now ? null : midnight;
  const until = { instant: ends - 1 };
  const hours = `the night of ${date}, ${nightStart} to ${nightEnd} the next morning`;
  return {
    spans: [
      { from: { instant: isOn ? Math.max(begins, now + 1) : begins }, to: until },
      ...(isOn ? [running] : []),
      ...(clockless === null ? [] : [{ from: { instant: clockless }, to: { instant: clockless } }]),
    ],
    date: date.toString(),
    until,
    unknownTimeMs: clockless,
    text: `${hours}${isOn ? ', and what is on now' : ''}`,
  };
}

/** Whether an event, as JSON text, belongs to the night. An event of unknown time belongs to its day. */
export function isOfNight(json: string, { date, unknownTimeMs: clockless }: Night): boolean {
  const { start_at, timezone } = JSON.parse(json) as { start_at: string; timezone: string | null };
  return timezone === null ? start_at.slice(0, 10) <= date : Date.parse(start_at) !== clockless;
}
