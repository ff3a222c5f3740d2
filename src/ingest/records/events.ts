/** Rebuilds events from their source records. */
import { type EventStatus, eventStatuses } from '../../contract/fields.ts';
import { cellOf, type Position } from '../../store/areas.ts';
import {
  differingMembers,
  type EventRenderInput,
  priceRangeOf,
  renderEvent,
} from '../../store/records/event-rendering.ts';
import { genreLink } from '../../store/resolution/artist-genres.ts';
import type { ChildRow, RowOf } from '../../store/writer.ts';
import { type EventSpan, readSpan } from '../../text/feed-time.ts';
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import { stripDates } from '../../text/title/noise.ts';
import type { WriteContext } from '../write-context.ts';
import { type EventGenre, eventGenres } from './event-genres.ts';
import { titleAliases, titleOwner } from './event-titles.ts';
import { startOwner } from './field-owners.ts';
import type { LineupColumns } from './lineup-sets.ts';
import {
  mergeLineups,
  mergePlace,
  mergeStatus,
  mergeTickets,
  type OccurrencePlace,
  saveLineup,
  saveTickets,
  type TicketColumns,
} from './occurrences.ts';
import { type SourceLink, sourceRunOf } from './rebuild-helpers.ts';
import { fieldOwner, fieldValue, fieldValues, type SourceRecord } from './survivorship.ts';

/**
 * Computes an event and saves its row, rendered forms, line-up, tickets and the rows by which lists find it.
 * @param sourceRecords in order of trust, at least one
 * @param listings where the sources list it
 * @param withdrawn source records that their sources no longer list, if others still do
 */
export function rebuildEvent(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'event'>[],
  listings: readonly SourceLink[],
  withdrawn: readonly SourceRecord<'event'>[],
): void {
  const { name } = titleOwner(sourceRecords).statement;
  const place = mergePlace(context, sourceRecords);
  const zone = fieldValue(sourceRecords, 'timezone') ?? place.zone;
  const start = startOwner(sourceRecords, zone) as SourceRecord<'event'>;
  const span = readSpan(start.statement.start_at, fieldValue(sourceRecords, 'end_at'), zone, start.clock);
  const row = {
    ...rowOf(context, sourceRecords, name, place, span),
    status: mergeStatus(sourceRecords, withdrawn, span),
  };
  const { writer } = context;
  const before = writer.upgradeRendering(id);
  const isNew = before === undefined;
  const slug = before?.slug ?? writer.mintSlug('event', id, eventSlugs(name, row));
  const lineup = mergeLineups(context, sourceRecords, span.start.zone);
  const tickets = mergeTickets(sourceRecords);
  const genres = eventGenres(
    context,
    sourceRecords,
    lineup.map(([, artist]) => artist),
  );
  const { item, detail } = renderEvent({
    ...row,
    id,
    slug,
    venue: venueView(context, place),
    lineup: lineup.map((row) => lineupView(context, row)),
    prices: pricesOf(tickets),
    city: cityView(context, place.cityId),
    festival_edition: row.edition_id === null ? null : editionView(context, row.edition_id),
    genres: genreViews(context, genres),
    sources: listings.toSorted(byNameAndId),
  });
  const changedColumns = writer.save(
    'event',
    id,
    { ...row, slug, item_json: item },
    () => [slug],
    context.now,
  );
  writer.extendMaxDuration(span.endsAtMs - span.start.ts);
  saveLineup(context, 'event', id, lineup);
  saveTickets(context, 'event', id, tickets);
  const hasTickets = tickets.length > 0;
  saveListIndexes(context, id, lineup, genres, span);
  savePlace(context, id, place, span, { status: row.status, hasTickets });
  writer.saveChildren('event_sales', id, hasTickets ? [[span.start.ts, span.start.date, span.endsAtMs]] : []);
  const changedMembers = saveDetails(context, id, before, { item, detail });
  // A title may have changed that is not shown, or left with its source.
  const mayChangeTitles = sourceRecords.length > 1 || changedMembers.includes('sources');
  if (mayChangeTitles || changedColumns.has('name') || changedColumns.has('start_ts')) {
    const aliases = titleAliases(sourceRecords, name);
    context.names.write('event', id, name, aliases, { startTs: span.start.ts }, '', isNew);
  }
  if (place.venueId !== null && (isNew || changedColumns.has('venue_id')))
    context.names.markStale(place.venueId);
}

