/** An event of schema.org as feed records. */
import { fold } from '../../store/fold.ts';
import type { FeedRecord, RecordOf } from './adapter.ts';
import { plainText } from './html.ts';
import { type Graph, isNode, type Node } from './jsonld-graph.ts';
import { nameOf } from './jsonld-name.ts';
import { ticketsOf } from './jsonld-offers.ts';
import { performersOf } from './jsonld-performers.ts';
import { type Venue, venueOf } from './jsonld-place.ts';
import { readTimes, type Times } from './jsonld-times.ts';
import { BadEvent, readAge, readWhen } from './jsonld-values.ts';
import { pageAddress } from './links.ts';
import { derivedId, digest, nowhere, placeMembers, venueRecord } from './place.ts';

/** Kinds of event that are shows, or may be; all others (plays, matches, courses) are not for this catalogue. */
const shows = new Set(['Event', 'MusicEvent', 'DanceEvent', 'Festival', 'SocialEvent']);

/** One event found in a page. `start` and `url` tell it from others; `bare` has no id yet. */
export type Found = {
  name: string;
  start: string;
  /** Its own address, where it has one. */
  url: string | null;
  /** The id it gives itself. */
  ownId: string | null;
  place: string | null;
  isFestival: boolean;
  /** The records of the event, its venue and artists, under the id that it is given. */
  records: (id: string) => FeedRecord[];
};

export const isShow = (graph: Graph, node: Node): boolean => {
  const types = graph.types(node).filter((type) => /Event$|^Festival$/.test(type));
  return types.length > 0 && types.every((type) => shows.has(type));
};

export const isSeries = (graph: Graph, node: Node): boolean => graph.types(node).includes('EventSeries');

/**
 * Reads one event.
 * @param pageUrl the address of the page; what leads there is nobody's own address
 * @param within the event or series that this one is a part of
 * @param owner the artist or place that lists it as one of its events
 * @throws BadEvent where it has no name or no start
 */
export function readEvent(
  graph: Graph,
  node: Node,
  pageUrl: string | null,
  within: Node | null,
  owner: Node | null,
  options: Readonly<Record<string, string>>,
): Found {
  const name = nameOf(graph, node, owner, pageUrl);
  if (name === '') throw new BadEvent('has no name');
  const times = readTimes(graph, node);
  if (times === null) {
    const written = graph.text(node, 'startDate');
    throw new BadEvent(
      written === null
        ? `"${cut(name)}" has no startDate`
        : `"${cut(name)}" has a startDate that is no time: ${cut(written)}`,
    );
  }
  const url = graph.address(node, 'url', 'mainEntityOfPage');
  const own = typeof node['@id'] === 'string' ? pageAddress(node['@id'], graph.base) : null;
  const venue = isOnline(graph, node)
    ? null
    : (venueOf(graph, node, owner, pageUrl, options) ?? venueSet(options));
  const isFestival = graph.types(node).includes('Festival');
  const about = { graph, node, pageUrl, within, owner, name, times, url, venue, options };
  return {
    name,
    start: times.start_at,
    url: url !== null && new URL(url).pathname === '/' && new URL(url).search === '' ? null : url,
    ownId: own !== null && !/^#|^_:/.test(node['@id'] as string) ? own : null,
    place: venue?.name ?? venue?.city ?? null,
    isFestival,
    records: (id) => (isFestival ? festivalRecords(about, id) : eventRecords(about, id)),
  };
}

const cut = (text: string): string =>
  (text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(/\s+/g, ' ');

type About = {
  graph: Graph;
  node: Node;
  pageUrl: string | null;
  within: Node | null;
  owner: Node | null;
  name: string;
  times: Times;
  url: string | null;
  venue: Venue | null;
  options: Readonly<Record<string, string>>;
};

function isOnline(graph: Graph, node: Node): boolean {
  const mode = graph.text(node, 'eventAttendanceMode') ?? '';
  return /OnlineEventAttendanceMode$/.test(mode) && !/Mixed/.test(mode);
}

const statuses: Readonly<Record<string, 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled'>> = {
  eventscheduled: 'scheduled',
  eventcancelled: 'cancelled',
  eventcanceled: 'cancelled',
  eventpostponed: 'postponed',
  eventrescheduled: 'rescheduled',
};

