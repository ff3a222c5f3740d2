/** Records in the words of schema.org: each kind, with what it has. */
import type { Ref, Shown } from '../contract/records.ts';
import { pageUrl } from '../store/show.ts';
import type { LineupRow } from '../store/site-relations.ts';
import type { Thing } from './json-ld.ts';
import { type Ask, absolute, addressOf, isWeb, oneLine } from './site.ts';
import { isoDuration } from './when.tsx';

type Link = { type: string; url: string };

/** More of these would only make pages heavier. */
const mostPerformers = 30;

/** The beginning of a text: the page itself has more of it. */
const brief = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : oneLine(text, 500);
const web = (url: string | null): string | null => (isWeb(url) ? url : null);
const sameAs = (links: readonly Link[], website: string | null = null): string[] => [
  ...new Set([website, ...links.map(({ url }) => url)].filter(isWeb)),
];
const page = (ask: Ask, kind: Parameters<typeof pageUrl>[0], slug: string) =>
  absolute(ask, pageUrl(kind, slug));

const address = (parts: {
  street?: string | null;
  postal?: string | null;
  city: string | null;
  country: string | null;
}) =>
  Object.values(parts).some((part) => part !== null && part !== undefined)
    ? {
        '@type': 'PostalAddress',
        streetAddress: parts.street,
        postalCode: parts.postal,
        addressLocality: parts.city,
        addressCountry: parts.country,
      }
    : null;

const geo = (latitude: number | null, longitude: number | null) =>
  latitude === null || longitude === null ? null : { '@type': 'GeoCoordinates', latitude, longitude };

/** Where nobody says, schema.org takes an event for one that takes place as announced. */
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

/** A time as schema.org wants it: the date alone where the clock is not trusted. */
const moment = (at: string | null, timezone: string | null): string | null =>
  at !== null && timezone === null ? at.slice(0, 10) : at;

/** Where it is: every event has a place there, though it may only be its city. */
function location(ask: Ask, venue: Shown<'EventItem'>['venue'], more: Shown<'Venue'> | null): Thing {
  const { slug, name, city, country } = venue;
  return {
    '@type': slug === null ? 'Place' : 'MusicVenue',
    name: name ?? city ?? country ?? 'To be announced',
    url: slug === null ? null : page(ask, 'venue', slug),
    address:
      address({
        street: more?.location.address ?? null,
        postal: more?.location.postal_code ?? null,
        city,
        country,
      }) ?? 'To be announced',
    geo: more && geo(more.location.latitude, more.location.longitude),
  };
}

const performers = (ask: Ask, lineup: readonly Ref[]): Thing[] =>
  [...new Map(lineup.map((act) => [act.slug, act])).values()]
    .slice(0, mostPerformers)
    .map(({ slug, name }) => ({
      '@type': 'MusicGroup',
      name,
      url: page(ask, 'artist', slug),
    }));

