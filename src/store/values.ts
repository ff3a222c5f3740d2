import type { Selectable } from 'kysely';
import type { Kind } from '../contract/fields.ts';
import type { Tables } from './tables.ts';

/** A column value of the catalogue, and a row of columns. */
export type SqlValue = string | number | null;
export type RecordRow = Record<string, SqlValue>;

/** The table of each kind. */
type TableOf = {
  artist: 'artists';
  venue: 'venues';
  festival: 'festivals';
  city: 'cities';
  label: 'labels';
  genre: 'genres';
  podcast: 'podcasts';
  edition: 'editions';
  episode: 'episodes';
  event: 'events';
};
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;
/** The row of a record: the columns of its table if the kind is known when the code is compiled. */
export type RowOf<K extends Kind> = true extends IsUnion<K> ? RecordRow : Selectable<Tables[TableOf[K]]>;
