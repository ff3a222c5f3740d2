/** Finds festival editions by festival, artist, city or country, for answers of the agent tools. */
import { sql } from 'kysely';
import type { ApiRecord } from '../../contract/records.ts';
import { SqliteStore } from '../statement.ts';

/** An edition with the times that decide whether it is asked for. Times are ms; null without a date. */
export type EditionTimes = {
  id: number;
  edition: string;
  start_ts: number | null;
  ends_ts: number | null;
  sort_ts: number;
};
export type EditionPlace = { city: string | null; country: string | null };
export type StageEntry = ApiRecord<'LineupEntry'>;

const columns = 'd.id, d.edition, d.start_ts, d.ends_ts, d.sort_ts';
const end = 'coalesce(d.ends_ts, d.sort_ts)';
/** Editions of one place that are looked at, soonest or latest first. */
const maxPerPlace = 200;
/** Of an artist with this many sets, the editions are compared with the artist, not the sets with the editions. */
const busySets = 3_000;

type PlaceFilter = [since: number, city: number | null, country: string | null];

/** Whether an edition `d` of the festival `f` is in a city and a country; null: anywhere. */
const isInPlace = (city: number | null, country: string | null) => sql`
  (${city} IS NULL OR coalesce(d.city_id, f.city_id) = ${city})
  AND (${country} IS NULL OR coalesce(d.country, f.country) = ${country})`;
const entries =
  'a.slug, a.name, l.position, l.billing, l.set_start_at, l.set_end_at, l.stage, coalesce(l.set_position, l.position) AS "set"';

/**
 * Finds editions as ids with times, and reads their line-ups. A search by place returns at most 200 editions; those by
 * festival or artist return all.
 */
export class EditionSearch extends SqliteStore {
  /** All editions of a festival, oldest first. */
  readonly ofFestival = this.selectAll<[festival: number], EditionTimes>(
    `SELECT ${columns} FROM editions d WHERE d.festival_id = ? ORDER BY d.sort_ts, d.id`,
  );
  /** The editions that end after `since` (ms) in a city, a country or anywhere, soonest first. */
  readonly inPlace = this.selectAll<PlaceFilter, EditionTimes>(
    (since, city, country) => sql`
     SELECT ${sql.raw(columns)} FROM editions d JOIN festivals f ON f.id = d.festival_id
     WHERE d.ends_ts > ${since} AND ${isInPlace(city, country)}
     ORDER BY d.sort_ts, d.id LIMIT ${maxPerPlace}`,
  );
  /** The editions that ended until `until` (ms) in a city, a country or anywhere, latest first. */
  readonly heldInPlace = this.selectAll<PlaceFilter, EditionTimes>(
    (until, city, country) => sql`
     SELECT ${sql.raw(columns)} FROM editions d JOIN festivals f ON f.id = d.festival_id
     WHERE d.ends_ts <= ${until} AND ${isInPlace(city, country)}
     ORDER BY d.sort_ts DESC, d.id DESC LIMIT ${maxPerPlace}`,
  );
  /** The line-up of an edition, in billing order. */
  readonly lineup = this.selectAll<[edition: number, limit: number], StageEntry>(
    `SELECT ${entries} FROM lineups l JOIN artists a ON a.id = l.artist_id WHERE l.record_id = ?
     ORDER BY l.position LIMIT ?`,
  );
  /** The sets of one artist at an edition. */
  readonly setsOf = this.selectAll<[edition: number, artist: number], StageEntry>(
    `SELECT ${entries} FROM lineups l INDEXED BY lineups_by_artist JOIN artists a ON a.id = l.artist_id
     WHERE l.record_id = ? AND l.artist_id = ? ORDER BY l.position`,
  );
  readonly #ofArtist = this.selectAll<[since: number, artist: number], EditionTimes>(
    `SELECT DISTINCT ${columns} FROM lineups l INDEXED BY lineups_by_artist CROSS JOIN editions d ON d.id = l.record_id
     WHERE ${end} > ? AND l.artist_id = ? ORDER BY d.sort_ts, d.id`,
  );
  readonly #ofBusyArtist = this.selectAll<[since: number, artist: number], EditionTimes>(
    `SELECT ${columns} FROM editions d
     WHERE ${end} > ?
       AND EXISTS (SELECT 1 FROM lineups l INDEXED BY lineups_by_artist WHERE l.artist_id = ? AND l.record_id = d.id)
     ORDER BY d.sort_ts, d.id`,
  );
  readonly #isBusy = this.selectValue<[artist: number], 0 | 1>(
    `SELECT count(*) = ${busySets} FROM (SELECT 1 FROM lineups WHERE artist_id = ? LIMIT ${busySets})`,
  );
  readonly #ofGenre = this.selectValue<[edition: number, genre: number], 1>(
    'SELECT 1 FROM editions d JOIN festival_genres g ON g.festival_id = d.festival_id WHERE d.id = ? AND g.genre_id = ?',
  );
  readonly #place = this.selectFirst<[edition: number], EditionPlace>(
    `SELECT coalesce(d.city, f.city) AS city, coalesce(d.country, f.country) AS country
     FROM editions d JOIN festivals f ON f.id = d.festival_id WHERE d.id = ?`,
  );

  /**
   * The editions with an artist in their line-up, oldest first: those that end after `since` (ms), or all. An edition
   * without dates ends at the time it is sorted by.
   */
  ofArtist(artist: number, since = Number.MIN_SAFE_INTEGER): EditionTimes[] {
    const read = this.#isBusy(artist) === 1 ? this.#ofBusyArtist : this.#ofArtist;
    return read(since, artist);
  }

  /** Whether the festival of an edition has a genre. */
  hasGenre(edition: number, genre: number): boolean {
    return this.#ofGenre(edition, genre) !== null;
  }

  /** The city and country of an edition, or of its festival. */
  placeOf(edition: number): EditionPlace {
    return this.#place(edition) ?? { city: null, country: null };
  }
}
