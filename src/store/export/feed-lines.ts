/** Helpers for export lines of every kind. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { type PreparedStatement, prepare } from '../statement.ts';

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

export const parseJson = (json: unknown): unknown => JSON.parse(json as string);
export const toReference = (slug: unknown, name: unknown) =>
  slug === null ? null : { external_id: slug, name };
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
  table: keyof typeof tableKinds,
  columns: readonly string[],
  joins = sql``,
): PreparedStatement<ExportRange, ExportRow> =>
  prepare(
    sqlite,
    (p) => sql`select t.id, t.slug, r.revision, ${sql.join(columns.map((column) => sql.raw(column)))}
      from ${sql.table(table)} t join records r on r.id = t.id ${joins}
      where t.id > ${p.after} and r.revision > ${p.since} order by t.id limit ${p.limit}`,
  );

export const tableKinds = {
  genres: 'genre',
  cities: 'city',
  venues: 'venue',
  artists: 'artist',
  labels: 'label',
  festivals: 'festival',
  editions: 'edition',
  events: 'event',
  podcasts: 'podcast',
  episodes: 'episode',
} as const;

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

/** Creates a reader for lines that need only the row itself. */
export const simpleReader =
  (
    table: keyof typeof tableKinds,
    columns: readonly string[],
    members: (row: ExportRow) => FeedMembers,
    joins = sql``,
  ): ((sqlite: Database.Database) => KindReader) =>
  (sqlite) => {
    const rows = selectChanged(sqlite, table, columns, joins);
    return (range) => rows.all(range).map((row) => toFeedLine(row, members(row)));
  };

export type OwnedName = { owner: number; slug: string; name: string };

/** Selects the direct genres of the records of a table. */
export const directGenres = (
  sqlite: Database.Database,
  table: 'artist_genres' | 'festival_genres' | 'event_genres',
  owner: string,
): PreparedStatement<IdRange, OwnedName> =>
  prepare(
    sqlite,
    (p) => sql`select x.${sql.raw(owner)} as owner, g.slug, g.name
      from ${sql.table(table)} x join genres g on g.id = x.genre_id
      where x.${sql.raw(owner)} between ${p.first} and ${p.last}
        ${table === 'festival_genres' ? sql`` : sql`and x.is_direct = 1`}
      order by x.${sql.raw(owner)}, g.folded, g.slug`,
  );
export const namesOf = (group: { name: string }[] | undefined): string[] =>
  (group ?? []).map(({ name }) => name);
export const toReferences = (group: { slug: string; name: string }[] | undefined) =>
  (group ?? []).map(({ slug, name }) => ({ external_id: slug, name }));

export const withoutNulls = (members: FeedMembers): FeedMembers =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

export const commonColumns = ['t.name', 't.aliases', 't.image_url', 't.description', 't.website', 't.links'];
export const nameMembers = (row: ExportRow): FeedMembers => ({
  name: row.name,
  aliases: parseJson(row.aliases),
});
export const linkMembers = (row: ExportRow): FeedMembers => ({
  links: parseJson(row.links),
  external_ids: parseJson(row.external_ids),
});
