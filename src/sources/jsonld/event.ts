/** Converts a schema.org event to feed records. */
import { fold } from '../../text/fold.ts';
import type { FeedRecord, RecordOf } from '../adapter.ts';
import { derivedId, emptyPlace, eventPlaceFields, stableDigest, toVenueRecord } from '../address/place.ts';
import { stripMarkup } from '../common/html.ts';
import { InvalidEventError, parseDateTime, parseMinimumAge, stated } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { isJsonLdNode, type JsonLdGraph, type JsonLdNode } from './graph.ts';
import { type EventVenue, parseVenue } from './location.ts';
import { parseTickets } from './offers.ts';
import { parsePerformers } from './performers.ts';
import { type EventTimes, parseEventTimes } from './times.ts';

/** Event types that are or may be shows. Other types (plays, matches, courses) are not imported. */
const showTypes = new Set(['Event', 'MusicEvent', 'DanceEvent', 'Festival', 'SocialEvent']);

/** A parsed event of a page. `ownId`, `url`, or name and start identify it. */
export type ParsedEvent = {
  name: string;
  start: string;
  /** The event's own URL, or null. */
  url: string | null;
  /** The `@id` or `identifier` of the event. */
  ownId: string | null;
  placeName: string | null;
  isFestival: boolean;
  /** Returns the records of the event, its venue and its artists, for the given event id. */
  records: (id: string) => FeedRecord[];
};

/** Whether a node is an event, and all of its types of events are those of shows. */
export const isShow = (graph: JsonLdGraph, node: JsonLdNode): boolean => {
  const types = graph.types(node).filter((type) => /Event$|^Festival$/.test(type));
  return types.length > 0 && types.every((type) => showTypes.has(type));
};

/** Whether a node describes a series of events (schema.org `EventSeries`). */
export const isSeries = (graph: JsonLdGraph, node: JsonLdNode): boolean =>
  graph.types(node).includes('EventSeries');

/**
 * Parses one event.
 * @param pageUrl the URL of the page; a link to it is not the own URL of a venue or artist
 * @param within the event or series that contains this one
 * @param owner the artist or place that lists this event as its own
 * @throws BadEvent if the event has no name or no start
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
        : `"${truncate(name)}" has a startDate that is not a time: ${truncate(written)}`,
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
 * Returns the name of an event without the name of the site, or an empty text if nothing names it.
 * @param owner the artist or place that lists this event as its own
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

/** One more than a name may have, so that validation rejects and reports the record. */
const maxNameLength = 1_001;

/** Names an event without a name after its performers; an artist's page lists dates without names. */
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

/** Removes the site name from "Title — Site", which some site generators use as the name of every page and its event. */
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

const statusByName: ReadonlyMap<string, 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled'> = new Map([
  ['eventscheduled', 'scheduled'],
  ['eventcancelled', 'cancelled'],
  ['eventcanceled', 'cancelled'],
  ['eventpostponed', 'postponed'],
  ['eventrescheduled', 'rescheduled'],
]);

/** Returns the fields that an event and an edition share. */
function commonFields({ graph, node, owner, venue, pageUrl, url, name, options }: EventContext) {
  const state = graph.text(node, 'eventStatus')?.split(/[/:#]/).at(-1)?.toLowerCase();
  const status = state === undefined ? undefined : statusByName.get(state);
  const performers = parsePerformers(graph, node, owner, pageUrl, name);
  return {
    ...stated({ timezone: options.timezone, status }),
    ...eventPlaceFields(withDefaults(venue, options), venue && hasCityAndCountry(venue) ? venue.id : null),
    ...stated({
      description: stripMarkup(graph.text(node, 'description') ?? '') || null,
      image_url: largestImage(graph, node),
      lineup: performers.map(({ entry }) => entry),
      tickets: parseTickets(graph, node, url ?? pageUrl),
    }),
  };
}

/** Returns the venue that the source's settings give to events without a location. */
function defaultVenue({ venue, city, country }: Readonly<Record<string, string>>): EventVenue | null {
  if (!venue && !city) return null;
  const place = { ...emptyPlace, name: venue ?? null, city: city ?? null, country: country ?? null };
  return { ...place, id: venue ? derivedId(place) : null, website: null, imageUrl: null };
}

const hasCityAndCountry = (venue: EventVenue): boolean => venue.city !== null && venue.country !== null;

/** Fills the place with the settings of the source where the page has no value. */
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

/** Returns the largest image by its stated width, otherwise the first one. */
function largestImage(graph: JsonLdGraph, node: JsonLdNode): string | null {
  const images = graph.values(node, 'image', 'photo').map((value) => {
    const url = isJsonLdNode(value)
      ? graph.url(value, 'contentUrl', 'url', '@id')
      : typeof value === 'string'
        ? normalizeUrl(value, graph.base)
        : null;
    return { url, width: isJsonLdNode(value) ? Number(graph.text(value, 'width')) || 0 : 0 };
  });
  const usable = images.filter(({ url }) => url !== null);
  return usable.reduce(
    (best, image) => (image.width > best.width ? image : best),
    usable[0] ?? { url: null, width: 0 },
  ).url;
}

/** Returns the records of the venue and the artists that the event refers to by id. */
function relatedRecords({ graph, node, owner, venue, pageUrl, name }: EventContext): FeedRecord[] {
  const records: FeedRecord[] = parsePerformers(graph, node, owner, pageUrl, name).flatMap(
    ({ artist }) => artist ?? [],
  );
  const venueRecord = venue?.id && hasCityAndCountry(venue) ? toVenueRecord(venue, venue.id) : null;
  if (venue && venueRecord)
    records.push({ ...venueRecord, ...stated({ website: venue.website, image_url: venue.imageUrl }) });
  return records;
}

function toEventRecords(about: EventContext, id: string): FeedRecord[] {
  const { graph, node, name, times, url, pageUrl, within } = about;
  const age = parseMinimumAge(graph.text(node, 'typicalAgeRange') ?? '');
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
    ...stated({ url: url ?? pageUrl, festival }),
  };
  return [...relatedRecords(about), event];
}

const trailingYear = /(?<!\s)\s*(?:[-–(]\s*)?\b(?:19|20)\d{2}\b\s*(?:\)\s*)?$/;

/** Returns the festival of an edition or a part of it: the name without the year. */
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
    ...stated({ city: place?.city || null, country: place?.country || null, website: url }),
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

/** Key of duplicate descriptions within one page: the same title, day and place. */
export const duplicateKey = ({ name, start, placeName: place }: ParsedEvent): string =>
  `${fold(name)}\0${start.slice(0, 10)}\0${fold(place ?? '')}`;
