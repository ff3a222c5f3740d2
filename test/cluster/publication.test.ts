/** Publications of a real data file travel to other nodes: every file is equal byte for byte, whatever happened on the way. */
import assert from 'node:assert/strict';
import { copyFileSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Lease } from '../../src/cluster/publication/database.ts';
import { FolderObjects, type ObjectStore, PostgresObjects } from '../../src/cluster/publication/objects.ts';
import {
  LeaseLost,
  maintainPublications,
  publishBase,
  publishChanges,
  publishFirst,
  sweepObjects,
} from '../../src/cluster/publication/publish.ts';
import { type Slot, Slots } from '../../src/cluster/publication/slots.ts';
import { openDatabase } from '../../src/store/database.ts';
import { report } from '../faults/fault-table.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';
import { catalogueFile, changeEvents, seizeLease, TestNode } from '../support/publication.ts';

const testFile = 'test/cluster/publication.test.ts';
let file: string;

const server = usePostgres(async () => {
  file = await catalogueFile();
});

type Context = { after: (work: () => unknown) => void };

/** A cluster whose first publication is the catalogue of 5,000 events. */
async function startCluster(t: Context, useFolder = false) {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await createCluster(server);
  const stored = useFolder ? new FolderObjects(join(folder.path, 'objects')) : undefined;
  const open = async (name: string, objects: ObjectStore | undefined = stored) => {
    const node = await TestNode.open(cluster.address, join(folder.path, name), objects);
    t.after(() => node.close());
    return node;
  };
  const leader = await open('one');
  const lease = await seizeLease(cluster, 'one');
  const source = join(folder.path, 'source.db');
  copyFileSync(file, source);
  await publishFirst(leader.publisher(lease), source);
  await leader.follower.step();
  return { cluster, open, leader, lease, objectFolder: join(folder.path, 'objects') };
}

/** Changes and publishes events, and brings the nodes to the new head. */
async function publishTo(nodes: TestNode[], leader: TestNode, lease: Lease, round: number, count = 40) {
  const published = await publishChanges(leader.publisher(lease), (path) => changeEvents(path, round, count));
  assert.ok(published);
  for (const node of nodes) await node.follower.step();
  assert.equal(await leader.database.activate(lease), published.number);
  for (const node of nodes) await node.follower.step();
  return published;
}

function assertEqualFiles(nodes: TestNode[], number: number): void {
  const [first, ...others] = nodes.map((node) => {
    assert.equal(node.slots.serving?.publication, number);
    assert.ok(!node.follower.isBehind);
    return node.digest();
  });
  for (const other of others) assert.equal(other, first);
}

const countChanged = (node: TestNode, round: number): number => {
  const sqlite = openDatabase((node.slots.serving as Slot).path, { create: false, readOnly: true });
  try {
    const sql = 'SELECT count(*) FROM events WHERE description LIKE ?';
    return sqlite.prepare(sql).pluck().get(`Changed in round ${round}, %`) as number;
  } finally {
    sqlite.close();
  }
};

test('after 20 publications by two leaders, three nodes and a new one have equal files; one of them was away', {
  skip,
}, async (t) => {
  const { cluster, open, leader, lease: firstLease } = await startCluster(t);
  const [second, away] = [await open('two'), await open('three')];
  for (const node of [second, away]) await node.follower.step();
  assertEqualFiles([leader, second, away], 1);
  let [current, lease] = [leader, firstLease];
  for (let round = 1; round <= 20; round++) {
    if (round === 11) [current, lease] = [second, await seizeLease(cluster, 'two')];
    const isAway = round >= 6 && round <= 14;
    // A node that is not seen any more is not waited for.
    if (isAway) await cluster.query("UPDATE nodes SET seen_ts = 0 WHERE id LIKE '%three'");
    const present = isAway ? [leader, second] : [leader, second, away];
    const { number, bytes, pages } = await publishTo(present, current, lease, round);
    assert.equal(number, round + 1);
    assert.ok(pages > 40 && bytes < 3_000_000, `${pages} pages in ${bytes} bytes`);
    assertEqualFiles(present, number);
    assert.equal(countChanged(leader, round), 40);
  }
  assert.deepEqual(away.served, [1, 2, 3, 4, 5, 6, 15, 16, 17, 18, 19, 20, 21]);
  const fresh = await open('four');
  await fresh.follower.step();
  assertEqualFiles([leader, second, away, fresh], 21);
  assert.deepEqual(
    [leader, second, away, fresh].flatMap(({ problems }) => problems),
    [],
  );
  report({
    fault: 'node away for 9 of 20 publications; new node from nothing',
    tried: 1,
    outcome: 'both take the head; the files of four nodes are equal after each publication',
    test: testFile,
  });
});

