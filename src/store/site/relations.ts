/** Related records on public pages: the labels of an artist, the venues of a city … */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { editionItemQuery, toEditionItem } from '../lists/editions.ts';
import { episodeItemQuery, toEpisodeItem } from '../lists/episodes.ts';
import { type PreparedStatement, prepare, query, SqliteStore } from '../statement.ts';

type RelatedParams = { id: number; limit: number };
export type GenreNode = { id: number; slug: string; name: string; parent_id: number | null };
export type SiteLineupRow = {
  slug: string;
  name: string;
  billing: string | null;
  stage: string | null;
  set_start_at: string | null;
  set_end_at: string | null;
};
/** A related record; venues and labels may be closed, festivals may have ended. */
export type RelatedRecord = RecordRef & { closed_at?: string | null; ended_at?: string | null };
export type RelatedList =
  | 'labels of artist'
  | 'venues of city'
  | 'festivals of city'
  | 'labels of label'
  | 'artists of genre'
  | 'festivals of genre';

/** At most this many mixes of an artist are read. */
const maxMixesPerArtist = 500;

/** Reads records related to the one on a page. An unknown id has empty lists. */
export class SiteRelations extends SqliteStore {
  readonly #related: Record<RelatedList, PreparedStatement<RelatedParams, RelatedRecord>> = prepareRelations(
    this.sqlite,
  );
  // Few editions are upcoming, and checking one for the artist is a single index look-up.
  readonly #editionsOf = this.selectAll((artist: number, now: number, limit: number) =>
    editionItemQuery
      .where('d.ends_ts', '>', now)
      .where(
        sql<boolean>`exists (select 1 from lineups x where x.artist_id = ${artist} and x.record_id = d.id)`,
      )
      .orderBy('d.ends_ts')
      .limit(limit),
  );
  readonly #nextEditions = this.selectAll((now: number, limit: number) =>
    editionItemQuery.where('d.ends_ts', '>', now).orderBy('d.ends_ts').limit(limit),
  );
  readonly #editions = this.selectAll((ids: string) =>
    editionItemQuery
      .where(sql<boolean>`d.id in (select value from json_each(${ids}))`)
      .orderBy('d.sort_ts')
      .orderBy('d.id'),
  );
  readonly #editionsInCity = this.selectAll((city: number, from: number, to: number, limit: number) =>
    editionItemQuery
      .where(
        sql<boolean>`d.id in (
          select id from editions where city_id = ${city}
          union all
          select o.id from festivals h join editions o on o.festival_id = h.id
          where h.city_id = ${city} and o.city_id is null)`,
      )
      .where('d.ends_ts', '>', from)
      .where('d.start_ts', '<', to)
      .orderBy('d.start_ts')
      .orderBy('d.id')
      .limit(limit),
  );
  readonly #episodesBy = this.selectAll((artist: number, limit: number) =>
    episodeItemQuery
      .where(
        'e.id',
        'in',
        query.selectFrom('episode_artists').select('episode_id').where('artist_id', '=', artist),
      )
      .orderBy('e.published_ts', 'desc')
      .limit(limit),
  );
  readonly #episodesWith = this.selectAll((artist: number, limit: number) =>
    episodeItemQuery
      .where(
        'e.id',
        'in',
        query
          .selectFrom('track_artists')
          .select('episode_id')
          .where('artist_id', '=', artist)
          .limit(sql.lit(maxMixesPerArtist)),
      )
      .orderBy('e.published_ts', 'desc')
      .limit(limit),
  );
  readonly #newestEpisodes = this.selectAll((limit: number) =>
    episodeItemQuery
      .where(
        sql<boolean>`e.id in (
          select (select n.id from episodes n where n.podcast_id = q.id order by n.published_ts desc, n.id desc limit 1)
          from podcasts q)`,
      )
      .orderBy('e.published_ts', 'desc')
      .limit(limit),
  );
  /** Podcasts with an episode of an artist of a genre or its descendants, by name. */
  readonly podcastsOfGenre = this.selectAll<[genre: number, limit: number], RecordRef>(
    `select r.slug, r.name from podcasts r where exists (select 1 from episodes e cross join episode_artists x
      on x.episode_id = e.id cross join artist_genres g on g.artist_id = x.artist_id and g.genre_id = ?
      where e.podcast_id = r.id) order by r.folded, r.slug limit ?`,
  );
  /** All genres by name. */
  readonly genres = this.selectAll<[], GenreNode>(
    'select id, slug, name, parent_id from genres order by folded, slug',
  );
  /** Artists of a genre or its descendants with an id above `after`, in the order of creation. */
  readonly artistsOf = this.selectAll<
    [genre: number, after: number, limit: number],
    RecordRef & { id: number; country: string | null }
  >(
    `select r.id, r.slug, r.name, r.country from artist_genres x cross join artists r on r.id = x.artist_id
      where x.genre_id = ? and x.artist_id > ? order by x.artist_id limit ?`,
  );
  readonly #lineup = this.selectAll((record: number, after: number, limit: number) =>
    query
      .selectFrom('lineups as l')
      .innerJoin('artists as a', 'a.id', 'l.artist_id')
      .select(['a.slug', 'a.name', 'l.position', 'l.billing', 'l.stage', 'l.set_start_at', 'l.set_end_at'])
      .where('l.record_id', '=', record)
      .where('l.position', '>', after)
      .orderBy('l.position')
      .limit(limit),
  );

  /** Up to `limit` related records; closed venues and ended festivals come last. */
  related(which: RelatedList, id: number, limit: number): RelatedRecord[] {
    return this.#related[which].all({ id, limit });
  }

  /** Upcoming festival editions that an artist plays at. */
  editionsOf(artist: number, now: number, limit: number): ApiRecord<'EditionItem'>[] {
    return this.#editionsOf(artist, now, limit).map(toEditionItem);
  }

  /** Upcoming festival editions, by end. */
  nextEditions(now: number, limit: number): ApiRecord<'EditionItem'>[] {
    return this.#nextEditions(now, limit).map(toEditionItem);
  }

  /** Festival editions by record id, by start. */
  editions(ids: readonly number[]): ApiRecord<'EditionItem'>[] {
    return this.#editions(JSON.stringify(ids)).map(toEditionItem);
  }

  /** Festival editions in a city that take place between two instants (ms), by start. */
  editionsInCity(city: number, from: number, to: number, limit: number): ApiRecord<'EditionItem'>[] {
    return this.#editionsInCity(city, from, to, limit).map(toEditionItem);
  }

  /** Episodes by an artist, or with a track of the artist, newest first. */
  episodesOf(artist: number, how: 'by' | 'with', limit: number): ApiRecord<'EpisodeItem'>[] {
    const select = how === 'by' ? this.#episodesBy : this.#episodesWith;
    return select(artist, limit).map(toEpisodeItem);
  }

  /** The newest episode of each podcast, newest first. The cost grows with the number of podcasts. */
  newestEpisodes(limit: number): ApiRecord<'EpisodeItem'>[] {
    return this.#newestEpisodes(limit).map(toEpisodeItem);
  }

  /** The line-up of an event or edition, after the position `after`. */
  lineup(record: number, limit: number, after = 0): (SiteLineupRow & { position: number })[] {
    return this.#lineup(record, after, limit);
  }
}

