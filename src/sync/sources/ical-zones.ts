/** The zones of a calendar: whatever it calls them, an IANA zone where one is meant, else its own rules. */
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { fold } from '../../store/fold.ts';
import { countryOf } from './countries.ts';
import type { Component } from './ical-lines.ts';
import { textOf } from './ical-lines.ts';

/** How a clock time is read. `floating`: nobody says in which zone. */
export type Zone =
  | { type: 'floating' }
  | { type: 'iana'; name: string }
  | { type: 'offset'; minutes: number }
  | { type: 'rules'; rules: ICAL.Timezone };

export const floating: Zone = { type: 'floating' };
export const utc: Zone = { type: 'offset', minutes: 0 };

/** A clock time, as `yyyy-mm-ddThh:mm:ss`. */
export type Local = string;

export class Zones {
  readonly #rules = new Map<string, Component>();
  readonly #known = new Map<string, Zone>();

  /** Takes a VTIMEZONE. One that calls itself by several names goes by each. */
  add(component: Component): void {
    for (const { values } of component.properties.get('tzid') ?? [])
      this.#rules.set(plain(String(values[0])), component);
  }

  /** The one zone that the calendar describes, where it is an IANA one: times that name none are meant in it. */
  only(): Zone | null {
    const [id, ...others] = this.#rules.keys();
    const zone = id === undefined || others.length > 0 ? null : this.find(id);
    return zone?.type === 'iana' ? zone : null;
  }

  /** The zone of a TZID; floating where nothing tells what it means. */
  find(tzid: string): Zone {
    const id = plain(tzid);
    let zone = this.#known.get(id);
    if (zone === undefined) {
      zone = this.#resolve(id);
      if (this.#known.size < 10_000) this.#known.set(id, zone);
    }
    return zone;
  }

  #resolve(id: string): Zone {
    const rules = this.#rules.get(id);
    const location = rules ? textOf(rules, 'x-lic-location') : null;
    const name = ianaName(id) ?? (location === null ? null : ianaName(location));
    if (name !== null) return isOffsetZone(name) ? offsetZone(name) : { type: 'iana', name };
    return (rules ? ownRules(id, rules) : null) ?? readOffset(id) ?? floating;
  }
}

/** Longest identifier of a zone that is read. */
const longestZone = 500;
const plain = (id: string): string =>
  id
    .slice(0, longestZone)
    .replace(/^["'\s]+|["'\s]+$/g, '')
    .replace(/^TZID=/i, '')
    .replace(/\\,/g, ',');

/** `Etc/GMT-2` and `UTC` are offsets: they know no place, and no daylight saving. */
const isOffsetZone = (name: string): boolean =>
  /^(?:Etc\/|UTC$|GMT|UCT$|Zulu$|Universal$|Greenwich$)/i.test(name);
const offsetZone = (name: string): Zone => ({
  type: 'offset',
  minutes: Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).offsetNanoseconds / 60e9,
});

/** The IANA zone that a name means: its own, Windows', one that Outlook shows, or one with something in front. */
export function ianaName(id: string): string | null {
  if (id.length > longestZone) return null;
  const tail = /([A-Z][A-Za-z]+\/(?:[A-Za-z_-]+\/)?[A-Za-z_+-]+\d*)$/.exec(id)?.[1] ?? id;
  return known(id) ?? known(tail) ?? findIana(id)[0] ?? shownByOutlook(id) ?? zoneOfCountry(id);
}

function known(name: string): string | null {
  if (!/^[A-Za-z]{3}/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** What Outlook shows beside an offset, where it names no cities. */
const american: Readonly<Record<string, string>> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  atlantic: 'America/Halifax',
};

let cities: Map<string, string> | null = null;
/** Zones by the city they are named after. */
function zoneOfCity(city: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      fold((zone.split('/').at(-1) as string).replaceAll('_', ' ')),
      zone,
    ]),
  );
  return cities.get(fold(city.trim()));
}

