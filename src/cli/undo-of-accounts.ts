/**
 * Undoes entries of the audit log about accounts, keys and plans. They are in the data file, or with `--cluster` in
 * PostgreSQL, where nothing is published for them.
 */
import type { Command } from 'commander';
import type { Access } from '../app.ts';
import { isAccountSubject } from '../contract/undo.ts';
import { terminalActor } from './actor.ts';
import { withAccess } from './with-access.ts';

/** `undone` is the entry that was undone, `audit_id` the entry of the undo, `account` the email. */
export type AccountUndoReport = { undone: number; audit_id: number; account: string };

/**
 * Undoes an entry about an account. Returns null if the entry is about the catalogue, or is missing.
 * Throws a `Failure` if the entry cannot be undone, or the account has changed since and `force` is not set.
 */
export async function undoOfAccounts(
  command: Command,
  id: number,
  { force }: { force: boolean },
): Promise<AccountUndoReport | null> {
  return withAccess(command, async (access) => {
    if (!(await isOfAccounts(access, id))) return null;
    const { auditId, email } = await access.accountUndo.undo(id, terminalActor(), { force });
    return { undone: id, audit_id: auditId, account: email };
  });
}

/** Whether `undo` with these arguments is about an account of a cluster: such an undo publishes nothing. */
export const isUndoOfAccounts = (command: Command): Promise<boolean> =>
  withAccess(command, (access) => isOfAccounts(access, Number(command.args[0])));

/** Whether the entry with this id is about accounts, keys, plans or nodes. */
async function isOfAccounts({ auditLog }: Access, id: number): Promise<boolean> {
  const entry = Number.isSafeInteger(id) ? await auditLog.find(id) : undefined;
  return entry !== undefined && isAccountSubject(entry.subjectKind);
}
