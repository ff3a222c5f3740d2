/**
 * One page of any list, by keyset (docs/spec/lists.md). A walk shows every record that was there throughout exactly
 * once, also while a sync writes: the cursor carries the revision at which the walk began, and a record that moved in
 * its list since then is shown where it stood at that time.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import type { CursorCodec, CursorPosition } from './cursor.ts';

export type SortKey = (string | number)[];
/** An entry: its JSON text, then its sort key. */
export type ListEntry = [json: string, ...key: SortKey];
/** Which entries are asked for: all; those that did not move since a revision; those that did (in no order). */
export type MovedFilter = { since: number; only: boolean } | null;

export type ListSource = {
  /** The kind whose moves matter; null where entries have no place of their own to move from. */
  kind: Kind | null;
  descending: boolean;
  /** The first `limit` entries after the key, in order. */
  fetch(after: SortKey | null, limit: number, moved: MovedFilter): ListEntry[];
  /** All entries as they were at a revision, where they were others than now; lists inside a record have this. */
  entriesAt?: (revision: number) => ListEntry[] | null;
};

/** `decodeCursor` is where the walk stands, null at its beginning; `binding` gives what its cursors are bound to. */
export type PageRequest = { limit: number; position: CursorPosition | null; cursorScope: () => string };
export type ListPage = { items: string[]; nextCursor: string | null };

export class Paginator {
  readonly #cursors: CursorCodec;
  readonly #lastMove: Database.Statement;
  readonly #moves: Database.Statement;
  readonly #revision: Database.Statement;

  constructor(sqlite: Database.Database, cursors: CursorCodec) {
    this.#cursors = cursors;
    this.#revision = sqlite.prepare('SELECT revision FROM catalogue').pluck();
    this.#lastMove = sqlite.prepare('SELECT max(revision) FROM sort_key_history WHERE kind = ?').pluck();
    // Newest first, so that the oldest of a record's moves is the one that stays when they are put into a map.
    this.#moves = sqlite
      .prepare(
        'SELECT record_id, previous_sort_key FROM sort_key_history WHERE kind = ? AND revision > ? ORDER BY revision DESC',
      )
      .raw();
  }

  /** Where a walk stands by its cursor; throws `invalid_cursor`. */
  decodeCursor(cursor: string, binding: string): CursorPosition {
    return this.#cursors.decode(cursor, binding);
  }

  /** One page. To be called within a read transaction. */
  page(source: ListSource, request: PageRequest): ListPage {
    const { position } = request;
    const revision = position?.revision ?? (this.#revision.get() as number);
    const rows = this.#fetch(source, position?.key ?? null, request.limit + 1, revision);
    const more = rows.length > request.limit;
    if (more) rows.pop();
    const last = rows.at(-1);
    const next =
      more && last
        ? this.#cursors.encode({ key: last.slice(1) as SortKey, revision }, request.cursorScope())
        : null;
    return { items: rows.map((row) => row[0]), nextCursor: next };
  }

  #fetch(source: ListSource, after: SortKey | null, limit: number, revision: number): ListEntry[] {
    const { kind } = source;
    const former = after === null ? null : (source.entriesAt?.(revision) ?? null);
    if (former !== null && after !== null) {
      return former.filter((row) => compareSortKeys(row.slice(1) as SortKey, after) > 0).slice(0, limit);
    }
    // A first page begins its walk now: nothing can have moved since.
    if (kind === null || after === null || ((this.#lastMove.get(kind) as number | null) ?? 0) <= revision) {
      return source.fetch(after, limit, null);
    }
    const order = source.descending ? -1 : 1;
    const oldKeys = new Map<string, SortKey>();
    for (const [id, key] of this.#moves.all(kind, revision) as [number, string][]) {
      oldKeys.set(String(id), JSON.parse(key) as SortKey);
    }
    const stayed = source.fetch(after, limit, { since: revision, only: false });
    const moved = source.fetch(null, -1, { since: revision, only: true }).flatMap((row): ListEntry[] => {
      // The last column tells which record it is: the fetch of moved entries gives the record's id there.
      const key = oldKeys.get(String(row.at(-1)));
      return key && compareSortKeys(key, after) * order > 0 ? [[row[0], ...key]] : [];
    });
    return [...stayed, ...moved]
      .sort((a, b) => compareSortKeys(a.slice(1) as SortKey, b.slice(1) as SortKey) * order)
      .slice(0, limit);
  }
}

/** Numbers by value, texts by code point, as SQLite compares UTF-8. */
function compareSortKeys(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] as string | number;
    if (left === right) continue;
    if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right);
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return 0;
}
