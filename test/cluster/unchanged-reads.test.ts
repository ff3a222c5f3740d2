/** A source that says what it said before: nodes fetch the note of the run and no record, and do not read it again. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { folder, run } from '../support/cli-run.ts';
import { createCluster, type TestCluster } from '../support/cluster.ts';
import { writeClusterFile } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { publishCatalogue } from '../support/publication.ts';
import { type Served, serve } from '../support/serve-process.ts';

const events = 2_000;
const waitMs = 30_000;
const place = folder();
let cluster: TestCluster;
let env: Record<string, string>;
const nodes: Served[] = [];

const cli = async (args: string[], more: Record<string, string> = {}): Promise<string> => {
  const { status, stdout, stderr } = await run(args, { cwd: place, env: more });
  assert.equal(status, 0, stderr);
  return stdout;
};
const lineOf = (at: number) =>
  `${JSON.stringify({
    kind: 'event',
    external_id: `night-${at}`,
    name: `Night ${at}`,
    start_at: `2027-12-${String((at % 28) + 1).padStart(2, '0')}T23:00`,
    description: `The night with the number ${at}, of which the source says no more than this.`,
    venue: { name: `Hall ${at % 50}`, city: 'Berlin', country: 'DE' },
  })}\n`;

const server = usePostgres(
  async () => {
    const data = join(place, 'first.db');
    const feed = join(place, 'club.ndjson');
    writeFileSync(feed, Array.from({ length: events }, (_, at) => lineOf(at)).join(''));
    await cli(['sources', 'add', 'club', '--type', 'feed', '--url', feed, '--complete', '--data', data]);
    await cli(['sync', 'club', '--data', data]);
    const sqlite = new Database(data);
    sqlite.exec('UPDATE schedules SET next_ts = 1');
    sqlite.close();
    cluster = await createCluster(server);
    await publishCatalogue(cluster, data);
    const file = writeClusterFile(place, cluster.address);
    env = { CRATEBASE_CLUSTER_FILE: file };
    for (const name of ['one', 'two']) nodes.push(await serve(`--data ${name}`, { cwd: place, env }));
  },
  async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  },
);

/** When the source is read next, as the slot that a node serves says it. */
function nextRunOf(name: string): number {
  const { serving } = JSON.parse(readFileSync(join(place, name, 'slot.json'), 'utf8')) as { serving: string };
  const sqlite = new Database(join(place, name, `${serving}.db`), { readonly: true });
  try {
    return sqlite.prepare('SELECT next_ts FROM schedules').pluck().get() as number;
  } finally {
    sqlite.close();
  }
}

type Publication = { number: number; revision: number; pages: number; bytes: number; file_pages: number };
const publications = () =>
  cluster.query<Publication>(
    `SELECT number, revision, object_bytes AS bytes, page_count AS file_pages,
       (SELECT sum((o->>'pages')::int) FROM jsonb_array_elements(objects) o)::int AS pages
     FROM publications ORDER BY number`,
  );

test('an unchanged read publishes when the source is due next, and none of its records', {
  skip,
}, async () => {
  for (const end = performance.now() + waitMs; ; await pause(50)) {
    if (['one', 'two'].every((name) => nextRunOf(name) > Date.now())) break;
    assert.ok(performance.now() < end, 'both nodes know the next run');
  }
  const [first, second, ...more] = await publications();
  assert.deepEqual(more, []);
  assert.equal(second?.revision, first?.revision);
  assert.ok(second !== undefined && second.pages <= 20, JSON.stringify(second));
  assert.ok(second.bytes < 8_192, JSON.stringify(second));
  assert.match(await cli(['sync', '--due'], env), /No source is due/);
  assert.equal((await publications()).length, 2);
});
