/** PostgreSQL crashes, is away and comes back: nothing admitted is forgotten, nothing is counted twice, callers get 503. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Access, Credential } from '../../src/access/access.ts';
import { openClusterAccess } from '../../src/cluster/cluster-access.ts';
import { connectionOptions } from '../../src/cluster/connection.ts';
import { Problem } from '../../src/contract/errors.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { PostgresServer, skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

const server = usePostgres();

async function addKey(access: Access, quota: number): Promise<Credential> {
  const { id: account } = await access.accounts.create({ email: 'a@example.com' });
  await access.accounts.setLimits('a@example.com', { window: 1_000_000, quota });
  const { id } = await access.keys.create('a@example.com', 'one');
  return { id, account, scope: 'all' };
}

const isAway = (failure: unknown) => failure instanceof Problem && failure.type === 'unavailable';

async function countsOf(cluster: TestCluster): Promise<{ month: number; days: number }> {
  const [sums] = await cluster.query<{ month: number; days: number }>(
    'SELECT (SELECT sum(used) FROM usage_months) AS month, (SELECT sum(used) FROM usage_days) AS days',
  );
  return sums as { month: number; days: number };
}

test('after two crashes under load, what was admitted is counted, and no batch is counted twice', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const nodes = await Promise.all([cluster.open(), cluster.open()]);
  const credential = await addKey(nodes[0] as Access, 1_000_000);
  let isOver = false;
  let admitted = 0;
  let away = 0;
  const callers = nodes.flatMap((node) =>
    Array.from({ length: 16 }, async () => {
      while (!isOver) {
        try {
          const { outcome } = await node.admit(credential, 1, 'rest');
          assert.equal(outcome, 'admitted');
          admitted += 1;
        } catch (failure) {
          assert.ok(isAway(failure), String(failure));
          away += 1;
          await pause(5);
        }
      }
    }),
  );
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const before = admitted;
    while (admitted < before + 300) await pause(10);
    await server.crash(signal);
    await server.start();
    const restarted = admitted;
    while (admitted < restarted + 300) await pause(10);
  }
  isOver = true;
  await Promise.all(callers);
  const { month, days } = await countsOf(cluster);
  assert.equal(month, days);
  // A request that was answered 503 may have been counted: its batch was committed, and the server stayed away.
  assert.ok(
    month >= admitted && month <= admitted + away,
    `${admitted} admitted, ${month} counted, ${away} refused`,
  );
  await Promise.all(nodes.map((node) => node.closed()));
});

test('batches whose answers are lost are sent again, and counted once', { skip }, async () => {
  const cluster = await createCluster(server);
  const proxy = new CuttableProxy(cluster.address);
  await proxy.listen();
  const node = await openClusterAccess(proxy.address);
  const credential = await addKey(node, 1_000_000);
  let isOver = false;
  let admitted = 0;
  let away = 0;
  const callers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await node.admit(credential, 1, 'rest').then(
        () => {
          admitted += 1;
        },
        () => {
          away += 1;
        },
      );
    }
  });
  for (let round = 0; round < 5; round += 1) {
    const before = admitted;
    while (admitted < before + 100) await pause(10);
    proxy.freeze();
    await pause(150);
    proxy.cut();
  }
  isOver = true;
  await Promise.all(callers);
  const { month } = await countsOf(cluster);
  assert.ok(
    month >= admitted && month <= admitted + away,
    `${admitted} admitted, ${month} counted, ${away} refused`,
  );
  if (away === 0) assert.equal(month, admitted);
  await node.closed();
  await proxy.close();
});

test('after a failover to a synchronous standby, what was admitted is counted', { skip }, async (t) => {
  const primary = new PostgresServer();
  t.after(() => primary.remove());
  await primary.start();
  const cluster = await createCluster(primary);
  const standby = new PostgresServer(primary);
  t.after(() => standby.remove());
  await standby.start();
  await primary.requireStandby();
  const proxy = new CuttableProxy(cluster.address);
  await proxy.listen();
  const nodes = await Promise.all([openClusterAccess(proxy.address), openClusterAccess(proxy.address)]);
  const quota = 3_000;
  const credential = await addKey(nodes[0] as Access, quota);
  let admitted = 0;
  let away = 0;
  let isUsedUp = false;
  const callers = nodes.flatMap((node) =>
    Array.from({ length: 16 }, async () => {
      while (!isUsedUp) {
        try {
          const { outcome } = await node.admit(credential, 1, 'rest');
          if (outcome === 'admitted') admitted += 1;
          else isUsedUp = true;
        } catch (failure) {
          assert.ok(isAway(failure), String(failure));
          away += 1;
          await pause(20);
        }
      }
    }),
  );
  while (admitted < 500) await pause(5);
  await primary.crash('SIGKILL');
  await standby.promote();
  proxy.redirect(standby.addressOf(cluster.address));
  await Promise.all(callers);
  const client = new pg.Client(connectionOptions(standby.addressOf(cluster.address)));
  await client.connect();
  const { rows } = await client.query<{ used: number }>('SELECT used FROM usage_months');
  await client.end();
  assert.equal(rows[0]?.used, quota);
  assert.ok(admitted <= quota && admitted >= quota - away, `${admitted} admitted, ${away} refused`);
  await Promise.all(nodes.map((node) => node.closed()));
  await proxy.close();
});

test('commits that wait for a standby that is not there keep no connections, and count again later', {
  skip,
}, async (t) => {
  const primary = new PostgresServer();
  t.after(() => primary.remove());
  await primary.start();
  const cluster = await createCluster(primary);
  const node = await cluster.open();
  const credential = await addKey(node, 1_000);
  await node.admit(credential, 1, 'rest');
  await primary.nameStandby('*');
  const waiting = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([
      assert.rejects(node.admit(credential, 1, 'rest'), isAway),
      assert.rejects(node.admit(credential, 1, 'rest'), isAway),
      assert.rejects(node.keys.create('a@example.com', `key ${round}`), isAway),
    ]);
  }
  const until = performance.now() + 30_000;
  while ((await cluster.query<{ n: number }>(waiting))[0]?.n !== 0) {
    assert.ok(performance.now() < until, 'connections still wait for a standby');
    await pause(50);
  }
  await primary.nameStandby('');
  for (;;) {
    const verdict = await node.admit(credential, 1, 'rest').catch((failure: unknown) => {
      assert.ok(isAway(failure), String(failure));
      return null;
    });
    if (verdict?.outcome === 'admitted') break;
    await pause(50);
  }
  await node.closed();
});

test('a batch that is committed here alone is answered only when a standby has it', { skip }, async (t) => {
  const primary = new PostgresServer();
  t.after(() => primary.remove());
  await primary.start();
  const cluster = await createCluster(primary);
  const node = await cluster.open();
  const { id, account } = await addKey(node, 1_000);
  await primary.nameStandby('*');
  const send = async () => {
    const client = new pg.Client(connectionOptions(cluster.address));
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const text = `SELECT admit('lane', 1, $1, $2, '{1}', '{1}', '{1}', '{rest}', '{free}', '{60}', '{1000}', 5)`;
    let isAnswered = false;
    const answer = client.query(text, [[account], [id]]).then(
      () => {
        isAnswered = true;
      },
      () => {},
    );
    return { client, pid: rows[0]?.pid, answer, isAnswered: () => isAnswered };
  };
  const state = async (pid: number | undefined) =>
    (
      await cluster.query<{ wait_event: string | null }>(
        'SELECT wait_event FROM pg_stat_activity WHERE pid = $1',
        [pid],
      )
    )[0]?.wait_event;
  const first = await send();
  while ((await state(first.pid)) !== 'SyncRep') await pause(20);
  // The server commits it here when its connection is ended.
  await cluster.query('SELECT pg_terminate_backend($1)', [first.pid]);
  await first.answer;
  const second = await send();
  while ((await state(second.pid)) !== 'SyncRep') await pause(20);
  assert.equal(second.isAnswered(), false);
  await primary.nameStandby('');
  await second.answer;
  assert.equal(second.isAnswered(), true);
  assert.equal((await countsOf(cluster)).month, 1);
  await second.client.end();
  await node.closed();
});

test('what comes after closing is refused at once, and what is under way is counted', { skip }, async () => {
  const cluster = await createCluster(server);
  const node = await cluster.open();
  const credential = await addKey(node, 100);
  const underWay = node.admit(credential, 1, 'rest');
  await new Promise((resolve) => setImmediate(resolve));
  const closed = node.closed();
  await assert.rejects(node.admit(credential, 1, 'rest'), /shutting down/);
  await assert.rejects(node.accounts.list(), /shutting down/);
  assert.equal((await underWay).outcome, 'admitted');
  await closed;
  node.close();
});

test('a server that says nothing is given up after two seconds, and nothing waits longer', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const proxy = new CuttableProxy(cluster.address);
  await proxy.listen();
  const node = await openClusterAccess(proxy.address);
  const credential = await addKey(node, 100);
  await node.admit(credential, 1, 'rest');
  proxy.freeze();
  await Promise.all([
    assert.rejects(node.admit(credential, 1, 'rest'), isAway),
    assert.rejects(node.admit(credential, 1, 'rest'), isAway),
    assert.rejects(node.accounts.list(), isAway),
    assert.rejects(node.keys.create('a@example.com', 'two'), isAway),
  ]);
  proxy.cut();
  assert.equal((await node.accounts.list()).length, 1);
  await node.closed();

  // New connections, which hear nothing either, and batches behind those under way.
  const late = await openClusterAccess(proxy.address);
  proxy.freeze();
  const started = performance.now();
  await assert.rejects(late.admit(credential, 1, 'rest'), isAway);
  const first = performance.now() - started;
  const waits: Promise<void>[] = [];
  for (let batch = 0; batch < 6; batch += 1) {
    waits.push(assert.rejects(late.admit(credential, 1, 'rest'), isAway));
    await pause(20);
  }
  await Promise.all(waits);
  // The wait for a connection counts: three batches in a row on each of two connections would take three times as long.
  const all = performance.now() - started - first;
  assert.ok(all < 2 * first, `${Math.round(all)} ms, one batch ${Math.round(first)} ms`);
  proxy.cut();
  await late.closed();
  await proxy.close();
});

test('while PostgreSQL is away, requests and changes get 503, and are answered when it is back', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const node = await cluster.open();
  const credential = await addKey(node, 100);
  await node.admit(credential, 1, 'rest');
  await server.crash();
  await assert.rejects(node.admit(credential, 1, 'rest'), isAway);
  await assert.rejects(node.admit(credential, 1, 'rest'), isAway);
  await assert.rejects(node.keys.create('a@example.com', 'two'), isAway);
  await server.start();
  for (;;) {
    try {
      const result = await node.admit(credential, 1, 'rest');
      assert.equal(result.outcome, 'admitted');
      break;
    } catch (failure) {
      assert.ok(isAway(failure));
      await pause(50);
    }
  }
  await node.keys.create('a@example.com', 'three');
  const keys = (await node.keys.list('a@example.com')).map(({ name }) => name);
  assert.deepEqual(keys, ['one', 'three']);
  await node.closed();
});

test('of changes that exclude each other, one is made: the last operator stays', { skip }, async () => {
  const cluster = await createCluster(server);
  const nodes = await Promise.all([cluster.open(), cluster.open()]);
  const [one, other] = nodes as [Access, Access];
  for (let round = 0; round < 5; round += 1) {
    const emails = [`a${round}@example.com`, `b${round}@example.com`] as const;
    for (const email of emails) await one.accounts.create({ email, role: 'operator' });
    const results = await Promise.allSettled([
      one.accounts.setRole(emails[0], 'user', 'terminal:test'),
      other.accounts.setRole(emails[1], 'user', 'terminal:test'),
    ]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    for (const email of emails) await one.accounts.delete(email, 'terminal:test', { force: true });
  }
  const attempts = Array.from({ length: 20 }, (_, number) =>
    (nodes[number % 2] as Access).accounts.create({ email: 'same@example.com' }).then(
      () => 'made',
      (failure: Error) => failure.message.slice(0, 16),
    ),
  );
  const made = await Promise.all(attempts);
  assert.equal(made.filter((result) => result === 'made').length, 1);
  assert.equal(made.filter((result) => result === 'There is an acco').length, 19);
  await Promise.all(nodes.map((node) => node.closed()));
});
