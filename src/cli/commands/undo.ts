/** `undo`: undoes an entry of the audit log. */
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { describeFields, undoCommand } from '../output/edits.ts';
import { noteWaiting, recordLabel } from '../output/matching.ts';
import { formatFields } from '../output/terminal.ts';
import { undoOfAccounts } from '../undo-of-accounts.ts';

/** Adds `undo` to the program. */
export function addUndo(program: Command): void {
  const command = program
    .command('undo')
    .argument('<id>', 'id of an entry, as `history` and `audit` list it')
    .option('--force', 'undo it even if its subject has changed again since')
    .description(
      'Undo an edit, an addition, a merge, a split, a change of an account or another entry of the audit log.',
    );
  addExamples(command, [['cratebase undo 17', '']]);
  command.action(async (text: string) => {
    const force = command.opts<{ force?: true }>().force === true;
    const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(id))
      throw new Failure(
        `${JSON.stringify(text)} is not the id of an entry. \`cratebase audit\` lists them.`,
        2,
      );
    const ofAccounts = await undoOfAccounts(command, id, { force });
    if (ofAccounts !== null) {
      printResult(command, ofAccounts, () =>
        formatFields([
          ['undone', `entry ${id}`],
          ['account', ofAccounts.account],
          ['redo', undoCommand(command, ofAccounts.audit_id)],
        ]),
      );
      return;
    }
    const report = await withApp(command, {}, async (app) =>
      (await app.edits(terminalActor(), noteWaiting)).undo(id, { force }),
    );
    printResult(command, report, () =>
      formatFields([
        ['undone', `entry ${report.undone}`],
        ['record', report.record === null ? '' : recordLabel(report.record)],
        ['revision', report.revision],
        ...describeFields(report.fields ?? []),
        ['redo', (report.fields ?? []).length > 0 ? undoCommand(command, report.audit_id) : ''],
      ]),
    );
  });
}
