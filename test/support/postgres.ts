/** Starts a PostgreSQL server of its own for tests, with a folder, a socket and real fsync; ends it with the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { ClusterAddress } from '../../src/cluster/connection.ts';

const port = 5432;
const cache = fileURLToPath(new URL('../../node_modules/.cache/cratebase/postgres/', import.meta.url));
/** A server that does not answer after this time does not run. */
const startTimeoutMs = 60_000;
/** The server refuses to run as root; the tests of an image run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Where the programs of the server are: Debian has a folder for each version, others have them in PATH. */
function findPrograms(): string | null {
  const versions = '/usr/lib/postgresql';
  const newestFirst = existsSync(versions)
    ? readdirSync(versions).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const folders = [
    ...newestFirst.map((version) => join(versions, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

const programs = findPrograms();

/**
 * Why tests that need PostgreSQL are skipped; false: they run. With CI=true they always run, and fail without PostgreSQL.
 */
export const skipWithoutPostgres: string | false =
  programs !== null || process.env.CI === 'true'
    ? false
    : 'PostgreSQL is not installed (Debian: apt-get install postgresql); nothing was tested';

function pathOf(program: string): string {
  if (programs === null) throw new Error('PostgreSQL is not installed. Debian: apt-get install postgresql.');
  return join(programs, program);
}

function runProgram(program: string, folder: string, args: string[]): void {
  const options = { ...unprivileged, cwd: folder, encoding: 'utf8' } as const;
  const made = spawnSync(pathOf(program), args, options);
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}`);
}

/** Creates a folder that belongs to the user of the server. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-pg-'));
  chmodSync(folder, 0o700);
  const { uid, gid } = unprivileged;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Copies a folder with the owners of its files. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the folder of a server cannot be copied: ${stderr}`);
}

/**
 * The folder of a server that has never run, to be copied. It is made once for each release of PostgreSQL: `initdb` takes
 * ten times as long as a copy.
 */
function newServerFolder(): string {
  const { size, mtimeMs } = statSync(pathOf('postgres'));
  const kept = join(cache, `${size}-${Math.trunc(mtimeMs)}-${process.getuid?.() ?? 0}`);
  if (existsSync(kept)) return kept;
  const folder = makeFolder();
  const draft = `${kept}.${process.pid}`;
  try {
    const made = join(folder, 'data');
    const options = ['-U', 'cratebase', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
    runProgram('initdb', folder, ['-D', made, ...options]);
    mkdirSync(cache, { recursive: true });
    copyFolder(made, draft);
    // Tests that run at the same time may each make one; the first stays.
    if (!existsSync(kept)) renameSync(draft, kept);
  } catch (failure) {
    if (!existsSync(kept)) throw failure;
  } finally {
    for (const path of [folder, draft]) rmSync(path, { recursive: true, force: true });
  }
  return kept;
}

/**
 * Starts a server before the tests of a file or suite, and deletes it after them. Without PostgreSQL, it does nothing.
 * @param setUp runs once the server answers
 * @param tearDown runs before the server ends
 */
export function usePostgres(
  setUp: () => Promise<void> = async () => {},
  tearDown: () => Promise<void> = async () => {},
): PostgresServer {
  const server = new PostgresServer();
  before(async () => {
    if (skipWithoutPostgres) return;
    await server.start();
    await setUp();
  });
  after(async () => {
    if (skipWithoutPostgres) return;
    try {
      await tearDown();
    } finally {
      await server.remove();
    }
  });
  return server;
}

export class PostgresServer {
  readonly #primary: PostgresServer | null;
  #made: string | null = null;
  #process: ChildProcess | null = null;
  #databases = 0;
  #listen = ['-c', 'listen_addresses='];

  /** @param primary makes the server a standby of another, which runs when this one is started */
  constructor(primary: PostgresServer | null = null) {
    this.#primary = primary;
  }

  /** The folder of the server, which is created at its first use. */
  get #folder(): string {
    this.#made ??= this.#create();
    return this.#made;
  }

  #create(): string {
    const folder = makeFolder();
    const data = join(folder, 'data');
    if (this.#primary === null) copyFolder(newServerFolder(), data);
    else {
      const from = ['-h', this.#primary.#folder, '-U', 'cratebase'];
      runProgram('pg_basebackup', folder, ['-D', data, ...from, '-R', '-c', 'fast', '-N']);
    }
    return folder;
  }

  /** Starts the server and waits until it answers. */
  async start(): Promise<void> {
    const until = performance.now() + startTimeoutMs;
    for (;;) {
      // After SIGKILL, processes of the old server may still hold its memory: the new one ends, and is started again.
      if (this.#process === null || this.#process.exitCode !== null) this.#process = this.#spawn();
      try {
        const client = new pg.Client(this.#address('postgres') as pg.ClientConfig);
        await client.connect();
        await client.end();
        return;
      } catch (failure) {
        if (performance.now() > until) throw failure;
        await pause(50);
      }
    }
  }

  #spawn(): ChildProcess {
    const options = ['-k', this.#folder, ...this.#listen, '-c', 'fsync=on'];
    return spawn(pathOf('postgres'), ['-D', join(this.#folder, 'data'), ...options], {
      ...unprivileged,
      cwd: this.#folder,
      stdio: 'ignore',
    });
  }

  /** Offers TLS on an address of its own, from the next start on. Returns the address. */
  offerTls({ key, cert }: { key: string; cert: string }): { host: string; port: number } {
    const host = `127.${[1, 2, 3].map(() => randomInt(2, 250)).join('.')}`;
    const { uid, gid } = unprivileged;
    this.#listen = ['-c', `listen_addresses=${host}`, '-c', 'ssl=on'];
    for (const [name, text] of Object.entries({ key, crt: cert })) {
      const path = join(this.#folder, 'data', `server.${name}`);
      writeFileSync(path, text, { mode: 0o600 });
      if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    }
    return { host, port };
  }

  /** Makes commits wait until the standby has them too. */
  async requireStandby(): Promise<void> {
    await this.nameStandby('*');
    const state = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
    while ((await this.#query(state)).rowCount === 0) await pause(50);
  }

  /** Sets the standbys that commits wait for: `*` for any, none for an empty text. */
  async nameStandby(names: '*' | ''): Promise<void> {
    await this.#query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.#query('SELECT pg_reload_conf()');
    // Processes of the server read it a moment later.
    const expected = `SELECT 1 WHERE current_setting('synchronous_standby_names') = '${names}'`;
    while ((await this.#query(expected)).rowCount === 0) await pause(20);
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.#query('SELECT pg_promote()');
  }

  async #query(sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client(this.#address('postgres') as pg.ClientConfig);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  /** The address of a database on this server. */
  addressOf(address: ClusterAddress): ClusterAddress {
    return this.#address((address as { database: string }).database);
  }

  /** Ends the server as a crash does (SIGQUIT), or killed (SIGKILL), and waits until it is gone. */
  async crash(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    const server = this.#process;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
    this.#process = null;
  }

  /** Creates an empty database, and returns its address. */
  async createDatabase(): Promise<ClusterAddress> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const client = new pg.Client(this.#address('postgres') as pg.ClientConfig);
    await client.connect();
    // A language whose order of texts differs from that of their bytes, as most servers have it.
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`);
    await client.end();
    return this.#address(name);
  }

  /** Ends the server and deletes its folder. */
  async remove(): Promise<void> {
    await this.crash();
    if (this.#made !== null) rmSync(this.#made, { recursive: true, force: true });
  }

  #address(database: string): ClusterAddress {
    return { host: this.#folder, port, user: 'cratebase', database };
  }
}
