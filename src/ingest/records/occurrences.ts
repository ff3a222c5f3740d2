/** What events and editions have alike: where they take place, who plays, who sells tickets. */
import type { FeedLineupEntry, FeedTicket, FeedVenueReference } from '../../contract/feed.ts';
import { type EventSpan, readMoment } from '../../text/feed-time.ts';
import { type OccurrenceKind, venueOwner } from './field-owners.ts';
import {
  actsFromTitle,
  duplicateBillings,
  indexJointAct,
  isJointEntry,
  splitEntries,
  splitKnownJoint,
} from './lineup-entries.ts';
import { type RebuildContext, sourceRunOf } from './rebuild-context.ts';
import { fieldValue, type SourceRecord, sortByTrust } from './survivorship.ts';

export type OccurrencePlace = {
  venueId: number | null;
  venueName: string | null;
  cityId: number | null;
  city: string | null;
  country: string | null;
  zone: string | null;
};

/** Where it takes place: the venue on record with its city, else as much as is known. */
export function mergePlace(
  context: RebuildContext,
  sourceRecords: SourceRecord<OccurrenceKind>[],
): OccurrencePlace {
  const owner = venueOwner(sourceRecords);
  const venue = (owner?.statement.venue ?? null) as FeedVenueReference | null;
  const given = {
    ...statedCityOf(sourceRecords, venue),
    where: { timezone: fieldValue(sourceRecords, 'timezone') },
  };
  for (const one of sourceRecords) if (one !== owner) resolveVenue(context, one, given);
  const venueId = owner ? resolveVenue(context, owner, given) : null;
  if (venueId !== null) {
    const row = context.writer.row('venue', venueId) as Record<string, string | number | null>;
    return {
      venueId,
      venueName: null,
      cityId: row.city_id as number | null,
      city: row.city as string | null,
      country: row.country as string | null,
      zone: row.timezone as string | null,
    };
  }
  const cityId = context.resolver.cities.find(given.city, given.country, given.where);
  const city = cityId === null ? undefined : context.writer.row('city', cityId);
  return {
    venueId: null,
    venueName: venue?.name ?? null,
    cityId,
    city: (city?.name as string | undefined) ?? given.city,
    country: (city?.country as string | undefined) ?? given.country,
    zone: (city?.timezone as string | null | undefined) ?? null,
  };
}

type StatedCity = { city: string | null; country: string | null };

/** The city that is stated, else the venue's; whoever names a house without one is silent on where it is, and others may know. */
function statedCityOf(said: SourceRecord<OccurrenceKind>[], venue: FeedVenueReference | null): StatedCity {
  const city = fieldValue(said, 'city') ?? venue?.city ?? null;
  const country = fieldValue(said, 'country') ?? venue?.country ?? null;
  if (city !== null) return { city, country };
  for (const { statement } of said) {
    const other = statement.venue;
    if (other?.city && (country === null || (other.country ?? country) === country))
      return { city: other.city, country: country ?? other.country ?? null };
  }
  return { city, country };
}

/**
 * The house that a statement names, put on record where it is not there yet. So is each one's, not only that which is
 * shown: a later listing is known by it, and the order in which sources come must not matter.
 */
function resolveVenue(
  context: RebuildContext,
  one: SourceRecord<OccurrenceKind>,
  given: StatedCity & { where: { timezone: string | null } },
): number | null {
  const { venue } = one.statement;
  return venue ? context.resolver.venue(venue, given, sourceRunOf(context, one)) : null;
}

/**
 * The status that its owner states; of one that every source has withdrawn while it was still to come, cancelled.
 * @param gone statements whose sources list it no longer: that it is cancelled is often the last that a seller says
 */
export function mergeStatus(
  sourceRecords: SourceRecord<OccurrenceKind>[],
  gone: readonly SourceRecord<OccurrenceKind>[],
  span: EventSpan | null,
): string | null {
  const withdrawn = sourceRecords.every(({ withdrawnTs }) => withdrawnTs !== null);
  const last = Math.max(...sourceRecords.map(({ withdrawnTs }) => withdrawnTs ?? 0));
  if (withdrawn && span !== null && span.endsAtMs > last) return 'cancelled';
  const cancelled = gone.filter(({ statement }) => statement.status === 'cancelled');
  return fieldValue(
    cancelled.length === 0 ? sourceRecords : sortByTrust([...sourceRecords, ...cancelled]),
    'status',
  );
}

/** [position, artist, billing, stage, set_start_at, set_end_at] */
export type LineupColumns = (string | number | null)[];

