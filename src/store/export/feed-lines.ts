/** Helpers for export lines of every kind. */
import type Database from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import type { kindTables } from '../records/kind-tables.ts';
import { type PreparedStatement, prepare } from '../statement.ts';

type RecordTable = (typeof kindTables)[Kind]['table'];
export type ExportRange = { after: number; since: number; limit: number };
export type IdRange = { first: number; last: number };
export type ExportRow = { id: number; slug: string; revision: number } & Record<
  string,
  string | number | null
>;
/** Child rows of a batch, by the record's id. */
export type RowsByOwner<R> = Map<number, R[]>;
export type FeedMembers = Record<string, unknown>;
/** A record as members of a feed line. */
export type FeedLine = { id: number; slug: string; revision: number; members: FeedMembers };

/** Reads the next records of a kind. */
export type KindReader = (range: ExportRange) => FeedLine[];

/** Parses a column with JSON. Throws a SyntaxError if it has none. */
export const parseJson = (json: unknown): unknown => JSON.parse(json as string);
/** Refers to a record by its slug, which is its external id in a feed of exported lines; null without a slug. */
export const toReference = (slug: unknown, name: unknown) =>
  slug === null ? null : { external_id: slug, name };
/** The members of a line that equal columns of the row. */
export const pickColumns = (row: ExportRow, names: readonly string[]): FeedMembers =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

/** Reads the child rows of a batch, grouped by record. */
export function groupByOwner<R extends { owner: number }>(
  statement: PreparedStatement<IdRange, R>,
  rows: readonly ExportRow[],
): RowsByOwner<Omit<R, 'owner'>> {
  const groups: RowsByOwner<Omit<R, 'owner'>> = new Map();
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return groups;
  for (const { owner, ...child } of statement.all({ first: first.id, last: last.id })) {
    const group = groups.get(owner);
    if (group) group.push(child);
    else groups.set(owner, [child]);
  }
  return groups;
}

/** Selects the rows of a kind that changed after a revision, by id. `columns` are those that a line needs. */
export const selectChanged = (
  sqlite: Database.Database,
  table: RecordTable,
  columns: readonly string[],
  joins = sql``,
): PreparedStatement<ExportRange, ExportRow> =>
  prepare(
    sqlite,
    (p) => sql`select t.id, t.slug, r.revision, ${sql.join(columns.map((column) => sql.raw(column)))}
      from ${sql.table(table)} t join records r on r.id = t.id ${joins}
      where t.id > ${p.after} and r.revision > ${p.since} order by t.id limit ${p.limit}`,
  );

/** Builds a feed line without empty members: an absent member means that this source has no value for it. */
export function toFeedLine({ id, slug, revision }: ExportRow, members: FeedMembers): FeedLine {
  const nonEmpty: FeedMembers = {};
  for (const [name, value] of Object.entries(members)) if (!isEmptyValue(value)) nonEmpty[name] = value;
  return { id, slug, revision, members: nonEmpty };
}

function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A kind whose lines have a name, members of the same names as columns, and members from other tables. */
type NamedKind = {
  table: RecordTable;
  /** The members that are columns, in the order of the line. */
  columns: readonly string[];
  /** The last members: columns with JSON. */
  json?: readonly ('links' | 'external_ids')[];
  /** Columns that are not of the table, as SQL, and the tables that they are from. */
  joined?: Readonly<Record<string, string>>;
  joins?: RawBuilder<unknown>;
  /** Prepares the members that are no columns. They come before those with JSON. */
  own?: (sqlite: Database.Database) => (batch: readonly ExportRow[]) => (row: ExportRow) => FeedMembers;
};

/** Creates the reader of a kind whose records have a name and aliases. */
export const namedReader =
  ({ table, columns, json = [], joined = {}, joins, own }: NamedKind) =>
  (sqlite: Database.Database): KindReader => {
    const names = new Set(['name', 'aliases', ...columns, ...json, ...Object.keys(joined)]);
    const expressions = [...names].map((name) => `${joined[name] ?? `t.${name}`} as ${name}`);
    const rows = selectChanged(sqlite, table, expressions, joins);
    const ownMembers = own?.(sqlite);
    return (range) => {
      const batch = rows.all(range);
      const ownOf = ownMembers?.(batch);
      return batch.map((row) =>
        toFeedLine(row, {
          name: row.name,
          aliases: parseJson(row.aliases),
          ...pickColumns(row, columns),
          ...ownOf?.(row),
          ...Object.fromEntries(json.map((column) => [column, parseJson(row[column])])),
        }),
      );
    };
  };

export type OwnedName = { owner: number; slug: string; name: string };

/** Prepares the member `genres` of a line: names of the direct genres. */
export const genreNames =
  (table: 'artist_genres' | 'festival_genres' | 'event_genres', owner: string) =>
  (sqlite: Database.Database) => {
    const genres = prepare<IdRange, OwnedName>(
      sqlite,
      (p) => sql`select x.${sql.raw(owner)} as owner, g.slug, g.name
        from ${sql.table(table)} x join genres g on g.id = x.genre_id
        where x.${sql.raw(owner)} between ${p.first} and ${p.last}
          ${table === 'festival_genres' ? sql`` : sql`and x.is_direct = 1`}
        order by x.${sql.raw(owner)}, g.folded, g.slug`,
    );
    return (batch: readonly ExportRow[]) => {
      const byRecord = groupByOwner(genres, batch);
      return ({ id }: ExportRow) => ({ genres: (byRecord.get(id) ?? []).map(({ name }) => name) });
    };
  };
/** Refers to several records, in their order; empty for a record without child rows. */
export const toReferences = (group: { slug: string; name: string }[] | undefined) =>
  (group ?? []).map(({ slug, name }) => ({ external_id: slug, name }));

/** Drops the members that are null: a feed line leaves out values that are unknown. */
export const withoutNulls = (members: FeedMembers): FeedMembers =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
