/**
 * Temporary folders for unfinished files. They are removed when the work is done or the process exits. Folders of
 * a killed process (`kill -9`, a power cut) are removed by the next process that works in the same place.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';

export type ScratchDirectory = { path: string; remove: () => void };

const prefix = '.cratebase-';
/**
 * A file that the owner keeps locked. Unlike a process id, the lock is also reliable across containers and
 * restarts.
 */
const lockFileName = 'lock';
/** Marks that the lock was taken. */
const lockedMarkerName = 'locked';
/**
 * A folder without marker and content belongs to a process that is about to lock it, which takes milliseconds.
 */
const maxLockingMs = 60_000;
/**
 * A folder without marker but with content belongs to an old version, which takes no lock. Its files change more
 * often than this.
 */
const maxQuietMs = 3_600_000;

/** Creates a folder within `parent`: files made in it can be moved into place by renaming. */
export function createScratchDirectory(parent: string, purpose: string): ScratchDirectory {
  removeStaleDirectories(parent);
  // Absolute, because the process may change its working directory.
  const path = mkdtempSync(join(resolve(parent), `${prefix}${purpose}-`));
  let lock: Database.Database | undefined;
  const cleanUp = () => {
    removeContents(path);
    lock?.close();
    rmSync(path, { recursive: true, force: true });
  };
  try {
    lock = new Database(join(path, lockFileName), { timeout: 0 });
    // A lock alone writes nothing, and works on a full disk.
    lock.exec('BEGIN EXCLUSIVE');
    closeSync(openSync(join(path, lockedMarkerName), 'wx', 0o600));
  } catch (failure) {
    cleanUp();
    throw failure;
  }
  process.once('exit', cleanUp);
  return {
    path,
    remove: () => {
      process.off('exit', cleanUp);
      cleanUp();
    },
  };
}

/** Removes the folders in `parent` whose owners have ended. Ignores folders that cannot be removed. */
export function removeStaleDirectories(parent: string): void {
  let names: string[];
  try {
    names = readdirSync(parent).filter((name) => name.startsWith(prefix));
  } catch {
    return;
  }
  for (const name of names) {
    try {
      const path = join(parent, name);
      if (!isOwnDirectory(path) || !isStale(path)) continue;
      removeContents(path);
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removed it, or it belongs to another user.
    }
  }
}

/**
 * Empties a folder except for its lock. The marker goes last: if this process is killed before that, the next one finds
 * the marker and a free lock, and removes the folder.
 */
function removeContents(path: string): void {
  const names = existsSync(path) ? readdirSync(path) : [];
  const content = names.filter((name) => name !== lockFileName && name !== lockedMarkerName);
  for (const name of [...content, lockedMarkerName])
    rmSync(join(path, name), { recursive: true, force: true });
}

/**
 * Whether `path` is a folder of this user and not a link. In a shared folder other users may create entries with
 * any name.
 */
function isOwnDirectory(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && (process.geteuid === undefined || stat.uid === process.geteuid());
}

function isStale(path: string): boolean {
  const names = readdirSync(path);
  // A process of an earlier version was killed while it removed the folder.
  if (names.includes(lockedMarkerName) && !names.includes(lockFileName)) return true;
  if (!names.includes(lockedMarkerName) || !lstatSync(join(path, lockFileName)).isFile()) {
    const times = [path, ...names.map((name) => join(path, name))].map((each) => statSync(each).mtimeMs);
    const isEmpty = names.every((name) => name === lockFileName);
    return Math.max(...times) < Date.now() - (isEmpty ? maxLockingMs : maxQuietMs);
  }
  const lock = new Database(join(path, lockFileName), { timeout: 0, fileMustExist: true });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch {
    return false;
  } finally {
    lock.close();
  }
}

/** A path derived from `path` at which neither a file nor a log exists. */
export function availablePath(path: string): string {
  const isTaken = (name: string) => existsSync(name) || existsSync(`${name}-wal`);
  if (!isTaken(path)) return path;
  let number = 2;
  while (isTaken(`${path}-${number}`)) number++;
  return `${path}-${number}`;
}
