/** Expands the clock change rules of a VTIMEZONE (RFC 5545, section 3.6.5), within limits. */
import ICAL from 'ical.js';
import type { IcalComponent } from './components.ts';

/** A local time as `yyyy-mm-ddThh:mm:ss`. */
export type LocalDateTime = string;

/** Max parts and RDATEs of a zone. */
const maxZoneParts = 200;
/** Max length of a zone in characters. That of New York since 1883 has 6,000. */
const maxZoneLength = 50_000;
/** Max changes of one rule in a year: "the Sunday from the 1st to the 7th" counts as five Sundays of a month. */
const maxYearlyChanges = 10;
/** Max expanded changes of a zone, and of all zones of a calendar. Two rules from 1972 on have 266. */
const maxZoneChanges = 2_000;
const maxCalendarChanges = 20_000;
const maxCalendarZones = 100;
/** Endless rules begin in this year at the earliest. It is a leap year, for rules of 29 February. */
const firstYear = 1972;
/** Rules are expanded up to this year. Later times have its last offset. */
const lastYear = 2099;

/** Allowed parts of clock change rules; others only multiply the changes. */
const zoneRule =
  /^(?:FREQ=YEARLY|(?:BYMONTH|BYMONTHDAY|BYDAY|BYSETPOS|UNTIL|COUNT|INTERVAL|WKST)=[\w+,-]{1,60})$/i;

/** Counts the zones and clock changes that a calendar may still define. */
export class ZoneBudget {
  #zones = 0;
  #changes = 0;

  /** Returns whether another zone may be parsed, and counts it. */
  takeZone(): boolean {
    return ++this.#zones <= maxCalendarZones;
  }

  /** Returns whether a zone with this number of changes may be expanded, and counts them. */
  takeChanges(changes: number): boolean {
    if (changes > maxZoneChanges || this.#changes + changes > maxCalendarChanges) return false;
    this.#changes += changes;
    return true;
  }
}

/** Expands a VTIMEZONE. Returns null if it is not valid, has no clock changes, or too many of them. */
export function expandZoneRules(
  id: string,
  { source }: IcalComponent,
  budget: ZoneBudget,
): ICAL.Timezone | null {
  if (source.length > maxZoneLength || !budget.takeZone()) return null;
  try {
    const component = new ICAL.Component(ICAL.parse(source) as unknown[]);
    const parts = component.getAllSubcomponents();
    for (const part of parts) skipOldYears(part);
    const changes = countChanges(parts);
    if (changes === null || !budget.takeChanges(changes)) return null;
    const rules = new ICAL.Timezone({ component, tzid: id });
    // The library expands again for a later year, so the first time is of the last one. Invalid rules fail here.
    rules.utcOffset(parseLocalTime(`${lastYear}-12-31T23:59:59`));
    // The library would try again to expand a zone without changes at every event.
    return rules.changes.length === 0 ? null : rules;
  } catch {
    return null;
  }
}

/** Returns the UTC offset of a zone in minutes at a local time. */
export function zoneOffsetMinutes(rules: ICAL.Timezone, local: LocalDateTime): number {
  const at = parseLocalTime(local);
  // In its first year, a rule may not have changed the clock yet.
  at.year = Math.min(Math.max(at.year, firstYear + 1), lastYear);
  return Math.round(rules.utcOffset(at) / 60);
}

/** A local time as the library has it. Its types demand a property of a component, which only names a zone. */
export const parseLocalTime = (local: LocalDateTime): ICAL.Time =>
  ICAL.Time.fromDateTimeString(local, undefined as never);

const rulesOf = (part: ICAL.Component): ICAL.Property[] => part.getAllProperties('rrule');

/** Lets an endless rule of every year begin in the first year. Outlook begins rules in 1601. */
function skipOldYears(part: ICAL.Component): void {
  const start = part.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time) || start.year >= firstYear) return;
  const rules = rulesOf(part).map((rule) => rule.getFirstValue() as unknown as ICAL.Recur);
  if (rules.length === 0 || rules.some(({ interval, count, until }) => interval !== 1 || count || until))
    return;
  const moved = start.clone();
  moved.year = firstYear;
  part.updatePropertyWithValue('dtstart', moved);
}

/** Returns how many changes the parts have at most up to the last year; null if that is not limited to a few a year. */
function countChanges(parts: readonly ICAL.Component[]): number | null {
  let count = 0;
  for (const part of parts) {
    count += part.getAllProperties('rdate').reduce((sum, dates) => sum + dates.getValues().length, 1);
  }
  if (parts.length === 0 || count > maxZoneParts) return null;
  for (const part of parts) {
    const start = part.getFirstPropertyValue('dtstart');
    for (const rule of rulesOf(part)) {
      const yearly = countYearlyChanges(String(rule.getFirstValue()));
      if (yearly === null || yearly > maxYearlyChanges || !(start instanceof ICAL.Time)) return null;
      count += yearly * yearsOf(rule.getFirstValue() as unknown as ICAL.Recur, start);
    }
  }
  return count;
}

const yearsOf = ({ until }: ICAL.Recur, start: ICAL.Time): number =>
  Math.max(Math.min(until?.year ?? lastYear, lastYear) - start.year + 1, 1);

/** Returns how many changes a rule has in a year at most; null if it has parts that are not allowed. */
function countYearlyChanges(rule: string): number | null {
  const texts = rule.split(';');
  if (!texts.every((text) => zoneRule.test(text))) return null;
  const parts = new Map(texts.map((text) => text.toUpperCase().split('=') as [string, string]));
  if (parts.get('FREQ') !== 'YEARLY') return null;
  const values = (name: string): string[] => parts.get(name)?.split(',') ?? [];
  const months = values('BYMONTH').length;
  const days = values('BYMONTHDAY').length;
  const weekdays = values('BYDAY');
  if (days + weekdays.length === 0) return Math.max(months, 1);
  // A weekday without a position is each of its days, in the months or in the whole year.
  const ofWeekdays = weekdays.reduce((sum, day) => {
    if (/\d/.test(day)) return sum + Math.max(months, 1);
    return sum + (months === 0 ? 53 : months * 5);
  }, 0);
  const ofDays = days * (months === 0 ? 12 : months);
  return weekdays.length === 0 ? ofDays : days === 0 ? ofWeekdays : Math.min(ofDays, ofWeekdays);
}
