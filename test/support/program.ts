/** The program as a process: commands, and a server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { bundleEnvironment, bundleProgram } from './bundled-program.ts';

/** The bundled source, or the executable that CRATEBASE_TEST_PROGRAM names. */
const shipped = process.env.CRATEBASE_TEST_PROGRAM;
/** How the program is started: the file to run, and its first arguments. */
export const programCommand: readonly [command: string, ...first: string[]] = shipped
  ? [resolve(shipped)]
  : [process.execPath, bundleProgram()];
const [command, ...first] = programCommand;

/** The environment without settings of the program. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('CRATEBASE_') && !name.startsWith('NODE_TEST'),
    ),
  ),
  ...(shipped ? {} : bundleEnvironment),
};

/** Creates a temporary folder; `remove` deletes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'cratebase-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type Ended = { status: number | null; stdout: string; stderr: string };

/** Runs a command to its end. */
export function run(args: readonly string[], input = ''): Ended {
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], {
    input,
    env: environment,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Runs a command with `--json` and returns its document; throws if it fails. */
export function runJson<T>(args: readonly string[], input = ''): T {
  const { status, stdout, stderr } = run([...args, '--json'], input);
  if (status !== 0) throw new Error(`cratebase ${args.join(' ')} ended with ${status}: ${stderr || stdout}`);
  return JSON.parse(stdout) as T;
}

/**
 * The requests of all months that an account has used. `accounts show` has those of the present month, which is another one
 * than that of a server whose clock is set.
 */
export function usedRequests(dataFile: string, email: string): number {
  const sqlite = new Database(dataFile, { readonly: true });
  try {
    return sqlite
      .prepare(
        'SELECT coalesce(sum(used), 0) FROM usage_months JOIN accounts ON accounts.id = account_id WHERE email = ?',
      )
      .pluck()
      .get(email) as number;
  } finally {
    sqlite.close();
  }
}

/** Imports a feed into a data file, which may be missing. */
export function importFeed(dataFile: string, lines: readonly object[], source = 'test'): void {
  const feed = lines.map((line) => JSON.stringify(line)).join('\n');
  runJson(['import', '-', '--source', source, '--data', dataFile], feed);
}

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parses the body as JSON; throws if it is invalid. */
  json: () => unknown;
};
export type Asked = {
  method?: string;
  headers?: Record<string, string>;
  /** A key instead of the server's; null: none. */
  key?: string | null;
};

export type Server = {
  url: string;
  key: string;
  dataFile: string;
  /** Requests a path with query, without escaping or normalizing it. */
  get: (path: string, asked?: Asked) => Promise<Answer>;
  stop: () => Promise<void>;
};

export type ServerOptions = {
  dataFile: string;
  /** Time of a stopped clock; without it the clock runs. */
  now?: string;
  plan?: string;
  window?: number;
  quota?: number;
  /** Other options of `serve`. */
  more?: readonly string[];
  /** Variables of its environment. */
  env?: Readonly<Record<string, string>>;
};

/** Starts `serve --dev` on a free port over a data file; resolves when it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { dataFile, more = [], env = {} } = options;
  const args = ['serve', '--dev', '--json', '--data', dataFile, '--port', '0', '--no-sync', ...more];
  for (const name of ['now', 'plan', 'window', 'quota'] as const) {
    const value = options[name];
    if (value !== undefined) args.push(`--${name}`, String(value));
  }
  const child = spawn(command, [...first, ...args], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url, key } = await announced(child);
  const agent = new Agent({ keepAlive: true });
  return {
    url,
    key,
    dataFile,
    get: (path, asked = {}) => ask(agent, url, path, { key, ...asked }),
    stop: async () => {
      agent.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits for the JSON document that the server prints when it is ready. */
function announced(child: ChildProcess): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server said nothing for 120 s. ${out}${err}`));
    }, 120_000);
    child.stderr?.on('data', (piece) => {
      err += piece;
    });
    child.stdout?.on('data', (piece) => {
      out += piece;
      const said = parsed(out);
      if (said === null) return;
      clearTimeout(timer);
      resolve(said);
    });
    child.once('exit', (status) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${status}. ${out}${err}`));
    });
  });
}

function parsed(text: string): { url: string; key: string } | null {
  try {
    return JSON.parse(text) as { url: string; key: string };
  } catch {
    return null;
  }
}

function ask(agent: Agent, url: string, path: string, asked: Asked): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', key = null } = asked;
  const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...asked.headers };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, method, headers, timeout: 60_000 }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer in 60 s`)));
    sent.on('error', reject);
    sent.end();
  });
}
