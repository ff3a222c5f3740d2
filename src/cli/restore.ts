/** `restore`: a backup in the place of the data file. */
import type { Command } from 'commander';
import { addExamples, dataPath, endOnSignals, show } from './command.ts';

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'a backup')
    .description('Check a backup and put it in the place of the data file, which is kept beside it.');
  addExamples(command, [['cratebase restore cratebase-2026-11-20.db', 'stop the server first']]);
  command.action(async (file: string) => {
    const { restore } = await import('../app.ts');
    endOnSignals();
    const restored = restore(file, dataPath(command));
    show(command, restored, () =>
      [
        `${restored.data} is now what ${file} was`,
        ...(restored.kept === null ? [] : [`what was there is kept in ${restored.kept}`]),
      ].join('\n'),
    );
  });
}
