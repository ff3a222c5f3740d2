/** A node starts with a damaged folder, and while a publication is held up: it fetches what it needs, and serves the head. */
import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { publishChanges } from '../../src/cluster/publication/publish.ts';
import { folder } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, changeEvents, publishCatalogue, seizeLease } from '../support/publication.ts';
import { serve } from '../support/serve-process.ts';

const waitMs = 20_000;
const place = folder();
const note = join(place, 'node', 'slot.json');
let cluster: TestCluster;
let env: Record<string, string>;
let published: string;

const server = usePostgres(async () => {
  cluster = await createCluster(server);
  await publishCatalogue(cluster, await catalogueFile());
  const file = writeClusterFile(place, cluster.address);
  env = { CRATEBASE_CLUSTER_FILE: file };
  const node = await start('node');
  published = digest();
  await node.stop();
});

const start = (name: string) => serve(`--no-sync --data ${name}`, { cwd: place, env });
const servingPath = (): string => {
  const { serving } = JSON.parse(readFileSync(note, 'utf8')) as { serving: string };
  return join(place, 'node', `${serving}.db`);
};
const digest = (): string => hash('sha256', readFileSync(servingPath()));

async function until(what: string, check: () => unknown): Promise<void> {
  for (const end = performance.now() + waitMs; !(await check()); await pause(50))
    assert.ok(performance.now() < end, what);
}

function overwrite(path: string, content: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, content, 0, content.length, 0);
  closeSync(file);
}

const faults: Record<string, () => void> = {
  'garbage in slot.json': () => writeFileSync(note, '{"serving":"a" garbage'),
  'slot.json with another content': () => writeFileSync(note, '{"serving":"c","a":7}'),
  'an empty slot.json': () => writeFileSync(note, ''),
  'random bytes at the beginning of the copy': () => overwrite(servingPath(), randomBytes(4096)),
  'an empty copy': () => truncateSync(servingPath(), 0),
  'a copy that was cut off': () => truncateSync(servingPath(), 10_000),
  'no copies': () => {
    for (const name of ['a.db', 'b.db']) rmSync(join(place, 'node', name));
  },
};

for (const [fault, damage] of Object.entries(faults)) {
  test(`a node starts with ${fault}, and serves what was published`, { skip }, async (t) => {
    damage();
    const node = await start('node');
    t.after(() => node.stop());
    assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
    assert.equal((await fetch(`${node.url}/`)).status, 200);
    assert.equal(digest(), published);
    const texts = node.log().map(({ error }) => String(error));
    assert.ok(
      texts.some((text) => /damaged.*fetched again/.test(text)),
      texts.join('\n'),
    );
    await node.stop();
  });
}

test('a damaged spare from an earlier process is not served', { skip }, async (t) => {
  const state = JSON.parse(readFileSync(note, 'utf8')) as Record<'a' | 'b', unknown> & { serving: 'a' | 'b' };
  // As if it had been killed between two writes: the head is in the spare, and an older one serves.
  const [serving, spare] = state.serving === 'a' ? (['a', 'b'] as const) : (['b', 'a'] as const);
  const older = { publication: 0, revision: 0, root: 'older' };
  writeFileSync(note, JSON.stringify({ ...state, [serving]: older, [spare]: state[serving] }));
  truncateSync(join(place, 'node', `${spare}.db`), 0);
  const node = await start('node');
  t.after(() => node.stop());
  assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
  assert.equal(digest(), published);
  await node.stop();
});

test('a node that starts while a publication is held up serves the head, and prepares what is next', {
  skip,
}, async (t) => {
  const editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'editor') });
  t.after(() => editor.close());
  await editor.follower.step();
  const lease = await seizeLease(cluster, editor.node);
  await publishChanges({ ...editor, lease }, (path) => changeEvents(path, 1, 40));
  // A node that lives and does not prepare it.
  await cluster.query("SELECT report_publication('node_stuck', 1, 1, 0, NULL)");
  await cluster.query("UPDATE nodes SET seen_ts = now_ms() + 600000 WHERE id = 'node_stuck'");
  await editor.follower.step();
  assert.equal(await editor.database.activate(lease), 1);
  const node = await start('fresh');
  t.after(() => node.stop());
  assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
  const rows = () =>
    cluster.query<{ serving: number; prepared: number }>(
      "SELECT serving, prepared FROM nodes WHERE url <> ''",
    );
  await until('it prepares 2', async () => (await rows())[0]?.prepared === 2);
  assert.deepEqual(await rows(), [{ serving: 1, prepared: 2 }]);
  await cluster.query("DELETE FROM nodes WHERE id = 'node_stuck'");
  await until('2 is active', async () => (await editor.database.activate(lease)) === 2);
  await until('it serves 2', async () => (await rows())[0]?.serving === 2);
  await node.stop();
});
