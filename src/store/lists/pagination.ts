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
 * Which entries to fetch: all (null); those that did not move since a revision; or only those that did,
 * unordered.
 */
export type MovedFilter = { since: number; only: boolean } | null;

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
    // Newest first, so that the oldest key of a record is the one that remains in the map.
    this.#moves = sqlite
      .prepare(
        'SELECT record_id, previous_sort_key FROM sort_key_history WHERE kind = ? AND revision > ? ORDER BY revision DESC',
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
    const read = rows.length;
    if (read > request.limit) rows.pop();
    if (request.fit && rows.length > 0) rows.length = request.fit(rows.map(([json]) => json));
    const more = rows.length < read;
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
    const oldKeys = new Map<string, SortKey>();
    for (const [id, key] of this.#moves.all(kind, revision) as [number, string][]) {
      oldKeys.set(String(id), JSON.parse(key) as SortKey);
    }
    const unmovedRows = source.fetch(after, limit, { since: revision, only: false });
    const movedRows = source.fetch(null, -1, { since: revision, only: true }).flatMap((row): ListEntry[] => {
      // The last column of a moved entry is the record's id.
      const key = oldKeys.get(String(row.at(-1)));
      return key && compareSortKeys(key, after) * order > 0 ? [[row[0], ...key]] : [];
    });
    return [...unmovedRows, ...movedRows]
      .sort((a, b) => compareSortKeys(a.slice(1) as SortKey, b.slice(1) as SortKey) * order)
      .slice(0, limit);
  }
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
