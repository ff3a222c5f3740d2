/** `backup`: copies the data file, also while a service uses it. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { formatBytes, Progress } from '../output/terminal.ts';

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
    const sha256 = await sha256Of(file);
    printResult(
      command,
      { file, bytes: size, sha256, revision },
      () => `wrote ${file} (${formatBytes(size)}, ${size.toLocaleString('en')} bytes)\nSHA-256 ${sha256}`,
    );
  });
}

/** Returns the SHA-256 of a file in hexadecimal, as `sha256sum` prints it. */
async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
