/** schema.org objects of each kind of record. */
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { baseUrlPlaceholder, pageUrl } from '../../store/records/serialize.ts';
import type { SiteLineupRow } from '../../store/site/relations.ts';
import { isoDuration } from '../components/dates.tsx';
import { cityText } from '../components/parts.tsx';
import { absoluteUrl, isHttpUrl, type PageContext, resolveUrl, shorten } from '../page-context.ts';
import type { Thing } from './json-ld.ts';

type Link = { type: string; url: string };

/** Maximum number of list members, to limit the size of pages. */
const maxPerformers = 30;

/** The first 500 characters of a description; the page has more of it. */
const shortDescription = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : shorten(text, 500);
const httpUrlOrNull = (url: string | null): string | null => (isHttpUrl(url) ? url : null);
const sameAs = (links: readonly Link[], website: string | null = null): string[] => [
  ...new Set([website, ...links.map(({ url }) => url)].filter(isHttpUrl)),
];
const page = (context: PageContext, kind: Parameters<typeof pageUrl>[0], slug: string) =>
  resolveUrl(context, pageUrl(kind, slug));

type AddressParts = {
  street?: string | null;
  postal?: string | null;
  city: string | null;
  country: string | null;
};
/** An address, with the city in the language of the page. */
const address = ({ messages }: PageContext, parts: AddressParts) =>
  Object.values(parts).some((part) => part !== null && part !== undefined)
    ? {
        '@type': 'PostalAddress',
        streetAddress: parts.street,
        postalCode: parts.postal,
        addressLocality: cityText(messages, parts.city, parts.country),
        addressCountry: parts.country,
      }
    : null;

const geo = (latitude: number | null, longitude: number | null) =>
  latitude === null || longitude === null ? null : { '@type': 'GeoCoordinates', latitude, longitude };

/** Statuses in schema.org's terms; an event without a status counts as scheduled. */
const eventStatus: Record<string, string> = {
  scheduled: 'https://schema.org/EventScheduled',
  rescheduled: 'https://schema.org/EventRescheduled',
  postponed: 'https://schema.org/EventPostponed',
  cancelled: 'https://schema.org/EventCancelled',
};
const availability: Record<string, string> = {
  available: 'https://schema.org/InStock',
  limited: 'https://schema.org/LimitedAvailability',
  sold_out: 'https://schema.org/SoldOut',
};

/** A time for schema.org: the date alone if the clock time is not trusted. */
const schemaTime = (at: string | null, timezone: string | null): string | null =>
  at !== null && timezone === null ? at.slice(0, 10) : at;

/**
 * The pictures of a page: the record's own, and the drawn one, which every page has if the service has a public address.
 * @param path the page
 */
function images(context: PageContext, own: string | null, path: string): string | string[] | null {
  const drawn = context.hasPublicUrl ? absoluteUrl(context, `/og${path}.png`) : null;
  if (!isHttpUrl(own)) return drawn;
  return drawn === null ? own : [own, drawn];
}

/** The path of a record below the address of the service. */
const pathOf = (url: string): string => url.replace(baseUrlPlaceholder, '');

/** The festival of an event or edition as its organizer; no source names another one. */
const festivalOrganizer = (context: PageContext, festival: RecordRef): Thing => ({
  '@type': 'Organization',
  name: festival.name,
  url: page(context, 'festival', festival.slug),
});

/** The location of an event, which schema.org requires; it can be just the city. */
function location(
  context: PageContext,
  venue: ApiRecord<'EventItem'>['venue'],
  more: ApiRecord<'Venue'> | null,
): Thing {
  const { slug, name, city, country } = venue;
  return {
    '@type': slug === null ? 'Place' : 'MusicVenue',
    name: name ?? cityText(context.messages, city, country) ?? country ?? 'To be announced',
    url: slug === null ? null : page(context, 'venue', slug),
    address:
      address(context, {
        street: more?.location.address ?? null,
        postal: more?.location.postal_code ?? null,
        city,
        country,
      }) ?? 'To be announced',
    geo: more && geo(more.location.latitude, more.location.longitude),
  };
}

const performers = (context: PageContext, lineup: readonly RecordRef[]): Thing[] =>
  [...new Map(lineup.map((act) => [act.slug, act])).values()]
    .slice(0, maxPerformers)
    .map(({ slug, name }) => ({
      '@type': 'MusicGroup',
      name,
      url: page(context, 'artist', slug),
    }));

