/**
 * The records of the API, with their fields in output order (docs/spec/resources.md). No field is optional: missing
 * values are null or empty.
 */
import { z } from 'zod';
import * as f from './fields.ts';
import {
  artistRef,
  cityRef,
  externalIds,
  festivalRef,
  genreRef,
  labelRef,
  podcastRef,
  record,
  typedLink,
  venueRef,
} from './record-parts.ts';

export {
  artistRef,
  cityRef,
  externalIds,
  festivalRef,
  genreRef,
  labelRef,
  podcastRef,
  typedLink,
  venueRef,
} from './record-parts.ts';

const links = z.array(typedLink).meta({ description: 'Links of the record.' });

export const lineupRef = record('LineupRef', 'An artist of a line-up, in short.', {
  slug: f.slug,
  name: f.name,
  set: f.set,
});
export const lineupEntry = record('LineupEntry', 'One entry of a line-up.', {
  slug: f.slug,
  name: f.name,
  position: f.position,
  billing: f.billing,
  set_start_at: f.setStartAt,
  set_end_at: f.setEndAt,
  stage: f.stage,
  set: f.set,
});

const genresOf = (what: string) => z.array(genreRef).meta({ description: `Genres of the ${what}.` });
export const festivalEditionRef = record('FestivalEditionRef', 'The festival edition an event belongs to.', {
  festival: festivalRef,
  edition: f.edition,
});
const eventShape = {
  id: f.id('event'),
  slug: f.slug,
  name: f.name,
  start_at: f.startAt,
  end_at: f.endAt,
  timezone: f.timezone,
  status: f.status,
  venue: venueRef,
  url: f.url,
  lineup: z.array(lineupRef).meta({ description: 'Artists in billing order.' }),
  date: f.date,
  genres: genresOf('event'),
  image_url: f.imageUrl,
  minimum_age: f.minimumAge,
  price_min: f.lowestPrice,
  price_max: f.highestPrice,
  currency: f.currency,
  festival_edition: festivalEditionRef.nullable(),
  updated_at: f.updatedAt,
};
export const eventItem = record('EventItem', 'An event, as lists show it.', eventShape);
const listing = { name: f.sourceName, external_id: f.externalId, url: f.sourceUrl };
export const eventSource = record('EventSource', 'Where a listing of the event was found.', listing);
export const attribution = record('Attribution', 'The line that credits a source.', {
  text: f.attributionText,
  url: f.attributionUrl,
});
export const creditedEventSource = record(
  'CreditedEventSource',
  'The same for a source with a licence or an attribution, which users of the data must respect.',
  { ...listing, license: f.license, attribution: attribution.nullable() },
);
/** Licence and attribution of a source that has at least one of them. */
export type ListingCredit = Pick<z.infer<typeof creditedEventSource>, 'license' | 'attribution'>;
export const event = record('Event', 'An event.', {
  ...eventShape,
  city: cityRef.nullable(),
  description: f.description,
  sources: z
    .array(z.union([eventSource, creditedEventSource]))
    .meta({ description: 'Every listing of this event.' }),
});

const artistShape = {
  id: f.id('artist'),
  slug: f.slug,
  name: f.name,
  country: f.country,
  image_url: f.imageUrl,
  ended_at: f.endedAt,
  status: f.lifeStatus,
  url: f.url,
  genres: genresOf('artist'),
  upcoming_event_count: f.upcomingEventCount,
};
export const artistItem = record('ArtistItem', 'An artist, as lists show it.', artistShape);
export const artist = record('Artist', 'An artist.', {
  ...artistShape,
  real_name: f.realName,
  aliases: f.aliases,
  biography: f.biography,
  links,
  external_ids: externalIds,
  updated_at: f.updatedAt,
});

