/**
 * The two files that SQLite keeps beside an open data file: the write-ahead log (`-wal`) and its index (`-shm`).
 * A connection keeps using them after they were deleted. Another process then creates new ones, and neither
 * process sees the other's commits.
 *
 * https://sqlite.org/howtocorrupt.html, section 4.4; https://sqlite.org/walformat.html
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { blockFor } from './block-for.ts';

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

/** The number of frames in the log, and how many of them the data file has. */
export const logFramesOf = (sqlite: Database.Database): LogFrames =>
  (sqlite.pragma('wal_checkpoint(NOOP)') as [LogFrames])[0];

/** The result of work on a log; null if SQLite cannot do it now, as within a transaction. */
export function unlessUnreadable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (failure) {
    if (failure instanceof Database.SqliteError) return null;
    throw failure;
  }
}

/**
 * Opens the log beside the data file at `path` for reading; null if there is none. The handle shows what becomes of a log
 * that others rename or delete. It may be closed at any time: SQLite has no locks on the log.
 */
export function openLog(path: string): number | null {
  try {
    return openSync(`${realPathOf(path)}-wal`, 'r');
  } catch {
    return null;
  }
}

/** Opens the log beside the data file at `path`, and closes it after `read`; null if there is none. */
export function readLog<T>(path: string, read: (file: number) => T): T | null {
  const file = openLog(path);
  if (file === null) return null;
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

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

/**
 * A log that another process restarts during a look seems to lack frames. It does not at a later look, unless others
 * restart it all the time. One that was cut does at all of them.
 */
const maxLooks = 20;
const betweenLooksMs = 1;

/** What was seen of a log: its salts, which change when it is restarted, and how many frames it had. */
type LogLook = { isCut: boolean; salts: string; frames: number };
const nothingSeen: LogLook = { isCut: false, salts: '', frames: 0 };

/**
 * Whether the log of an open file was emptied or cut off. SQLite writes on behind the hole, and a checkpoint would copy the
 * hole into the data file. Looks at each frame that the data file does not have, and at the one before them: the hole
 * always has the last frame from before the cut. Throws SQLite's error if the index of the log cannot be read now.
 * @param log a handle of the log (`openLog`); null: it is opened, and one that was renamed or deleted is not looked at
 */
export const isLogCut = (sqlite: Database.Database, log: number | null = null): boolean =>
  lookAtLog(sqlite, null, log).isCut;

/**
 * Looks again and again whether the log of an open file was emptied or cut off, and reads only frames that are new, and not all
 * of them if they are many.
 */
export class LogCheck {
  readonly #sqlite: Database.Database;
  #last = nothingSeen;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** Whether the log was emptied or cut off. One that was stays so. Throws SQLite's error if that cannot be read now. */
  isCut(): boolean {
    if (!this.#last.isCut) this.#last = lookAtLog(this.#sqlite, this.#last);
    return this.#last.isCut;
  }
}

/** @param last what was seen of the log before; null: each frame is to be looked at */
function lookAtLog(sqlite: Database.Database, last: LogLook | null, handle: number | null = null): LogLook {
  let look = lookOnce(sqlite, last, handle);
  for (let looks = 1; look.isCut && looks < maxLooks; looks++) {
    blockFor(betweenLooksMs);
    look = lookOnce(sqlite, last, handle);
  }
  return look;
}

function lookOnce(sqlite: Database.Database, last: LogLook | null, handle: number | null): LogLook {
  const { log, checkpointed } = logFramesOf(sqlite);
  const before = last ?? nothingSeen;
  if (log <= 0) return before;
  const read = (file: number): LogLook => {
    const header = readLogHeader(file);
    if (header === null) return { ...before, isCut: true };
    const frameBytes = frameHeaderBytes + header.pageBytes;
    if (fstatSync(file).size < logHeaderBytes + log * frameBytes) return { ...before, isCut: true };
    const salts = header.salts.toString('hex');
    const knownFrames = salts === before.salts ? Math.min(before.frames, log) : 0;
    const first = Math.max(0, Math.max(knownFrames, checkpointed) - 1);
    const range = { first, end: log, isSampled: last !== null };
    return { isCut: !areFramesOf(header.salts, file, frameBytes, range), salts, frames: log };
  };
  // A deleted log is another fault.
  return (handle === null ? readLog(sqlite.name, read) : read(handle)) ?? before;
}

/** Frames are read many at a time: one read for each header takes ten times as long. */
const bytesPerRead = 256 * 1024;
/** Up to so many new frames are looked at one by one, and of more every sixteenth: an import writes thousands a second. */
const maxNewFrames = 256;
const sampleStep = 16;

/**
 * Whether the frames of a log from `first` to before `end` have the salts of its header. Of many frames, only every sixteenth
 * is looked at if `isSampled`: a hole of fewer frames is found before the next checkpoint.
 */
function areFramesOf(
  salts: Buffer,
  file: number,
  frameBytes: number,
  { first, end, isSampled }: { first: number; end: number; isSampled: boolean },
): boolean {
  if (isSampled && end - first > maxNewFrames) {
    const own = Buffer.allocUnsafe(salts.length);
    for (let frame = first; frame < end; frame += sampleStep) {
      if (readSync(file, own, 0, own.length, logHeaderBytes + frame * frameBytes + 8) < own.length)
        return false;
      if (!own.equals(salts)) return false;
    }
    return true;
  }
  for (const own of saltsOf(file, frameBytes, first, end)) if (!own.equals(salts)) return false;
  return true;
}

/** Yields the salts of the frames from `first` to before `end`, which hold until the next one; fewer if the file ends. */
function* saltsOf(file: number, frameBytes: number, first: number, end: number): Generator<Buffer> {
  const framesPerRead = Math.max(1, Math.min(end - first, Math.ceil(bytesPerRead / frameBytes)));
  const frames = Buffer.allocUnsafe(framesPerRead * frameBytes);
  for (let frame = first; frame < end; frame += framesPerRead) {
    const bytes = Math.min(framesPerRead, end - frame) * frameBytes;
    const length = readSync(file, frames, 0, bytes, logHeaderBytes + frame * frameBytes);
    frames.fill(0, length, bytes);
    for (let at = 0; at < bytes; at += frameBytes) yield frames.subarray(at + 8, at + 16);
  }
}

/**
 * Whether the log beside a data file has a hole, as one that was emptied or cut off in use. Needs no connection: a new one
 * cannot read such a log. Call it after SQLite has reported damage.
 */
export const hasLogHole = (path: string): boolean =>
  readLog(path, (file) => {
    const { size } = fstatSync(file);
    const header = readLogHeader(file);
    if (header === null) return size > 0;
    const frameBytes = frameHeaderBytes + header.pageBytes;
    const end = Math.floor((size - logHeaderBytes) / frameBytes);
    let isInHole = false;
    for (const salts of saltsOf(file, frameBytes, 0, end)) {
      if (!salts.equals(header.salts)) isInHole = true;
      else if (isInHole) return true;
    }
    return false;
  }) ?? false;
