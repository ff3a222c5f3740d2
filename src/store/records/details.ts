/** Reads single records for detail responses. A former slug also finds the record. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { episodeItemQuery, toEpisodeItem } from '../lists/episodes.ts';
import { prepare, prepareValue, query } from '../statement.ts';
import { ArtistSummaries, type ArtistSummary } from './artist-summaries.ts';
import { EventItems } from './event-items.ts';
import {
  artistItemQuery,
  cityItemQuery,
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
import { formatUtc, parseAliases, parseLinks, toExternalIds, toRef } from './serialize.ts';
import { SingleFestivals } from './single-festivals.ts';
import type {
  ArtistRow,
  CityRow,
  EpisodeRow,
  GenreRow,
  LabelRow,
  PodcastRow,
  VenueRow,
} from './single-record-rows.ts';

type IdParam = { id: number };
type UpcomingParams = { id: number; now: number; since: number };

/** Reads single records. `since` is the earliest start (ms) of an event that can still be upcoming. */
export class RecordDetails {
  readonly #find;
  readonly #findByExternalId;
  readonly #findAtSource;
  readonly #findByName;
  readonly #createdFrom;
  readonly #event;
  readonly #eventBySlug: Database.Statement;
  readonly #eventItems;
  readonly #artist;
  readonly #summaries;
  readonly #venue;
  readonly #festivals: SingleFestivals;
  readonly #city;
  readonly #label;
  readonly #genre;
  readonly #children;
  readonly #podcast;
  readonly #episode;
  readonly #upcoming;

