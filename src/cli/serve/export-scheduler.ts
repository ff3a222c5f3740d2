/**
 * Scheduled exports of `serve --export-dir`: starts `export --dir` when one is due, in a process of its own. The result
 * is stored in the data file, so a restart continues the schedule, and the console shows it.
 */
import { resolve } from 'node:path';
import type { App, ExportSchedule } from '../../app.ts';
import { formatDuration, parseDuration } from '../../clock.ts';
import { localUrl } from '../../config.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import type { ExportResult, SkippedExportResult } from '../commands/export-files.ts';
import { BackgroundCommand } from './background-command.ts';
import type { Scheduler } from './scheduler.ts';

const pollIntervalMs = 30_000;
/** The first poll comes soon after the start, for an export that became due while no service ran. */
const firstPollDelayMs = 1_500;
/** After a failure, the next attempt comes after a tenth of the interval, within these bounds. */
const minRetryMs = 60_000;
const maxRetryMs = 3_600_000;

/** Starts the schedule; null without `--export-dir`. `app` must stay open until `stop` resolves. */
export function startExports(app: App, config: Settings, port: number, log: Log): Scheduler | null {
  const { exportDir, exportEvery, exportKeep, baseUrl, host } = config;
  if (exportDir === null) return null;
  const schedule = {
    folder: resolve(exportDir),
    everyMs: parseDuration(exportEvery) as number,
    keep: exportKeep,
  };
  const exports = new ExportScheduler(app, schedule, log, {
    data: config.data,
    baseUrl: baseUrl ?? localUrl(host, port),
  });
  const firstTimer = setTimeout(() => void exports.poll(), firstPollDelayMs);
  const timer = setInterval(() => void exports.poll(), pollIntervalMs);
  return {
    async stop() {
      clearTimeout(firstTimer);
      clearInterval(timer);
      await exports.stop();
    },
  };
}

class ExportScheduler {
  readonly #app: App;
  readonly #schedule: ExportSchedule;
  readonly #log: Log;
  readonly #command: BackgroundCommand;
  readonly #baseUrl: string;
  #run: Promise<void> | null = null;
  #isStopped = false;
  /** No attempt before then: after a failure, or while another service exports. */
  #notBeforeMs = 0;

  constructor(app: App, schedule: ExportSchedule, log: Log, service: { data: string; baseUrl: string }) {
    this.#app = app;
    this.#schedule = schedule;
    this.#log = log;
    this.#command = new BackgroundCommand(service.data);
    this.#baseUrl = service.baseUrl;
  }

  /** Starts an export if one is due; never rejects. */
  async poll(): Promise<void> {
    if (this.#run !== null || this.#isStopped) return;
    this.#run = this.#exportIfDue().catch((failure: unknown) =>
      // The file may be locked or missing for a while: the next poll tries again.
      this.#log('warn', 'the state of the exports could not be read or stored', describeFailure(failure)),
    );
    await this.#run;
    this.#run = null;
  }

  /** Ends a running export. Its remains are removed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#command.stop();
    await this.#run;
  }

  async #exportIfDue(): Promise<void> {
    const { folder, everyMs, keep } = this.#schedule;
    const startedTs = Date.now();
    if (startedTs < this.#notBeforeMs || this.#app.file.state.fault !== null) return;
    const state = this.#app.exports.state();
    const isSame = state?.folder === folder && state.last?.epoch === this.#app.exports.epoch();
    const last = isSame ? (state.last?.endedTs ?? null) : null;
    // A time in the future is of a clock that was wrong.
    if (last !== null && last <= startedTs && startedTs - last < everyMs) return;
    const words = ['export', '--dir', folder, '--keep', String(keep), '--every', formatDuration(everyMs)];
    const { result, error } = await this.#command.run<ExportResult | SkippedExportResult>(
      [...words, '--base-url', this.#baseUrl],
      'The export process',
    );
    if (this.#isStopped && result === null) return;
    if (result !== null && 'skipped' in result) {
      // Another service of this data file made an export in this folder, or makes one now.
      const { newest_at: newest } = result;
      this.#notBeforeMs = newest === null ? startedTs + minRetryMs : Date.parse(newest) + everyMs;
      return;
    }
    await this.#report(result, error, startedTs);
  }

  async #report(result: ExportResult | null, error: string | null, startedTs: number): Promise<void> {
    const { folder, everyMs } = this.#schedule;
    const endedTs = Date.now();
    if (result !== null) {
      const seconds = (endedTs - startedTs) / 1_000;
      const { export: name, revision, bytes, removed } = result;
      this.#log('info', 'the catalogue was exported', {
        export: name,
        revision,
        bytes,
        removed: removed.length,
        seconds,
      });
    } else {
      const retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, everyMs / 10));
      this.#notBeforeMs = endedTs + retryMs;
      this.#log('error', 'the export failed', { folder, error, again_in: formatDuration(retryMs) });
    }
    await this.#app.exports.recordRun(this.#schedule, {
      endedTs,
      name: result?.export ?? null,
      revision: result?.revision ?? null,
      epoch: result?.epoch ?? null,
      records: result?.records ?? null,
      bytes: result?.bytes ?? null,
      error,
    });
  }
}
