/** Which sources are being read: a note of each run in the settings of the file, left there by a process that dies. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';

/** Who reads a source. */
export type RunOwner = {
  pid: number;
  /** The host name. */
  machine: string;
  /** ms since 1970, by the clock of the machine. */
  began: number;
};

const prefix = 'reading/';

export const saveRun = (sqlite: Database.Database, source: number, runner: RunOwner): void =>
  writeSetting(sqlite, prefix + source, JSON.stringify(runner));

/** Takes the note of a run away; true where there was one. */
export const deleteRun = (sqlite: Database.Database, source: number): boolean =>
  sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + source).changes > 0;

/** Who reads the source, or died while reading it; null for nobody. */
export function findRunOwner(sqlite: Database.Database, source: number): RunOwner | null {
  const note = readSetting(sqlite, prefix + source);
  return note === null ? null : (JSON.parse(note) as RunOwner);
}