test('a base in a folder serves new nodes; old publications and their objects are deleted', {
  skip,
}, async (t) => {
  const { cluster, open, leader, lease, objectFolder } = await startCluster(t, true);
  await publishTo([leader], leader, lease, 1);
  const before = readdirSync(objectFolder).length;
  await publishBase(leader.publisher(lease));
  assert.ok(readdirSync(objectFolder).length > before);
  await publishTo([leader], leader, lease, 2);
  // Three days pass.
  await cluster.query('UPDATE publications SET published_ms = published_ms - 3 * 86400000');
  await maintainPublications(leader.publisher(lease));
  const numbers = await cluster.query<{ number: number }>('SELECT number FROM publications ORDER BY number');
  assert.deepEqual(
    numbers.map(({ number }) => number),
    [2, 3],
  );
  // Objects of the deleted publications are kept for a day, for uploads under way.
  const orphans = await sweepObjects(leader.database, new FolderObjects(objectFolder));
  assert.ok(orphans.length > 0);
  await sweepObjects(leader.database, new FolderObjects(objectFolder), 0);
  assert.deepEqual(new Set(readdirSync(objectFolder)), await leader.database.readObjectNames());
  const fresh = await open('two');
  await fresh.follower.step();
  assertEqualFiles([leader, fresh], 3);
  // A differently encrypted or unencrypted object would show the texts of the catalogue.
  for (const name of readdirSync(objectFolder)) {
    assert.ok(statSync(join(objectFolder, name)).size <= (8 << 20) + 28);
  }
});

test('a base is due when differences are half as large, or a node needs one', { skip }, async (t) => {
  const { cluster, leader, lease } = await startCluster(t);
  assert.equal(await leader.database.isBaseDue(), false);
  await publishTo([leader], leader, lease, 1);
  assert.equal(await leader.database.isBaseDue(), false);
  await cluster.query(
    'UPDATE publications SET object_bytes = (SELECT max(base_bytes) FROM publications) WHERE number = 2',
  );
  assert.equal(await leader.database.isBaseDue(), true);
  await maintainPublications(leader.publisher(lease));
  assert.equal(await leader.database.isBaseDue(), false);
});

test('a damaged object is fetched again, then the node waits for a base', { skip }, async (t) => {
  const { cluster, open, leader, lease } = await startCluster(t);
  const node = await open('two');
  await node.follower.step();
  // The first answer for each object is wrong: a bit is turned over on the way.
  const whole = new PostgresObjects(node.database);
  const asked = new Set<string>();
  const flaky: ObjectStore = {
    put: () => Promise.reject(new Error('not used')),
    list: () => assert.fail('not used'),
    delete: () => Promise.reject(new Error('not used')),
    async get(name) {
      const content = await whole.get(name);
      assert.ok(content);
      if (!asked.has(name)) content[100] = (content[100] as number) ^ 1;
      asked.add(name);
      return content;
    },
  };
  const unlucky = await open('three', flaky);
  await unlucky.follower.step();
  assertEqualFiles([leader, node, unlucky], 1);
  assert.ok(asked.size > 0);
  const published = await publishChanges(leader.publisher(lease), (path) => changeEvents(path, 1, 40));
  assert.ok(published);
  await cluster.query(
    `UPDATE publication_objects SET content = set_byte(content, 50, 255 - get_byte(content, 50))
     WHERE name = (SELECT objects->0->>'sha256' FROM publications WHERE number = 2)`,
  );
  await assert.rejects(node.follower.step(), /cannot be fetched whole.*stores a whole copy/);
  assert.equal(node.slots.serving?.publication, 1);
  await cluster.query('UPDATE publication_head SET next_ms = next_ms - 60000');
  assert.equal(await leader.database.activate(lease), 2);
  await leader.follower.step();
  // It says so with its next report, and the leader publishes the whole file.
  await assert.rejects(node.follower.step(), /cannot be fetched whole.*stores a whole copy/);
  assert.ok(node.follower.isBehind);
  await maintainPublications(leader.publisher(lease));
  await node.follower.step();
  assertEqualFiles([leader, node], 2);
});

/** Overwrites pages of a file, as a failing disk does. */
function tear(path: string): void {
  const descriptor = openSync(path, 'r+');
  const { size } = statSync(path);
  for (let at = 1; at <= 5; at++)
    writeSync(descriptor, Buffer.alloc(4096, at), 0, 4096, 4096 * Math.floor((at * size) / 4096 / 6));
}

