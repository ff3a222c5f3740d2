/** What the clocks of a zone show, from its changes of offset: asked for once, not for every time that is read. */

import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../clock.ts';

/** From `from` until before `wordEnd` (ms since 1970) clocks are `offset` ms ahead of UTC. */
type OffsetPeriod = { from: number; to: number; offset: number };

/** So many stretches are kept for a zone: two centuries of daylight saving. */
const maxPeriodsPerZone = 400;
const periodsByZone = new Map<string, OffsetPeriod[]>();

/** How far ahead of UTC the clocks of a zone are (ms) at an instant (ms). */
export function offsetAt(zone: string, ts: number): number {
  let known = periodsByZone.get(zone);
  if (known === undefined) {
    known = [];
    periodsByZone.set(zone, known);
  }
  for (const stretch of known) if (ts >= stretch.from && ts < stretch.to) return stretch.offset;
  const found = periodAt(zone, ts);
  if (known.length >= maxPeriodsPerZone) known.length = 0;
  known.push(found);
  return found.offset;
}

function periodAt(zone: string, ts: number): OffsetPeriod {
  const at = Temporal.Instant.fromEpochMilliseconds(ts).toZonedDateTimeISO(zone);
  // Just after, as a change at this very instant has already happened.
  const after = Temporal.Instant.fromEpochMilliseconds(ts + 1).toZonedDateTimeISO(zone);
  return {
    from: after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1e6,
  };
}

/**
 * The instant (ms) at which clocks of a zone show `wall` (ms, as if it were UTC). A clock time that daylight saving skips
 * moves on by the gap; of one that occurs twice the first is meant.
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
