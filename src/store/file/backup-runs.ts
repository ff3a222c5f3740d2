/** The last runs of scheduled backups, stored in the data file: for `/metrics`, `doctor` and the console. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';

/** A run of a scheduled backup. Times are in ms since 1970. */
export type BackupRun = {
  startedTs: number;
  endedTs: number;
  /** The name of the copy; null if the run failed. */
  file: string | null;
  bytes: number | null;
  /** Why it failed, in one line. */
  error: string | null;
};
export type BackupSchedule = {
  /** Absolute path. */
  folder: string;
  everyMs: number;
  keep: number;
};
/** The state of the scheduled backups in one folder. */
export type BackupState = BackupSchedule & {
  lastSuccessTs: number | null;
  /** Size of the last copy. */
  lastBytes: number | null;
  /** Failed runs since the last success. */
  failures: number;
  /** The latest runs, the newest first. */
  runs: BackupRun[];
};

const key = 'backups';
const maxRuns = 20;
/** Services of one data file can have a folder each. */
const maxFolders = 5;

/** The states of all folders, the one of the latest run first. */
export function readBackupStates(sqlite: Database.Database): BackupState[] {
  return JSON.parse(readSetting(sqlite, key) ?? '[]') as BackupState[];
}

/** Adds a run to the state of its folder, within a transaction. */
export function saveBackupRun(sqlite: Database.Database, schedule: BackupSchedule, run: BackupRun): void {
  const states = readBackupStates(sqlite);
  const before = states.find(({ folder }) => folder === schedule.folder);
  const isGood = run.error === null;
  const state: BackupState = {
    ...schedule,
    lastSuccessTs: isGood ? run.endedTs : (before?.lastSuccessTs ?? null),
    lastBytes: isGood ? run.bytes : (before?.lastBytes ?? null),
    failures: isGood ? 0 : (before?.failures ?? 0) + 1,
    runs: [run, ...(before?.runs ?? [])].slice(0, maxRuns),
  };
  const others = states.filter((one) => one !== before).slice(0, maxFolders - 1);
  writeSetting(sqlite, key, JSON.stringify([state, ...others]));
}
