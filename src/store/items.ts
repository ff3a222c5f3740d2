/**
 * List items of the kinds that are listed by name: the columns each needs and how it is shown. (Events are rendered when
 * they are written, see `event-item.ts`.)
 */
import type { Kind } from '../contract/fields.ts';
import type { Shown } from '../contract/records.ts';
import { pageUrl, publicId, showRef } from './show.ts';
import { query } from './statement.ts';

type Common = { id: number; slug: string; name: string };
const head = <K extends Kind>(kind: K, row: Common) => ({
  id: publicId(kind, row.id),
  slug: row.slug,
  name: row.name,
});

export const artistItems = query
  .selectFrom('artists')
  .select(['artists.id', 'artists.slug', 'artists.name', 'artists.country', 'artists.image_url']);
export const showArtistItem = (
  row: Common & { country: string | null; image_url: string | null },
): Shown<'ArtistItem'> => ({
  ...head('artist', row),
  country: row.country,
  image_url: row.image_url,
  url: pageUrl('artist', row.slug),
});

export const venueItems = query
  .selectFrom('venues')
  .select(['venues.id', 'venues.slug', 'venues.name', 'venues.city', 'venues.country', 'venues.timezone']);
export const showVenueItem = (
  row: Common & { city: string | null; country: string | null; timezone: string | null },
): Shown<'VenueItem'> => ({
  ...head('venue', row),
  city: row.city,
  country: row.country,
  timezone: row.timezone,
  url: pageUrl('venue', row.slug),
});

export const festivalItems = query
  .selectFrom('festivals')
  .select([
    'festivals.id',
    'festivals.slug',
    'festivals.name',
    'festivals.city',
    'festivals.country',
    'festivals.image_url',
  ]);
export const showFestivalItem = (
  row: Common & { city: string | null; country: string | null; image_url: string | null },
): Shown<'FestivalItem'> => ({
  ...head('festival', row),
  city: row.city,
  country: row.country,
  image_url: row.image_url,
  url: pageUrl('festival', row.slug),
});

export const cityItems = query
  .selectFrom('cities')
  .select([
    'cities.id',
    'cities.slug',
    'cities.name',
    'cities.country',
    'cities.region',
    'cities.latitude',
    'cities.longitude',
    'cities.timezone',
  ]);
export const showCityItem = (
  row: Common & {
    country: string;
    region: string | null;
    latitude: number | null;
    longitude: number | null;
    timezone: string | null;
  },
): Shown<'CityItem'> => ({
  ...head('city', row),
  country: row.country,
  region: row.region,
  latitude: row.latitude,
  longitude: row.longitude,
  timezone: row.timezone,
  url: pageUrl('city', row.slug),
});

export const labelItems = query
  .selectFrom('labels')
  .select([
    'labels.id',
    'labels.slug',
    'labels.name',
    'labels.country',
    'labels.founded_year',
    'labels.image_url',
  ]);
export const showLabelItem = (
  row: Common & { country: string | null; founded_year: number | null; image_url: string | null },
): Shown<'LabelItem'> => ({
  ...head('label', row),
  country: row.country,
  founded_year: row.founded_year,
  image_url: row.image_url,
  url: pageUrl('label', row.slug),
});

export const genreItems = query
  .selectFrom('genres')
  .leftJoin('genres as parents', 'parents.id', 'genres.parent_id')
  .select([
    'genres.id',
    'genres.slug',
    'genres.name',
    'parents.slug as parent_slug',
    'parents.name as parent_name',
  ]);
export const showGenreItem = (
  row: Common & { parent_slug: string | null; parent_name: string | null },
): Shown<'GenreItem'> => ({
  ...head('genre', row),
  parent: showRef(row.parent_slug, row.parent_name),
  url: pageUrl('genre', row.slug),
});

export const podcastItems = query
  .selectFrom('podcasts')
  .select(['podcasts.id', 'podcasts.slug', 'podcasts.name', 'podcasts.publisher', 'podcasts.image_url']);
export const showPodcastItem = (
  row: Common & { publisher: string | null; image_url: string | null },
): Shown<'PodcastItem'> => ({
  ...head('podcast', row),
  publisher: row.publisher,
  image_url: row.image_url,
  url: pageUrl('podcast', row.slug),
});
