/** Joins the components of one event: the event itself, and those that move, change or cancel single occurrences. */

import { dayMs } from '../../clock.ts';
import { stableDigest } from '../address/place.ts';
import { InvalidEventError } from '../common/values.ts';
import { type IcalComponent, type IcalProperty, propertyText } from './components.ts';
import { expandRule, maxOccurrences, type RecurrenceWindow } from './recurrence.ts';
import type { RecurrenceWork } from './recurrence-work.ts';
import { type CalendarZone, convertLocal, floating, utc, type ZoneRegistry } from './time-zones.ts';
import type { LocalDateTime } from './zone-rules.ts';

/** Settings that apply to all events of a calendar. */
export type CalendarContext = {
  zones: ZoneRegistry;
  /** Zone of times without a zone; null if unknown. */
  defaultZone: (CalendarZone & { type: 'iana' }) | null;
  horizon: RecurrenceWindow;
  /** The work that recurrence rules may still cause. */
  work: RecurrenceWork;
  /** Whether the calendar cancels all of its events (RFC 5546, CANCEL). */
  isCancelled: boolean;
  options: Readonly<Record<string, string>>;
  isGenre: (name: string) => boolean;
  isCity: (name: string, country: string | null) => boolean;
  /** Whether its titles end with city and venue (`title-places.ts`). */
  hasPlacesInTitles: boolean;
};

type CalendarTime = { local: LocalDateTime; isDate: boolean; zone: CalendarZone };
/** A single event, or one occurrence of a series. */
export type Occurrence = {
  component: IcalComponent;
  start: CalendarTime;
  endLocal: LocalDateTime | null;
  id: string;
};

/** The components of a series; overrides by the date that they replace. */
export type Series = { id: string; master: IcalComponent | null; overrides: Map<string, IcalComponent> };

/**
 * Returns what the components of one series have in common: the UID, or a digest of title, start and place if a calendar has
 * none.
 */
export const seriesKey = (component: IcalComponent): string =>
  propertyText(component, 'uid') ??
  stableDigest(
    propertyText(component, 'summary'),
    propertyText(component, 'dtstart'),
    propertyText(component, 'location'),
  );

/** Whether a component supersedes another: by SEQUENCE, then by time stamp, then by order. */
function isNewer(one: IcalComponent, other: IcalComponent | undefined): boolean {
  if (other === undefined) return true;
  const sequence = (component: IcalComponent) => Number(propertyText(component, 'sequence') ?? 0) || 0;
  const stamp = (component: IcalComponent) =>
    propertyText(component, 'last-modified') ?? propertyText(component, 'dtstamp') ?? '';
  if (sequence(one) !== sequence(other)) return sequence(one) > sequence(other);
  return stamp(one) >= stamp(other);
}

/**
 * Merges the components of one series: the newest version of each counts.
 * @throws InvalidEventError if a RECURRENCE-ID is not a time
 */
export function mergeSeries(parts: IcalComponent[], calendar: CalendarContext): Series {
  const series: Series = { id: seriesKey(parts[0] as IcalComponent), master: null, overrides: new Map() };
  const first = parts.find((part) => !part.properties.has('recurrence-id'));
  const start = first?.properties.get('dtstart')?.[0];
  const seriesStart = start === undefined ? null : parseTime(start, 0, calendar);
  for (const part of parts) {
    const planned = part.properties.get('recurrence-id')?.[0];
    if (planned === undefined) {
      if (isNewer(part, series.master ?? undefined)) series.master = part;
      continue;
    }
    const key = recurrenceKey(planned, seriesStart, calendar);
    if (isNewer(part, series.overrides.get(key))) series.overrides.set(key, part);
  }
  return series;
}

/** Returns the key of the occurrence that a RECURRENCE-ID names, in the local time of its series. */
function recurrenceKey(
  planned: IcalProperty,
  seriesStart: CalendarTime | null,
  calendar: CalendarContext,
): string {
  const time = parseTime(planned, 0, calendar);
  if (time === null) throw new InvalidEventError('has a RECURRENCE-ID that is not a time');
  return occurrenceKey(
    seriesStart === null ? time.local : convertLocal(time.local, time.zone, seriesStart.zone),
    time.isDate || seriesStart?.isDate === true,
  );
}

