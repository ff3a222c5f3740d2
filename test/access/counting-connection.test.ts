/** Requests are counted on the connection that reads the catalogue, which keeps the pages that it has read. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { systemClock } from '../../src/clock.ts';
import { dataVersionOf } from '../../src/store/transactions.ts';
import { openAccessOnReader } from '../support/access-on-reader.ts';

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-counting-'));
  const path = join(folder, 'test.db');
  const { access, own, reading, reader } = openAccessOnReader(path, systemClock);
  t.after(() => {
    access.close();
    rmSync(folder, { recursive: true });
  });
  await access.accounts.create({ email: 'a@example.com' });
  const { key } = await access.keys.create('a@example.com', 'test');
  const credential = await access.authenticate(`Bearer ${key}`);
  assert.ok(credential);
  const count = async () => (await access.admit(credential, 1, 'rest')).outcome;
  return { own, access, reading, reader, count, used: () => usedOf(own) };
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

test('a revocation, a suspension and a lower limit by another connection hold for the next request', async (t) => {
  const { own, access, count } = await setUp(t);
  assert.equal(await count(), 'admitted');
  await access.accounts.setLimits('a@example.com', { window: 1, quota: null });
  assert.equal(await count(), 'rate_limited');
  await access.accounts.setLimits('a@example.com', { window: 100, quota: null });
  assert.equal(await count(), 'admitted');
  own.exec("UPDATE accounts SET suspended_ts = 1 WHERE email = 'a@example.com'");
  assert.equal(await count(), 'revoked');
  own.exec("UPDATE accounts SET suspended_ts = NULL WHERE email = 'a@example.com'");
  assert.equal(await count(), 'admitted');
  own.exec('DELETE FROM api_keys');
  assert.equal(await count(), 'revoked');
});

test('keys of one account share its counts, whichever of them the meter knows', async (t) => {
  const { access, used, count } = await setUp(t);
  await access.accounts.setLimits('a@example.com', { window: null, quota: 5 });
  const { key } = await access.keys.create('a@example.com', 'second');
  const second = await access.authenticate(`Bearer ${key}`);
  assert.ok(second);
  for (let request = 0; request < 2; request++) {
    assert.equal(await count(), 'admitted');
    assert.equal((await access.admit(second, 1, 'rest')).outcome, 'admitted');
  }
  const outcomes = await Promise.all([
    count(),
    access.admit(second, 1, 'rest').then(({ outcome }) => outcome),
  ]);
  assert.deepEqual(outcomes.toSorted(), ['admitted', 'quota_exceeded']);
  assert.equal(used(), 5);
});

test('counts that were rolled back are not known', async (t) => {
  const { own, access, reading, used, count } = await setUp(t);
  await access.accounts.setLimits('a@example.com', { window: 3, quota: null });
  assert.equal(await count(), 'admitted');
  // The transaction fails behind the window of the key, when the month is written.
  reading.exec(
    "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.usage_months BEGIN SELECT raise(ABORT, 'disk full'); END",
  );
  for (let request = 0; request < 5; request++) await assert.rejects(count(), /disk full/);
  reading.exec('DROP TRIGGER full');
  assert.equal(used(), 1);
  assert.equal(await count(), 'admitted');
  assert.equal(await count(), 'admitted');
  assert.equal(await count(), 'rate_limited');
  assert.equal(used(), 3);
  assert.equal(own.prepare('SELECT sum(used) FROM usage_days').pluck().get(), 3);
});
