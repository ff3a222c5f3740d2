/** Stores the audit log: who did what in the terminal or the console, when, and the values before and after. */
import type { Actor } from '../contract/roles.ts';
import { pick, prepare, query, SqliteStore } from './statement.ts';
import type { Row } from './tables.ts';

export type AuditEntry = {
  id: number;
  /** ms since 1970. */
  createdTs: number;
  actor: Actor;
  /** The subject's kind and a verb: `record.hide`, `source.add`, `account.suspend`. */
  action: string;
  /** The kind of a record, or `source`, `account`, `setting`, `plan`, `pair`. */
  subjectKind: string;
  /** The slug of a record, the name of a source, the id of an account, as shown to people. */
  subject: string;
  /** The record whose history contains the entry; null for other subjects. */
  recordId: number | null;
  /** What changed (`before`, `after`), the reason, and what an undo needs. Never a secret. */
  details: Record<string, unknown>;
  /** The entry that undid this one; null if it still holds. */
  undoneBy: number | null;
};
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'undoneBy'>;

/** Selects entries. Members that are left out do not restrict. */
export type AuditFilter = {
  recordId?: number;
  subjectKind?: string;
  /** No entries about these kinds of subjects. */
  excludedKinds?: readonly string[];
  subject?: string;
  actor?: string;
  /** Only actions that start with this text, such as `record.`. */
  action?: string;
  /** Only entries older than this one, for the next page. */
  beforeId?: number;
  /** Only entries of this time (ms) and before. */
  untilTs?: number;
  limit: number;
};

/** An entry as it is stored. */
export type AuditRow = Row<'audit_log'>;
export type NewAuditRow = Omit<AuditRow, 'id' | 'undone_by'>;
const newColumns = [
  'created_ts',
  'actor',
  'action',
  'subject_kind',
  'subject',
  'record_id',
  'details',
] as const;

/** The statements that the audit log of the catalogue and that of the accounts have in common. */
export const auditQueries = {
  insert: (p: NewAuditRow) =>
    query.insertInto('audit_log').values({ ...pick(p, newColumns), undone_by: null }),
  byId: (id: number) => query.selectFrom('audit_log').selectAll().where('id', '=', id),
  renameActor: (actor: Actor, replacement: Actor) =>
    query.updateTable('audit_log').set({ actor: replacement }).where('actor', '=', actor),
  markUndone: (id: number, by: number) =>
    query.updateTable('audit_log').set({ undone_by: by }).where('id', '=', id),
};

/**
 * The audit log of the catalogue. It begins no transactions: callers add an entry in that of the change.
 * `access/account-audit-log.ts` is its counterpart for accounts.
 */
export class AuditLog extends SqliteStore {
  readonly #insert = prepare<NewAuditRow, never>(this.sqlite, auditQueries.insert);
  readonly #byId = this.selectFirst<[id: number], AuditRow>(auditQueries.byId);
  /** Marks an entry as undone by a later one. */
  readonly markUndone = this.execute<[id: number, by: number]>(auditQueries.markUndone);
  /** Replaces the name of a person: the email of a deleted account by its id. */
  readonly renameActor = this.execute<[actor: Actor, replacement: Actor]>(auditQueries.renameActor);

  /** Adds an entry, in the transaction of the change itself. Returns its id. */
  add(entry: NewAuditEntry): number {
    return Number(this.#insert.run(toNewAuditRow(entry)).lastInsertRowid);
  }

  /** The entry with this id; undefined if there is none. */
  find(id: number): AuditEntry | undefined {
    const row = this.#byId(id);
    return row && toAuditEntry(row);
  }

  /** The entries that match the filter, newest first. */
  list(filter: AuditFilter): AuditEntry[] {
    const { sql, parameters } = selectEntries(filter).compile();
    return (this.sqlite.prepare(sql).all(...parameters) as AuditRow[]).map(toAuditEntry);
  }

  /** The entries about a kind of subjects from one time (ms) to another, oldest first. */
  between(subjectKind: string, fromTs: number, untilTs: number): AuditEntry[] {
    // `created_ts` leads an index; by id, the whole log would be read.
    const { sql, parameters } = query
      .selectFrom('audit_log')
      .selectAll()
      .where('created_ts', '>=', fromTs)
      .where('created_ts', '<=', untilTs)
      .where('subject_kind', '=', subjectKind)
      .orderBy('created_ts')
      .compile();
    return (this.sqlite.prepare(sql).all(...parameters) as AuditRow[]).map(toAuditEntry);
  }
}

/** The query of the entries that match a filter, newest first. */
export function selectEntries({
  recordId,
  subjectKind,
  excludedKinds = [],
  subject,
  actor,
  action,
  beforeId,
  untilTs,
  limit,
}: AuditFilter) {
  let select = query.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
  if (recordId !== undefined) select = select.where('record_id', '=', recordId);
  if (subjectKind !== undefined) select = select.where('subject_kind', '=', subjectKind);
  if (excludedKinds.length > 0) select = select.where('subject_kind', 'not in', excludedKinds);
  if (subject !== undefined) select = select.where('subject', '=', subject);
  if (actor !== undefined) select = select.where('actor', '=', actor);
  if (action !== undefined)
    select = select.where('action', '>=', action).where('action', '<', `${action}\u{10ffff}`);
  if (beforeId !== undefined) select = select.where('id', '<', beforeId);
  if (untilTs !== undefined) select = select.where('created_ts', '<=', untilTs);
  return select;
}

/** Converts a new entry to the row that is stored. */
export const toNewAuditRow = (entry: NewAuditEntry): NewAuditRow => ({
  created_ts: entry.createdTs,
  actor: entry.actor,
  action: entry.action,
  subject_kind: entry.subjectKind,
  subject: entry.subject,
  record_id: entry.recordId,
  details: JSON.stringify(entry.details),
});

/** Converts a stored entry. */
export const toAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  createdTs: row.created_ts,
  actor: row.actor as Actor,
  action: row.action,
  subjectKind: row.subject_kind,
  subject: row.subject,
  recordId: row.record_id,
  details: JSON.parse(row.details) as Record<string, unknown>,
  undoneBy: row.undone_by,
});
