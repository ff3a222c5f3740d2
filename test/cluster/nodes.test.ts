/** Two `serve --cluster` that serve one published catalogue: changes reach both, walks over both are whole. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { type OpenCatalogueNode, openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { changeCatalogue } from '../../src/cluster/publication/change-catalogue.ts';
import { folder, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { clusterUrl, writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, changeEvents, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const email = 'ada@example.com';
let cluster: TestCluster;
const place = folder();
let env: Record<string, string>;
const nodes: Served[] = [];
let editor: OpenCatalogueNode;
let key: string;

const start = (name: string, options = '') =>
  serve(`--no-sync --data ${name} ${options}`, { cwd: place, env });
const cli = async (...args: string[]) => {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd: place, env });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, never>;
};

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    await publishCatalogue(cluster, await catalogueFile());
    const file = writeClusterFile(place, cluster.address);
    env = { CRATEBASE_CLUSTER_FILE: file, CRATEBASE_METRICS_TOKEN: 'token' };
    nodes.push(await start('one'), await start('two', '--workers 2'));
    await cli('accounts', 'create', email);
    await cli('accounts', 'set-plan', email, 'pro');
    await cli('accounts', 'set-limits', email, '--month', '1000000', '--window', '100000');
    ({ key } = (await cli('keys', 'create', email, '--name', 'one')) as unknown as { key: string });
    editor = await openCatalogueNode({ address: cluster.address, folder: join(place, 'editor') });
    editor.follower.start();
  },
  async () => {
    await editor?.close();
    await Promise.all(nodes.map((node) => node.stop()));
  },
);

const node = (index: number) => nodes[index % nodes.length] as Served;
type Answer = { data: { slug: string }[]; page: { next_cursor: string | null } };
const call = (index: number, path: string) =>
  fetch(`${node(index).url}${path}`, { headers: { authorization: `Bearer ${key}` } });
const servedBy = async (index: number) => {
  const response = await fetch(`${node(index).url}/metrics`, { headers: { authorization: 'Bearer token' } });
  const [, number] = /^cratebase_cluster_serving_publication (\d+)$/m.exec(await response.text()) ?? [];
  return Number(number);
};
/** Reads one column from the slot that a node serves. */
function readSlot(name: string, sql: string): string[] {
  const { serving } = JSON.parse(readFileSync(join(place, name, 'slot.json'), 'utf8')) as { serving: string };
  const sqlite = new Database(join(place, name, `${serving}.db`), { readonly: true });
  try {
    return sqlite.prepare<[], string>(sql).pluck().all();
  } finally {
    sqlite.close();
  }
}
const publish = (round: number, count = 40) =>
  changeCatalogue(editor, (path) => changeEvents(path, round, count), { waitMs: 20_000 });
const waitFor = async (index: number, number: number) => {
  for (let left = 100; (await servedBy(index)) !== number; left--) {
    assert.ok(left > 0, `node ${index} serves ${await servedBy(index)}`);
    await pause(100);
  }
};

