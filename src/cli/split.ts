/** `split`: parts a record into what different sources meant by it. */
import type { Command } from 'commander';
import { addExamples, show, withApp } from './command.ts';
import { describeCorrected, nameOf, noteWaiting, recordHelp } from './corrections.ts';
import { harmless } from './terminal.ts';

export function addSplit(program: Command): void {
  const command = program
    .command('split')
    .argument('<record>', recordHelp)
    .option(
      '--statement <source:external-id...>',
      'source records that move to a new record, as shown by `explain`; a record without source records by its slug',
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
    const done = await withApp(command, {}, async (app) =>
      (await app.corrections(noteWaiting)).split(record, statement),
    );
    show(command, done, () =>
      [describeCorrected('stays', done), ...done.parts.map((part) => `new: ${nameOf(part)}`)]
        .map(harmless)
        .join('\n'),
    );
  });
}
