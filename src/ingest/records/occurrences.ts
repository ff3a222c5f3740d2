/** Merges what events and editions have in common: place, status, line-up and tickets. */
import type { FeedLineupEntry, FeedTicket, FeedVenueReference } from '../../contract/feed.ts';
import type { EventStatus } from '../../contract/fields.ts';
import type { ChildRow } from '../../store/writer.ts';
import { type EventSpan, readMoment } from '../../text/feed-time.ts';
import type { WriteContext } from '../write-context.ts';
import { type OccurrenceKind, venueOwner } from './field-owners.ts';
import {
  deriveLineup,
  duplicateBillings,
  indexJointAct,
  isJointEntry,
  splitEntries,
  splitKnownJoint,
} from './lineup-entries.ts';
import { type LineupColumns, LineupSets } from './lineup-sets.ts';
import { sourceRunOf } from './rebuild-helpers.ts';
import { fieldValue, type SourceRecord, sortByTrust } from './survivorship.ts';

export type OccurrencePlace = {
  venueId: number | null;
  venueName: string | null;
  cityId: number | null;
  city: string | null;
  country: string | null;
  zone: string | null;
};

/** Merges the place: the venue with its city if it exists, otherwise the stated text. */
export function mergePlace(
  context: WriteContext,
  sourceRecords: SourceRecord<OccurrenceKind>[],
): OccurrencePlace {
  const owner = venueOwner(sourceRecords);
  const venue = (owner?.statement.venue ?? null) as FeedVenueReference | null;
  const statedPlace = {
    ...statedCityOf(sourceRecords, venue),
    where: { timezone: fieldValue(sourceRecords, 'timezone') },
  };
  for (const one of sourceRecords) if (one !== owner) resolveVenue(context, one, statedPlace);
  const venueId = owner ? resolveVenue(context, owner, statedPlace) : null;
  const isRemoved = venueId !== null && context.resolver.isRemoved(venueId);
  // The row of a removed venue still says where it is.
  const row = venueId === null ? undefined : context.writer.row('venue', venueId);
  if (row !== undefined && (!isRemoved || context.lookup.hasCity(row.city_id))) {
    return {
      venueId: isRemoved ? null : venueId,
      venueName: isRemoved ? (venue?.name ?? null) : null,
      cityId: row.city_id,
      city: row.city,
      country: row.country,
      zone: row.timezone,
    };
  }
  const cityId = context.resolver.cities.find(statedPlace.city, statedPlace.country, statedPlace.where);
  const city = cityId === null ? undefined : context.writer.row('city', cityId);
  return {
    venueId: null,
    venueName: venueId !== null && context.lookup.removed.isForgotten(venueId) ? null : (venue?.name ?? null),
    cityId,
    city: city?.name ?? statedPlace.city,
    country: city?.country ?? statedPlace.country,
    zone: city?.timezone ?? null,
  };
}

type StatedCity = { city: string | null; country: string | null };

/**
 * The stated city, otherwise the venue's. A source that names a venue without a city leaves the city to other sources.
 */
function statedCityOf(
  sourceRecords: SourceRecord<OccurrenceKind>[],
  venue: FeedVenueReference | null,
): StatedCity {
  const city = fieldValue(sourceRecords, 'city') ?? venue?.city ?? null;
  const country = fieldValue(sourceRecords, 'country') ?? venue?.country ?? null;
  if (city !== null) return { city, country };
  for (const { statement } of sourceRecords) {
    const other = statement.venue;
    if (other?.city && (country === null || (other.country ?? country) === country))
      return { city: other.city, country: country ?? other.country ?? null };
  }
  return { city, country };
}

/**
 * Resolves the venue of a source record and creates it if needed. This is done for every source record, not only the
 * field owner: later source records match by it, and the order of sources must not matter.
 */
function resolveVenue(
  context: WriteContext,
  one: SourceRecord<OccurrenceKind>,
  statedPlace: StatedCity & { where: { timezone: string | null } },
): number | null {
  const { venue } = one.statement;
  return venue ? context.resolver.venue(venue, statedPlace, sourceRunOf(context, one)) : null;
}

