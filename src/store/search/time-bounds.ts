/** The widest starts (ms) that bounds of time allow, in any time zone. */
import { dayMs } from '../../clock.ts';

/** The earliest possible start (ms) within the bound: local dates begin up to 14 hours before the UTC date. */
export function earliestStartMs(from: { date: number } | { instant: number }): number {
  return 'instant' in from ? from.instant : utcMidnight(from.date) - dayMs;
}

/** The latest possible start (ms) within the bound: local dates end up to 12 hours after the UTC date. */
export function latestStartMs(to: { date: number } | { instant: number }): number {
  return 'instant' in to ? to.instant : utcMidnight(to.date) + 2 * dayMs;
}

const utcMidnight = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100);
