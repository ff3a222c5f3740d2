/** Whether the data file that was opened is still at its path. */
import { statSync } from 'node:fs';

export type PlaceFault = 'missing' | 'replaced';

/** What became of the file with an inode at a path; null: it is there. */
export function findPlaceFault(path: string, inode: bigint): PlaceFault | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  return stats.ino === inode ? null : 'replaced';
}
