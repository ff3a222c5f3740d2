/**
 * The 33 read operations as one table (docs/spec/lists.md). Routes, parameter parsing, the OpenAPI document, the
 * reference table and the test matrix are generated from it.
 */
import type { FilterName } from './parameters.ts';
import type { SchemaName } from './records.ts';

/**
 * What happens while time passes and changes responses: an event or edition begins or ends, a venue or label closes or an
 * artist or festival ends, or a day begins.
 */
export const clockParts = ['events', 'endings', 'days'] as const;
export type ClockPart = (typeof clockParts)[number];

export type OperationDefinition = {
  /** The path below `/api/v1`; `{name}` is a path parameter. */
  path: string;
  tag: string;
  shape: 'list' | 'detail' | 'search';
  returns: SchemaName;
  summary: string;
  /** The order of a list. */
  order?: string;
  filters?: readonly FilterName[];
  /** What of the response changes while time passes. */
  dependsOnClock?: readonly ClockPart[];
  /** The response also states when a source was last read. */
  dependsOnSync?: true;
};

const byName = 'name, folded for case and diacritics, then slug';
const byStart = 'start_at, then id';
const window = ['from', 'to'] as const;
const place = ['near', 'radius', 'bbox'] as const;
const changes = ['updated_since', 'created_since'] as const;

