/** The zones of a calendar: whatever it calls them, an IANA zone where one is meant, else its own rules. */
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { parseCountry } from '../../text/countries.ts';
import { zoneOfCity } from '../address/gazetteer.ts';
import type { IcalComponent } from './components.ts';
import { propertyText } from './components.ts';

/** How a clock time is read. `floating`: nobody says in which zone. */
export type CalendarZone =
  | { type: 'floating' }
  | { type: 'iana'; name: string }
  | { type: 'offset'; minutes: number }
  | { type: 'rules'; rules: ICAL.Timezone };

export const floating: CalendarZone = { type: 'floating' };
export const utc: CalendarZone = { type: 'offset', minutes: 0 };

/** A clock time, as `yyyy-mm-ddThh:mm:ss`. */
export type LocalDateTime = string;

export class ZoneRegistry {
  readonly #definitions = new Map<string, IcalComponent>();
  readonly #cache = new Map<string, CalendarZone>();

  /** Takes a VTIMEZONE. One that calls itself by several names goes by each. */
  add(component: IcalComponent): void {
    for (const { values } of component.properties.get('tzid') ?? [])
      this.#definitions.set(normalizeZoneId(String(values[0])), component);
  }

  /** The one zone that the calendar describes, where it is an IANA one: times that name none are meant in it. */
  single(): CalendarZone | null {
    const [id, ...others] = this.#definitions.keys();
    const zone = id === undefined || others.length > 0 ? null : this.find(id);
    return zone?.type === 'iana' ? zone : null;
  }

  /** The zone of a TZID; floating where nothing tells what it means. */
  find(tzid: string): CalendarZone {
    const id = normalizeZoneId(tzid);
    let zone = this.#cache.get(id);
    if (zone === undefined) {
      zone = this.#resolve(id);
      if (this.#cache.size < 10_000) this.#cache.set(id, zone);
    }
    return zone;
  }

  #resolve(id: string): CalendarZone {
    const rules = this.#definitions.get(id);
    const location = rules ? propertyText(rules, 'x-lic-location') : null;
    const name = toIanaZone(id) ?? (location === null ? null : toIanaZone(location));
    if (name !== null) return isOffsetZone(name) ? offsetZone(name) : { type: 'iana', name };
    return (rules ? zoneFromRules(id, rules) : null) ?? parseOffset(id) ?? floating;
  }
}

/** Longest identifier of a zone that is read. */
const maxZoneIdLength = 500;
const normalizeZoneId = (id: string): string =>
  id
    .slice(0, maxZoneIdLength)
    .replace(/^["'\s]+|["'\s]+$/g, '')
    .replace(/^TZID=/i, '')
    .replace(/\\,/g, ',');

/** `Etc/GMT-2` and `UTC` are offsets: they know no place, and no daylight saving. */
const isOffsetZone = (name: string): boolean =>
  /^(?:Etc\/|UTC$|GMT|UCT$|Zulu$|Universal$|Greenwich$)/i.test(name);
const offsetZone = (name: string): CalendarZone => ({
  type: 'offset',
  minutes: Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).offsetNanoseconds / 60e9,
});

/** The IANA zone that a name means: its own, Windows', one that Outlook shows, or one with something in front. */
export function toIanaZone(id: string): string | null {
  if (id.length > maxZoneIdLength) return null;
  const tail = /([A-Z][A-Za-z]+\/(?:[A-Za-z_-]+\/)?[A-Za-z_+-]+\d*)$/.exec(id)?.[1] ?? id;
  return (
    canonicalZoneName(id) ??
    canonicalZoneName(tail) ??
    findIana(id)[0] ??
    zoneFromOutlookName(id) ??
    zoneOfCountry(id)
  );
}

function canonicalZoneName(name: string): string | null {
  if (!/^[A-Za-z]{3}/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** What Outlook shows beside an offset, where it names no cities. */
const americanZones: Readonly<Record<string, string>> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  atlantic: 'America/Halifax',
};

/** "(UTC+01:00) Amsterdam, Berlin, Bern, Rome": the first city that a zone of that offset is named after. */
function zoneFromOutlookName(id: string): string | null {
  const match = /^(?:\((?:UTC|GMT)\s*(?:([+-−])(\d{1,2}):?(\d{2})?)?\)\s*)?(.*)$/i.exec(id);
  const names = match?.[4] ?? '';
  const region = /^(\w+) Time \(US (?:&|and) Canada\)/i.exec(names)?.[1]?.toLowerCase();
  if (region !== undefined) return americanZones[region] ?? null;
  // A single word without an offset may be anything: "Customized", a person's name.
  if (match?.[2] === undefined && !names.includes(',')) return null;
  const found = names
    .split(',')
    .map((city) => zoneOfCity(city.trim()))
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
  const country = tail.length > 3 ? parseCountry(tail.replaceAll('_', ' ')) : null;
  const rows = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === country);
  return country !== null && rows.length === 1 ? (rows[0]?.iana[0] ?? null) : null;
}

/** "UTC+01", "GMT-0530", "+02:00". */
function parseOffset(id: string): CalendarZone | null {
  const match = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?\)?$/i.exec(id);
  if (!match || Number(match[2]) > 14) return null;
  return {
    type: 'offset',
    minutes: (match[1] === '+' ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)),
  };
}

