/**
 * The answer to each of the 33 operations, as JSON text with the placeholder for the base address. The map is typed by
 * the table: a missing or an extra entry does not compile.
 */
import { Problem } from '../contract/errors.ts';
import type { Kind } from '../contract/fields.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Filters } from '../contract/parameters.ts';
import type { Position } from '../store/cursor.ts';
import { fold } from '../store/fold.ts';
import type { ListSource } from '../store/list.ts';
import { isSearched } from '../store/names.ts';
import type { Reader } from '../store/reader.ts';
import type { Search } from './search.ts';

/** A request, read: what a door has made of address and parameters. */
export type Question = {
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

/** A question whose cursor has been read. */
type Ask = Question & { position: Position | null; binding: () => string };
type Answer = (ask: Ask, catalogue: Catalogue) => string;
export type Catalogue = { reader: Reader; search: Search };

const detail = (record: unknown): string =>
  `{"data":${typeof record === 'string' ? record : JSON.stringify(record)}}`;

function list(ask: Ask, { reader }: Catalogue, source: ListSource): string {
  const { items, next } = reader.page(source, ask);
  const cursor = next === null ? 'null' : `"${next}"`;
  return `{"data":[${items.join(',')}],"page":{"next_cursor":${cursor},"has_more":${next !== null}}}`;
}

/** Throws `not_found`. */
function notFound(kind: Kind, slug: string): never {
  const shown = slug.slice(0, 100);
  throw new Problem(
    'not_found',
    `There is no ${kind} "${shown}". Find its slug ${isSearched(kind) ? 'with /search or ' : ''}in the list.`,
  );
}

/** The record of a slug; throws `not_found`. */
const found = (ask: Question, { reader }: Catalogue, kind: Kind): number =>
  reader.find(kind, ask.slug) ?? notFound(kind, ask.slug);

function foundEdition(ask: Question, catalogue: Catalogue): number {
  const id = catalogue.reader.details.findEdition(found(ask, catalogue, 'festival'), ask.edition);
  if (id === null) {
    throw new Problem(
      'not_found',
      `This festival has no edition "${ask.edition.slice(0, 100)}". /festivals/{slug}/editions lists them.`,
    );
  }
  return id;
}

const byName =
  (kind: 'artist' | 'venue' | 'festival' | 'city' | 'label' | 'genre' | 'podcast'): Answer =>
  (ask, catalogue) => {
    const { country } = ask.filters;
    return list(
      ask,
      catalogue,
      catalogue.reader.byName.source(kind, country === undefined ? {} : { country }),
    );
  };

/** From and to of a question; where neither is given, only what is upcoming. */
const windowOrUpcoming = ({ filters: { from, to }, now }: Question) =>
  from || to ? { ...(from && { from }), ...(to && { to }) } : { upcomingAt: now };

/** All events that pass the filters; a slug that nobody has passes nothing. */
function events(ask: Ask, catalogue: Catalogue): string {
  const { reader } = catalogue;
  const { artist, venue, genre, city, country, from, to } = ask.filters;
  const ids: Record<string, number> = {};
  for (const [kind, slug] of Object.entries({ artist, venue, genre })) {
    if (slug === undefined) continue;
    const id = reader.find(kind as Kind, slug);
    if (id === null) return list(ask, catalogue, reader.nothing);
    ids[kind] = id;
  }
  const filter = {
    ...ids,
    ...(city !== undefined && { cityText: fold(city).trim() }),
    ...(country !== undefined && { country }),
    ...(from && { from }),
    ...(to && { to }),
  };
  return list(ask, catalogue, reader.events.source(filter));
}

const answers: Record<OperationId, Answer> = {
  listEvents: events,
  getEvent: (ask, c) => detail(c.reader.details.event(found(ask, c, 'event'))),
  listEventLineup: (ask, c) => list(ask, c, c.reader.inner.source('lineup', found(ask, c, 'event'))),
  listEventTickets: (ask, c) => list(ask, c, c.reader.inner.source('tickets', found(ask, c, 'event'))),
  listArtists: byName('artist'),
  getArtist: (ask, c) => detail(c.reader.details.artist(found(ask, c, 'artist'), c.reader.upcoming(ask.now))),
  listArtistEvents: (ask, c) =>
    list(ask, c, c.reader.events.source({ artist: found(ask, c, 'artist'), ...windowOrUpcoming(ask) })),
  listArtistGenres: (ask, c) =>
    list(ask, c, c.reader.byName.source('genre', { artist: found(ask, c, 'artist') }, true)),
  listVenues: byName('venue'),
  getVenue: (ask, c) => detail(c.reader.details.venue(found(ask, c, 'venue'), c.reader.upcoming(ask.now))),
  listVenueEvents: (ask, c) =>
    list(ask, c, c.reader.events.source({ venue: found(ask, c, 'venue'), ...windowOrUpcoming(ask) })),
  listFestivals: byName('festival'),
  getFestival: (ask, c) => detail(c.reader.details.festival(found(ask, c, 'festival'), ask.now)),
  listFestivalEditions: (ask, c) => list(ask, c, c.reader.editions(found(ask, c, 'festival'))),
  getFestivalEdition: (ask, c) => detail(c.reader.details.edition(foundEdition(ask, c))),
  listEditionLineup: (ask, c) => list(ask, c, c.reader.inner.source('lineup', foundEdition(ask, c))),
  listEditionTickets: (ask, c) => list(ask, c, c.reader.inner.source('tickets', foundEdition(ask, c))),
  listLabels: byName('label'),
  getLabel: (ask, c) => detail(c.reader.details.label(found(ask, c, 'label'))),
  listLabelArtists: (ask, c) =>
    list(ask, c, c.reader.byName.source('artist', { roster: found(ask, c, 'label') })),
  listLabelEvents: (ask, c) =>
    list(ask, c, c.reader.events.labelSource(found(ask, c, 'label'), windowOrUpcoming(ask))),
  listGenres: byName('genre'),
  getGenre: (ask, c) => detail(c.reader.details.genre(found(ask, c, 'genre'), c.reader.upcoming(ask.now))),
  listCities: byName('city'),
  getCity: (ask, c) => detail(c.reader.details.city(found(ask, c, 'city'), c.reader.upcoming(ask.now))),
  listCityEvents: (ask, c) => {
    const { from, to } = ask.filters;
    return list(
      ask,
      c,
      c.reader.events.source({ cityId: found(ask, c, 'city'), ...(from && { from }), ...(to && { to }) }),
    );
  },
  listPodcasts: byName('podcast'),
  getPodcast: (ask, c) => detail(c.reader.details.podcast(found(ask, c, 'podcast'))),
  listPodcastEpisodes: (ask, c) => list(ask, c, c.reader.episodes(found(ask, c, 'podcast'))),
  getEpisode: (ask, c) => detail(c.reader.details.episode(found(ask, c, 'episode'))),
  listTracks: (ask, c) => list(ask, c, c.reader.inner.source('tracks', found(ask, c, 'episode'))),
  getStats: (ask, c) => detail(c.reader.stats(ask.now)),
  search: (ask, c) =>
    `{"data":[${c.search.search(ask.q, ask.limit, ask.now).join(',')}],"page":{"next_cursor":null,"has_more":false}}`,
};

/**
 * The body that answers a question. Parameters, the cursor among them, are checked before the record is looked for
 * (docs/spec/errors.md).
 * @throws Problem `invalid_cursor`, `not_found`
 */
export function answer(question: Question, catalogue: Catalogue): string {
  const { operation, slug, edition, filters, cursor } = question;
  const binding = () => JSON.stringify([operation, slug, edition, filters]);
  const position = cursor === undefined ? null : catalogue.reader.position(cursor, binding());
  return answers[operation]({ ...question, position, binding }, catalogue);
}
