/** Reads and overwrites texts outside the source records that may name a forgotten artist. */
import type { FeedKind } from '../../contract/feed.ts';
import type { HeldRow } from '../schedule/held-records.ts';
import { SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';
import { prepareRemovalOfPossibleMatches } from './match-store.ts';

/** A text in one column of a table. `record` is the record that the row is about; null if there is none. */
export type TraceText = { column: TraceColumn; rowid: number; record: number | null; text: string };
export type TraceColumn = keyof typeof columns;
export type StoredEditText = Omit<Row<'edits'>, 'edited_by' | 'edited_ts'>;
export type HeldText = { rowid: number; source: string } & Pick<HeldRow, 'kind' | 'external_id' | 'content'>;

/** The searched columns: table, column, key, the record of a row, and whether the texts are JSON. */
const columns = {
  auditDetails: ['audit_log', 'details', 'id', 'record_id', true],
  auditSubject: ['audit_log', 'subject', 'id', 'record_id', false],
  runReport: ['source_runs', 'report', 'id', 'NULL', true],
  scheduleReport: ['schedules', 'last_report', 'source_id', 'NULL', true],
  scheduleError: ['schedules', 'last_error', 'source_id', 'NULL', false],
  removedSaved: ['removed_records', 'saved', 'record_id', 'record_id', true],
  removedName: ['removed_records', 'name', 'record_id', 'record_id', false],
  removedReason: ['removed_records', 'reason', 'record_id', 'record_id', false],
} as const;
export const traceColumns = Object.keys(columns) as TraceColumn[];
/** Entries about accounts, settings and plans name no artists. */
const searchedActions = "action GLOB 'record.*' OR action GLOB 'review.*' OR action GLOB 'source.*'";
const rowsPerPage = 200;

/** Whether the texts of a column are JSON, and a replaced one must remain so. */
export const isJsonColumn = (column: TraceColumn): boolean => columns[column][4];

/** Details without the possible matches that an undo stores again: they refer to source records by their ids. */
export function withoutMatches(text: string): string {
  const details = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify('matches' in details ? { ...details, matches: [] } : details);
}

/**
 * Reads and replaces texts for `forget` (docs/decisions/17-removals.md). Texts may be replaced during a scan, which
 * reads a page at a time.
 */
export class TraceStore extends SqliteStore {
  /** Reads the texts of a column, some per step. */
  *texts(column: TraceColumn): Generator<TraceText[]> {
    const [table, name, key, record] = columns[column];
    const test = table === 'audit_log' ? `AND (${searchedActions})` : '';
    const pages = this.#pages<Omit<TraceText, 'column'>>(
      `SELECT ${key} AS rowid, ${record} AS record, ${name} AS text FROM ${table}
       WHERE ${key} > ? AND ${name} IS NOT NULL ${test} ORDER BY ${key} LIMIT ${rowsPerPage}`,
    );
    for (const rows of pages) yield rows.map((row) => ({ column, ...row }));
  }

  replace({ column, rowid }: TraceText, text: string): void {
    const [table, name, key] = columns[column];
    this.sqlite.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${key} = ?`).run(text, rowid);
  }

  /** Reads the records that wait for approval, some per step. */
  held(): Generator<HeldText[]> {
    return this.#pages<HeldText>(
      `SELECT h.rowid, s.name AS source, h.kind, h.external_id, h.content FROM held_source_records h
       JOIN sources s ON s.id = h.source_id WHERE h.rowid > ? ORDER BY h.rowid LIMIT ${rowsPerPage}`,
    );
  }

  /** Reads the rows of a query behind the row id that it takes, one page per step. */
  *#pages<R extends { rowid: number }>(query: string): Generator<R[]> {
    const page = this.sqlite.prepare<[number], R>(query);
    for (let after = -1; ; ) {
      const rows = page.all(after);
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerPage) return;
      after = last.rowid;
    }
  }

  /** Replaces the content of a record that waits; null deletes it. */
  replaceHeld(rowid: number, content: string | null): void {
    if (content === null) this.sqlite.prepare('DELETE FROM held_source_records WHERE rowid = ?').run(rowid);
    else
      this.sqlite.prepare('UPDATE held_source_records SET content = ? WHERE rowid = ?').run(content, rowid);
  }

  /** The edits of all records but one. */
  edits(except: number): StoredEditText[] {
    return this.sqlite
      .prepare<unknown[], StoredEditText>(
        'SELECT kind, source, external_id, field, record_id, value FROM edits WHERE record_id <> ?',
      )
      .all(except);
  }

  replaceEdit({ kind, source, external_id, field }: StoredEditText, value: string): void {
    this.sqlite
      .prepare('UPDATE edits SET value = ? WHERE kind = ? AND source = ? AND external_id = ? AND field = ?')
      .run(value, kind, source, external_id, field);
  }

  /** Deletes the pairs with a record that were put off. */
  deletePostponed(kind: FeedKind, source: string, externalId: string): void {
    for (const side of ['a', 'b'])
      this.sqlite
        .prepare(
          `DELETE FROM postponed_matches WHERE kind = ? AND ${side}_source = ? AND ${side}_external_id = ?`,
        )
        .run(kind, source, externalId);
  }

  /** Deletes the pairs with a source record that a review asks about. */
  deletePossible(kind: FeedKind, source: string, externalId: string): void {
    for (const statement of prepareRemovalOfPossibleMatches(this.sqlite))
      statement.run(kind, source, externalId);
  }
}
