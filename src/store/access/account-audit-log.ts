/** The audit log as accounts and credentials use it. `store/audit-log.ts` writes the entries of the catalogue. */
import type { Actor } from '../../contract/roles.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRow,
  auditQueries,
  type NewAuditEntry,
  type NewAuditRow,
  selectEntries,
  toAuditEntry,
  toNewAuditRow,
} from '../audit-log.ts';
import type { Tx } from '../engine/engine.ts';
import { execute, selectAll, selectFirst } from '../engine/statement.ts';

/**
 * Stores the entries of the audit log that concern accounts and credentials, over the engine of the accounts
 * (docs/decisions/41-accounts-over-an-engine.md).
 */
export class AccountAuditLog {
  readonly #insert = selectFirst<[entry: NewAuditRow], { id: number }>((entry) =>
    auditQueries.insert(entry).returning('id'),
  );
  readonly #byId = selectFirst<[id: number], AuditRow>(auditQueries.byId);
  /** Marks an entry as undone by a later one. */
  readonly markUndone = execute<[id: number, by: number]>(auditQueries.markUndone);
  /** Replaces the name of a person: the email of a deleted account by its id. */
  readonly renameActor = execute<[actor: Actor, replacement: Actor]>(auditQueries.renameActor);

  /** Adds an entry, in the transaction of the change itself. Returns its id. */
  async add(tx: Tx, entry: NewAuditEntry): Promise<number> {
    const row = await this.#insert(tx, toNewAuditRow(entry));
    return (row as { id: number }).id;
  }

  async find(tx: Tx, id: number): Promise<AuditEntry | undefined> {
    const row = await this.#byId(tx, id);
    return row && toAuditEntry(row);
  }

  /** The entries that match the filter, newest first. */
  async list(tx: Tx, filter: AuditFilter): Promise<AuditEntry[]> {
    const select = selectAll<[], AuditRow>(() => selectEntries(filter));
    return (await select(tx)).map(toAuditEntry);
  }
}
