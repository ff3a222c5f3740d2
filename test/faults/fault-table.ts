/**
 * What the tests of faults share: the executable as a process, moments that a seed decides, and the table of what was
 * tried, which each test file prints at its end.
 *
 * `CRATEBASE_FAULT_TRIES` says how often each random fault is tried (5), `CRATEBASE_FAULT_SEED` decides the moments.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { executable } from '../support/executable.ts';

export const tries = Number(process.env.CRATEBASE_FAULT_TRIES ?? 5);
export const seed = Number(process.env.CRATEBASE_FAULT_SEED ?? 20_261_122);

export type Row = { fault: string; tried: number; outcome: string; test: string };

const rows: Row[] = [];

/** Adds a row to the table that is printed when the test file ends. */
export function report(row: Row): void {
  rows.push(row);
}

after(() => {
  if (rows.length === 0) return;
  console.log('| fault | tried | seed | outcome | test |\n|---|---|---|---|---|');
  for (const { fault, tried, outcome, test } of rows)
    console.log(`| ${fault} | ${tried} | ${seed} | ${outcome} | ${test} |`);
});

/** Numbers from 0 to 1 that the seed and `name` decide. */
export function random(name: string): () => number {
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, seed);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A folder that is removed after the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cratebase-faults-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

export type Ended = { status: number | null; signal: string | null; stdout: string; stderr: string };
export type Started = {
  child: ChildProcess;
  stderr: () => string;
  stdout: () => string;
  ended: Promise<Ended>;
};
type Options = {
  cwd: string;
  input?: string;
  env?: Record<string, string>;
  command?: readonly string[];
  program?: string;
  user?: { uid: number; gid: number } | null;
};

/**
 * Starts the executable with nothing of this machine's environment.
 * @param options `command` comes before the executable, such as `['prlimit', '--nofile=64']`; `program` is a copy of it;
 *   `user` runs it, if this process may choose
 */
export function start(
  args: readonly string[],
  { cwd, input, env = {}, command = [], program = executable, user = null }: Options,
): Started {
  const [first, ...rest] = [...command, program, ...args] as [string, ...string[]];
  const natives = join(tmpdir(), 'cratebase-faults-natives');
  const child = spawn(first, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, CRATEBASE_NATIVES: natives, ...env },
    stdio: 'pipe',
    ...user,
  });
  running.add(child);
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece) => {
      text[name] += piece;
    });
  // A process that is killed does not read its input to the end.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = once(child, 'close').then(([status, signal]) => {
    running.delete(child);
    return { status, signal, ...text } as Ended;
  });
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended };
}

/** Runs the executable to its end; throws where it ends with another status than `expected`. */
export async function run(
  args: readonly string[],
  options: Options,
  expected: number | null = 0,
): Promise<Ended> {
  const ended = await start(args, options).ended;
  if (expected !== null && ended.status !== expected)
    throw new Error(
      `cratebase ${args.join(' ')}: ${ended.status ?? ended.signal}: ${ended.stderr}${ended.stdout}`,
    );
  return ended;
}

/** Runs the executable, and kills it with SIGKILL after `ms`; says whether that was before its end. */
export async function runAndKill(args: readonly string[], ms: number, options: Options): Promise<boolean> {
  const { child, ended } = start(args, options);
  await Promise.race([sleep(ms), ended]);
  child.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}

/** How long a run takes that nothing disturbs, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Puts a closed data file in the place of another, and removes what lies beside that. */
export function replace(from: string, to: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(to + end, { force: true });
  copyFileSync(from, to);
}

export type Service = Started & { url: string; key: string };

/** Starts `serve --dev` on a free port; resolves when it answers. */
export async function serve(args: readonly string[], options: Options): Promise<Service> {
  const started = start(['serve', '--dev', '--json', '--port', '0', ...args], options);
  const deadline = performance.now() + 30_000;
  while (!started.stdout().includes('\n')) {
    if (started.child.exitCode !== null || performance.now() > deadline)
      throw new Error(`The service did not start: ${started.stderr()}`);
    await sleep(10);
  }
  const { url, key } = JSON.parse(started.stdout().split('\n', 1)[0] as string) as {
    url: string;
    key: string;
  };
  return { ...started, url, key };
}

/** Whether the other side hung up on a request; a connection that did not come about carried none. */
export const isCutOff = (failure: unknown): boolean => {
  const { code, syscall } = ((failure as Error).cause ?? {}) as { code?: string; syscall?: string };
  if (syscall === 'connect') return false;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
};

/**
 * Whether the connection that failed had brought an answer before. A service that ends closes idle connections, also in the
 * moment in which their client sends a request: clients repeat that on a new one (RFC 9112, section 9.5).
 */
export const wasKeptAlive = (failure: unknown): boolean => {
  const { socket } = ((failure as Error).cause ?? {}) as { socket?: { bytesRead: number } };
  return (socket?.bytesRead ?? 0) > 0;
};

/**
 * Asks a service for a path with its key; the status, or 0 where there was no answer.
 * @param onFailure hears why there was none
 */
export async function ask(
  { url, key }: Service,
  path: string,
  onFailure: (failure: unknown) => void = () => {},
): Promise<number> {
  try {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (failure) {
    onFailure(failure);
    return 0;
  }
}

/** Ends a service as its operator does, and waits until it has ended. */
export async function stop({ child, ended }: Started): Promise<Ended> {
  child.kill('SIGTERM');
  return await ended;
}
