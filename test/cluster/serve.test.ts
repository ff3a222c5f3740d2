/** Two `serve --cluster`: one set of accounts, exact counts, revocations at once, PostgreSQL away. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { folder, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const password = 'correct-horse';
const email = 'ada@example.com';
let cluster: TestCluster;
const place = folder();
let env: Record<string, string>;
const nodes: Served[] = [];

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    const file = join(place, 'cluster');
    writeFileSync(file, `${clusterUrl(cluster.address, password)}\n`, { mode: 0o600 });
    env = { CRATEBASE_CLUSTER_FILE: file, CRATEBASE_METRICS_TOKEN: 'token' };
    await publishCatalogue(cluster, await catalogueFile());
    for (const data of ['one', 'two'])
      nodes.push(await serve(`--no-sync --data ${data}`, { cwd: place, env }));
  },
  async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  },
);

const cli = async (...args: string[]) => {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd: place, env });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, never>;
};
const node = (index: number) => nodes[index % nodes.length] as Served;
const call = (index: number, key: string) =>
  fetch(`${node(index).url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } });
const statusOf = async (index: number, path: string, init?: RequestInit) => {
  const response = await fetch(node(index).url + path, init);
  await response.arrayBuffer();
  return response.status;
};

test('accounts of the terminal are those of every node, and a quota is exact over all', {
  skip,
}, async () => {
  await cli('accounts', 'create', email);
  await cli('accounts', 'set-limits', email, '--month', '20', '--window', '1000');
  const { key, id } = (await cli('keys', 'create', email, '--name', 'one')) as unknown as {
    key: string;
    id: string;
  };
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => call(index, key)));
  const admitted = answers.filter(({ status }) => status === 200);
  assert.equal(admitted.length, 20);
  const left = admitted.map(({ headers }) => Number(headers.get('x-quota-remaining')));
  assert.deepEqual(
    left.toSorted((one, other) => one - other),
    Array.from({ length: 20 }, (_, index) => index),
  );
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  const { usage } = (await cli('accounts', 'show', email)) as unknown as { usage: { used: number } };
  assert.equal(usage.used, 20);
  await cli('accounts', 'set-limits', email, '--default');
  assert.equal((await call(0, key)).status, 200);
  await cli('keys', 'revoke', id);
  for (const index of [0, 1]) assert.equal((await call(index, key)).status, 401);
});

test('the address is in no command line and no log', { skip }, () => {
  for (const { child, log } of nodes) {
    assert.ok(!readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').includes(password));
    assert.ok(!JSON.stringify(log()).includes(password));
  }
});

test('without PostgreSQL, pages go on and authenticated requests get 503; both work again when it is back', {
  skip,
}, async () => {
  const { key } = (await cli('keys', 'create', email, '--name', 'two')) as unknown as { key: string };
  for (const index of [0, 1]) assert.equal((await call(index, key)).status, 200);
  await server.crash();
  for (const index of [0, 1]) {
    const since = performance.now();
    const refused = await call(index, key);
    const took = performance.now() - since;
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.match(await refused.text(), /unavailable/);
    assert.ok(took < 2_500, `${took} ms`);
    assert.equal(await statusOf(index, '/'), 200);
    assert.equal(await statusOf(index, '/openapi.json'), 200);
    const ready = await fetch(`${node(index).url}/readyz`);
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ok', accounts: 'away' }]);
    const metrics = await fetch(`${node(index).url}/metrics`, { headers: { authorization: 'Bearer token' } });
    assert.match(await metrics.text(), /^cratebase_cluster_accounts_reachable 0$/m);
  }
  await server.start();
  const since = performance.now();
  const isBack = async (index: number) => {
    while ((await call(index, key)).status !== 200) await pause(20);
    return performance.now() - since;
  };
  for (const took of await Promise.all([0, 1].map(isBack))) assert.ok(took < 1_000, `${took} ms`);
  while (((await (await fetch(`${node(0).url}/readyz`)).json()) as { accounts: string }).accounts !== 'ok')
    await pause(50);
});
