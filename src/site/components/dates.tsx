/** Formats dates and times in the time zone of the venue; the date alone if the clock time is not trusted. */
import type { VNode } from 'preact';

type EventSchedule = { start_at: string; end_at: string | null; timezone: string | null };

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const longFormat = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortFormat = format({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayFormat = format({ weekday: 'short', day: 'numeric', month: 'short' });
const monthFormat = format({ month: 'long', year: 'numeric' });
const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** The local date of a timestamp of the API, which begins with it: '2026-12-05T23:00:00+01:00'. */
export const localDate = (at: string): string => at.slice(0, 10);
const localTime = (at: string): string => at.slice(11, 16);

const formatDate = (with_: Intl.DateTimeFormat, date: string): string => {
  const at = noon(date);
  return Number.isNaN(at) ? date : with_.format(at).replace(/,/g, '');
};
/** "Saturday 5 December 2026". */
export const longDate = (date: string): string => formatDate(longFormat, date);
/** "5 Dec 2026". */
export const shortDate = (date: string): string => formatDate(shortFormat, date);
/** "Sat 5 Dec". */
export const weekdayDate = (date: string): string => formatDate(weekdayFormat, date);
/** "December 2026", of 'yyyy-mm'. */
export const monthName = (month: string): string => formatDate(monthFormat, `${month}-15`);

const zones = new Map<string, Intl.DateTimeFormat | null>();
/** The name of a time zone: "Central European Standard Time"; empty if it has none. */
export function zoneName(zone: string, at: string): string {
  let names = zones.get(zone);
  if (names === undefined) {
    try {
      names = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'long' });
    } catch {
      names = null;
    }
    zones.set(zone, names);
  }
  const time = Date.parse(at);
  if (names === null || Number.isNaN(time)) return '';
  return names.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The clock time of a list entry, or a note that it is not known. */
export function ListTime({ event }: { event: EventSchedule }): VNode {
  const { start_at, timezone } = event;
  if (timezone === null) return <span class="time none">TBA</span>;
  return <time datetime={start_at}>{localTime(start_at)}</time>;
}

/** The date of an entry in a list without day groups. */
export function ListDate({ event }: { event: EventSchedule }): VNode {
  const { start_at, timezone } = event;
  const date = localDate(start_at);
  return <time datetime={timezone === null ? date : start_at}>{shortDate(date)}</time>;
}

/** The start and end of an event with the name of the time zone. */
export function TimeRange({ event }: { event: EventSchedule }): VNode {
  const { start_at, end_at, timezone } = event;
  const [from, to] = [localDate(start_at), end_at === null ? null : localDate(end_at)];
  if (timezone === null) {
    return (
      <>
        <time datetime={from}>{longDate(from)}</time>
        {to !== null && to > from && (
          <>
            {' to '}
            <time datetime={to}>{longDate(to)}</time>
          </>
        )}
      </>
    );
  }
  return (
    <>
      <time datetime={start_at}>{`${longDate(from)}, ${localTime(start_at)}`}</time>
      {end_at !== null && (
        <>
          {' to '}
          <time datetime={end_at}>
            {to === from ? localTime(end_at) : `${longDate(to as string)}, ${localTime(end_at)}`}
          </time>
        </>
      )}
      <span class="zone"> {zoneText(timezone, start_at)}</span>
    </>
  );
}

/** "Central European Standard Time (Europe/Berlin)". */
export function zoneText(zone: string, at: string): string {
  const name = zoneName(zone, at);
  return name === '' || name === zone ? zone : `${name} (${zone})`;
}

/** The dates of an edition: "24 to 29 Jul 2024". */
export function DateRange({ event }: { event: { start_at: string | null; end_at: string | null } }): VNode {
  if (event.start_at === null) return <span>dates not announced</span>;
  const from = localDate(event.start_at);
  const to = event.end_at === null ? from : localDate(event.end_at);
  return (
    <>
      <time datetime={from}>{shortDate(from)}</time>
      {to > from && (
        <>
          {' – '}
          <time datetime={to}>{shortDate(to)}</time>
        </>
      )}
    </>
  );
}

/** "1:02:03" or "58:09". */
export function durationText(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A duration in ISO 8601. */
export const isoDuration = (seconds: number): string =>
  `PT${Math.floor(seconds / 3600)}H${Math.floor(seconds / 60) % 60}M${Math.floor(seconds) % 60}S`;
