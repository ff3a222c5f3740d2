/** Formats dates and times in the time zone of the venue; the date alone if the clock time is not trusted. */
import type { VNode } from 'preact';
import type { Formats } from '../../pages/messages/formats.ts';
import { useMessages } from '../../pages/messages/messages.ts';

type EventSchedule = { start_at: string; end_at: string | null; timezone: string | null };

/** The local date of a timestamp of the API, which begins with it: '2026-12-05T23:00:00+01:00'. */
export const localDate = (at: string): string => at.slice(0, 10);
const localTime = (at: string): string => at.slice(11, 16);

/** The clock time of a list entry, or a note that it is not known. */
export function ListTime({ event }: { event: EventSchedule }): VNode {
  const { start_at, timezone } = event;
  const { common } = useMessages();
  if (timezone === null) return <span class="time none">{common.timeUnknown}</span>;
  return <time datetime={start_at}>{localTime(start_at)}</time>;
}

/** The date of an entry in a list without day groups. */
export function ListDate({ event }: { event: EventSchedule }): VNode {
  const { start_at, timezone } = event;
  const date = localDate(start_at);
  const { shortDate } = useMessages().formats;
  return <time datetime={timezone === null ? date : start_at}>{shortDate(date)}</time>;
}

/** The weekday, date and clock time of an entry in a list of a few days. */
export function ListDay({ event }: { event: EventSchedule }): VNode {
  const { start_at, timezone } = event;
  const date = localDate(start_at);
  const day = useMessages().formats.weekdayDate(date);
  if (timezone === null) return <time datetime={date}>{day}</time>;
  return <time datetime={start_at}>{`${day} ${localTime(start_at)}`}</time>;
}

/** The start and end of an event with the name of the time zone. */
export function TimeRange({ event }: { event: EventSchedule }): VNode {
  const { start_at, end_at, timezone } = event;
  const { formats, common } = useMessages();
  const { longDate } = formats;
  const [from, to] = [localDate(start_at), end_at === null ? null : localDate(end_at)];
  if (timezone === null) {
    return (
      <>
        <time datetime={from}>{longDate(from)}</time>
        {to !== null && to > from && (
          <>
            {` ${common.toDate} `}
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
          {` ${common.toDate} `}
          <time datetime={end_at}>
            {to === from ? localTime(end_at) : `${longDate(to as string)}, ${localTime(end_at)}`}
          </time>
        </>
      )}
      <span class="zone"> {zoneText(formats, timezone, start_at)}</span>
    </>
  );
}

/** "Central European Standard Time (Europe/Berlin)". */
export function zoneText(formats: Formats, zone: string, at: string): string {
  const name = formats.zone(zone, at);
  return name === '' || name === zone ? zone : `${name} (${zone})`;
}

/** The dates of an edition: "24 to 29 Jul 2024". */
export function DateRange({ event }: { event: { start_at: string | null; end_at: string | null } }): VNode {
  const { formats, common } = useMessages();
  const { shortDate } = formats;
  if (event.start_at === null) return <span>{common.datesUnknown}</span>;
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
