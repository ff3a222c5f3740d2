/**
 * Scheduled backups of `serve --backup-dir`: starts `backup --dir` when one is due, in a process of its own. The result
 * is stored in the data file, so a restart continues the schedule, and `doctor` and `/metrics` show it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { App, BackupSchedule } from '../../app.ts';
import { formatDuration, parseDuration } from '../../clock.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { selfCommand } from '../self.ts';
import { collectOutput, type Scheduler, stopProcess } from './scheduler.ts';

const pollIntervalMs = 30_000;
/** The first poll comes soon after the start, for a backup that became due while no service ran. */
const firstPollDelayMs = 1_000;
/** After a failure, the next attempt comes after a tenth of the interval, within these bounds. */
const minRetryMs = 60_000;
const maxRetryMs = 3_600_000;

type BackupCopy = { file: string; bytes: number; removed: string[] };
type BackupResult = BackupCopy | { skipped: true; newest_at: string | null };
type BackupOutcome = { result: BackupResult | null; error: string | null };

/** Starts the schedule; null without `--backup-dir`. `app` must stay open until `stop` resolves. */
export function startBackups(app: App, config: Settings, log: Log): Scheduler | null {
  const { backupDir, backupEvery, backupKeep } = config;
  if (backupDir === null) return null;
  const schedule = {
    folder: resolve(backupDir),
    everyMs: parseDuration(backupEvery) as number,
    keep: backupKeep,
  };
  const backups = new BackupScheduler(app, schedule, config.data, log);
  const firstTimer = setTimeout(() => void backups.poll(), firstPollDelayMs);
  const timer = setInterval(() => void backups.poll(), pollIntervalMs);
  return {
    async stop() {
      clearTimeout(firstTimer);
      clearInterval(timer);
      await backups.stop();
    },
  };
}

class BackupScheduler {
  readonly #app: App;
  readonly #schedule: BackupSchedule;
  readonly #data: string;
  readonly #log: Log;
  #child: ChildProcess | null = null;
  #run: Promise<void> | null = null;
  #isStopped = false;
  /** No attempt before then: after a failure, or while another service backs up. */
  #notBeforeMs = 0;

  constructor(app: App, schedule: BackupSchedule, data: string, log: Log) {
    this.#app = app;
    this.#schedule = schedule;
    this.#data = data;
    this.#log = log;
  }

  /** Starts a backup if one is due; never rejects. */
  async poll(): Promise<void> {
    if (this.#run !== null || this.#isStopped) return;
    this.#run = this.#backUpIfDue().catch((failure: unknown) =>
      // The file may be locked or missing for a while: the next poll tries again.
      this.#log('warn', 'the state of the backups could not be read or stored', describeFailure(failure)),
    );
    await this.#run;
    this.#run = null;
  }

  /** Ends a running backup. Its remains are removed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#child !== null) await stopProcess(this.#child);
    await this.#run;
  }

  async #backUpIfDue(): Promise<void> {
    const { folder, everyMs } = this.#schedule;
    const startedTs = Date.now();
    if (startedTs < this.#notBeforeMs || this.#app.file.state.fault !== null) return;
    const last = this.#app.backups.state(folder)?.lastSuccessTs ?? null;
    // A time in the future is of a clock that was wrong.
    if (last !== null && last <= startedTs && startedTs - last < everyMs) return;
    const { result, error } = await this.#runProcess();
    if (this.#isStopped && result === null) return;
    if (result !== null && 'skipped' in result) {
      // Another service of this data file made a copy in this folder, or makes one now.
      const { newest_at: newest } = result;
      this.#notBeforeMs = newest === null ? startedTs + minRetryMs : Date.parse(newest) + everyMs;
      return;
    }
    const endedTs = Date.now();
    this.#report(result, error, startedTs, endedTs);
    await this.#app.backups.recordRun(this.#schedule, {
      startedTs,
      endedTs,
      file: result?.file ?? null,
      bytes: result?.bytes ?? null,
      error,
    });
  }

  #report(result: BackupCopy | null, error: string | null, startedTs: number, endedTs: number): void {
    const { folder, everyMs } = this.#schedule;
    if (result !== null) {
      const seconds = (endedTs - startedTs) / 1_000;
      const { file, bytes, removed } = result;
      this.#log('info', 'the data file was backed up', { file, bytes, removed: removed.length, seconds });
      return;
    }
    const retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, everyMs / 10));
    this.#notBeforeMs = endedTs + retryMs;
    this.#log('error', 'the backup failed', { folder, error, again_in: formatDuration(retryMs) });
  }

  async #runProcess(): Promise<BackupOutcome> {
    const { folder, everyMs, keep } = this.#schedule;
    const { command, args } = selfCommand();
    const own = ['backup', '--dir', folder, '--keep', String(keep), '--every', formatDuration(everyMs)];
    const { CRATEBASE_ROLE: _, ...env } = process.env;
    const child = spawn(command, [...args, ...own, '--json', '--data', this.#data], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    lowerPriority(child);
    const [out, err] = [collectOutput(child.stdout), collectOutput(child.stderr)];
    try {
      const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
      if (status === 0) return { result: JSON.parse(out()) as BackupResult, error: null };
      return { result: null, error: errorOf(err(), signal ?? `status ${status}`) };
    } catch (failure) {
      return { result: null, error: failure instanceof Error ? failure.message : String(failure) };
    } finally {
      this.#child = null;
    }
  }
}

/** The last line that the process printed, without its name. */
function errorOf(stderr: string, how: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? `The backup process ended (${how}).` : line.replace(/^cratebase: /, '').slice(0, 500);
}

/** Lets requests go first. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended already, or the system does not allow it.
  }
}
