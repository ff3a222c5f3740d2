/**
 * Handlers of the 33 operations. Each returns JSON text with the placeholder for the base URL. The type of the map
 * requires exactly one handler per operation.
 */
import { Problem } from '../contract/errors.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import { cursorFilters } from '../contract/parameters.ts';
import type { CursorPosition } from '../store/lists/cursor.ts';
import type { ListSource } from '../store/lists/pagination.ts';
import { isSearchableKind } from '../store/search/name-index.ts';
import { eventFilter, nameFilter } from './list-filters.ts';
import type { Catalogue, OperationRequest } from './request.ts';

/** A request whose cursor has been decoded. */
type ResolvedRequest = OperationRequest & { position: CursorPosition | null; cursorScope: () => string };
/** A body as pieces of JSON text, to be sent one behind the other: items are not joined, because they are many. */
export type BodyPieces = readonly string[];
type OperationHandler = (request: ResolvedRequest, catalogue: Catalogue) => BodyPieces;

const detailBody = (record: unknown): BodyPieces => [
  '{"data":',
  typeof record === 'string' ? record : JSON.stringify(record),
  '}',
];

function listBody(request: ResolvedRequest, { reader }: Catalogue, source: ListSource): BodyPieces {
  const { items, nextCursor: next } = reader.page(source, request);
  return itemsBody(items, next);
}

function itemsBody(items: readonly string[], next: string | null): BodyPieces {
  const pieces = ['{"data":['];
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',');
    pieces.push(item);
  }
  const cursor = next === null ? 'null' : `"${next}"`;
  pieces.push(`],"page":{"next_cursor":${cursor},"has_more":${next !== null}}}`);
  return pieces;
}

/**
 * Returns the cursor of the next page that the last piece of a list body names (`itemsBody`); null for the last page and
 * for other bodies.
 */
export function nextCursorOf(body: BodyPieces): string | null {
  const start = '],"page":{"next_cursor":"';
  const end = '","has_more":true}}';
  const last = body.at(-1) ?? '';
  return last.startsWith(start) && last.endsWith(end) ? last.slice(start.length, -end.length) : null;
}

function notFound(kind: Kind, slug: string): never {
  const shortSlug = slug.slice(0, 100);
  throw new Problem(
    'not_found',
    `There is no ${kind} "${shortSlug}". Find its slug ${isSearchableKind(kind) ? 'with /search or ' : ''}in the list.`,
  );
}

/** Returns the id of the record with the slug; throws `not_found`. */
const recordIdOf = (request: OperationRequest, { reader }: Catalogue, kind: Kind): number =>
  reader.find(kind, request.slug) ?? notFound(kind, request.slug);

function editionIdOf(request: OperationRequest, catalogue: Catalogue): number {
  const id = catalogue.reader.details.festivals.findEdition(
    recordIdOf(request, catalogue, 'festival'),
    request.edition,
  );
  if (id === null) {
    throw new Problem(
      'not_found',
      `This festival has no edition "${request.edition.slice(0, 100)}". /festivals/{slug}/editions lists them.`,
    );
  }
  return id;
}

/** Reads something of the record that the path names, by its id. */
type ReadOf<Result> = (id: number, request: ResolvedRequest, reader: Catalogue['reader']) => Result;

const detailOf =
  (kind: Kind, read: ReadOf<unknown>): OperationHandler =>
  (request, catalogue) =>
    detailBody(read(recordIdOf(request, catalogue, kind), request, catalogue.reader));

const listOf =
  (kind: Kind, read: ReadOf<ListSource>): OperationHandler =>
  (request, catalogue) =>
    listBody(request, catalogue, read(recordIdOf(request, catalogue, kind), request, catalogue.reader));

const listByName =
  (kind: 'artist' | 'venue' | 'festival' | 'city' | 'label' | 'genre' | 'podcast'): OperationHandler =>
  (request, catalogue) => {
    const { reader } = catalogue;
    return listBody(
      request,
      catalogue,
      reader.byName.source(kind, nameFilter(kind, request, reader), request),
    );
  };

const windowOf = ({ filters: { from, to } }: OperationRequest) => ({
  ...(from && { from }),
  ...(to && { to }),
});

/** Returns the requested window, or all upcoming events if neither bound is given. */
const windowOrUpcoming = (request: OperationRequest) =>
  request.filters.from || request.filters.to ? windowOf(request) : { upcomingAt: request.now };

