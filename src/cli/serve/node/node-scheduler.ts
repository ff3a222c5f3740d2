/**
 * The scheduler of a node: reads due sources on the spare slot when no other node has the lease, and publishes what
 * they changed.
 */
import { type App, openApp, refusalOf } from '../../../app.ts';
import { describeFailure, type Log } from '../../../log.ts';
import type { Settings } from '../../../settings.ts';
import type { LaunchedProcess } from '../launch/launch.ts';
import { logCrashedRuns, runSyncProcess, type Scheduler, stopProcess } from '../scheduler.ts';
import type { NodeChanges } from './changes.ts';

const pollIntervalMs = 30_000;
const firstPollDelayMs = 1_000;

export type NodeSchedulerOptions = {
  config: Settings;
  log: Log;
  /** The catalogue that is served. */
  readApp: () => App;
  changes: NodeChanges;
  /** Whether an empty change has work: a publication waits that its node left, or a node needs a base. */
  hasUnfinished: () => Promise<boolean>;
};

/** Starts to poll. Without `--no-sync`, any node may take the lease. */
export function startNodeScheduler(options: NodeSchedulerOptions): Scheduler {
  const { log, readApp, changes, hasUnfinished } = options;
  let isStopped = false;
  let child: LaunchedProcess | null = null;
  const sync = (path: string, signal: AbortSignal) =>
    readSources(path, signal, options, (syncProcess) => {
      child = syncProcess;
      if (isStopped && syncProcess !== null) void stopProcess(syncProcess);
    });
  const poll = async () => {
    if (isStopped || changes.isRunning) return;
    try {
      const { sourceRuns } = readApp();
      const isDue = sourceRuns.due().length > 0 || (await sourceRuns.hasUnfinishedWork());
      if (isDue) await changes.run(sync);
      else if (await hasUnfinished()) await changes.run(async () => {});
    } catch (failure) {
      const refusal = refusalOf(failure);
      // Another node reads the sources.
      if (refusal === 'lease_taken' || refusal === 'older_nodes') return;
      const what =
        refusal === 'lease_lost'
          ? 'the lease was lost: what was changed is dropped'
          : 'the catalogue could not be changed';
      log('warn', what, describeFailure(failure));
    }
  };
  const first = setTimeout(poll, firstPollDelayMs);
  const timer = setInterval(poll, pollIntervalMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(first);
      clearInterval(timer);
      if (child !== null) await stopProcess(child);
    },
  };
}

/** Runs `sync --due` on a data file. If its process dies, the sources that it read are noted as failed. */
async function readSources(
  path: string,
  signal: AbortSignal,
  { config, log }: NodeSchedulerOptions,
  onChild: (child: LaunchedProcess | null) => void,
): Promise<void> {
  const crashed = await runSyncProcess({ ...config, data: path }, log, signal, onChild);
  if (crashed === null) return;
  const app = openApp({ data: path, create: false });
  try {
    logCrashedRuns(await app.sourceRuns.recordCrashed(crashed), crashed.reason, log);
  } finally {
    app.close();
  }
}
