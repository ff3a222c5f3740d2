/** The server that is measured, started as people start it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const startPatienceMs = 30_000;
const pollMs = 2;

/** What is started: the executable, or the source where there is none that is up to date. */
export type Program = { command: string; args: string[]; description: string };
export type Running = {
  url: string;
  port: number;
  pid: number;
  /** Resident memory of the process, in MB. */
  memory: () => number;
  stop: () => Promise<void>;
};
export type StartTimes = { healthMs: number; apiMs: number };

/** @param path of another executable or script; without it dist/cratebase, else the source */
export function findProgram(path: string | undefined): Program {
  if (path?.endsWith('.mjs')) return { command: process.execPath, args: [path], description: path };
  if (path !== undefined) return { command: path, args: [], description: path };
  const built = join(root, 'dist', process.platform === 'win32' ? 'cratebase.exe' : 'cratebase');
  const reason = !existsSync(built)
    ? 'dist/cratebase is not built'
    : statSync(built).mtimeMs < newestSource()
      ? 'dist/cratebase is older than the source'
      : null;
  if (reason === null) return { command: built, args: [], description: 'dist/cratebase' };
  return sourceProgram([], `from source (${reason})`);
}

/** @param profile the folder into which the server writes a CPU profile when it ends */
export const profiledProgram = (profile: string): Program =>
  sourceProgram(['--cpu-prof', `--cpu-prof-dir=${profile}`], 'from source, profiled (slower)');

const sourceProgram = (nodeArgs: string[], description: string): Program => ({
  command: process.execPath,
  args: [...nodeArgs, join(root, 'bin', 'cratebase.mjs')],
  description,
});

function newestSource(): number {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Math.max(...[...files, join(root, 'schema.sql')].map((file) => statSync(file).mtimeMs));
}

function launch(program: Program, file: string, port: number): ChildProcess {
  const args = [...program.args, 'serve', '--data', file, '--port', String(port), '--json'];
  return spawn(program.command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts the server on a free port; resolves when it says that it answers. */
export async function startServer(program: Program, file: string): Promise<Running> {
  const child = launch(program, file, 0);
  const { url, pid } = await announced(child);
  return {
    url,
    port: Number(new URL(url).port),
    pid,
    memory: () => residentMb(pid),
    stop: () => end(child),
  };
}

function announced(child: ChildProcess): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`The server ${why}. ${err}${out}`.trim()));
    };
    const timer = setTimeout(() => fail('did not start in 30 s'), startPatienceMs);
    child.stderr?.on('data', (piece) => {
      err = (err + piece).slice(-2_000);
    });
    child.stdout?.on('data', (piece) => {
      out += piece;
      const end = out.indexOf('\n');
      if (end === -1) return;
      clearTimeout(timer);
      resolve(JSON.parse(out.slice(0, end)) as { url: string; pid: number });
    });
    child.once('error', (error) => fail(`cannot be started: ${error.message}`));
    child.once('exit', (status, signal) => fail(`ended with ${signal ?? status}`));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function residentMb(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1]
    : spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return Math.round((Number(kilobytes) * 1_024) / 1e6);
}

/** From the start of the process to its first 200 of /healthz and of an authenticated call, in ms. */
export async function timeStart(
  program: Program,
  file: string,
  path: string,
  key: string,
): Promise<StartTimes> {
  const port = await freePort();
  const began = performance.now();
  const child = launch(program, file, port);
  child.stdout?.resume();
  child.stderr?.resume();
  try {
    await untilGood(port, '/healthz', {}, child);
    const healthMs = performance.now() - began;
    await untilGood(port, path, { authorization: `Bearer ${key}` }, child);
    return { healthMs, apiMs: performance.now() - began };
  } finally {
    await end(child);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function untilGood(
  port: number,
  path: string,
  headers: Record<string, string>,
  child: ChildProcess,
): Promise<void> {
  const until = performance.now() + startPatienceMs;
  for (;;) {
    const status = await statusOf(port, path, headers);
    if (status === 200) return;
    if (status !== null) throw new Error(`${path} gave ${status} right after the start.`);
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    if (performance.now() > until) throw new Error('The server did not answer within 30 s.');
    await sleep(pollMs);
  }
}

/** Null where nobody listens yet. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', () => resolve(null));
  });
}
