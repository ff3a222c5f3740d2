/** What the clocks of a zone show, from its changes of offset: asked for once, not for every time that is read. */
import { Temporal } from 'temporal-polyfill';

/** From `from` until before `to` (ms since 1970) clocks are `offset` ms ahead of UTC. */
type Stretch = { from: number; to: number; offset: number };

/** So many stretches are kept for a zone: two centuries of daylight saving. */
const mostKept = 400;
const zones = new Map<string, Stretch[]>();

/** How far ahead of UTC the clocks of a zone are (ms) at an instant (ms). */
export function offsetAt(zone: string, ts: number): number {
  let known = zones.get(zone);
  if (known === undefined) {
    known = [];
    zones.set(zone, known);
  }
  for (const stretch of known) if (ts >= stretch.from && ts < stretch.to) return stretch.offset;
  const found = stretchAt(zone, ts);
  if (known.length >= mostKept) known.length = 0;
  known.push(found);
  return found.offset;
}

function stretchAt(zone: string, ts: number): Stretch {
  const at = Temporal.Instant.fromEpochMilliseconds(ts).toZonedDateTimeISO(zone);
  // Just after, as a change at this very instant has already happened.
  const after = Temporal.Instant.fromEpochMilliseconds(ts + 1).toZonedDateTimeISO(zone);
  return {
    from: after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1e6,
  };
}

const day = 86_400_000;

/**
 * The instant (ms) at which clocks of a zone show `wall` (ms, as if it were UTC). A clock time that daylight saving skips
 * moves on by the gap; of one that occurs twice the first is meant.
 */
export function instantAt(zone: string, wall: number): number {
  const before = offsetAt(zone, wall - day);
  const after = offsetAt(zone, wall + day);
  if (before === after && offsetAt(zone, wall - before) === before) return wall - before;
  const fits = [before, after]
    .map((offset) => ({ offset, ts: wall - offset }))
    .filter(({ offset, ts }) => offsetAt(zone, ts) === offset);
  if (fits.length > 0) return Math.min(...fits.map(({ ts }) => ts));
  return wall - before;
}
