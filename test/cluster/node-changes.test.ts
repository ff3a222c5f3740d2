/** What nodes change: due sources are read by one of them, the console works on each, and both serve the result. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'cheerio';
import { Person } from '../support/account-pages.ts';
import { folder, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const email = 'ada@example.com';
const place = folder();
const feed = join(place, 'club.ndjson');
let cluster: TestCluster;
let env: Record<string, string>;
const nodes: Served[] = [];
let operator: Person;

const cli = async (words: string[], more: Record<string, string> = {}) => {
  const { status, stdout, stderr } = await run([...words, '--json'], { cwd: place, env: more });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, never>;
};
const nightsOf = (names: string[]) =>
  names
    .map((name, at) => ({
      kind: 'event',
      external_id: `night-${at}`,
      name,
      start_at: '2027-12-03T23:00',
      venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const server = usePostgres(
  async () => {
    cluster = await createCluster(server);
    const data = ['--data', 'first.db'];
    writeFileSync(feed, nightsOf(['First Night']));
    await cli(['import', feed, '--source', 'seed', ...data]);
    await cli(['sources', 'add', 'club', '--type', 'feed', '--url', feed, ...data]);
    await publishCatalogue(cluster, join(place, 'first.db'));
    const file = writeClusterFile(place, cluster.address);
    env = { CRATEBASE_CLUSTER_FILE: file, CRATEBASE_METRICS_TOKEN: 'token' };
    writeFileSync(feed, nightsOf(['First Night', 'Second Night']));
    for (const [name, options] of [
      ['one', '--workers 2'],
      ['two', ''],
    ])
      nodes.push(await serve(`--data ${name} ${options}`, { cwd: place, env }));
    await cli(['accounts', 'create', email], env);
  },
  async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  },
);

const pageOf = async (index: number, path: string) =>
  (await fetch(`${(nodes[index] as Served).url}${path}`)).text();
const waitFor = async (index: number, path: string, pattern: RegExp) => {
  for (let left = 300; !pattern.test(await pageOf(index, path)); left--) {
    assert.ok(left > 0, `node ${index} does not show ${pattern}`);
    await pause(100);
  }
};

test('due sources are read by one node, and both serve what they say', { skip }, async () => {
  for (const index of [0, 1]) await waitFor(index, '/events?city=berlin', /Second Night/);
  const readers = nodes.filter((node) => node.log().some(({ message }) => message === 'a source was read'));
  assert.equal(readers.length, 1);
  const leases = await cluster.query<{ name: string; term: number }>('SELECT name, term FROM leases');
  assert.equal(leases[0]?.name, 'catalogue');
});

test('the console of each node changes the catalogue, and reads it', { skip }, async () => {
  for (const [index, node] of nodes.entries()) {
    const person = new Person(node);
    const name = `operator-${index}@example.com`;
    await person.signUp(name);
    await cli(['accounts', 'set-role', name, 'operator'], env);
    operator = person;
    const title = `Music of node ${index}`;
    const saved = await operator.fill(
      '/admin/settings',
      { 'identity-name': title },
      '/admin/settings/identity',
    );
    assert.equal(saved.status, 303, saved.text);
    for (const at of [0, 1]) await waitFor(at, '/', new RegExp(title));
    const [slug] = /second-night[\w-]*/.exec(await pageOf(index, '/events?city=berlin')) ?? [];
    const $ = load((await operator.open(`/admin/records/event~${slug}`)).text);
    const form = $('form.grid');
    const fields = Object.fromEntries(form.serializeArray().map(({ name: field, value }) => [field, value]));
    const text = { 'field.description': `Edited on node ${index}.` };
    const edited = await operator.post(form.attr('action') ?? '', { ...fields, ...text });
    assert.equal(edited.status, 303, edited.text);
    for (const at of [0, 1]) await waitFor(at, `/events/${slug}`, new RegExp(`Edited on node ${index}`));
    for (const path of ['/admin', '/admin/sources', '/admin/review', '/admin/audit', '/admin/settings'])
      await operator.open(path);
  }
});

test('nothing but publications writes to a slot', { skip }, async () => {
  const paths = nodes.map((_, index) => join(place, index === 0 ? 'one' : 'two'));
  const states = paths.map(
    (path) => JSON.parse(readFileSync(join(path, 'slot.json'), 'utf8')) as { serving: 'a' | 'b' },
  );
  const files = paths.map((path, index) => readFileSync(join(path, `${states[index]?.serving}.db`)));
  assert.ok(files[0]?.equals(files[1] as Buffer));
  const errors = nodes.flatMap((node) => node.log().filter(({ level }) => level === 'error'));
  assert.deepEqual(errors, []);
});