/**
 * Returns the status that an editor set, else the owner's, or `cancelled` if every source withdrew the event before it
 * ended.
 * @param withdrawnRecords source records that are no longer listed; a seller's last word is often that the event is
 *   cancelled
 */
export function mergeStatus(
  sourceRecords: SourceRecord<OccurrenceKind>[],
  withdrawnRecords: readonly SourceRecord<OccurrenceKind>[],
  span: EventSpan | null,
): EventStatus | null {
  if (sourceRecords[0]?.edits?.sets('status')) return fieldValue(sourceRecords, 'status');
  const withdrawn = sourceRecords.every(({ withdrawnTs }) => withdrawnTs !== null);
  const last = Math.max(...sourceRecords.map(({ withdrawnTs }) => withdrawnTs ?? 0));
  if (withdrawn && span !== null && span.endsAtMs > last) return 'cancelled';
  const cancelled = withdrawnRecords.filter(({ statement }) => statement.status === 'cancelled');
  return fieldValue(
    cancelled.length === 0 ? sourceRecords : sortByTrust([...sourceRecords, ...cancelled]),
    'status',
  );
}

/** Merges line-ups: the most trusted in its order, then artists that only other sources list. */
export function mergeLineups(
  context: WriteContext,
  sourceRecords: SourceRecord<OccurrenceKind>[],
  zone: string | null,
): LineupColumns[] {
  const rows: LineupColumns[] = [];
  const listedArtists = new Set<number>();
  const lists = entriesBySource(context, sourceRecords);
  createSinglesFirst(context, lists);
  const hidden = duplicateBillings(
    lists.map(([, entries]) => entries),
    (name) => context.resolver.isArtist(name),
  );
  for (const [sourceRecord, entries] of lists) {
    const sourceRun = sourceRunOf(context, sourceRecord);
    const fresh = new Set<number>();
    // The sets of this source, once one of its artists plays twice.
    let listedSets: Set<string> | null = null;
    const sets = new LineupSets(rows);
    const acts = entries.some(isJointEntry)
      ? entries.flatMap((entry) => splitKnownJoint(context.resolver, entry))
      : entries;
    for (const entry of acts) {
      // Hidden entries are created too, so that the order of sources does not matter.
      const artist = context.resolver.artist(entry, sourceRun);
      if (artist === null || hidden.has(entry)) continue;
      indexJointAct(context.resolver, artist, entry);
      if (isTakenAway(context, sourceRecord, entry.name, artist)) continue;
      if (listedArtists.has(artist)) {
        sets.addListed(entry, artist);
        continue;
      }
      const [start, end] = [
        setTime(entry.set_start_at, zone, sourceRecord),
        setTime(entry.set_end_at, zone, sourceRecord),
      ];
      const { billing = null, stage = null } = entry;
      const row: LineupColumns = [rows.length + 1, artist, billing, stage, start, end, null];
      // An artist may play twice; an identical set is listed once.
      if (fresh.has(artist)) {
        listedSets ??= new Set(rows.map(setText));
        if (listedSets.has(setText(row))) continue;
      }
      fresh.add(artist);
      rows.push(row);
      listedSets?.add(setText(row));
      sets.add(entry, rows.length - 1);
    }
    sets.join();
    for (const artist of fresh) listedArtists.add(artist);
  }
  return rows;
}

const setTime = (
  text: string | null | undefined,
  zone: string | null,
  { clock }: SourceRecord<OccurrenceKind>,
): string | null => (text == null ? null : readMoment(text, zone, clock).text);

/** What a row of a line-up says of its artist, as a text. */
const setText = ([, artist, billing, stage, start, end]: LineupColumns): string =>
  [artist, billing, stage, start, end].join('\0');

/** Whether an editor took the act away, by the name in the line-up or by that of the artist. */
const isTakenAway = (
  { writer }: WriteContext,
  { edits }: SourceRecord<OccurrenceKind>,
  name: string,
  artist: number,
): boolean =>
  edits !== undefined &&
  (edits.removes('lineup', name) || edits.removes('lineup', writer.displayNameOf('artist', artist).name));