/** So many changes of its clock a zone may describe; each is worked out up to the year that is asked for. */
const maxZoneChanges = 200;
/** The parts of rules by which clocks change; others only make more of them (RFC 5545, 3.6.5). */
const zoneRule =
  /^(?:FREQ=YEARLY|(?:BYMONTH|BYMONTHDAY|BYDAY|BYSETPOS|UNTIL|COUNT|INTERVAL|WKST)=[\w+,-]{1,60})$/i;

/** Whether a zone changes its clock some times a year at most: rules by the second would be followed for minutes. */
function hasBoundedRules(component: ICAL.Component): boolean {
  const parts = component.getAllSubcomponents();
  const dates = parts.flatMap((part) => part.getAllProperties('rdate'));
  const rules = parts.flatMap((part) => part.getAllProperties('rrule'));
  return (
    parts.length > 0 &&
    parts.length + dates.flatMap((date) => date.getValues()).length <= maxZoneChanges &&
    rules.every((rule) => {
      const text = String(rule.getFirstValue()).split(';');
      return text.every((one) => zoneRule.test(one)) && text.some((one) => /^FREQ=YEARLY$/i.test(one));
    })
  );
}

function zoneFromRules(id: string, { source }: IcalComponent): CalendarZone | null {
  try {
    const component = new ICAL.Component(ICAL.parse(source) as unknown[]);
    if (!hasBoundedRules(component)) return null;
    const rules = new ICAL.Timezone({ component, tzid: id });
    // Rules that cannot be worked out fail here, and not at every event.
    rules.utcOffset(ICAL.Time.fromString('2025-01-01T00:00:00', undefined as never));
    return { type: 'rules', rules };
  } catch {
    return null;
  }
}

const pad = (value: number): string => String(value).padStart(2, '0');
const localAsUtcMs = (local: LocalDateTime): number => Date.parse(`${local}Z`);
const toLocal = (ms: number): LocalDateTime => new Date(ms).toISOString().slice(0, 19);

/** Minutes that a zone is ahead of UTC at a clock time of its own. */
function offsetMinutesAt(local: LocalDateTime, zone: Exclude<CalendarZone, { type: 'floating' }>): number {
  if (zone.type === 'offset') return zone.minutes;
  if (zone.type === 'rules') {
    return Math.round(zone.rules.utcOffset(ICAL.Time.fromString(local, undefined as never)) / 60);
  }
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone.name, { disambiguation: 'compatible' });
  return at.offsetNanoseconds / 60e9;
}

/** The same moment on the clock of another zone; as it is where one of the two is not known. */
export function convertLocal(local: LocalDateTime, from: CalendarZone, to: CalendarZone): LocalDateTime {
  if (from === to || from.type === 'floating' || to.type === 'floating') return local;
  if (from.type === 'iana' && to.type === 'iana' && from.name === to.name) return local;
  const instant = localAsUtcMs(local) - offsetMinutesAt(local, from) * 60_000;
  // "2747-44-66T36:40:24" is a moment in no calendar.
  if (Number.isNaN(instant)) return local;
  if (to.type === 'iana') {
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(to.name);
    return at.toPlainDateTime().toString({ smallestUnit: 'second' });
  }
  const guess = toLocal(instant + offsetMinutesAt(toLocal(instant), to) * 60_000);
  return toLocal(instant + offsetMinutesAt(guess, to) * 60_000);
}

/** A clock time as a feed writes it: with its offset, unless the IANA zone stands beside it or there is none. */
export function formatDateTime(local: LocalDateTime, zone: CalendarZone): string {
  if (zone.type === 'floating' || zone.type === 'iana') return local;
  const minutes = offsetMinutesAt(local, zone);
  if (minutes === 0 && zone.type === 'offset') return `${local}Z`;
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
}
