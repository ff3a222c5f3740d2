/**
 * A folder of backups: copies that are named by their time, and the rotation that removes the oldest ones. The names
 * contain an id of the data file, so several data files can share a folder.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { fsyncParentDirectory } from './fsync.ts';
import { backUpTo } from './maintenance.ts';
import type { CopyProgressListener } from './snapshot.ts';
import { filePrefix, lockFolder, timeFromName, timeInName } from './timed-names.ts';

/** A copy in the folder. `createdTs` is the time in its name, in ms since 1970. */
export type BackupFile = { name: string; createdTs: number; bytes: number };
export type FolderBackup = BackupFile & { path: string; removed: string[] };
/**
 * No copy was made: the newest one is young enough, or (`newestTs` is null) another process makes one.
 */
export type SkippedBackup = { skipped: true; newestTs: number | null };
export type BackUpOptions = {
  /** How many copies stay, the new one included. */
  keep: number;
  /** Makes no copy if the newest one is younger than this, in ms. */
  everyMs?: number;
  onPages?: CopyProgressListener;
};

/** A copy from the future, of a clock that was wrong, does not prevent the next one. */
const maxClockSkewMs = 300_000;

/** The end of a name: `20261122T041000Z.db`. */
const suffix = '.db';

/** What is copied: a data file, or a cluster. `prefix` begins the names of its copies. */
export type BackupOrigin = {
  prefix: string;
  /** Writes a checked and synced copy, which appears complete or not at all. */
  copyTo: (path: string, onPages?: CopyProgressListener) => Promise<void>;
};

/** The origin of the copies of a data file. */
export const dataFileOrigin = (sqlite: Database.Database): BackupOrigin => ({
  prefix: filePrefix(sqlite, 'backups'),
  copyTo: (path, onPages) => backUpTo(sqlite, path, onPages),
});

/** Copies of one data file or cluster in a folder. */
export class BackupFolder {
  readonly path: string;
  readonly #origin: BackupOrigin;
  readonly #prefix: string;

  constructor(origin: BackupOrigin, folder: string) {
    this.path = resolve(folder);
    this.#origin = origin;
    this.#prefix = origin.prefix;
  }

  /** The copies of this data file, the newest first. Rejects if the folder cannot be read. */
  async list(): Promise<BackupFile[]> {
    const files: BackupFile[] = [];
    for (const name of await readdir(this.path)) {
      const createdTs = this.#timeOf(name);
      if (createdTs === null) continue;
      // Another process may have removed it. Links and folders with such a name are not ours.
      const stat = await lstat(join(this.path, name)).catch(() => null);
      if (stat?.isFile()) files.push({ name, createdTs, bytes: stat.size });
    }
    return files.sort((one, other) => other.createdTs - one.createdTs);
  }

  /** Writes a checked and synced copy, and removes the oldest ones. Skips it if it is not due (`everyMs`). */
  async backUp(
    now: number,
    { keep, everyMs, onPages }: BackUpOptions,
  ): Promise<FolderBackup | SkippedBackup> {
    if (!existsSync(this.path) || !statSync(this.path).isDirectory())
      throw new Failure(`The folder ${this.path} does not exist. Create it: mkdir ${this.path}`);
    const unlock = lockFolder(this.path, this.#prefix);
    if (unlock === null) return { skipped: true, newestTs: null };
    try {
      const newestTs = await this.#newestBefore(now);
      if (everyMs !== undefined && newestTs !== null && now - newestTs < everyMs)
        return { skipped: true, newestTs };
      const name = `${this.#prefix}${timeInName(now)}${suffix}`;
      const path = join(this.path, name);
      await this.#origin.copyTo(path, onPages);
      return {
        name,
        path,
        createdTs: now,
        bytes: statSync(path).size,
        removed: await this.#rotate(name, keep),
      };
    } finally {
      unlock();
    }
  }

  /** The time of the newest copy; null if there is none. */
  async #newestBefore(now: number): Promise<number | null> {
    const [newest] = (await this.list()).filter(({ createdTs }) => createdTs <= now + maxClockSkewMs);
    return newest?.createdTs ?? null;
  }

  /** Removes all but the newest copies. The new one stays, even if the clock was set back. */
  async #rotate(newest: string, keep: number): Promise<string[]> {
    const others = (await this.list()).filter(({ name }) => name !== newest);
    const oldNames = others.slice(Math.max(0, keep - 1)).map(({ name }) => name);
    for (const name of oldNames) rmSync(join(this.path, name), { force: true });
    if (oldNames.length > 0) fsyncParentDirectory(join(this.path, newest));
    return oldNames;
  }

  #timeOf(name: string): number | null {
    if (!name.startsWith(this.#prefix) || !name.endsWith(suffix)) return null;
    return timeFromName(name.slice(this.#prefix.length, -suffix.length));
  }
}
