/** Undoes changes of accounts by their entries in the audit log. */
import type { Plan } from '../contract/plans.ts';
import type { Actor, Role } from '../contract/roles.ts';
import { undoableActions } from '../contract/undo.ts';
import { Failure } from '../failure.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { AuditEntry } from '../store/audit-log.ts';
import type { Tx } from '../store/engine/engine.ts';
import type { Base } from './parts.ts';

/** The fields of an account that an entry holds in `before` and `after`. */
type ChangedFields = Partial<
  Pick<AccountRow, 'plan' | 'role' | 'window_limit' | 'quota_limit' | 'suspended_ts'>
>;

/** Undoes changes of plan, role, limits and suspension. Each undo adds an entry of its own. */
export class AccountUndo {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /**
   * Restores the values before a change, and returns the number of the new entry and the email of the account. Fails if
   * the entry cannot be undone, was undone already, or the account has changed since; or if no operator would be left.
   * @param force undoes it although the account has changed since
   */
  async undo(id: number, actor: Actor, { force = false } = {}): Promise<{ auditId: number; email: string }> {
    const { engine, accounts, audit, clock } = this.#parts;
    return engine.writeDurably(async (tx) => {
      const entry = await audit.find(tx, id);
      const { before, after } = this.#check(entry, id);
      const row = await accounts.byId(tx, (entry as AuditEntry).subject);
      if (row === undefined) throw new Failure('The account was deleted meanwhile.');
      const names = Object.keys(before) as (keyof ChangedFields)[];
      if (!force && names.some((name) => row[name] !== after[name]))
        throw new Failure('The account was changed again since. Undo the later entry first.');
      const operators = await accounts.countOperators(tx);
      await this.#apply(tx, row, before);
      if (operators > 0 && (await accounts.countOperators(tx)) === 0)
        throw new Failure(`${row.email} is the only operator. Give another account the role operator first.`);
      const { action, subjectKind, subject } = entry as AuditEntry;
      const replaced = Object.fromEntries(names.map((name) => [name, row[name]]));
      const details = { before: replaced, after: before, undoes: id };
      const createdTs = clock.now();
      const by = await audit.add(tx, {
        createdTs,
        actor,
        action,
        subjectKind,
        subject,
        recordId: null,
        details,
      });
      await audit.markUndone(tx, id, by);
      return { auditId: by, email: row.email };
    });
  }

  #check(entry: AuditEntry | undefined, id: number): { before: ChangedFields; after: ChangedFields } {
    if (entry === undefined) throw new Failure(`There is no entry ${id} in the audit log.`);
    if (entry.undoneBy !== null)
      throw new Failure(`Entry ${id} was undone already, by entry ${entry.undoneBy}.`);
    const { before, after } = entry.details as { before?: ChangedFields; after?: ChangedFields };
    const isUndoable = entry.subjectKind === 'account' && Object.hasOwn(undoableActions, entry.action);
    if (!isUndoable || before === undefined || after === undefined)
      throw new Failure(`Entry ${id} (${entry.action}) cannot be undone.`);
    return { before, after };
  }

  async #apply(tx: Tx, { id, email }: AccountRow, values: ChangedFields): Promise<void> {
    const { accounts } = this.#parts;
    if (values.plan !== undefined) await accounts.setPlan(tx, email, values.plan as Plan);
    if (values.role !== undefined) await accounts.setRole(tx, id, values.role as Role);
    if (values.suspended_ts !== undefined) await accounts.setSuspended(tx, id, values.suspended_ts);
    if (values.window_limit !== undefined && values.quota_limit !== undefined)
      await accounts.setLimits(tx, email, values.window_limit, values.quota_limit);
  }
}
