/** The rows that detail responses are made of. */
import type { toEpisodeItem } from '../lists/episodes.ts';
import type {
  toArtistItem,
  toCityItem,
  toGenreItem,
  toLabelItem,
  toPodcastItem,
  toVenueItem,
} from './list-items.ts';

export type DescribedRow = { description: string | null; image_url: string | null; updated_ts: number };
export type ArtistRow = Parameters<typeof toArtistItem>[0] & {
  real_name: string | null;
  aliases: string;
  biography: string | null;
  links: string;
  external_ids: string;
  updated_ts: number;
};
export type VenueRow = Parameters<typeof toVenueItem>[0] & {
  address: string | null;
  postal_code: string | null;
  latitude: number | null;
  longitude: number | null;
  city_slug: string | null;
  capacity: number | null;
  website: string | null;
  image_url: string | null;
  links: string;
  external_ids: string;
  updated_ts: number;
};
export type CityRow = Parameters<typeof toCityItem>[0] & {
  population: number | null;
  venue_count: number;
  updated_ts: number;
};
export type LabelRow = Parameters<typeof toLabelItem>[0] & {
  description: string | null;
  parent_slug: string | null;
  parent_name: string | null;
  website: string | null;
  aliases: string;
  links: string;
  external_ids: string;
  artist_count: number;
  updated_ts: number;
};
export type GenreRow = Parameters<typeof toGenreItem>[0] & {
  description: string | null;
  aliases: string;
  artist_count: number;
};
export type PodcastRow = Parameters<typeof toPodcastItem>[0] & {
  description: string | null;
  website: string | null;
  feed_url: string | null;
  links: string;
  episode_count: number;
  latest_episode_at: string | null;
  updated_ts: number;
};
export type EpisodeRow = Parameters<typeof toEpisodeItem>[0] &
  DescribedRow & { audio_url: string | null; track_count: number };
