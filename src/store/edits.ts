/**
 * Stores the edits of editors: fields that stand above every source, and entries that were added to lists or taken
 * away. An edit is anchored at one source record (docs/decisions/18-edits.md) and moves with it.
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../contract/feed.ts';
import { SqliteStore } from './statement.ts';
import type { Row } from './tables.ts';

/** The source record that an edit is anchored at. */
export type EditAnchor = { kind: FeedKind; source: string; externalId: string };
/** An edit as it is stored. */
export type StoredEdit = EditAnchor & {
  /** A field of the feed format; with `+` at its end: entries added to this list; with `-`: entries taken away. */
  field: string;
  value: unknown;
  editedBy: string;
  /** ms since 1970. */
  editedTs: number;
};

type EditRow = Omit<Row<'edits'>, 'record_id'> & { kind: FeedKind };

/** Stores edits of records on one connection. It caches whether there are any: see `clearCache`. */
export class EditStore extends SqliteStore {
  #statements: ReturnType<typeof prepareStatements> | undefined;
  /** Whether the file has no edits; undefined until it is looked up. */
  #isEmpty: boolean | undefined;

  /** Prepared on first use: most files have no edits. */
  get #sql() {
    this.#statements ??= prepareStatements(this.sqlite);
    return this.#statements;
  }

  /** Whether the file has no edits. The answer is kept until `clearCache`. */
  get isEmpty(): boolean {
    this.#isEmpty ??= this.sqlite.prepare('SELECT 1 FROM edits LIMIT 1').get() === undefined;
    return this.#isEmpty;
  }

  /** Must be called after another process wrote, and after a rollback. */
  clearCache(): void {
    this.#isEmpty = undefined;
  }

  /** The edits of a record, oldest first. */
  of(record: number): StoredEdit[] {
    return this.isEmpty ? [] : (this.#sql.ofRecord.all(record) as EditRow[]).map(toEdit);
  }

  /** Stores an edit of a record. It replaces the one of the same anchor and field. */
  put(edit: StoredEdit, record: number): void {
    this.#isEmpty = false;
    this.#sql.put.run({ ...edit, value: JSON.stringify(edit.value), record });
  }

  /** Removes the edits of a record in these fields. */
  remove(record: number, fields: readonly string[]): void {
    for (const field of fields) this.#sql.remove.run(record, field);
    this.#isEmpty = undefined;
  }

  /** Moves the edits that are anchored at a source record to the record that it belongs to now. */
  moveAnchored(sourceId: number, { kind, externalId }: Omit<EditAnchor, 'source'>, record: number): void {
    if (!this.isEmpty) this.#sql.moveAnchored.run({ kind, sourceId, externalId, record });
  }
}

function prepareStatements(sqlite: Database.Database) {
  return {
    ofRecord: sqlite.prepare(
      `SELECT kind, source, external_id, field, value, edited_by, edited_ts FROM edits
       WHERE record_id = ? ORDER BY edited_ts, field, source, external_id`,
    ),
    put: sqlite.prepare(
      `INSERT OR REPLACE INTO edits (kind, source, external_id, field, record_id, value, edited_by, edited_ts)
       VALUES (@kind, @source, @externalId, @field, @record, @value, @editedBy, @editedTs)`,
    ),
    remove: sqlite.prepare('DELETE FROM edits WHERE record_id = ? AND field = ?'),
    moveAnchored: sqlite.prepare(
      `UPDATE edits SET record_id = @record
       WHERE kind = @kind AND external_id = @externalId AND source = (SELECT name FROM sources WHERE id = @sourceId)`,
    ),
  };
}

/** Parses the column `value` of an edit. */
export const parseEditValue = (value: string): unknown => JSON.parse(value);

const toEdit = ({ external_id, edited_by, edited_ts, value, ...rest }: EditRow): StoredEdit => ({
  ...rest,
  externalId: external_id,
  value: parseEditValue(value),
  editedBy: edited_by,
  editedTs: edited_ts,
});