/** What an event and an edition say alike. */
function commonMembers({ graph, node, owner, venue, pageUrl, url, name, options }: About) {
  const description = plainText(graph.text(node, 'description') ?? '');
  const state = graph.text(node, 'eventStatus')?.split(/[/:#]/).at(-1)?.toLowerCase();
  const status = state === undefined ? undefined : statuses[state];
  const image = imageOf(graph, node);
  const tickets = ticketsOf(graph, node, url ?? pageUrl);
  const performers = performersOf(graph, node, owner, pageUrl, name);
  return {
    ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
    ...(status === undefined ? {} : { status }),
    ...placeMembers(withDefaults(venue, options), venue && isPlaced(venue) ? venue.id : null),
    ...(description === '' ? {} : { description }),
    ...(image === null ? {} : { image_url: image }),
    ...(performers.length === 0 ? {} : { lineup: performers.map(({ entry }) => entry) }),
    ...(tickets.length === 0 ? {} : { tickets }),
  };
}

/** Where a source's events take place that say nothing of it, as the source is set. */
function venueSet({ venue, city, country }: Readonly<Record<string, string>>): Venue | null {
  if (!venue && !city) return null;
  const place = { ...nowhere, name: venue ?? null, city: city ?? null, country: country ?? null };
  return { ...place, id: venue ? derivedId(place) : null, website: null, imageUrl: null };
}

const isPlaced = (venue: Venue): boolean => venue.city !== null && venue.country !== null;

/** The settings of a source count where its pages say nothing of the place. */
function withDefaults(
  venue: Venue | null,
  { city, country }: Readonly<Record<string, string>>,
): Venue | null {
  if (venue === null) return null;
  const own = venue.city === null && (venue.country === null || venue.country === country);
  return {
    ...venue,
    ...(own && city !== undefined ? { city } : {}),
    ...(venue.country === null && country !== undefined ? { country } : {}),
  };
}

/** The largest picture, as far as sizes are told; else the first. */
function imageOf(graph: Graph, node: Node): string | null {
  const images = graph.values(node, 'image', 'photo').map((value) => {
    const url = isNode(value)
      ? graph.address(value, 'contentUrl', 'url', '@id')
      : typeof value === 'string'
        ? pageAddress(value, graph.base)
        : null;
    return { url, width: isNode(value) ? Number(graph.text(value, 'width')) || 0 : 0 };
  });
  const found = images.filter(({ url }) => url !== null);
  return found.reduce(
    (best, image) => (image.width > best.width ? image : best),
    found[0] ?? { url: null, width: 0 },
  ).url;
}

/** The records of venue and artists, which the event refers to by their ids. */
function around({ graph, node, owner, venue, pageUrl, name }: About): FeedRecord[] {
  const records: FeedRecord[] = performersOf(graph, node, owner, pageUrl, name).flatMap(
    ({ artist }) => artist ?? [],
  );
  const house = venue?.id && isPlaced(venue) ? venueRecord(venue, venue.id) : null;
  if (venue && house) {
    records.push({
      ...house,
      ...(venue.website === null ? {} : { website: venue.website }),
      ...(venue.imageUrl === null ? {} : { image_url: venue.imageUrl }),
    });
  }
  return records;
}

function eventRecords(about: About, id: string): FeedRecord[] {
  const { graph, node, name, times, url, pageUrl, within } = about;
  const age = readAge(graph.text(node, 'typicalAgeRange') ?? '');
  const link = url ?? pageUrl;
  const festival =
    within && graph.types(within).includes('Festival') ? festivalOf(graph, within, times.start_at) : null;
  const event: RecordOf<'event'> = {
    kind: 'event',
    external_id: id,
    name,
    ...times,
    ...commonMembers(about),
    ...(age === undefined ? {} : { minimum_age: age }),
    ...(link === null ? {} : { url: link }),
    ...(festival === null ? {} : { festival }),
  };
  return [...around(about), event];
}

const year = /(?<!\s)\s*(?:[-–(]\s*)?\b(?:19|20)\d{2}\b\s*(?:\)\s*)?$/;

/** The festival that an edition or a part belongs to: its name without the year. */
function festivalOf(graph: Graph, node: Node, start: string) {
  const name = plainText(graph.text(node, 'name') ?? '').replace(/\s+/g, ' ');
  if (name === '') return null;
  const bare = name.replace(year, '') || name;
  const edition = readWhen(graph.text(node, 'startDate') ?? '') ?? start;
  return { festival: { external_id: `festival:${digest(bare)}`, name: bare }, edition: edition.slice(0, 4) };
}

function festivalRecords(about: About, id: string): FeedRecord[] {
  const { graph, node, name, times, venue, url } = about;
  const festival = festivalOf(graph, node, times.start_at);
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
    ...commonMembers(about),
  };
  return [...around(about), record, edition];
}

/** Two descriptions of one event in a page: the same title on the same day. */
export const sameness = ({ name, start, place }: Found): string =>
  `${fold(name)}\0${start.slice(0, 10)}\0${fold(place ?? '')}`;
