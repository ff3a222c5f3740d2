/** The published objects are deleted: a new node waits, and a node that serves the catalogue stores it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { folder, run } from '../support/cli-run.ts';
import { queryAt } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { serve } from '../support/serve-process.ts';

const place = folder();
const server = usePostgres();

test('a new node gets a catalogue whose objects were deleted from one that serves it', { skip }, async () => {
  const address = await server.createDatabase();
  const env = { CRATEBASE_CLUSTER: clusterUrl(address) };
  const made = await run(['cluster', 'init'], { cwd: place, env });
  assert.equal(made.status, 0, made.stderr);
  await (await serve('--data one', { cwd: place, env })).stop();
  await queryAt(address, 'TRUNCATE publication_objects');

  const command = await run(['stats'], { cwd: place, env });
  assert.match(command.stderr, /cannot be fetched whole.*stores a whole copy/);
  const late = serve('--data two', { cwd: place, env });
  while ((await queryAt(address, 'SELECT 1 FROM nodes WHERE wants_base = 1')).length < 2) await pause(100);
  const one = await serve('--data one', { cwd: place, env });
  const two = await late;
  assert.equal((await fetch(`${two.url}/readyz`)).status, 200);
  const again = await run(['stats'], { cwd: place, env });
  assert.equal(again.status, 0, again.stderr);
  assert.deepEqual(await queryAt(address, 'SELECT 1 FROM nodes WHERE wants_base = 1'), []);
  await one.stop();
  await two.stop();
});
