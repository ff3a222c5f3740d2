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
import { define } from '../engine/statement.ts';

export class AccountAuditLog {
  readonly #insert = define<NewAuditRow, { id: number }>((p) => auditQueries.insert(p).returning('id'));
  readonly #byId = define<{ id: number }, AuditRow>(auditQueries.byId);
  readonly #renameActor = define<{ actor: string; replacement: string }, never>(auditQueries.renameActor);
  readonly #markUndone = define<{ id: number; by: number }, never>(auditQueries.markUndone);

  /** Adds an entry, in the transaction of the change itself. Returns its id. */
  async add(tx: Tx, entry: NewAuditEntry): Promise<number> {
    const row = await this.#insert.get(tx, toNewAuditRow(entry));
    return (row as { id: number }).id;
  }

  async find(tx: Tx, id: number): Promise<AuditEntry | undefined> {
    const row = await this.#byId.get(tx, { id });
    return row && toAuditEntry(row);
  }

  /** The entries that match the filter, newest first. */
  async list(tx: Tx, filter: AuditFilter): Promise<AuditEntry[]> {
    const rows = await tx.all<Record<string, never>, AuditRow>(
      define(() => selectEntries(filter)),
      {},
    );
    return rows.map(toAuditEntry);
  }

  /** Marks an entry as undone by a later one. */
  async markUndone(tx: Tx, id: number, by: number): Promise<void> {
    await this.#markUndone.run(tx, { id, by });
  }

  /** Replaces the name of a person: the email of a deleted account by its id. */
  async renameActor(tx: Tx, actor: Actor, replacement: Actor): Promise<void> {
    await this.#renameActor.run(tx, { actor, replacement });
  }
}
