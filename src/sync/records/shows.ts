/** Festivals, editions and events, worked out from what is said of them. */
import type { LineupStatement, PlaceReference, TicketStatement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { RowOf } from '../../store/writer.ts';
import { externalIdsOf, ownerOf, type Said, stated, unionOf } from '../merge.ts';
import { editionSlug, editionSortTs } from '../resolver.ts';
import { slugOf } from '../slug.ts';
import { readMoment, readSpan, type Span } from '../time.ts';
import {
  aliasesOf,
  type Context,
  linksOf,
  namedRow,
  saveNamed,
  speakerOf,
  staleDependents,
} from './context.ts';
import { genresWithAncestors } from './places.ts';

export function rebuildFestival(context: Context, id: number, said: Said<'festival'>[]): void {
  const named = namedRow(said);
  const city = ownerOf(said, 'city');
  const country = stated(said, 'country');
  const cityName = city?.statement.city ?? null;
  const cityId = city ? context.resolver.city(cityName, country, speakerOf(context, city)) : null;
  const row = {
    ...named,
    city_id: cityId,
    city: cityId === null ? cityName : (context.writer.row('city', cityId)?.name as string),
    country,
    image_url: stated(said, 'image_url'),
    description: stated(said, 'description'),
    website: stated(said, 'website'),
    links: linksOf(said),
    external_ids: externalIdsOf(said),
  };
  const stem = slugOf(named.name, 'festival');
  const differing = saveNamed(context, 'festival', id, row, aliasesOf(said, named.name), () =>
    country === null ? [stem] : [stem, `${stem}-${country.toLowerCase()}`],
  );
  staleDependents(context, 'festival', id, differing, ['name']);
  const owner = ownerOf(said, 'genres');
  const genres = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], speakerOf(context, owner))
    : [];
  const direct = genres.filter(([, isDirect]) => isDirect === 1).map(([genre]) => [genre]);
  if (context.writer.saveChildren('festival_genres', id, direct))
    context.writer.touch('festival', id, context.now);
}

export function rebuildEdition(context: Context, id: number, said: Said<'edition'>[]): void {
  const first = said[0] as Said<'edition'>;
  const festivalId = context.resolver.festival(first.statement.festival, speakerOf(context, first));
  const festival = context.writer.row('festival', festivalId) as { name: string; slug: string };
  const edition = first.statement.edition;
  const place = placeOf(context, said);
  const start = ownerOf(said, 'start_at');
  const span = start?.statement.start_at
    ? readSpan(
        start.statement.start_at,
        stated(said, 'end_at'),
        stated(said, 'timezone') ?? place.zone,
        start.clock,
      )
    : null;
  const row: RowOf = {
    festival_id: festivalId,
    edition,
    name: stated(said, 'name') ?? `${festival.name} ${edition}`,
    start_ts: span?.start.ts ?? null,
    over_ts: span?.overTs ?? null,
    sort_ts: span?.start.ts ?? editionSortTs(edition),
    start_at: span?.start.text ?? null,
    end_at: span?.endAt ?? null,
    timezone: span?.start.zone ?? null,
    status: statusOf(said, span),
    venue_id: place.venueId,
    venue_name: place.venueName,
    city_id: place.cityId,
    city: place.city,
    country: place.country,
    description: stated(said, 'description'),
    image_url: stated(said, 'image_url'),
  };
  const slugs = () => [editionSlug(festival.slug, edition)];
  context.writer.save('edition', id, row, slugs, context.now);
  saveLineup(context, 'edition', id, said, span?.start.zone ?? null);
  saveTickets(context, 'edition', id, said);
  context.names.markStale(festivalId);
}

export function rebuildEvent(context: Context, id: number, said: Said<'event'>[]): void {
  const named = namedRow(said);
  const place = placeOf(context, said);
  const start = ownerOf(said, 'start_at') as Said<'event'>;
  const span = readSpan(
    start.statement.start_at,
    stated(said, 'end_at'),
    stated(said, 'timezone') ?? place.zone,
    start.clock,
  );
  const belongs = ownerOf(said, 'festival');
  const festival = belongs?.statement.festival ?? null;
  const editionId =
    festival && belongs
      ? context.resolver.edition(
          context.resolver.festival(festival.festival, speakerOf(context, belongs)),
          festival.edition,
        )
      : null;
  const row: RowOf = {
    start_ts: span.start.ts,
    start_date: span.start.date,
    over_ts: span.overTs,
    country: place.country,
    city_folded: place.city === null ? null : fold(place.city),
    venue_id: place.venueId,
    city_id: place.cityId,
    name: named.name,
    start_at: span.start.text,
    end_at: span.endAt,
    timezone: span.start.zone,
    status: statusOf(said, span),
    venue_name: place.venueName,
    city: place.city,
    edition_id: editionId,
    description: stated(said, 'description'),
    image_url: stated(said, 'image_url'),
    minimum_age: stated(said, 'minimum_age'),
  };
  const { writer } = context;
  const before = writer.row('event', id);
  const isNew = before === undefined;
  const differing = writer.save(
    'event',
    id,
    isNew ? { ...row, item: '' } : row,
    () => eventSlugs(named.name, row),
    context.now,
  );
  writer.noteLength(span.overTs - span.start.ts);
  const lineupChanged = saveLineup(context, 'event', id, said, span.start.zone);
  saveTickets(context, 'event', id, said);
  saveWays(context, id, said, span);
  // What is shown of artists, venue, festival, genres or sources may have changed without any of it.
  const { item, rest } = context.items.render(id);
  if (writer.saveRendered(id, item, rest) && !isNew && differing.size === 0 && !lineupChanged) {
    writer.touch('event', id, context.now);
  }
  if (differing.has('name') || differing.has('start_ts')) {
    context.names.write('event', id, named.name, [], { startTs: span.start.ts });
  }
  if (place.venueId !== null && (isNew || differing.has('venue_id'))) context.names.markStale(place.venueId);
}

