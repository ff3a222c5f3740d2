/**
 * The two files that SQLite keeps beside a data file while it is open: the write-ahead log (`-wal`) and its index (`-shm`).
 * A connection goes on using them after they were deleted. Another process then makes new ones, and neither sees what
 * the other commits.
 *
 * https://sqlite.org/howtocorrupt.html, section 4.4; https://sqlite.org/walformat.html
 */
import { realpathSync, statSync } from 'node:fs';

/** Inodes of the log and of its index; null where there is no such file. */
export type LogFiles = { log: bigint | null; index: bigint | null };

const inodeOf = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** SQLite keeps the files beside the data file itself, wherever links to it lie. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** The files that lie beside the data file at `path` now. Right after a connection has read, they are its own. */
export function logFilesOf(path: string): LogFiles {
  const real = realPathOf(path);
  return { log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`) };
}

/** Whether a file of `opened` was deleted or replaced; `present` is what lies there now. */
export const isSeparated = (opened: LogFiles, present: LogFiles): boolean =>
  (opened.log !== null && present.log !== opened.log) ||
  (opened.index !== null && present.index !== opened.index);

/** Whether files of `opened` are only missing: while another process has the data file open, it has made new ones. */
export const isUnreplaced = (opened: LogFiles, present: LogFiles): boolean =>
  (present.log ?? opened.log) === opened.log && (present.index ?? opened.index) === opened.index;
