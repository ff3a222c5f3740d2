/** The load balancer of examples/cluster in front of three nodes: one is killed, and callers get no error. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reasonToSkip } from '../support/executable.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';
import { FaultCluster, get, kill, type Node } from './cluster-nodes.ts';
import { folder, report } from './fault-table.ts';

const file = 'test/faults/cluster-balancer.test.ts';
const example = fileURLToPath(new URL('../../examples/cluster/Caddyfile', import.meta.url));
const cwd = folder();
const withoutCaddy = spawnSync('caddy', ['version']).status === 0 ? false : 'caddy is not installed';
const callers = 16;
const agent = new Agent({ keepAlive: true });

let server: PostgresServer;
let cluster: FaultCluster;
let nodes: Node[] = [];
let balancer: ChildProcess | undefined;
let url: string;
let key: string;

describe('a load balancer before a cluster', {
  skip: reasonToSkip() || skipWithoutPostgres || withoutCaddy,
}, () => {
  before(async () => {
    server = new PostgresServer();
    await server.start();
    cluster = await FaultCluster.create(server, cwd);
    key = await cluster.createKey('ada@example.com', 1_000_000);
    nodes = await cluster.startNodes('one', 'two', 'three');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const text = readFileSync(example, 'utf8')
      .replace(/^:8080 \{/m, `${url} {\n\tbind 127.0.0.1`)
      .replace(/node(\d):4880/g, (_, number) => new URL((nodes[number - 1] as Node).url).host);
    const path = join(cwd, 'Caddyfile');
    writeFileSync(path, `{\n\tadmin off\n}\n${text}`);
    balancer = spawn('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH ?? '', HOME: cwd },
    });
    for (let left = 500; (await statusOf('/readyz')) !== 200; left -= 1) {
      assert.ok(left > 0, 'the load balancer did not start');
      await sleep(20);
    }
  });
  after(async () => {
    agent.destroy();
    balancer?.kill('SIGKILL');
    await kill(...nodes);
    await server?.remove();
  });

  test('sends requests to the other nodes when one is killed', async () => {
    const answers: Record<number, number> = {};
    let isOver = false;
    const calling = Promise.all(
      Array.from({ length: callers }, async () => {
        while (!isOver) {
          const status = await statusOf('/api/v1/events?limit=1');
          answers[status] = (answers[status] ?? 0) + 1;
        }
      }),
    );
    while ((answers[200] ?? 0) < 300) await sleep(5);
    await kill(nodes[0] as Node);
    const before = answers[200] ?? 0;
    while ((answers[200] ?? 0) < before + 1_000) await sleep(5);
    isOver = true;
    await calling;
    const { 200: answered = 0, ...others } = answers;
    const failed = Object.values(others).reduce((sum, count) => sum + count, 0);
    // Caddy repeats requests under way on the node, unless their answer has begun.
    assert.ok(failed <= callers, JSON.stringify(answers));
    const outcome = `${answered} answered with 200, ${failed} with another status`;
    report({ fault: 'node killed behind the load balancer', tried: 1, outcome, test: file });
  });
});

const statusOf = (path: string): Promise<number> =>
  get(agent, url + path, key).then(
    ({ status }) => status,
    () => 0,
  );

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
