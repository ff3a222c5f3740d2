/**
 * Keyset pagination of any list (docs/spec/lists.md). Pagination returns every record that exists throughout
 * exactly once, also during an import. The cursor carries the revision at which pagination began. A record that
 * moved since then appears at its former position.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { prepareValue } from '../statement.ts';
import type { CursorCodec, CursorPosition } from './cursor.ts';

export type SortKey = (string | number)[];
/** A list entry: its JSON text, then its sort key. */
export type ListEntry = [json: string, ...key: SortKey];
/**
 * Which entries to fetch: all (null); those that did not move since a revision; or only those with one of the ids of
 * records that moved, unordered. An entry of the latter ends with its id instead of its sort key.
 */
export type MovedFilter =
  | { unmovedSince: number; ids?: undefined }
  | { ids: readonly number[]; unmovedSince?: undefined }
  | null;

export type ListSource = {
  /** The kind whose sort key history applies; null if the entries are not records. */
  kind: Kind | null;
  descending: boolean;
  /** The first `limit` entries after the key, in order. */
  fetch(after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[];
  /** All entries at a revision if they differed from the present ones, else null. Only nested lists have this. */
  entriesAt?: (revision: number) => ListEntry[] | null;
};

/**
 * `position` is the decoded cursor, null for the first page; `cursorScope` returns the text that cursors are
 * bound to. `fit` returns how many of the first items the page has room for, at least one; default: all.
 */
export type PageRequest = {
  limit: number;
  position: CursorPosition | null;
  cursorScope: () => string;
  fit?: (items: string[]) => number;
};
export type ListPage = { items: string[]; nextCursor: string | null };

/** A record that moved, with the sort key that it had when pagination began. */
type FormerPosition = [id: number, key: SortKey];

/** More than any number or text, in the order of SQLite. */
const afterAll = Buffer.of(255);
const beforeAllNumbers = -Number.MAX_VALUE;
/**
 * How many moved records are looked up by their ids, in the order of the list: almost always more than a page has room for.
 * If they are not enough, all others are fetched at once.
 */
export const maxMovedLookups = 500;

/** Reads pages of any list source, and issues the cursor of the next page, which is null after the last one. */
export class Paginator {
  readonly #cursors: CursorCodec;
  readonly #lastMove;
  readonly #moves: Database.Statement;
  readonly #revision;

  constructor(sqlite: Database.Database, cursors: CursorCodec) {
    this.#cursors = cursors;
    this.#revision = prepareValue<number>(sqlite, 'SELECT revision FROM catalogue');
    this.#lastMove = prepareValue<number | null>(
      sqlite,
      'SELECT max(revision) FROM sort_key_history WHERE kind = ?',
    );
    // The key that a record had when pagination began is that of its first move since then.
    this.#moves = sqlite
      .prepare(
        `SELECT record_id, previous_sort_key FROM sort_key_history h WHERE kind = :kind AND revision > :since
           AND previous_sort_key ->> 0 BETWEEN :first AND :last
           AND NOT EXISTS (SELECT 1 FROM sort_key_history b INDEXED BY sort_key_history_by_record
                            WHERE b.record_id = h.record_id AND b.kind = h.kind AND b.revision > :since AND b.revision < h.revision)`,
      )
      .raw();
  }

  /** Decodes a cursor; throws `invalid_cursor`. */
  decodeCursor(cursor: string, binding: string): CursorPosition {
    return this.#cursors.decode(cursor, binding);
  }

  /** Reads one page. Call it within a read transaction. */
  page(source: ListSource, request: PageRequest): ListPage {
    const { position } = request;
    const revision = position?.revision ?? this.#revision.one();
    const rows = this.#fetch(source, position?.key ?? null, request.limit + 1, revision);
    const rowCount = rows.length;
    if (rowCount > request.limit) rows.pop();
    if (request.fit && rows.length > 0) rows.length = request.fit(rows.map(([json]) => json));
    const more = rows.length < rowCount;
    const last = rows.at(-1);
    const next =
      more && last
        ? this.#cursors.encode({ key: last.slice(1) as SortKey, revision }, request.cursorScope())
        : null;
    return { items: rows.map((row) => row[0]), nextCursor: next };
  }

  #fetch(source: ListSource, after: SortKey | null, limit: number, revision: number): ListEntry[] {
    const { kind } = source;
    const formerEntries = after === null ? null : (source.entriesAt?.(revision) ?? null);
    if (formerEntries !== null && after !== null) {
      return formerEntries
        .filter((row) => compareSortKeys(row.slice(1) as SortKey, after) > 0)
        .slice(0, limit);
    }
    // Nothing can have moved since the first page, which is read now.
    if (kind === null || after === null || (this.#lastMove.one(kind) ?? 0) <= revision) {
      return source.fetch(after, limit, null);
    }
    const order = source.descending ? -1 : 1;
    const unmovedRows = source.fetch(after, limit, { unmovedSince: revision });
    // Where the page ends without the records that moved; null if the list ends first.
    const end = unmovedRows.length < limit ? null : (unmovedRows.at(-1)?.slice(1) as SortKey);
    const former = this.#movedBetween(kind, revision, { after, end, order });
    const movedRows = fetchMoved(source, former, limit);
    return [...unmovedRows, ...movedRows]
      .sort((a, b) => compareSortKeys(a.slice(1) as SortKey, b.slice(1) as SortKey) * order)
      .slice(0, limit);
  }

  /** The records that moved since a revision from a position between two keys, in the order of these positions. */
  #movedBetween(
    kind: Kind,
    since: number,
    { after, end, order }: { after: SortKey; end: SortKey | null; order: number },
  ): FormerPosition[] {
    const [first, last] =
      order > 0 ? [after[0], end?.[0] ?? afterAll] : [end?.[0] ?? beforeAllNumbers, after[0]];
    const moves = this.#moves.all({ kind, since, first, last }) as [number, string][];
    return moves
      .map(([id, key]): FormerPosition => [id, JSON.parse(key) as SortKey])
      .filter(
        ([, key]) =>
          compareSortKeys(key, after) * order > 0 && (end === null || compareSortKeys(key, end) * order < 0),
      )
      .sort(([, a], [, b]) => compareSortKeys(a, b) * order);
  }
}

/** The moved records that a list has, at their former positions: the first `limit` at least. */
function fetchMoved(source: ListSource, former: readonly FormerPosition[], limit: number): ListEntry[] {
  const entries: ListEntry[] = [];
  for (const part of [former.slice(0, maxMovedLookups), former.slice(maxMovedLookups)]) {
    if (part.length === 0 || entries.length >= limit) break;
    const keys = new Map(part);
    for (const row of source.fetch(null, -1, { ids: [...keys.keys()] }))
      entries.push([row[0], ...(keys.get(row.at(-1) as number) as SortKey)]);
  }
  return entries;
}

/** Compares numbers by value and texts by code point, as SQLite compares UTF-8. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] as string | number;
    if (left === right) continue;
    if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right);
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return 0;
}
