/** Pages of the copy that a node serves are damaged: the node finds it, says so, and replaces the copy by itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openNode } from '../../src/app/cluster.ts';
import type { ClusterNode } from '../../src/app/cluster-node.ts';
import { startThread } from '../../src/assets.ts';
import { openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { changeCatalogue } from '../../src/cluster/publication/change-catalogue.ts';
import type { SlotCheckPace } from '../../src/cluster/publication/slot-check.ts';
import type { SlotCheckOptions, SlotCheckResult } from '../../src/cluster/publication/slot-check-thread.ts';
import { pagesOf } from '../support/bit-flips.ts';
import { folder } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, changeEvents, publishCatalogue } from '../support/publication.ts';
import { serve } from '../support/serve-process.ts';

const waitMs = 20_000;
const place = folder();
let cluster: TestCluster;
let env: Record<string, string>;

const server = usePostgres(async () => {
  cluster = await createCluster(server);
  await publishCatalogue(cluster, await catalogueFile());
  const file = writeClusterFile(place, cluster.address);
  env = { CRATEBASE_CLUSTER_FILE: file };
});

async function until(what: () => string, check: () => unknown): Promise<void> {
  for (const end = performance.now() + waitMs; !(await check()); await pause(50))
    assert.ok(performance.now() < end, what());
}

/** Changes one bit of the file. */
function flip(path: string, offset: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.of((readFileSync(path)[offset] as number) ^ 4);
  writeSync(file, byte, 0, 1, offset);
  closeSync(file);
}

/** Overwrites the pages of all tables but the schema. */
function overwrite(path: string): void {
  const file = openSync(path, 'r+');
  for (const { pageno, name } of pagesOf(path))
    if (name !== 'sqlite_schema') writeSync(file, Buffer.alloc(4096, 0xab), 0, 4096, (pageno - 1) * 4096);
  closeSync(file);
}

/** A node without a service. */
async function openAlone(name: string, checkPace: Partial<SlotCheckPace>) {
  const problems: string[] = [];
  const node = await openNode({
    address: cluster.address,
    folder: join(place, name),
    secret: Buffer.alloc(32),
    onProblem: (failure) => problems.push(String(failure)),
    checkPace,
  });
  node.start({ url: '', version: '1', schemas: { min: 1, max: 1 } });
  return { node, problems };
}

const serves = (node: ClusterNode, content: Buffer) => readFileSync(node.serving.path).equals(content);

test('a node finds one changed bit of its copy, and fetches a new one', { skip }, async (t) => {
  const { node, problems } = await openAlone('alone', { firstMs: 100, everyMs: 100, retryMs: 100 });
  t.after(() => node.close());
  await until(String, () => node.state().checkedTs !== null);
  assert.deepEqual(problems, []);
  for (let round = 0; round < 2; round++) {
    const { path } = node.serving;
    const whole = readFileSync(path);
    flip(path, Math.floor(whole.length * (0.3 + round / 2)));
    await until(
      () => problems.join('\n'),
      () => node.serving.path !== path,
    );
    assert.ok(serves(node, whole));
    assert.deepEqual(node.state().damage, []);
    assert.match(problems.splice(0).join('\n'), /^Error: The slot \S+ is damaged\. It is replaced by a copy/);
  }
  // It goes on with what is published next.
  const editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'editor') });
  t.after(() => editor.close());
  await editor.follower.step();
  await changeCatalogue(editor, (path) => changeEvents(path, 1, 40), { waitMs });
  await until(
    String,
    () => !node.state().isBehind && serves(node, readFileSync(editor.slots.serving?.path ?? '')),
  );
});

test('a node whose damaged copy cannot be replaced says so, and replaces it when another stores the objects again', {
  skip,
}, async (t) => {
  const { node, problems } = await openAlone('alone', { firstMs: 100, everyMs: 100, retryMs: 100 });
  t.after(() => node.close());
  await until(String, () => node.state().checkedTs !== null);
  const whole = readFileSync(node.serving.path);
  await (await serve('--data other', { cwd: place, env })).stop();
  await cluster.query('TRUNCATE publication_objects');
  flip(node.serving.path, 40_000);
  await until(
    () => problems.join('\n'),
    () => node.state().isFailing,
  );
  const { damage } = node.state();
  assert.equal(damage.length, 1);
  assert.match(damage[0] as string, /db is not what was published$/);
  const other = await serve('--data other', { cwd: place, env });
  t.after(() => other.stop());
  await until(
    () => problems.join('\n'),
    () => serves(node, whole),
  );
  await until(String, () => !node.state().isFailing);
  assert.deepEqual(node.state().damage, []);
});

test('a change begins with a new copy if the one of its folder is damaged', { skip }, async (t) => {
  const editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'changer') });
  t.after(() => editor.close());
  await editor.follower.step();
  const path = editor.slots.serving?.path ?? '';
  flip(path, 50_000);
  let count = 0;
  const { published } = await changeCatalogue(
    editor,
    (slot) => {
      count += 1;
      return changeEvents(slot, 7, 40);
    },
    { waitMs },
  );
  assert.equal(count, 1);
  assert.notEqual(published, null);
  assert.equal(await editor.follower.verify(), true);
});

test('a page that the disk cannot read is damage; a file that is not open is none', {
  skip: process.platform !== 'linux',
}, async () => {
  const check = async (file: number): Promise<SlotCheckResult> => {
    const options: SlotCheckOptions = { file, pauseFactor: 0 };
    const [result] = await once(startThread('cluster/publication/slot-check-thread', options), 'message');
    return result as SlotCheckResult;
  };
  // Its first bytes belong to nothing: to read them is an error of input and output.
  const unreadable = openSync('/proc/self/mem', 'r');
  assert.deepEqual(await check(unreadable), { root: '', error: null });
  closeSync(unreadable);
  const closed = await check(1_000_000);
  assert.equal(closed.root, null);
  assert.match(String(closed.error), /EBADF/);
});

for (const workers of [1, 2]) {
  test(`a request that meets damage has the copy checked at once (${workers} processes)`, {
    skip,
  }, async (t) => {
    const node = await serve(`--no-sync --workers ${workers} --data node${workers}`, { cwd: place, env });
    t.after(() => node.stop());
    const note = join(place, `node${workers}`, 'slot.json');
    const servingPath = () =>
      join(
        place,
        `node${workers}`,
        `${(JSON.parse(readFileSync(note, 'utf8')) as { serving: string }).serving}.db`,
      );
    const path = servingPath();
    const whole = readFileSync(path);
    await server.crash();
    try {
      overwrite(path);
      const meets = async () => (await fetch(`${node.url}/events?page=${Math.random()}`)).status === 503;
      await until(() => 'no request meets the damage', meets);
      const isReported = ({ message }: { message?: unknown }) =>
        message === 'the copy of the catalogue on this node is damaged';
      await until(
        () => JSON.stringify(node.log()),
        () => node.log().some(isReported),
      );
      const line = node.log().find(isReported);
      assert.equal(line?.level, 'error');
      if (workers === 1)
        assert.match(
          await (await fetch(`${node.url}/readyz`)).text(),
          /The copy of the catalogue on this node is damaged\. It is replaced by what is published\./,
        );
      assert.match(String(line?.error), /It is replaced by a copy from the published objects/);
    } finally {
      await server.start();
    }
    // Nothing else is published.
    await until(
      () => JSON.stringify(node.log()),
      () => servingPath() !== path,
    );
    assert.ok(readFileSync(servingPath()).equals(whole));
    for (let count = 0; count < 4; count++) {
      assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
      assert.equal((await fetch(`${node.url}/events`)).status, 200);
    }
  });
}
