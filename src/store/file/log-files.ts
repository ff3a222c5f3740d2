/**
 * The two files that SQLite keeps beside an open data file: the write-ahead log (`-wal`) and its index (`-shm`).
 * A connection keeps using them after they were deleted. Another process then creates new ones, and neither
 * process sees the other's commits.
 *
 * https://sqlite.org/howtocorrupt.html, section 4.4; https://sqlite.org/walformat.html
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Inodes of the log and its index; null if the file does not exist. */
export type LogFiles = { log: bigint | null; index: bigint | null };

const inodeOf = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** SQLite keeps the files beside the data file itself, not beside a link to it. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** The log files at `path` now. Right after a connection has read, they are those of the connection. */
export function logFilesOf(path: string): LogFiles {
  const real = realPathOf(path);
  return { log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`) };
}

/** Whether a file of `opened` was deleted or replaced; `present` are the files there now. */
export const isSeparated = (opened: LogFiles, present: LogFiles): boolean =>
  (opened.log !== null && present.log !== opened.log) ||
  (opened.index !== null && present.index !== opened.index);

/**
 * Whether files of `opened` are missing but not replaced. Another process that opened the data file would have
 * created new ones.
 */
const isUnreplaced = (opened: LogFiles, present: LogFiles): boolean =>
  (present.log ?? opened.log) === opened.log && (present.index ?? opened.index) === opened.index;

/**
 * Moves the content of a deleted log into the data file. Does nothing if a new log or index exists: another process may
 * have written since, and pages of the old log would overwrite its changes.
 * @param sqlite a connection from before the log was deleted
 * @param opened the log files that it uses
 */
export function rescueLog(sqlite: Database.Database, opened: LogFiles): void {
  if (isUnreplaced(opened, logFilesOf(sqlite.name))) sqlite.pragma('wal_checkpoint(PASSIVE)');
}

/** The result of `PRAGMA wal_checkpoint`, in frames; -1 if the index could not be read now. */
export type LogFrames = { log: number; checkpointed: number };

/** https://sqlite.org/fileformat2.html#the_write_ahead_log, sizes in bytes. */
export const logHeaderBytes = 32;
export const frameHeaderBytes = 24;
/** The magic number without its last bit, which is the byte order of the checksums. */
const logMagic = 0x377f0682 >>> 1;

/** Reads the header of a log; null if the file has none. Each frame of the log has its salts. */
export function readLogHeader(file: number): { pageBytes: number; salts: Buffer } | null {
  const header = Buffer.alloc(logHeaderBytes);
  if (readSync(file, header, 0, logHeaderBytes, 0) < logHeaderBytes) return null;
  if (header.readUInt32BE(0) >>> 1 !== logMagic) return null;
  return { pageBytes: header.readUInt32BE(8), salts: header.subarray(16, 24) };
}

/** A log that another process restarts during a look seems to lack frames. It does not at the next look. */
const maxLooks = 3;

/**
 * Whether the log of an open file was emptied or cut off. SQLite writes on behind the hole, and a checkpoint would copy the
 * hole into the data file. Throws SQLite's error if the index of the log cannot be read now.
 * @param extent `ends`: looks at the header and the length only; `all`: at each frame that the data file does not have
 */
export function isLogCut(sqlite: Database.Database, extent: 'ends' | 'all'): boolean {
  for (let look = 0; look < maxLooks; look++) if (!lacksFrames(sqlite, extent)) return false;
  return true;
}

function lacksFrames(sqlite: Database.Database, extent: 'ends' | 'all'): boolean {
  const [{ log, checkpointed }] = sqlite.pragma('wal_checkpoint(NOOP)') as [LogFrames];
  if (log <= 0) return false;
  let file: number;
  try {
    file = openSync(`${realPathOf(sqlite.name)}-wal`, 'r');
  } catch {
    // A deleted log is another fault.
    return false;
  }
  try {
    const header = readLogHeader(file);
    if (header === null) return true;
    const positionOf = (frame: number) => logHeaderBytes + frame * (frameHeaderBytes + header.pageBytes);
    if (fstatSync(file).size < positionOf(log)) return true;
    if (extent === 'ends') return false;
    const frameHeader = Buffer.alloc(frameHeaderBytes);
    for (let frame = Math.max(0, checkpointed); frame < log; frame++) {
      readSync(file, frameHeader, 0, frameHeaderBytes, positionOf(frame));
      if (!frameHeader.subarray(8, 16).equals(header.salts)) return true;
    }
    return false;
  } finally {
    closeSync(file);
  }
}
