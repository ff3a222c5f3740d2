/**
 * Whose a file is, read from its first bytes before SQLite opens it: opening a file of another program would switch it
 * to write-ahead logging, and leave a log and its index beside it. Reading changes nothing.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';

/** Says "a cratebase data file" in the SQLite header ("crat"). */
export const applicationId = 0x63726174;

/** `allowedPaths`: with its schema. `blank`: an empty file, or a database without a table. `text`: no database at all. */
export type FileIdentity = { owner: 'ours'; schema: number } | { owner: 'blank' | 'other' | 'text' };

/** SQLite's file format, "The Database Header" and "The WAL File": https://sqlite.org/fileformat2.html */
const magic = Buffer.from('SQLite format 3\0', 'latin1');
const headerBytes = 112;
const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/**
 * Reads whose the file at `path` is. What its write-ahead log holds counts, as it does for SQLite.
 * @param path an existing file
 * @throws Failure where it is no regular file; the system's own error where it cannot be read
 */
export function identifyFile(path: string): FileIdentity {
  const stat = statSync(path);
  if (stat.isDirectory()) throw new Failure(`${path} is a folder. Name a file with --data.`);
  // Reading from a pipe would wait for ever.
  if (!stat.isFile()) throw new Failure(`${path} is not a regular file. Name another one with --data.`);
  const head = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, head, 0, headerBytes, 0);
    if (length === 0) return { owner: 'blank' };
    if (length < headerBytes || !head.subarray(0, 16).equals(magic)) return { owner: 'text' };
  } finally {
    closeSync(file);
  }
  const written = ownerFromHeader(head);
  const logged = lastHeaderInLog(`${realpathSync(path)}-wal`);
  return logged === null ? written : ownerFromHeader(logged);
}

function ownerFromHeader(head: Buffer): FileIdentity {
  const id = head.readUInt32BE(68);
  const schema = head.readInt32BE(60);
  if (id === applicationId) return { owner: 'ours', schema };
  // An empty leaf (0x0d, no cells) where the list of tables begins.
  const isEmpty = head[100] === 0x0d && head.readUInt16BE(103) === 0;
  return { owner: id === 0 && schema === 0 && isEmpty ? 'blank' : 'other' };
}

/** The beginning of the first page as the log at `path` committed it last; null where it has no such page. */
function lastHeaderInLog(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return fstatSync(file).isFile() ? lastCommittedHeader(file) : null;
  } finally {
    closeSync(file);
  }
}

function lastCommittedHeader(file: number): Buffer | null {
  const start = Buffer.alloc(walHeaderBytes);
  if (
    readSync(file, start, 0, walHeaderBytes, 0) < walHeaderBytes ||
    start.readUInt32BE(0) >>> 1 !== 0x1bbf8341
  )
    return null;
  const pageBytes = start.readUInt32BE(8);
  const salts = start.subarray(16, 24);
  const frame = Buffer.alloc(frameHeaderBytes + headerBytes);
  let pending: Buffer | null = null;
  let committed: Buffer | null = null;
  for (let at = walHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
    // Frames of an earlier round, which lie behind the last one, have other salts.
    if (readSync(file, frame, 0, frame.length, at) < frame.length) break;
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (frame.readUInt32BE(0) === 1) pending = Buffer.from(frame.subarray(frameHeaderBytes));
    // Its second number says that a transaction ends here.
    if (frame.readUInt32BE(4) !== 0) committed = pending ?? committed;
  }
  return committed;
}

/**
 * The connections of this process. A process that opens a file a second time and closes it again lets go of all locks
 * that SQLite has on it there (POSIX): a file that is open in this process is not read aside.
 */
const connections = new Map<Database.Database, string>();

const inodeKey = (path: string): string => {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
};

/** Notes that this process has the file open, until the connection is closed. */
export function registerConnection(sqlite: Database.Database, path: string): void {
  connections.set(sqlite, inodeKey(path));
}

/** Whether this process has the file at `path` open. */
export function isOpenInProcess(path: string): boolean {
  for (const sqlite of connections.keys()) if (!sqlite.open) connections.delete(sqlite);
  return [...connections.values()].includes(inodeKey(path));
}