/** The union of the line-ups: the most trusted in its order, then whom only others name. */
export function mergeLineups(
  context: RebuildContext,
  sourceRecords: SourceRecord<OccurrenceKind>[],
  zone: string | null,
): LineupColumns[] {
  const rows: LineupColumns[] = [];
  const known = new Set<number>();
  const lists = entriesBySource(context, sourceRecords);
  createSinglesFirst(context, lists);
  const hidden = duplicateBillings(
    lists.map(([, entries]) => entries),
    (name) => context.resolver.isArtist(name),
  );
  for (const [one, entries] of lists) {
    const speaker = sourceRunOf(context, one);
    const time = (text: string | null | undefined) =>
      text == null ? null : readMoment(text, zone, one.clock).text;
    const seen = new Set<string>();
    const fresh: number[] = [];
    for (const entry of entries.flatMap((entry) => splitKnownJoint(context.resolver, entry))) {
      // Who is not shown is on record all the same, whichever source came first.
      const artist = context.resolver.artist(entry, speaker);
      if (hidden.has(entry)) continue;
      indexJointAct(context.resolver, artist, entry);
      if (known.has(artist)) continue;
      const row = [
        artist,
        entry.billing ?? null,
        entry.stage ?? null,
        time(entry.set_start_at),
        time(entry.set_end_at),
      ];
      // An artist may play twice; the very same set listed twice is one.
      const same = row.join('\0');
      if (seen.has(same)) continue;
      seen.add(same);
      fresh.push(artist);
      rows.push([rows.length + 1, ...row]);
    }
    for (const artist of fresh) known.add(artist);
  }
  return rows;
}

/** Of a line-up that names "A & B" and A and B besides, the latter are on record before the former is read. */
function createSinglesFirst(
  context: RebuildContext,
  lists: readonly (readonly [SourceRecord<OccurrenceKind>, readonly FeedLineupEntry[]])[],
): void {
  if (!lists.some(([, entries]) => entries.some(isJointEntry))) return;
  for (const [one, entries] of lists)
    for (const entry of entries)
      if (!isJointEntry(entry)) context.resolver.artist(entry, sourceRunOf(context, one));
}

/** What each statement lists; where none of them says who plays, what the title of one of them does. */
function entriesBySource(
  { resolver }: RebuildContext,
  said: SourceRecord<OccurrenceKind>[],
): [SourceRecord<OccurrenceKind>, readonly FeedLineupEntry[]][] {
  if (said.some(({ statement }) => statement.lineup !== undefined)) {
    const isArtist = (name: string) => resolver.isArtist(name);
    return said.map((one) => [
      one,
      splitEntries((one.statement.lineup ?? []) as FeedLineupEntry[], isArtist),
    ]);
  }
  for (const one of said) {
    // The name of an edition is its festival's.
    const acts = isEvent(one) ? actsFromTitle(one) : [];
    if (acts.length > 0) return [[one, acts]];
  }
  return [];
}

const isEvent = (said: SourceRecord<OccurrenceKind>): said is SourceRecord<'event'> =>
  !('edition' in said.statement);

export function saveLineup(
  context: RebuildContext,
  kind: OccurrenceKind,
  id: number,
  rows: LineupColumns[],
): void {
  const before = context.writer.childrenOf('lineups', id);
  const keep = () => context.writer.saveListHistory('lineup', id);
  if (!context.writer.saveChildren('lineups', id, rows, keep)) return;
  context.writer.touch(kind, id, context.now);
  for (const row of rows) context.names.markStale(row[1] as number);
  const still = new Set(rows.map((row) => row[1]));
  for (const [, artist] of before as number[][]) {
    context.names.markStale(artist as number);
    // Of two that were taken for one, nothing may be left.
    const isGone = !still.has(artist as number);
    if (isGone && isJointEntry(context.writer.displayNameOf('artist', artist as number)))
      context.writer.markStale(artist as number);
  }
}

export function saveTickets(
  context: RebuildContext,
  kind: OccurrenceKind,
  id: number,
  said: SourceRecord<OccurrenceKind>[],
): void {
  const rows = new Map<string, TicketColumns>();
  for (const { statement, statedTs } of said) {
    for (const ticket of (statement.tickets ?? []) as FeedTicket[]) {
      const key = `${ticket.seller}\0${ticket.url}`;
      if (!rows.has(key)) rows.set(key, toTicketColumns(ticket, statedTs));
    }
  }
  const keep = () => context.writer.saveListHistory('tickets', id);
  if (context.writer.saveChildren('tickets', id, [...rows.values()], keep))
    context.writer.touch(kind, id, context.now);
}

type TicketColumns = (string | number | null)[];
const toTicketColumns = (ticket: FeedTicket, statedTs: number): TicketColumns => [
  ticket.seller,
  ticket.url,
  ticket.price_min ?? null,
  ticket.price_max ?? null,
  ticket.currency ?? null,
  ticket.availability ?? null,
  statedTs,
];
