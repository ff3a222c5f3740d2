/** A token for a grant that was revoked meanwhile is refused in the same way with both databases. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Access, GrantRevoked, openAccess } from '../../src/access/access.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';

const clock = { now: () => Date.parse('2026-10-20T12:00:00Z') };
const server = usePostgres();

const saveForUnknownGrant = (access: Access): Promise<void> =>
  access.oauth.saveItem('RefreshToken', 'token', { grantId: 'app_gone' }, 3_600);

test('in a data file', async (t) => {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'c.db'), { create: true });
  t.after(() => {
    sqlite.close();
    folder.remove();
  });
  await assert.rejects(saveForUnknownGrant(openAccess(sqlite, clock, clock)), GrantRevoked);
});

test('in PostgreSQL', { skip }, async () => {
  const cluster = await createCluster(server);
  await cluster.setClock(clock.now());
  await assert.rejects(saveForUnknownGrant(await cluster.open(clock)), GrantRevoked);
});
