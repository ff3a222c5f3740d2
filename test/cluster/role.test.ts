/** The role of the guide has the rights that a cluster needs, and no others. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { ClusterAddressParts } from '../../src/cluster/address.ts';
import { openClusterAccess, prepareDatabase } from '../../src/cluster/cluster-access.ts';
import { connectionOptions } from '../../src/cluster/connection.ts';
import { readClusterFacts } from '../../src/cluster/server-facts.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

const guide = fileURLToPath(new URL('../../docs/guides/several-machines.md', import.meta.url));
const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```sql\n([^`]+)^```/gm)].map(
  ([, text]) => text as string,
);
const name = 'cratebase_service';

const server = usePostgres();

async function run(address: ClusterAddressParts, statements: string[]): Promise<void> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  try {
    // One at a time: a database cannot be created in a transaction.
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test('the role of the guide runs a cluster and may do nothing else', { skip }, async () => {
  const admin = (await server.createDatabase()) as ClusterAddressParts;
  const split = (text = '') =>
    text
      .split(';')
      .map((one) => one.trim())
      .filter(Boolean);
  assert.equal(blocks.length, 2);
  await run(admin, split(blocks[0]));
  await run({ ...admin, database: name }, split(blocks[1]));

  const address = { ...admin, user: name, database: name };
  assert.equal(await prepareDatabase(address), true);
  assert.equal(await prepareDatabase(address), false);
  const access = await openClusterAccess(address);
  const { id: account } = await access.accounts.create({ email: 'ada@example.com' });
  const { id } = await access.keys.create('ada@example.com', 'one');
  assert.equal((await access.admit({ id, account, scope: 'all' }, 1, 'rest')).outcome, 'admitted');
  // A server without a free connection is away, and callers get 503.
  const crowded = await openClusterAccess(address);
  await run(admin, [`ALTER ROLE ${name} CONNECTION LIMIT 0`]);
  await assert.rejects(crowded.admit({ id, account, scope: 'all' }, 1, 'rest'), { type: 'unavailable' });
  await run(admin, [`ALTER ROLE ${name} CONNECTION LIMIT -1`]);
  await crowded.closed();

  await access.accounts.delete('ada@example.com', 'terminal:test');
  await access.closed();
  assert.equal((await readClusterFacts(address)).accounts, 0);

  for (const statement of [
    'CREATE TABLE public.mine (id INT)',
    'CREATE SCHEMA another',
    'CREATE DATABASE another',
    'CREATE ROLE another',
    'ALTER SYSTEM SET fsync = off',
    "COPY settings TO '/tmp/settings'",
    'SELECT * FROM pg_authid',
  ])
    await assert.rejects(run(address, [statement]), /permission denied|must be superuser/, statement);
});
