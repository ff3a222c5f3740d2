/** Transactions of the data file whose callbacks are asynchronous: they never mix, and never outlast a turn of the event loop. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import type { Tx } from '../../src/store/engine/engine.ts';
import { SqliteEngine } from '../../src/store/engine/sqlite-engine.ts';
import { execute, selectFirst } from '../../src/store/engine/statement.ts';
import { temporaryFolder } from '../support/program.ts';

const set = execute<[key: string, value: string]>(
  (key, value) =>
    sql`INSERT INTO settings VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
);
const read = selectFirst<[key: string], { value: string }>(
  (key) => sql`SELECT value FROM settings WHERE key = ${key}`,
);
const settingOf = async (tx: Tx, key: string) => (await read(tx, key))?.value;

function openEngine(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'c.db');
  const sqlite = openDatabase(path, { create: true });
  const other = openDatabase(path, { create: true });
  t.after(() => {
    sqlite.close();
    other.close();
    folder.remove();
  });
  return { engine: new SqliteEngine(sqlite), sqlite, other };
}

test('an error of a callback rolls everything back', async (t) => {
  const { engine } = openEngine(t);
  const failing = engine.write(async (tx) => {
    await set(tx, 'a', '1');
    throw new Error('no');
  });
  await assert.rejects(failing, /^Error: no$/);
  assert.equal(await engine.read((tx) => settingOf(tx, 'a')), undefined);
});

test('transactions of one connection never mix, and reads see none that is open', async (t) => {
  const { engine } = openEngine(t);
  const seen: unknown[] = [];
  const increments = Array.from({ length: 50 }, () =>
    engine.write(async (tx) => {
      const before = Number((await settingOf(tx, 'n')) ?? 0);
      await set(tx, 'n', 'open');
      await settingOf(tx, 'something else');
      await set(tx, 'n', String(before + 1));
    }),
  );
  const reads = Array.from({ length: 50 }, async () =>
    seen.push(await engine.read((tx) => settingOf(tx, 'n'))),
  );
  await Promise.all([...increments, ...reads]);
  assert.equal(await engine.read((tx) => settingOf(tx, 'n')), '50');
  assert.ok(!seen.includes('open'));
});

test('other connections of the process never meet the lock of a transaction, which would block the event loop', async (t) => {
  const { engine, other } = openEngine(t);
  other.pragma('busy_timeout = 0');
  const increment = other.prepare("UPDATE settings SET value = value + 1 WHERE key = 'n'");
  await engine.write((tx) => set(tx, 'n', '0'));
  const writes = Array.from({ length: 20 }, (_, at) =>
    engine.write(async (tx) => {
      for (const part of ['a', 'b', 'c']) await set(tx, `${part}${at}`, part);
    }),
  );
  // Continuations that run between all others, in several turns of the event loop.
  const visitors = Array.from({ length: 20 }, async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      for (let step = 0; step < 20; step += 1) {
        await null;
        increment.run();
      }
      await nextTurn();
    }
  });
  await Promise.all([...writes, ...visitors]);
  assert.equal(await engine.read((tx) => settingOf(tx, 'n')), '8000');
});

test('synchronous work waits for a transaction that is open, and later work does not pass it', async (t) => {
  const { engine, sqlite } = openEngine(t);
  const order: string[] = [];
  let counted: Promise<unknown> | undefined;
  await engine.write(async (tx) => {
    await set(tx, 'a', '1');
    counted = engine.writeAtOnce(() => {
      order.push(`count ${sqlite.inTransaction}`);
      return sqlite.prepare("UPDATE settings SET value = value || '2' WHERE key = 'a'").run();
    });
    await settingOf(tx, 'a');
    order.push('write');
  });
  await counted;
  await engine.writeAtOnce(() => order.push('at once'));
  assert.deepEqual(order, ['write', 'count true', 'at once']);
  assert.equal(await engine.read((tx) => settingOf(tx, 'a')), '12');
});

test('a transaction ends before the event loop turns, however many statements it has', async (t) => {
  const { engine, sqlite } = openEngine(t);
  let turns = 0;
  let isWatching = true;
  const watch = () => {
    assert.equal(sqlite.inTransaction, false);
    turns += 1;
    if (isWatching) setImmediate(watch);
  };
  setImmediate(watch);
  const workers = Array.from({ length: 5 }, async (_, worker) => {
    for (let round = 0; round < 10; round += 1) {
      await nextTurn();
      await engine.write(async (tx) => {
        for (let step = 0; step < 100; step += 1) await set(tx, `k${step}`, String(worker));
      });
    }
  });
  await Promise.all(workers);
  isWatching = false;
  assert.ok(turns >= 10);
});

test('a transaction that awaits something else is rolled back, and the lock is free at the next turn', async (t) => {
  const { engine, sqlite, other } = openEngine(t);
  let afterwards: unknown;
  const slow = engine.write(async (tx) => {
    await set(tx, 'a', '1');
    await pause(20);
    afterwards = await set(tx, 'a', '2').catch((failure: Error) => failure.message);
  });
  await assert.rejects(slow, /awaited something other than its statements/);
  assert.equal(sqlite.inTransaction, false);
  other.prepare("INSERT INTO settings VALUES ('b', '1')").run();
  await pause(40);
  assert.equal(afterwards, 'The transaction of this statement has ended.');
  assert.equal(await engine.read((tx) => settingOf(tx, 'a')), undefined);
});

test('a transaction within another is refused, and both leave the engine usable', async (t) => {
  const { engine } = openEngine(t);
  const nested = engine.write(async (tx) => {
    await set(tx, 'a', '1');
    await engine.write((inner) => set(inner, 'b', '1'));
  });
  await assert.rejects(nested, /awaited something other/);
  await engine.write((tx) => set(tx, 'c', '1'));
  assert.deepEqual(await engine.read(async (tx) => [await settingOf(tx, 'a'), await settingOf(tx, 'c')]), [
    undefined,
    '1',
  ]);
});

test('while another process holds the lock, writes wait and reads do not', async (t) => {
  const { engine, other } = openEngine(t);
  other.exec('BEGIN IMMEDIATE');
  let isWritten = false;
  const write = engine
    .write((tx) => set(tx, 'a', '1'))
    .then(() => {
      isWritten = true;
    });
  await pause(30);
  assert.equal(await engine.read((tx) => settingOf(tx, 'a')), undefined);
  assert.equal(isWritten, false);
  other.exec('COMMIT');
  await write;
  assert.equal(await engine.read((tx) => settingOf(tx, 'a')), '1');
});