const occurrenceKey = (local: LocalDateTime, isDate: boolean): string =>
  isDate ? local.slice(0, 10) : local;

const dateTime = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}))?(Z)?)?$/;

/** Parses the value of DTSTART and similar properties; null if it is not a time. */
function parseTime(property: IcalProperty, index: number, calendar: CalendarContext): CalendarTime | null {
  const value = property.values[index];
  const text = String(Array.isArray(value) ? value[0] : value).replace(/T:*$/, '');
  const match = dateTime.exec(text);
  if (!match || Number.isNaN(Date.parse(`${match[1]}T${match[2] ?? '00:00'}:00Z`))) return null;
  if (new Date(`${match[1]}T00:00:00Z`).toISOString().slice(0, 10) !== match[1]) return null;
  if (match[2] === undefined) return { local: `${match[1]}T00:00:00`, isDate: true, zone: floating };
  const second = match[3] === undefined || match[3] === '60' ? '00' : match[3];
  const { tzid } = property.parameters;
  const zone = match[4]
    ? utc
    : tzid === undefined
      ? (calendar.defaultZone ?? floating)
      : calendar.zones.find(tzid);
  return { local: `${match[1]}T${match[2]}:${second}`, isDate: false, zone };
}

function parseStart(component: IcalComponent, calendar: CalendarContext): CalendarTime {
  const properties = component.properties.get('dtstart') ?? [];
  if (properties.length === 0) throw new InvalidEventError('has no DTSTART');
  if (properties.length > 1) throw new InvalidEventError('has more than one DTSTART');
  const time = parseTime(properties[0] as IcalProperty, 0, calendar);
  if (time === null) throw new InvalidEventError('has a DTSTART that is not a time');
  return time;
}

const toMs = (local: LocalDateTime): number => Date.parse(`${local}Z`);
const addMs = (local: LocalDateTime, by: number): LocalDateTime =>
  new Date(toMs(local) + by).toISOString().slice(0, 19);

/** Returns the duration in ms of local time, from DTEND or DURATION; null without one. */
function durationMs(component: IcalComponent, start: CalendarTime, calendar: CalendarContext): number | null {
  const end = component.properties.get('dtend')?.[0];
  const time = end === undefined ? null : parseTime(end, 0, calendar);
  const length = time
    ? toMs(convertLocal(time.local, time.zone, start.zone)) - toMs(start.local)
    : parseDurationMs(propertyText(component, 'duration'));
  return length !== null && length > 0 && length < 400 * dayMs ? length : null;
}

/** Parses a duration (RFC 5545, section 3.3.6), with its parts in any order. */
function parseDurationMs(text: string | null): number | null {
  if (text === null || !/^\+?P[\dTWDHMS]+$/i.test(text)) return null;
  const units: Record<string, number> = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };
  let seconds = 0;
  for (const [, count, unit] of text.toUpperCase().matchAll(/(\d{1,6})([WDHMS])/g))
    seconds += Number(count) * (units[unit as string] as number);
  return seconds * 1_000;
}

/**
 * Expands a series, with its overrides applied.
 * @returns `problem` if there are more occurrences than the limit
 */
export function expandSeries(
  series: Series,
  calendar: CalendarContext,
  onProblem: (failure: unknown, part: IcalComponent) => void,
): { occurrences: Occurrence[]; problem: string | null } {
  const { master, overrides } = series;
  const occurrences: Occurrence[] = [];
  const ids = new Set<string>();
  let problem: string | null = null;
  const add = (component: IcalComponent, start: CalendarTime, planned: LocalDateTime | null): void => {
    const length = durationMs(component, parseStart(component, calendar), calendar);
    const endLocal = length === null ? null : addMs(start.local, length);
    occurrences.push({
      component,
      start,
      endLocal,
      id: planned === null ? series.id : occurrenceId(series.id, planned, ids),
    });
  };
  try {
    if (master) problem = addMasterOccurrences(master, series, calendar, add);
  } catch (failure) {
    onProblem(failure, master as IcalComponent);
  }
  for (const [key, component] of overrides) {
    try {
      add(component, parseStart(component, calendar), key.length === 10 ? `${key}T00:00:00` : key);
    } catch (failure) {
      onProblem(failure, component);
    }
  }
  return { occurrences, problem };
}

