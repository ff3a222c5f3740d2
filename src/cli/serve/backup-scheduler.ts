/**
 * Scheduled backups of `serve --backup-dir`: starts `backup --dir` when one is due, in a process of its own. The result
 * is stored in the data file, so a restart continues the schedule, and `doctor` and `/metrics` show it.
 */
import { resolve } from 'node:path';
import type { App, BackupRun, BackupSchedule } from '../../app.ts';
import { parseDuration } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { clusterVariables } from '../child-process.ts';
import { BackgroundCommand } from './background-command.ts';
import { startDueCommand } from './due-command.ts';
import type { Scheduler } from './scheduler.ts';

const firstPollDelayMs = 1_000;

type BackupCopy = { file: string; bytes: number; removed: string[] };

/** Starts the schedule; null without `--backup-dir`. `app` must stay open until `stop` resolves. */
export const startBackups = (app: App, config: Settings, log: Log): Scheduler | null =>
  start(config, log, {
    isUsable: () => app.file.state.fault === null,
    lastSuccessTs: (folder) => app.backups.state(folder)?.lastSuccessTs ?? null,
    record: (schedule, run) => app.backups.recordRun(schedule, run),
  });

/**
 * Starts the schedule on a node of a cluster; null without `--backup-dir`. Each copy has the accounts and the catalogue of
 * the cluster. Nodes that share a folder make one copy together.
 */
export function startNodeBackups(config: Settings, log: Log): Scheduler | null {
  let lastSuccessTs: number | null = null;
  return start(config, log, {
    isUsable: () => true,
    // Before the first copy, the command looks into the folder.
    lastSuccessTs: () => lastSuccessTs,
    async record(_, { error, startedTs }) {
      if (error === null) lastSuccessTs = startedTs;
    },
  });
}

/** Where the state of the backups is kept. */
type BackupRecords = {
  /** Whether a copy can be made now. */
  isUsable: () => boolean;
  lastSuccessTs: (folder: string) => number | null;
  record: (schedule: BackupSchedule, run: BackupRun) => Promise<void>;
};

function start(config: Settings, log: Log, records: BackupRecords): Scheduler | null {
  const { backupDir, backupEvery, backupKeep } = config;
  if (backupDir === null) return null;
  const folder = resolve(backupDir);
  const everyMs = parseDuration(backupEvery) as number;
  return startDueCommand<BackupCopy>(
    {
      command: new BackgroundCommand(config.data, clusterVariables(config)),
      words: ['backup', '--dir', folder, '--keep', String(backupKeep)],
      folder,
      everyMs,
      firstPollDelayMs,
      texts: { subject: 'the backup', plural: 'the backups', process: 'The backup process' },
      isUsable: records.isUsable,
      lastSuccessTs: () => records.lastSuccessTs(folder),
      report: ({ file, bytes, removed }, seconds) =>
        log('info', 'the data file was backed up', { file, bytes, removed: removed.length, seconds }),
      record: ({ result, error, startedTs, endedTs }) =>
        records.record(
          { folder, everyMs, keep: backupKeep },
          { startedTs, endedTs, file: result?.file ?? null, bytes: result?.bytes ?? null, error },
        ),
    },
    log,
  );
}
