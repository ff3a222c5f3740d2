/** Describes the tables and indexes of a data file from its schema, for `piecewise.ts`. */
import type Database from 'better-sqlite3';
import { prepareValue } from '../statement.ts';

export type CheckedTable = {
  name: string;
  /** The table for `FROM`, read in the order of its key and never through an index. */
  from: string;
  /** The columns by which its rows are ordered: the primary key, or `rowid`. */
  key: readonly string[];
  columns: readonly string[];
  indexes: readonly CheckedIndex[];
};
export type CheckedIndex = {
  name: string;
  /** Its columns and expressions, without the key of the table. */
  terms: readonly { text: string }[];
  /** The condition of a partial index. */
  condition: string | null;
};

/** Quotes a name for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns all tables with content of their own, also those of the full-text index. */
export function describeTables(sqlite: Database.Database): CheckedTable[] {
  const names = prepareValue<string>(
    sqlite,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'",
  ).all();
  return names.map((name) => describeTable(sqlite, name));
}

function describeTable(sqlite: Database.Database, name: string): CheckedTable {
  const columns = sqlite.prepare('SELECT name, pk FROM pragma_table_info(?)').all(name) as {
    name: string;
    pk: number;
  }[];
  const isWithoutRowid = sqlite.prepare('SELECT wr FROM pragma_table_list(?)').pluck().get(name) === 1;
  const primaryKey = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const indexes = sqlite.prepare('SELECT name, origin, partial FROM pragma_index_list(?)').all(name) as {
    name: string;
    origin: string;
    partial: number;
  }[];
  const ownIndex = isWithoutRowid ? indexes.find(({ origin }) => origin === 'pk')?.name : undefined;
  return {
    name,
    // SQLite ignores NOT INDEXED where the rows are stored in the index of the primary key.
    from: `${quote(name)} ${ownIndex === undefined ? 'NOT INDEXED' : `INDEXED BY ${quote(ownIndex)}`}`,
    key: isWithoutRowid ? primaryKey.map((column) => quote(column.name)) : ['rowid'],
    columns: columns.map((column) => column.name),
    // The primary key of a table without rowid is the table itself.
    indexes: indexes
      .filter(({ origin }) => !(isWithoutRowid && origin === 'pk'))
      .map((index) => describeIndex(sqlite, index.name)),
  };
}

function describeIndex(sqlite: Database.Database, name: string): CheckedIndex {
  const terms = sqlite
    .prepare('SELECT name FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno')
    .all(name) as {
    name: string | null;
  }[];
  const sql = sqlite.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) as
    | string
    | null;
  const { listed, condition } = sql === null ? { listed: [], condition: null } : parseIndex(sql);
  return {
    name,
    terms: terms.map((term, at) => ({
      text: term.name === null ? (listed[at] as string) : quote(term.name),
    })),
    condition,
  };
}

/** Splits `CREATE INDEX … ON table (a, ifnull(b, 0)) WHERE …` into its terms and its condition. */
export function parseIndex(sql: string): { listed: string[]; condition: string | null } {
  const start = sql.indexOf('(') + 1;
  const listed: string[] = [];
  let [depth, from, at] = [1, start, start];
  for (; at < sql.length && depth > 0; at++) {
    const sign = sql[at];
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    if ((sign === ',' && depth === 1) || depth === 0) {
      listed.push(sql.slice(from, at).trim());
      from = at + 1;
    }
  }
  const rest = sql.slice(at).trim();
  return { listed, condition: /^where\b/i.test(rest) ? rest.slice('where'.length).trim() : null };
}
