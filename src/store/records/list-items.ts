/**
 * List items of kinds that are listed by name: the columns and the conversion of each. (Events are rendered when
 * they are written, see `event-rendering.ts`.)
 */
import { type InferResult, sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import { labelStatusOf, lifeStatusOf, venueStatusOf } from '../../contract/partial-date.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { query } from '../statement.ts';
import type { Tables } from '../tables.ts';
import type { ArtistSummary } from './artist-summaries.ts';
import { pageUrl, publicId, toRef } from './serialize.ts';

type NamedItemRow = { id: number; slug: string; name: string };
const commonFields = <K extends Kind>(kind: K, row: NamedItemRow) => ({
  id: publicId(kind, row.id),
  slug: row.slug,
  name: row.name,
});

/** The number of rows of a table whose column equals a column of the query, as an expression. */
export const countRows = (table: keyof Tables, column: string, equals: string) =>
  sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = ${sql.ref(equals)})`;

export const artistItemQuery = query
  .selectFrom('artists')
  .select([
    'artists.id',
    'artists.slug',
    'artists.name',
    'artists.country',
    'artists.image_url',
    'artists.ended_at',
  ]);
/** Converts a row to the list item of an artist. `now` (ms) decides whether the artist is still active. */
export const toArtistItem = (
  row: InferResult<typeof artistItemQuery>[number],
  now: number,
  summary: ArtistSummary,
): ApiRecord<'ArtistItem'> => ({
  ...commonFields('artist', row),
  country: row.country,
  image_url: row.image_url,
  ended_at: row.ended_at,
  status: lifeStatusOf(row.ended_at, now),
  url: pageUrl('artist', row.slug),
  ...summary,
});

export const venueItemQuery = query
  .selectFrom('venues')
  .select([
    'venues.id',
    'venues.slug',
    'venues.name',
    'venues.city',
    'venues.country',
    'venues.timezone',
    'venues.latitude',
    'venues.longitude',
    'venues.closed_at',
  ]);
/** Converts a row to the list item of a venue. `now` (ms) decides whether it is closed already. */
export const toVenueItem = (
  row: InferResult<typeof venueItemQuery>[number],
  now: number,
): ApiRecord<'VenueItem'> => ({
  ...commonFields('venue', row),
  city: row.city,
  country: row.country,
  timezone: row.timezone,
  latitude: row.latitude,
  longitude: row.longitude,
  closed_at: row.closed_at,
  status: venueStatusOf(row.closed_at, now),
  url: pageUrl('venue', row.slug),
});

export const festivalItemQuery = query
  .selectFrom('festivals')
  .select([
    'festivals.id',
    'festivals.slug',
    'festivals.name',
    'festivals.city',
    'festivals.country',
    'festivals.image_url',
    'festivals.ended_at',
  ]);
/** Converts a row to the list item of a festival. `now` (ms) decides whether it has ended. */
export const toFestivalItem = (
  row: InferResult<typeof festivalItemQuery>[number],
  now: number,
): ApiRecord<'FestivalItem'> => ({
  ...commonFields('festival', row),
  city: row.city,
  country: row.country,
  image_url: row.image_url,
  ended_at: row.ended_at,
  status: lifeStatusOf(row.ended_at, now),
  url: pageUrl('festival', row.slug),
});

export const cityItemQuery = query
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
/** Converts a row to the list item of a city. */
export const toCityItem = (row: InferResult<typeof cityItemQuery>[number]): ApiRecord<'CityItem'> => ({
  ...commonFields('city', row),
  country: row.country,
  region: row.region,
  latitude: row.latitude,
  longitude: row.longitude,
  timezone: row.timezone,
  url: pageUrl('city', row.slug),
});

export const labelItemQuery = query
  .selectFrom('labels')
  .select([
    'labels.id',
    'labels.slug',
    'labels.name',
    'labels.country',
    'labels.founded_year',
    'labels.image_url',
    'labels.closed_at',
  ]);
/** Converts a row to the list item of a label. `now` (ms) decides whether it is closed already. */
export const toLabelItem = (
  row: InferResult<typeof labelItemQuery>[number],
  now: number,
): ApiRecord<'LabelItem'> => ({
  ...commonFields('label', row),
  country: row.country,
  founded_year: row.founded_year,
  image_url: row.image_url,
  closed_at: row.closed_at,
  status: labelStatusOf(row.closed_at, now),
  url: pageUrl('label', row.slug),
});

export const genreItemQuery = query
  .selectFrom('genres')
  .leftJoin('genres as parents', 'parents.id', 'genres.parent_id')
  .select([
    'genres.id',
    'genres.slug',
    'genres.name',
    'parents.slug as parent_slug',
    'parents.name as parent_name',
  ]);
/** Converts a row to the list item of a genre; `parent` is null at the top. */
export const toGenreItem = (row: InferResult<typeof genreItemQuery>[number]): ApiRecord<'GenreItem'> => ({
  ...commonFields('genre', row),
  parent: toRef(row.parent_slug, row.parent_name),
  url: pageUrl('genre', row.slug),
});

export const podcastItemQuery = query
  .selectFrom('podcasts')
  .select(['podcasts.id', 'podcasts.slug', 'podcasts.name', 'podcasts.publisher', 'podcasts.image_url']);
/** Converts a row to the list item of a podcast. */
export const toPodcastItem = (
  row: InferResult<typeof podcastItemQuery>[number],
): ApiRecord<'PodcastItem'> => ({
  ...commonFields('podcast', row),
  publisher: row.publisher,
  image_url: row.image_url,
  url: pageUrl('podcast', row.slug),
});
