/** Reads single records for detail responses. A former slug also finds the record. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { editionItemQuery, toEditionItem } from '../lists/editions.ts';
import { episodeItemQuery, toEpisodeItem } from '../lists/episodes.ts';
import { prepare, query } from '../statement.ts';
import { ArtistSummaries, type ArtistSummary } from './artist-summaries.ts';
import { EventItems } from './event-items.ts';
import {
  artistItemQuery,
  cityItemQuery,
  festivalItemQuery,
  genreItemQuery,
  labelItemQuery,
  podcastItemQuery,
  toArtistItem,
  toCityItem,
  toFestivalItem,
  toGenreItem,
  toLabelItem,
  toPodcastItem,
  toVenueItem,
  venueItemQuery,
} from './list-items.ts';
import { formatUtc, parseAliases, parseLinks, toExternalIds, toRef } from './serialize.ts';

type IdParam = { id: number };
type UpcomingParams = { id: number; now: number; since: number };

/** Reads single records. `since` is the earliest start (ms) of an event that can still be upcoming. */
export class RecordDetails {
  readonly #find;
  readonly #findByExternalId;
  readonly #event;
  readonly #eventItems;
  readonly #artist;
  readonly #summaries;
  readonly #venue;
  readonly #festival;
  readonly #festivalGenres;
  readonly #edition;
  readonly #editionId;
  readonly #city;
  readonly #label;
  readonly #genre;
  readonly #children;
  readonly #podcast;
  readonly #episode;
  readonly #upcoming;

  constructor(sqlite: Database.Database) {
    this.#find = sqlite
      .prepare(
        `SELECT record_id FROM slugs s WHERE kind = ? AND slug = ?
         AND NOT EXISTS (SELECT 1 FROM removed_records r WHERE r.record_id = s.record_id)`,
      )
      .pluck();
    this.#findByExternalId = sqlite
      .prepare('SELECT record_id FROM external_ids WHERE kind = ? AND service = ? AND external_id = ?')
      .pluck();
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
    this.#summaries = new ArtistSummaries(sqlite);
    this.#artist = prepare(sqlite, (p: IdParam) =>
      artistItemQuery
        .select(['real_name', 'aliases', 'biography', 'links', 'external_ids', 'updated_ts'])
        .where('artists.id', '=', p.id),
    ) as unknown as RowStatement<ArtistRow>;
    this.#venue = prepare(sqlite, (p: IdParam) =>
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
    ) as unknown as RowStatement<VenueRow>;
    this.#festival = prepare<{ id: number; now: number }, FestivalRow>(sqlite, (p) =>
      festivalItemQuery
        .select(['description', 'website', 'links', 'external_ids', 'updated_ts'])
        .select((eb) => [
          eb
            .selectFrom('editions')
            .select(eb.fn.countAll().as('n'))
            .whereRef('festival_id', '=', 'festivals.id')
            .as('edition_count'),
          eb
            .selectFrom('editions')
            .select('edition')
            .whereRef('festival_id', '=', 'festivals.id')
            .where('start_ts', '<=', p.now)
            .orderBy('sort_ts', 'desc')
            .orderBy('id', 'desc')
            .limit(1)
            .as('latest_edition'),
          eb
            .selectFrom('editions')
            .select('edition')
            .whereRef('festival_id', '=', 'festivals.id')
            .where('ends_ts', '>', p.now)
            .orderBy('sort_ts')
            .orderBy('id')
            .limit(1)
            .as('next_edition'),
        ])
        .where('festivals.id', '=', p.id),
    );
    this.#festivalGenres = prepare<IdParam, { slug: string; name: string }>(sqlite, (p) =>
      query
        .selectFrom('festival_genres as x')
        .innerJoin('genres as g', 'g.id', 'x.genre_id')
        .select(['g.slug', 'g.name'])
        .where('x.festival_id', '=', p.id)
        .orderBy('g.folded')
        .orderBy('g.slug'),
    );
    this.#editionId = prepare<{ festival: number; edition: string }, IdParam>(sqlite, (p) =>
      query
        .selectFrom('editions')
        .select('id')
        .where('festival_id', '=', p.festival)
        .where('edition', '=', p.edition),
    );
    this.#edition = prepare<IdParam, EditionRow>(sqlite, (p) =>
      editionItemQuery
        .select(['d.description', 'd.image_url', 'd.updated_ts'])
        .select((eb) =>
          eb
            .selectFrom('lineups')
            .select(eb.fn.countAll().as('n'))
            .whereRef('record_id', '=', 'd.id')
            .as('lineup_count'),
        )
        .where('d.id', '=', p.id),
    );
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
    return (this.#find.get(kind, slug) as number | undefined) ?? null;
  }

  /** The records of a kind with this id at another service: usually one. */
  findByExternalId(kind: Kind, service: string, externalId: string): number[] {
    return this.#findByExternalId.all(kind, service, externalId) as number[];
  }

  /** The edition of a festival by its edition key; null if there is none. */
  findEdition(festival: number, edition: string): number | null {
    return this.#editionId.get({ festival, edition })?.id ?? null;
  }

  /** An event as JSON text, assembled from stored renderings. */
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
    const row = this.#festival.get({ id, now }) as FestivalRow;
    return {
      ...toFestivalItem(row, now),
      description: row.description,
      website: row.website,
      links: parseLinks(row.links),
      external_ids: toExternalIds(row.external_ids),
      genres: this.#festivalGenres.all({ id }),
      edition_count: row.edition_count,
      latest_edition: row.latest_edition,
      next_edition: row.next_edition,
      updated_at: formatUtc(row.updated_ts),
    };
  }

  edition(id: number): ApiRecord<'Edition'> {
    const row = this.#edition.get({ id }) as EditionRow;
    return {
      ...toEditionItem(row),
      description: row.description,
      image_url: row.image_url,
      lineup_count: row.lineup_count,
      updated_at: formatUtc(row.updated_ts),
    };
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

type RowStatement<R> = { get(values: IdParam): R | undefined };
type DescribedRow = { description: string | null; image_url: string | null; updated_ts: number };
type ArtistRow = Parameters<typeof toArtistItem>[0] & {
  real_name: string | null;
  aliases: string;
  biography: string | null;
  links: string;
  external_ids: string;
  updated_ts: number;
};
type VenueRow = Parameters<typeof toVenueItem>[0] & {
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
type FestivalRow = Parameters<typeof toFestivalItem>[0] & {
  description: string | null;
  website: string | null;
  links: string;
  external_ids: string;
  edition_count: number;
  latest_edition: string | null;
  next_edition: string | null;
  updated_ts: number;
};
type EditionRow = Parameters<typeof toEditionItem>[0] & DescribedRow & { lineup_count: number };
type CityRow = Parameters<typeof toCityItem>[0] & {
  population: number | null;
  venue_count: number;
  updated_ts: number;
};
type LabelRow = Parameters<typeof toLabelItem>[0] & {
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
type GenreRow = Parameters<typeof toGenreItem>[0] & {
  description: string | null;
  aliases: string;
  artist_count: number;
};
type PodcastRow = Parameters<typeof toPodcastItem>[0] & {
  description: string | null;
  website: string | null;
  feed_url: string | null;
  links: string;
  episode_count: number;
  latest_episode_at: string | null;
  updated_ts: number;
};
type EpisodeRow = Parameters<typeof toEpisodeItem>[0] &
  DescribedRow & { audio_url: string | null; track_count: number };