function rowOf(
  context: WriteContext,
  sourceRecords: SourceRecord<'event'>[],
  name: string,
  place: OccurrencePlace,
  span: EventSpan,
) {
  const belongs = fieldOwner(sourceRecords, 'festival');
  const festival = belongs?.statement.festival ?? null;
  const editionId =
    festival && belongs
      ? context.resolver.edition(
          context.resolver.festival(festival.festival, sourceRunOf(context, belongs)),
          festival.edition,
        )
      : null;
  return {
    start_ts: span.start.ts,
    start_date: span.start.date,
    ends_ts: span.endsAtMs,
    country: place.country,
    city_folded: place.city === null ? null : fold(place.city),
    venue_id: place.venueId,
    city_id: place.cityId,
    name,
    start_at: span.start.text,
    end_at: span.endAt,
    timezone: span.start.zone,
    venue_name: place.venueName,
    city: place.city,
    edition_id: editionId,
    ...fieldValues(sourceRecords, ['description', 'image_url', 'minimum_age']),
  };
}

/**
 * Saves the rendered details. Artists, venue, festival, genres or sources shown in them may have changed although no
 * column of the event did.
 * @returns the rendered members that changed; none for a new event
 */
function saveDetails(
  context: WriteContext,
  id: number,
  before: RowOf<'event'> | undefined,
  { item, detail }: { item: string; detail: string },
): string[] {
  const { writer } = context;
  const previous = before === undefined ? null : writer.detailsOf(id);
  if (previous !== detail) writer.saveDetails(id, detail, previous === null);
  if (before === undefined) return [];
  const members = [
    ...(before.item_json === item ? [] : differingMembers(before.item_json, item)),
    ...(previous === null || previous === detail ? [] : differingMembers(`{${previous}}`, `{${detail}}`)),
  ];
  if (members.length > 0 || previous === null)
    writer.touch('event', id, context.now, members.map(feedMemberName));
  return members;
}

/** The feed format's name of a member of a rendered event. */
const feedMemberName = (name: string): string => feedMemberNames[name] ?? name;
const feedMemberNames: Readonly<Record<string, string>> = {
  festival_edition: 'festival',
  date: 'start_at',
  price_min: 'tickets',
  price_max: 'tickets',
  currency: 'tickets',
};

const referenceTo = (context: WriteContext, kind: 'artist' | 'genre' | 'festival', id: number) => {
  const { slug, name } = context.writer.displayNameOf(kind, id);
  return { slug, name };
};

/** An artist of the line-up with the number of its set. */
function lineupView(
  context: WriteContext,
  [position, artist, , , , , setPosition]: LineupColumns,
): EventRenderInput['lineup'][number] {
  return { ...referenceTo(context, 'artist', artist), set: setPosition ?? position };
}

const pricesOf = (tickets: readonly TicketColumns[]): EventRenderInput['prices'] =>
  priceRangeOf(
    tickets.map(([, , price_min, price_max, currency, availability]) => ({
      price_min,
      price_max,
      currency,
      availability,
    })),
  );

function venueView(context: WriteContext, place: OccurrencePlace): EventRenderInput['venue'] {
  if (place.venueId === null) {
    const unknown = { latitude: null, longitude: null };
    return { slug: null, name: place.venueName, city: place.city, country: place.country, ...unknown };
  }
  const { slug, name } = context.writer.displayNameOf('venue', place.venueId);
  const { latitude = null, longitude = null } = context.writer.row('venue', place.venueId) ?? {};
  return { slug, name, city: place.city, country: place.country, latitude, longitude };
}

