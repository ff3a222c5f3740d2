/** When two listings say that a show begins, compared (docs/spec/imports.md#evidence: clocks and dates). */
import { readDate, readInstant } from '../../contract/parameters.ts';
import { type Moment, readMoment } from '../time.ts';
import { offsetAt } from '../zones.ts';
import type { Listing, Reason } from './listing.ts';

const minuteMs = 60_000;
const hourMin = 60;
const dayMs = 86_400_000;

/** A start as it can be compared. */
export type Start = {
  /** Days since 1970 of the local date; of an instant without a zone the date as written. */
  day: number;
  /** Local minute of the day; null where only a date was given. */
  minute: number | null;
  /** The instant, where one is known. */
  ts: number | null;
  /** As written, where it was written with a Z: some write local clocks so. */
  zWall: number | null;
  /** Its local date is not known for sure: an instant without a zone. */
  zoneless: boolean;
};

const written = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})/;
const dayOf = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100) / dayMs;

/** A clock as written, in minutes since 1970 as if UTC; null where only a date is written. */
function wallOf(text: string): number | null {
  const match = written.exec(text);
  if (match === null) return null;
  const date = readDate(match[1] as string);
  return date === null ? null : dayOf(date) * 1_440 + Number(match[2]) * 60 + Number(match[3]);
}

/** Starts as they were read; each listing meets many others. */
const starts = new WeakMap<Listing, Map<string | null, Start>>();

/** Reads a start in its zone, or in the other listing's where it has none of its own. */
export function startOf(listing: Listing, zone: string | null): Start {
  const known = starts.get(listing) ?? new Map<string | null, Start>();
  const start = known.get(zone) ?? readStart(listing, zone);
  if (known.size === 0) starts.set(listing, known);
  known.set(zone, start);
  return start;
}

function readStart(listing: Listing, zone: string | null): Start {
  const { startAt, clock } = listing;
  const wall = wallOf(startAt);
  if (wall === null) {
    const date = readDate(startAt.slice(0, 10));
    return { day: date === null ? 0 : dayOf(date), minute: null, ts: null, zWall: null, zoneless: false };
  }
  const instant = clock === 'local' ? null : readInstant(startAt);
  const zWall = instant !== null && /z$/i.test(startAt) ? wall : null;
  if (zone === null) {
    // With an offset the local clock is written; with a Z it is not.
    const zoneless = zWall !== null;
    const day = Math.floor(wall / 1_440);
    return { day, minute: wall - day * 1_440, ts: instant, zWall, zoneless };
  }
  const moment: Moment = readMoment(startAt, zone, clock ?? 'instant');
  const local = wallOf(moment.text) as number;
  const day = Math.floor(local / 1_440);
  return { day, minute: local - day * 1_440, ts: moment.ts, zWall, zoneless: false };
}

export type When = Reason & {
  /** The clocks agree only if one is taken to mean another day or zone: needs evidence of its own. */
  shifted: boolean;
  /** They cannot be one show. */
  apart: boolean;
};

const when = (weight: number, text: string, more: Partial<When> = {}): When => ({
  evidence: 'start',
  weight,
  text,
  shifted: false,
  apart: false,
  ...more,
});

/** Up to here (local minutes) a clock belongs to the night before as well. */
const morning = 6 * hourMin;
/** From here on a night begins that some list under the date it ends on. */
const lateEvening = 21 * hourMin;

/** Compares the starts of two listings. */
export function compareStarts(a: Listing, b: Listing): When {
  const country = countryOf(a) ?? countryOf(b);
  const inZone = (zone: string | null) =>
    compare(startOf(a, a.zone ?? zone), startOf(b, b.zone ?? zone), country);
  const found = inZone(a.zone ?? b.zone ?? null);
  if (a.zone || b.zone || found.weight >= 0.9 || country === null) return found;
  // A Z may have been written for nothing: only where the clocks do not agree as they are is it read.
  const [zone, ...others] = zonesOf(country);
  return zone === undefined || others.length > 0 ? found : inZone(zone);
}

function compare(a: Start, b: Start, country: string | null): When {
  if (a.minute === null && b.minute === null) return bothDates(a, b);
  if (a.minute === null) return dateAndClock(a, b as Start & { minute: number });
  if (b.minute === null) return dateAndClock(b, a as Start & { minute: number });
  const [one, two] = [a as Clocked, b as Clocked];
  return bothClocks(besides(one, two), besides(two, one), country);
}

type Clocked = Start & { minute: number };

function bothDates(a: Start, b: Start): When {
  const apart = Math.abs(a.day - b.day);
  if (apart === 0) return when(0.9, 'same date, no clock');
  if (apart === 1) return when(-5, 'dates a day apart', { apart: true });
  return when(-9, `dates ${apart} days apart`, { apart: true });
}

function dateAndClock(dated: Start, clocked: Clocked): When {
  const ahead = clocked.day - dated.day;
  if (ahead === 0) {
    if (clocked.minute > 0 && clocked.minute < morning)
      return when(0.2, 'a clock after midnight on that date');
    return when(0.7, 'same date, one without a clock');
  }
  if (ahead === 1 && clocked.minute <= morning) return when(0.5, 'after midnight of the night of that date');
  if (ahead === -1 && clocked.minute >= lateEvening)
    return when(-1.5, 'the night that goes on into that date', { shifted: true });
  if (Math.abs(ahead) === 1 && clocked.zoneless)
    return when(-0.8, 'dates a day apart, the zone is not known');
  return when(Math.abs(ahead) === 1 ? -5 : -9, `dates ${Math.abs(ahead)} days apart`, { apart: true });
}

