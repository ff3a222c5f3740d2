/** What belongs to one event of a calendar: its own statement, and those that move, change or cancel single nights. */

import type { Calendar } from './ical-calendar.ts';
import { type Component, type Property, textOf } from './ical-lines.ts';
import { BadRule, mostOccurrences, occurrences } from './ical-rules.ts';
import { floating, type Local, onClockOf, utc, type Zone } from './ical-zones.ts';
import { digest } from './place.ts';

/** Why an event cannot be taken. */
export class BadEvent extends Error {}

/** A time as a calendar writes it. */
export type Time = { local: Local; isDate: boolean; zone: Zone };
/** One event, or one night of a series: what is said of it, when it is, under which id. */
export type Occurrence = { component: Component; start: Time; endLocal: Local | null; id: string };

/** The statement of the whole, and those of single nights by the date they were planned for. */
export type Series = { id: string; master: Component | null; changed: Map<string, Component> };

export const seriesKey = (component: Component): string =>
  textOf(component, 'uid') ??
  digest(textOf(component, 'summary'), textOf(component, 'dtstart'), textOf(component, 'location'));

/** Of two statements of the same thing the one revised last counts, then the newer, then the later. */
function isNewer(one: Component, other: Component | undefined): boolean {
  if (other === undefined) return true;
  const sequence = (component: Component) => Number(textOf(component, 'sequence') ?? 0) || 0;
  const stamp = (component: Component) =>
    textOf(component, 'last-modified') ?? textOf(component, 'dtstamp') ?? '';
  if (sequence(one) !== sequence(other)) return sequence(one) > sequence(other);
  return stamp(one) >= stamp(other);
}

export function mergedSeries(parts: Component[], calendar: Calendar): Series {
  const series: Series = { id: seriesKey(parts[0] as Component), master: null, changed: new Map() };
  for (const part of parts) {
    const planned = part.properties.get('recurrence-id')?.[0];
    if (planned === undefined) {
      if (isNewer(part, series.master ?? undefined)) series.master = part;
      continue;
    }
    const key = plannedFor(planned, parts, calendar);
    if (isNewer(part, series.changed.get(key))) series.changed.set(key, part);
  }
  return series;
}

/** The night that a RECURRENCE-ID names, on the clock of its series. */
function plannedFor(planned: Property, parts: Component[], calendar: Calendar): string {
  const time = readTime(planned, 0, calendar);
  if (time === null) throw new BadEvent('has a RECURRENCE-ID that is no time');
  const master = parts.find((part) => !part.properties.has('recurrence-id'));
  const start = master?.properties.get('dtstart')?.[0];
  const of = start === undefined ? null : readTime(start, 0, calendar);
  return keyOf(
    of === null ? time.local : onClockOf(time.local, time.zone, of.zone),
    time.isDate || of?.isDate === true,
  );
}

const keyOf = (local: Local, isDate: boolean): string => (isDate ? local.slice(0, 10) : local);

const dateTime = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}))?(Z)?)?$/;

/** The value of a DTSTART and the like; null where it is no time. */
export function readTime(property: Property, index: number, calendar: Calendar): Time | null {
  const value = property.values[index];
  const text = String(Array.isArray(value) ? value[0] : value).replace(/T:*$/, '');
  const match = dateTime.exec(text);
  if (!match || Number.isNaN(Date.parse(`${match[1]}T${match[2] ?? '00:00'}:00Z`))) return null;
  if (new Date(`${match[1]}T00:00:00Z`).toISOString().slice(0, 10) !== match[1]) return null;
  if (match[2] === undefined) return { local: `${match[1]}T00:00:00`, isDate: true, zone: floating };
  const second = match[3] === undefined || match[3] === '60' ? '00' : match[3];
  const { tzid } = property.parameters;
  const zone = match[4] ? utc : tzid === undefined ? (calendar.zone ?? floating) : calendar.zones.find(tzid);
  return { local: `${match[1]}T${match[2]}:${second}`, isDate: false, zone };
}

function startOf(component: Component, calendar: Calendar): Time {
  const found = component.properties.get('dtstart') ?? [];
  if (found.length === 0) throw new BadEvent('has no DTSTART');
  if (found.length > 1) throw new BadEvent('has two DTSTART');
  const time = readTime(found[0] as Property, 0, calendar);
  if (time === null) throw new BadEvent('has a DTSTART that is no time');
  return time;
}

const ms = (local: Local): number => Date.parse(`${local}Z`);
const shifted = (local: Local, by: number): Local => new Date(ms(local) + by).toISOString().slice(0, 19);

/** How long it goes on, by its end or its duration, in ms on its own clock; null where it does not say. */
function lengthOf(component: Component, start: Time, calendar: Calendar): number | null {
  const end = component.properties.get('dtend')?.[0];
  const time = end === undefined ? null : readTime(end, 0, calendar);
  const length = time
    ? ms(onClockOf(time.local, time.zone, start.zone)) - ms(start.local)
    : durationOf(textOf(component, 'duration'));
  return length !== null && length > 0 && length < 400 * 86_400_000 ? length : null;
}