function cityView(context: WriteContext, id: number | null): EventRenderInput['city'] {
  if (id === null) return null;
  const { slug, name, country } = context.writer.row('city', id) as RowOf<'city'>;
  return { slug, name, country };
}

function editionView(context: WriteContext, id: number): EventRenderInput['festival_edition'] {
  const { festival_id: festival, edition } = context.writer.row('edition', id) as RowOf<'edition'>;
  return { festival: referenceTo(context, 'festival', festival), edition };
}

/** The genres stated for the event or derived from its line-up, sorted by name. */
function genreViews(context: WriteContext, genres: readonly EventGenre[]): EventRenderInput['genres'] {
  return genres
    .filter(([, link]) => link !== genreLink.ancestor)
    .map(([genre]) => context.writer.displayNameOf('genre', genre))
    .sort((a, b) => compareText(a.folded, b.folded) || compareText(a.slug, b.slug))
    .map(({ slug, name }) => ({ slug, name }));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byNameAndId = (a: SourceLink, b: SourceLink): number =>
  compareText(a.name, b.name) || compareText(a.external_id, b.external_id);

/** The slugs that an event may get: its name without dates, its start date, and its city if another event has that slug. */
const eventSlugs = (name: string, row: { start_date: number; city: string | null }): string[] => {
  const stem = slugOf(/\d/.test(name) ? stripDates(name) : name, 'event');
  const day = String(row.start_date);
  const date = `${day.slice(0, -4)}-${day.slice(-4, -2)}-${day.slice(-2)}`;
  const dated = stem.endsWith(date) ? stem : `${stem}-${date}`;
  return row.city === null ? [dated] : [dated, `${dated}-${slugOf(row.city, 'city')}`];
};

/** Saves the rows by which lists find the event through its artists and genres. */
function saveListIndexes(
  context: WriteContext,
  id: number,
  lineup: readonly LineupColumns[],
  genres: readonly EventGenre[],
  span: EventSpan,
): void {
  const [ts, date, endsTs] = [span.start.ts, span.start.date, span.endsAtMs];
  const artists = new Set(lineup.map(([, artist]) => artist));
  const { writer } = context;
  writer.saveChildren(
    'event_artists',
    id,
    Array.from(artists, (artist): ChildRow<'event_artists'> => [artist, ts, date, endsTs]),
  );
  const rows = genres.map(([genre, link]): ChildRow<'event_genres'> => [genre, ts, date, endsTs, link]);
  if (writer.saveChildren('event_genres', id, rows)) writer.touch('event', id, context.now);
}

/**
 * Saves where the event is and what filters by area read with it: the position of its venue, otherwise that of its city
 * (docs/decisions/31-near.md).
 */
function savePlace(
  context: WriteContext,
  id: number,
  place: OccurrencePlace,
  span: EventSpan,
  state: { status: EventStatus | null; hasTickets: boolean },
): void {
  const position = positionOf(context, 'venue', place.venueId) ?? positionOf(context, 'city', place.cityId);
  const rows: ChildRow<'event_places'>[] = [];
  if (position !== null) {
    const area = [cellOf('cell', position), cellOf('region', position)] as const;
    const when = [span.start.ts, span.start.date, span.endsAtMs] as const;
    const point = [position.latitude, position.longitude] as const;
    const status = state.status === null ? null : eventStatuses.indexOf(state.status);
    rows.push([...area, ...when, ...point, status, Number(state.hasTickets), place.country]);
  }
  context.writer.saveChildren('event_places', id, rows);
}

function positionOf(context: WriteContext, kind: 'venue' | 'city', id: number | null): Position | null {
  const row = id === null ? undefined : context.writer.row(kind, id);
  if (row?.latitude == null || row.longitude == null) return null;
  return { latitude: row.latitude, longitude: row.longitude };
}
