/** Tells whether a process on this machine still runs, by its process id. */
import { readFileSync } from 'node:fs';

/**
 * Whether a process on this machine runs. An ended process that its parent has not collected (a zombie) does not:
 * in a container, or with a killed parent, it may remain for long.
 * @param pid a process id, as `process.pid`
 * @returns also true if the process belongs to another user and cannot be signalled
 */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  return process.platform !== 'linux' || processState(pid) !== 'Z';
}

/** The state letter of a process (proc(5)); null if the system does not provide it. */
function processState(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name comes before the state in parentheses and may contain any character.
    return text.charAt(text.lastIndexOf(')') + 2) || null;
  } catch {
    return null;
  }
}
