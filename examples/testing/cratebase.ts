/** A cratebase of its own for a test: real answers, on a free port, over a new data file. No dependencies. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Options = {
  /** The clock stands still here, such as 2026-11-20T12:00:00Z: the same answers at every run. */
  now?: string;
  plan?: 'free' | 'premium' | 'pro';
  /** Requests the account has in a month. */
  quota?: number;
  /** Requests the key has in 60 seconds. */
  window?: number;
  /** Parts of the requests that fail on purpose, such as 503:0.1. */
  fail?: string[];
  /** Without the starter catalogue. */
  empty?: boolean;
  /** The command that starts cratebase; default: START_CRATEBASE, else `cratebase`. */
  command?: string[];
};

export type Cratebase = {
  /** Without a slash at its end. */
  url: string;
  key: string;
  /** The data file, for commands such as `keys create --data`. */
  data: string;
  /** Asks for a path below /api/v1 with the key, or with another one. */
  get(path: string, key?: string): Promise<Response>;
  /** Runs a command on the data file, and gives the JSON that it prints. */
  run<T>(...args: string[]): T;
  stop(): Promise<void>;
};

/** Starts one; it answers when the promise is kept. */
export async function startCratebase(options: Options = {}): Promise<Cratebase> {
  const [program, ...first] = options.command ?? (process.env.START_CRATEBASE ?? 'cratebase').split(' ');
  const folder = await mkdtemp(join(tmpdir(), 'cratebase-'));
  const data = join(folder, 'test.db');
  const args = ['serve', '--dev', '--json', '--port', '0', '--no-sync', '--data', data];
  if (options.empty) args.push('--empty');
  for (const name of ['now', 'plan', 'quota', 'window'] as const) {
    const value = options[name];
    if (value !== undefined) args.push(`--${name}`, String(value));
  }
  if (options.fail?.length) args.push('--fail', ...options.fail);

  const child = spawn(program as string, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { url, key, pid } = await new Promise<{ url: string; key: string; pid: number }>(
    (resolve, reject) => {
      let [out, err] = ['', ''];
      child.stderr.on('data', (piece) => (err += piece));
      child.stdout.on('data', (piece) => {
        out += piece;
        if (out.endsWith('\n')) resolve(JSON.parse(out));
      });
      child.once('error', reject);
      child.once('exit', (status) => reject(new Error(`cratebase ended with ${status}: ${err}`)));
    },
  ).catch(async (failure: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw failure;
  });

  // The service itself, where something stands between, such as npx.
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(pid, 'SIGTERM');
  };
  // Also if the tests end without calling stop.
  process.once('exit', end);

  return {
    url,
    key,
    data,
    get: (path, other = key) =>
      fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${other}` } }),
    run<T>(...given: string[]): T {
      const done = spawnSync(program as string, [...first, ...given, '--data', data, '--json'], {
        encoding: 'utf8',
      });
      if (done.status !== 0) throw new Error(done.stderr);
      return JSON.parse(done.stdout) as T;
    },
    async stop() {
      process.removeListener('exit', end);
      end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