const venueShape = {
  id: f.id('venue'),
  slug: f.slug,
  name: f.name,
  city: f.cityName,
  country: f.country,
  timezone: f.timezone,
  latitude: f.latitude,
  longitude: f.longitude,
  closed_at: f.closedAt,
  status: f.venueStatus,
  url: f.url,
};
export const venueItem = record('VenueItem', 'A venue, as lists show it.', venueShape);
export const location = record('Location', 'Where a venue is.', {
  address: f.address,
  postal_code: f.postalCode,
  latitude: f.latitude,
  longitude: f.longitude,
});
export const venue = record('Venue', 'A venue.', {
  ...venueShape,
  location,
  city_slug: f.citySlug,
  capacity: f.capacity,
  website: f.website,
  image_url: f.imageUrl,
  links,
  external_ids: externalIds,
  upcoming_event_count: f.upcomingEventCount,
  updated_at: f.updatedAt,
});

const festivalShape = {
  id: f.id('festival'),
  slug: f.slug,
  name: f.name,
  city: f.cityName,
  country: f.country,
  image_url: f.imageUrl,
  ended_at: f.endedAt,
  status: f.lifeStatus,
  url: f.url,
};
export const festivalItem = record('FestivalItem', 'A festival, as lists show it.', festivalShape);
export const festival = record('Festival', 'A festival. Each time it takes place is an edition.', {
  ...festivalShape,
  description: f.description,
  website: f.website,
  links,
  external_ids: externalIds,
  genres: genresOf('festival'),
  edition_count: f.editionCount,
  latest_edition: f.editionOrNull.meta({ description: 'The last edition that has begun.' }),
  next_edition: f.editionOrNull.meta({ description: 'The first edition that is not over.' }),
  updated_at: f.updatedAt,
});

const editionShape = {
  id: f.id('edition'),
  edition: f.edition,
  festival: festivalRef,
  name: f.name,
  start_at: f.startAtOrNull,
  end_at: f.endAt,
  timezone: f.timezone,
  status: f.status,
  venue: venueRef,
  city: f.cityName,
  country: f.country,
  url: f.url,
};
export const editionItem = record('EditionItem', 'A festival edition, as lists show it.', editionShape);
export const edition = record('Edition', 'A festival edition.', {
  ...editionShape,
  description: f.description,
  image_url: f.imageUrl,
  lineup_count: f.lineupCount,
  updated_at: f.updatedAt,
});

const cityShape = {
  id: f.id('city'),
  slug: f.slug,
  name: f.name,
  country: f.country,
  region: f.region,
  latitude: f.latitude,
  longitude: f.longitude,
  timezone: f.timezone,
  url: f.url,
};
export const cityItem = record('CityItem', 'A city, as lists show it.', cityShape);
export const city = record('City', 'A city.', {
  ...cityShape,
  population: f.population,
  venue_count: f.venueCount,
  upcoming_event_count: f.upcomingEventCount,
  updated_at: f.updatedAt,
});

const labelShape = {
  id: f.id('label'),
  slug: f.slug,
  name: f.name,
  country: f.country,
  founded_year: f.foundedYear,
  image_url: f.imageUrl,
  closed_at: f.closedAt,
  status: f.labelStatus,
  url: f.url,
};
export const labelItem = record('LabelItem', 'A label, as lists show it.', labelShape);
export const label = record('Label', 'A record label.', {
  ...labelShape,
  description: f.description,
  parent: labelRef.nullable(),
  website: f.website,
  aliases: f.aliases,
  links,
  external_ids: externalIds,
  artist_count: f.artistCount,
  updated_at: f.updatedAt,
});

const genreShape = { id: f.id('genre'), slug: f.slug, name: f.name, parent: genreRef.nullable(), url: f.url };
export const genreItem = record('GenreItem', 'A genre with its parent, as lists show it.', genreShape);
export const genre = record('Genre', 'A genre.', {
  ...genreShape,
  description: f.description,
  aliases: f.aliases,
  children: z.array(genreRef).meta({ description: 'Genres right below this one.' }),
  artist_count: f.artistCount.meta({ description: 'Artists of this genre or one below it.' }),
  upcoming_event_count: f.upcomingEventCount,
});

