/**
 * The scheduler of `serve`: starts `sync --due` when sources are due, in a process of its own, so that its work and its
 * memory do not slow down requests. If several services share the file, the write lease serializes them, and the second
 * finds no due sources.
 */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { App, SyncReport } from '../../app.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { childEnvironment, selfCommand } from '../child-process.ts';
import { type LaunchedProcess, launch } from './launch/launch.ts';

/** Interval of the polls. The first one comes soon after the start, for sources that became due while no service ran. */
const pollIntervalMs = 30_000;
const firstPollDelayMs = 1_000;
/** Time of a run to end after SIGTERM. */
const stopTimeoutMs = 5_000;
const maxOutputLength = 10_000_000;

export type Scheduler = { stop(): Promise<void> };

/** Starts to poll. `app` must stay open until `stop` resolves. */
export function startScheduler(app: App, config: Settings, log: Log): Scheduler {
  let child: LaunchedProcess | null = null;
  let isStopped = false;
  const poll = async () => {
    if (child !== null || isStopped) return;
    try {
      if (app.file.state.fault !== null) return;
      // Runs of an earlier service, or of a `sync` in a terminal, whose process died.
      logCrashedRuns(await app.sourceRuns.recordCrashed(), 'see `cratebase sources list`', log);
      if (isStopped || child !== null) return;
      if (app.sourceRuns.due().length === 0 && !(await app.sourceRuns.hasUnfinishedWork())) return;
      if (isStopped) return;
      child = spawnSyncProcess(config);
      const reason = await awaitSyncProcess(child, log, () => isStopped);
      const { pid } = child;
      child = null;
      if (reason === null || isStopped) return;
      const sources = pid === undefined ? [] : await app.sourceRuns.recordCrashed({ pid, reason });
      logCrashedRuns(sources, reason, log);
      // The run ended before the other sources were read. Without a source that it was reading, it would fail again.
      if (sources.length > 0) retryTimer = setTimeout(poll, firstPollDelayMs);
    } catch (failure) {
      child = null;
      // The file may be locked or missing for a while: the next poll tries again.
      log('warn', 'the schedule of sources could not be read', describeFailure(failure));
    }
  };
  let retryTimer = setTimeout(poll, firstPollDelayMs);
  const timer = setInterval(poll, pollIntervalMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(retryTimer);
      clearInterval(timer);
      if (child !== null) await stopProcess(child);
    },
  };
}

/** Logs the sources whose runs a process left when it died. */
export function logCrashedRuns(sources: string[], error: string, log: Log): void {
  for (const source of sources)
    log('error', 'the sync process died while reading a source', { source, error });
}

/**
 * Runs `sync --due` on the data file of the settings, and logs its reports.
 * @param signal ends the process
 * @param onChild is called with the process, and with null when it has ended
 * @returns the process that died, and the reason; null if it ended normally
 */
export async function runSyncProcess(
  config: Settings,
  log: Log,
  signal: AbortSignal,
  onChild: (child: LaunchedProcess | null) => void,
): Promise<{ pid: number; reason: string } | null> {
  const child = spawnSyncProcess(config);
  onChild(child);
  const stop = () => void stopProcess(child);
  signal.addEventListener('abort', stop);
  try {
    const reason = await awaitSyncProcess(child, log, () => signal.aborted);
    return reason === null || child.pid === undefined ? null : { pid: child.pid, reason };
  } finally {
    signal.removeEventListener('abort', stop);
    onChild(null);
  }
}

function spawnSyncProcess(config: Settings): LaunchedProcess {
  const { command, args } = selfCommand();
  const own = ['sync', '--due', '--json', '--data', config.data];
  if (config.baseUrl !== null) own.push('--base-url', config.baseUrl);
  if (config.fetchAllow.length > 0) own.push('--fetch-allow', ...config.fetchAllow);
  const child = launch({ command, args: [...args, ...own], env: childEnvironment(config) });
  child.stdin.end();
  return child;
}

/**
 * Logs the reports of a run; never rejects.
 * @param isStopping whether the scheduler ended the process itself
 * @returns the reason why the process died, in one line; null if it ended normally
 */
async function awaitSyncProcess(
  child: LaunchedProcess,
  log: Log,
  isStopping: () => boolean,
): Promise<string | null> {
  const [out, err] = [collectOutput(child.stdout), collectOutput(child.stderr)];
  try {
    const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
    const reports = parseReports(out());
    for (const report of reports) logReport(report, log);
    if (reports.length > 0 || status === 0 || isStopping()) return null;
    const reason = exitReason(status, signal, err());
    log('error', 'the sync process ended early', { status: status ?? signal, error: reason });
    return reason;
  } catch (failure) {
    log('error', 'the sync process could not be started', describeFailure(failure));
    return null;
  }
}

/** Returns why a process died: the error that it printed, otherwise the signal. */
function exitReason(status: number | null, signal: string | null, stderr: string): string {
  const how = signal === null ? `status ${status}` : signal;
  const lines = stderr.trim().split('\n');
  const message =
    lines.find((line) => /^FATAL ERROR: |^(?:Uncaught )?[A-Z]\w*Error\b/.test(line)) ??
    (signal === null ? lines.at(-1) : undefined);
  if (message) return `The sync process ended (${how}): ${message.slice(0, 300)}`;
  const memory = signal === 'SIGKILL' ? ', probably because memory ran out' : '';
  return `The sync process was ended by ${how}${memory}.`;
}

function logReport(
  { source, outcome, error, revision, kinds, rejected_count, seconds }: SyncReport,
  log: Log,
): void {
  const isGood = outcome === 'done' || outcome === 'unchanged';
  const fields = { source, outcome, revision, kinds, rejected: rejected_count, seconds };
  if (isGood) log('info', 'a source was read', fields);
  else log('warn', 'a source was read with errors', { ...fields, error });
}

/** Collects the output of a stream, up to `maxOutputLength`. */
export function collectOutput(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < maxOutputLength) text += piece;
  });
  return () => text;
}

function parseReports(text: string): SyncReport[] {
  try {
    return (JSON.parse(text) as { data: SyncReport[] }).data;
  } catch {
    return [];
  }
}

/**
 * Ends a process with SIGTERM, and after five seconds with SIGKILL. Resolves when it has ended, at once if it has
 * already.
 */
export async function stopProcess(child: LaunchedProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await gone;
  clearTimeout(timer);
}
