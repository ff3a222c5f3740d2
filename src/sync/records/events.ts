/** Events, worked out from what is said of them. */
import { differingMembers, type EventFacts, renderEvent } from '../../store/event-items.ts';
import { fold } from '../../store/fold.ts';
import type { RowOf } from '../../store/writer.ts';
import { ownerOf, type Said, stated } from '../merge.ts';
import { slugOf } from '../slug.ts';
import { readSpan, type Span } from '../time.ts';
import { type Context, type Listing, speakerOf } from './context.ts';
import { startOwner, titleOwner } from './owners.ts';
import { genresWithAncestors } from './places.ts';
import {
  type LineupRow,
  lineupOf,
  type Place,
  placeOf,
  saveLineup,
  saveTickets,
  statusOf,
} from './showing.ts';

export function rebuildEvent(
  context: Context,
  id: number,
  said: Said<'event'>[],
  listings: readonly Listing[],
  gone: readonly Said<'event'>[],
): void {
  const { name } = titleOwner(said).statement;
  const place = placeOf(context, said);
  const zone = stated(said, 'timezone') ?? place.zone;
  const start = startOwner(said, zone) as Said<'event'>;
  const span = readSpan(start.statement.start_at, stated(said, 'end_at'), zone, start.clock);
  const row: RowOf = { ...rowOf(context, said, name, place, span), status: statusOf(said, gone, span) };
  const { writer } = context;
  const before = writer.row('event', id);
  const isNew = before === undefined;
  const slug = (before?.slug as string | undefined) ?? writer.mintSlug('event', id, eventSlugs(name, row));
  const lineup = lineupOf(context, said, span.start.zone);
  const genres = genresOf(context, said);
  const { item, rest } = renderEvent({
    ...(row as ShownOfRow),
    id,
    slug,
    venue: shownVenue(context, place),
    lineup: lineup.map(([, artist]) => refTo(context, 'artist', artist as number)),
    city: shownCity(context, place.cityId),
    festival_edition: row.edition_id == null ? null : shownEdition(context, row.edition_id as number),
    genres: shownGenres(context, genres),
    sources: listings.toSorted(byNameAndId),
  });
  const differing = writer.save('event', id, { ...row, slug, item }, () => [slug], context.now);
  writer.noteLength(span.overTs - span.start.ts);
  saveLineup(context, 'event', id, lineup);
  saveTickets(context, 'event', id, said);
  saveWays(context, id, lineup, genres, span);
  saveDetails(context, id, before, { item, rest });
  if (differing.has('name') || differing.has('start_ts')) {
    context.names.write('event', id, name, [], { startTs: span.start.ts }, '', isNew);
  }
  if (place.venueId !== null && (isNew || differing.has('venue_id'))) context.names.markStale(place.venueId);
}

/** What renderings take from an event's row as it is. */
type ShownOfRow = Pick<
  EventFacts,
  | 'name'
  | 'start_at'
  | 'end_at'
  | 'timezone'
  | 'status'
  | 'start_date'
  | 'description'
  | 'image_url'
  | 'minimum_age'
>;

function rowOf(context: Context, said: Said<'event'>[], name: string, place: Place, span: Span): RowOf {
  const belongs = ownerOf(said, 'festival');
  const festival = belongs?.statement.festival ?? null;
  const editionId =
    festival && belongs
      ? context.resolver.edition(
          context.resolver.festival(festival.festival, speakerOf(context, belongs)),
          festival.edition,
        )
      : null;
  return {
    start_ts: span.start.ts,
    start_date: span.start.date,
    over_ts: span.overTs,
    country: place.country,
    city_folded: place.city === null ? null : fold(place.city),
    venue_id: place.venueId,
    city_id: place.cityId,
    name: name,
    start_at: span.start.text,
    end_at: span.endAt,
    timezone: span.start.zone,
    venue_name: place.venueName,
    city: place.city,
    edition_id: editionId,
    description: stated(said, 'description'),
    image_url: stated(said, 'image_url'),
    minimum_age: stated(said, 'minimum_age'),
  };
}

