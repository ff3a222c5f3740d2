/** `restore`: replaces the data file with a backup. */
import type { Command } from 'commander';
import { addExamples, dataPath, exitOnSignals, printResult } from '../command.ts';

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'path of the backup')
    .description('Check a backup and replace the data file with it. The replaced file is kept.');
  addExamples(command, [['cratebase restore cratebase-2026-11-20.db', 'stop the service first']]);
  command.action(async (file: string) => {
    const { restore } = await import('../../app.ts');
    exitOnSignals();
    const restored = restore(file, dataPath(command));
    printResult(command, restored, () =>
      [
        `restored ${restored.data} from ${file}`,
        ...(restored.kept === null ? [] : [`the replaced file is ${restored.kept}`]),
      ].join('\n'),
    );
  });
}
