/** Nights and moments, which calendar dates cannot express. "Tonight" ends when clubs close. */
import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../clock.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { endOfNight, nightEndHour, nightOf } from './current-night.ts';
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
  /** Whether it is the present moment: "right now". */
  readonly isMoment: boolean;
  /** The interpretation in words. */
  readonly text: string;
  /** The present time (ms) of tonight without a place: each event belongs to the night of its own time zone. */
  readonly nowInEachZone?: number;
};

const nightStart = '17:00';
const nightEnd = `0${nightEndHour}:00`;
const nightSuffix = new RegExp(` (?:${trailingWords})$`);

/**
 * Parses a night or moment; null if the words mean whole days.
 * @param first the words
 * @param times the time expression of a free text; null for a field, where "now" starts a window
 * @param day the parsed day, as the number yyyymmdd
 * @param zone null if no place is known: tonight is then that of each event, and other nights are whole days
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
  const presentNight = nightOf(zone, now);
  const running = { to: { instant: now }, upcomingAt: now };
  if (meaning === 'now' && times !== null)
    return {
      spans: [running],
      date: presentNight.toString(),
      until: running.to,
      unknownTimeMs: null,
      isMoment: true,
      text: 'what is on at this moment',
    };
  const isNight = meaning === 'tonight' || nightSuffix.test(words) || times?.isNight === true;
  if (!isNight || meaning === 'yesterday') return null;
  if (zone === null) return meaning === 'tonight' ? tonightInEachZone(presentNight, now) : null;
  const date = Temporal.PlainDate.from(String(day));
  const at = (of: Temporal.PlainDate, plainTime: string): number =>
    of.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  const [begins, ends] = [at(date, nightStart), endOfNight(zone, date)];
  const isOn = date.equals(presentNight);
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
    isMoment: false,
    text: `${hours}${isOn ? ', and what is on now' : ''}`,
  };
}

/** Tonight without a place: what is on, and what begins before the night of its own time zone is over. */
function tonightInEachZone(night: Temporal.PlainDate, now: number): Night {
  const until = { instant: now + dayMs - 1 };
  return {
    spans: [{ to: until, upcomingAt: now }],
    date: night.toString(),
    until,
    unknownTimeMs: null,
    isMoment: false,
    text: `the night of ${night}, until ${nightEnd} the next morning in the time zone of each event`,
    nowInEachZone: now,
  };
}

/** Whether an event, as JSON text, belongs to the night. An event of unknown time belongs to its day. */
export function isOfNight(json: string, { date, unknownTimeMs: clockless, nowInEachZone }: Night): boolean {
  const { start_at, timezone } = JSON.parse(json) as { start_at: string; timezone: string | null };
  if (nowInEachZone !== undefined && timezone !== null)
    return Date.parse(start_at) < endOfNight(timezone, nightOf(timezone, nowInEachZone));
  return timezone === null ? start_at.slice(0, 10) <= date : Date.parse(start_at) !== clockless;
}
