/**
 * Handlers of the 33 operations. Each returns JSON text with the placeholder for the base URL. The type of the map
 * requires exactly one handler per operation.
 */
import { Problem } from '../contract/errors.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import { cursorFilters, type Filters } from '../contract/parameters.ts';
import type { CursorPosition } from '../store/lists/cursor.ts';
import type { ListSource } from '../store/lists/pagination.ts';
import type { CatalogueReader } from '../store/reader.ts';
import { isSearchableKind } from '../store/search/name-index.ts';
import { eventFilter, nameFilter } from './list-filters.ts';
import type { CatalogueSearch } from './search.ts';

/** A parsed request, from the path and the query parameters. */
export type OperationRequest = {
  operation: OperationId;
  /** Path parameters, decoded. */
  slug: string;
  edition: string;
  filters: Filters;
  limit: number;
  cursor: string | undefined;
  q: string;
  /** ms since 1970. */
  now: number;
};

/** A request whose cursor has been decoded. */
type ResolvedRequest = OperationRequest & { position: CursorPosition | null; cursorScope: () => string };
type OperationHandler = (ask: ResolvedRequest, catalogue: Catalogue) => string;
export type Catalogue = { reader: CatalogueReader; search: CatalogueSearch };

const detailBody = (record: unknown): string =>
  `{"data":${typeof record === 'string' ? record : JSON.stringify(record)}}`;

function listBody(ask: ResolvedRequest, { reader }: Catalogue, source: ListSource): string {
  const { items, nextCursor: next } = reader.page(source, ask);
  const cursor = next === null ? 'null' : `"${next}"`;
  return `{"data":[${items.join(',')}],"page":{"next_cursor":${cursor},"has_more":${next !== null}}}`;
}

/**
 * Returns the cursor of the next page that a list body names at its end (`listBody`); null for the last page and for
 * other bodies. Names of records cannot be mistaken for it: JSON escapes their quotation marks.
 */
export function nextCursorOf(body: string): string | null {
  const end = '","has_more":true}}';
  if (!body.endsWith(end)) return null;
  const start = '"page":{"next_cursor":"';
  const at = body.lastIndexOf(start);
  return at < 0 ? null : body.slice(at + start.length, -end.length);
}

/** Throws `not_found`. */
function notFound(kind: Kind, slug: string): never {
  const shown = slug.slice(0, 100);
  throw new Problem(
    'not_found',
    `There is no ${kind} "${shown}". Find its slug ${isSearchableKind(kind) ? 'with /search or ' : ''}in the list.`,
  );
}

/** Returns the id of the record with the slug; throws `not_found`. */
const recordIdOf = (ask: OperationRequest, { reader }: Catalogue, kind: Kind): number =>
  reader.find(kind, ask.slug) ?? notFound(kind, ask.slug);

function editionIdOf(ask: OperationRequest, catalogue: Catalogue): number {
  const id = catalogue.reader.details.findEdition(recordIdOf(ask, catalogue, 'festival'), ask.edition);
  if (id === null) {
    throw new Problem(
      'not_found',
      `This festival has no edition "${ask.edition.slice(0, 100)}". /festivals/{slug}/editions lists them.`,
    );
  }
  return id;
}

const listByName =
  (kind: 'artist' | 'venue' | 'festival' | 'city' | 'label' | 'genre' | 'podcast'): OperationHandler =>
  (ask, catalogue) =>
    listBody(
      ask,
      catalogue,
      catalogue.reader.byName.source(kind, nameFilter(kind, ask, catalogue.reader), ask),
    );

/** Returns the requested window, or all upcoming events if neither bound is given. */
const windowOrUpcoming = ({ filters: { from, to }, now }: OperationRequest) =>
  from || to ? { ...(from && { from }), ...(to && { to }) } : { upcomingAt: now };

