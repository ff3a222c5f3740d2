/** `backup`: a copy of the data file, while it is in use too. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { addExamples, show, withApp } from './command.ts';
import { bytes, Progress } from './terminal.ts';

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .argument('<file>', 'path of the copy')
    .description('Copy the data file, including accounts. Works while the service runs.')
    .option('--force', 'replace an existing file');
  addExamples(command, [['cratebase backup cratebase-2026-11-20.db', '']]);
  command.action(async (file: string) => {
    if (existsSync(file) && command.opts<{ force?: true }>().force !== true) {
      throw new Failure(`${file} already exists. Name another file, or replace it with --force.`);
    }
    if (existsSync(file) && statSync(file).isDirectory()) {
      throw new Failure(`${file} is a folder. Name a file in it.`, 2);
    }
    if (!existsSync(dirname(file))) {
      throw new Failure(`The folder ${dirname(file)} does not exist. Create it first.`);
    }
    const revision = await withApp(command, { readOnly: true, anySchema: true }, async (app) => {
      if (existsSync(file) && statSync(file).ino === statSync(app.path).ino) {
        throw new Failure(`${file} is the data file itself. Name another file.`, 2);
      }
      const progress = new Progress('pages');
      await app.copyTo(file, ({ done, total }) => progress.update({ done, total, count: done }));
      progress.end();
      return app.revision();
    });
    const size = statSync(file).size;
    show(command, { file, bytes: size, revision }, () => `wrote ${file} (${bytes(size)})`);
  });
}
