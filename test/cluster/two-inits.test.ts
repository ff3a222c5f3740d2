/** `cluster init` on two machines at the same moment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareDatabase } from '../../src/cluster/cluster-access.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';

const server = usePostgres();

test('of several preparations at the same moment, one creates the tables and the others find them', {
  skip,
}, async () => {
  const address = await server.createDatabase();
  const created = await Promise.all([1, 2, 3, 4].map(() => prepareDatabase(address)));
  assert.deepEqual(created.toSorted(), [false, false, false, true]);
});
