/** Compares the starts of two listings (docs/spec/imports.md#evidence: clocks and dates). */

import { dayMs } from '../../clock.ts';
import { parseDate, parseInstant } from '../../contract/parameters.ts';
import { getOrCreate, memoize, memoizeByObject } from '../../memoize.ts';
import { midnightUtc } from '../../text/date-number.ts';
import { type Moment, readMoment } from '../../text/feed-time.ts';
import { offsetAt } from '../../text/time-zones.ts';
import { type EventFacts, type Evidence, evidenceOf } from '../model.ts';
import { type EvidenceCode, eventWeights, isAtLeast } from '../weights.ts';

const minuteMs = 60_000;
const minutesPerHour = 60;
/** A start as it can be compared. */
export type StartTime = {
  /** Days since 1970 of the local date; of an instant without a zone the date as written. */
  day: number;
  /** Local minute of the day; null where only a date was given. */
  minute: number | null;
  /** The instant, where one is known. */
  ts: number | null;
  /** As written, where it was written with a Z: some write local clocks so. */
  utcWallMinute: number | null;
  /** Its local date is not known for sure: an instant without a zone. */
  isZoneUnknown: boolean;
};

const dateClockPattern = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})/;
const dayNumber = (date: number): number => midnightUtc(date) / dayMs;

/** A clock as written, in minutes since 1970 as if UTC; null where only a date is written. */
function wallMinutes(text: string): number | null {
  const match = dateClockPattern.exec(text);
  if (match === null) return null;
  const date = parseDate(match[1] as string);
  return date === null ? null : dayNumber(date) * 1_440 + Number(match[2]) * 60 + Number(match[3]);
}

/** Parsed starts: each listing is compared with many others. */
const startsByZone = memoizeByObject((_: EventFacts) => new Map<string | null, StartTime>());

/** The start of a listing in a zone: its own, or the other listing's where it has none. */
export function startOf(listing: EventFacts, zone: string | null): StartTime {
  return getOrCreate(startsByZone(listing), zone, () => readStart(listing, zone));
}

function readStart(listing: EventFacts, zone: string | null): StartTime {
  const { startAt, clock } = listing;
  const wall = wallMinutes(startAt);
  if (wall === null) {
    const date = parseDate(startAt.slice(0, 10));
    return {
      day: date === null ? 0 : dayNumber(date),
      minute: null,
      ts: null,
      utcWallMinute: null,
      isZoneUnknown: false,
    };
  }
  const instant = clock === 'local' ? null : parseInstant(startAt);
  const zWall = instant !== null && /z$/i.test(startAt) ? wall : null;
  if (zone === null) {
    // With an offset the local clock is written; with a Z it is not.
    const zoneless = zWall !== null;
    const day = Math.floor(wall / 1_440);
    return { day, minute: wall - day * 1_440, ts: instant, utcWallMinute: zWall, isZoneUnknown: zoneless };
  }
  const moment: Moment = readMoment(startAt, zone, clock ?? 'instant');
  const local = wallMinutes(moment.text) as number;
  const day = Math.floor(local / 1_440);
  return { day, minute: local - day * 1_440, ts: moment.ts, utcWallMinute: zWall, isZoneUnknown: false };
}

export type StartComparison = Evidence & {
  /** The clocks agree only if one means another day or zone: the match needs further evidence. */
  needsTimeShift: boolean;
  /** They cannot be one event. */
  isIncompatible: boolean;
};

const timeShifts: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'start.day-before',
  'start.half-a-day',
  'start.midnight',
  'start.night-into-date',
  'start.written-as-utc',
]);
const incompatibleStarts: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'start.next-date',
  'start.next-date-and-clock',
  'start.other-date',
  'start.over-12-hours',
  'start.within-12-hours',
  'start.within-5-hours',
]);
const eventEvidence = evidenceOf(eventWeights);
type StartCode = Extract<keyof typeof eventWeights, `start.${string}`>;
const startEvidence = (code: StartCode, ...values: number[]): StartComparison => ({
  ...eventEvidence(code, ...values),
  needsTimeShift: timeShifts.has(code),
  isIncompatible: incompatibleStarts.has(code),
});

