/**
 * Scheduled exports of `serve --export-dir`: starts `export --dir` when one is due, in a process of its own. The result
 * is stored in the data file, so a restart continues the schedule, and the console shows it.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { App } from '../../app.ts';
import { parseDuration } from '../../clock.ts';
import { localUrl } from '../../config.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { shellQuote } from '../command.ts';
import type { ExportResult } from '../commands/export-files.ts';
import { BackgroundCommand } from './background-command.ts';
import { startDueCommand } from './due-command.ts';
import type { Scheduler } from './scheduler.ts';

const firstPollDelayMs = 1_500;

/** Throws a `Failure` if the folder of `--export-dir` does not exist or cannot be written: `/exports` would stay empty. */
export function checkExportFolder({ exportDir }: Settings): void {
  if (exportDir === null) return;
  const folder = resolve(exportDir);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Failure(
      `The folder ${folder} (--export-dir) does not exist. Create it: mkdir ${shellQuote(folder)}`,
    );
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(
      `The folder ${folder} (--export-dir) cannot be written (${code}). Make the user of the service its owner, or name another folder.`,
    );
  }
}

/** Starts the schedule; null without `--export-dir`. `app` must stay open until `stop` resolves. */
export function startExports(app: App, config: Settings, port: number, log: Log): Scheduler | null {
  const { exportDir, exportEvery, exportKeep, baseUrl, host } = config;
  if (exportDir === null) return null;
  const folder = resolve(exportDir);
  const everyMs = parseDuration(exportEvery) as number;
  const words = ['export', '--dir', folder, '--keep', String(exportKeep)];
  return startDueCommand<ExportResult>(
    {
      command: new BackgroundCommand(config.data),
      words: [...words, '--base-url', baseUrl ?? localUrl(host, port)],
      folder,
      everyMs,
      firstPollDelayMs,
      texts: { subject: 'the export', plural: 'the exports', process: 'The export process' },
      isUsable: () => app.file.state.fault === null,
      lastSuccessTs() {
        const state = app.exports.state();
        const isSame = state?.folder === folder && state.last?.epoch === app.exports.epoch();
        return isSame ? (state.last?.endedTs ?? null) : null;
      },
      report: ({ export: name, revision, bytes, removed }, seconds) =>
        log('info', 'the catalogue was exported', {
          export: name,
          revision,
          bytes,
          removed: removed.length,
          seconds,
        }),
      record: ({ result, error, endedTs }) =>
        app.exports.recordRun(
          { folder, everyMs, keep: exportKeep },
          {
            endedTs,
            name: result?.export ?? null,
            revision: result?.revision ?? null,
            epoch: result?.epoch ?? null,
            records: result?.records ?? null,
            bytes: result?.bytes ?? null,
            error,
          },
        ),
    },
    log,
  );
}
