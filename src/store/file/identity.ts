/**
 * Identifies the program that a file belongs to, from its first bytes, before SQLite opens it. Opening a file of
 * another program would switch it to WAL mode and leave a log and its index beside it. Reading changes nothing.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { frameHeaderBytes, logHeaderBytes, readLogHeader } from './log-files.ts';

/** The application id of a cratebase data file in the SQLite header ("crat"). */
export const applicationId = 0x63726174;

/** `ours`: with its schema. `blank`: an empty file or a database without tables. `text`: not a database. */
export type FileIdentity = { owner: 'ours'; schema: number } | { owner: 'blank' | 'other' | 'text' };

/** SQLite's file format, "The Database Header": https://sqlite.org/fileformat2.html */
const magic = Buffer.from('SQLite format 3\0', 'latin1');
const headerBytes = 112;

/**
 * Identifies the file at `path`. The content of its write-ahead log counts, as it does for SQLite.
 * @param path an existing file
 * @throws Failure if it is not a regular file; the system's error if it cannot be read
 */
export function identifyFile(path: string): FileIdentity {
  const stat = statSync(path);
  if (stat.isDirectory()) throw new Failure(`${path} is a folder. Name a file with --data.`);
  // Reading from a pipe would block forever.
  if (!stat.isFile()) throw new Failure(`${path} is not a regular file. Name another one with --data.`);
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, header, 0, headerBytes, 0);
    if (length === 0) return { owner: 'blank' };
    if (length < headerBytes || !header.subarray(0, 16).equals(magic)) return { owner: 'text' };
  } finally {
    closeSync(file);
  }
  const fileIdentity = ownerFromHeader(header);
  const loggedHeader = lastHeaderInLog(`${realpathSync(path)}-wal`);
  return loggedHeader === null ? fileIdentity : ownerFromHeader(loggedHeader);
}

function ownerFromHeader(header: Buffer): FileIdentity {
  const id = header.readUInt32BE(68);
  const schema = header.readInt32BE(60);
  if (id === applicationId) return { owner: 'ours', schema };
  // An empty leaf page (0x0d, no cells) at the root of the table list.
  const isEmpty = header[100] === 0x0d && header.readUInt16BE(103) === 0;
  return { owner: id === 0 && schema === 0 && isEmpty ? 'blank' : 'other' };
}

/** The first page's header in the last commit of the log at `path`; null if the log has no such page. */
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
  const header = readLogHeader(file);
  if (header === null) return null;
  const { pageBytes, salts } = header;
  const frame = Buffer.alloc(frameHeaderBytes + headerBytes);
  let latestHeader: Buffer | null = null;
  let committedHeader: Buffer | null = null;
  for (let at = logHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
    // Frames left from before the last restart of the log have other salts.
    if (readSync(file, frame, 0, frame.length, at) < frame.length) break;
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (frame.readUInt32BE(0) === 1) latestHeader = Buffer.from(frame.subarray(frameHeaderBytes));
    // A nonzero second number marks the end of a transaction.
    if (frame.readUInt32BE(4) !== 0) committedHeader = latestHeader ?? committedHeader;
  }
  return committedHeader;
}

/**
 * The connections of this process. Closing a second handle of a file releases all POSIX locks that SQLite has on
 * it. A file that is open in this process is therefore not read separately.
 */
const connections = new Map<Database.Database, string>();

const inodeKey = (path: string): string => {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
};

/** Records that this process has the file open, until the connection is closed. */
export function registerConnection(sqlite: Database.Database, path: string): void {
  connections.set(sqlite, inodeKey(path));
}

/** Whether this process has the file at `path` open. */
export function isOpenInProcess(path: string): boolean {
  for (const sqlite of connections.keys()) if (!sqlite.open) connections.delete(sqlite);
  return [...connections.values()].includes(inodeKey(path));
}
