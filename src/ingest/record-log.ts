/** Writes what people do with records to the audit log, within the transaction of the change. */
import type Database from 'better-sqlite3';
import type { Actor } from '../contract/roles.ts';
import { AuditLog } from '../store/audit-log.ts';
import type { RecordIdentity } from '../store/records/record-finder.ts';

/** The action of an entry that undoes another one. */
export const undoAction = 'record.undo';

/** The audit entries of one person about records, all with one time. */
export class RecordLog {
  readonly #log: AuditLog;
  readonly #now: number;
  readonly #actor: Actor;

  /** @param now ms since 1970 */
  constructor(sqlite: Database.Database, now: number, actor: Actor) {
    this.#log = new AuditLog(sqlite);
    this.#now = now;
    this.#actor = actor;
  }

  /** Adds an entry about a record. Returns its id. */
  add(action: string, { kind, id, slug }: RecordIdentity, details: Record<string, unknown>): number {
    return this.#log.add({
      createdTs: this.#now,
      actor: this.#actor,
      action,
      subjectKind: kind,
      subject: slug,
      recordId: id,
      details,
    });
  }

  /** Adds an entry that undoes another one, and marks that one. Returns its id. */
  addUndo(undone: number, record: RecordIdentity, details: Record<string, unknown>): number {
    const id = this.add(undoAction, record, { ...details, undone });
    this.#log.markUndone(undone, id);
    return id;
  }
}
