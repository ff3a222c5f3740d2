/** Converts between instants and local clock times, with cached offset periods of each time zone. */

import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../clock.ts';
import { getOrCreate } from '../memoize.ts';

/** From `from` until before `to` (ms since 1970) clocks are `offset` ms ahead of UTC. */
type OffsetPeriod = { from: number; to: number; offset: number };

/** Cached periods per zone: two centuries of daylight saving time. */
const maxPeriodsPerZone = 400;
const periodsByZone = new Map<string, OffsetPeriod[]>();

/** The offset of a zone from UTC in milliseconds at an instant (ms since 1970). */
export function offsetAt(zone: string, ts: number): number {
  const periods = getOrCreate(periodsByZone, zone, () => []);
  for (const { from, to, offset } of periods) if (ts >= from && ts < to) return offset;
  const period = periodAt(zone, ts);
  if (periods.length >= maxPeriodsPerZone) periods.length = 0;
  periods.push(period);
  return period.offset;
}

function periodAt(zone: string, ts: number): OffsetPeriod {
  const at = Temporal.Instant.fromEpochMilliseconds(ts).toZonedDateTimeISO(zone);
  // One millisecond later, because a change at this instant has already happened.
  const after = Temporal.Instant.fromEpochMilliseconds(ts + 1).toZonedDateTimeISO(zone);
  return {
    from: after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1e6,
  };
}

/**
 * The instant (ms since 1970) at which clocks of a zone show `wallMs` (ms, as if in UTC). A clock time skipped by daylight
 * saving time moves forward by the gap. A clock time that occurs twice means the first.
 */
export function instantAt(zone: string, wallMs: number): number {
  const before = offsetAt(zone, wallMs - dayMs);
  const after = offsetAt(zone, wallMs + dayMs);
  if (before === after && offsetAt(zone, wallMs - before) === before) return wallMs - before;
  const fits = [before, after]
    .map((offset) => ({ offset, ts: wallMs - offset }))
    .filter(({ offset, ts }) => offsetAt(zone, ts) === offset);
  if (fits.length > 0) return Math.min(...fits.map(({ ts }) => ts));
  return wallMs - before;
}
