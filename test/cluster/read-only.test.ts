/** A PostgreSQL that takes no writes, as managed servers are when their disk is full. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterAddress } from '../../src/cluster/address.ts';
import { NodeReporter } from '../../src/cluster/nodes.ts';
import { folder, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

const facts = {
  machine: 'm1',
  pid: 1,
  url: 'http://m1.example.org',
  version: '0.1.0',
  schemas: { min: 1, max: 1 },
};
const server = usePostgres();

/** Lets a database refuse writes, or take them again, and ends the connections that began before. */
async function setReadOnly({ address, query }: TestCluster, value: 'on' | 'off'): Promise<void> {
  const { database } = address as ClusterAddress & { database: string };
  await query('SET default_transaction_read_only = off');
  await query(
    `BEGIN READ WRITE; ALTER DATABASE ${database} SET default_transaction_read_only = ${value}; COMMIT`,
  );
  await query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

test('a node that cannot report itself keeps no connection of its tries', { skip }, async () => {
  const cluster = await createCluster(server);
  const reporter = new NodeReporter(cluster.address, facts, () => 1);
  await setReadOnly(cluster, 'on');
  const connections =
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  const seen = new Set<number>();
  let mostAtOnce = 0;
  while (seen.size < 6) {
    const rows = await cluster.query<{ pid: number }>(connections);
    for (const { pid } of rows) seen.add(pid);
    mostAtOnce = Math.max(mostAtOnce, rows.length);
    await pause(5);
  }
  await reporter.stop();
  assert.ok(mostAtOnce <= 3, `${mostAtOnce} connections at once after ${seen.size} tries`);
});

test('readiness and `doctor` say that accounts cannot be written', { skip }, async () => {
  const cluster = await createCluster(server);
  const access = await cluster.open();
  const becomes = async (expected: boolean) => {
    while ((await access.isReachable()) !== expected) await pause(50);
  };
  await becomes(true);
  await setReadOnly(cluster, 'on');
  await becomes(false);
  const env = { CRATEBASE_CLUSTER: clusterUrl(cluster.address) };
  const { stdout } = await run(['doctor'], { cwd: folder(), env });
  assert.match(stdout, /FAILED +cluster: PostgreSQL is read-only/);
  await setReadOnly(cluster, 'off');
  await becomes(true);
  await access.closed();
});
