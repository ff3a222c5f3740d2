/** Dry runs: they do the real work, on a copy of the data file. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { exitOnSignals, withApp } from './command.ts';

/** Runs on a copy of the data file, or on a new file if there is none, and deletes it afterwards. */
export async function runOnCopy<T>(
  command: Command,
  data: string,
  run: (copy: string) => Promise<T>,
): Promise<T> {
  if (!existsSync(dirname(data)))
    throw new Failure(`The folder ${dirname(data)} does not exist. Create it first.`);
  const { makeScratchFolder } = await import('../app.ts');
  exitOnSignals();
  const scratch = makeScratchFolder(data);
  try {
    const copy = join(scratch.path, basename(data));
    if (existsSync(data))
      await withApp(command, { data, readOnly: true, anySchema: true }, (app) => app.file.copyTo(copy));
    return await run(copy);
  } finally {
    scratch.remove();
  }
}