/** The offers of ticket sellers; those without a valid address are omitted. */
function offers(tickets: readonly ApiRecord<'TicketLink'>[]): Thing[] {
  return tickets
    .filter(({ url }) => isHttpUrl(url))
    .map((ticket) => {
      const { price_min, price_max, currency } = ticket;
      const isRange = price_min !== null && price_max !== null && price_max > price_min && currency !== null;
      const price = currency === null ? null : (price_min ?? price_max);
      return {
        '@type': isRange ? 'AggregateOffer' : 'Offer',
        url: ticket.url,
        availability: availability[ticket.availability ?? ''],
        seller: { '@type': 'Organization', name: ticket.seller },
        ...(isRange ? { lowPrice: price_min, highPrice: price_max } : { price }),
        priceCurrency: price === null ? null : currency,
      };
    });
}

/** The former date of an event that moved. Google reads it with the status "rescheduled". */
function previousStartDate(
  { status, start_at, timezone }: ApiRecord<'Event'>,
  previous: number | null,
): string | null {
  const isMoved = status === 'rescheduled' || status === 'postponed';
  if (!isMoved || previous === null || previous === Date.parse(start_at)) return null;
  return schemaTime(new Date(previous).toISOString().replace('.000Z', 'Z'), timezone);
}

/** An event (`MusicEvent`), with its place, performers and offers. */
export const eventThing = (
  context: PageContext,
  event: ApiRecord<'Event'>,
  more: {
    venue: ApiRecord<'Venue'> | null;
    tickets: readonly ApiRecord<'TicketLink'>[];
    /** Description of an event that has none. */
    summary: string;
    /** When an event with another date was to start before, in ms since 1970; null if that is unknown. */
    previousStart: number | null;
  },
): Thing => ({
  '@type': 'MusicEvent',
  name: event.name,
  url: resolveUrl(context, event.url),
  startDate: schemaTime(event.start_at, event.timezone),
  endDate: schemaTime(event.end_at, event.timezone),
  eventStatus: eventStatus[event.status ?? 'scheduled'],
  previousStartDate: previousStartDate(event, more.previousStart),
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  organizer: event.festival_edition && festivalOrganizer(context, event.festival_edition.festival),
  location: location(context, event.venue, more.venue),
  performer: performers(context, event.lineup),
  offers: offers(more.tickets),
  description: shortDescription(event.description ?? more.summary),
  image: images(context, event.image_url, pathOf(event.url)),
  typicalAgeRange: event.minimum_age === null ? null : `${event.minimum_age}-`,
  keywords: event.genres.map(({ name }) => name),
  superEvent: event.festival_edition && {
    '@type': 'Festival',
    name: `${event.festival_edition.festival.name} ${event.festival_edition.edition}`,
    url: `${page(context, 'festival', event.festival_edition.festival.slug)}/editions/${encodeURIComponent(event.festival_edition.edition)}`,
  },
});

/** An artist: a `MusicGroup`, and a `Person` too if a real name is known. @param genres its first ones */
export const artistThing = (
  context: PageContext,
  artist: ApiRecord<'Artist'>,
  genres: readonly RecordRef[],
): Thing => ({
  // A group has no real name.
  '@type': artist.real_name === null ? 'MusicGroup' : ['MusicGroup', 'Person'],
  name: artist.name,
  url: resolveUrl(context, artist.url),
  alternateName: artist.aliases,
  description: shortDescription(artist.biography),
  image: images(context, artist.image_url, pathOf(artist.url)),
  genre: genres.map(({ name }) => name),
  dissolutionDate: artist.ended_at,
  foundingLocation: artist.country && { '@type': 'Country', name: artist.country },
  sameAs: sameAs(artist.links),
});

/** A venue (`MusicVenue`). */
export const venueThing = (context: PageContext, venue: ApiRecord<'Venue'>): Thing => ({
  '@type': 'MusicVenue',
  name: venue.name,
  url: resolveUrl(context, venue.url),
  address: address(context, {
    street: venue.location.address,
    postal: venue.location.postal_code,
    city: venue.city,
    country: venue.country,
  }),
  geo: geo(venue.location.latitude, venue.location.longitude),
  maximumAttendeeCapacity: venue.capacity,
  image: images(context, venue.image_url, pathOf(venue.url)),
  sameAs: sameAs(venue.links, venue.website),
});

