/** Types of undo functions, one per action of the audit log, and the check that an entry can still be undone. */
import type { RecordSummary } from '../../contract/console-results.ts';
import { Failure } from '../../failure.ts';
import type { AuditEntry, AuditLog } from '../../store/audit-log.ts';
import type { EditedField } from './edit-writer.ts';

/** `undone` is the entry that was undone, `audit_id` the entry of the undo. */
export type UndoReport = {
  undone: number;
  audit_id: number | null;
  record: RecordSummary | null;
  revision: number;
  /** The fields that changed, if the entry was an edit: such an undo can be undone. */
  fields?: readonly EditedField[];
};

/**
 * Undoes one kind of entry. Throws a `Failure` if the subject was changed again since and `force` is not set.
 * Must mark the entry as undone in the same transaction.
 */
export type UndoAction = (entry: AuditEntry, options: { force: boolean }) => Promise<UndoReport>;
/** Undo actions by `AuditEntry.action`: `record.merge`, `record.hide` … `App.edits` registers them. */
export type UndoActions = Readonly<Record<string, UndoAction>>;

/** The entry with this id. Throws a `Failure` if there is none, or if it is undone already. */
export function assertCurrent(log: AuditLog, id: number): AuditEntry {
  const entry = log.find(id);
  if (entry === undefined)
    throw new Failure(`There is no entry ${id} in the audit log. \`cratebase audit\` lists the entries.`, 1, {
      code: 'entry_missing',
      value: id,
    });
  if (entry.undoneBy !== null)
    throw new Failure(`Entry ${id} is undone already, by entry ${entry.undoneBy}.`, 1, {
      code: 'undone_already',
      value: id,
    });
  if (entry.details.forgotten === true)
    throw new Failure(`Entry ${id} cannot be undone: its artist was forgotten, and its values with it.`, 1, {
      code: 'undo_forgotten',
      value: id,
    });
  return entry;
}
