/** A cluster of the executable under faults: a database, its nodes, and callers that remember each answer. */
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ClusterAddress } from '../../src/cluster/connection.ts';
import { queryAt } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { run, type Started, start } from './fault-table.ts';

const startTimeoutMs = 30_000;
const requestTimeoutMs = 20_000;

export type Node = Started & { url: string };
export type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

/** The database of a cluster, and the commands and nodes that use it. */
export class FaultCluster {
  readonly address: ClusterAddress;
  readonly #cwd: string;

  private constructor(address: ClusterAddress, cwd: string) {
    this.address = address;
    this.#cwd = cwd;
  }

  /** @param catalogue options of `cluster init` */
  static async create(
    server: PostgresServer,
    cwd: string,
    catalogue: readonly string[] = ['--empty'],
  ): Promise<FaultCluster> {
    const cluster = new FaultCluster(await server.createDatabase(), cwd);
    await cluster.command('cluster', 'init', ...catalogue);
    return cluster;
  }

  /** Runs a command with `--json`; returns its document. */
  command<T>(...args: string[]): Promise<T> {
    return this.commandWith('', ...args);
  }

  /** @param input what the command reads */
  async commandWith<T>(input: string, ...args: string[]): Promise<T> {
    const env = environmentOf(this.address);
    const { stdout } = await run([...args, '--json'], { cwd: this.#cwd, env, input });
    return JSON.parse(stdout) as T;
  }

  /**
   * Starts a node.
   * @param address another way to the database
   * @param more further options
   */
  async startNode(name: string, address = this.address, more: readonly string[] = []): Promise<Node> {
    const args = ['serve', '--json', '--port', '0', '--no-sync', ...more];
    const data = ['--data', join(this.#cwd, name)];
    const started = start([...args, ...data], { cwd: this.#cwd, env: environmentOf(address) });
    const deadline = performance.now() + startTimeoutMs;
    while (!started.stdout().includes('\n')) {
      if (started.child.exitCode !== null || performance.now() > deadline)
        throw new Error(`The node did not start: ${started.stderr()}`);
      await sleep(10);
    }
    const { url } = JSON.parse(started.stdout().split('\n', 1)[0] as string) as { url: string };
    return { ...started, url };
  }

  startNodes(...names: string[]): Promise<Node[]> {
    return Promise.all(names.map((name) => this.startNode(name)));
  }

  /** Creates an account with a quota and without a noticeable window, and returns a key of it. */
  async createKey(email: string, quota: number): Promise<string> {
    await this.command('accounts', 'create', email);
    await this.command('accounts', 'set-limits', email, '--month', String(quota), '--window', '1000000');
    return (await this.command<{ key: string }>('keys', 'create', email, '--name', 'one')).key;
  }

  /** What PostgreSQL has counted for an account, by month and by day. */
  async counted(email: string, address = this.address): Promise<{ month: number; days: number }> {
    type Counts = { month: number; days: number };
    const sum = (table: string) =>
      `(SELECT coalesce(sum(used), 0) FROM ${table} WHERE account_id = (SELECT id FROM accounts WHERE email = $1))`;
    const sql = `SELECT ${sum('usage_months')} AS month, ${sum('usage_days')} AS days`;
    return (await this.query<Counts>(sql, [email], address))[0] as Counts;
  }

  /** Runs SQL, and returns its rows. */
  query<R extends pg.QueryResultRow>(
    sql: string,
    values: unknown[] = [],
    address = this.address,
  ): Promise<R[]> {
    return queryAt(address, sql, values);
  }

  /** The environment of its commands. */
  get environment(): Record<string, string> {
    return environmentOf(this.address);
  }
}

const environmentOf = (address: ClusterAddress): Record<string, string> => ({
  CRATEBASE_CLUSTER: clusterUrl(address),
});

/** Ends nodes as a power cut does. */
export async function kill(...nodes: Started[]): Promise<void> {
  for (const { child } of nodes) child.kill('SIGKILL');
  await Promise.all(nodes.map(({ ended }) => ended));
}

/** Asks a node; rejects if the connection breaks before the answer is whole. */
export function get(agent: Agent, url: string, key: string | null): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const sent = request(url, { agent, headers, timeout: requestTimeoutMs }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${requestTimeoutMs} ms`)));
    sent.on('error', reject);
    sent.end();
  });
}

/** Callers of all nodes that use a key until its quota is used up, and what each of them was answered. */
export class Callers {
  /** `X-Quota-Remaining` of each answer with 200. */
  readonly remaining: number[] = [];
  refused = 0;
  /** Answers with 503. */
  unavailable = 0;
  /** Requests whose connection broke, so that the caller does not know whether they were counted. */
  broken = 0;
  readonly ended: Promise<unknown>;
  readonly #nodes: readonly Node[];
  readonly #agent = new Agent({ keepAlive: true });

  /** @param nodes the callers of a node go on with the one that takes its place in this array */
  constructor(nodes: readonly Node[], key: string, perNode: number, quota: number) {
    this.#nodes = nodes;
    const callers = nodes.flatMap((_, index) =>
      Array.from({ length: perNode }, () => this.#call(index, key, quota)),
    );
    this.ended = Promise.all(callers).finally(() => this.#agent.destroy());
    // A test that waits for a number of answers hears of a failure when it waits for the end.
    this.ended.catch(() => {});
  }

  get admitted(): number {
    return this.remaining.length;
  }

  /** Waits until so many requests were admitted. */
  async until(admitted: number): Promise<void> {
    const deadline = performance.now() + 120_000;
    while (this.admitted < admitted) {
      if (performance.now() > deadline) throw new Error(`${this.admitted} of ${admitted} were admitted`);
      await sleep(2);
    }
  }

  async #call(index: number, key: string, quota: number): Promise<void> {
    for (;;) {
      let reply: Reply;
      try {
        reply = await get(this.#agent, `${(this.#nodes[index] as Node).url}/api/v1/events?limit=1`, key);
      } catch (failure) {
        // A node that is not there has not taken the request.
        if ((failure as NodeJS.ErrnoException).code !== 'ECONNREFUSED') this.broken += 1;
        await sleep(20);
        continue;
      }
      const { status, headers, text } = reply;
      if (status === 200) {
        assert.equal(Number(headers['x-quota-limit']), quota);
        this.remaining.push(Number(headers['x-quota-remaining']));
      } else if (status === 429) {
        assert.match(text, /quota_exceeded/);
        this.refused += 1;
        return;
      } else {
        assert.equal(status, 503, text);
        assert.ok(Number(headers['retry-after']) >= 1);
        this.unavailable += 1;
        await sleep(20);
      }
    }
  }
}