/** A festival edition. Type `Festival` requires a start date; without one, it is a plain object with a name. */
export const editionThing = (
  context: PageContext,
  edition: ApiRecord<'EditionItem'> & { description?: string | null; image_url?: string | null },
  more: {
    lineup?: readonly SiteLineupRow[];
    summary?: string;
    tickets?: readonly ApiRecord<'TicketLink'>[];
    venue?: ApiRecord<'Venue'> | null;
  } = {},
): Thing => ({
  '@type': 'Festival',
  name: edition.name,
  url: resolveUrl(context, edition.url),
  startDate: schemaTime(edition.start_at, edition.timezone),
  endDate: schemaTime(edition.end_at, edition.timezone),
  eventStatus: eventStatus[edition.status ?? 'scheduled'],
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  location: location(
    context,
    {
      ...edition.venue,
      city: edition.venue.city ?? edition.city,
      country: edition.venue.country ?? edition.country,
    },
    more.venue ?? null,
  ),
  performer: performers(context, more.lineup ?? []),
  offers: offers(more.tickets ?? []),
  description: shortDescription(edition.description ?? more.summary),
  image: images(context, edition.image_url ?? null, pathOf(edition.url)),
  organizer: festivalOrganizer(context, edition.festival),
  superEvent: {
    '@type': 'EventSeries',
    name: edition.festival.name,
    url: page(context, 'festival', edition.festival.slug),
  },
});

/** A festival (`EventSeries`). @param editions of which the first ten with a date are named */
export const festivalThing = (
  context: PageContext,
  festival: ApiRecord<'Festival'>,
  editions: readonly ApiRecord<'EditionItem'>[],
): Thing => ({
  '@type': 'EventSeries',
  name: festival.name,
  url: resolveUrl(context, festival.url),
  description: shortDescription(festival.description),
  image: images(context, festival.image_url, pathOf(festival.url)),
  location: (festival.city ?? festival.country) && {
    '@type': 'Place',
    name: cityText(context.messages, festival.city, festival.country) ?? festival.country,
    address: address(context, { city: festival.city, country: festival.country }),
  },
  keywords: festival.genres.map(({ name }) => name),
  sameAs: sameAs(festival.links, festival.website),
  subEvent: editions
    .filter(({ start_at }) => start_at !== null)
    .slice(0, 10)
    .map((edition) => ({ ...editionThing(context, edition), superEvent: null })),
});

/** A city (`City`). */
export const cityThing = (context: PageContext, city: ApiRecord<'City'>): Thing => ({
  '@type': 'City',
  name: city.name,
  url: resolveUrl(context, city.url),
  address: address(context, { city: city.name, country: city.country }),
  geo: geo(city.latitude, city.longitude),
  containedInPlace: { '@type': 'Country', name: city.country },
});

/** A record label (`Organization`). */
export const labelThing = (context: PageContext, label: ApiRecord<'Label'>): Thing => ({
  '@type': 'Organization',
  name: label.name,
  url: resolveUrl(context, label.url),
  alternateName: label.aliases,
  description: shortDescription(label.description),
  logo: httpUrlOrNull(label.image_url),
  foundingDate: label.founded_year === null ? null : String(label.founded_year),
  dissolutionDate: label.closed_at,
  address: address(context, { city: null, country: label.country }),
  parentOrganization: label.parent && {
    '@type': 'Organization',
    name: label.parent.name,
    url: page(context, 'label', label.parent.slug),
  },
  sameAs: sameAs(label.links, label.website),
});

/** A genre (`DefinedTerm`), as a term of the list of genres. */
export const genreThing = (context: PageContext, genre: ApiRecord<'Genre'>): Thing => ({
  '@type': 'DefinedTerm',
  name: genre.name,
  url: resolveUrl(context, genre.url),
  alternateName: genre.aliases,
  description: shortDescription(genre.description),
  inDefinedTermSet: absoluteUrl(context, '/genres'),
});

/** A podcast (`PodcastSeries`). */
export const podcastThing = (context: PageContext, podcast: ApiRecord<'Podcast'>): Thing => ({
  '@type': 'PodcastSeries',
  name: podcast.name,
  url: resolveUrl(context, podcast.url),
  description: shortDescription(podcast.description),
  image: images(context, podcast.image_url, pathOf(podcast.url)),
  webFeed: httpUrlOrNull(podcast.feed_url),
  publisher: podcast.publisher && { '@type': 'Organization', name: podcast.publisher },
  sameAs: sameAs(podcast.links, podcast.website),
});

/** An episode of a podcast (`PodcastEpisode`). */
export const episodeThing = (context: PageContext, episode: ApiRecord<'Episode'>): Thing => ({
  '@type': 'PodcastEpisode',
  name: episode.name,
  url: resolveUrl(context, episode.url),
  description: shortDescription(episode.description),
  datePublished: episode.published_at,
  episodeNumber: episode.number,
  timeRequired: episode.duration_seconds === null ? null : isoDuration(episode.duration_seconds),
  image: images(context, episode.image_url, pathOf(episode.url)),
  associatedMedia: httpUrlOrNull(episode.audio_url) && {
    '@type': 'MediaObject',
    contentUrl: episode.audio_url,
  },
  contributor: performers(context, episode.artists),
  partOfSeries: {
    '@type': 'PodcastSeries',
    name: episode.podcast.name,
    url: page(context, 'podcast', episode.podcast.slug),
  },
});
