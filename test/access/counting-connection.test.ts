/** Requests are counted on the connection that reads the catalogue, which keeps the pages that it has read. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { openAccess } from '../../src/access/access.ts';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { dataVersionOf } from '../../src/store/transactions.ts';

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-counting-'));
  const path = join(folder, 'test.db');
  const own = openDatabase(path, { create: true });
  const reading = openDatabase(path, { create: false });
  const reader = openCatalogueReader(reading);
  const access = openAccess(own, systemClock, systemClock, () => ({
    sqlite: reading,
    endSnapshot: reader.endSnapshot,
  }));
  t.after(() => {
    access.close();
    reading.close();
    rmSync(folder, { recursive: true });
  });
  await access.accounts.create({ email: 'a@example.com' });
  const { key } = await access.keys.create('a@example.com', 'test');
  const credential = await access.authenticate(`Bearer ${key}`);
  assert.ok(credential);
  const count = async () => (await access.admit(credential, 1, 'rest')).outcome;
  return { reading, reader, count, used: () => usedOf(own) };
}

const usedOf = (sqlite: Database.Database): unknown =>
  sqlite.prepare('SELECT sum(used) FROM usage_months').pluck().get();

test('a count is no change by another connection, after which SQLite would discard the pages', async (t) => {
  const { reading, count, used } = await setUp(t);
  assert.equal(await count(), 'admitted');
  const version = dataVersionOf(reading);
  for (let request = 0; request < 3; request++) assert.equal(await count(), 'admitted');
  assert.equal(dataVersionOf(reading), version);
  assert.equal(used(), 4);
});

test('a count ends the snapshot of the turn, and the next read begins another', async (t) => {
  const { reading, reader, count, used } = await setUp(t);
  assert.equal(await count(), 'admitted');
  const counted = count();
  reader.snapshot(() => reader.state());
  assert.equal(reading.inTransaction, true);
  assert.equal(await counted, 'admitted');
  assert.equal(reading.inTransaction, false);
  assert.equal(used(), 2);
  reader.snapshot(() => reader.state());
  assert.equal(reading.inTransaction, true);
  reader.endSnapshot();
  assert.equal(reading.inTransaction, false);
});

test('requests are counted while another transaction is open on that connection, such as that of a backup', async (t) => {
  const { reading, reader, count, used } = await setUp(t);
  assert.equal(await count(), 'admitted');
  reading.exec('BEGIN');
  reading.prepare('SELECT count(*) FROM accounts').get();
  assert.equal(await count(), 'admitted');
  reader.endSnapshot();
  assert.equal(reading.inTransaction, true, 'the transaction is not ended');
  assert.equal(used(), 2);
  reading.exec('COMMIT');
  assert.equal(await count(), 'admitted');
  assert.equal(used(), 3);
});
