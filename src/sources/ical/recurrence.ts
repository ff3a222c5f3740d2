/** When a repeating event takes place (RFC 5545, 3.8.5): its rules and dates, within a horizon, and never without end. */

import ICAL from 'ical.js';
import { dayMs } from '../../clock.ts';
import { InvalidEventError } from '../common/values.ts';
import type { LocalDateTime } from './time-zones.ts';

/** Some rules match no day at all, and their iterator would look for one for ever: it looks this often. */
const maxIteratorSteps = 100_000;
/** More than this of one event are not shows. */
export const maxOccurrences = 1_000;

/** An iterator that gives up. */
class BoundedRecurIterator extends ICAL.RecurIterator {
  // Counted from before the fields of a subclass exist: the base looks for the first date when it is made.
  declare stepCount: number | undefined;
  override check_contracting_rules(): boolean {
    this.stepCount = (this.stepCount ?? 0) + 1;
    if (this.stepCount > maxIteratorSteps)
      throw new InvalidEventError('repeats too often, or never, to be listed');
    return super.check_contracting_rules();
  }
}

export type RecurrenceWindow = {
  /** Nothing of an endless rule before this. */
  from: LocalDateTime;
  /** Nothing of any rule after this. */
  to: LocalDateTime;
};

/**
 * The starts that a rule gives, in the clock of the event, in order.
 * @param value the rule as jCal has it, its UNTIL already on the event's clock
 * @returns `cut` where there are more than are listed
 * @throws BadRule where it cannot be read
 */
export function expandRule(
  value: unknown,
  start: LocalDateTime,
  isDate: boolean,
  window: RecurrenceWindow,
): { starts: LocalDateTime[]; isTruncated: boolean } {
  const rule = parseRule(value, isDate);
  const endless = !rule.count && !rule.until;
  try {
    const dtstart = isDate
      ? ICAL.Time.fromDateString(start.slice(0, 10))
      : ICAL.Time.fromDateTimeString(start, undefined as never);
    const found = iterate(new BoundedRecurIterator({ rule, dtstart }), endless ? window.from : '', window.to);
    // A finite rule of thousands is listed as an endless one is.
    if (found.length <= maxOccurrences || endless) {
      return { starts: found.slice(0, maxOccurrences), isTruncated: found.length > maxOccurrences };
    }
    const near = found.filter((at) => at >= window.from);
    return { starts: near.slice(0, maxOccurrences), isTruncated: near.length > maxOccurrences };
  } catch (failure) {
    if (failure instanceof InvalidEventError) throw failure;
    throw new InvalidEventError(`repeats by a rule that cannot be followed (${(failure as Error).message})`);
  }
}

function iterate(iterator: BoundedRecurIterator, from: LocalDateTime, to: LocalDateTime): LocalDateTime[] {
  const found: LocalDateTime[] = [];
  for (let at = iterator.next(); at; at = iterator.next()) {
    const local = at.toString().replace(/Z$/, '').padEnd(10).slice(0, 19);
    const start = local.length === 10 ? `${local}T00:00:00` : local;
    if (start > to || found.length > 20_000) break;
    if (start >= from) found.push(start);
  }
  return found;
}

const frequencies = new Set(['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

function parseRule(value: unknown, isDate: boolean): ICAL.Recur {
  try {
    const rule = ICAL.Recur.fromData(normalizeUntil(value as Record<string, unknown>, isDate) as never);
    if (!frequencies.has(rule.freq)) throw new InvalidEventError('repeats by the minute');
    if (rule.interval > 1_000) throw new InvalidEventError('repeats at an interval beyond all calendars');
    return rule;
  } catch (failure) {
    if (failure instanceof InvalidEventError) throw failure;
    throw new InvalidEventError('repeats by a rule that cannot be read');
  }
}

/** An UNTIL of the other sort (a date for a clock time, a clock time for a date) is made to fit. */
function normalizeUntil(value: Record<string, unknown>, isDate: boolean): Record<string, unknown> {
  const { until } = value;
  if (typeof until !== 'string') return value;
  if (isDate) return { ...value, until: untilDate(until) };
  return { ...value, until: until.length === 10 ? `${until}T23:59:59` : until.replace(/Z$/, '') };
}

/** Midnight east of Greenwich is the evening before in UTC: Exchange ends series of days at 22:00Z and means the day after. */
function untilDate(until: string): string {
  const date = until.slice(0, 10);
  if (!/T(?:1[2-9]|2[0-3]):(?:00|30):00Z$/.test(until)) return date;
  const next = Date.parse(`${date}T00:00:00Z`) + dayMs;
  return Number.isNaN(next) ? date : new Date(next).toISOString().slice(0, 10);
}
