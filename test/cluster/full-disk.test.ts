/** The disk of a node is full: publications do not wait for it, it says why, and it goes on when there is room. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenCatalogueNode, openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { changeCatalogue } from '../../src/cluster/publication/change-catalogue.ts';
import { run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';
import { catalogueFile, changeEvents, publishCatalogue } from '../support/publication.ts';
import { serve } from '../support/serve-process.ts';

const waitMs = 20_000;
const place = mkdtempSync(join(tmpdir(), 'cratebase-disk-'));
const disk = join(place, 'disk');
const filler = join(disk, 'filler');
let isMounted = false;
let server: PostgresServer;
let cluster: TestCluster;
let env: Record<string, string>;
let editor: OpenCatalogueNode;

/** A disk with room for three copies of the catalogue. */
function mountDisk(bytes: number): boolean {
  try {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

before(async () => {
  if (skipWithoutPostgres) return;
  const file = await catalogueFile();
  isMounted = mountDisk(3 * statSync(file).size);
  if (!isMounted) return;
  server = new PostgresServer();
  await server.start();
  cluster = await createCluster(server);
  await publishCatalogue(cluster, file);
  const address = join(place, 'cluster');
  writeFileSync(address, `${clusterUrl(cluster.address, 'secret')}\n`, { mode: 0o600 });
  env = { CRATEBASE_CLUSTER_FILE: address };
  editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'editor') });
  editor.follower.start();
});
after(async () => {
  if (!isMounted) return;
  await editor.close();
  await server.remove();
  execFileSync('umount', ['-l', disk]);
  rmSync(place, { recursive: true, force: true });
});

function fillDisk(): void {
  const file = openSync(filler, 'w');
  for (const size of [65_536, 4_096])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (failure) {
      assert.equal((failure as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  closeSync(file);
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + waitMs; !(await check()); await pause(50))
    assert.ok(performance.now() < end, what);
}

const publish = (round: number) => changeCatalogue(editor, (path) => changeEvents(path, round, 40));

test('publications do not wait for a node whose disk is full', { skip: skipWithoutPostgres }, async (t) => {
  if (!isMounted) return t.skip('needs a disk of its own (root)');
  const options = { cwd: place, env };
  const node = await serve('--no-sync --data disk/node', options);
  t.after(() => node.stop());
  const readyz = async () => (await fetch(`${node.url}/readyz`)).status;
  assert.equal(await readyz(), 200);
  fillDisk();
  const since = performance.now();
  const { published } = await publish(1);
  const took = performance.now() - since;
  assert.equal(published?.number, 2);
  assert.ok(took < 30_000, `${took} ms`);
  await until('the node is not ready', async () => (await readyz()) === 503);
  assert.match(
    await (await fetch(`${node.url}/readyz`)).text(),
    /cannot take what is published|serves publication 1/,
  );
  assert.equal((await fetch(`${node.url}/`)).status, 200);
  const doctor = await run(['doctor', '--data', 'disk/node', '--json'], options);
  assert.match(doctor.stdout, /cannot open the current publication: The disk of .*disk.node is full/);
  const status = await run(['cluster', 'status'], options);
  assert.match(status.stdout, /live, behind, failing/);
  // It tried several times by now.
  await pause(4_000);
  const lines = node.log().filter(({ message }) => /cannot be followed/.test(String(message)));
  assert.equal(lines.length, 1, JSON.stringify(lines));
  assert.match(String(lines[0]?.error), /^The disk of .* is full.*Make room/);
  assert.equal(lines[0]?.stack, undefined);
  rmSync(filler);
  await until('the node is ready again', async () => (await readyz()) === 200);
  const rows = await cluster.query("SELECT serving, problem FROM nodes WHERE url <> ''");
  assert.deepEqual(rows, [{ serving: 2, problem: null }]);
  assert.equal((await publish(2)).published?.number, 3);
});
