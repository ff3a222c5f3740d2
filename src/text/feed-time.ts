/** Parses times of feeds into an instant in a zone, or a date whose clock is not trusted (docs/spec/times.md, docs/spec/feed-format.md#times-in-a-feed). */
import { parseDate, parseInstant } from '../contract/parameters.ts';
import { midnightUtc } from './date-number.ts';
import { instantAt, offsetAt } from './time-zones.ts';

/** Thrown for a time whose local year is not between 1 and 9999. */
export class TimeOutOfRange extends Error {
  constructor() {
    super('a time lies, in its zone, outside the years 1 to 9999');
  }
}

/** A time as the catalogue keeps it. */
export type Moment = {
  /** Milliseconds since 1970; midnight UTC of the date if the clock is not trusted. */
  ts: number;
  /** The time as responses show it. */
  text: string;
  /** Local calendar date, yyyymmdd. */
  date: number;
  /** Whether the source gave only a date. */
  isDateOnly: boolean;
  /** The zone in which the time is shown; null if the clock is not trusted. */
  zone: string | null;
};

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const dateText = (date: number): string =>
  `${pad(Math.trunc(date / 10_000), 4)}-${pad(Math.trunc(date / 100) % 100)}-${pad(date % 100)}`;
const offsetPattern = /(?:[Zz]|[+\- ]\d{2}:\d{2})$/;

/**
 * Parses a time of a feed.
 * @param text a date, a local clock time, or a time with an offset or Z
 * @param zone the zone for local clock times, and for showing instants; null if unknown
 * @param clock 'local' if the source writes local clock times with a Z
 * @throws TimeOutOfRange
 */
export function readMoment(text: string, zone: string | null, clock: 'instant' | 'local'): Moment {
  const date = parseDate(text);
  if (date !== null) return momentWithoutZone(date, '00:00:00', true);
  const hasOffset = text.length > 16 && offsetPattern.test(text);
  const local = hasOffset ? text.replace(offsetPattern, '') : text;
  if (hasOffset && clock === 'instant' && zone !== null)
    return momentInZone(parseInstant(text) as number, zone);
  const written = parseDate(local.slice(0, 10)) as number;
  if (zone === null) return momentWithoutZone(written, clockOf(local), false);
  return momentInZone(localInstant(local, zone), zone);
}

/** The clock time of a local time as hh:mm:ss. */
const clockOf = (local: string): string =>
  local.length >= 19 ? local.slice(11, 19) : `${local.slice(11, 16)}:00`;

const momentWithoutZone = (date: number, clock: string, dateOnly: boolean): Moment => ({
  ts: midnightUtc(date),
  text: `${dateText(date)}T${clock}Z`,
  date,
  isDateOnly: dateOnly,
  zone: null,
});

const localTimePattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?$/;

/** The instant of a local clock time in milliseconds. */
function localInstant(local: string, zone: string): number {
  const [, year, month, day, hour, minute, second = '0', fraction = '0'] = localTimePattern.exec(
    local,
  ) as string[];
  const wall = new Date(0);
  wall.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  wall.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0')));
  return instantAt(zone, wall.getTime());
}

function momentInZone(ts: number, zone: string): Moment {
  const ahead = offsetAt(zone, ts);
  const at = new Date(ts + ahead);
  // Offsets of less than a minute are history (before 1972); ISO 8601 has no way to write them.
  const minutes = Math.round(ahead / 60_000);
  const sign = minutes < 0 ? '-' : '+';
  const offset = `${sign}${pad(Math.trunc(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
  const year = at.getUTCFullYear();
  if (!(year >= 1 && year <= 9_999)) throw new TimeOutOfRange();
  const date = year * 10_000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate();
  return {
    ts,
    text: `${dateText(date)}T${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}${offset}`,
    date,
    isDateOnly: false,
    zone,
  };
}

/** The end of a calendar date (yyyymmdd) in a zone, or in UTC if the zone is null, in milliseconds. */
export function endOfDate(date: number, zone: string | null): number {
  const next = midnightUtc(date, 1);
  return zone === null ? next : instantAt(zone, next);
}

const defaultDurationMs = 12 * 3_600_000;

/** Start and end of an event or edition, and the instant after which it is over (docs/spec/times.md#upcoming). */
export type EventSpan = { start: Moment; endAt: string | null; endsAtMs: number };

/**
 * Parses start and end of an event. An end before the start is dropped.
 * @param zone the zone of the times: the event's, else its venue's, else its city's
 */
export function readSpan(
  startAt: string,
  endAt: string | null,
  zone: string | null,
  clock: 'instant' | 'local',
): EventSpan {
  const start = readMoment(startAt, zone, clock);
  // Without a trusted clock of the start, the end has none either; its date still gives the end of the event.
  const end = endAt === null ? null : readMoment(endAt, start.zone === null ? null : zone, clock);
  if (
    end === null ||
    end.date < start.date ||
    (!end.isDateOnly && start.zone !== null && end.ts < start.ts)
  ) {
    const overTs = start.zone === null ? endOfDate(start.date, zone) : start.ts + defaultDurationMs;
    return { start, endAt: null, endsAtMs: overTs };
  }
  if (start.zone === null) return { start, endAt: end.text, endsAtMs: endOfDate(end.date, zone) };
  // An end given as a date alone means through that day.
  if (end.isDateOnly) {
    const overTs = endOfDate(end.date, zone);
    return { start, endAt: momentInZone(overTs - 1_000, start.zone).text, endsAtMs: overTs };
  }
  return { start, endAt: end.text, endsAtMs: end.ts };
}
