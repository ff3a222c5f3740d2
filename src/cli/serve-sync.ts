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
  const look = () => {
    try {
      if (app.fileState.trouble !== null || child !== null || app.dueSources().length === 0) return;
      child = start(config);
      follow(child, log).finally(() => {
        child = null;
      });
    } catch (failure) {
      // The file may be locked or gone for a while; the next look may find it again.
      log('warn', 'sources could not be looked at', describeFailure(failure));
    }
  };
  const first = setTimeout(look, firstLookMs);
  const timer = setInterval(look, lookMs);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      if (child !== null) await end(child);
    },
  };
}

function start(config: Settings): ChildProcess {
  const { command, args } = selfCommand();
  const own = ['sync', '--due', '--json', '--data', config.data];
  if (config.baseUrl !== null) own.push('--base-url', config.baseUrl);
  if (config.fetchAllow.length > 0) own.push('--fetch-allow', ...config.fetchAllow);
  const { CRATEBASE_ROLE: _, ...env } = process.env;
  return spawn(command, [...args, ...own], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Logs what a run says; never rejects. */
async function follow(child: ChildProcess, log: Log): Promise<void> {
  const [out, err] = [gather(child.stdout), gather(child.stderr)];
  try {
    const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
    const reports = read(out());
    for (const report of reports) tell(report, log);
    if (reports.length === 0 && status !== 0) {
      const error = err().trim().split('\n').at(-1) ?? '';
      log('error', 'a sync ended early', { status: status ?? signal, error });
    }
  } catch (failure) {
    log('error', 'a sync could not be started', describeFailure(failure));
  }
}

function tell(
  { source, outcome, error, revision, kinds, rejected_count, seconds }: SyncReport,
  log: Log,
): void {
  const isGood = outcome === 'done' || outcome === 'unchanged';
  const fields = { source, outcome, revision, kinds, rejected: rejected_count, seconds };
  if (isGood) log('info', 'a source was read', fields);
  else log('warn', 'a source was not read as it should be', { ...fields, error });
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
