/** Runs the benches that have a program of their own, so that one command prints all figures. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a bench printed. `output` ends with its error if it failed. */
export type OtherBench = { title: string; command: string; output: string; failed: boolean };

const root = fileURLToPath(new URL('../', import.meta.url));

function runBench(title: string, args: readonly string[]): OtherBench {
  const all = ['--import', 'tsx', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const failed = status !== 0;
  const output = failed ? `${stdout}\nended with ${status}: ${stderr.slice(-1_000)}` : stdout;
  return { title, command: `node ${all.join(' ')}`, output: output.trimEnd(), failed };
}

/** The import into an empty file, as a share of a bare insert loop. */
const runImport = (events: number): OtherBench =>
  runBench('import into an empty file', ['bench/import.ts', '--events', String(Math.min(events, 100_000))]);

/** The import of a second source that lists half the same shows, without a server. */
const runSecondSource = (): OtherBench =>
  runBench('import of a second source', ['bench/sync-latency.ts', '--second-source']);

/** The same beside a server under load. */
const runSync = (): OtherBench => runBench('import beside a server', ['bench/sync-latency.ts']);

/** Calls of agents. */
const runAgents = (events: number): OtherBench =>
  runBench('calls of agents', ['bench/mcp.ts', '--events', String(events)]);

/** Runs all of them in turn. */
export function runOtherBenches(events: number, note: (text: string) => void): OtherBench[] {
  return [runImport, runSecondSource, runSync, runAgents].map((run) => {
    note(`${run.name} …`);
    return run(events);
  });
}
