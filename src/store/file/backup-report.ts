/** The scheduled backups as the console and `doctor` show them. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { formatUtc } from '../../clock.ts';
import { type BackupFile, BackupFolder, dataFileOrigin } from './backup-folder.ts';
import { type BackupState, readBackupStates } from './backup-runs.ts';

/** A copy in the folder, or a run that failed. Times are ISO 8601, UTC. */
export type BackupSummary = {
  created_at: string;
  /** The path of the copy; null if the run failed. */
  file: string | null;
  bytes: number | null;
  ok: boolean;
  error: string | null;
};
export type BackupReport = {
  folder: string;
  every_ms: number;
  keep: number;
  last_success_at: string | null;
  /** Failed runs since the last success. */
  failures: number;
  /** Why the folder cannot be read; null if it can. */
  folder_error: string | null;
  /** Copies and failed runs, the newest first. */
  backups: BackupSummary[];
};

/** Reports on the folder of the latest scheduled backup; null if there was none. */
export async function reportBackups(sqlite: Database.Database): Promise<BackupReport | null> {
  const [state] = readBackupStates(sqlite);
  if (state === undefined) return null;
  const { folder, everyMs, keep, lastSuccessTs, failures } = state;
  let files: BackupFile[] = [];
  let folderError: string | null = null;
  try {
    files = await new BackupFolder(dataFileOrigin(sqlite), folder).list();
  } catch (failure) {
    folderError = (failure as NodeJS.ErrnoException).code ?? String(failure);
  }
  return {
    folder,
    every_ms: everyMs,
    keep,
    last_success_at: lastSuccessTs === null ? null : formatUtc(lastSuccessTs),
    failures,
    folder_error: folderError,
    backups: summarize(state, files),
  };
}

function summarize({ folder, runs }: BackupState, files: BackupFile[]): BackupSummary[] {
  const copies = files.map(({ name, createdTs, bytes }) => ({
    created_at: formatUtc(createdTs),
    file: join(folder, name),
    bytes,
    ok: true,
    error: null,
  }));
  const failures = runs
    .filter(({ error }) => error !== null)
    .map(({ startedTs, error }) => ({
      created_at: formatUtc(startedTs),
      file: null,
      bytes: null,
      ok: false,
      error,
    }));
  return [...copies, ...failures].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
}
