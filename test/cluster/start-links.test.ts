/** The links of the first operator that nodes print: each works on every node until one was used. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hiddenFields, Person, password } from '../support/account-pages.ts';
import { folder, run } from '../support/cli-run.ts';
import { createCluster } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { catalogueFile, publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const place = folder();
const server = usePostgres();

/** Starts nodes on an empty cluster. */
async function startNodes(prefix: string, names: readonly string[]): Promise<Served[]> {
  const cluster = await createCluster(server);
  const source = join(place, `${prefix}.db`);
  copyFileSync(await catalogueFile(), source);
  await publishCatalogue(cluster, source);
  const file = join(place, `${prefix}-cluster`);
  writeFileSync(file, `${clusterUrl(cluster.address, 'secret')}\n`, { mode: 0o600 });
  const env = { CRATEBASE_CLUSTER_FILE: file };
  const nodes: Served[] = [];
  for (const name of names)
    nodes.push(await serve(`--no-sync --data ${prefix}-${name}`, { cwd: place, env }));
  return nodes;
}

const pathOf = ({ operatorLink }: Served): string => {
  assert.ok(operatorLink, 'the node printed no link');
  const { pathname, search } = new URL(operatorLink);
  return pathname + search;
};
const statusOf = async (node: Served, path: string) => (await new Person(node).send(path)).status;

test('the link of one node works on another, once, and a later start does not end it', {
  skip,
}, async (t) => {
  const nodes = await startNodes('once', ['one', 'two']);
  const [one, two] = nodes as [Served, Served];
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const [first, second] = [pathOf(one), pathOf(two)];
  assert.notEqual(first, second);
  for (const node of nodes) for (const path of [first, second]) assert.equal(await statusOf(node, path), 303);
  // Behind a load balancer, each request may go to another node.
  const person = new Person(two);
  assert.equal((await person.send(first)).status, 303);
  const through = Object.assign(new Person(one), { cookies: person.cookies });
  const created = await through.fill('/admin/start', { email: 'ada@example.com', password });
  assert.equal(created.status, 303, created.text);
  assert.equal(created.headers.location, '/admin/welcome');
  for (const node of nodes) for (const path of [first, second]) assert.equal(await statusOf(node, path), 410);
  const env = { CRATEBASE_CLUSTER_FILE: join(place, 'once-cluster') };
  const third = await serve('--no-sync --data once-three', { cwd: place, env });
  nodes.push(third);
  assert.equal(third.operatorLink, null);
});

test('of two people with a link each, who send the form at the same time, one becomes the operator', {
  skip,
}, async (t) => {
  const nodes = await startNodes('race', ['one', 'two']);
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const people = await Promise.all(
    nodes.map(async (node) => {
      const person = new Person(node);
      await person.send(pathOf(node));
      return person;
    }),
  );
  // Both have the form before either sends it: afterwards the page is gone.
  const forms = await Promise.all(people.map((person) => person.open('/admin/start')));
  const answers = await Promise.all(
    people.map((person, index) =>
      person.post('/admin/start', {
        ...hiddenFields(forms[index]?.text ?? '', '/admin/start'),
        email: `person-${index}@example.com`,
        password,
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 303).length, 1, String(statuses));
  assert.ok(
    statuses.every((status) => status < 500),
    String(statuses),
  );
  const env = { CRATEBASE_CLUSTER_FILE: join(place, 'race-cluster') };
  const { stdout } = await run(['accounts', 'list', '--json'], { cwd: place, env });
  const { data } = JSON.parse(stdout) as { data: { email: string; role: string }[] };
  assert.equal(data.filter(({ role }) => role === 'operator').length, 1, stdout);
});