const eventSlugs = (name: string, row: RowOf): string[] => {
  const stem = slugOf(name, 'event');
  const date = String(row.start_date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');
  const dated = stem.endsWith(date) ? stem : `${stem}-${date}`;
  return row.city === null ? [dated] : [dated, `${dated}-${slugOf(String(row.city), 'city')}`];
};

type Showing = 'event' | 'edition';
type Place = {
  venueId: number | null;
  venueName: string | null;
  cityId: number | null;
  city: string | null;
  country: string | null;
  zone: string | null;
};

/** Where it takes place: the venue on record with its city, else as much as is known. */
function placeOf(context: Context, said: Said<Showing>[]): Place {
  const owner = ownerOf(said, 'venue');
  const venue = (owner?.statement.venue ?? null) as PlaceReference | null;
  const given = {
    city: stated(said, 'city') ?? venue?.city ?? null,
    country: stated(said, 'country') ?? venue?.country ?? null,
  };
  if (venue && owner) {
    const venueId = context.resolver.venue(venue, given.city, given.country, speakerOf(context, owner));
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
  }
  const speaker = speakerOf(context, owner ?? (said[0] as Said<Showing>));
  const cityId = context.resolver.city(given.city, given.country, speaker);
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

/**
 * The status that its owner states; of one that every source has withdrawn while it was still to come, cancelled.
 */
function statusOf(said: Said<Showing>[], span: Span | null): string | null {
  const withdrawn = said.every(({ withdrawnTs }) => withdrawnTs !== null);
  const last = Math.max(...said.map(({ withdrawnTs }) => withdrawnTs ?? 0));
  if (withdrawn && span !== null && span.overTs > last) return 'cancelled';
  return stated(said, 'status');
}

/** The union of the line-ups: the most trusted in its order, then whom only others name. */
function saveLineup(
  context: Context,
  kind: Showing,
  id: number,
  said: Said<Showing>[],
  zone: string | null,
): boolean {
  const rows: (string | number | null)[][] = [];
  const known = new Set<number>();
  for (const one of said) {
    const entries = (one.statement.lineup ?? []) as LineupStatement[];
    const seen = new Set<string>();
    const fresh = new Set<number>();
    for (const entry of entries) {
      const artist = context.resolver.artist(entry, speakerOf(context, one));
      if (known.has(artist)) continue;
      const time = (text: string | null | undefined) =>
        text == null ? null : readMoment(text, zone, one.clock).text;
      const row = [
        artist,
        entry.billing ?? null,
        entry.stage ?? null,
        time(entry.set_start_at),
        time(entry.set_end_at),
      ];
      // An artist may play twice; the very same set listed twice is one.
      const same = JSON.stringify(row);
      if (seen.has(same)) continue;
      seen.add(same);
      fresh.add(artist);
      rows.push([rows.length + 1, ...row]);
    }
    for (const artist of fresh) known.add(artist);
  }
  const before = context.writer.isFresh(id)
    ? []
    : context.writer.childrenOf('lineups', id).map((row) => row[1] as number);
  const keep = () => context.writer.keepList('lineup', id);
  if (!context.writer.saveChildren('lineups', id, rows, keep)) return false;
  context.writer.touch(kind, id, context.now);
  for (const artist of [...known, ...before]) context.names.markStale(artist);
  return true;
}

function saveTickets(context: Context, kind: Showing, id: number, said: Said<Showing>[]): void {
  const tickets = unionOf(
    said.map((one) => ({ ...one, statement: { tickets: stamped(one) } })) as never[],
    'tickets' as never,
    (ticket: Stamped) => `${ticket.seller}\0${ticket.url}`,
  );
  const rows = tickets.map((ticket) => [
    ticket.seller,
    ticket.url,
    ticket.price_min ?? null,
    ticket.price_max ?? null,
    ticket.currency ?? null,
    ticket.availability ?? null,
    ticket.statedTs,
  ]);
  const keep = () => context.writer.keepList('tickets', id);
  if (context.writer.saveChildren('tickets', id, rows, keep)) context.writer.touch(kind, id, context.now);
}

type Stamped = TicketStatement & { statedTs: number };
const stamped = (one: Said<Showing>): Stamped[] =>
  ((one.statement.tickets ?? []) as TicketStatement[]).map((ticket) => ({
    ...ticket,
    statedTs: one.statedTs,
  }));

/** The ways that lists take to the event: through its artists and genres. */
function saveWays(context: Context, id: number, said: Said<'event'>[], span: Span): void {
  const when = [span.start.ts, span.start.date, span.overTs];
  const artists = new Set(context.writer.childrenOf('lineups', id).map((row) => row[1] as number));
  context.writer.saveChildren(
    'event_artists',
    id,
    [...artists].map((artist) => [artist, ...when]),
  );
  const owner = ownerOf(said, 'genres');
  const genres = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], speakerOf(context, owner))
    : [];
  if (
    context.writer.saveChildren(
      'event_genres',
      id,
      genres.map(([genre, direct]) => [genre, ...when, direct]),
    )
  ) {
    context.writer.touch('event', id, context.now);
  }
}
