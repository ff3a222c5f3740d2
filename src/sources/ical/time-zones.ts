/** Resolves the time zones of a calendar: to an IANA zone if possible, else to its own rules. */
import type ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { parseCountry } from '../../text/countries.ts';
import { zoneOfCity } from '../address/gazetteer.ts';
import type { IcalComponent } from './components.ts';
import { propertyText } from './components.ts';
import { expandZoneRules, type LocalDateTime, ZoneBudget, zoneOffsetMinutes } from './zone-rules.ts';

/** How a local time is interpreted. `floating`: its zone is unknown. */
export type CalendarZone =
  | { type: 'floating' }
  | { type: 'iana'; name: string }
  | { type: 'offset'; minutes: number }
  | { type: 'rules'; rules: ICAL.Timezone };

export const floating: CalendarZone = { type: 'floating' };
export const utc: CalendarZone = { type: 'offset', minutes: 0 };

/**
 * Resolves the zones of one calendar: those that it defines (VTIMEZONE), and IANA, Windows and other known names. Definitions
 * share a budget of clock changes (`zone-rules.ts`).
 */
export class ZoneRegistry {
  readonly #definitions = new Map<string, IcalComponent>();
  readonly #cache = new Map<string, CalendarZone>();
  readonly #budget = new ZoneBudget();

  /** Adds a VTIMEZONE under each of its names. */
  add(component: IcalComponent): void {
    for (const { values } of component.properties.get('tzid') ?? [])
      this.#definitions.set(normalizeZoneId(String(values[0])), component);
  }

  /** Returns the only zone that the calendar defines, if it is an IANA zone. Times without a zone are in it. */
  single(): CalendarZone | null {
    const [id, ...others] = this.#definitions.keys();
    const zone = id === undefined || others.length > 0 ? null : this.find(id);
    return zone?.type === 'iana' ? zone : null;
  }

  /** Resolves a TZID; floating if it is unknown. */
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
    const expanded = rules ? expandZoneRules(id, rules, this.#budget) : null;
    return expanded === null ? (parseOffset(id) ?? floating) : { type: 'rules', rules: expanded };
  }
}

/** Max length of a zone identifier. */
const maxZoneIdLength = 500;
const normalizeZoneId = (id: string): string =>
  id
    .slice(0, maxZoneIdLength)
    .replace(/^["'\s]+|["'\s]+$/g, '')
    .replace(/^TZID=/i, '')
    .replace(/\\,/g, ',');

/** Whether a zone is a fixed offset without a place and daylight saving, such as `Etc/GMT-2` or `UTC`. */
const isOffsetZone = (name: string): boolean =>
  /^(?:Etc\/|UTC$|GMT|UCT$|Zulu$|Universal$|Greenwich$)/i.test(name);
const offsetZone = (name: string): CalendarZone => ({
  type: 'offset',
  minutes: Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).offsetNanoseconds / 60e9,
});

/** Returns the IANA zone of a name: an IANA, Windows or Outlook name, or an IANA name with a prefix. */
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

/** Names in Outlook that contain no cities. */
const americanZones: ReadonlyMap<string, string> = new Map([
  ['eastern', 'America/New_York'],
  ['central', 'America/Chicago'],
  ['mountain', 'America/Denver'],
  ['pacific', 'America/Los_Angeles'],
  ['atlantic', 'America/Halifax'],
]);

/** Parses "(UTC+01:00) Amsterdam, Berlin, Bern, Rome": the first city with a zone of that offset. */
function zoneFromOutlookName(id: string): string | null {
  const match = /^(?:\((?:UTC|GMT)\s*(?:([+-−])(\d{1,2}):?(\d{2})?)?\)\s*)?(.*)$/i.exec(id);
  const names = match?.[4] ?? '';
  const region = /^(\w+) Time \(US (?:&|and) Canada\)/i.exec(names)?.[1]?.toLowerCase();
  if (region !== undefined) return americanZones.get(region) ?? null;
  // A single word without an offset may be anything: "Customized", a person's name.
  if (match?.[2] === undefined && !names.includes(',')) return null;
  const zones = names
    .split(',')
    .map((city) => zoneOfCity(city.trim()))
    .filter((zone) => zone !== undefined);
  if (match?.[2] === undefined) return zones[0] ?? null;
  const minutes = (match[1] === '+' ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
  return zones.find((zone) => standardOffset(zone) === minutes) ?? null;
}

/** Returns the standard offset of a zone in minutes. */
function standardOffset(zone: string): number {
  const at = (month: number) =>
    Temporal.ZonedDateTime.from({ timeZone: zone, year: 2024, month, day: 15 }).offsetNanoseconds / 60e9;
  return Math.min(at(1), at(7));
}

/** Resolves "Europe/Germany": no zone, but a country with a single zone. */
function zoneOfCountry(id: string): string | null {
  const tail = id.split('/').at(-1) ?? '';
  const country = tail.length > 3 ? parseCountry(tail.replaceAll('_', ' ')) : null;
  const rows = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === country);
  return country !== null && rows.length === 1 ? (rows[0]?.iana[0] ?? null) : null;
}

/** Parses "UTC+01", "GMT-0530" and "+02:00". */
function parseOffset(id: string): CalendarZone | null {
  const match = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?\)?$/i.exec(id);
  if (!match || Number(match[2]) > 14) return null;
  return {
    type: 'offset',
    minutes: (match[1] === '+' ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)),
  };
}

const pad = (value: number): string => String(value).padStart(2, '0');
const localAsUtcMs = (local: LocalDateTime): number => Date.parse(`${local}Z`);
const toLocal = (ms: number): LocalDateTime => new Date(ms).toISOString().slice(0, 19);

/** Returns the UTC offset in minutes at a local time. */
function offsetMinutesAt(local: LocalDateTime, zone: Exclude<CalendarZone, { type: 'floating' }>): number {
  if (zone.type === 'offset') return zone.minutes;
  if (zone.type === 'rules') return zoneOffsetMinutes(zone.rules, local);
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone.name, { disambiguation: 'compatible' });
  return at.offsetNanoseconds / 60e9;
}

/** Converts a local time to another zone; unchanged where one zone is unknown. */
export function convertLocal(local: LocalDateTime, from: CalendarZone, to: CalendarZone): LocalDateTime {
  if (from === to || from.type === 'floating' || to.type === 'floating') return local;
  if (from.type === 'iana' && to.type === 'iana' && from.name === to.name) return local;
  const instant = localAsUtcMs(local) - offsetMinutesAt(local, from) * 60_000;
  // "2747-44-66T36:40:24" is not a valid time.
  if (Number.isNaN(instant)) return local;
  if (to.type === 'iana') {
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(to.name);
    return at.toPlainDateTime().toString({ smallestUnit: 'second' });
  }
  const guess = toLocal(instant + offsetMinutesAt(toLocal(instant), to) * 60_000);
  return toLocal(instant + offsetMinutesAt(guess, to) * 60_000);
}

/** Formats a local time for the feed: with its offset, unless the zone is an IANA zone or unknown. */
export function formatDateTime(local: LocalDateTime, zone: CalendarZone): string {
  if (zone.type === 'floating' || zone.type === 'iana') return local;
  const minutes = offsetMinutesAt(local, zone);
  if (minutes === 0 && zone.type === 'offset') return `${local}Z`;
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
}
