/** A node that stops while its PostgreSQL neither answers nor closes connections. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openClusterAccess } from '../../src/cluster/cluster-access.ts';
import { openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';
import { catalogueFile, publishCatalogue } from '../support/publication.ts';

/** Longer than a node waits for its last statements, and shorter than systemd and Docker wait before they kill it. */
const maxStopMs = 8_000;
let cluster: TestCluster;
let proxy: CuttableProxy;

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    proxy = new CuttableProxy(cluster.address);
    await proxy.listen();
  },
  async () => {
    await proxy.close();
  },
);

async function measureStop(stop: () => Promise<void>): Promise<void> {
  const since = performance.now();
  await stop();
  const took = performance.now() - since;
  assert.ok(took < maxStopMs, `${took} ms`);
}

test('a node that follows the catalogue', { skip }, async () => {
  const folder = temporaryFolder();
  await publishCatalogue(cluster, await catalogueFile());
  const node = await openCatalogueNode({ address: proxy.address, folder: join(folder.path, 'node') });
  node.follower.start();
  while (node.slots.serving === null) await pause(50);
  proxy.freeze();
  // It asks once a second: a statement is under way.
  await pause(1_500);
  await measureStop(() => node.close());
  proxy.cut();
  folder.remove();
});

test('accounts and the meter', { skip }, async () => {
  const access = await openClusterAccess(proxy.address);
  const account = await access.accounts.create({ email: 'ada@example.com', plan: 'free' });
  const { id } = await access.keys.create('ada@example.com', 'one');
  const credential = { id, account: account.id, scope: 'all' } as const;
  assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'admitted');
  proxy.freeze();
  const refused = assert.rejects(access.admit(credential, 1, 'rest'));
  await measureStop(() => access.closed());
  await refused;
  proxy.cut();
});
