/** A node that starts while PostgreSQL is away: it serves the public pages of its folder, or waits, and goes on when it is back. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { environment, folder, program, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const waitMs = 30_000;
const place = folder();
let cluster: TestCluster;
let env: Record<string, string>;
let key: string;

const server = usePostgres(async () => {
  cluster = await createCluster(server);
  await publishCatalogue(cluster, await catalogueFile());
  env = { CRATEBASE_CLUSTER: clusterUrl(cluster.address) };
  await cli('accounts', 'create', 'ada@example.com');
  ({ key } = JSON.parse(await cli('keys', 'create', 'ada@example.com', '--name', 'one')) as { key: string });
  for (const name of ['one', 'two'])
    await (await serve(`--no-sync --data ${name}`, { cwd: place, env })).stop();
});

async function cli(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd: place, env });
  assert.equal(status, 0, stderr);
  return stdout;
}
async function until(what: string, check: () => unknown): Promise<void> {
  for (const end = performance.now() + waitMs; !(await check()); await pause(50))
    assert.ok(performance.now() < end, what);
}
const call = (node: Served) =>
  fetch(`${node.url}/api/v1/events?limit=2`, { headers: { authorization: `Bearer ${key}` } });
const statusOf = async (node: Served, path: string) => (await fetch(node.url + path)).status;
const messagesOf = (node: Served) => node.log().map(({ message }) => String(message));

for (const [name, options] of [
  ['one', ''],
  ['two', '--workers 2'],
] as const) {
  test(`with a catalogue in its folder, it serves the public pages ${options}`, { skip }, async (t) => {
    await server.crash();
    const node = await serve(`--no-sync --data ${name} ${options}`, { cwd: place, env });
    t.after(() => node.stop());
    t.after(() => server.start());
    assert.ok(
      messagesOf(node).some((text) => /^PostgreSQL is away: this node serves the public pages/.test(text)),
    );
    assert.equal(await statusOf(node, '/'), 200);
    assert.equal(await statusOf(node, '/openapi.json'), 200);
    const ready = await fetch(`${node.url}/readyz`);
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ok', accounts: 'away' }]);
    const refused = await call(node);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    await server.start();
    await until('requests with a key are answered', async () => (await call(node)).status === 200);
    const live = "SELECT 1 FROM nodes WHERE url <> '' AND pid = $1";
    await until('it is a node', async () => (await cluster.query(live, [node.child.pid])).length === 1);
    assert.equal(await node.stop(), 0);
  });
}

test('the secret in its folder is for the user of the service alone', { skip }, () => {
  assert.equal(statSync(join(place, 'one', 'cluster-secret')).mode & 0o777, 0o600);
});

test('without a catalogue, it waits with a line in the log, and can be stopped', { skip }, async (t) => {
  await server.crash();
  t.after(() => server.start());
  const args = [program, 'serve', '--port', '0', '--no-sync', '--data', 'fresh'];
  const child = spawn(process.execPath, args, { cwd: place, env: environment(env), stdio: 'pipe' });
  const exited = once(child, 'exit');
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  await until('it says that it waits', () => /PostgreSQL is away: the start waits for it/.test(stderr));
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
  assert.equal(stdout, '');

  const waiting = serve('--no-sync --data fresh', { cwd: place, env });
  await server.start();
  const node = await waiting;
  assert.equal((await call(node)).status, 200);
  assert.equal(await node.stop(), 0);
});

test('of another cluster, it ends when PostgreSQL is back', { skip }, async (t) => {
  const path = join(place, 'one', 'cluster-secret');
  const secret = readFileSync(path, 'utf8');
  writeFileSync(path, secret.replaceAll(/[0-9a-f]/g, '0'));
  await server.crash();
  t.after(() => server.start());
  const node = await serve('--no-sync --data one', { cwd: place, env });
  const exited = once(node.child, 'exit');
  await server.start();
  assert.deepEqual(await exited, [1, null]);
  const again = await serve('--no-sync --data one', { cwd: place, env });
  assert.equal(await again.stop(), 0);
  assert.equal(readFileSync(path, 'utf8'), secret);
  rmSync(path);
});
