/** Expands recurrence rules (RFC 5545, section 3.8.5) within a window, always with a limit. */
import ICAL from 'ical.js';
import { dayMs } from '../../clock.ts';
import { InvalidEventError } from '../common/values.ts';
import type { LocalDateTime } from './time-zones.ts';

/** Max steps of an iterator: some rules match no day, and the library would search for ever. */
const maxIteratorSteps = 100_000;
/** Max occurrences of one event. */
export const maxOccurrences = 1_000;

/** A recurrence iterator with a limit. */
class BoundedRecurIterator extends ICAL.RecurIterator {
  // Declared without initializer: the base class already iterates in its constructor.
  declare stepCount: number | undefined;
  override check_contracting_rules(): boolean {
    this.stepCount = (this.stepCount ?? 0) + 1;
    if (this.stepCount > maxIteratorSteps) throw new InvalidEventError('recurs too often, or never');
    return super.check_contracting_rules();
  }
}

export type RecurrenceWindow = {
  /** Start of the expansion of endless rules. */
  from: LocalDateTime;
  /** End of the expansion of all rules. */
  to: LocalDateTime;
};

/**
 * Expands a rule to starts in order, in the local time of the event.
 * @param value the rule as jCal, its UNTIL already in local time
 * @returns `isTruncated` where there are more starts than the limit
 * @throws InvalidEventError where the rule is not valid
 */
export function expandRule(
  value: unknown,
  start: LocalDateTime,
  isDate: boolean,
  window: RecurrenceWindow,
): { starts: LocalDateTime[]; isTruncated: boolean } {
  const rule = parseRule(value, isDate);
  const isEndless = !rule.count && !rule.until;
  try {
    const dtstart = isDate
      ? ICAL.Time.fromDateString(start.slice(0, 10))
      : ICAL.Time.fromDateTimeString(start, undefined as never);
    const starts = iterate(
      new BoundedRecurIterator({ rule, dtstart }),
      isEndless ? window.from : '',
      window.to,
    );
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

function iterate(iterator: BoundedRecurIterator, from: LocalDateTime, to: LocalDateTime): LocalDateTime[] {
  const starts: LocalDateTime[] = [];
  for (let at = iterator.next(); at; at = iterator.next()) {
    const local = at.toString().replace(/Z$/, '').padEnd(10).slice(0, 19);
    const start = local.length === 10 ? `${local}T00:00:00` : local;
    if (start > to || starts.length > 20_000) break;
    if (start >= from) starts.push(start);
  }
  return starts;
}

const frequencies = new Set(['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

function parseRule(value: unknown, isDate: boolean): ICAL.Recur {
  try {
    const rule = ICAL.Recur.fromData(normalizeUntil(value as Record<string, unknown>, isDate) as never);
    if (!frequencies.has(rule.freq)) throw new InvalidEventError('recurs by the minute or second');
    if (rule.interval > 1_000) throw new InvalidEventError('has a recurrence interval above 1,000');
    return rule;
  } catch (failure) {
    if (failure instanceof InvalidEventError) throw failure;
    throw new InvalidEventError('has a recurrence rule that is not valid');
  }
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
