/** What a column of the catalogue may hold, and a row. */
export type Value = string | number | null;
export type RowOf = Record<string, Value>;
