/** A database whose tables a person has emptied: commands say so, and nodes serve on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, run } from '../support/cli-run.ts';
import { queryAt } from '../support/cluster.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { serve } from '../support/serve-process.ts';

const place = folder();
const server = usePostgres();

test('without the row of the head, commands say what is wrong and nodes stay ready', { skip }, async () => {
  const address = await server.createDatabase();
  const env = { CRATEBASE_CLUSTER: clusterUrl(address) };
  const made = await run(['cluster', 'init', '--empty'], { cwd: place, env });
  assert.equal(made.status, 0, made.stderr);
  const node = await serve('--no-sync --data node', { cwd: place, env });
  await queryAt(address, 'TRUNCATE publication_head');
  for (const words of [['cluster', 'status'], ['stats'], ['backup', 'copy.db']]) {
    const { status, stderr } = await run(words, { cwd: place, env });
    assert.equal(status, 1, words.join(' '));
    assert.match(stderr, /publication_head of PostgreSQL is empty.*Restore a backup/, words.join(' '));
  }
  const { stdout } = await run(['doctor'], { cwd: place, env });
  assert.match(stdout, /FAILED +cluster: The table publication_head/);
  assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
  await node.stop();
});
