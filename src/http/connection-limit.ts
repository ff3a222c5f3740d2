/** How many connections a process has file handles for, so that some are left for files. */
import { readdirSync, readFileSync } from 'node:fs';

/** Kept for files: the data file, its log, a sync that is started. */
const reservedHandles = 64;

/**
 * Counts the connections that this process can hold at once and still open files.
 *
 * @returns the number; null where the system does not say how many handles there are (only Linux does, in /proc)
 */
export function connectionLimit(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
    if (Number.isNaN(soft)) return null;
    const open = readdirSync('/proc/self/fd').length;
    return Math.max(1, soft - open - Math.min(reservedHandles, Math.ceil(soft / 4)));
  } catch {
    return null;
  }
}
