/** Exports podcasts and episodes as lines of a feed. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { prepare, query } from '../statement.ts';
import {
  groupByOwner,
  type IdRange,
  type KindReader,
  namedReader,
  type OwnedName,
  pickColumns,
  selectChanged,
  toFeedLine,
  toReference,
  toReferences,
  withoutNulls,
} from './feed-lines.ts';

export const podcastReader = namedReader({
  table: 'podcasts',
  columns: ['publisher', 'description', 'website', 'feed_url', 'image_url'],
  json: ['links'],
});

/** Prepares the reader of episodes with their artists and tracklists. The podcast is a reference by its slug. */
export const episodeReader = (sqlite: Database.Database): KindReader => {
  const rows = selectChanged(
    sqlite,
    'episodes',
    [
      't.name',
      't.number',
      't.published_at',
      't.duration_seconds',
      't.description',
      't.audio_url',
      't.image_url',
      'p.slug as podcast_slug',
      'p.name as podcast',
    ],
    sql`join podcasts p on p.id = t.podcast_id`,
  );
  const artists = prepare<IdRange, OwnedName>(sqlite, (p) =>
    query
      .selectFrom('episode_artists as x')
      .innerJoin('artists as a', 'a.id', 'x.artist_id')
      .select(['x.episode_id as owner', 'a.slug', 'a.name'])
      .where('x.episode_id', '>=', p.first)
      .where('x.episode_id', '<=', p.last)
      .orderBy('x.episode_id')
      .orderBy('x.position'),
  );
  const tracks = prepare<IdRange, { owner: number } & Record<string, string | number | null>>(sqlite, (p) =>
    query
      .selectFrom('tracks')
      .select(['episode_id as owner', 'position', 'start_seconds', 'artist_name', 'title', 'label_name'])
      .where('episode_id', '>=', p.first)
      .where('episode_id', '<=', p.last)
      .orderBy('episode_id')
      .orderBy('position'),
  );
  return (range) => {
    const batch = rows.all(range);
    const [artistsByEpisode, tracksByEpisode] = [groupByOwner(artists, batch), groupByOwner(tracks, batch)];
    return batch.map((row) =>
      toFeedLine(row, {
        podcast: toReference(row.podcast_slug, row.podcast),
        name: row.name,
        ...pickColumns(row, [
          'number',
          'published_at',
          'duration_seconds',
          'description',
          'audio_url',
          'image_url',
        ]),
        artists: toReferences(artistsByEpisode.get(row.id)),
        tracklist: (tracksByEpisode.get(row.id) ?? []).map(withoutNulls),
      }),
    );
  };
};
