/** `licenses`: prints the licences of the software in the executable. */
import type { Command } from 'commander';
import { readAsset } from '../../assets.ts';
import { Failure } from '../../failure.ts';
import { addExamples, wantsJson } from '../command.ts';
import { printDocument, printJson } from '../output/terminal.ts';

/** Adds `licenses` to the program. */
export function addLicenses(program: Command): void {
  const command = program
    .command('licenses')
    .description('Print the licences of the software in the executable: Node.js, SQLite, packages.');
  addExamples(command, [['cratebase licenses | less', '']]);
  command.action(() => {
    const text = readNotices();
    if (wantsJson(command)) printJson({ text });
    else printDocument(text);
  });
}

/** Reads the notices, which the build writes into the executable. */
function readNotices(): string {
  try {
    return readAsset('THIRD-PARTY-NOTICES.txt');
  } catch {
    throw new Failure(
      'Only the executable contains this text. When run from source, each package has its licence in node_modules.',
    );
  }
}
