/** The last run of scheduled exports, stored in the data file: for the console. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';
import type { BackupSchedule } from './backup-runs.ts';

/** A run of a scheduled export. Times are in ms since 1970. */
export type ExportRun = {
  endedTs: number;
  /** The name of the export; null if the run failed. */
  name: string | null;
  /** The revision of the catalogue that was exported. */
  revision: number | null;
  epoch: string | null;
  records: number | null;
  bytes: number | null;
  /** Why it failed, in one line. */
  error: string | null;
};
export type ExportSchedule = BackupSchedule;
export type ExportState = ExportSchedule & {
  /** The last run that succeeded. */
  last: ExportRun | null;
  /** Failed runs since the last success. */
  failures: number;
  lastError: string | null;
};

const key = 'exports';

/** The state of the scheduled exports; null before the first run. */
export function readExportState(sqlite: Database.Database): ExportState | null {
  const text = readSetting(sqlite, key);
  return text === null ? null : (JSON.parse(text) as ExportState);
}

/** Stores a run, within a transaction. */
export function saveExportRun(sqlite: Database.Database, schedule: ExportSchedule, run: ExportRun): void {
  const before = readExportState(sqlite);
  const isSame = before?.folder === schedule.folder;
  const isGood = run.error === null;
  const state: ExportState = {
    ...schedule,
    last: isGood ? run : isSame ? before.last : null,
    failures: isGood ? 0 : (isSame ? before.failures : 0) + 1,
    lastError: run.error,
  };
  writeSetting(sqlite, key, JSON.stringify(state));
}
