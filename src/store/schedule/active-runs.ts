/** Active runs of sources: an entry per run in the file's settings. A crashed process leaves its entry. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';

/** The process that runs an import. */
export type RunOwner = {
  pid: number;
  /** The host name. */
  machine: string;
  /** ms since 1970, by the clock of the machine. */
  began: number;
};

const prefix = 'reading/';

/** Saves which process reads a source. It replaces the entry of an earlier run of the source. */
export const saveRun = (sqlite: Database.Database, source: number, runner: RunOwner): void =>
  writeSetting(sqlite, prefix + source, JSON.stringify(runner));

/** Deletes the entry of a run; false if there was none. */
export const deleteRun = (sqlite: Database.Database, source: number): boolean =>
  sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + source).changes > 0;

/** The process that runs the source's import or crashed during it; null if there is none. */
export function findRunOwner(sqlite: Database.Database, source: number): RunOwner | null {
  const note = readSetting(sqlite, prefix + source);
  return note === null ? null : (JSON.parse(note) as RunOwner);
}