  constructor(sqlite: Database.Database) {
    this.#find = prepareValue<number>(
      sqlite,
      `SELECT record_id FROM slugs s WHERE kind = ? AND slug = ?
         AND NOT EXISTS (SELECT 1 FROM removed_records r WHERE r.record_id = s.record_id)`,
    );
    this.#findByExternalId = prepareValue<number>(
      sqlite,
      'SELECT record_id FROM external_ids WHERE kind = ? AND service = ? AND external_id = ?',
    );
    this.#findAtSource = prepareValue<number>(
      sqlite,
      `SELECT r.record_id FROM sources s JOIN source_records r ON r.source_id = s.id
         WHERE s.name = ? AND r.kind = ? AND r.external_id = ?`,
    );
    this.#findByName = prepareValue<number>(
      sqlite,
      'SELECT DISTINCT record_id FROM names WHERE kind = ? AND folded = ?',
    );
    this.#createdFrom = prepareValue<number>(
      sqlite,
      'SELECT first_id FROM creation_times WHERE created_ts >= ? ORDER BY created_ts LIMIT 1',
    );
    this.#eventItems = new EventItems(sqlite);
    // A subquery instead of a join and rows as arrays take a third of the time, as measured.
    this.#event = prepare<IdParam, [item: string, detail: string, updatedTs: number]>(
      sqlite,
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
    this.#eventBySlug = sqlite
      .prepare(
        `SELECT item_json, (SELECT detail_json FROM event_details d WHERE d.event_id = e.id), updated_ts, id
         FROM events e WHERE slug = ?`,
      )
      .raw();
    this.#summaries = new ArtistSummaries(sqlite);
    this.#artist = prepare<IdParam, ArtistRow>(sqlite, (p) =>
      artistItemQuery
        .select(['real_name', 'aliases', 'biography', 'links', 'external_ids', 'updated_ts'])
        .where('artists.id', '=', p.id),
    );
    this.#venue = prepare<IdParam, VenueRow>(sqlite, (p) =>
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
        .where('venues.id', '=', p.id),
    );
    this.#festivals = new SingleFestivals(sqlite);
    this.#city = prepare<IdParam, CityRow>(sqlite, (p) =>
      cityItemQuery
        .select(['population', 'updated_ts'])
        .select((eb) =>
          eb
            .selectFrom('venues')
            .select(eb.fn.countAll().as('n'))
            .whereRef('city_id', '=', 'cities.id')
            .as('venue_count'),
        )
        .where('cities.id', '=', p.id),
    );
    this.#label = prepare<IdParam, LabelRow>(sqlite, (p) =>
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
        .select((eb) =>
          eb
            .selectFrom('label_artists')
            .select(eb.fn.countAll().as('n'))
            .whereRef('label_id', '=', 'labels.id')
            .as('artist_count'),
        )
        .where('labels.id', '=', p.id),
    );
    this.#genre = prepare<IdParam, GenreRow>(sqlite, (p) =>
      genreItemQuery
        .select(['genres.description', 'genres.aliases'])
        .select((eb) =>
          eb
            .selectFrom('artist_genres')
            .select(eb.fn.countAll().as('n'))
            .whereRef('genre_id', '=', 'genres.id')
            .as('artist_count'),
        )
        .where('genres.id', '=', p.id),
    );
    this.#children = prepare<IdParam, { slug: string; name: string }>(sqlite, (p) =>
      query
        .selectFrom('genres')
        .select(['slug', 'name'])
        .where('parent_id', '=', p.id)
        .orderBy('folded')
        .orderBy('slug'),
    );
    this.#podcast = prepare<IdParam, PodcastRow>(sqlite, (p) =>
      podcastItemQuery
        .select(['description', 'website', 'feed_url', 'links', 'updated_ts'])
        .select((eb) => [
          eb
            .selectFrom('episodes')
            .select(eb.fn.countAll().as('n'))
            .whereRef('podcast_id', '=', 'podcasts.id')
            .as('episode_count'),
          eb
            .selectFrom('episodes')
            .select('published_at')
            .whereRef('podcast_id', '=', 'podcasts.id')
            .where('published_at', 'is not', null)
            .orderBy('published_ts', 'desc')
            .limit(1)
            .as('latest_episode_at'),
        ])
        .where('podcasts.id', '=', p.id),
    );
    this.#episode = prepare<IdParam, EpisodeRow>(sqlite, (p) =>
      episodeItemQuery
        .select(['e.description', 'e.audio_url', 'e.image_url', 'e.updated_ts'])
        .select((eb) =>
          eb
            .selectFrom('tracks')
            .select(eb.fn.countAll().as('n'))
            .whereRef('episode_id', '=', 'e.id')
            .as('track_count'),
        )
        .where('e.id', '=', p.id),
    );
    const counting = <T extends 'events' | 'event_genres'>(table: T, column: string) =>
      prepare<UpcomingParams, { n: number }>(
        sqlite,
        (p) =>
          sql`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${p.id} and start_ts >= ${p.since} and ends_ts > ${p.now}`,
      );
    this.#upcoming = {
      genre: counting('event_genres', 'genre_id'),
      venue: counting('events', 'venue_id'),
      city: counting('events', 'city_id'),
    };
  }

  /** The record with this present or former slug; null if there is none. */
  find(kind: Kind, slug: string): number | null {
    return this.#find.get(kind, slug) ?? null;
  }

  /** The records of a kind with this id at another service: usually one. */
  findByExternalId(kind: Kind, service: string, externalId: string): number[] {
    return this.#findByExternalId.all(kind, service, externalId);
  }

  /** The ids of the records of a kind that a source knows by this external id: one or none. */
  findAtSource(source: string, kind: Kind, externalId: string): number[] {
    return this.#findAtSource.all(source, kind, externalId);
  }

  /** The ids of the records of a kind with this folded name or alias. */
  findByFoldedName(kind: Kind, folded: string): number[] {
    return this.#findByName.all(kind, folded);
  }

  /** The lowest id of a record that was created at this time (ms) or later. */
  firstIdCreatedSince(time: number): number {
    return this.#createdFrom.get(time) ?? Number.MAX_SAFE_INTEGER;
  }

  /** The edition of a festival by its edition key; null if there is none. */
  findEdition(festival: number, edition: string): number | null {
    return this.#festivals.findEdition(festival, edition);
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
    const row = this.#artist.get({ id }) as ArtistRow;
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
    const row = this.#venue.get({ id }) as VenueRow;
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
      upcoming_event_count: this.#count('venue', id, upcoming),
      updated_at: formatUtc(row.updated_ts),
    };
  }

  festival(id: number, now: number): ApiRecord<'Festival'> {
    return this.#festivals.festival(id, now);
  }

  edition(id: number): ApiRecord<'Edition'> {
    return this.#festivals.edition(id);
  }

  city(id: number, upcoming: UpcomingRange): ApiRecord<'City'> {
    const row = this.#city.get({ id }) as CityRow;
    return {
      ...toCityItem(row),
      population: row.population,
      venue_count: row.venue_count,
      upcoming_event_count: this.#count('city', id, upcoming),
      updated_at: formatUtc(row.updated_ts),
    };
  }

  label(id: number, now: number): ApiRecord<'Label'> {
    const row = this.#label.get({ id }) as LabelRow;
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
    const row = this.#genre.get({ id }) as GenreRow;
    return {
      ...toGenreItem(row),
      description: row.description,
      aliases: parseAliases(row.aliases),
      children: this.#children.all({ id }),
      artist_count: row.artist_count,
      upcoming_event_count: this.#count('genre', id, upcoming),
    };
  }

  podcast(id: number): ApiRecord<'Podcast'> {
    const row = this.#podcast.get({ id }) as PodcastRow;
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
    const row = this.#episode.get({ id }) as EpisodeRow;
    return {
      ...toEpisodeItem(row),
      description: row.description,
      audio_url: row.audio_url,
      image_url: row.image_url,
      track_count: row.track_count,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  #count(of: 'venue' | 'city' | 'genre', id: number, { now, since }: UpcomingRange): number {
    return this.#upcoming[of].get({ id, now, since })?.n ?? 0;
  }
}

/** Bounds for an index scan of upcoming events: they end after `now` and start at `since` or later (both ms). */
export type UpcomingRange = { now: number; since: number };
