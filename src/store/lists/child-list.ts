/** Lists of the records that belong to one record, newest first: the editions of a festival, the episodes of a podcast. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { type Compilable, prepareByShape, query } from '../statement.ts';
import type { ListSource } from './pagination.ts';

/** `since`: the revision at which pagination began. */
export type ChildListParams = {
  owner: number;
  afterTime: number;
  afterId: number;
  since: number;
  /** The ids of records that moved: a JSON array. */
  movedIds: string;
  limit: number;
};
/** The parts of a query that depend on the page: it begins after a key, or is about records that moved, or did not. */
type PagePart = 'after' | 'only-moved' | 'not-moved';

type ChildKind = 'edition' | 'episode';
/** The ids of records that moved, as a list of values. */
export const idsOf = ({ movedIds }: ChildListParams) =>
  sql<number>`(select value from json_each(${movedIds}))`;
/** Selects the records of a kind that moved since pagination began. */
const selectMoved = (kind: ChildKind, since: number) =>
  query
    .selectFrom('sort_key_history')
    .select('record_id')
    .where('kind', '=', kind)
    .where('revision', '>', since);

type ChildList<Row> = {
  kind: ChildKind;
  /** Builds the query, with the parts that `has` names. */
  build: (
    p: ChildListParams,
    has: (part: PagePart) => boolean,
    moved: ReturnType<typeof selectMoved>,
  ) => Compilable;
  toItem: (row: Row) => unknown;
  /** The time by which rows are sorted. */
  timeOf: (row: Row) => number;
};

/** Returns a function that returns the list of an owner. */
export function childListSource<Row extends { id: number }>(
  sqlite: Database.Database,
  { kind, build, toItem, timeOf }: ChildList<Row>,
): (owner: number) => ListSource {
  const byShape = prepareByShape<ChildListParams, Row>(sqlite, (shape, p) =>
    build(p, (part) => shape.includes(part), selectMoved(kind, p.since)),
  );
  return (owner) => ({
    kind,
    descending: true,
    fetch: (after, limit, moved) =>
      byShape(`${after ? 'after' : ''} ${moved ? (moved.ids ? 'only-moved' : 'not-moved') : ''}`)
        .all({
          owner,
          limit,
          afterTime: (after?.[0] ?? 0) as number,
          afterId: (after?.[1] ?? 0) as number,
          since: moved?.unmovedSince ?? 0,
          movedIds: JSON.stringify(moved?.ids ?? []),
        })
        .map((row) => {
          const json = JSON.stringify(toItem(row));
          return moved?.ids ? [json, row.id] : [json, timeOf(row), row.id];
        }),
  });
}
