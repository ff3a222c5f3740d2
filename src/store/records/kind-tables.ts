/** The table of each kind of record, and the feed names of its columns and child rows. */
import type { Kind } from '../../contract/fields.ts';
import type { ChildTable } from './child-rows.ts';

/** The table of each kind, and the sort key of its lists. */
export const kindTables = {
  artist: { table: 'artists', key: ['folded', 'slug'] },
  venue: { table: 'venues', key: ['folded', 'slug'] },
  festival: { table: 'festivals', key: ['folded', 'slug'] },
  city: { table: 'cities', key: ['folded', 'slug'] },
  label: { table: 'labels', key: ['folded', 'slug'] },
  genre: { table: 'genres', key: ['folded', 'slug'] },
  podcast: { table: 'podcasts', key: ['folded', 'slug'] },
  edition: { table: 'editions', key: ['sort_ts', 'id'] },
  episode: { table: 'episodes', key: ['published_ts', 'id'] },
  event: { table: 'events', key: ['start_ts', 'id'] },
} as const satisfies Record<Kind, { table: string; key: readonly string[] }>;

/** Columns with another name in the feed format, or null for internal ones. */
const feedFieldNames: Record<string, string | null> = {
  folded: null,
  city_folded: null,
  item_json: null,
  sort_ts: null,
  updated_ts: null,
  start_ts: 'start_at',
  start_date: 'start_at',
  ends_ts: null,
  published_ts: 'published_at',
  venue_id: 'venue',
  venue_name: 'venue',
  city_id: 'city',
  festival_id: 'festival',
  edition_id: 'festival',
  podcast_id: 'podcast',
  parent_id: 'parent',
};

/** The feed members that these columns represent, each once. */
export function feedFieldsOf(columns: Iterable<string>): string[] {
  const fields = new Set<string>();
  for (const column of columns) {
    const name = column in feedFieldNames ? feedFieldNames[column] : column;
    if (name != null) fields.add(name);
  }
  return [...fields];
}

/** The feed members that child rows represent; none for rows that only serve as an index. */
export const feedFieldsOfChildren: Record<ChildTable, readonly string[]> = {
  lineups: ['lineup'],
  tickets: ['tickets'],
  event_artists: [],
  event_genres: ['genres'],
  event_places: [],
  event_sales: [],
  artist_genres: ['genres'],
  festival_genres: ['genres'],
  label_artists: ['artists'],
  episode_artists: ['artists'],
  tracks: ['tracklist'],
  track_artists: ['tracklist'],
};
