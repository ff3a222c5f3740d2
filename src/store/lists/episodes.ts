/** List items of episodes, newest first, and tracklists. */
import type Database from 'better-sqlite3';
import { type InferResult, sql } from 'kysely';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { pageUrl, publicId, toRef } from '../records/serialize.ts';
import { prepareByShape, query } from '../statement.ts';
import { childListSource, idsOf } from './child-list.ts';
import type { ListEntry, ListSource } from './pagination.ts';

const artistRefsSql = sql<string>`(
  select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.position)
  from episode_artists x join artists a on a.id = x.artist_id where x.episode_id = e.id)`;

export const episodeItemQuery = query
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
    artistRefsSql.as('artists'),
  ]);

type EpisodeItemRow = InferResult<typeof episodeItemQuery>[number];

/** Converts a row to a list item. The URL has the placeholder of the base URL. */
export const toEpisodeItem = (row: EpisodeItemRow): ApiRecord<'EpisodeItem'> => ({
  id: publicId('episode', row.id),
  slug: row.slug,
  podcast: toRef(row.podcast_slug, row.podcast_name) as RecordRef,
  name: row.name,
  number: row.number,
  published_at: row.published_at,
  duration_seconds: row.duration_seconds,
  artists: JSON.parse(row.artists) as RecordRef[],
  url: pageUrl('episode', row.slug),
});

/** The episodes of a podcast, newest first, those without a date last. */
export const episodeListSource = (sqlite: Database.Database): ((podcast: number) => ListSource) =>
  childListSource<EpisodeItemRow>(sqlite, {
    kind: 'episode',
    build: (p, has, moved) =>
      episodeItemQuery
        .where('e.podcast_id', '=', p.owner)
        .$if(has('after'), (q) =>
          q.where((eb) => eb(eb.refTuple('e.published_ts', 'e.id'), '<', eb.tuple(p.afterTime, p.afterId))),
        )
        .$if(has('only-moved'), (q) => q.where('e.id', 'in', idsOf(p)))
        .$if(has('not-moved'), (q) => q.where('e.id', 'not in', moved))
        .orderBy('e.published_ts', 'desc')
        .orderBy('e.id', 'desc')
        .limit(p.limit),
    toItem: toEpisodeItem,
    timeOf: (row) => row.published_ts,
  });

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

const toTrack = (row: TrackRow): ApiRecord<'Track'> => ({
  position: row.position,
  start_seconds: row.start_seconds,
  artist_name: row.artist_name,
  title: row.title,
  label_name: row.label_name,
  artists: JSON.parse(row.artists) as RecordRef[],
  label: toRef(row.label_slug, row.label),
  identified: row.identified === 1,
});

/** The tracklist of an episode, by position. */
export function trackListSource(sqlite: Database.Database): (episode: number) => ListSource {
  const trackArtists = sql<string>`(
    select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.ordinal)
    from track_artists x join artists a on a.id = x.artist_id where x.episode_id = t.episode_id and x.position = t.position)`;
  const byShape = prepareByShape<{ episode: number; after: number; limit: number }, TrackRow>(
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
    fetch: (after, limit): ListEntry[] =>
      byShape('')
        .all({ episode, limit, after: (after?.[0] ?? 0) as number })
        .map((row) => [JSON.stringify(toTrack(row)), row.position]),
  });
}
