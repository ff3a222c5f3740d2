/**
 * Upcoming events as a calendar (RFC 5545), with the time zones of the venues. Events whose clock time is not trusted are
 * all-day events. The rules of all time zones are loaded at the first request for a calendar.
 */
import { dayMs } from '../../clock.ts';
import * as en from '../../pages/messages/en.ts';
import { venueText } from '../components/parts.tsx';
import { type PageContext, resolveUrl } from '../page-context.ts';
import type { Subscription, SubscriptionEntry } from './subscriptions.ts';

export type WriteCalendar = (context: PageContext, what: Subscription) => string;

const statuses: Record<string, string> = {
  scheduled: 'CONFIRMED',
  rescheduled: 'CONFIRMED',
  postponed: 'TENTATIVE',
  cancelled: 'CANCELLED',
};

/** A value of type TEXT (section 3.3.11). */
const escapeText = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\n|\r/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: lines must not contain them (section 3.1)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const maxLineOctets = 75;
/** Folds a line of more than 75 octets, never within a character (section 3.1). */
function foldLine(line: string): string {
  if (line.length <= maxLineOctets && Buffer.byteLength(line) <= maxLineOctets) return line;
  const lines: string[] = [];
  let [begin, octets] = [0, 0];
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) as number;
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + width > maxLineOctets) {
      lines.push(line.slice(begin, at));
      // The space that begins the next line.
      [begin, octets] = [at, 1];
    }
    octets += width;
    at += code < 0x10000 ? 1 : 2;
  }
  return [...lines, line.slice(begin)].join('\r\n ');
}

const basicFormat = (iso: string): string => iso.replace(/[-:]/g, '');
/** Formats a time in UTC. @param ms since 1970 */
const utcTime = (ms: number): string => `${basicFormat(new Date(ms).toISOString().slice(0, 19))}Z`;

/** Loads the rules of the time zones and returns the calendar writer. */
export async function loadCalendar(): Promise<WriteCalendar> {
  const { tzlib_get_ical_block: blockOf, tzlib_get_timezones: all } = await import('timezones-ical-library');
  const zonesWithRules = new Set(all() as string[]);
  const blocks = new Map<string, string>();
  const rulesOf = (zone: string): string => {
    let block = blocks.get(zone);
    if (block === undefined) {
      block = (blockOf(zone)[0] as string).trim().replace(/\r?\n/g, '\r\n');
      blocks.set(zone, block);
    }
    return block;
  };
  return (context, what) => writeCalendar(context, what, zonesWithRules, rulesOf);
}

function writeCalendar(
  context: PageContext,
  { name, url, entries }: Subscription,
  zonesWithRules: ReadonlySet<string>,
  rulesOf: (zone: string) => string,
): string {
  const zones = new Set(
    entries.flatMap(({ timezone }) => (timezone !== null && zonesWithRules.has(timezone) ? [timezone] : [])),
  );
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    foldLine(`PRODID:-//cratebase//cratebase ${escapeText(context.version)}//EN`),
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    foldLine(`NAME:${escapeText(name)}`),
    foldLine(`X-WR-CALNAME:${escapeText(name)}`),
    foldLine(`URL;VALUE=URI:${url}`),
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...[...zones].sort().map(rulesOf),
    ...entries.flatMap((entry) => eventLines(context, entry, zones)),
    'END:VCALENDAR',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function eventLines(context: PageContext, entry: SubscriptionEntry, zones: ReadonlySet<string>): string[] {
  const { id, name, status, venue, acts, description, changed } = entry;
  const url = resolveUrl(context, entry.url);
  const where = venueText(en, venue);
  const about = [acts, description, url].filter((line) => line !== '');
  return [
    'BEGIN:VEVENT',
    foldLine(`UID:${id}@${new URL(context.siteUrl.url).hostname}`),
    `DTSTAMP:${utcTime(changed)}`,
    `LAST-MODIFIED:${utcTime(changed)}`,
    ...timeLines(entry, zones),
    foldLine(`SUMMARY:${escapeText(`${status === 'postponed' ? 'Postponed: ' : ''}${name}`)}`),
    ...(where === '' ? [] : [foldLine(`LOCATION:${escapeText(where)}`)]),
    foldLine(`DESCRIPTION:${escapeText(about.join('\n\n'))}`),
    foldLine(`URL;VALUE=URI:${url}`),
    ...(status === null ? [] : [`STATUS:${statuses[status]}`]),
    'END:VEVENT',
  ];
}

/** Start and end of an event. A time zone without rules is omitted: the time is then in UTC. */
function timeLines({ start_at, end_at, timezone }: SubscriptionEntry, zones: ReadonlySet<string>): string[] {
  const both = (parameters: string, write: (at: string) => string): string[] => [
    `DTSTART${parameters}:${write(start_at)}`,
    ...(end_at !== null && end_at > start_at ? [`DTEND${parameters}:${write(end_at)}`] : []),
  ];
  if (timezone === null) return dateLines(start_at.slice(0, 10), (end_at ?? start_at).slice(0, 10));
  if (zones.has(timezone)) return both(`;TZID=${timezone}`, (at) => basicFormat(at.slice(0, 19)));
  return both('', (at) => utcTime(Date.parse(at)));
}

/** An all-day event; the end is exclusive. */
function dateLines(first: string, last: string): string[] {
  const end = new Date(Date.parse(last < first ? first : last) + dayMs).toISOString().slice(0, 10);
  return [`DTSTART;VALUE=DATE:${basicFormat(first)}`, `DTEND;VALUE=DATE:${basicFormat(end)}`];
}
