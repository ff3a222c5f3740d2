/**
 * The schedule inside `serve`: looks now and then which sources are due and has `sync --due` read them, in a process of
 * its own, so that neither its work nor its memory is felt by whoever asks. Where several services share the file, the
 * turns of the catalogue keep them apart, and who comes second finds nothing due any more.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { App, SyncReport } from '../app.ts';
import { describeFailure, type Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { selfCommand } from './self.ts';

/** How often is looked, and how soon after the start: what was missed while nobody ran is caught up at once. */
const lookMs = 30_000;
const firstLookMs = 1_000;
/** What a run is given to put away what it has begun. */
const patienceMs = 5_000;
const mostOutput = 10_000_000;

export type Schedule = { stop(): Promise<void> };

/** Begins to look; `app` stays open for as long. */
export function keepSynced(app: App, config: Settings, log: Log): Schedule {
  let child: ChildProcess | null = null;
  let isStopped = false;
  const look = async () => {
    if (child !== null || isStopped) return;
    try {
      if (app.fileState.trouble !== null) return;
      // What an earlier service was reading when both died, or a sync in a terminal that was killed.
      tellDeaths(await app.recordDeaths(), 'see `cratebase sources list`', log);
      if (isStopped || child !== null) return;
      if (app.dueSources().length === 0 && !(await app.isLeftHalfDone())) return;
      if (isStopped) return;
      child = start(config);
      const { pid } = child;
      const reason = await follow(child, log, () => isStopped);
      child = null;
      if (reason === null || isStopped) return;
      tellDeaths(pid === undefined ? [] : await app.recordDeaths({ pid, reason }), reason, log);
      // The other sources have waited for the one that died.
      again = setTimeout(look, firstLookMs);
    } catch (failure) {
      child = null;
      // The file may be locked or gone for a while; the next look may find it again.
      log('warn', 'the schedule of sources could not be read', describeFailure(failure));
    }
  };
  let again = setTimeout(look, firstLookMs);
  const timer = setInterval(look, lookMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(again);
      clearInterval(timer);
      if (child !== null) await end(child);
    },
  };
}

function tellDeaths(sources: string[], error: string, log: Log): void {
  for (const source of sources)
    log('error', 'the sync process died while reading a source', { source, error });
}

function start(config: Settings): ChildProcess {
  const { command, args } = selfCommand();
  const own = ['sync', '--due', '--json', '--data', config.data];
  if (config.baseUrl !== null) own.push('--base-url', config.baseUrl);
  if (config.fetchAllow.length > 0) own.push('--fetch-allow', ...config.fetchAllow);
  const { CRATEBASE_ROLE: _, ...env } = process.env;
  return spawn(command, [...args, ...own], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * Logs what a run says; never rejects.
 * @returns why the process died, in one line; null where it ended as it should
 */
async function follow(child: ChildProcess, log: Log, isWanted: () => boolean): Promise<string | null> {
  const [out, err] = [gather(child.stdout), gather(child.stderr)];
  try {
    const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
    const reports = read(out());
    for (const report of reports) tell(report, log);
    if (reports.length > 0 || status === 0 || isWanted()) return null;
    const reason = reasonOf(status, signal, err());
    log('error', 'the sync process ended early', { status: status ?? signal, error: reason });
    return reason;
  } catch (failure) {
    log('error', 'the sync process could not be started', describeFailure(failure));
    return null;
  }
}

/** What a process died of: its own words where it had time for some, else the signal. */
function reasonOf(status: number | null, signal: string | null, said: string): string {
  const how = signal === null ? `status ${status}` : signal;
  const lines = said.trim().split('\n');
  const words =
    lines.find((line) => /^FATAL ERROR: |^(?:Uncaught )?[A-Z]\w*Error\b/.test(line)) ??
    (signal === null ? lines.at(-1) : undefined);
  if (words) return `The sync process ended (${how}): ${words.slice(0, 300)}`;
  const memory = signal === 'SIGKILL' ? ', probably because memory ran out' : '';
  return `The sync process was ended by ${how}${memory}.`;
}

function tell(
  { source, outcome, error, revision, kinds, rejected_count, seconds }: SyncReport,
  log: Log,
): void {
  const isGood = outcome === 'done' || outcome === 'unchanged';
  const fields = { source, outcome, revision, kinds, rejected: rejected_count, seconds };
  if (isGood) log('info', 'a source was read', fields);
  else log('warn', 'a source was read with errors', { ...fields, error });
}

/** What a stream says, as far as anybody would read it. */
function gather(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < mostOutput) text += piece;
  });
  return () => text;
}

function read(text: string): SyncReport[] {
  try {
    return (JSON.parse(text) as { data: SyncReport[] }).data;
  } catch {
    return [];
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(late);
}
