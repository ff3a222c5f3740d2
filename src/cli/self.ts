import { isSea } from 'node:sea';

/** Returns the command that starts this program, and the leading arguments: from source, loader options and script. */
export function selfCommand(): { command: string; args: string[] } {
  const args = isSea() ? [] : [...process.execArgv, process.argv[1] as string];
  return { command: process.execPath, args };
}
