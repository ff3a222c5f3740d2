/** A folder of exports: one folder per export, named by its time, and the rotation that removes the oldest ones. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { documentFormat } from '../catalogue/mirror/documents.ts';
import { Failure } from '../failure.ts';
import { filePrefix, lockFolder, timeFromName, timeInName } from '../store/file/timed-names.ts';
import { readEpoch } from '../store/mirror/epoch.ts';
import { type ExportManifest, manifestName, parseManifest } from './manifest.ts';
import { type WriteExportOptions, writeExport } from './write-export.ts';

export type WrittenExport = { manifest: ExportManifest; path: string; removed: string[] };
/** No export was made: the newest one is young enough, or (`newestTs` is null) another process makes one. */
export type SkippedExport = { skipped: true; newestTs: number | null };

export type AddExportOptions = Omit<WriteExportOptions, 'name'> & {
  /** How many exports stay, the new one included. */
  keep: number;
  /** Makes no export if the newest one is younger than this, in ms. */
  everyMs?: number;
};

/** An export from the future, of a clock that was wrong, does not prevent the next one. */
const maxClockSkewMs = 300_000;

/** The folder with the exports of one data file. Other data files may keep their exports in the same folder. */
export class ExportFolder {
  readonly path: string;
  readonly #sqlite: Database.Database;
  readonly #prefix: string;

  /** @param sqlite a connection to the data file */
  constructor(sqlite: Database.Database, folder: string) {
    this.path = resolve(folder);
    this.#sqlite = sqlite;
    this.#prefix = filePrefix(sqlite, 'exports');
  }

  /** The names of the exports of this data file, the newest first. Rejects if the folder cannot be read. */
  async list(): Promise<{ name: string; createdTs: number }[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries
      .flatMap((entry) => {
        const createdTs = this.#timeOf(entry.name);
        return createdTs === null || !entry.isDirectory() ? [] : [{ name: entry.name, createdTs }];
      })
      .sort((one, other) => other.createdTs - one.createdTs);
  }

  /** The manifest of an export; null if there is no such export. */
  async manifest(name: string): Promise<ExportManifest | null> {
    if (this.#timeOf(name) === null) return null;
    const text = await readFile(join(this.path, name, manifestName), 'utf8').catch(() => null);
    return text === null ? null : parseManifest(text);
  }

  /** The manifest of the newest export of an epoch; null if there is none, or the folder cannot be read. */
  async newest(epoch: string): Promise<ExportManifest | null> {
    const exports = await this.list().catch(() => []);
    for (const { name } of exports) {
      const manifest = await this.manifest(name);
      if (manifest?.epoch === epoch) return manifest;
    }
    return null;
  }

  /** Writes an export, and removes the oldest ones. Skips it if it is not due (`everyMs`). */
  async add(options: AddExportOptions): Promise<WrittenExport | SkippedExport> {
    const { now, keep, everyMs } = options;
    if (!existsSync(this.path) || !statSync(this.path).isDirectory())
      throw new Failure(`The folder ${this.path} does not exist. Create it: mkdir ${this.path}`);
    const unlock = lockFolder(this.path, this.#prefix);
    if (unlock === null) return { skipped: true, newestTs: null };
    try {
      const [newest] = (await this.list()).filter(({ createdTs }) => createdTs <= now + maxClockSkewMs);
      if (everyMs !== undefined && newest !== undefined && now - newest.createdTs < everyMs) {
        // After a restore, clients need an export of the new epoch at once.
        const isCurrent =
          (await this.manifest(newest.name))?.epoch === readEpoch(this.#sqlite, documentFormat);
        if (isCurrent) return { skipped: true, newestTs: newest.createdTs };
      }
      const name = `${this.#prefix}${timeInName(now)}`;
      const path = join(this.path, name);
      if (existsSync(path))
        throw new Failure(`${path} exists: an export was made in this second. Try again.`);
      const manifest = await writeExport(this.#sqlite, path, this.path, { ...options, name });
      return { manifest, path, removed: await this.#rotate(name, keep) };
    } finally {
      unlock();
    }
  }

  /** Removes all but the newest exports. The new one stays, even if the clock was set back. */
  async #rotate(newest: string, keep: number): Promise<string[]> {
    const others = (await this.list()).filter(({ name }) => name !== newest);
    const removed = others.slice(Math.max(0, keep - 1)).map(({ name }) => name);
    for (const name of removed) rmSync(join(this.path, name), { recursive: true, force: true });
    return removed;
  }

  #timeOf(name: string): number | null {
    return name.startsWith(this.#prefix) ? timeFromName(name.slice(this.#prefix.length)) : null;
  }
}