/** "(UTC+01:00) Amsterdam, Berlin, Bern, Rome": the first city that a zone of that offset is named after. */
function shownByOutlook(id: string): string | null {
  const match = /^(?:\((?:UTC|GMT)\s*(?:([+-−])(\d{1,2}):?(\d{2})?)?\)\s*)?(.*)$/i.exec(id);
  const names = match?.[4] ?? '';
  const region = /^(\w+) Time \(US (?:&|and) Canada\)/i.exec(names)?.[1]?.toLowerCase();
  if (region !== undefined) return american[region] ?? null;
  // A single word without an offset may be anything: "Customized", a person's name.
  if (match?.[2] === undefined && !names.includes(',')) return null;
  const found = names
    .split(',')
    .map(zoneOfCity)
    .filter((zone) => zone !== undefined);
  if (match?.[2] === undefined) return found[0] ?? null;
  const minutes = (match[1] === '+' ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
  return found.find((zone) => standardOffset(zone) === minutes) ?? null;
}

/** A zone's offset in minutes, as it is without daylight saving. */
function standardOffset(zone: string): number {
  const at = (month: number) =>
    Temporal.ZonedDateTime.from({ timeZone: zone, year: 2024, month, day: 15 }).offsetNanoseconds / 60e9;
  return Math.min(at(1), at(7));
}

/** "Europe/Germany" is no zone, but a country with a single one. */
function zoneOfCountry(id: string): string | null {
  const tail = id.split('/').at(-1) ?? '';
  const country = tail.length > 3 ? countryOf(tail.replaceAll('_', ' ')) : null;
  const rows = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === country);
  return country !== null && rows.length === 1 ? (rows[0]?.iana[0] ?? null) : null;
}

/** "UTC+01", "GMT-0530", "+02:00". */
function readOffset(id: string): Zone | null {
  const match = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?\)?$/i.exec(id);
  if (!match || Number(match[2]) > 14) return null;
  return {
    type: 'offset',
    minutes: (match[1] === '+' ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)),
  };
}

/** So many changes of its clock a zone may describe; each is worked out up to the year that is asked for. */
const mostChanges = 200;
/** The parts of rules by which clocks change; others only make more of them (RFC 5545, 3.6.5). */
const zoneRule =
  /^(?:FREQ=YEARLY|(?:BYMONTH|BYMONTHDAY|BYDAY|BYSETPOS|UNTIL|COUNT|INTERVAL|WKST)=[\w+,-]{1,60})$/i;

/** Whether a zone changes its clock some times a year at most: rules by the second would be followed for minutes. */
function isModest(component: ICAL.Component): boolean {
  const parts = component.getAllSubcomponents();
  const dates = parts.flatMap((part) => part.getAllProperties('rdate'));
  const rules = parts.flatMap((part) => part.getAllProperties('rrule'));
  return (
    parts.length > 0 &&
    parts.length + dates.flatMap((date) => date.getValues()).length <= mostChanges &&
    rules.every((rule) => {
      const text = String(rule.getFirstValue()).split(';');
      return text.every((one) => zoneRule.test(one)) && text.some((one) => /^FREQ=YEARLY$/i.test(one));
    })
  );
}

function ownRules(id: string, { source }: Component): Zone | null {
  try {
    const component = new ICAL.Component(ICAL.parse(source) as unknown[]);
    if (!isModest(component)) return null;
    const rules = new ICAL.Timezone({ component, tzid: id });
    // Rules that cannot be worked out fail here, and not at every event.
    rules.utcOffset(ICAL.Time.fromString('2025-01-01T00:00:00', undefined as never));
    return { type: 'rules', rules };
  } catch {
    return null;
  }
}

const pad = (value: number): string => String(value).padStart(2, '0');
const asUtc = (local: Local): number => Date.parse(`${local}Z`);
const toLocal = (ms: number): Local => new Date(ms).toISOString().slice(0, 19);

/** Minutes that a zone is ahead of UTC at a clock time of its own. */
function offsetAt(local: Local, zone: Exclude<Zone, { type: 'floating' }>): number {
  if (zone.type === 'offset') return zone.minutes;
  if (zone.type === 'rules') {
    return Math.round(zone.rules.utcOffset(ICAL.Time.fromString(local, undefined as never)) / 60);
  }
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone.name, { disambiguation: 'compatible' });
  return at.offsetNanoseconds / 60e9;
}

/** The same moment on the clock of another zone; as it is where one of the two is not known. */
export function onClockOf(local: Local, from: Zone, to: Zone): Local {
  if (from === to || from.type === 'floating' || to.type === 'floating') return local;
  if (from.type === 'iana' && to.type === 'iana' && from.name === to.name) return local;
  const instant = asUtc(local) - offsetAt(local, from) * 60_000;
  // "2747-44-66T36:40:24" is a moment in no calendar.
  if (Number.isNaN(instant)) return local;
  if (to.type === 'iana') {
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(to.name);
    return at.toPlainDateTime().toString({ smallestUnit: 'second' });
  }
  const guess = toLocal(instant + offsetAt(toLocal(instant), to) * 60_000);
  return toLocal(instant + offsetAt(guess, to) * 60_000);
}

/** A clock time as a feed writes it: with its offset, unless the IANA zone stands beside it or there is none. */
export function written(local: Local, zone: Zone): string {
  if (zone.type === 'floating' || zone.type === 'iana') return local;
  const minutes = offsetAt(local, zone);
  if (minutes === 0 && zone.type === 'offset') return `${local}Z`;
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
}
