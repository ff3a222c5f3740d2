/** The window of a question about events: from its fields or its free text, in the days of the place it names. */
import { Problem } from '../../contract/errors.ts';
import { acceptedTimeFormats } from '../../contract/tools.ts';
import type { Catalogue } from '../handlers.ts';
import type { EntityLink } from '../linking/entity-linking.ts';
import { countryZone } from '../zones.ts';
import { type Night, parseNight } from './nights.ts';
import type { TimeExpression } from './time-expressions.ts';
import { dayBefore, parseWindow, type TimeWindow, todayIn } from './time-window.ts';

type WindowInput = { from?: string | undefined; to?: string | undefined; now: number };
type WindowContext = {
  names: readonly EntityLink[];
  country: { code: string } | null;
  times: TimeExpression | null;
};

/** Whether a field says anything. */
export const isNonBlank = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== '';

/** What a window in words was read by. */
export type WindowReading = {
  /** The words, where they alone say both when it begins and when it ends; else null. */
  closed: string | null;
  /** The zone whose days are meant; null where no place is known, and days are those of UTC. */
  zone: string | null;
  /** The day it is there, yyyy-mm-dd. */
  today: string;
};

/**
 * The window that is asked for; days are those of the venue or city that is named, else of the country.
 * @throws Problem `invalid_parameter` where `from` or `wordEnd` cannot be read
 */
export function resolveWindow(
  asked: WindowInput,
  meant: WindowContext,
  catalogue: Catalogue,
): { window: TimeWindow; reading: WindowReading | null; isUnread: boolean } {
  const [from, to] = [asked.from, asked.to].map((text) => (isNonBlank(text) ? text : undefined));
  const times = from === undefined && to === undefined ? meant.times : null;
  const [first, last] = [from ?? times?.from ?? undefined, to ?? times?.to ?? undefined];
  if (first === undefined && last === undefined) return { window: {}, reading: null, isUnread: false };
  const zone = zoneOf(meant, catalogue);
  const window = parseWindow(first, last, zone, asked.now);
  if ('unreadable' in window) {
    // "30 February" in a free text is not understood; in a field it is an error.
    if (times !== null) return { window: {}, reading: null, isUnread: true };
    const name = window.unreadable;
    throw new Problem('invalid_parameter', `${name} cannot be read. It is ${acceptedTimeFormats}.`, name);
  }
  if (times !== null) applyTimeWords(window, times, zone, asked.now);
  const closed = first !== undefined && last === undefined && window.to !== undefined ? first : null;
  const { from: begins, to: ends } = window;
  const isDay = begins && ends && 'date' in begins && 'date' in ends && begins.date === ends.date;
  if (first !== undefined && last === undefined && isDay && !times?.isOpen) {
    const night = parseNight(first, times, begins.date, zone, asked.now);
    if (night !== null) Object.assign(window, nightWindow(night));
  }
  const today = todayIn(zone, asked.now).toString();
  return { window, reading: { closed, zone, today }, isUnread: false };
}

/** The window of a night: it is told by the day on which it begins. */
function nightWindow(night: Night): TimeWindow {
  const day = { date: Number(night.date.replaceAll('-', '')) };
  return { from: day, to: day, night };
}

/** Makes the window what the words around its days say. */
function applyTimeWords(window: TimeWindow, times: TimeExpression, zone: string | null, now: number): void {
  if (times.isOpen) delete window.to;
  // The words of a free text mean just that day, whatever they are.
  else if (window.from && !window.to && 'date' in window.from) window.to = window.from;
  if (times.isBefore && times.to !== null) {
    const first = parseWindow(times.to, undefined, zone, now);
    if (!('unreadable' in first) && first.from) window.to = dayBefore(first.from);
  }
}

/** The zone of the place that is named; null where none is, or nothing is known of it. */
function zoneOf({ names, country }: WindowContext, catalogue: Catalogue): string | null {
  const places = names.filter(({ kind, match }) => match && (kind === 'venue' || kind === 'city'));
  const zone = places.find((place) => place.zone !== null)?.zone;
  if (zone) return zone;
  const code = places.find(({ match }) => match?.country)?.match?.country ?? country?.code;
  return code === undefined ? null : countryZone(catalogue, code);
}
