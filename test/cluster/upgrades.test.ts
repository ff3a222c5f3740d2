/** Nodes of a new version beside one of the version before: they serve upgraded copies until all can read the new schema. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { PublicationDatabase } from '../../src/cluster/publication/database.ts';
import { requireNewNodes } from '../../src/cluster/publication/upgraded-copies.ts';
import { openDatabase, schemaVersion } from '../../src/store/database.ts';
import { environment, folder, program, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { OldNode, writeOldCatalogue } from '../support/old-catalogue.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const email = 'ada@example.com';
const place = folder();
const oldFile = join(place, 'old.db');
let cluster: TestCluster;
let env: Record<string, string>;
let old: OldNode;
const nodes: Served[] = [];

const start = async (name: string, options = ''): Promise<Served> => {
  const node = await serve(`--no-sync --data ${name} ${options}`, { cwd: place, env });
  nodes.push(node);
  return node;
};
async function createKey(args: string[], variables: Record<string, string>): Promise<string> {
  const cli = async (...words: string[]) => {
    const { status, stdout, stderr } = await run([...words, ...args, '--json'], {
      cwd: place,
      env: variables,
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { key: string };
  };
  await cli('accounts', 'create', email);
  await cli('accounts', 'set-limits', email, '--month', '1000000', '--window', '100000');
  return (await cli('keys', 'create', email, '--name', 'one')).key;
}
const servedBy = async ({ url }: Served): Promise<number> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer token' } });
  return Number(/^cratebase_cluster_serving_publication (\d+)$/m.exec(await response.text())?.[1]);
};
const waitFor = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  for (let left = 300; !(await isSo()); left--) {
    assert.ok(left > 0, what);
    await pause(100);
  }
};
const waitForPublication = (node: Served, number: number) =>
  waitFor(`publication ${number} is not served`, async () => (await servedBy(node)) === number);
const readyz = async ({ url }: Served): Promise<number> => (await fetch(`${url}/readyz`)).status;
type Head = { number: number; schema: number };
const head = async (): Promise<Head> => {
  const [row] = await cluster.query<Head>(
    'SELECT number::int, schema_version AS schema FROM publications, publication_head WHERE number = head',
  );
  return row as Head;
};
const slotFiles = (name: string): string[] =>
  readdirSync(join(place, name)).filter((file) => /\.db$/.test(file));
const servingSlot = (name: string): string => {
  const { serving } = JSON.parse(readFileSync(join(place, name, 'slot.json'), 'utf8')) as { serving: string };
  return join(place, name, `${serving}.db`);
};
function query<T>(path: string, sql: string): T[] {
  const sqlite = new Database(path, { readonly: true });
  try {
    return sqlite.prepare<[], T>(sql).pluck().all();
  } finally {
    sqlite.close();
  }
}
const queued = (path: string): number[] => query(path, 'SELECT record_id FROM stale_records ORDER BY 1');

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    writeOldCatalogue(await catalogueFile(), oldFile);
    await publishCatalogue(cluster, oldFile);
    const file = writeClusterFile(place, cluster.address);
    env = { CRATEBASE_CLUSTER_FILE: file, CRATEBASE_METRICS_TOKEN: 'token' };
    old = await OldNode.start(cluster, join(place, 'old'));
  },
  async () => {
    await old?.leave();
    await Promise.all(nodes.filter(({ child }) => child.exitCode === null).map((node) => node.stop()));
  },
);

let first: Served;
let key: string;

test('a node serves an upgraded copy of a catalogue of an older schema', { skip }, async () => {
  first = await start('first', '--workers 2');
  key = await createKey([], env);
  assert.equal(await readyz(first), 200);
  assert.deepEqual(await head(), { number: 1, schema: 9 });
  assert.deepEqual(slotFiles('first'), ['a.db', 'b.db', 'upgraded-a.db']);
  // The slot has the bytes that were published: the root was verified.
  assert.deepEqual(query(join(place, 'first/a.db'), 'PRAGMA user_version'), [9]);
  const single = join(place, 'single.db');
  copyFileSync(oldFile, single);
  openDatabase(single, { create: false, keepBackup: false }).close();
  const upgraded = join(place, 'first/upgraded-a.db');
  assert.equal(queued(upgraded).length, 1);
  assert.deepEqual(queued(upgraded), queued(single));
  const alone = await serve('--no-sync --data single.db', { cwd: place });
  nodes.push(alone);
  const keyOfAlone = await createKey(['--data', 'single.db'], {});
  const ask = async ({ url }: Served, credential: string, path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${credential}` } });
    assert.equal(answer.status, 200, path);
    // Cursors are signed with the secret of the service.
    return (await answer.text()).replaceAll(url, '').replace(/"next_cursor":"[^"]*"/, '');
  };
  const [slug] = query<string>(single, 'SELECT slug FROM events ORDER BY id DESC LIMIT 1');
  for (const path of [
    '/api/v1/events?limit=100',
    '/api/v1/artists?limit=100',
    `/api/v1/events/${slug}`,
    '/api/v1/search?q=techno',
    '/api/v1/stats',
  ])
    assert.equal(await ask(first, key, path), await ask(alone, keyOfAlone, path), path);
  await alone.stop();
});

test('what an old node publishes arrives, and the new node changes nothing', { skip }, async () => {
  await old.publish(1);
  await waitForPublication(first, 2);
  assert.equal(await readyz(first), 200);
  const changed = "SELECT slug FROM events WHERE description LIKE 'Changed in round 1,%' LIMIT 1";
  const [slug] = query<string>(servingSlot('first'), changed);
  const answer = await fetch(`${first.url}/api/v1/events/${slug}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.match(await answer.text(), /Changed in round 1/);
  // The copy of the former publication is removed.
  await waitFor('the former copy is there', () => !existsSync(join(place, 'first/upgraded-a.db')));
  assert.deepEqual(slotFiles('first'), ['a.db', 'b.db', 'upgraded-b.db']);
  await pause(5_000);
  assert.deepEqual(await head(), { number: 2, schema: 9 });
});

test('a program of the new schema does not publish while an old node lives', { skip }, async () => {
  const database = new PublicationDatabase(cluster.address);
  await assert.rejects(requireNewNodes(database, 'node_new'), /Nodes of an older version run.*Update them/);
  await database.close();
  writeFileSync(join(place, 'night.ndjson'), '{"type":"artist","name":"Ann"}\n');
  const words = ['import', 'night.ndjson', '--source', 'club', '--data', 'commands'];
  const { status, stderr } = await run(words, { cwd: place, env });
  assert.equal(status, 1);
  assert.match(stderr, /Nodes of an older version run, which cannot read schema 10/);
  assert.deepEqual(await head(), { number: 2, schema: 9 });
});

test('a node killed in the middle of the upgrade makes its copy again', { skip }, async () => {
  const copy = join(place, 'killed/upgraded-a.db');
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--no-sync', '--data', 'killed'], {
    cwd: place,
    env: environment(env),
    stdio: 'ignore',
  });
  const died = new Promise<unknown>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  while (!existsSync(`${copy}-wal`)) await pause(1);
  child.kill('SIGKILL');
  assert.equal(await died, 'SIGKILL');
  assert.ok(existsSync(copy));
  // What is left may be anything.
  writeFileSync(copy, 'half a file');
  const node = await start('killed');
  assert.equal(await readyz(node), 200);
  assert.deepEqual(query(copy, 'PRAGMA user_version'), [schemaVersion]);
  assert.deepEqual(query(copy, 'PRAGMA quick_check'), ['ok']);
  await node.stop();
});

const disk = join(place, 'disk');
function mountDisk(megabytes: number, option = ''): boolean {
  try {
    mkdirSync(disk, { recursive: true });
    const options = `${option}size=${megabytes}m`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

test('a node whose disk is full says so and serves what it has', { skip }, async (t) => {
  const megabytes = readFileSync(oldFile).length / 2 ** 20;
  if (!mountDisk(Math.ceil(megabytes * 3.5))) return t.skip('needs a disk of its own (root)');
  try {
    const node = await start('disk');
    await old.publish(2);
    await waitForPublication(node, 2);
    await waitFor('the node says that it is behind', async () => (await readyz(node)) === 503);
    assert.equal(await servedBy(node), 2);
    assert.equal((await fetch(`${node.url}/events`)).status, 200);
    await waitForPublication(first, 3);
    assert.equal(await readyz(first), 200);
    const said = node.log().map((line) => JSON.stringify(line));
    assert.ok(
      said.some((line) => /No copy of schema 10 could be made.*disk of .* is full/.test(line)),
      said.join('\n'),
    );
    mountDisk(Math.ceil(megabytes * 10), 'remount,');
    await waitForPublication(node, 3);
    // The problem is over when all work after the change is done.
    await waitFor('the node is ready', async () => (await readyz(node)) === 200);
    await node.stop();
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('the new node publishes the new schema when the old one has gone, and others take it', {
  skip,
}, async () => {
  const copy = join(place, `first/upgraded-${servingSlot('first').slice(-4)}`);
  const before = queued(copy);
  await old.leave();
  await waitForPublication(first, 4);
  assert.deepEqual(await head(), { number: 4, schema: schemaVersion });
  assert.deepEqual(queued(servingSlot('first')), before);
  await waitFor('a copy is left', () => slotFiles('first').length === 2);
  const second = await start('second');
  assert.equal(await servedBy(second), 4);
  assert.deepEqual(slotFiles('second'), ['a.db', 'b.db']);
  assert.ok(readFileSync(servingSlot('second')).equals(readFileSync(servingSlot('first'))));
});