/** Creates A and B first if a line-up contains "A & B" as well, so that the joint entry can be split. */
function createSinglesFirst(
  context: WriteContext,
  lists: readonly (readonly [SourceRecord<OccurrenceKind>, readonly FeedLineupEntry[]])[],
): void {
  if (!lists.some(([, entries]) => entries.some(isJointEntry))) return;
  for (const [one, entries] of lists)
    for (const entry of entries)
      if (!isJointEntry(entry)) context.resolver.artist(entry, sourceRunOf(context, one));
}

/** The entries of each source record; if no source has a line-up, those that a description or a title lists. */
function entriesBySource(
  { resolver }: WriteContext,
  sourceRecords: SourceRecord<OccurrenceKind>[],
): [SourceRecord<OccurrenceKind>, readonly FeedLineupEntry[]][] {
  if (sourceRecords.some(({ statement }) => statement.lineup !== undefined)) {
    return sourceRecords.map((one) => [
      one,
      splitEntries((one.statement.lineup ?? []) as FeedLineupEntry[], (name) => resolver.isArtist(name)),
    ]);
  }
  // Editions are named after their festival.
  const derived = deriveLineup(sourceRecords.filter(isEvent));
  return derived === null ? [] : [[derived.record, derived.entries]];
}

const isEvent = (sourceRecord: SourceRecord<OccurrenceKind>): sourceRecord is SourceRecord<'event'> =>
  !('edition' in sourceRecord.statement);

/** Saves the line-up of an event or edition. If it changed, keeps the former one for cursors and marks search ranks stale. */
export function saveLineup(
  context: WriteContext,
  kind: OccurrenceKind,
  id: number,
  rows: LineupColumns[],
): void {
  let before: ChildRow<'lineups'>[] = [];
  const isChanged = context.writer.saveChildren('lineups', id, rows, () => {
    before = context.writer.childrenOf('lineups', id);
    context.writer.saveListHistory('lineup', id);
  });
  if (!isChanged) return;
  context.writer.touch(kind, id, context.now);
  const currentArtists = new Set(rows.map(([, artist]) => artist));
  for (const [, artist] of rows) context.names.markStale(artist);
  for (const [, artist] of before) context.names.markStale(artist);
  // A joint artist that was split may have no listing left.
  for (const [, artist] of before)
    if (!currentArtists.has(artist) && isJointEntry(context.writer.displayNameOf('artist', artist)))
      context.writer.markStale(artist);
}

/** Merges the ticket links of all sources; the most trusted source wins. */
export function mergeTickets(sourceRecords: SourceRecord<OccurrenceKind>[]): TicketColumns[] {
  const rows = new Map<string, TicketColumns>();
  const lists = new Set<unknown>();
  for (const { statement, statedTs } of sourceRecords) {
    // Equal source records have one parsed form.
    if (lists.has(statement.tickets)) continue;
    lists.add(statement.tickets);
    for (const ticket of (statement.tickets ?? []) as FeedTicket[]) {
      const key = `${ticket.seller}\0${ticket.url}`;
      if (!rows.has(key)) rows.set(key, toTicketColumns(ticket, statedTs));
    }
  }
  return [...rows.values()];
}

/** Saves the ticket links of an event or edition. If they changed, keeps the former ones for cursors. */
export function saveTickets(
  context: WriteContext,
  kind: OccurrenceKind,
  id: number,
  rows: readonly TicketColumns[],
): void {
  const isChanged = context.writer.saveChildren('tickets', id, rows, () =>
    context.writer.saveListHistory('tickets', id),
  );
  if (isChanged) context.writer.touch(kind, id, context.now);
}

/** The columns of a ticket link without its owner. */
export type TicketColumns = ChildRow<'tickets'>;
const toTicketColumns = (ticket: FeedTicket, statedTs: number): TicketColumns => [
  ticket.seller,
  ticket.url,
  ticket.price_min ?? null,
  ticket.price_max ?? null,
  ticket.currency ?? null,
  ticket.availability ?? null,
  statedTs,
];
