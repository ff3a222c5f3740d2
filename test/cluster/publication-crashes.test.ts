/** Nodes are killed at each step of a publication: the head stays whole, and all nodes end with equal files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishChanges, publishFirst } from '../../src/cluster/publication/publish.ts';
import { report } from '../faults/fault-table.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';
import { catalogueFile, changeEvents, seizeLease, TestNode } from '../support/publication.ts';
import type { ChildInput } from '../support/publication-child.ts';

const file = 'test/cluster/publication-crashes.test.ts';
const child = fileURLToPath(new URL('../support/publication-child.ts', import.meta.url));

const server = usePostgres();

/** Runs a node until it kills itself. */
async function runUntilKilled(input: ChildInput): Promise<void> {
  const node = spawn(process.execPath, ['--import', 'tsx', child, JSON.stringify(input)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  node.stderr.on('data', (text) => {
    errors += text;
  });
  const signal = await new Promise((resolve) => node.once('exit', (_, by) => resolve(by)));
  assert.equal(signal, 'SIGKILL', errors);
}

/** A cluster at publication 1, with no node running. */
async function prepareCluster(path: string) {
  const cluster = await createCluster(server);
  const node = await TestNode.open(cluster.address, join(path, 'one'));
  const source = join(path, 'source.db');
  copyFileSync(await catalogueFile(), source);
  await publishFirst(node.publisher(await seizeLease(cluster, 'one')), source);
  await node.follower.step();
  await node.close();
  return cluster;
}

/** The publication that nodes prepare or serve after the leader was killed at this step. */
const survivors = { aligned: 1, changing: 1, changed: 1, stored: 1, uploaded: 1, published: 2, activated: 2 };

for (const [killAt, number] of Object.entries(survivors) as [keyof typeof survivors, number][]) {
  test(`a leader killed when it has ${killAt} leaves publication ${number}`, { skip }, async (t) => {
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const cluster = await prepareCluster(folder.path);
    const open = async (name: string) => {
      const node = await TestNode.open(cluster.address, join(folder.path, name));
      t.after(() => node.close());
      return node;
    };
    const other = await open('two');
    await other.follower.step();
    const lease = await seizeLease(cluster, 'one');
    const { address } = cluster;
    await runUntilKilled({ address, folder: join(folder.path, 'one'), lease, round: 1, killAt });
    const { head, next } = await other.database.readHead();
    assert.equal(next ?? head, number);

    // Another node takes the lease when it has run out, and the killed one starts again.
    const newLease = await seizeLease(cluster, 'two');
    const again = await open('one');
    const nodes = [other, again];
    const catchUp = async () => {
      for (const node of nodes) await node.follower.step();
      await other.database.activate(newLease);
      for (const node of nodes) await node.follower.step();
      const { head, next } = await other.database.readHead();
      assert.equal(next, null);
      for (const node of nodes) assert.equal(node.slots.serving?.publication, head);
      assert.equal(again.digest(), other.digest());
    };
    await catchUp();
    const published = await publishChanges(other.publisher(newLease), (path) => changeEvents(path, 2, 40));
    assert.equal(published?.number, number + 1);
    await catchUp();
    assert.deepEqual(
      nodes.flatMap(({ problems }) => problems),
      [],
    );
    report({
      fault: `leader killed when it has ${killAt}`,
      tried: 1,
      outcome: `publication ${number} is left; the next leader publishes ${number + 1}; the files are equal`,
      test: file,
    });
  });
}

test('a node killed while it writes its spare serves what it served, and repairs the spare', {
  skip,
}, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await prepareCluster(folder.path);
  const { address } = cluster;
  const lease = await seizeLease(cluster, 'one');
  const leader = await TestNode.open(address, join(folder.path, 'one'));
  t.after(() => leader.close());
  const follower = await TestNode.open(address, join(folder.path, 'two'));
  await follower.follower.step();
  await follower.close();
  await cluster.query('UPDATE nodes SET seen_ts = 0');
  // More changes than fit into two objects.
  for (const round of [1, 2, 3]) {
    await publishChanges(leader.publisher(lease), (path) => changeEvents(path, round, 200));
    await leader.follower.step();
    await leader.database.activate(lease);
    await leader.follower.step();
  }
  await runUntilKilled({ address, folder: join(folder.path, 'two'), lease, round: 0, killAt: 'following' });
  const again = await TestNode.open(address, join(folder.path, 'two'));
  t.after(() => again.close());
  assert.equal(again.slots.serving?.publication, 1);
  assert.equal(again.slots.spare, null);
  await again.follower.step();
  assert.equal(again.slots.serving?.publication, 4);
  assert.equal(again.digest(), leader.digest());
  assert.deepEqual(again.problems, []);
  report({
    fault: 'node killed while it writes its spare',
    tried: 1,
    outcome: 'serves what it served, then takes three publications at once; the files are equal',
    test: file,
  });
});
