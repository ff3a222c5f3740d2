/** Stores the audit log: who did what in the terminal or the console, when, and the values before and after. */
import type { Actor } from '../contract/roles.ts';
import { prepare, query, SqliteStore } from './statement.ts';

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
export type AuditRow = {
  id: number;
  created_ts: number;
  actor: string;
  action: string;
  subject_kind: string;
  subject: string;
  record_id: number | null;
  details: string;
  undone_by: number | null;
};

export class AuditLog extends SqliteStore {
  readonly #insert = prepare<Omit<AuditRow, 'id' | 'undone_by'>, never>(this.sqlite, (p) =>
    query.insertInto('audit_log').values({
      created_ts: p.created_ts,
      actor: p.actor,
      action: p.action,
      subject_kind: p.subject_kind,
      subject: p.subject,
      record_id: p.record_id,
      details: p.details,
      undone_by: null,
    }),
  );
  readonly #byId = prepare<{ id: number }, AuditRow>(this.sqlite, (p) =>
    query.selectFrom('audit_log').selectAll().where('id', '=', p.id),
  );
  readonly #renameActor = prepare<{ actor: string; replacement: string }, never>(this.sqlite, (p) =>
    query.updateTable('audit_log').set({ actor: p.replacement }).where('actor', '=', p.actor),
  );
  readonly #markUndone = prepare<{ id: number; by: number }, never>(this.sqlite, (p) =>
    query.updateTable('audit_log').set({ undone_by: p.by }).where('id', '=', p.id),
  );

  /** Adds an entry, in the transaction of the change itself. Returns its id. */
  add(entry: NewAuditEntry): number {
    return Number(this.#insert.run(toNewAuditRow(entry)).lastInsertRowid);
  }

  find(id: number): AuditEntry | undefined {
    const row = this.#byId.get({ id });
    return row && toAuditEntry(row);
  }

  /** Marks an entry as undone by a later one. */
  markUndone(id: number, by: number): void {
    this.#markUndone.run({ id, by });
  }

  /** Replaces the name of a person: the email of a deleted account by its id. */
  renameActor(actor: Actor, replacement: Actor): void {
    this.#renameActor.run({ actor, replacement });
  }

  /** The entries that match the filter, newest first. */
  list(filter: AuditFilter): AuditEntry[] {
    const { sql, parameters } = selectEntries(filter).compile();
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
export const toNewAuditRow = (entry: NewAuditEntry): Omit<AuditRow, 'id' | 'undone_by'> => ({
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
