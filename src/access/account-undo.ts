/** Undoes changes of accounts by their entries in the audit log. */
import type { Clock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { Actor, Role } from '../contract/roles.ts';
import { undoableActions } from '../contract/undo.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/access/accounts.ts';
import type { AuditEntry, AuditLog } from '../store/audit-log.ts';
import type { Transactions } from '../store/transactions.ts';

type AccountUndoDependencies = {
  transactions: Transactions;
  accounts: AccountStore;
  audit: AuditLog;
  clock: Clock;
};

/** The fields of an account that an entry holds in `before` and `after`. */
type ChangedFields = Partial<
  Pick<AccountRow, 'plan' | 'role' | 'window_limit' | 'quota_limit' | 'suspended_ts'>
>;

export class AccountUndo {
  readonly #parts: AccountUndoDependencies;

  constructor(parts: AccountUndoDependencies) {
    this.#parts = parts;
  }

  /**
   * Restores the values before a change, and returns the number of the new entry. Fails if the entry cannot be undone, was
   * undone already, or the account has changed since; or if no operator would be left.
   */
  async undo(id: number, actor: Actor): Promise<number> {
    const { transactions, accounts, audit, clock } = this.#parts;
    return transactions.writeDurably(() => {
      const entry = audit.find(id);
      const { before, after } = this.#check(entry, id);
      const row = accounts.byId((entry as AuditEntry).subject);
      if (row === undefined) throw new Failure('The account was deleted meanwhile.');
      const names = Object.keys(before) as (keyof ChangedFields)[];
      if (names.some((name) => row[name] !== after[name]))
        throw new Failure('The account was changed again since. Undo the later entry first.');
      const operators = accounts.countOperators();
      this.#apply(row, before);
      if (operators > 0 && accounts.countOperators() === 0)
        throw new Failure(`${row.email} is the only operator. Give another account the role operator first.`);
      const { action, subjectKind, subject } = entry as AuditEntry;
      const details = { before: after, after: before, undoes: id };
      const createdTs = clock.now();
      const by = audit.add({ createdTs, actor, action, subjectKind, subject, recordId: null, details });
      audit.markUndone(id, by);
      return by;
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

  #apply({ id, email }: AccountRow, values: ChangedFields): void {
    const { accounts } = this.#parts;
    if (values.plan !== undefined) accounts.setPlan(email, values.plan as Plan);
    if (values.role !== undefined) accounts.setRole(id, values.role as Role);
    if (values.suspended_ts !== undefined) accounts.setSuspended(id, values.suspended_ts);
    if (values.window_limit !== undefined && values.quota_limit !== undefined)
      accounts.setLimits(email, values.window_limit, values.quota_limit);
  }
}
