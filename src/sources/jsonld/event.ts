/** An event of schema.org as feed records. */
import { fold } from '../../text/fold.ts';
import type { FeedRecord, RecordOf } from '../adapter.ts';
import { derivedId, emptyPlace, eventPlaceFields, stableDigest, toVenueRecord } from '../address/place.ts';
import { stripMarkup } from '../common/html.ts';
import { InvalidEventError, parseDateTime, parseMinimumAge } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { isJsonLdNode, type JsonLdGraph, type JsonLdNode } from './graph.ts';
import { type EventVenue, parseVenue } from './location.ts';
import { parseTickets } from './offers.ts';
import { parsePerformers } from './performers.ts';
import { type EventTimes, parseEventTimes } from './times.ts';

/** Kinds of event that are shows, or may be; all others (plays, matches, courses) are not for this catalogue. */
const showTypes = new Set(['Event', 'MusicEvent', 'DanceEvent', 'Festival', 'SocialEvent']);

/** One event found in a page. `spawnSyncProcess` and `url` tell it from others; `bare` has no id yet. */
export type ParsedEvent = {
  name: string;
  start: string;
  /** Its own address, where it has one. */
  url: string | null;
  /** The id it gives itself. */
  ownId: string | null;
  placeName: string | null;
  isFestival: boolean;
  /** The records of the event, its venue and artists, under the id that it is given. */
  records: (id: string) => FeedRecord[];
};

export const isShow = (graph: JsonLdGraph, node: JsonLdNode): boolean => {
  const types = graph.types(node).filter((type) => /Event$|^Festival$/.test(type));
  return types.length > 0 && types.every((type) => showTypes.has(type));
};

export const isSeries = (graph: JsonLdGraph, node: JsonLdNode): boolean =>
  graph.types(node).includes('EventSeries');

/**
 * Reads one event.
 * @param pageUrl the address of the page; what leads there is nobody's own address
 * @param within the event or series that this one is a part of
 * @param ownerFromHeader the artist or place that lists it as one of its events
 * @throws BadEvent where it has no name or no start
 */
export function parseEvent(
  graph: JsonLdGraph,
  node: JsonLdNode,
  pageUrl: string | null,
  within: JsonLdNode | null,
  owner: JsonLdNode | null,
  options: Readonly<Record<string, string>>,
): ParsedEvent {
  const name = parseEventName(graph, node, owner, pageUrl);
  if (name === '') throw new InvalidEventError('has no name');
  const times = parseEventTimes(graph, node);
  if (times === null) {
    const written = graph.text(node, 'startDate');
    throw new InvalidEventError(
      written === null
        ? `"${truncate(name)}" has no startDate`
        : `"${truncate(name)}" has a startDate that is no time: ${truncate(written)}`,
    );
  }
  const url = graph.url(node, 'url', 'mainEntityOfPage');
  const own = typeof node['@id'] === 'string' ? normalizeUrl(node['@id'], graph.base) : null;
  const venue = isOnline(graph, node)
    ? null
    : (parseVenue(graph, node, owner, pageUrl, options) ?? defaultVenue(options));
  const isFestival = graph.types(node).includes('Festival');
  const about = { graph, node, pageUrl, within, owner, name, times, url, venue, options };
  return {
    name,
    start: times.start_at,
    url: url !== null && new URL(url).pathname === '/' && new URL(url).search === '' ? null : url,
    ownId: own !== null && !/^#|^_:/.test(node['@id'] as string) ? own : null,
    placeName: venue?.name ?? venue?.city ?? null,
    isFestival,
    records: (id) => (isFestival ? toFestivalRecords(about, id) : toEventRecords(about, id)),
  };
}

/**
 * The name of an event, without the name of the site.
 * @param ownerFromHeader the artist or place that lists it as one of its events
 * @returns an empty text where nothing names it
 */
