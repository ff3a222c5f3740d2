import type { Kind } from '../contract/fields.ts';
import type { Row } from './tables.ts';

/** A column value of the catalogue, and a row of columns. */
export type SqlValue = string | number | null;
export type RecordRow = Record<string, SqlValue>;

/** The table of a kind. */
type TableOf<K extends Kind> = K extends 'city' ? 'cities' : `${Exclude<K, 'city'>}s`;
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;
/** The row of a record: the columns of its table if the kind is known when the code is compiled. */
export type RowOf<K extends Kind> = true extends IsUnion<K> ? RecordRow : Row<TableOf<K>>;

/** An object with a value for each key. */
export const mapKeys = <K extends string, V>(keys: readonly K[], toValue: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<K, V>;
