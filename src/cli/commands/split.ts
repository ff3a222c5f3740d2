/** `split`: separates the source records of one record into several records. */
import type { Command } from 'commander';
import type { RecordSummary } from '../../contract/review-items.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, withApp } from '../command.ts';
import { describeCorrected, noteWaiting, recordHelp, recordLabel } from '../output/matching.ts';
import { stripUnsafeCharacters } from '../output/terminal.ts';

/** The arguments of `merge` that undo a split; `--force` replaces the decision that the split stored. */
const undoArguments = (record: RecordSummary, part: RecordSummary): string[] => [
  record.id,
  part.id,
  '--force',
];

/** Adds `split` to the program. */
export function addSplit(program: Command): void {
  const command = program
    .command('split')
    .argument('<record>', recordHelp)
    .option(
      '--statement <source:external-id...>',
      'source records that move to a new record, as `explain` lists them; for a merged record without source records, its slug',
    )
    .description(
      'Split a record permanently: the named source records leave it, or each becomes its own record. Merged records get their slugs back.',
    );
  addExamples(command, [
    ['cratebase split event/tiefdruck-2026-12-04 --statement tickets:4711', ''],
    ['cratebase split art_00001a', 'one record for each source record'],
  ]);
  command.action(async (record: string) => {
    const { statement = [] } = command.opts<{ statement?: string[] }>();
    const report = await withApp(command, {}, async (app) =>
      (await app.corrections(noteWaiting, terminalActor())).split(record, statement),
    );
    const undo = report.parts.map((part) => undoArguments(report.record, part));
    printResult(command, { ...report, undo }, () =>
      [
        describeCorrected('stays', report),
        ...report.parts.map((part) => `new: ${recordLabel(part)}`),
        ...(report.audit_id === null
          ? undo.map((words) => `merge ${words.join(' ')}`)
          : [`undo ${report.audit_id}`]
        ).map((back) => `undo: ${followUpCommand(command, back)}`),
      ]
        .map(stripUnsafeCharacters)
        .join('\n'),
    );
  });
}