function parseEventName(
  graph: JsonLdGraph,
  node: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
): string {
  const written = stripMarkup(graph.text(node, 'name') ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, maxNameLength);
  return withoutSiteName(written, graph.siteNames) || nameFromPerformers(graph, node, owner, pageUrl);
}

/** One more than a record may have: it is rejected, and told so. */
const maxNameLength = 1_001;

/** An event that nobody named is called as who plays there: an artist's page lists dates so. */
const nameFromPerformers = (
  graph: JsonLdGraph,
  node: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
): string =>
  parsePerformers(graph, node, owner, pageUrl, '')
    .slice(0, 4)
    .map(({ entry }) => entry.name)
    .join(', ')
    .slice(0, 300);

/** "Title — Site" is what some programs that make sites call every page of theirs, and its event too. */
function withoutSiteName(name: string, site: readonly string[]): string {
  const match = /^(.*\S)\s+[—–|·•-]\s+(\S.*?)$/.exec(name);
  return match && site.some((own) => fold(stripMarkup(own)) === fold(match[2] as string))
    ? (match[1] as string)
    : name;
}

const truncate = (text: string): string =>
  (text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(/\s+/g, ' ');

type EventContext = {
  graph: JsonLdGraph;
  node: JsonLdNode;
  pageUrl: string | null;
  within: JsonLdNode | null;
  owner: JsonLdNode | null;
  name: string;
  times: EventTimes;
  url: string | null;
  venue: EventVenue | null;
  options: Readonly<Record<string, string>>;
};

function isOnline(graph: JsonLdGraph, node: JsonLdNode): boolean {
  const mode = graph.text(node, 'eventAttendanceMode') ?? '';
  return /OnlineEventAttendanceMode$/.test(mode) && !/Mixed/.test(mode);
}

const statusByName: Readonly<Record<string, 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled'>> = {
  eventscheduled: 'scheduled',
  eventcancelled: 'cancelled',
  eventcanceled: 'cancelled',
  eventpostponed: 'postponed',
  eventrescheduled: 'rescheduled',
};

