/** Leases: one node has one at a time, and a node whose lease is over cannot write, however late it comes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from '../../src/cluster/connection.ts';
import {
  acquireLease,
  isLeaseOver,
  type Lease,
  releaseLease,
  renewLease,
  requireLease,
} from '../../src/cluster/lease.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

let cluster: TestCluster;
const open: pg.Client[] = [];
const start = Date.parse('2026-11-23T12:00:00Z');
const leaseMs = 60_000;

const server = usePostgres(undefined, async () => {
  await Promise.all(open.map((client) => client.end()));
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(cluster.address));
  await client.connect();
  open.push(client);
  return client;
}

/** Two nodes of a cluster whose clock stands still. */
async function prepare(): Promise<[pg.Client, pg.Client]> {
  cluster = await createCluster(server);
  await cluster.setClock(start);
  return [await connect(), await connect()];
}

test('a node whose leader died takes the lease when it has run out, with a higher term', {
  skip,
}, async () => {
  const [one, two] = await prepare();
  assert.deepEqual(await acquireLease(one, 'catalogue', 'one'), { name: 'catalogue', node: 'one', term: 1 });
  assert.equal(await acquireLease(two, 'catalogue', 'two'), null);
  await cluster.setClock(start + leaseMs - 1);
  assert.equal(await acquireLease(two, 'catalogue', 'two'), null);
  await cluster.setClock(start + leaseMs);
  assert.equal((await acquireLease(two, 'catalogue', 'two'))?.term, 2);
  assert.equal((await acquireLease(one, 'another', 'one'))?.term, 1);
});

test('a renewed lease goes on; one that ran out cannot be renewed even if no other node took it', {
  skip,
}, async () => {
  const [one, two] = await prepare();
  const lease = (await acquireLease(one, 'catalogue', 'one')) as Lease;
  await cluster.setClock(start + leaseMs - 1);
  assert.equal(await renewLease(one, lease), true);
  await cluster.setClock(start + leaseMs + 1);
  assert.equal(await acquireLease(two, 'catalogue', 'two'), null);
  await cluster.setClock(start + 3 * leaseMs);
  assert.equal(await renewLease(one, lease), false);
  assert.equal((await acquireLease(one, 'catalogue', 'one'))?.term, 2);
});

test('a leader that paused and comes back late is refused, also under its own name', { skip }, async () => {
  const [one, two] = await prepare();
  const paused = (await acquireLease(one, 'catalogue', 'one')) as Lease;
  await requireLease(one, paused);
  await cluster.setClock(start + leaseMs);
  await assert.rejects(requireLease(one, paused), isLeaseOver);
  const next = (await acquireLease(two, 'catalogue', 'two')) as Lease;
  await assert.rejects(requireLease(one, paused), isLeaseOver);
  assert.equal(await renewLease(one, paused), false);
  // An old holder cannot end the lease of the new one.
  await releaseLease(one, paused);
  await requireLease(two, next);
  await releaseLease(two, next);
  const again = (await acquireLease(one, 'catalogue', 'one')) as Lease;
  assert.equal(again.term, 3);
  await assert.rejects(requireLease(one, paused), isLeaseOver);
  await requireLease(one, again);
});

test('while a write under a lease is open, no other node takes the lease', { skip }, async () => {
  const [one, two] = await prepare();
  const lease = (await acquireLease(one, 'catalogue', 'one')) as Lease;
  await one.query('BEGIN');
  await requireLease(one, lease);
  await cluster.setClock(start + 2 * leaseMs);
  let hasTaken = false;
  const taking = acquireLease(two, 'catalogue', 'two').then((taken) => {
    hasTaken = true;
    return taken;
  });
  await pause(200);
  assert.equal(hasTaken, false);
  await one.query('COMMIT');
  assert.equal((await taking)?.term, 2);
});

test('of many nodes that ask at once, one gets the lease', { skip }, async () => {
  await prepare();
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  const taken = await Promise.all(
    clients.map((client, index) => acquireLease(client, 'catalogue', `node ${index}`)),
  );
  assert.equal(taken.filter((lease) => lease !== null).length, 1);
});
