/** The scheduled backups of the data file. */
import { resolve } from 'node:path';
import { BackupFolder, dataFileOrigin } from '../store/file/backup-folder.ts';
import { type BackupReport, reportBackups } from '../store/file/backup-report.ts';
import {
  type BackupRun,
  type BackupSchedule,
  type BackupState,
  readBackupStates,
  saveBackupRun,
} from '../store/file/backup-runs.ts';
import type { Connections } from './connections.ts';

/** The scheduled backups of one data file: their folder, their state and the report for `doctor`. */
export class Backups {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Opens a folder of scheduled backups (`store/file/backup-folder.ts`). */
  folder(path: string): BackupFolder {
    return new BackupFolder(dataFileOrigin(this.#connections.catalogue), path);
  }

  /** Reports on the scheduled backups: each copy and failed run, the newest first; null if there was no run. */
  report(): Promise<BackupReport | null> {
    return reportBackups(this.#connections.catalogue);
  }

  /** The state of the scheduled backups in a folder; undefined before the first run. It reads only the data file. */
  state(folder: string): BackupState | undefined {
    const path = resolve(folder);
    return readBackupStates(this.#connections.catalogue).find((state) => state.folder === path);
  }

  /** Stores the result of a scheduled backup. Waits for the write lock without blocking the event loop. */
  async recordRun(schedule: BackupSchedule, run: BackupRun): Promise<void> {
    const { sqlite, transactions } = this.#connections.writer;
    await transactions.write(() => saveBackupRun(sqlite, schedule, run));
  }
}