/** What an event and an edition say alike. */
function commonFields({ graph, node, owner, venue, pageUrl, url, name, options }: EventContext) {
  const description = stripMarkup(graph.text(node, 'description') ?? '');
  const state = graph.text(node, 'eventStatus')?.split(/[/:#]/).at(-1)?.toLowerCase();
  const status = state === undefined ? undefined : statusByName[state];
  const image = largestImage(graph, node);
  const tickets = parseTickets(graph, node, url ?? pageUrl);
  const performers = parsePerformers(graph, node, owner, pageUrl, name);
  return {
    ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
    ...(status === undefined ? {} : { status }),
    ...eventPlaceFields(withDefaults(venue, options), venue && hasCityAndCountry(venue) ? venue.id : null),
    ...(description === '' ? {} : { description }),
    ...(image === null ? {} : { image_url: image }),
    ...(performers.length === 0 ? {} : { lineup: performers.map(({ entry }) => entry) }),
    ...(tickets.length === 0 ? {} : { tickets }),
  };
}

/** Where a source's events take place that say nothing of it, as the source is set. */
function defaultVenue({ venue, city, country }: Readonly<Record<string, string>>): EventVenue | null {
  if (!venue && !city) return null;
  const place = { ...emptyPlace, name: venue ?? null, city: city ?? null, country: country ?? null };
  return { ...place, id: venue ? derivedId(place) : null, website: null, imageUrl: null };
}

const hasCityAndCountry = (venue: EventVenue): boolean => venue.city !== null && venue.country !== null;

/** The settings of a source count where its pages say nothing of the place. */
function withDefaults(
  venue: EventVenue | null,
  { city, country }: Readonly<Record<string, string>>,
): EventVenue | null {
  if (venue === null) return null;
  const own = venue.city === null && (venue.country === null || venue.country === country);
  return {
    ...venue,
    ...(own && city !== undefined ? { city } : {}),
    ...(venue.country === null && country !== undefined ? { country } : {}),
  };
}

/** The largest picture, as far as sizes are told; else the first. */
function largestImage(graph: JsonLdGraph, node: JsonLdNode): string | null {
  const images = graph.values(node, 'image', 'photo').map((value) => {
    const url = isJsonLdNode(value)
      ? graph.url(value, 'contentUrl', 'url', '@id')
      : typeof value === 'string'
        ? normalizeUrl(value, graph.base)
        : null;
    return { url, width: isJsonLdNode(value) ? Number(graph.text(value, 'width')) || 0 : 0 };
  });
  const found = images.filter(({ url }) => url !== null);
  return found.reduce(
    (best, image) => (image.width > best.width ? image : best),
    found[0] ?? { url: null, width: 0 },
  ).url;
}

/** The records of venue and artists, which the event refers to by their ids. */
function relatedRecords({ graph, node, owner, venue, pageUrl, name }: EventContext): FeedRecord[] {
  const records: FeedRecord[] = parsePerformers(graph, node, owner, pageUrl, name).flatMap(
    ({ artist }) => artist ?? [],
  );
  const house = venue?.id && hasCityAndCountry(venue) ? toVenueRecord(venue, venue.id) : null;
  if (venue && house) {
    records.push({
      ...house,
      ...(venue.website === null ? {} : { website: venue.website }),
      ...(venue.imageUrl === null ? {} : { image_url: venue.imageUrl }),
    });
  }
  return records;
}

function toEventRecords(about: EventContext, id: string): FeedRecord[] {
  const { graph, node, name, times, url, pageUrl, within } = about;
  const age = parseMinimumAge(graph.text(node, 'typicalAgeRange') ?? '');
  const link = url ?? pageUrl;
  const festival =
    within && graph.types(within).includes('Festival')
      ? toFestivalReference(graph, within, times.start_at)
      : null;
  const event: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name,
    ...times,
    ...commonFields(about),
    ...(age === undefined ? {} : { minimum_age: age }),
    ...(link === null ? {} : { url: link }),
    ...(festival === null ? {} : { festival }),
  };
  return [...relatedRecords(about), event];
}

const trailingYear = /(?<!\s)\s*(?:[-–(]\s*)?\b(?:19|20)\d{2}\b\s*(?:\)\s*)?$/;

/** The festival that an edition or a part belongs to: its name without the year. */
function toFestivalReference(graph: JsonLdGraph, node: JsonLdNode, start: string) {
  const name = stripMarkup(graph.text(node, 'name') ?? '').replace(/\s+/g, ' ');
  if (name === '') return null;
  const bare = name.replace(trailingYear, '') || name;
  const edition = parseDateTime(graph.text(node, 'startDate') ?? '') ?? start;
  return {
    festival: { external_id: `festival:${stableDigest(bare)}`, name: bare },
    edition: edition.slice(0, 4),
  };
}

function toFestivalRecords(about: EventContext, id: string): FeedRecord[] {
  const { graph, node, name, times, venue, url } = about;
  const festival = toFestivalReference(graph, node, times.start_at);
  if (festival === null) return [];
  const place = withDefaults(venue, about.options);
  const record: RecordOf<'festival'> = {
    kind: 'festival',
    ...festival.festival,
    ...(place?.city ? { city: place.city } : {}),
    ...(place?.country ? { country: place.country } : {}),
    ...(url === null ? {} : { website: url }),
  };
  const edition: RecordOf<'edition'> = {
    kind: 'edition',
    external_id: id,
    ...festival,
    name,
    ...times,
    ...commonFields(about),
  };
  return [...relatedRecords(about), record, edition];
}

/** Two descriptions of one event in a page: the same title on the same day. */
export const duplicateKey = ({ name, start, placeName: place }: ParsedEvent): string =>
  `${fold(name)}\0${start.slice(0, 10)}\0${fold(place ?? '')}`;