/** What is shown of artists, venue, festival, genres or sources may have changed without any of the event's own. */
function saveDetails(
  context: Context,
  id: number,
  before: RowOf | undefined,
  { item, rest }: { item: string; rest: string },
): void {
  const { writer } = context;
  const known = before === undefined ? null : writer.detailsOf(id);
  if (known !== rest) writer.saveDetails(id, rest, known === null);
  if (before === undefined) return;
  const members = [
    ...(before.item === item ? [] : differingMembers(before.item as string, item)),
    ...(known === null || known === rest ? [] : differingMembers(`{${known}}`, `{${rest}}`)),
  ];
  if (members.length > 0 || known === null) writer.touch('event', id, context.now, members.map(feedMember));
}

/** A member of a body as the feed format calls it. */
const feedMember = (name: string): string =>
  name === 'festival_edition' ? 'festival' : name === 'date' ? 'start_at' : name;

const refTo = (context: Context, kind: 'artist' | 'genre' | 'festival', id: number) => {
  const { slug, name } = context.writer.nameOf(kind, id);
  return { slug, name };
};

function shownVenue(context: Context, place: Place): EventFacts['venue'] {
  if (place.venueId === null) {
    return { slug: null, name: place.venueName, city: place.city, country: place.country };
  }
  const { slug, name } = context.writer.nameOf('venue', place.venueId);
  return { slug, name, city: place.city, country: place.country };
}

function shownCity(context: Context, id: number | null): EventFacts['city'] {
  if (id === null) return null;
  const { slug, name, country } = context.writer.row('city', id) as Record<string, string>;
  return { slug, name, country } as EventFacts['city'];
}

function shownEdition(context: Context, id: number): EventFacts['festival_edition'] {
  const { festival_id: festival, edition } = context.writer.row('edition', id) as RowOf;
  return { festival: refTo(context, 'festival', festival as number), edition: edition as string };
}

/** The genres that the event has of itself, by name. */
function shownGenres(context: Context, genres: readonly GenreOf[]): EventFacts['genres'] {
  return genres
    .filter(([, direct]) => direct === 1)
    .map(([genre]) => context.writer.nameOf('genre', genre))
    .sort((a, b) => compare(a.folded, b.folded) || compare(a.slug, b.slug))
    .map(({ slug, name }) => ({ slug, name }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byNameAndId = (a: Listing, b: Listing): number =>
  compare(a.name, b.name) || compare(a.external_id, b.external_id);

const eventSlugs = (name: string, row: RowOf): string[] => {
  const stem = slugOf(name, 'event');
  const date = String(row.start_date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');
  const dated = stem.endsWith(date) ? stem : `${stem}-${date}`;
  return row.city === null ? [dated] : [dated, `${dated}-${slugOf(String(row.city), 'city')}`];
};

type GenreOf = [genre: number, direct: 0 | 1];

/** The genres that the owner gives, and all above them. */
function genresOf(context: Context, said: Said<'event'>[]): GenreOf[] {
  const owner = ownerOf(said, 'genres');
  return owner ? genresWithAncestors(context, owner.statement.genres ?? [], speakerOf(context, owner)) : [];
}

/** The ways that lists take to the event: through its artists and genres. */
function saveWays(
  context: Context,
  id: number,
  lineup: readonly LineupRow[],
  genres: readonly GenreOf[],
  span: Span,
): void {
  const when = [span.start.ts, span.start.date, span.overTs];
  const artists = new Set(lineup.map((row) => row[1] as number));
  const { writer } = context;
  writer.saveChildren(
    'event_artists',
    id,
    [...artists].map((artist) => [artist, ...when]),
  );
  const rows = genres.map(([genre, direct]) => [genre, ...when, direct]);
  if (writer.saveChildren('event_genres', id, rows)) writer.touch('event', id, context.now);
}