/** What sellers ask; those whose address is none are left out. */
function offers(tickets: readonly Shown<'TicketLink'>[]): Thing[] {
  return tickets
    .filter(({ url }) => isWeb(url))
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

export const eventThing = (
  ask: Ask,
  event: Shown<'Event'>,
  more: {
    venue: Shown<'Venue'> | null;
    tickets: readonly Shown<'TicketLink'>[];
    /** What is said of it where nobody described it. */
    summary: string;
  },
): Thing => ({
  '@type': 'MusicEvent',
  name: event.name,
  url: absolute(ask, event.url),
  startDate: moment(event.start_at, event.timezone),
  endDate: moment(event.end_at, event.timezone),
  eventStatus: eventStatus[event.status ?? 'scheduled'],
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  location: location(ask, event.venue, more.venue),
  performer: performers(ask, event.lineup),
  offers: offers(more.tickets),
  description: brief(event.description ?? more.summary),
  image: web(event.image_url),
  typicalAgeRange: event.minimum_age === null ? null : `${event.minimum_age}-`,
  keywords: event.genres.map(({ name }) => name),
  superEvent: event.festival_edition && {
    '@type': 'Festival',
    name: `${event.festival_edition.festival.name} ${event.festival_edition.edition}`,
    url: `${page(ask, 'festival', event.festival_edition.festival.slug)}/editions/${encodeURIComponent(event.festival_edition.edition)}`,
  },
});

export const artistThing = (ask: Ask, artist: Shown<'Artist'>, genres: readonly Ref[]): Thing => ({
  '@type': 'MusicGroup',
  name: artist.name,
  url: absolute(ask, artist.url),
  alternateName: artist.aliases,
  description: brief(artist.biography),
  image: web(artist.image_url),
  genre: genres.map(({ name }) => name),
  foundingLocation: artist.country && { '@type': 'Country', name: artist.country },
  sameAs: sameAs(artist.links),
});

export const venueThing = (ask: Ask, venue: Shown<'Venue'>): Thing => ({
  '@type': 'MusicVenue',
  name: venue.name,
  url: absolute(ask, venue.url),
  address: address({
    street: venue.location.address,
    postal: venue.location.postal_code,
    city: venue.city,
    country: venue.country,
  }),
  geo: geo(venue.location.latitude, venue.location.longitude),
  maximumAttendeeCapacity: venue.capacity,
  image: web(venue.image_url),
  sameAs: sameAs(venue.links, venue.website),
});

/** An edition; to be a Festival it needs a date, without one it is only named. */
export const editionThing = (
  ask: Ask,
  edition: Shown<'EditionItem'> & { description?: string | null; image_url?: string | null },
  more: {
    lineup?: readonly LineupRow[];
    summary?: string;
    tickets?: readonly Shown<'TicketLink'>[];
    venue?: Shown<'Venue'> | null;
  } = {},
): Thing => ({
  '@type': 'Festival',
  name: edition.name,
  url: absolute(ask, edition.url),
  startDate: moment(edition.start_at, edition.timezone),
  endDate: moment(edition.end_at, edition.timezone),
  eventStatus: eventStatus[edition.status ?? 'scheduled'],
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  location: location(
    ask,
    {
      ...edition.venue,
      city: edition.venue.city ?? edition.city,
      country: edition.venue.country ?? edition.country,
    },
    more.venue ?? null,
  ),
  performer: performers(ask, more.lineup ?? []),
  offers: offers(more.tickets ?? []),
  description: brief(edition.description ?? more.summary),
  image: web(edition.image_url ?? null),
  superEvent: {
    '@type': 'EventSeries',
    name: edition.festival.name,
    url: page(ask, 'festival', edition.festival.slug),
  },
});

export const festivalThing = (
  ask: Ask,
  festival: Shown<'Festival'>,
  editions: readonly Shown<'EditionItem'>[],
): Thing => ({
  '@type': 'EventSeries',
  name: festival.name,
  url: absolute(ask, festival.url),
  description: brief(festival.description),
  image: web(festival.image_url),
  location: (festival.city ?? festival.country) && {
    '@type': 'Place',
    name: festival.city ?? festival.country,
    address: address({ city: festival.city, country: festival.country }),
  },
  keywords: festival.genres.map(({ name }) => name),
  sameAs: sameAs(festival.links, festival.website),
  subEvent: editions
    .filter(({ start_at }) => start_at !== null)
    .slice(0, 10)
    .map((edition) => ({ ...editionThing(ask, edition), superEvent: null })),
});

export const cityThing = (ask: Ask, city: Shown<'City'>): Thing => ({
  '@type': 'City',
  name: city.name,
  url: absolute(ask, city.url),
  address: address({ city: city.name, country: city.country }),
  geo: geo(city.latitude, city.longitude),
  containedInPlace: { '@type': 'Country', name: city.country },
});

export const labelThing = (ask: Ask, label: Shown<'Label'>): Thing => ({
  '@type': 'Organization',
  name: label.name,
  url: absolute(ask, label.url),
  alternateName: label.aliases,
  description: brief(label.description),
  logo: web(label.image_url),
  foundingDate: label.founded_year === null ? null : String(label.founded_year),
  address: address({ city: null, country: label.country }),
  parentOrganization: label.parent && {
    '@type': 'Organization',
    name: label.parent.name,
    url: page(ask, 'label', label.parent.slug),
  },
  sameAs: sameAs(label.links, label.website),
});

export const genreThing = (ask: Ask, genre: Shown<'Genre'>): Thing => ({
  '@type': 'DefinedTerm',
  name: genre.name,
  url: absolute(ask, genre.url),
  alternateName: genre.aliases,
  description: brief(genre.description),
  inDefinedTermSet: addressOf(ask, '/genres'),
});

export const podcastThing = (ask: Ask, podcast: Shown<'Podcast'>): Thing => ({
  '@type': 'PodcastSeries',
  name: podcast.name,
  url: absolute(ask, podcast.url),
  description: brief(podcast.description),
  image: web(podcast.image_url),
  webFeed: web(podcast.feed_url),
  publisher: podcast.publisher && { '@type': 'Organization', name: podcast.publisher },
  sameAs: sameAs(podcast.links, podcast.website),
});

export const episodeThing = (ask: Ask, episode: Shown<'Episode'>): Thing => ({
  '@type': 'PodcastEpisode',
  name: episode.name,
  url: absolute(ask, episode.url),
  description: brief(episode.description),
  datePublished: episode.published_at,
  episodeNumber: episode.number,
  timeRequired: episode.duration_seconds === null ? null : isoDuration(episode.duration_seconds),
  image: web(episode.image_url),
  associatedMedia: web(episode.audio_url) && { '@type': 'MediaObject', contentUrl: episode.audio_url },
  contributor: performers(ask, episode.artists),
  partOfSeries: {
    '@type': 'PodcastSeries',
    name: episode.podcast.name,
    url: page(ask, 'podcast', episode.podcast.slug),
  },
});
