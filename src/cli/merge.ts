/** `merge`: two records are one, now and at every later sync. */
import type { Command } from 'commander';
import { addExamples, show, withApp } from './command.ts';
import { describeCorrected, recordHelp } from './corrections.ts';
import { harmless } from './terminal.ts';

export function addMerge(program: Command): void {
  const command = program
    .command('merge')
    .argument('<a>', `the record that stays: ${recordHelp}`)
    .argument('<b>', 'the record that goes into it; its slug goes on answering')
    .option('--force', 'even against an earlier decision')
    .description('Make two records one. Remembered: no later sync parts them.');
  addExamples(command, [
    ['cratebase merge artist/dj-koze artist/koze', ''],
    ['cratebase merge evt_00001a evt_00002b --json', ''],
  ]);
  command.action(async (a: string, b: string) => {
    const force = command.opts<{ force?: true }>().force === true;
    const done = await withApp(command, {}, async (app) => (await app.corrections()).merge(a, b, { force }));
    show(command, done, () => harmless(describeCorrected('one record now', done)));
  });
}
