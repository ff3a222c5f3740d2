/** Nights and moments: parts of days that calendar dates cannot say. "Tonight" ends when the clubs close. */
import { Temporal } from 'temporal-polyfill';
import type { EventFilter } from '../../store/lists/events.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { phraseMeanings, trailingWords } from './date-phrases.ts';
import type { TimeExpression } from './time-expressions.ts';

/** What begins in one of the spans is meant. */
export type Night = {
  readonly spans: readonly Pick<EventFilter, 'from' | 'to' | 'upcomingAt'>[];
  /** The day on which it begins, yyyy-mm-dd. */
  readonly date: string;
  /** The last instant at which what is meant begins. */
  readonly until: { readonly instant: number };
  /** Where events of its day whose clock is not known stand (ms), should no span have them; else null. */
  readonly unknownTimeMs: number | null;
  /** How it was read, in words. */
  readonly text: string;
};

const nightStart = '17:00';
const nightEnd = '06:00';
const nightSuffix = new RegExp(` (?:${trailingWords})$`);

/**
 * The night or moment that words mean; null where they mean whole days.
 * @param first the words
 * @param times how they stood in a free text; null where they are a field's: there "now" begins a window
 * @param day the day they were read as, as the number yyyymmdd
 * @param defaultZone null where no place is known: a night is elsewhere at another time
 * @param now ms since 1970
 */
export function parseNight(
  first: string,
  times: TimeExpression | null,
  day: number,
  zone: string | null,
  now: number,
): Night | null {
  const asked = normalizeForSearch(first);
  const meant = phraseMeanings.get(asked);
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone ?? 'UTC');
  const running = { to: { instant: now }, upcomingAt: now };
  if (meant === 'now' && times !== null)
    return {
      spans: [running],
      date: local.toPlainDate().toString(),
      until: running.to,
      unknownTimeMs: null,
      text: 'what is on at this moment',
    };
  const isNight = meant === 'tonight' || nightSuffix.test(asked) || times?.isNight === true;
  if (zone === null || !isNight || meant === 'yesterday') return null;
  const said = Temporal.PlainDate.from(String(day));
  // After midnight it is still the night that began the day before.
  const date = meant === 'tonight' && local.hour < 6 ? said.subtract({ days: 1 }) : said;
  const at = (of: Temporal.PlainDate, plainTime: string): number =>
    of.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  const [begins, ends] = [at(date, nightStart), at(date.add({ days: 1 }), nightEnd)];
  const isOn = ends > now && (meant === 'tonight' || said.equals(local.toPlainDate()));
  // Lists have what has no clock at midnight UTC of its day.
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

/** Whether an event, as JSON text, is of the night: one whose clock is not known is of its day. */
export function isOfNight(json: string, { date, unknownTimeMs: clockless }: Night): boolean {
  const { start_at, timezone } = JSON.parse(json) as { start_at: string; timezone: string | null };
  return timezone === null ? start_at.slice(0, 10) <= date : Date.parse(start_at) !== clockless;
}
