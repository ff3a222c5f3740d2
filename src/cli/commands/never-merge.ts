/** `never-merge`: keeps two records separate, permanently. */
import type { Command } from 'commander';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { noteWaiting, recordHelp, recordLabel } from '../output/matching.ts';
import { formatFields } from '../output/terminal.ts';

/** Adds `never-merge` to the program. */
export function addNeverMerge(program: Command): void {
  const command = program
    .command('never-merge')
    .argument('<a>', recordHelp)
    .argument('<b>', 'the other record')
    .option('--force', 'replace an earlier decision')
    .description('Keep two records separate permanently. Later imports do not merge them.');
  addExamples(command, [['cratebase never-merge artist/nova artist/nova-de', '']]);
  command.action(async (a: string, b: string) => {
    const force = command.opts<{ force?: true }>().force === true;
    const report = await withApp(command, {}, async (app) =>
      (await app.corrections(noteWaiting, terminalActor())).neverMerge(a, b, { force }),
    );
    printResult(command, report, () =>
      formatFields([
        ['kept separate', recordLabel(report.record)],
        ['from', recordLabel(report.other)],
        ['revision', report.revision],
      ]),
    );
  });
}
