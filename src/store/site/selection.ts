/** Counts of events by day, genre and place for the public pages, from indexes that contain all that is counted. */

import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import { midnightUtc } from '../../text/date-number.ts';
import { hasLink, hasOneOfLinks } from '../lists/event-links.ts';
import type { UpcomingRange } from '../records/details.ts';
import { type PreparedStatement, prepare, prepareByShape, SqliteStore } from '../statement.ts';

/** The place of counted events, and genres of which they have at least one; ids are those of records. */
export type CountScope = { cityId?: number; venue?: number; genres?: readonly number[] };
/** The counted period: local dates as yyyymmdd, and only events that end after `now` (ms), if it is given. */
export type CountPeriod = { from: number; to: number; now: number | null };
export type DayCount = { date: number; events: number };
export type GenreCount = { slug: string; name: string; events: number };
/** The upcoming events of a city or venue: how many, up to the bound, and the date of the next one (yyyymmdd). */
export type UpcomingCount = { id: number; events: number; next: number };

/** Local dates begin at most 14 hours before, and end at most 12 hours after, the UTC date of that name. */
const slackMs = 14 * 3_600_000;
const dayMs = 86_400_000;

type PeriodParams = {
  place: number;
  genre: number;
  genres: string;
  lower: number;
  upper: number;
  from: number;
  to: number;
  now: number;
  limit: number;
};
type PlaceParams = { ids: string; since: number; now: number; limit: number };

/** Events counted at most for the genres of a period. */
const maxGenreEvents = 1_000;
const maxGenres = 16;

/** Counts the events of a place, genre or period. `ids` returns at most 1,000 events unless a limit is given. */
export class SiteSelection extends SqliteStore {
  readonly #days = prepareByShape<PeriodParams, DayCount>(this.sqlite, (shape, p) => {
    const { from, where, count } = parts(shape, p);
    return sql`select w.start_date as date, ${count} as events from ${from} where ${where} group by w.start_date order by w.start_date`;
  });
  readonly #ids = prepareByShape<PeriodParams, { id: number; start_ts: number }>(this.sqlite, (shape, p) => {
    const { from, where, id, each } = parts(shape, p);
    return sql`select ${each} ${id} as id, w.start_ts from ${from} where ${where} order by w.start_ts, ${id} limit ${p.limit}`;
  });
  // A genre counts events of its descendants too, as its filter finds them.
  readonly #genres = prepare<{ ids: string; limit: number }, GenreCount>(
    this.sqlite,
    (p) => sql`select g.slug, g.name, x.events from (
        select genre_id, count(*) as events from json_each(${p.ids}) j
        cross join event_genres b indexed by event_genres_by_event on b.event_id = j.value group by genre_id
      ) x cross join genres g on g.id = x.genre_id
      where g.parent_id is not null or not exists (select 1 from genres c where c.parent_id = g.id)
        or x.events < json_array_length(${p.ids})
      order by x.events desc, g.folded, g.slug limit ${p.limit}`,
  );
  readonly #upcoming: Record<'city' | 'venue', PreparedStatement<PlaceParams, UpcomingCount>> = {
    city: upcomingOf(this.sqlite, 'city_id', 'events_by_city'),
    venue: upcomingOf(this.sqlite, 'venue_id', 'events_by_venue'),
  };

  /** The number of events per local date; the scope needs a place or a genre. Days without events are absent. */
  byDay(scope: CountScope, period: CountPeriod): DayCount[] {
    return this.#days(shapeOf(scope, period)).all(valuesOf(scope, period, 0));
  }

  /** The ids of the first events of a period, at most `limit`. A scope without a place and a genre is the whole catalogue. */
  ids(scope: CountScope, period: CountPeriod, limit = maxGenreEvents): number[] {
    return this.#ids(shapeOf(scope, period))
      .all(valuesOf(scope, period, limit))
      .map(({ id }) => id);
  }

  /** The genres of these events with the number of events of each, the most frequent first. */
  genres(ids: readonly number[]): GenreCount[] {
    return this.#genres.all({ ids: JSON.stringify(ids), limit: maxGenres });
  }

  /** Upcoming events per city or venue, counted up to `limit`; those without events are absent. */
  upcoming(
    of: 'city' | 'venue',
    ids: readonly number[],
    range: UpcomingRange,
    limit: number,
  ): Map<number, UpcomingCount> {
    const rows = this.#upcoming[of].all({ ids: JSON.stringify(ids), ...range, limit });
    return new Map(rows.filter(({ events }) => events > 0).map((row) => [row.id, row]));
  }
}