/** An instant without a zone, in the zone of the other's offset where that is written with one. */
function besides(instant: Clocked, other: Clocked): Clocked {
  if (!instant.zoneless || instant.ts === null || other.zoneless || other.ts === null) return instant;
  const local = instant.ts / minuteMs + wall(other) - other.ts / minuteMs;
  const day = Math.floor(local / 1_440);
  return { ...instant, day, minute: local - day * 1_440, zoneless: false };
}

/** Minutes between two clocks, both as instants where both are, else as they are written. */
function minutesBetween(a: Clocked, b: Clocked): number {
  if (a.ts !== null && b.ts !== null) return Math.abs(a.ts - b.ts) / minuteMs;
  return Math.abs(wall(a) - wall(b));
}
const wall = ({ day, minute }: Clocked): number => day * 1_440 + minute;

const steps: readonly (readonly [number, number])[] = [
  [5, 1.6],
  [30, 1.3],
  [65, 0.9],
  [125, -0.6],
  [185, -2.2],
  [300, -3.6],
];

function bothClocks(a: Clocked, b: Clocked, country: string | null): When {
  const between = minutesBetween(a, b);
  const text = between < 5 ? 'same start' : `starts ${duration(between)} apart`;
  const step = steps.find(([most]) => between <= most);
  if (step && step[0] <= 65) return when(step[1], text);
  // An instant without a zone beside a clock without one: nobody knows how they lie to each other.
  if (a.zoneless !== b.zoneless && between <= 14 * hourMin) return inSomeZone(a, b, country, text);
  const odd = oddClocks(a, b, between);
  if (odd) return odd;
  if (step) return when(step[1], text, { apart: step[0] > 185 });
  return when(between <= 12 * hourMin ? -5 : -9, text, { apart: true });
}

/** Of a country with several zones one of them may make the two the same. */
function inSomeZone(a: Clocked, b: Clocked, country: string | null, text: string): When {
  const [instant, clock] = a.zoneless ? [a, b] : [b, a];
  const zones = country === null ? [] : zonesOf(country);
  const apart = zones.map((zone) =>
    Math.abs(
      (instant.ts as number) / minuteMs + offsetAt(zone, instant.ts as number) / minuteMs - wall(clock),
    ),
  );
  const least = Math.min(...apart);
  if (least <= 65) return when(least <= 5 ? 0.8 : 0.6, `${duration(least)} apart in a zone of the country`);
  const nearest = zones.length === 0 ? 0 : Math.min(least, minutesBetween(a, b));
  if (nearest > 185) return when(nearest > 300 ? -4 : -2.2, `${text}, whatever the zone is`);
  return when(-0.3, `${text}, the zone is not known`);
}

const countryOf = ({ country, venue }: Listing): string | null => country ?? venue?.country ?? null;
const countryZones = new Map<string, readonly string[]>();

/** The zones of a country, of those with the same clocks one. */
function zonesOf(country: string): readonly string[] {
  let zones = countryZones.get(country);
  if (zones === undefined) {
    zones = readZones(country);
    countryZones.set(country, zones);
  }
  return zones;
}

function readZones(country: string): string[] {
  if (!/^[A-Za-z]{2}$/.test(country)) return [];
  // Not in the types of TypeScript yet.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined };
  const byClocks = new Map(
    (locale.getTimeZones?.() ?? []).map((zone) => [seasons.map((ts) => offsetAt(zone, ts)).join(' '), zone]),
  );
  return [...byClocks.values()];
}
/** Zones that agree on these dates have the same clocks. */
const seasons = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];

/** Clocks that differ by a habit of writing rather than by what they mean. */
function oddClocks(a: Clocked, b: Clocked, between: number): When | null {
  const asWritten = (z: Start, other: Clocked) =>
    z.zWall !== null && Math.abs(z.zWall - wall(other)) <= 5 && z.zWall !== wall(z as Clocked);
  if (asWritten(a, b) || asWritten(b, a))
    return when(0.5, 'the same clock, one written as if it were UTC', { shifted: true });
  const [early, late] = wall(a) <= wall(b) ? [a, b] : [b, a];
  // Hardly a show begins so early: half a day off is a slip of morning and evening.
  if (between === 12 * hourMin && early.minute >= 3 * hourMin && early.minute < 11 * hourMin)
    return when(-1, 'the same clock, morning and evening perhaps confused', { shifted: true });
  // Midnight is what many write who know no clock.
  if (early.minute === 0 && early.day === late.day && between > 3 * hourMin)
    return when(-0.6, 'one at midnight of that date: no clock perhaps', { shifted: true });
  if (early.minute > 0 && early.minute < morning && between >= 12 * hourMin && between <= 25 * hourMin)
    return when(-1, 'a start after midnight, listed under the day before', { shifted: true });
  return null;
}

const duration = (minutes: number): string =>
  minutes < 90
    ? `${Math.round(minutes)} minutes`
    : minutes < 48 * hourMin
      ? `${Math.round(minutes / 6) / 10} hours`
      : `${Math.round(minutes / 1_440)} days`;