/** Up to this local minute a clock belongs to the night before as well. */
const morningEndMin = 6 * minutesPerHour;
/** From this local minute on a night begins that some list under the date it ends on. */
const lateEveningMin = 21 * minutesPerHour;

/** Compares the starts of two listings. */
export function compareStarts(a: EventFacts, b: EventFacts): StartComparison {
  const country = countryOfEvent(a) ?? countryOfEvent(b);
  const own = a.zone ?? b.zone ?? null;
  const comparison = compareInZone(startOf(a, a.zone ?? own), startOf(b, b.zone ?? own), country);
  if (a.zone || b.zone || isAtLeast(comparison, 'start.same-date') || country === null) return comparison;
  // Some sources add a Z to local times. This is assumed only if the times differ otherwise.
  const [zone, ...others] = zonesOfCountry(country);
  if (zone === undefined || others.length > 0) return comparison;
  return compareInZone(startOf(a, a.zone ?? zone), startOf(b, b.zone ?? zone), country);
}

function compareInZone(a: StartTime, b: StartTime, country: string | null): StartComparison {
  if (a.minute === null && b.minute === null) return compareDates(a, b);
  if (a.minute === null) return compareDateWithClock(a, b as StartTime & { minute: number });
  if (b.minute === null) return compareDateWithClock(b, a as StartTime & { minute: number });
  const [one, two] = [a as StartWithClock, b as StartWithClock];
  return compareClocks(inOtherZone(one, two), inOtherZone(two, one), country);
}

type StartWithClock = StartTime & { minute: number };

function compareDates(a: StartTime, b: StartTime): StartComparison {
  const apart = Math.abs(a.day - b.day);
  if (apart === 0) return startEvidence('start.same-date');
  if (apart === 1) return startEvidence('start.next-date');
  return startEvidence('start.other-date', apart);
}

function compareDateWithClock(dated: StartTime, clocked: StartWithClock): StartComparison {
  const ahead = clocked.day - dated.day;
  if (ahead === 0) {
    if (clocked.minute > 0 && clocked.minute < morningEndMin)
      return startEvidence('start.early-clock-on-date');
    return startEvidence('start.date-and-clock');
  }
  if (ahead === 1 && clocked.minute <= morningEndMin) return startEvidence('start.after-midnight');
  if (ahead === -1 && clocked.minute >= lateEveningMin) return startEvidence('start.night-into-date');
  if (Math.abs(ahead) > 1) return startEvidence('start.other-date', Math.abs(ahead));
  return startEvidence(clocked.isZoneUnknown ? 'start.next-date-zone-unknown' : 'start.next-date-and-clock');
}

/** An instant without a zone, in the zone of the other's offset where that is written with one. */
function inOtherZone(instant: StartWithClock, other: StartWithClock): StartWithClock {
  if (!instant.isZoneUnknown || instant.ts === null || other.isZoneUnknown || other.ts === null)
    return instant;
  const local = instant.ts / minuteMs + localMinutes(other) - other.ts / minuteMs;
  const day = Math.floor(local / 1_440);
  return { ...instant, day, minute: local - day * 1_440, isZoneUnknown: false };
}

/** Minutes between two clocks, both as instants where both are, else as they are written. */
function minutesBetween(a: StartWithClock, b: StartWithClock): number {
  if (a.ts !== null && b.ts !== null) return Math.abs(a.ts - b.ts) / minuteMs;
  return Math.abs(localMinutes(a) - localMinutes(b));
}
const localMinutes = ({ day, minute }: StartWithClock): number => day * 1_440 + minute;

/** The level of two clocks by the maximum of minutes between them. */
const clockSteps: readonly (readonly [number, StartCode])[] = [
  [5, 'start.within-5-minutes'],
  [30, 'start.within-30-minutes'],
  [65, 'start.within-1-hour'],
  [125, 'start.within-2-hours'],
  [185, 'start.within-3-hours'],
  [300, 'start.within-5-hours'],
  [12 * minutesPerHour, 'start.within-12-hours'],
  [Number.POSITIVE_INFINITY, 'start.over-12-hours'],
];

