/** A column value of the catalogue, and a row of columns. */
export type SqlValue = string | number | null;
export type RecordRow = Record<string, SqlValue>;