const shapeOf = ({ cityId, venue, genres = [] }: CountScope, { now }: CountPeriod): string =>
  [
    venue !== undefined ? 'venue' : cityId !== undefined ? 'city' : '',
    genres.length === 0 ? '' : genres.length === 1 ? 'genre' : 'genres',
    now === null ? '' : 'upcoming',
  ].join(' ');

const valuesOf = (
  { cityId, venue, genres = [] }: CountScope,
  { from, to, now }: CountPeriod,
  limit: number,
): PeriodParams => ({
  place: venue ?? cityId ?? 0,
  genre: genres[0] ?? 0,
  genres: JSON.stringify(genres),
  lower: midnightUtc(from) - slackMs,
  upper: midnightUtc(to) + dayMs + slackMs,
  from,
  to,
  now: now ?? 0,
  limit,
});

/** The table, the conditions and the id column of a count. All indexes contain `start_date` and `ends_ts`. */
function parts(shape: string, p: PeriodParams) {
  const has = (name: string) => shape.split(' ').includes(name);
  const isPlaced = has('city') || has('venue');
  // The rows of several genres list an event once for each of them.
  const isOfGenres = !isPlaced && has('genres');
  const isOfGenre = isOfGenres || (!isPlaced && has('genre'));
  const id = sql.raw(isOfGenre ? 'w.event_id' : 'w.id');
  const key = { start: sql.raw('w.start_ts'), id };
  const condition = (test: ReturnType<typeof sql<SqlBool>>) => test;
  const conditions = [
    ...(isPlaced ? [condition(sql`w.${sql.raw(has('venue') ? 'venue_id' : 'city_id')} = ${p.place}`)] : []),
    ...(isOfGenre ? [condition(isOfGenres ? sql`w.genre_id = j.value` : sql`w.genre_id = ${p.genre}`)] : []),
    condition(sql`w.start_ts >= ${p.lower} and w.start_ts < ${p.upper}`),
    condition(sql`w.start_date >= ${p.from} and w.start_date <= ${p.to}`),
    ...(has('upcoming') ? [condition(sql`w.ends_ts > ${p.now}`)] : []),
    ...(isPlaced && has('genre') ? [hasLink('genre', p.genre, key)] : []),
    ...(isPlaced && has('genres') ? [hasOneOfLinks('genre', p.genres, key)] : []),
  ];
  const table = has('venue')
    ? sql`events w indexed by events_by_venue`
    : has('city')
      ? sql`events w indexed by events_by_city`
      : isOfGenres
        ? sql`json_each(${p.genres}) j cross join event_genres w`
        : isOfGenre
          ? sql`event_genres w`
          : sql`events w indexed by events_by_start`;
  return {
    from: table,
    where: sql.join(conditions, sql` and `),
    id,
    count: isOfGenres ? sql`count(distinct w.event_id)` : sql`count(*)`,
    each: isOfGenres ? sql`distinct` : sql``,
  };
}

const upcomingOf = (sqlite: Database.Database, column: string, index: string) =>
  prepare<PlaceParams, UpcomingCount>(
    sqlite,
    (p) => sql`select j.value as id,
        (select count(*) from (select 1 from events indexed by ${sql.raw(index)}
          where ${sql.raw(column)} = j.value and start_ts >= ${p.since} and ends_ts > ${p.now} limit ${p.limit})) as events,
        (select start_date from events indexed by ${sql.raw(index)}
          where ${sql.raw(column)} = j.value and start_ts >= ${p.since} and ends_ts > ${p.now} order by start_ts, id limit 1) as next
      from json_each(${p.ids}) j`,
  );
