/** Reads single records for detail responses. A former slug also finds the record. */
import { sql } from 'kysely';
import { formatUtc } from '../../clock.ts';
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { episodeItemQuery, toEpisodeItem } from '../lists/episodes.ts';
import { prepare, query, SqliteStore } from '../statement.ts';
import { ArtistSummaries, type ArtistSummary } from './artist-summaries.ts';
import { EventItems } from './event-items.ts';
import {
  artistItemQuery,
  cityItemQuery,
  countRows,
  genreItemQuery,
  labelItemQuery,
  podcastItemQuery,
  toArtistItem,
  toCityItem,
  toGenreItem,
  toLabelItem,
  toPodcastItem,
  toVenueItem,
  venueItemQuery,
} from './list-items.ts';
import { parseAliases, parseLinks, toExternalIds, toRef } from './serialize.ts';
import { SingleFestivals } from './single-festivals.ts';

type IdParam = { id: number };

/** Reads single records. `since` is the earliest start (ms) of an event that can still be upcoming. */
export class RecordDetails extends SqliteStore {
  /** The record with this present or former slug; null if there is none. */
  readonly find = this.selectValue<[kind: Kind, slug: string], number>(
    `SELECT record_id FROM slugs s WHERE kind = ? AND slug = ?
       AND NOT EXISTS (SELECT 1 FROM removed_records r WHERE r.record_id = s.record_id)`,
  );
  /** The records of a kind with this id at another service (see `normalizeId`): usually one. */
  readonly findByExternalId = this.selectValues<[kind: Kind, service: string, externalId: string], number>(
    'SELECT record_id FROM external_ids WHERE kind = ? AND service = ? AND external_id = ?',
  );
  /** The ids of the records of a kind that a source knows by this external id: one or none. */
  readonly findAtSource = this.selectValues<[source: string, kind: Kind, externalId: string], number>(
    `SELECT r.record_id FROM sources s JOIN source_records r ON r.source_id = s.id
       WHERE s.name = ? AND r.kind = ? AND r.external_id = ?`,
  );
  /** The ids of the records of a kind with this folded name or alias. */
  readonly findByFoldedName = this.selectValues<[kind: Kind, folded: string], number>(
    'SELECT DISTINCT record_id FROM names WHERE kind = ? AND folded = ?',
  );
  readonly #createdFrom = this.selectValue<[time: number], number>(
    'SELECT first_id FROM creation_times WHERE created_ts >= ? ORDER BY created_ts LIMIT 1',
  );
  readonly #eventItems = new EventItems(this.sqlite);
  // A subquery instead of a join and rows as arrays take a third of the time, as measured.
  readonly #event = prepare<IdParam, [item: string, detail: string, updatedTs: number]>(
    this.sqlite,
    (p) =>
      query
        .selectFrom('events')
        .select((eb) => [
          'item_json',
          eb
            .selectFrom('event_details')
            .select('detail_json')
            .whereRef('event_id', '=', 'events.id')
            .as('detail'),
          'updated_ts',
        ])
        .where('id', '=', p.id),
    true,
  );
  // Removed events have no row. One statement instead of a look-up of the id first.
  readonly #eventBySlug = this.sqlite
    .prepare(
      `SELECT item_json, (SELECT detail_json FROM event_details d WHERE d.event_id = e.id), updated_ts, id
       FROM events e WHERE slug = ?`,
    )
    .raw();
  readonly #summaries = new ArtistSummaries(this.sqlite);
  readonly #artist = this.selectOne((id: number) =>
    artistItemQuery
      .select(['real_name', 'aliases', 'biography', 'links', 'external_ids', 'updated_ts'])
      .where('artists.id', '=', id),
  );
  readonly #venue = this.selectOne((id: number) =>
    venueItemQuery
      .leftJoin('cities', 'cities.id', 'venues.city_id')
      .select([
        'venues.address',
        'venues.postal_code',
        'venues.latitude',
        'venues.longitude',
        'cities.slug as city_slug',
        'venues.capacity',
        'venues.website',
        'venues.image_url',
        'venues.links',
        'venues.external_ids',
        'venues.updated_ts',
      ])
      .where('venues.id', '=', id),
  );
  /** Reads festivals and editions. */
  readonly festivals = new SingleFestivals(this.sqlite);
  readonly #city = this.selectOne((id: number) =>
    cityItemQuery
      .select(['population', 'updated_ts'])
      .select(countRows('venues', 'city_id', 'cities.id').as('venue_count'))
      .where('cities.id', '=', id),
  );
  readonly #label = this.selectOne((id: number) =>
    labelItemQuery
      .leftJoin('labels as parents', 'parents.id', 'labels.parent_id')
      .select([
        'labels.description',
        'parents.slug as parent_slug',
        'parents.name as parent_name',
        'labels.website',
        'labels.aliases',
        'labels.links',
        'labels.external_ids',
        'labels.updated_ts',
      ])
      .select(countRows('label_artists', 'label_id', 'labels.id').as('artist_count'))
      .where('labels.id', '=', id),
  );
  readonly #genre = this.selectOne((id: number) =>
    genreItemQuery
      .select(['genres.description', 'genres.aliases'])
      .select(countRows('artist_genres', 'genre_id', 'genres.id').as('artist_count'))
      .where('genres.id', '=', id),
  );
  readonly #children = this.selectAll((id: number) =>
    query
      .selectFrom('genres')
      .select(['slug', 'name'])
      .where('parent_id', '=', id)
      .orderBy('folded')
      .orderBy('slug'),
  );
  readonly #podcast = this.selectOne((id: number) =>
    podcastItemQuery
      .select(['description', 'website', 'feed_url', 'links', 'updated_ts'])
      .select(countRows('episodes', 'podcast_id', 'podcasts.id').as('episode_count'))
      .select((eb) => [
        eb
          .selectFrom('episodes')
          .select('published_at')
          .whereRef('podcast_id', '=', 'podcasts.id')
          .where('published_at', 'is not', null)
          .orderBy('published_ts', 'desc')
          .limit(1)
          .as('latest_episode_at'),
      ])
      .where('podcasts.id', '=', id),
  );
  readonly #episode = this.selectOne((id: number) =>
    episodeItemQuery
      .select(['e.description', 'e.audio_url', 'e.image_url', 'e.updated_ts'])
      .select(countRows('tracks', 'episode_id', 'e.id').as('track_count'))
      .where('e.id', '=', id),
  );
  readonly #upcoming = {
    genre: this.#countUpcoming('event_genres', 'genre_id'),
    venue: this.#countUpcoming('events', 'venue_id'),
    city: this.#countUpcoming('events', 'city_id'),
  };

  /** The lowest id of a record that was created at this time (ms) or later. */
  firstIdCreatedSince(time: number): number {
    return this.#createdFrom(time) ?? Number.MAX_SAFE_INTEGER;
  }

  /** The event with this present slug as JSON text, assembled from stored renderings; null if there is none. */
  eventBySlug(slug: string): string | null {
    const row = this.#eventBySlug.get(slug) as [string, string, number, number] | undefined;
    if (row === undefined) return null;
    const [item, detail, updated_ts, id] = row;
    return this.#eventItems.completeDetail({ id, item, updated_ts }, detail);
  }

  /** The same for an event by its id, which exists. */
  event(id: number): string {
    const [item, detail, updated_ts] = this.#event.get({ id }) as [string, string, number];
    return this.#eventItems.completeDetail({ id, item, updated_ts }, detail);
  }

  artist(id: number, upcoming: UpcomingRange): ApiRecord<'Artist'> {
    const row = this.#artist(id);
    return {
      ...toArtistItem(row, upcoming.now, this.#summaries.of([id], upcoming.now)[0] as ArtistSummary),
      real_name: row.real_name,
      aliases: parseAliases(row.aliases),
      biography: row.biography,
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      updated_at: formatUtc(row.updated_ts),
    };
  }

  venue(id: number, upcoming: UpcomingRange): ApiRecord<'Venue'> {
    const row = this.#venue(id);
    return {
      ...toVenueItem(row, upcoming.now),
      location: {
        address: row.address,
        postal_code: row.postal_code,
        latitude: row.latitude,
        longitude: row.longitude,
      },
      city_slug: row.city_slug,
      capacity: row.capacity,
      website: row.website,
      image_url: row.image_url,
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      upcoming_event_count: this.#upcoming.venue(id, upcoming),
      updated_at: formatUtc(row.updated_ts),
    };
  }

  city(id: number, upcoming: UpcomingRange): ApiRecord<'City'> {
    const row = this.#city(id);
    return {
      ...toCityItem(row),
      population: row.population,
      venue_count: row.venue_count,
      upcoming_event_count: this.#upcoming.city(id, upcoming),
      updated_at: formatUtc(row.updated_ts),
    };
  }

  label(id: number, now: number): ApiRecord<'Label'> {
    const row = this.#label(id);
    return {
      ...toLabelItem(row, now),
      description: row.description,
      parent: toRef(row.parent_slug, row.parent_name),
      website: row.website,
      aliases: parseAliases(row.aliases),
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      artist_count: row.artist_count,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  genre(id: number, upcoming: UpcomingRange): ApiRecord<'Genre'> {
    const row = this.#genre(id);
    return {
      ...toGenreItem(row),
      description: row.description,
      aliases: parseAliases(row.aliases),
      children: this.#children(id),
      artist_count: row.artist_count,
      upcoming_event_count: this.#upcoming.genre(id, upcoming),
    };
  }

  podcast(id: number): ApiRecord<'Podcast'> {
    const row = this.#podcast(id);
    return {
      ...toPodcastItem(row),
      description: row.description,
      website: row.website,
      feed_url: row.feed_url,
      links: parseLinks(row.links),
      episode_count: row.episode_count,
      latest_episode_at: row.latest_episode_at,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  episode(id: number): ApiRecord<'Episode'> {
    const row = this.#episode(id);
    return {
      ...toEpisodeItem(row),
      description: row.description,
      audio_url: row.audio_url,
      image_url: row.image_url,
      track_count: row.track_count,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  #countUpcoming(table: 'events' | 'event_genres', column: string) {
    return this.selectCount<[id: number, range: UpcomingRange]>(
      (id, { since, now }) =>
        sql`select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id} and start_ts >= ${since} and ends_ts > ${now}`,
    );
  }
}

/** Bounds for an index scan of upcoming events: they end after `now` and start at `since` or later (both ms). */
export type UpcomingRange = { now: number; since: number };