/** Returns the id of an occurrence: its date, and for the second one of a date its time as well. */
function occurrenceId(series: string, planned: LocalDateTime, ids: Set<string>): string {
  const byDate = `${series}/${planned.slice(0, 10)}`;
  const id = ids.has(byDate) ? `${series}/${planned.slice(0, 16)}` : byDate;
  ids.add(id);
  return id;
}

function addMasterOccurrences(
  master: IcalComponent,
  { overrides }: Series,
  calendar: CalendarContext,
  add: (component: IcalComponent, start: CalendarTime, planned: LocalDateTime | null) => void,
): string | null {
  const start = parseStart(master, calendar);
  const rules = master.properties.get('rrule') ?? [];
  const dates = parseTimeList(master, 'rdate', start, calendar);
  if (rules.length === 0 && dates.size === 0 && overrides.size === 0) {
    add(master, start, null);
    return null;
  }
  const { starts, isTruncated } = collectStarts(rules, dates, start, calendar);
  const excluded = parseTimeList(master, 'exdate', start, calendar);
  for (const local of starts) {
    const key = occurrenceKey(local, start.isDate);
    if (overrides.has(key) || excluded.has(local) || excluded.has(local.slice(0, 10))) continue;
    add(master, { ...start, local }, local);
  }
  return isTruncated
    ? `recurs more than ${maxOccurrences} times: only the first ${maxOccurrences} are imported`
    : null;
}

function collectStarts(
  rules: IcalProperty[],
  dates: Set<string>,
  start: CalendarTime,
  calendar: CalendarContext,
): { starts: LocalDateTime[]; isTruncated: boolean } {
  const starts = new Set<LocalDateTime>();
  let isTruncated = false;
  for (const rule of rules.slice(0, 10)) {
    const value = untilOnEventClock(rule.values[0], start);
    const expansion = expandRule(value, start.local, start.isDate, calendar.horizon, calendar.work);
    for (const local of expansion.starts) starts.add(local);
    isTruncated ||= expansion.isTruncated;
  }
  if (rules.length === 0) starts.add(start.local);
  for (const date of dates) {
    const local = date.length === 10 ? `${date}${start.local.slice(10)}` : date;
    if (local <= calendar.horizon.to) starts.add(local);
  }
  return { starts: [...starts].sort(), isTruncated };
}

/** Converts an UNTIL in UTC to the local time of the event. */
function untilOnEventClock(value: unknown, start: CalendarTime): unknown {
  const { until } = value as { until?: unknown };
  if (start.isDate || typeof until !== 'string' || !until.endsWith('Z')) return value;
  return { ...(value as object), until: convertLocal(until.slice(0, 19), utc, start.zone) };
}

/**
 * Returns the times of RDATE or EXDATE in the local time of the event. EXDATE is also taken literally, because many
 * programs do not convert it.
 */
function parseTimeList(
  master: IcalComponent,
  name: 'rdate' | 'exdate',
  start: CalendarTime,
  calendar: CalendarContext,
): Set<string> {
  const times = new Set<string>();
  for (const property of master.properties.get(name) ?? []) {
    for (let index = 0; index < Math.min(property.values.length, 5_000); index++) {
      const time = parseTime(property, index, calendar);
      if (time === null) continue;
      const local = convertLocal(time.local, time.zone, start.zone);
      times.add(occurrenceKey(local, time.isDate || start.isDate));
      if (name === 'exdate') times.add(occurrenceKey(time.local, time.isDate || start.isDate));
    }
  }
  return times;
}
