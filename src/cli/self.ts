/** Starting this program once more, as another process. */
import { isSea } from 'node:sea';

/** What starts it, and the arguments that come before its own: none of the executable, the script and its loader from source. */
export function selfCommand(): { command: string; args: string[] } {
  const args = isSea() ? [] : [...process.execArgv, process.argv[1] as string];
  return { command: process.execPath, args };
}
