/**
 * Names of copies in a folder that several data files can share: the name of the data file, an id of it, and the time.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { describeWriteError } from '../database.ts';
import { readInstanceSecret } from '../instance-secret.ts';

/** The start of the names of a data file: `cratebase-1f3a9c-`. */
export function filePrefix(sqlite: Database.Database, purpose: string): string {
  const secret = readInstanceSecret(sqlite);
  const id = createHash('sha256').update(`${purpose} of ${secret}`).digest('hex').slice(0, 6);
  const stem = basename(sqlite.name)
    .replace(/\.(?:db|sqlite)$/, '')
    .replace(/[^\w-]+/g, '-')
    .slice(0, 60);
  return `${stem}-${id}-`;
}

const timePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** A time (ms) as a part of a name: `20261122T041000Z`. */
export const timeInName = (ts: number): string => new Date(ts).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The time (ms) of a part of a name; null if it is none. */
export function timeFromName(text: string): number | null {
  const [, year, month, day, hour, minute, second] = timePattern.exec(text) ?? [];
  if (year === undefined) return null;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}

/**
 * Locks the names with a prefix in a folder.
 * @returns a function that unlocks them; null if another process holds the lock
 * @throws Failure if the folder cannot be written
 */
export function lockFolder(folder: string, prefix: string): (() => void) | null {
  const path = join(folder, `.${prefix}lock`);
  try {
    closeSync(openSync(path, 'a', 0o600));
    const lock = new Database(path, { timeout: 0 });
    try {
      // A lock alone writes nothing, and ends with the process.
      lock.exec('BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (failure) {
      lock.close();
      if (failure instanceof Database.SqliteError && failure.code === 'SQLITE_BUSY') return null;
      throw failure;
    }
  } catch (failure) {
    const described = describeWriteError(failure, folder);
    if (described instanceof Failure) throw described;
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(`The folder ${folder} cannot be written (${code}). Check its owner and its disk.`);
  }
}