test('torn slots are repaired: the spare from the slot that serves, that one from a base', {
  skip,
}, async (t) => {
  const { open, leader, lease } = await startCluster(t);
  const node = await open('two');
  await node.follower.step();
  await publishTo([leader, node], leader, lease, 1);
  tear(node.slots.sparePath);
  await publishTo([leader, node], leader, lease, 2);
  assertEqualFiles([leader, node], 3);
  tear((node.slots.serving as Slot).path);
  assert.notEqual(node.digest(), leader.digest());
  assert.equal(await node.follower.verify(), false);
  assertEqualFiles([leader, node], 3);
  assert.equal(await node.follower.verify(), true);
  // A slot that was torn while it served is not the start of the next publication.
  tear((node.slots.serving as Slot).path);
  await publishTo([leader, node], leader, lease, 3);
  assertEqualFiles([leader, node], 4);
  // A leader does not publish from a torn slot.
  tear((leader.slots.serving as Slot).path);
  await assert.rejects(publishTo([leader], leader, lease, 4), /is damaged/);
  await leader.follower.verify();
  await publishTo([leader, node], leader, lease, 5);
  assertEqualFiles([leader, node], 5);
  report({
    fault: 'slots torn: spare, serving, that of the leader',
    tried: 4,
    outcome: 'repaired from the other slot or a base; a leader does not publish from it',
    test: testFile,
  });
});

test('a publication without a lease is refused, and its changes are dropped', { skip }, async (t) => {
  const { cluster, open, leader, lease } = await startCluster(t);
  const other = await open('two');
  await other.follower.step();
  let newLease: Lease | undefined;
  // The leader is paused after its upload. When it goes on, another node has the lease.
  const paused = leader.publisher(lease, async (step) => {
    if (step === 'uploaded') newLease = await seizeLease(cluster, 'two');
  });
  await assert.rejects(
    publishChanges(paused, (path) => changeEvents(path, 1, 40)),
    LeaseLost,
  );
  assert.ok(newLease);
  await assert.rejects(maintainPublications(leader.publisher(lease)), LeaseLost);
  await assert.rejects(publishBase(leader.publisher(lease)), LeaseLost);
  assert.equal(await leader.database.activate(lease), null);
  assert.deepEqual((await other.database.readHead()).next, null);
  await publishTo([leader, other], other, newLease, 2);
  assertEqualFiles([leader, other], 2);
  assert.deepEqual([countChanged(leader, 1), countChanged(leader, 2)], [0, 40]);
  report({
    fault: 'leader paused after its upload, back after its lease',
    tried: 1,
    outcome: 'its publication, base and activation are refused; its changes are in no file',
    test: testFile,
  });
});

test('the next publication becomes the head when all live nodes have it, or after a minute', {
  skip,
}, async (t) => {
  const { cluster, open, leader, lease } = await startCluster(t);
  const node = await open('two');
  await node.follower.step();
  await publishChanges(leader.publisher(lease), (path) => changeEvents(path, 1, 40));
  await leader.follower.step();
  // Both are live, however long the import took on this machine.
  await cluster.query('UPDATE nodes SET seen_ts = now_ms()');
  await cluster.query('UPDATE publication_head SET next_ms = now_ms()');
  assert.equal(await leader.database.activate(lease), 1);
  await assert.rejects(
    publishChanges(leader.publisher(lease), () => assert.fail('nothing may be changed now')),
    /not active on all nodes yet/,
  );
  await cluster.query('UPDATE publication_head SET next_ms = next_ms - 60000');
  assert.equal(await leader.database.activate(lease), 2);
  assert.equal(node.slots.serving?.publication, 1);
  await node.follower.step();
  await leader.follower.step();
  assertEqualFiles([leader, node], 2);
});

test('a change that changes no page publishes nothing; a smaller file is published', { skip }, async (t) => {
  const { open, leader, lease } = await startCluster(t);
  const node = await open('two');
  await node.follower.step();
  assert.equal(await publishChanges(leader.publisher(lease), async () => {}), null);
  const { size } = statSync((leader.slots.serving as Slot).path);
  const published = await publishChanges(leader.publisher(lease), async (path) => {
    const sqlite = openDatabase(path, { create: false });
    sqlite.exec('DROP TABLE name_search; VACUUM');
    sqlite.close();
  });
  assert.ok(published);
  await node.follower.step();
  await leader.follower.step();
  assert.equal(await leader.database.activate(lease), 2);
  // The program cannot open a file without its tables, which is not what is tested here.
  await assert.rejects(node.follower.step());
  assert.equal(node.slots.serving?.publication, 1);
  assert.ok((node.slots.spare as Slot).publication === 2);
  assert.ok(statSync((node.slots.spare as Slot).path).size < size);
});

test('a slot folder is used by one process', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const slots = Slots.open(folder.path);
  assert.throws(() => Slots.open(folder.path), /Another process uses the folder/);
  await slots.close();
  await Slots.open(folder.path).close();
});
