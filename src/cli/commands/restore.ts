/** `restore`: replaces the data file with a backup. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, dataPath, exitOnSignals, printResult } from '../command.ts';

/** Adds `restore` to the program. */
export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'path of the backup')
    .description('Check a backup and replace the data file with it. The replaced file is kept.');
  addExamples(command, [['cratebase restore cratebase-2026-11-20.db', 'stop the service first']]);
  command.action(async (file: string) => {
    const { restore } = await import('../../app.ts');
    exitOnSignals();
    if (!existsSync(file) && /^(?:[a-z]+\/[a-z0-9-]+|[a-z]{3}_\w+)$/.test(file))
      throw new Failure(
        `There is no file ${file}. To bring back a deleted record, run \`cratebase undelete ${file}\`.`,
      );
    const restored = restore(file, dataPath(command));
    printResult(command, restored, () =>
      [
        `restored ${restored.data} from ${file}`,
        ...(restored.kept === null ? [] : [`the replaced file is ${restored.kept}`]),
      ].join('\n'),
    );
  });
}
