/** Starts the measured server as an operator would. */
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
  memory: () => Memory;
  /** Processor time of the process since its start, in ms; NaN where the system has no /proc. */
  processorMs: () => number;
  stop: () => Promise<void>;
};
/** `ownMb` is without pages of mapped files: the executable, libraries, the index of the write-ahead log. */
export type Memory = { ownMb: number; allMb: number };
export type StartTimes = { healthMs: number; apiMs: number };

/** @param path of another executable or script; without it dist/cratebase, else the source */
export function findProgram(path: string | undefined): Program {
  if (path !== undefined && /\.[cm]js$/.test(path))
    return { command: process.execPath, args: [path], description: path };
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

type LaunchOptions = { more?: readonly string[]; env?: Record<string, string> };

function launch(
  program: Program,
  file: string,
  port: number,
  { more = [], env = {} }: LaunchOptions = {},
): ChildProcess {
  const args = [...program.args, 'serve', '--data', file, '--port', String(port), '--json', ...more];
  return spawn(program.command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
}

/** Starts the server on a free port, with further options; resolves when it says that it answers. */
export async function startServer(
  program: Program,
  file: string,
  options: LaunchOptions = {},
): Promise<Running> {
  const child = launch(program, file, 0, options);
  const { url, pid } = await announced(child);
  return {
    url,
    port: Number(new URL(url).port),
    pid,
    memory: () => residentMemory(pid),
    processorMs: () => processorMs(pid),
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

/** Ticks of the clock that /proc counts in, per second. */
const ticksPerSecond = 100;

/** The processor time of a process, in ms; NaN where the system has no /proc. */
export function processorMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  // The name of the program may contain spaces; the fields are counted behind it.
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** Where the system has no /proc, mapped pages cannot be distinguished from others. */
function residentMemory(pid: number): Memory {
  const path = `/proc/${pid}/status`;
  const megabytes = (kilobytes: string | undefined) => Math.round((Number(kilobytes) * 1_024) / 1e6);
  if (!existsSync(path)) {
    const all = megabytes(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
    return { ownMb: all, allMb: all };
  }
  const status = readFileSync(path, 'utf8');
  const read = (name: string) => megabytes(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]);
  return { ownMb: read('RssAnon'), allMb: read('VmRSS') };
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

/** Returns the status of an answer; null while no server listens. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', () => resolve(null));
  });
}