test('what is published is served by all nodes', { skip }, async () => {
  for (const index of [0, 1]) {
    assert.equal((await fetch(`${node(index).url}/readyz`)).status, 200);
    assert.equal(await servedBy(index), 1);
    assert.equal((await call(index, '/api/v1/events?limit=3')).status, 200);
    assert.equal((await fetch(`${node(index).url}/`)).status, 200);
  }
  await publish(1);
  for (const index of [0, 1]) await waitFor(index, 2);
  const [slug] = readSlot('one', "SELECT slug FROM events WHERE description LIKE 'Changed in round 1,%'");
  const paths = [
    `/api/v1/events/${slug}`,
    '/api/v1/events?limit=100',
    '/api/v1/stats',
    `/api/v1/search?q=${slug}`,
  ];
  for (const path of paths) {
    const answers = await Promise.all([0, 1, 1, 1].map((index) => call(index, path)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    if (path === paths[0]) assert.match(texts[0] as string, /Changed in round 1/);
    // Responses name the address of the node, unless all have one --base-url.
    for (const text of texts) assert.equal(text.replaceAll(node(1).url, node(0).url), texts[0]);
  }
});

test('a walk over both nodes while publications go out has every event once', { skip }, async () => {
  const all = async (step: (page: number) => number) => {
    const slugs: string[] = [];
    for (let cursor: string | null = '', page = 0; cursor !== null; page++) {
      const answer = await call(
        step(page),
        `/api/v1/events?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      if (answer.status === 503) {
        assert.equal(answer.headers.get('retry-after'), '1');
        page -= 1;
        continue;
      }
      assert.equal(answer.status, 200);
      const { data, page: next } = (await answer.json()) as Answer;
      slugs.push(...data.map(({ slug }) => slug));
      cursor = next.next_cursor;
    }
    return slugs;
  };
  const whole = await all(() => 0);
  let isPublishing = true;
  const publishing = (async () => {
    for (let round = 2; round < 6; round++) await publish(round);
    isPublishing = false;
  })();
  let walks = 0;
  for (; isPublishing; walks++) {
    const slugs = await all((page) => page);
    assert.equal(new Set(slugs).size, slugs.length);
    assert.deepEqual(slugs.toSorted(), whole.toSorted());
  }
  await publishing;
  assert.ok(walks > 0);
});

test('a cursor of a later publication waits until the node has it, at most two seconds', {
  skip,
}, async () => {
  const first = (await (await call(0, '/api/v1/events?limit=5')).json()) as Answer;
  const forge = (revision: number) => {
    const bytes = Buffer.from(first.page.next_cursor as string, 'base64url');
    const [, ...sortKey] = JSON.parse(bytes.subarray(16).toString()) as unknown[];
    const payload = Buffer.from(JSON.stringify([revision, ...sortKey]));
    return Buffer.concat([bytes.subarray(0, 16), payload]).toString('base64url');
  };
  const [revision] = readSlot('one', 'SELECT revision FROM catalogue').map(Number) as [number];
  const since = performance.now();
  const late = await call(0, `/api/v1/events?limit=5&cursor=${forge(revision + 50)}`);
  const took = performance.now() - since;
  assert.equal(late.status, 503);
  assert.equal(late.headers.get('retry-after'), '1');
  assert.match(await late.text(), /unavailable/);
  assert.ok(took > 1_900 && took < 2_900, `${took} ms`);
  // The next publication has this revision: the cursor is read then, and found to be forged.
  const waiting = [0, 1].map((index) => call(index, `/api/v1/events?limit=5&cursor=${forge(revision + 1)}`));
  const publishing = publish(20, 1);
  const early = await Promise.race([...waiting, pause(50).then(() => 'waits')]);
  assert.equal(early, 'waits');
  await publishing;
  for (const answer of await Promise.all(waiting)) assert.ok([400, 503].includes(answer.status));
  const ahead = await call(1, `/changes?since=${revision + 50}`);
  assert.equal(ahead.status, 503);
});

test('a response that is read slowly while publications go out is whole', { skip }, async () => {
  const response = await call(0, '/changes?since=0');
  assert.equal(response.status, 200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const parts = [(await reader.read()).value as Uint8Array];
  const number = await servedBy(0);
  await publish(30);
  await waitFor(0, number + 1);
  // The next one is written over the slot that the response reads, once it has been handed over.
  const next = publish(31);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    if (parts.length % 20 === 0) await pause(5);
  }
  const lines = Buffer.concat(parts).toString().trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) as string) as { change: string };
  assert.equal(last.change, 'end');
  assert.ok(lines.length > 1_000, `${lines.length} lines`);
  await next;
  await waitFor(0, number + 2);
});

test('a node that was killed serves what it served, and follows again', { skip }, async () => {
  const number = await servedBy(0);
  await node(0).stop('SIGKILL');
  await publish(21);
  nodes[0] = await start('one');
  await waitFor(0, number + 1);
  assert.equal((await fetch(`${node(0).url}/readyz`)).status, 200);
  assert.equal((await call(0, '/api/v1/events?limit=3')).status, 200);
});

test('without PostgreSQL, pages go on and authenticated requests get 503; both are back within a second', {
  skip,
}, async () => {
  await server.crash();
  for (const index of [0, 1]) {
    const since = performance.now();
    const refused = await call(index, '/api/v1/events');
    const took = performance.now() - since;
    assert.equal(refused.status, 503);
    assert.ok(took < 2_100, `${took} ms`);
    for (const path of ['/', '/events', '/openapi.json', '/docs'])
      assert.equal((await fetch(`${node(index).url}${path}`)).status, 200, path);
    const ready = await fetch(`${node(index).url}/readyz`);
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ok', accounts: 'away' }]);
  }
  await server.start();
  const since = performance.now();
  const isBack = async (index: number) => {
    while ((await call(index, '/api/v1/events')).status !== 200) await pause(20);
    return performance.now() - since;
  };
  for (const took of await Promise.all([0, 1].map(isBack))) assert.ok(took < 1_000, `${took} ms`);
  const number = await servedBy(0);
  await publish(22);
  for (const index of [0, 1]) await waitFor(index, number + 1);
});

test('a node that cannot get the active publication is not ready until it serves it', { skip }, async () => {
  const number = await servedBy(0);
  const lost = JSON.stringify([{ sha256: '0'.repeat(64), bytes: 1, firstPage: 0, pages: 1 }]);
  await cluster.query(
    `INSERT INTO publications (number, parent, revision, schema_version, page_size, page_count, root, objects,
       object_bytes, term, published_ms)
     SELECT number + 1, number, revision + 1, schema_version, page_size, page_count, 'lost', $1, 1, term, now_ms()
     FROM publications WHERE number = $2`,
    [lost, number],
  );
  const readiness = (index: number) => fetch(`${node(index).url}/readyz`);
  const becomes = async (index: number, status: number) => {
    for (let left = 100; (await readiness(index)).status !== status; left--) {
      assert.ok(left > 0, `node ${index} does not answer ${status}`);
      await pause(100);
    }
  };
  await cluster.query('UPDATE publication_head SET head = head + 1');
  for (const index of [0, 1]) {
    await becomes(index, 503);
    // The second, once it has been behind for some seconds.
    const reason = new RegExp(
      `cannot take what is published|serves publication ${number}, and the cluster ${number + 1}`,
    );
    assert.match(await (await readiness(index)).text(), reason);
    // It serves what it has.
    assert.equal((await call(index, '/api/v1/events?limit=3')).status, 200);
  }
  await cluster.query('UPDATE publication_head SET head = head - 1');
  await cluster.query('DELETE FROM publications WHERE number = $1', [number + 1]);
  for (const index of [0, 1]) await becomes(index, 200);
});

test('nodes end with SIGTERM, also while PostgreSQL does not answer', { skip }, async () => {
  assert.equal(await node(1).stop(), 0);
  await server.crash();
  const since = performance.now();
  assert.equal(await node(0).stop(), 0);
  const took = performance.now() - since;
  assert.ok(took < 8_000, `${took} ms`);
  await server.start();
});

test('a catalogue of an older schema is upgraded and published by the first node', {
  skip,
}, async () => {
  const old = await createCluster(server);
  const path = join(place, 'old.db');
  const sqlite = new Database(path);
  sqlite.exec(readFileSync(join(import.meta.dirname, '../support/schema-v9.sql'), 'utf8'));
  sqlite.pragma(`application_id = ${0x63726174}`);
  sqlite.pragma('user_version = 9');
  sqlite.close();
  await publishCatalogue(old, path);
  const file = join(place, 'old-cluster');
  writeFileSync(file, `${clusterUrl(old.address, 'secret')}\n`, { mode: 0o600 });
  const options = { cwd: place, env: { CRATEBASE_CLUSTER_FILE: file } };
  const upgraded = await serve('--no-sync --data new', options);
  assert.equal((await fetch(`${upgraded.url}/readyz`)).status, 200);
  type Publication = { number: number; schema_version: number };
  let publication: Publication | undefined;
  for (let left = 100; left > 0 && publication?.number !== 2; left--) {
    await pause(100);
    [publication] = await old.query<Publication>(
      'SELECT number, schema_version FROM publications ORDER BY number DESC',
    );
  }
  assert.equal(publication?.number, 2);
  assert.ok((publication?.schema_version ?? 0) > 9);
  assert.equal(await upgraded.stop(), 0);
});