const podcastShape = {
  id: f.id('podcast'),
  slug: f.slug,
  name: f.name,
  publisher: f.publisher,
  image_url: f.imageUrl,
  url: f.url,
};
export const podcastItem = record(
  'PodcastItem',
  'A mix series or radio show, as lists show it.',
  podcastShape,
);
export const podcast = record('Podcast', 'A mix series or radio show.', {
  ...podcastShape,
  description: f.description,
  website: f.website,
  feed_url: f.feedUrl,
  links,
  episode_count: f.episodeCount,
  latest_episode_at: f.latestEpisodeAt,
  updated_at: f.updatedAt,
});

const episodeShape = {
  id: f.id('episode'),
  slug: f.slug,
  podcast: podcastRef,
  name: f.name,
  number: f.number,
  published_at: f.publishedAt,
  duration_seconds: f.durationSeconds,
  artists: z.array(artistRef).meta({ description: 'Artists of the episode.' }),
  url: f.url,
};
export const episodeItem = record('EpisodeItem', 'An episode, as lists show it.', episodeShape);
export const episode = record('Episode', 'An episode of a podcast.', {
  ...episodeShape,
  description: f.description,
  audio_url: f.audioUrl,
  image_url: f.imageUrl,
  track_count: f.trackCount,
  updated_at: f.updatedAt,
});

export const track = record('Track', 'One entry of a tracklist.', {
  position: f.position,
  start_seconds: f.startSeconds,
  artist_name: f.artistName,
  title: f.title,
  label_name: f.labelName,
  artists: z.array(artistRef).meta({ description: 'The artists that are on record here.' }),
  label: labelRef.nullable(),
  identified: f.identified,
});

export const ticketLink = record('TicketLink', 'A link to a seller of tickets.', {
  seller: f.seller,
  url: f.link,
  price_min: f.price,
  price_max: f.price,
  currency: f.currency,
  availability: f.availability,
  updated_at: f.updatedAtOrNull,
});

export const searchHit = record('SearchHit', 'A record that a search found.', {
  type: f.hitType,
  slug: f.slug,
  name: f.name,
  matched: f.matched,
  city: f.cityName,
  country: f.country,
  start_at: f.startAtOrNull,
  image_url: f.imageUrl,
  url: f.url,
});

export const stats = record('Stats', 'What the catalogue holds.', {
  artists: f.total('artists'),
  events: f.total('events'),
  upcoming_events: f.total('events that are not over yet'),
  festivals: f.total('festivals'),
  editions: f.total('festival editions'),
  venues: f.total('venues'),
  cities: f.total('cities'),
  labels: f.total('labels'),
  genres: f.total('genres'),
  podcasts: f.total('podcasts'),
  episodes: f.total('episodes'),
  tracks: f.total('tracks'),
  last_synced_at: f.lastSyncedAt,
});

export const page = record('Page', 'How to read the next page.', {
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Opaque cursor of the following page; null on the last one.' }),
  has_more: z.boolean().meta({ description: 'False on the last page.' }),
});

/** All response schemas by OpenAPI name. */
export const schemas = {
  EventItem: eventItem,
  Event: event,
  LineupEntry: lineupEntry,
  TicketLink: ticketLink,
  ArtistItem: artistItem,
  Artist: artist,
  VenueItem: venueItem,
  Venue: venue,
  FestivalItem: festivalItem,
  Festival: festival,
  EditionItem: editionItem,
  Edition: edition,
  CityItem: cityItem,
  City: city,
  LabelItem: labelItem,
  Label: label,
  GenreItem: genreItem,
  Genre: genre,
  PodcastItem: podcastItem,
  Podcast: podcast,
  EpisodeItem: episodeItem,
  Episode: episode,
  Track: track,
  SearchHit: searchHit,
  Stats: stats,
} as const;
export type SchemaName = keyof typeof schemas;
/** A record as the API returns it. */
export type ApiRecord<N extends SchemaName> = z.infer<(typeof schemas)[N]>;
export type VenueRef = z.infer<typeof venueRef>;
export type RecordRef = z.infer<typeof artistRef>;
