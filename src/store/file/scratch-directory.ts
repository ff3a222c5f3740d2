/**
 * Folders for work under way. They are gone when it is done, and when the process ends in the middle of it. What a
 * process left that could not clean up (`kill -9`, a power cut) the next one removes that works in the same place.
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
 * Locked for as long as the owner lives, by the system: unlike a process id that is right for processes in other
 * containers, and after a restart.
 */
const lockFileName = 'lock';
/** Says that the lock is held, or was. */
const lockedMarkerName = 'locked';
/** A folder without that mark and without content is of a process that is about to lock it: that takes milliseconds. */
const maxLockingMs = 60_000;
/** With content it is of an old version, which does not lock; nothing writes so slowly. */
const maxQuietMs = 3_600_000;

/** A new folder within `parent`, so that what is made in it can be put in place by renaming. */
export function createScratchDirectory(parent: string, purpose: string): ScratchDirectory {
  removeStaleDirectories(parent);
  // Whole, wherever the process goes later.
  const path = mkdtempSync(join(resolve(parent), `${prefix}${purpose}-`));
  let lock: Database.Database | undefined;
  const clear = () => {
    lock?.close();
    rmSync(path, { recursive: true, force: true });
  };
  try {
    lock = new Database(join(path, lockFileName), { timeout: 0 });
    // Nothing is written: a lock needs no room on the disk.
    lock.exec('BEGIN EXCLUSIVE');
    closeSync(openSync(join(path, lockedMarkerName), 'wx', 0o600));
  } catch (failure) {
    clear();
    throw failure;
  }
  process.once('exit', clear);
  return {
    path,
    remove: () => {
      process.off('exit', clear);
      clear();
    },
  };
}

/** Removes the folders in `parent` whose owners are gone. What cannot be removed stays; it keeps nobody from working. */
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
      if (isOwnDirectory(path) && isStale(path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else removed it meanwhile, or may alone.
    }
  }
}

/** A real folder of this user: others may put what they like into a folder that all write to. */
function isOwnDirectory(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && (process.geteuid === undefined || stat.uid === process.geteuid());
}

function isStale(path: string): boolean {
  const names = readdirSync(path);
  if (!names.includes(lockedMarkerName) || !lstatSync(join(path, lockFileName)).isFile()) {
    const changed = [path, ...names.map((name) => join(path, name))].map((each) => statSync(each).mtimeMs);
    const isEmpty = names.every((name) => name === lockFileName);
    return Math.max(...changed) < Date.now() - (isEmpty ? maxLockingMs : maxQuietMs);
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

/** A name for a file beside `path` that neither a file nor a log has yet. */
export function availablePath(path: string): string {
  const isTaken = (name: string) => existsSync(name) || existsSync(`${name}-wal`);
  if (!isTaken(path)) return path;
  let number = 2;
  while (isTaken(`${path}-${number}`)) number++;
  return `${path}-${number}`;
}
