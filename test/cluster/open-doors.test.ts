/** The doors of the next publication are opened in parts, so that requests are answered meanwhile. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ClusterAddressParts, clockFor, openApp, openClusterWith, readCluster } from '../../src/app.ts';
import { readServeConfig } from '../../src/config.ts';
import { runAtOnce, runInTurns } from '../../src/server/mount.ts';
import { startServer } from '../../src/server.ts';
import { temporaryFolder } from '../support/program.ts';

test('work in parts runs at once, or lets other work run between its parts', async () => {
  const steps: string[] = [];
  function* work() {
    steps.push('first');
    yield;
    steps.push('second');
    return 'done';
  }
  assert.equal(runAtOnce(work()), 'done');
  setImmediate(() => steps.push('other'));
  assert.equal(await runInTurns(work()), 'done');
  assert.deepEqual(steps, ['first', 'second', 'first', 'other', 'second']);
});

test('a node whose copy is damaged says so, and stays ready', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const data = join(folder.path, 'a.db');
  openApp({ data, create: true }).close();
  const env = {
    CRATEBASE_CLUSTER: 'postgres://ada@/music?host=/nonexistent',
    CRATEBASE_METRICS_TOKEN: 'let-me-in',
  };
  const config = { ...readServeConfig({ port: '0' }, env), mediaDir: join(folder.path, 'media') };
  const cluster = readCluster(config) as ClusterAddressParts;
  const clock = clockFor(config);
  const clusterAccess = await openClusterWith(cluster, clock, Buffer.alloc(32));
  const app = openApp({ data, create: false, readOnly: true, clock, cluster, clusterAccess });
  let damage: string[] = [];
  const publication = () => ({
    serving: 1,
    head: 1,
    isBehind: false,
    isFailing: false,
    checkedTs: 7_000,
    damage,
  });
  const running = await startServer(app, { config, log: () => {}, publication });
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { authorization: 'Bearer let-me-in' } });
  const gauges = async () =>
    [
      ...(await (await ask('/metrics')).text()).matchAll(/^cratebase_file_(?:damaged|last_check\w+) (.*)$/gm),
    ].map(([, value]) => value);
  const ready = async () => {
    const answer = await ask('/readyz');
    const { file } = (await answer.json()) as { file?: string };
    return [answer.status, file];
  };
  assert.deepEqual(await ready(), [200, undefined]);
  assert.deepEqual(await gauges(), ['0', '7']);
  damage = ['a.db is not what was published'];
  assert.deepEqual(await ready(), [200, 'damaged']);
  assert.deepEqual(await gauges(), ['1', '7']);
  await running.close();
  app.close();
  await clusterAccess.closed();
});

test('the doors of a catalogue take several turns of the event loop, and are served then', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const data = join(folder.path, 'a.db');
  openApp({ data, create: true }).close();
  const env = { CRATEBASE_CLUSTER: 'postgres://ada@/music?host=/nonexistent' };
  const config = { ...readServeConfig({ port: '0' }, env), mediaDir: join(folder.path, 'media') };
  const cluster = readCluster(config) as ClusterAddressParts;
  const clock = clockFor(config);
  const clusterAccess = await openClusterWith(cluster, clock, Buffer.alloc(32));
  const open = () => openApp({ data, create: false, readOnly: true, clock, cluster, clusterAccess });
  const [first, next] = [open(), open()];
  const check = { checkedTs: null, damage: [] };
  const publication = () => ({ serving: 1, head: 1, isBehind: false, isFailing: false, ...check });
  const running = await startServer(first, { config, log: () => {}, publication });
  let turns = 0;
  let isOpening = true;
  const count = () => {
    turns += 1;
    if (isOpening) setImmediate(count);
  };
  setImmediate(count);
  const change = await running.prepareCatalogue(next);
  isOpening = false;
  assert.ok(turns >= 5, `${turns} turns`);
  await change()();
  first.close();
  assert.equal((await fetch(`http://127.0.0.1:${running.port}/`)).status, 200);
  await running.close();
  next.close();
  await clusterAccess.closed();
});