function compareClocks(a: StartWithClock, b: StartWithClock, country: string | null): StartComparison {
  const between = minutesBetween(a, b);
  const [, code] = clockSteps.find(([max]) => between <= max) as (typeof clockSteps)[number];
  const clocks = startEvidence(code, between);
  if (isAtLeast(clocks, 'start.within-1-hour')) return clocks;
  // An instant without a zone and a local clock: their difference is unknown.
  if (a.isZoneUnknown !== b.isZoneUnknown && between <= 14 * minutesPerHour)
    return compareInCountryZones(a, b, country, between);
  return compareOddClocks(a, b, between) ?? clocks;
}

/** Of a country with several zones one of them may make the two the same. */
function compareInCountryZones(
  a: StartWithClock,
  b: StartWithClock,
  country: string | null,
  between: number,
): StartComparison {
  const [instant, clock] = a.isZoneUnknown ? [a, b] : [b, a];
  const zones = country === null ? [] : zonesOfCountry(country);
  const apart = zones.map((zone) =>
    Math.abs(
      (instant.ts as number) / minuteMs +
        offsetAt(zone, instant.ts as number) / minuteMs -
        localMinutes(clock),
    ),
  );
  const least = Math.min(...apart);
  if (least <= 65)
    return startEvidence(least <= 5 ? 'start.country-zone-5-minutes' : 'start.country-zone-1-hour', least);
  const nearest = zones.length === 0 ? 0 : Math.min(least, between);
  if (nearest <= 185) return startEvidence('start.zone-unknown', between);
  return startEvidence(nearest > 300 ? 'start.any-zone-5-hours' : 'start.any-zone-3-hours', between);
}

const countryOfEvent = ({ country, venue }: EventFacts): string | null => country ?? venue?.country ?? null;

/** The zones of a country, of those with the same clocks one. */
const zonesOfCountry = memoize(1_000, (country: string): readonly string[] => {
  if (!/^[A-Za-z]{2}$/.test(country)) return [];
  // Not in the types of TypeScript yet.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined };
  const byClocks = new Map(
    (locale.getTimeZones?.() ?? []).map((zone) => [
      sampleInstants.map((ts) => offsetAt(zone, ts)).join(' '),
      zone,
    ]),
  );
  return [...byClocks.values()];
});
/** Zones that agree on these dates have the same clocks. */
const sampleInstants = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];

/** Whether a time with a Z equals the local time of the other: some sources add a Z to local times. */
const isLocalWithZ = (z: StartWithClock, other: StartWithClock): boolean =>
  z.utcWallMinute !== null &&
  Math.abs(z.utcWallMinute - localMinutes(other)) <= 5 &&
  z.utcWallMinute !== localMinutes(z);

/** Clocks that differ by a habit of writing rather than by what they mean. */
function compareOddClocks(a: StartWithClock, b: StartWithClock, between: number): StartComparison | null {
  if (isLocalWithZ(a, b) || isLocalWithZ(b, a)) return startEvidence('start.written-as-utc');
  const [early, late] = localMinutes(a) <= localMinutes(b) ? [a, b] : [b, a];
  // Few events begin so early: a difference of half a day is a confusion of morning and evening.
  if (
    between === 12 * minutesPerHour &&
    early.minute >= 3 * minutesPerHour &&
    early.minute < 11 * minutesPerHour
  )
    return startEvidence('start.half-a-day');
  // Many sources write midnight where the clock is unknown.
  if (early.minute === 0 && early.day === late.day && between > 3 * minutesPerHour)
    return startEvidence('start.midnight');
  if (
    early.minute > 0 &&
    early.minute < morningEndMin &&
    between >= 12 * minutesPerHour &&
    between <= 25 * minutesPerHour
  )
    return startEvidence('start.day-before');
  return null;
}