const handlers: Record<OperationId, OperationHandler> = {
  listEvents: (ask, c) => {
    const filter = eventFilter(ask, c.reader);
    return listBody(ask, c, filter === null ? c.reader.emptyList : c.reader.events.source(filter));
  },
  getEvent: (ask, c) => detailBody(c.reader.details.event(recordIdOf(ask, c, 'event'))),
  listEventLineup: (ask, c) =>
    listBody(ask, c, c.reader.nestedLists.source('lineup', recordIdOf(ask, c, 'event'))),
  listEventTickets: (ask, c) =>
    listBody(ask, c, c.reader.nestedLists.source('tickets', recordIdOf(ask, c, 'event'))),
  listArtists: listByName('artist'),
  getArtist: (ask, c) =>
    detailBody(c.reader.details.artist(recordIdOf(ask, c, 'artist'), c.reader.upcoming(ask.now))),
  listArtistEvents: (ask, c) =>
    listBody(
      ask,
      c,
      c.reader.events.source({ artist: recordIdOf(ask, c, 'artist'), ...windowOrUpcoming(ask) }),
    ),
  listArtistGenres: (ask, c) =>
    listBody(
      ask,
      c,
      c.reader.byName.source('genre', { artist: recordIdOf(ask, c, 'artist') }, { ...ask, refs: true }),
    ),
  listVenues: listByName('venue'),
  getVenue: (ask, c) =>
    detailBody(c.reader.details.venue(recordIdOf(ask, c, 'venue'), c.reader.upcoming(ask.now))),
  listVenueEvents: (ask, c) =>
    listBody(
      ask,
      c,
      c.reader.events.source({ venue: recordIdOf(ask, c, 'venue'), ...windowOrUpcoming(ask) }),
    ),
  listFestivals: listByName('festival'),
  getFestival: (ask, c) => detailBody(c.reader.details.festival(recordIdOf(ask, c, 'festival'), ask.now)),
  listFestivalEditions: (ask, c) => listBody(ask, c, c.reader.editions(recordIdOf(ask, c, 'festival'))),
  getFestivalEdition: (ask, c) => detailBody(c.reader.details.edition(editionIdOf(ask, c))),
  listEditionLineup: (ask, c) => listBody(ask, c, c.reader.nestedLists.source('lineup', editionIdOf(ask, c))),
  listEditionTickets: (ask, c) =>
    listBody(ask, c, c.reader.nestedLists.source('tickets', editionIdOf(ask, c))),
  listLabels: listByName('label'),
  getLabel: (ask, c) => detailBody(c.reader.details.label(recordIdOf(ask, c, 'label'), ask.now)),
  listLabelArtists: (ask, c) =>
    listBody(ask, c, c.reader.byName.source('artist', { roster: recordIdOf(ask, c, 'label') }, ask)),
  listLabelEvents: (ask, c) =>
    listBody(ask, c, c.reader.events.sourceForLabel(recordIdOf(ask, c, 'label'), windowOrUpcoming(ask))),
  listGenres: listByName('genre'),
  getGenre: (ask, c) =>
    detailBody(c.reader.details.genre(recordIdOf(ask, c, 'genre'), c.reader.upcoming(ask.now))),
  listCities: listByName('city'),
  getCity: (ask, c) =>
    detailBody(c.reader.details.city(recordIdOf(ask, c, 'city'), c.reader.upcoming(ask.now))),
  listCityEvents: (ask, c) => {
    const { from, to } = ask.filters;
    return listBody(
      ask,
      c,
      c.reader.events.source({
        cityId: recordIdOf(ask, c, 'city'),
        ...(from && { from }),
        ...(to && { to }),
      }),
    );
  },
  listPodcasts: listByName('podcast'),
  getPodcast: (ask, c) => detailBody(c.reader.details.podcast(recordIdOf(ask, c, 'podcast'))),
  listPodcastEpisodes: (ask, c) => listBody(ask, c, c.reader.episodes(recordIdOf(ask, c, 'podcast'))),
  getEpisode: (ask, c) => detailBody(c.reader.details.episode(recordIdOf(ask, c, 'episode'))),
  listTracks: (ask, c) =>
    listBody(ask, c, c.reader.nestedLists.source('tracks', recordIdOf(ask, c, 'episode'))),
  getStats: (ask, c) => detailBody(c.reader.stats(ask.now)),
  search: (ask, c) =>
    `{"data":[${c.search.search(ask.q, ask.limit, ask.now, ask.filters.type).join(',')}],"page":{"next_cursor":null,"has_more":false}}`,
};

/**
 * Returns the response body of a request. Parameters, including the cursor, are checked before the record is looked
 * up (docs/spec/errors.md).
 * @throws Problem `invalid_cursor`, `not_found`
 */
export function handleOperation(question: OperationRequest, catalogue: Catalogue): string {
  const { operation, slug, edition, filters, cursor } = question;
  const binding = () => JSON.stringify([operation, slug, edition, cursorFilters(filters)]);
  const position = cursor === undefined ? null : catalogue.reader.decodeCursor(cursor, binding());
  return handlers[operation]({ ...question, position, cursorScope: binding }, catalogue);
}