/** RFC 5545, 3.3.6, and what is written in its place: the parts in any order. */
function durationOf(text: string | null): number | null {
  if (text === null || !/^\+?P[\dTWDHMS]+$/i.test(text)) return null;
  const units: Record<string, number> = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };
  let seconds = 0;
  for (const [, count, unit] of text.toUpperCase().matchAll(/(\d{1,6})([WDHMS])/g))
    seconds += Number(count) * (units[unit as string] as number);
  return seconds * 1_000;
}

/** All times of a series, those of single nights changed as is said of them; `cut` where there are too many. */
export function startsOf(
  series: Series,
  calendar: Calendar,
  tell: (failure: unknown, part: Component) => void,
): { times: Occurrence[]; cut: string | null } {
  const { master, changed } = series;
  const times: Occurrence[] = [];
  const ids = new Set<string>();
  let cut: string | null = null;
  const add = (component: Component, start: Time, planned: Local | null): void => {
    const length = lengthOf(component, startOf(component, calendar), calendar);
    const endLocal = length === null ? null : shifted(start.local, length);
    times.push({
      component,
      start,
      endLocal,
      id: planned === null ? series.id : idOf(series.id, planned, ids),
    });
  };
  try {
    if (master) cut = addMaster(master, series, calendar, add);
  } catch (failure) {
    tell(failure, master as Component);
  }
  for (const [key, component] of changed) {
    try {
      add(component, startOf(component, calendar), key.length === 10 ? `${key}T00:00:00` : key);
    } catch (failure) {
      tell(failure, component);
    }
  }
  return { times, cut };
}

/** The date names a night, whenever it starts; only the second one of a date is named by its clock too. */
function idOf(series: string, planned: Local, ids: Set<string>): string {
  const byDate = `${series}/${planned.slice(0, 10)}`;
  const id = ids.has(byDate) ? `${series}/${planned.slice(0, 16)}` : byDate;
  ids.add(id);
  return id;
}

function addMaster(
  master: Component,
  { changed }: Series,
  calendar: Calendar,
  add: (component: Component, start: Time, planned: Local | null) => void,
): string | null {
  const start = startOf(master, calendar);
  const rules = master.properties.get('rrule') ?? [];
  const dates = timesOf(master, 'rdate', start, calendar);
  if (rules.length === 0 && dates.size === 0 && changed.size === 0) {
    add(master, start, null);
    return null;
  }
  const { starts, cut } = allStarts(rules, dates, start, calendar);
  const excluded = timesOf(master, 'exdate', start, calendar);
  for (const local of starts) {
    const key = keyOf(local, start.isDate);
    if (changed.has(key) || excluded.has(local) || excluded.has(local.slice(0, 10))) continue;
    add(master, { ...start, local }, local);
  }
  return cut ? `repeats more than ${mostOccurrences} times: the first ${mostOccurrences} are listed` : null;
}

function allStarts(
  rules: Property[],
  dates: Set<string>,
  start: Time,
  calendar: Calendar,
): { starts: Local[]; cut: boolean } {
  const starts = new Set<Local>();
  let cut = false;
  try {
    for (const rule of rules.slice(0, 10)) {
      const value = onOwnClock(rule.values[0], start);
      const found = occurrences(value, start.local, start.isDate, calendar.window);
      for (const local of found.starts) starts.add(local);
      cut ||= found.cut;
    }
  } catch (failure) {
    if (failure instanceof BadRule) throw new BadEvent(failure.message);
    throw failure;
  }
  if (rules.length === 0) starts.add(start.local);
  for (const date of dates) {
    const local = date.length === 10 ? `${date}${start.local.slice(10)}` : date;
    if (local <= calendar.window.to) starts.add(local);
  }
  return { starts: [...starts].sort(), cut };
}

/** A rule whose UNTIL is in UTC ends by the clock of its event. */
function onOwnClock(value: unknown, start: Time): unknown {
  const { until } = value as { until?: unknown };
  if (start.isDate || typeof until !== 'string' || !until.endsWith('Z')) return value;
  return { ...(value as object), until: onClockOf(until.slice(0, 19), utc, start.zone) };
}

/** RDATE and EXDATE on the clock of their event; and as they are written, since many forget to convert them. */
function timesOf(master: Component, name: 'rdate' | 'exdate', start: Time, calendar: Calendar): Set<string> {
  const times = new Set<string>();
  for (const property of master.properties.get(name) ?? []) {
    for (let index = 0; index < Math.min(property.values.length, 5_000); index++) {
      const time = readTime(property, index, calendar);
      if (time === null) continue;
      const local = onClockOf(time.local, time.zone, start.zone);
      times.add(keyOf(local, time.isDate || start.isDate));
      if (name === 'exdate') times.add(keyOf(time.local, time.isDate || start.isDate));
    }
  }
  return times;
}