export const operations = {
  listEvents: {
    path: '/events',
    tag: 'Events',
    shape: 'list',
    returns: 'EventItem',
    order: byStart,
    filters: [
      ...(['country', 'city', 'venue', 'genre', 'artist', 'from', 'to', ...place] as const),
      ...(['status', 'has_tickets', 'source_id', ...changes] as const),
    ],
    summary: 'All events, chronological',
  },
  getEvent: {
    path: '/events/{slug}',
    tag: 'Events',
    shape: 'detail',
    returns: 'Event',
    summary: 'One event',
  },
  listEventLineup: {
    path: '/events/{slug}/lineup',
    tag: 'Events',
    shape: 'list',
    returns: 'LineupEntry',
    order: 'billing order',
    summary: 'Line-up of the event',
  },
  listEventTickets: {
    path: '/events/{slug}/tickets',
    tag: 'Events',
    shape: 'list',
    returns: 'TicketLink',
    order: 'seller, then url',
    summary: 'Ticket links of the event',
  },
  listArtists: {
    path: '/artists',
    tag: 'Artists',
    shape: 'list',
    returns: 'ArtistItem',
    order: byName,
    filters: ['country', 'slug', 'external_id', 'life_status', 'upcoming', ...changes],
    summary: 'All artists',
    dependsOnClock: ['events', 'endings'],
  },
  getArtist: {
    path: '/artists/{slug}',
    tag: 'Artists',
    shape: 'detail',
    returns: 'Artist',
    summary: 'One artist',
    dependsOnClock: ['events', 'endings'],
  },
  listArtistEvents: {
    path: '/artists/{slug}/events',
    tag: 'Artists',
    shape: 'list',
    returns: 'EventItem',
    order: byStart,
    filters: window,
    summary: 'Events of the artist: the upcoming ones, unless a window is given',
    dependsOnClock: ['events'],
  },
  listArtistGenres: {
    path: '/artists/{slug}/genres',
    tag: 'Artists',
    shape: 'list',
    returns: 'GenreItem',
    order: byName,
    summary: 'Genres of the artist, each with its parent',
  },
  listVenues: {
    path: '/venues',
    tag: 'Venues',
    shape: 'list',
    returns: 'VenueItem',
    order: byName,
    filters: ['country', 'slug', 'external_id', 'venue_status', 'upcoming', ...place, ...changes],
    summary: 'All venues',
    dependsOnClock: ['endings'],
  },
  getVenue: {
    path: '/venues/{slug}',
    tag: 'Venues',
    shape: 'detail',
    returns: 'Venue',
    summary: 'One venue',
    dependsOnClock: ['events', 'endings'],
  },
  listVenueEvents: {
    path: '/venues/{slug}/events',
    tag: 'Venues',
    shape: 'list',
    returns: 'EventItem',
    order: byStart,
    filters: window,
    summary: 'Events at the venue: the upcoming ones, unless a window is given',
    dependsOnClock: ['events'],
  },
  listFestivals: {
    path: '/festivals',
    tag: 'Festivals',
    shape: 'list',
    returns: 'FestivalItem',
    order: byName,
    filters: ['country', 'slug', 'external_id', 'life_status', 'upcoming', ...changes],
    summary: 'All festivals',
    dependsOnClock: ['endings'],
  },
  getFestival: {
    path: '/festivals/{slug}',
    tag: 'Festivals',
    shape: 'detail',
    returns: 'Festival',
    summary: 'One festival',
    dependsOnClock: ['events', 'endings'],
  },
  listFestivalEditions: {
    path: '/festivals/{slug}/editions',
    tag: 'Festivals',
    shape: 'list',
    returns: 'EditionItem',
    order: 'newest first',
    summary: 'Editions of the festival',
  },
  getFestivalEdition: {
    path: '/festivals/{slug}/editions/{edition}',
    tag: 'Festivals',
    shape: 'detail',
    returns: 'Edition',
    summary: 'One edition',
  },
  listEditionLineup: {
    path: '/festivals/{slug}/editions/{edition}/lineup',
    tag: 'Festivals',
    shape: 'list',
    returns: 'LineupEntry',
    order: 'billing order',
    summary: 'Line-up of the edition',
  },
  listEditionTickets: {
    path: '/festivals/{slug}/editions/{edition}/tickets',
    tag: 'Festivals',
    shape: 'list',
    returns: 'TicketLink',
    order: 'seller, then url',
    summary: 'Ticket links of the edition',
  },
  listLabels: {
    path: '/labels',
    tag: 'Labels',
    shape: 'list',
    returns: 'LabelItem',
    order: byName,
    filters: ['country', 'slug', 'external_id', 'label_status', ...changes],
    summary: 'All labels',
    dependsOnClock: ['endings'],
  },
  getLabel: {
    path: '/labels/{slug}',
    tag: 'Labels',
    shape: 'detail',
    returns: 'Label',
    summary: 'One label',
    dependsOnClock: ['endings'],
  },
  listLabelArtists: {
    path: '/labels/{slug}/artists',
    tag: 'Labels',
    shape: 'list',
    returns: 'ArtistItem',
    order: byName,
    summary: 'Roster of the label',
    dependsOnClock: ['events', 'endings'],
  },
  listLabelEvents: {
    path: '/labels/{slug}/events',
    tag: 'Labels',
    shape: 'list',
    returns: 'EventItem',
    order: byStart,
    filters: window,
    summary: "Events of the label's artists: the upcoming ones, unless a window is given",
    dependsOnClock: ['events'],
  },
  listGenres: {
    path: '/genres',
    tag: 'Genres',
    shape: 'list',
    returns: 'GenreItem',
    order: byName,
    filters: changes,
    summary: 'All genres, each with its parent',
  },
  getGenre: {
    path: '/genres/{slug}',
    tag: 'Genres',
    shape: 'detail',
    returns: 'Genre',
    summary: 'One genre, with children',
    dependsOnClock: ['events'],
  },
  listCities: {
    path: '/cities',
    tag: 'Cities',
    shape: 'list',
    returns: 'CityItem',
    order: byName,
    filters: ['country', 'name', ...changes],
    summary: 'All cities',
  },
  getCity: {
    path: '/cities/{slug}',
    tag: 'Cities',
    shape: 'detail',
    returns: 'City',
    summary: 'One city',
    dependsOnClock: ['events'],
  },
  listCityEvents: {
    path: '/cities/{slug}/events',
    tag: 'Cities',
    shape: 'list',
    returns: 'EventItem',
    order: byStart,
    filters: window,
    summary: 'Events in the city',
  },
  listPodcasts: {
    path: '/podcasts',
    tag: 'Podcasts',
    shape: 'list',
    returns: 'PodcastItem',
    order: byName,
    filters: changes,
    summary: 'All podcasts',
  },
  getPodcast: {
    path: '/podcasts/{slug}',
    tag: 'Podcasts',
    shape: 'detail',
    returns: 'Podcast',
    summary: 'One podcast',
  },
  listPodcastEpisodes: {
    path: '/podcasts/{slug}/episodes',
    tag: 'Podcasts',
    shape: 'list',
    returns: 'EpisodeItem',
    order: 'newest first, episodes without a date last',
    summary: 'Episodes of the podcast',
  },
  getEpisode: {
    path: '/episodes/{slug}',
    tag: 'Podcasts',
    shape: 'detail',
    returns: 'Episode',
    summary: 'One episode',
  },
  listTracks: {
    path: '/episodes/{slug}/tracklist',
    tag: 'Podcasts',
    shape: 'list',
    returns: 'Track',
    order: 'position',
    summary: 'Tracklist of the episode',
  },
  getStats: {
    path: '/stats',
    tag: 'Catalogue',
    shape: 'detail',
    returns: 'Stats',
    summary: 'What the catalogue holds',
    dependsOnClock: ['events'],
    dependsOnSync: true,
  },
  search: {
    path: '/search',
    tag: 'Catalogue',
    shape: 'search',
    returns: 'SearchHit',
    order: 'relevance',
    filters: ['type'],
    summary:
      'Typeahead across artists, events, festivals, venues and labels; with type also cities, genres, podcasts',
    dependsOnClock: ['events', 'days'],
  },
} as const satisfies Record<string, OperationDefinition>;

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as OperationId[];

/** Path prefix of API version 1 (docs/spec/service.md#versioning). */
export const apiPrefix = '/api/v1';