function prepareRelations(
  sqlite: Database.Database,
): Record<RelatedList, PreparedStatement<RelatedParams, RelatedRecord>> {
  const own = (table: 'venues' | 'festivals' | 'labels', column: string) => {
    const end = sql.ref(table === 'festivals' ? 'ended_at' : 'closed_at');
    return prepare<RelatedParams, RelatedRecord>(
      sqlite,
      (p) =>
        sql`select slug, name, ${end} from ${sql.table(table)} where ${sql.ref(column)} = ${p.id}
          order by ${end} is not null, folded, slug limit ${p.limit}`,
    );
  };
  // Sorted by the index of the link table, so that only the first rows are read.
  const through = (link: string, by: string, other: string, table: string) =>
    prepare<RelatedParams, RecordRef>(
      sqlite,
      (
        p,
      ) => sql`select r.slug, r.name from ${sql.table(link)} x cross join ${sql.table(table)} r on r.id = x.${sql.ref(other)}
        where x.${sql.ref(by)} = ${p.id} order by x.${sql.ref(other)} limit ${p.limit}`,
    );
  return {
    'labels of artist': through('label_artists', 'artist_id', 'label_id', 'labels'),
    'venues of city': own('venues', 'city_id'),
    'festivals of city': own('festivals', 'city_id'),
    'labels of label': own('labels', 'parent_id'),
    'artists of genre': through('artist_genres', 'genre_id', 'artist_id', 'artists'),
    'festivals of genre': through('festival_genres', 'genre_id', 'festival_id', 'festivals'),
  };
}
