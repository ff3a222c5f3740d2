/** Changes of a catalogue that a cluster serves: one at a time, whole or not at all, on all nodes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type OpenCatalogueNode, openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { changeCatalogue } from '../../src/cluster/publication/change-catalogue.ts';
import { holdLease, LeaseTaken } from '../../src/cluster/publication/held-lease.ts';
import { LeaseLost, publishFirst } from '../../src/cluster/publication/publish.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';
import { catalogueFile, changeEvents } from '../support/publication.ts';

const place = temporaryFolder();
let cluster: TestCluster;
let one: OpenCatalogueNode;
let two: OpenCatalogueNode;
const problems: unknown[] = [];

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    const source = join(place.path, 'source.db');
    copyFileSync(await catalogueFile(), source);
    const open = (name: string) => {
      mkdirSync(join(place.path, name));
      const onProblem = (problem: unknown) => problems.push(problem);
      return openCatalogueNode({ address: cluster.address, folder: join(place.path, name), onProblem });
    };
    one = await open('one');
    await holdLease(one.database, one.node, (lease) => publishFirst({ ...one, lease }, source));
    two = await open('two');
    for (const node of [one, two]) node.follower.start();
  },
  async () => {
    await one?.close();
    await two?.close();
    place.remove();
  },
);

const leaseOf = async () => (await cluster.query<{ holder: string | null }>('SELECT holder FROM leases'))[0];

test('a change is the head when it is done, and other nodes have it ready', { skip }, async () => {
  const steps: string[] = [];
  const { result, published } = await changeCatalogue(
    one,
    async (path) => {
      assert.equal((await leaseOf())?.holder, one.node);
      await assert.rejects(
        changeCatalogue(two, () => assert.fail('two changes at a time')),
        LeaseTaken,
      );
      await changeEvents(path, 1, 40);
      return 'changed';
    },
    { onStep: (step) => steps.push(step) },
  );
  assert.equal(result, 'changed');
  assert.equal(published?.number, 2);
  assert.deepEqual(steps, ['head', 'change', 'publish', 'activate']);
  assert.equal(one.slots.serving?.publication, 2);
  assert.equal((await leaseOf())?.holder, null);
  // The other node waits for the lease and changes what the first published.
  const { published: next } = await changeCatalogue(two, (path) => changeEvents(path, 2, 40), {
    waitMs: 5_000,
  });
  assert.equal(next?.number, 3);
  await one.follower.step();
  assert.equal(one.slots.serving?.root, two.slots.serving?.root);
  assert.deepEqual(problems, []);
});

test('a change that fails, or loses its lease, changes nothing', { skip }, async () => {
  const before = (await one.database.readHead()).headRoot;
  const failing = changeCatalogue(one, async (path) => {
    await changeEvents(path, 3, 40);
    throw new Error('full');
  });
  await assert.rejects(failing, /full/);
  const paused = changeCatalogue(one, async (path) => {
    await changeEvents(path, 3, 40);
    await cluster.query('UPDATE leases SET until_ts = 0');
    assert.notEqual(await two.database.acquireLease(two.node), null);
  });
  await assert.rejects(paused, LeaseLost);
  await cluster.query('UPDATE leases SET until_ts = 0');
  // Work in another process ends with the reason of the signal: the lease is renewed every ten seconds.
  const stopped = changeCatalogue(one, async (_, signal) => {
    await cluster.query('UPDATE leases SET until_ts = 0');
    assert.notEqual(await two.database.acquireLease(two.node), null);
    await once(signal, 'abort');
    throw signal.reason;
  });
  await assert.rejects(stopped, LeaseLost);
  await cluster.query('UPDATE leases SET until_ts = 0');
  assert.equal((await one.database.readHead()).headRoot, before);
  const { published } = await changeCatalogue(one, (path) => changeEvents(path, 4, 40));
  assert.equal(published?.number, 4);
});

test('a publication that a killed node left is activated by the next change', { skip }, async () => {
  await cluster.query(`INSERT INTO publications SELECT number + 1, parent + 1, revision, schema_version, page_size,
    page_count, root, '[]', 0, NULL, NULL, NULL, term, now_ms() FROM publications WHERE number = 4`);
  await cluster.query('UPDATE publication_head SET next = 5, next_ms = now_ms()');
  const { published } = await changeCatalogue(two, (path) => changeEvents(path, 5, 40));
  assert.equal(published?.number, 6);
});
