/** The copies of a running node are deleted or replaced: it serves on, fetches them again, and loses no change. */
import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenCatalogueNode, openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { changeCatalogue } from '../../src/cluster/publication/change-catalogue.ts';
import type { Slot } from '../../src/cluster/publication/slots.ts';
import { folder } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, changeEvents, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const waitMs = 20_000;
const place = folder();
let cluster: TestCluster;
let node: Served;
let editor: OpenCatalogueNode;

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    await publishCatalogue(cluster, await catalogueFile());
    const file = writeClusterFile(place, cluster.address);
    const env = { CRATEBASE_CLUSTER_FILE: file };
    node = await serve('--no-sync --workers 2 --data node', { cwd: place, env });
    editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'editor') });
    await editor.follower.step();
  },
  async () => {
    await editor?.close();
    await node?.stop();
  },
);

const pathOf = (name: string) => join(place, 'node', name);
const digestOf = (path: string): string | null =>
  statSync(path, { throwIfNoEntry: false }) === undefined ? null : hash('sha256', readFileSync(path));
const servingPath = (): string => {
  const { serving } = JSON.parse(readFileSync(pathOf('slot.json'), 'utf8')) as { serving: string };
  return pathOf(`${serving}.db`);
};
const editorDigest = () => digestOf((editor.slots.serving as Slot).path);
const serves = () => digestOf(servingPath()) === editorDigest();

async function until(what: string, check: () => unknown): Promise<void> {
  for (const end = performance.now() + waitMs; !(await check()); await pause(50))
    assert.ok(performance.now() < end, `${what}\n${JSON.stringify(node.log(), null, 1)}`);
}

let round = 0;
const publish = () => {
  round += 1;
  return changeCatalogue(editor, (path) => changeEvents(path, round, 40), { waitMs });
};

const other = join(place, 'other');
const losses: Record<string, (path: string) => void> = {
  deleted: (path) => rmSync(path, { force: true }),
  'replaced by random bytes': (path) => {
    rmSync(path, { force: true });
    writeFileSync(path, randomBytes(100_000));
  },
  'replaced by an older copy': (path) => {
    copyFileSync(join(place, 'older'), `${path}.new`);
    rmSync(path, { force: true });
    copyFileSync(`${path}.new`, path);
  },
  'replaced by a link to another file': (path) => {
    rmSync(path, { force: true });
    linkSync(other, path);
  },
};

for (const [loss, lose] of Object.entries(losses)) {
  test(`slots that are ${loss} under a running node are fetched again`, { skip }, async () => {
    writeFileSync(other, 'a file of somebody');
    copyFileSync(servingPath(), join(place, 'older'));
    await publish();
    await until('the node is at the head', serves);
    for (const name of ['a.db', 'b.db']) lose(pathOf(name));
    await until('it serves a whole file', serves);
    assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
    // Each reason is logged once a minute.
    const texts = node.log().map(({ error }) => String(error));
    assert.ok(
      texts.some((text) => /was deleted or replaced while the node runs/.test(text)),
      texts.join('\n'),
    );
    // Both files are written by the next two publications.
    for (let count = 0; count < 2; count++) {
      await publish();
      await until('the node is at the head', serves);
    }
    assert.equal(readFileSync(other, 'utf8'), 'a file of somebody');
  });
}

for (const [loss, lose] of Object.entries(losses)) {
  test(`slots that are ${loss} are copied again while PostgreSQL is away`, { skip }, async () => {
    writeFileSync(other, 'a file of somebody');
    await publish();
    await until('the node is at the head', serves);
    const whole = editorDigest();
    await server.crash();
    try {
      for (const name of ['a.db', 'b.db']) lose(pathOf(name));
      assert.equal((await fetch(`${node.url}/`)).status, 200);
      await until('it serves a whole file', () => digestOf(servingPath()) === whole);
      assert.equal((await fetch(`${node.url}/`)).status, 200);
    } finally {
      await server.start();
    }
    await publish();
    await until('the node is at the head', serves);
  });
}

test('a node whose folder is deleted makes it again', { skip }, async () => {
  // The node may write a file there meanwhile.
  rmSync(join(place, 'node'), { recursive: true, force: true, maxRetries: 10 });
  await until('it serves a whole file', () => existsSync(pathOf('slot.json')) && serves());
  await publish();
  await until('the node is at the head', serves);
  assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
  assert.equal((await fetch(`${node.url}/`)).status, 200);
});

test('a slot that is lost while it is changed loses no change in silence', { skip }, async () => {
  const { headRoot } = await editor.database.readHead();
  for (const lose of Object.values(losses)) {
    round += 1;
    const change = changeCatalogue(editor, async (path) => {
      await changeEvents(path, round, 40);
      lose(path);
    });
    await assert.rejects(change);
    assert.equal((await editor.database.readHead()).headRoot, headRoot);
  }
  const before = changeCatalogue(editor, async (path) => {
    losses['replaced by an older copy']?.(path);
    await changeEvents(path, round, 40);
  });
  await assert.rejects(before, /was deleted or replaced while it was written/);
  await publish();
  assert.notEqual((await editor.database.readHead()).headRoot, headRoot);
  await until('the node is at the head', serves);
});

test('a prepared publication that is lost is prepared again', { skip }, async () => {
  // A node that lives and does not prepare what is next.
  await cluster.query("SELECT report_publication('node_stuck', 1, 1, 0, NULL)");
  await cluster.query("UPDATE nodes SET seen_ts = now_ms() + 600000 WHERE id = 'node_stuck'");
  const publishing = publish();
  const prepared = async () => {
    const [row] = await cluster.query<{ ready: boolean }>(
      'SELECT prepared = next AS ready FROM nodes, publication_head WHERE url <> $1 AND next IS NOT NULL',
      [''],
    );
    return row?.ready === true;
  };
  await until('it is prepared', prepared);
  const spare = servingPath() === pathOf('a.db') ? pathOf('b.db') : pathOf('a.db');
  const whole = digestOf(spare);
  rmSync(spare);
  await until('the file is there again', () => digestOf(spare) === whole);
  await until('it is prepared again', prepared);
  await cluster.query("DELETE FROM nodes WHERE id = 'node_stuck'");
  await publishing;
  await until('the node is at the head', serves);
  assert.equal(digestOf(servingPath()), whole);
});
