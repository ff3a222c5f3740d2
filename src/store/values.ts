/** What a column of the catalogue may hold, and a row. */
export type SqlValue = string | number | null;
export type RecordRow = Record<string, SqlValue>;
