/**
 * SQL conditions that look up the artists, genres and places of an event. The indexes have the events of one artist, genre
 * or place by start, as lists read them, so the look-ups of a list read few pages. SQLite would prefer the index of
 * `event_artists` by event for its columns, in which every look-up reads another page.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** SQL for the start and id of the event. */
export type EventKey = { start: RawBuilder<unknown>; id: RawBuilder<unknown> };

const links = {
  artist: { table: 'event_artists', column: 'artist_id', index: 'sqlite_autoindex_event_artists_1' },
  genre: { table: 'event_genres', column: 'genre_id', index: 'sqlite_autoindex_event_genres_1' },
} as const;
const placeColumns = {
  venue: { column: 'venue_id', index: 'events_by_venue' },
  cityId: { column: 'city_id', index: 'events_by_city' },
  cityText: { column: 'city_folded', index: 'events_by_city_text' },
  country: { column: 'country', index: 'events_by_country' },
} as const;

/** A filter by place that `isIn` looks up. */
export type PlaceFilter = keyof typeof placeColumns;
/** Whether the name of a filter is one that `isIn` looks up. */
export const isPlaceFilter = (name: string): name is PlaceFilter => Object.hasOwn(placeColumns, name);

/** Whether an event has this artist or genre. */
export function hasLink(kind: keyof typeof links, value: unknown, { start, id }: EventKey) {
  const { table, column, index } = links[kind];
  return sql<SqlBool>`exists (select 1 from ${sql.raw(table)} k indexed by ${sql.raw(index)} where k.${sql.raw(column)} = ${value} and k.start_ts = ${start} and k.event_id = ${id})`;
}

/** Whether an event has one of these artists or genres, a JSON array of ids. */
export function hasOneOfLinks(kind: keyof typeof links, values: unknown, { start, id }: EventKey) {
  const { table, column, index } = links[kind];
  return sql<SqlBool>`exists (select 1 from json_each(${values}) j cross join ${sql.raw(table)} k indexed by ${sql.raw(index)} on k.${sql.raw(column)} = j.value and k.start_ts = ${start} and k.event_id = ${id})`;
}

/** Whether an event is in this venue, city or country. */
export function isIn(place: PlaceFilter, value: unknown, { start, id }: EventKey) {
  const { column, index } = placeColumns[place];
  return sql<SqlBool>`exists (select 1 from events x indexed by ${sql.raw(index)} where x.${sql.raw(column)} = ${value} and x.start_ts = ${start} and x.id = ${id})`;
}