const handlers: Record<OperationId, OperationHandler> = {
  listEvents: (request, catalogue) => {
    const filter = eventFilter(request, catalogue.reader);
    return listBody(
      request,
      catalogue,
      filter === null ? catalogue.reader.emptyList : catalogue.reader.events.source(filter),
    );
  },
  getEvent: (request, catalogue) => {
    const { details } = catalogue.reader;
    // A former slug takes a second look-up.
    return detailBody(
      details.eventBySlug(request.slug) ?? details.event(recordIdOf(request, catalogue, 'event')),
    );
  },
  listEventLineup: listOf('event', (id, _, reader) => reader.nestedLists.source('lineup', id)),
  listEventTickets: listOf('event', (id, _, reader) => reader.nestedLists.source('tickets', id)),
  listArtists: listByName('artist'),
  getArtist: detailOf('artist', (id, { now }, reader) => reader.details.artist(id, reader.upcoming(now))),
  listArtistEvents: listOf('artist', (id, request, reader) =>
    reader.events.source({ artist: id, ...windowOrUpcoming(request) }),
  ),
  listArtistGenres: listOf('artist', (id, request, reader) =>
    reader.byName.source('genre', { artist: id }, request),
  ),
  listVenues: listByName('venue'),
  getVenue: detailOf('venue', (id, { now }, reader) => reader.details.venue(id, reader.upcoming(now))),
  listVenueEvents: listOf('venue', (id, request, reader) =>
    reader.events.source({ venue: id, ...windowOrUpcoming(request) }),
  ),
  listFestivals: listByName('festival'),
  getFestival: detailOf('festival', (id, { now }, reader) => reader.details.festivals.festival(id, now)),
  listFestivalEditions: listOf('festival', (id, _, reader) => reader.editions(id)),
  getFestivalEdition: (request, catalogue) =>
    detailBody(catalogue.reader.details.festivals.edition(editionIdOf(request, catalogue))),
  listEditionLineup: (request, catalogue) =>
    listBody(
      request,
      catalogue,
      catalogue.reader.nestedLists.source('lineup', editionIdOf(request, catalogue)),
    ),
  listEditionTickets: (request, catalogue) =>
    listBody(
      request,
      catalogue,
      catalogue.reader.nestedLists.source('tickets', editionIdOf(request, catalogue)),
    ),
  listLabels: listByName('label'),
  getLabel: detailOf('label', (id, { now }, reader) => reader.details.label(id, now)),
  listLabelArtists: listOf('label', (id, request, reader) =>
    reader.byName.source('artist', { roster: id }, request),
  ),
  listLabelEvents: listOf('label', (id, request, reader) =>
    reader.events.sourceForLabel(id, windowOrUpcoming(request)),
  ),
  listGenres: listByName('genre'),
  getGenre: detailOf('genre', (id, { now }, reader) => reader.details.genre(id, reader.upcoming(now))),
  listCities: listByName('city'),
  getCity: detailOf('city', (id, { now }, reader) => reader.details.city(id, reader.upcoming(now))),
  listCityEvents: listOf('city', (id, request, reader) =>
    reader.events.source({ cityId: id, ...windowOf(request) }),
  ),
  listPodcasts: listByName('podcast'),
  getPodcast: detailOf('podcast', (id, _, reader) => reader.details.podcast(id)),
  listPodcastEpisodes: listOf('podcast', (id, _, reader) => reader.episodes(id)),
  getEpisode: detailOf('episode', (id, _, reader) => reader.details.episode(id)),
  listTracks: listOf('episode', (id, _, reader) => reader.nestedLists.source('tracks', id)),
  getStats: (request, catalogue) => detailBody(catalogue.reader.stats(request.now)),
  search: (request, catalogue) =>
    itemsBody(catalogue.search.search(request.q, request.limit, request.now, request.filters.type), null),
};

/**
 * Returns the response body of a request. Parameters, including the cursor, are checked before the record is looked
 * up (docs/spec/errors.md).
 * @throws Problem `invalid_cursor`, `not_found`
 */
export function bodyPieces(request: OperationRequest, catalogue: Catalogue): BodyPieces {
  const { operation, cursor } = request;
  const position =
    cursor === undefined ? null : catalogue.reader.decodeCursor(cursor, cursorScopeOf(request));
  return handlers[operation]({ ...request, position, cursorScope: () => cursorScopeOf(request) }, catalogue);
}

/** The list that a cursor belongs to: the operation, its record and its filters. */
const cursorScopeOf = ({ operation, slug, edition, filters }: OperationRequest): string =>
  JSON.stringify([operation, slug, edition, cursorFilters(filters)]);

/** The same as one text. */
export const handleOperation = (request: OperationRequest, catalogue: Catalogue): string =>
  bodyPieces(request, catalogue).join('');
