/** Resolves the time window of an event query, from its fields or its free text, in the time zone of its place. */
import { Problem } from '../../contract/errors.ts';
import { acceptedTimeFormats } from '../../contract/tools.ts';
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import type { NamedRecordEntry } from '../../store/search/named-records.ts';
import type { EntityLink } from '../linking/entity-linking.ts';
import type { Catalogue } from '../request.ts';
import { nightOf, todayIn } from './current-night.ts';
import { separateNights } from './date-phrases.ts';
import { type Night, parseNight } from './nights.ts';
import type { TimeExpression } from './time-expressions.ts';
import { dayBefore, isReadByNight, parseWindow, type TimeWindow } from './time-window.ts';

type WindowInput = {
  from?: string | undefined;
  to?: string | undefined;
  homeCity?: string | null | undefined;
  now: number;
};
type WindowContext = {
  names: readonly EntityLink[];
  country: { code: string } | null;
  times: TimeExpression | null;
};

/** Whether a field has a non-blank value. */
export const isNonBlank = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== '';

/** How a window in words was interpreted. */
export type WindowReading = {
  /** The words, if they define both start and end; otherwise null. */
  closed: string | null;
  /** The time zone of the days; null means UTC because no place is known. */
  zone: string | null;
  /** The current date in that zone, yyyy-mm-dd. */
  today: string;
  /** The date from which the words count: before 06:00, that of the night for "tomorrow", and `today` for "today". */
  present: string;
};

/**
 * Resolves the requested window. Days are local to the named venue or city, otherwise to the country, otherwise to the
 * home city.
 * @throws Problem `invalid_parameter` if `from` or `to` cannot be read
 */
export function resolveWindow(
  query: WindowInput,
  context: WindowContext,
  catalogue: Catalogue,
): { window: TimeWindow; reading: WindowReading | null; isUnread: boolean } {
  const [from, to] = [query.from, query.to].map((text) =>
    isNonBlank(text) ? separateNights(text) : undefined,
  );
  const times = from === undefined && to === undefined ? context.times : null;
  const [first, last] = [from ?? times?.from ?? undefined, to ?? times?.to ?? undefined];
  if (first === undefined && last === undefined) return { window: {}, reading: null, isUnread: false };
  const zone = zoneOf(context, catalogue) ?? homeZone(catalogue, query.homeCity ?? null);
  const window = parseWindow(first, last, zone, query.now);
  if ('unreadable' in window) {
    // "30 February" is ignored in a free text, but is an error in a field.
    if (times !== null) return { window: {}, reading: null, isUnread: true };
    const name = window.unreadable;
    throw new Problem('invalid_parameter', `${name} cannot be read. It is ${acceptedTimeFormats}.`, name);
  }
  if (times !== null) applyTimeWords(window, times, zone, query.now);
  const closed = first !== undefined && last === undefined && window.to !== undefined ? first : null;
  const { from: begins, to: ends } = window;
  const isDay = begins && ends && 'date' in begins && 'date' in ends && begins.date === ends.date;
  if (first !== undefined && last === undefined && isDay && !times?.isOpen) {
    const night = parseNight(first, times, begins.date, zone, query.now);
    if (night !== null) Object.assign(window, nightWindow(night));
  }
  const today = todayIn(zone, query.now).toString();
  const isOfNight = isReadByNight(last ?? first ?? '');
  const present = isOfNight ? nightOf(zone, query.now).toString() : today;
  return { window, reading: { closed, zone, today, present }, isUnread: false };
}

/** Returns the window of a night, which is named after the day on which it begins. */
function nightWindow(night: Night): TimeWindow {
  const day = { date: Number(night.date.replaceAll('-', '')) };
  return { from: day, to: day, night };
}

/** Adjusts the window to the words before and after its days. */
function applyTimeWords(window: TimeWindow, times: TimeExpression, zone: string | null, now: number): void {
  if (times.isOpen) delete window.to;
  // In a free text, a date alone means that day.
  else if (window.from && !window.to && 'date' in window.from) window.to = window.from;
  if (times.isBefore && times.to !== null) {
    const first = parseWindow(times.to, undefined, zone, now);
    if (!('unreadable' in first) && first.from) window.to = dayBefore(first.from);
  }
}

/** Returns the time zone of the named place; null if there is none or its zone is unknown. */
function zoneOf({ names, country }: WindowContext, catalogue: Catalogue): string | null {
  const places = names.filter(({ kind, match }) => match && (kind === 'venue' || kind === 'city'));
  const zone = places.find((place) => place.zone !== null)?.zone;
  if (zone) return zone;
  const code = places.find(({ match }) => match?.country)?.match?.country ?? country?.code;
  return code === undefined ? null : countryZone(catalogue, code);
}

/** Whether a window ends today or earlier, so that a list of past events begins with the newest. */
export function endsInPast({ to, night }: TimeWindow, today: string | null, now: number): boolean {
  if (night !== undefined || to === undefined) return false;
  if ('instant' in to) return to.instant <= now;
  return today !== null && to.date <= Number(today.replaceAll('-', ''));
}

/** Returns the zone of a city by its slug; null without one, or if its zone is unknown. */
export function homeZone({ reader }: Catalogue, slug: string | null): string | null {
  const id = slug === null ? null : reader.find('city', slug);
  return id === null ? null : (reader.namedRecords.byId('city', id)?.timezone ?? null);
}

/** Zones by list of all cities. A changed catalogue has a new list. */
const zonesOfCities = memoizeByObject((_: readonly NamedRecordEntry[]) => new Map<string, string | null>());

/** Returns the zone of the country's city with the most venues, then people; null if no city is on record. */
function countryZone({ reader }: Catalogue, country: string): string | null {
  const cities = reader.namedRecords.allNames('city');
  return getOrCreate(
    zonesOfCities(cities),
    country,
    () => cities.find((city) => city.country === country && city.timezone !== null)?.timezone ?? null,
  );
}
