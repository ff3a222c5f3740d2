/** What events and editions have alike: where they take place, who plays, who sells tickets. */
import type { LineupStatement, PlaceReference, TicketStatement } from '../../contract/feed.ts';
import { inOrderOfTrust, type Said, stated } from '../merge.ts';
import { readMoment, type Span } from '../time.ts';
import { type Context, speakerOf } from './context.ts';
import { actsInTitle, actsOf, billedTwice, fileJoint, isJoint, knownActs } from './lineup-said.ts';
import { type Showing, venueOwner } from './owners.ts';

export type Place = {
  venueId: number | null;
  venueName: string | null;
  cityId: number | null;
  city: string | null;
  country: string | null;
  zone: string | null;
};

/** Where it takes place: the venue on record with its city, else as much as is known. */
export function placeOf(context: Context, said: Said<Showing>[]): Place {
  const owner = venueOwner(said);
  const venue = (owner?.statement.venue ?? null) as PlaceReference | null;
  const given = { ...townOf(said, venue), where: { timezone: stated(said, 'timezone') } };
  for (const one of said) if (one !== owner) houseOf(context, one, given);
  const venueId = owner ? houseOf(context, owner, given) : null;
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

type Town = { city: string | null; country: string | null };

/** The city that is stated, else the venue's; whoever names a house without one is silent on where it is, and others may know. */
function townOf(said: Said<Showing>[], venue: PlaceReference | null): Town {
  const city = stated(said, 'city') ?? venue?.city ?? null;
  const country = stated(said, 'country') ?? venue?.country ?? null;
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
function houseOf(
  context: Context,
  one: Said<Showing>,
  given: Town & { where: { timezone: string | null } },
): number | null {
  const { venue } = one.statement;
  return venue ? context.resolver.venue(venue, given, speakerOf(context, one)) : null;
}

/**
 * The status that its owner states; of one that every source has withdrawn while it was still to come, cancelled.
 * @param gone statements whose sources list it no longer: that it is cancelled is often the last that a seller says
 */
export function statusOf(
  said: Said<Showing>[],
  gone: readonly Said<Showing>[],
  span: Span | null,
): string | null {
  const withdrawn = said.every(({ withdrawnTs }) => withdrawnTs !== null);
  const last = Math.max(...said.map(({ withdrawnTs }) => withdrawnTs ?? 0));
  if (withdrawn && span !== null && span.overTs > last) return 'cancelled';
  const cancelled = gone.filter(({ statement }) => statement.status === 'cancelled');
  return stated(cancelled.length === 0 ? said : inOrderOfTrust([...said, ...cancelled]), 'status');
}

/** [position, artist, billing, stage, set_start_at, set_end_at] */
export type LineupRow = (string | number | null)[];

/** The union of the line-ups: the most trusted in its order, then whom only others name. */
export function lineupOf(context: Context, said: Said<Showing>[], zone: string | null): LineupRow[] {
  const rows: LineupRow[] = [];
  const known = new Set<number>();
  const lists = entriesOf(context, said);
  meetSingles(context, lists);
  const hidden = billedTwice(
    lists.map(([, entries]) => entries),
    (name) => context.resolver.isArtist(name),
  );
  for (const [one, entries] of lists) {
    const speaker = speakerOf(context, one);
    const time = (text: string | null | undefined) =>
      text == null ? null : readMoment(text, zone, one.clock).text;
    const seen = new Set<string>();
    const fresh: number[] = [];
    for (const entry of entries.flatMap((entry) => knownActs(context.resolver, entry))) {
      // Who is not shown is on record all the same, whichever source came first.
      const artist = context.resolver.artist(entry, speaker);
      if (hidden.has(entry)) continue;
      fileJoint(context.resolver, artist, entry);
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
function meetSingles(
  context: Context,
  lists: readonly (readonly [Said<Showing>, readonly LineupStatement[]])[],
): void {
  if (!lists.some(([, entries]) => entries.some(isJoint))) return;
  for (const [one, entries] of lists)
    for (const entry of entries) if (!isJoint(entry)) context.resolver.artist(entry, speakerOf(context, one));
}

/** What each statement lists; where none of them says who plays, what the title of one of them does. */
function entriesOf(
  { resolver }: Context,
  said: Said<Showing>[],
): [Said<Showing>, readonly LineupStatement[]][] {
  if (said.some(({ statement }) => statement.lineup !== undefined)) {
    const isArtist = (name: string) => resolver.isArtist(name);
    return said.map((one) => [one, actsOf((one.statement.lineup ?? []) as LineupStatement[], isArtist)]);
  }
  for (const one of said) {
    // The name of an edition is its festival's.
    const acts = isEvent(one) ? actsInTitle(one) : [];
    if (acts.length > 0) return [[one, acts]];
  }
  return [];
}

const isEvent = (said: Said<Showing>): said is Said<'event'> => !('edition' in said.statement);

export function saveLineup(context: Context, kind: Showing, id: number, rows: LineupRow[]): void {
  const before = context.writer.childrenOf('lineups', id);
  const keep = () => context.writer.keepList('lineup', id);
  if (!context.writer.saveChildren('lineups', id, rows, keep)) return;
  context.writer.touch(kind, id, context.now);
  for (const row of rows) context.names.markStale(row[1] as number);
  const still = new Set(rows.map((row) => row[1]));
  for (const [, artist] of before as number[][]) {
    context.names.markStale(artist as number);
    // Of two that were taken for one, nothing may be left.
    const isGone = !still.has(artist as number);
    if (isGone && isJoint(context.writer.nameOf('artist', artist as number)))
      context.writer.markStale(artist as number);
  }
}

export function saveTickets(context: Context, kind: Showing, id: number, said: Said<Showing>[]): void {
  const rows = new Map<string, TicketRow>();
  for (const { statement, statedTs } of said) {
    for (const ticket of (statement.tickets ?? []) as TicketStatement[]) {
      const key = `${ticket.seller}\0${ticket.url}`;
      if (!rows.has(key)) rows.set(key, ticketRow(ticket, statedTs));
    }
  }
  const keep = () => context.writer.keepList('tickets', id);
  if (context.writer.saveChildren('tickets', id, [...rows.values()], keep))
    context.writer.touch(kind, id, context.now);
}

type TicketRow = (string | number | null)[];
const ticketRow = (ticket: TicketStatement, statedTs: number): TicketRow => [
  ticket.seller,
  ticket.url,
  ticket.price_min ?? null,
  ticket.price_max ?? null,
  ticket.currency ?? null,
  ticket.availability ?? null,
  statedTs,
];
