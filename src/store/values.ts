import type { Kind } from '../contract/fields.ts';
import type { Row } from './tables.ts';

/** A column value of the catalogue, and a row of columns. */
export type SqlValue = string | number | null;
export type RecordRow = Record<string, SqlValue>;

/** The table of a kind. */
type TableOf<K extends Kind> = K extends 'city' ? 'cities' : `${Exclude<K, 'city'>}s`;
type RowIn<K extends Kind> = K extends Kind ? Row<TableOf<K>> : never;
type ColumnOf<R> = R extends unknown ? keyof R : never;
type ValueOf<R, Column> = R extends unknown ? (Column extends keyof R ? R[Column] : never) : never;
/** The members that all rows have, and those that some have. */
type AnyOf<R> = { [Column in keyof R]: R[Column] } & {
  [Column in Exclude<ColumnOf<R>, keyof R>]?: ValueOf<R, Column>;
};
/** The row of a record: the columns of its table. Of several kinds, those that not all tables have may be missing. */
export type RowOf<K extends Kind> = AnyOf<RowIn<K>>;
/** What is kept of the row of a removed record. */
export type SavedRow = Partial<RowOf<Kind>>;

/** An object with a value for each key. */
export const mapKeys = <K extends string, V>(keys: readonly K[], toValue: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<K, V>;
