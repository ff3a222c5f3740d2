/** Whether other processes of this machine still run. */
import { readFileSync } from 'node:fs';

/**
 * Tells whether a process of this machine still runs. A process that has ended counts as ended before its parent has
 * collected it (a zombie): in a container, or where the parent was killed as well, that may take long.
 * @param pid the number of a process, as `process.pid`
 * @returns true too where the process belongs to another user and cannot be asked
 */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  return process.platform !== 'linux' || processState(pid) !== 'Z';
}

/** The letter of the process's state (proc(5)); null where the system does not say. */
function processState(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets before it and may hold anything.
    return text.charAt(text.lastIndexOf(')') + 2) || null;
  } catch {
    return null;
  }
}
