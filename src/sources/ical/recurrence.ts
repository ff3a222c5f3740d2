/** Expands recurrence rules (RFC 5545, section 3.8.5) within a window, always with a limit. */
import ICAL from 'ical.js';
import { dayMs } from '../../clock.ts';
import { InvalidEventError } from '../common/values.ts';
import { iterateRule, type RecurrenceWork } from './recurrence-work.ts';
import { type LocalDateTime, parseLocalTime } from './zone-rules.ts';

/** Max occurrences of one event. */
export const maxOccurrences = 1_000;
/** Max starts of a finite rule before the window is applied. */
const maxFiniteStarts = 20_000;

/** Max values of one part of a rule without duplicates: BYDAY has at most 7 weekdays, each with 106 positions. */
const maxPartValues = 800;
const hourMs = 3_600_000;
/** Days of the months in a leap year. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export type RecurrenceWindow = {
  /** Start of the expansion of endless rules. */
  from: LocalDateTime;
  /** End of the expansion of all rules. */
  to: LocalDateTime;
};

/**
 * Expands a rule to starts in order, in the local time of the event.
 * @param value the rule as jCal, its UNTIL already in local time
 * @returns `isTruncated` if there are more starts than the limit
 * @throws InvalidEventError where the rule is not valid, never matches or takes too much work
 */
export function expandRule(
  value: unknown,
  start: LocalDateTime,
  isDate: boolean,
  window: RecurrenceWindow,
  work: RecurrenceWork,
): { starts: LocalDateTime[]; isTruncated: boolean } {
  const rule = parseRule(value, isDate);
  const isEndless = !rule.count && !rule.until;
  try {
    const first = isEndless ? skipAhead(rule, start, window.from) : start;
    const dtstart = isDate ? ICAL.Time.fromDateString(first.slice(0, 10)) : parseLocalTime(first);
    const starts = isEndless
      ? collectStarts(iterateRule(rule, dtstart, work), window.from, window.to, maxOccurrences)
      : collectStarts(iterateRule(rule, dtstart, work), '', window.to, maxFiniteStarts);
    // Long finite rules are expanded like endless ones.
    if (starts.length <= maxOccurrences || isEndless) {
      return { starts: starts.slice(0, maxOccurrences), isTruncated: starts.length > maxOccurrences };
    }
    const inWindow = starts.filter((at) => at >= window.from);
    return { starts: inWindow.slice(0, maxOccurrences), isTruncated: inWindow.length > maxOccurrences };
  } catch (failure) {
    if (failure instanceof InvalidEventError) throw failure;
    throw new InvalidEventError(
      `has a recurrence rule that cannot be expanded (${(failure as Error).message})`,
    );
  }
}

/**
 * Moves the start of an endless rule by whole intervals to shortly before the window, which has the same starts then.
 * Months and years are few enough to go through.
 */
function skipAhead({ freq, interval }: ICAL.Recur, start: LocalDateTime, from: LocalDateTime): LocalDateTime {
  const unit = { HOURLY: hourMs, DAILY: dayMs, WEEKLY: 7 * dayMs }[freq as string];
  if (unit === undefined) return start;
  const period = unit * interval;
  const startMs = Date.parse(`${start}Z`);
  const periods = Math.floor((Date.parse(`${from}Z`) - startMs) / period) - 1;
  return periods > 0 ? new Date(startMs + periods * period).toISOString().slice(0, 19) : start;
}

/** Returns the starts from `from` to `to`, and one more than `max` if there are more. */
function collectStarts(
  all: Iterable<ICAL.Time>,
  from: LocalDateTime,
  to: LocalDateTime,
  max: number,
): LocalDateTime[] {
  const starts: LocalDateTime[] = [];
  for (const at of all) {
    const local = at.toString().replace(/Z$/, '').padEnd(10).slice(0, 19);
    const start = local.length === 10 ? `${local}T00:00:00` : local;
    if (start > to || starts.length > max) break;
    if (start >= from) starts.push(start);
  }
  return starts;
}

const frequencies = new Set(['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

function parseRule(value: unknown, isDate: boolean): ICAL.Recur {
  try {
    const data = normalizeUntil(withoutDuplicates(value as Record<string, unknown>), isDate);
    const rule = ICAL.Recur.fromData(data);
    if (!frequencies.has(rule.freq)) throw new InvalidEventError('recurs by the minute or second');
    if (rule.interval > 1_000) throw new InvalidEventError('has a recurrence interval above 1,000');
    if (isImpossible(rule)) throw new InvalidEventError('recurs on days that do not exist');
    return rule;
  } catch (failure) {
    if (failure instanceof InvalidEventError) throw failure;
    throw new InvalidEventError('has a recurrence rule that is not valid');
  }
}

/** Removes duplicates from the lists of a rule, which the library goes through for every day. */
function withoutDuplicates(value: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    Array.isArray(part) ? [...new Set(part)] : part,
  ]);
  if (parts.some(([, part]) => Array.isArray(part) && part.length > maxPartValues))
    throw new InvalidEventError('has a recurrence rule with too many values');
  return Object.fromEntries(parts) as Record<string, unknown>;
}

/** Whether a rule names only days that none of its months has, such as 30 February. */
function isImpossible(rule: ICAL.Recur): boolean {
  const { BYMONTH: months, BYMONTHDAY: days } = rule.parts as { BYMONTH?: number[]; BYMONTHDAY?: number[] };
  if (months === undefined || days === undefined) return false;
  const longest = Math.max(...months.map((month) => monthLengths[month - 1] ?? 0));
  return days.every((day) => Math.abs(day) > longest);
}

/** Converts an UNTIL to the value type of the event (date or date-time). */
function normalizeUntil(value: Record<string, unknown>, isDate: boolean): Record<string, unknown> {
  const { until } = value;
  if (typeof until !== 'string') return value;
  if (isDate) return { ...value, until: untilDate(until) };
  return { ...value, until: until.length === 10 ? `${until}T23:59:59` : until.replace(/Z$/, '') };
}

/**
 * Returns the date of an UNTIL in UTC. East of Greenwich, midnight is the previous evening in UTC: Exchange ends
 * all-day series at 22:00Z of the day before.
 */
function untilDate(until: string): string {
  const date = until.slice(0, 10);
  if (!/T(?:1[2-9]|2[0-3]):(?:00|30):00Z$/.test(until)) return date;
  const next = Date.parse(`${date}T00:00:00Z`) + dayMs;
  return Number.isNaN(next) ? date : new Date(next).toISOString().slice(0, 10);
}
