/** Episodes as lists show them, newest first, and their tracklists. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Ref, Shown } from '../contract/records.ts';
import type { Key, ListSource, Moved, Row } from './list.ts';
import { pageUrl, publicId, showRef } from './show.ts';
import { preparedByShape, query } from './statement.ts';

const artistRefs = sql<string>`(
  select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.position)
  from episode_artists x join artists a on a.id = x.artist_id where x.episode_id = e.id)`;

export const episodeItems = query
  .selectFrom('episodes as e')
  .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
  .select([
    'e.id',
    'e.slug',
    'e.name',
    'e.number',
    'e.published_at',
    'e.published_ts',
    'e.duration_seconds',
    'p.slug as podcast_slug',
    'p.name as podcast_name',
    artistRefs.as('artists'),
  ]);

type EpisodeItemRow = {
  id: number;
  slug: string;
  name: string;
  number: number | null;
  published_at: string | null;
  published_ts: number;
  duration_seconds: number | null;
  podcast_slug: string;
  podcast_name: string;
  artists: string;
};

export const showEpisodeItem = (row: EpisodeItemRow): Shown<'EpisodeItem'> => ({
  id: publicId('episode', row.id),
  slug: row.slug,
  podcast: showRef(row.podcast_slug, row.podcast_name) as Ref,
  name: row.name,
  number: row.number,
  published_at: row.published_at,
  duration_seconds: row.duration_seconds,
  artists: JSON.parse(row.artists) as Ref[],
  url: pageUrl('episode', row.slug),
});

type Values = { podcast: number; afterTime: number; afterId: number; since: number; limit: number };

/** The episodes of a podcast, newest first, those without a date last. */
export function episodeLists(sqlite: Database.Database): (podcast: number) => ListSource {
  const byShape = preparedByShape<Values, EpisodeItemRow>(sqlite, (shape, p) => {
    const moved = query
      .selectFrom('moves')
      .select('record_id')
      .where('kind', '=', 'episode')
      .where('revision', '>', p.since);
    return episodeItems
      .where('e.podcast_id', '=', p.podcast)
      .$if(shape.includes('after'), (q) =>
        q.where((eb) => eb(eb.refTuple('e.published_ts', 'e.id'), '<', eb.tuple(p.afterTime, p.afterId))),
      )
      .$if(shape.includes('only-moved'), (q) => q.where('e.id', 'in', moved))
      .$if(shape.includes('un-moved'), (q) => q.where('e.id', 'not in', moved))
      .orderBy('e.published_ts', 'desc')
      .orderBy('e.id', 'desc')
      .limit(p.limit);
  });
  return (podcast) => ({
    kind: 'episode',
    descending: true,
    fetch: (after: Key | null, limit: number, moved: Moved): Row[] =>
      byShape(`${after ? 'after' : ''} ${moved ? (moved.only ? 'only-moved' : 'un-moved') : ''}`)
        .all({
          podcast,
          limit,
          afterTime: (after?.[0] ?? 0) as number,
          afterId: (after?.[1] ?? 0) as number,
          since: moved?.since ?? 0,
        })
        .map((row) => {
          const json = JSON.stringify(showEpisodeItem(row));
          return moved?.only ? [json, row.id] : [json, row.published_ts, row.id];
        }),
  });
}

type TrackRow = {
  position: number;
  start_seconds: number | null;
  artist_name: string | null;
  title: string | null;
  label_name: string | null;
  identified: number;
  label_slug: string | null;
  label: string | null;
  artists: string;
};

const showTrack = (row: TrackRow): Shown<'Track'> => ({
  position: row.position,
  start_seconds: row.start_seconds,
  artist_name: row.artist_name,
  title: row.title,
  label_name: row.label_name,
  artists: JSON.parse(row.artists) as Ref[],
  label: showRef(row.label_slug, row.label),
  identified: row.identified === 1,
});

/** The tracklist of an episode, by position. */
export function trackLists(sqlite: Database.Database): (episode: number) => ListSource {
  const trackArtists = sql<string>`(
    select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.ordinal)
    from track_artists x join artists a on a.id = x.artist_id where x.episode_id = t.episode_id and x.position = t.position)`;
  const byShape = preparedByShape<{ episode: number; after: number; limit: number }, TrackRow>(
    sqlite,
    (_shape, p) =>
      query
        .selectFrom('tracks as t')
        .leftJoin('labels as l', 'l.id', 't.label_id')
        .select([
          't.position',
          't.start_seconds',
          't.artist_name',
          't.title',
          't.label_name',
          't.identified',
          'l.slug as label_slug',
          'l.name as label',
          trackArtists.as('artists'),
        ])
        .where('t.episode_id', '=', p.episode)
        .where('t.position', '>', p.after)
        .orderBy('t.position')
        .limit(p.limit),
  );
  return (episode) => ({
    kind: null,
    descending: false,
    fetch: (after, limit): Row[] =>
      byShape('')
        .all({ episode, limit, after: (after?.[0] ?? 0) as number })
        .map((row) => [JSON.stringify(showTrack(row)), row.position]),
  });
}
