/** Which sources are being read: a note of each run in the settings of the file, left there by a process that dies. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from './database.ts';

/** Who reads a source. */
export type Runner = {
  pid: number;
  /** The host name. */
  machine: string;
  /** ms since 1970, by the clock of the machine. */
  began: number;
};

const prefix = 'reading/';

export const noteRun = (sqlite: Database.Database, source: number, runner: Runner): void =>
  writeSetting(sqlite, prefix + source, JSON.stringify(runner));

/** Takes the note of a run away; true where there was one. */
export const endRun = (sqlite: Database.Database, source: number): boolean =>
  sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + source).changes > 0;

/** Who reads the source, or died while reading it; null for nobody. */
export function runnerOf(sqlite: Database.Database, source: number): Runner | null {
  const note = readSetting(sqlite, prefix + source);
  return note === null ? null : (JSON.parse(note) as Runner);
}
