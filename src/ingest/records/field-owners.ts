/**
 * Chooses the source whose venue and start a record shows. They can be present but incomplete, such as a date without a time
 * or "TBA" as a venue; a more specific value wins (docs/spec/imports.md#promises, promise 7).
 */
import { parseDate } from '../../contract/parameters.ts';
import { midnightUtc } from '../../text/date-number.ts';
import { readMoment } from '../../text/feed-time.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import type { SourceRecord } from './survivorship.ts';

/** Kinds with a start, a venue and a line-up. */
export type OccurrenceKind = 'event' | 'edition';

/** The source record whose venue is shown; undefined if none names a venue. */
export function venueOwner<K extends OccurrenceKind>(
  sourceRecords: SourceRecord<K>[],
): SourceRecord<K> | undefined {
  const owner = sourceRecords.find(({ statement }) => statement.venue !== undefined);
  if (!owner?.statement.venue || !isPlaceholderVenue(owner.statement.venue.name)) return owner;
  return sourceRecords.find(({ statement: { venue } }) => venue && !isPlaceholderVenue(venue.name)) ?? owner;
}

const noon = '12:00';

/**
 * The source record whose start is shown; undefined if none has one. If the owner states only a date, a source with a
 * time for it wins: a time on that date, or before noon of the next day, because nights are listed under the date on
 * which they begin.
 * @param defaultZone time zone of local times; null if unknown
 */
export function startOwner<K extends OccurrenceKind>(
  sourceRecords: SourceRecord<K>[],
  zone: string | null,
): SourceRecord<K> | undefined {
  const owner = sourceRecords.find(({ statement }) => statement.start_at !== undefined);
  const date = parseDate(owner?.statement.start_at ?? '');
  if (owner === undefined || date === null || sourceRecords.length === 1) return owner;
  return sourceRecords.find((one) => isOnDate(one, date, zone)) ?? owner;
}

function isOnDate(
  { statement, clock }: SourceRecord<OccurrenceKind>,
  date: number,
  zone: string | null,
): boolean {
  const { start_at: start } = statement;
  if (start == null || parseDate(start) !== null) return false;
  const moment = readMoment(start, zone, clock);
  return moment.date === date || (moment.date === dayAfter(date) && moment.text.slice(11, 16) < noon);
}

function dayAfter(date: number): number {
  const next = new Date(midnightUtc(date, 1));
  return next.getUTCFullYear() * 10_000 + (next.getUTCMonth() + 1) * 100 + next.getUTCDate();
}
