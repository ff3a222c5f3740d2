/**
 * Who owns a member that can be stated without a word being said (docs/spec/imports.md#promises, promise 7: never blanked by a source that says
 * nothing): a date leaves the clock open, "TBA" the name or the place. Then whoever says more owns it.
 */
import { parseDate } from '../../contract/parameters.ts';
import { readMoment } from '../../text/feed-time.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { fieldOwner, type SourceRecord } from './survivorship.ts';

/** What takes place. */
export type OccurrenceKind = 'event' | 'edition';

const placeholderTitlePattern = /^\W*(?:t\.? ?b\.? ?[acd]\.?|to be (?:announced|confirmed|determined))\W*$/i;

/** Of statements in order of trust, the one whose title is shown; all of them have one. */
export function titleOwner(sourceRecords: SourceRecord<'event'>[]): SourceRecord<'event'> {
  return (
    sourceRecords.find(({ statement }) => !placeholderTitlePattern.test(statement.name)) ??
    (sourceRecords[0] as SourceRecord<'event'>)
  );
}

/** The statement whose venue is shown; undefined where none says anything of it. */
export function venueOwner<K extends OccurrenceKind>(
  sourceRecords: SourceRecord<K>[],
): SourceRecord<K> | undefined {
  const owner = fieldOwner(sourceRecords as SourceRecord<OccurrenceKind>[], 'venue') as
    | SourceRecord<K>
    | undefined;
  if (!owner?.statement.venue || !isPlaceholderVenue(owner.statement.venue.name)) return owner;
  return sourceRecords.find(({ statement: { venue } }) => venue && !isPlaceholderVenue(venue.name)) ?? owner;
}

const noon = '12:00';

/**
 * The statement whose start is shown; undefined where none has one. One that gives a clock for the owner's date takes its
 * place: on that date, or before noon of the next, as nights are listed under the date on which they begin.
 * @param defaultZone in which clocks are read; null where none is known
 */
export function startOwner<K extends OccurrenceKind>(
  sourceRecords: SourceRecord<K>[],
  zone: string | null,
): SourceRecord<K> | undefined {
  const owner = fieldOwner(sourceRecords as SourceRecord<OccurrenceKind>[], 'start_at') as
    | SourceRecord<K>
    | undefined;
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
  const next = new Date(0);
  next.setUTCFullYear(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, (date % 100) + 1);
  return next.getUTCFullYear() * 10_000 + (next.getUTCMonth() + 1) * 100 + next.getUTCDate();
}
