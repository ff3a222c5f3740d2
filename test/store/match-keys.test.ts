/** Keys of matching lie in two trees; nobody may see in which. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { BlockingKeyIndex, FoundRanges } from '../../src/store/resolution/blocking-keys.ts';
import { freshFile } from '../support/matching.ts';

type Row = { key: number; record: number; scope: number };

const byKey = (a: Row, b: Row): number => a.key - b.key || a.record - b.record || a.scope - b.scope;

/** Files 30,000 rows in batches, some twice, takes some away, and compares what is found with a plain list. */
function compared(sqlite: Database.Database, maxRecentRows: number): { old: number; young: number } {
  sqlite.pragma('foreign_keys = OFF');
  const keys = new BlockingKeyIndex(sqlite, maxRecentRows);
  const all = new Map<string, Row>();
  let state = 11;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  for (let batch = 0; batch < 50; batch++) {
    sqlite.exec('BEGIN');
    for (let record = batch * 100; record < batch * 100 + 100; record++) {
      const some = [1, 2, 3, 4, 5, 6].map(() => draw(400) ** 3);
      const scope = draw(3);
      const filed = draw(20) === 0 ? record - draw(record + 1) : record;
      keys.add(some, filed, scope);
      for (const key of some) all.set(`${key} ${filed} ${scope}`, { key, record: filed, scope });
      if (draw(10) > 0) continue;
      for (const [text, { key, record: other, scope: theirs }] of [...all].slice(0, 3)) {
        keys.remove(key, other, theirs);
        all.delete(text);
      }
    }
    keys.moveToMainTree();
    sqlite.exec('COMMIT');
    const sorted = [...all.values()].toSorted(byKey);
    const ranges = [0, 40_000, 8_000, 8_000, 125_000, 1_000_000, 63_521_199, 64_000_000];
    const expected = [0, 1, 2, 3].flatMap((range) =>
      sorted
        .filter(({ key }) => key >= (ranges[2 * range] as number) && key <= (ranges[2 * range + 1] as number))
        .slice(0, 100)
        .map(({ record, scope }) => `${range} ${record} ${scope}`),
    );
    const found = keys.find(ranges).map(([range, record, scope]) => `${range} ${record} ${scope}`);
    assert.deepEqual([...new Set(found)].toSorted(), [...new Set(expected)].toSorted());
  }
  const count = (table: string) => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return { old: count('blocking_keys'), young: count('recent_blocking_keys') };
}

test('keys are found alike whether they went over into the large tree or not', (t) => {
  const small = compared(freshFile(t), 2_000);
  assert.ok(small.old > 20_000, `${small.old} went over`);
  assert.ok(small.young > 1_000 && small.young < 3_000, `${small.young} did not`);
  const large = compared(freshFile(t), 1_000_000);
  assert.equal(large.old, 0);
  const tiny = compared(freshFile(t), 0);
  assert.ok(tiny.young < 1_000, `${tiny.young} did not go over`);
});

test('keys that another connection filed are counted in time', (t) => {
  const sqlite = freshFile(t);
  sqlite.pragma('foreign_keys = OFF');
  const [keys, others] = [new BlockingKeyIndex(sqlite, 500), new BlockingKeyIndex(sqlite, 500)];
  for (let record = 0; record < 2_000; record++) {
    (record % 2 === 0 ? keys : others).add([record * 7, record * 7 + 1], record, 1);
    if (record % 50 === 0) keys.moveToMainTree();
  }
  for (let round = 0; round < 20; round++) keys.moveToMainTree();
  assert.ok((sqlite.prepare('SELECT count(*) FROM blocking_keys').pluck().get() as number) > 1_000);
  assert.equal(keys.find([0, 14_000]).length, 100);
});

test('ranges within one that was read are found in it, also before the keys are written', (t) => {
  const sqlite = freshFile(t);
  sqlite.pragma('foreign_keys = OFF');
  const keys = new BlockingKeyIndex(sqlite);
  sqlite.exec('BEGIN');
  const all: Row[] = [];
  const add = (key: number, record: number) => {
    keys.add([key], record, 1);
    all.push({ key, record, scope: 1 });
  };
  // A long range with few rows, and one with more than are read.
  for (let record = 0; record < 60; record++) add(1_000 + record * 3, record);
  for (let record = 0; record < 200; record++) add(2 ** 20 + (record % 90), record);
  keys.moveToMainTree();
  sqlite.exec('COMMIT; BEGIN');
  for (let record = 100; record < 120; record++) add(1_001 + record, record);
  for (let record = 300; record < 320; record++) add(2 ** 20 + record, record);
  const stored = sqlite.prepare('SELECT count(*) FROM recent_blocking_keys').pluck();
  const known = new FoundRanges();
  const expected = (first: number, last: number) =>
    all
      .filter(({ key }) => key >= first && key <= last)
      .toSorted(byKey)
      .slice(0, 100)
      .map(({ record }) => record);
  const found = (first: number, last: number) =>
    keys
      .find([first, last], known)
      .toSorted((a, b) => a[3] - b[3] || a[1] - b[1])
      .map(([, record]) => record);
  for (const [first, last] of [
    [900, 1_400],
    [1_000, 1_002],
    [1_101, 1_101],
    [1_119, 1_121],
    [1_390, 1_410],
    [2 ** 20, 2 ** 20 + 700],
    [2 ** 20 + 80, 2 ** 20 + 82],
    [2 ** 20 + 300, 2 ** 20 + 301],
    [2 ** 20 - 400_000, 2 ** 20 + 5],
  ] as const)
    assert.deepEqual(found(first, last), expected(first, last), `${first} to ${last}`);
  assert.equal(stored.get(), 260, 'the open batch is written at its end');
  keys.moveToMainTree();
  sqlite.exec('COMMIT');
});

test('keys of an open batch are found alike by a few look-ups and by many', (t) => {
  const sqlite = freshFile(t);
  sqlite.pragma('foreign_keys = OFF');
  const keys = new BlockingKeyIndex(sqlite);
  sqlite.exec('BEGIN');
  const addBatch = (from: number) => {
    for (let record = from; record < from + 50; record++) keys.add([record % 20, 100 + record], record, 1);
  };
  const foundRecords = (first: number, last: number) => keys.find([first, last]).map(([, record]) => record);
  addBatch(0);
  for (let round = 0; round < 40; round++) {
    assert.deepEqual(foundRecords(3, 4), [3, 23, 43, 4, 24, 44]);
    assert.deepEqual(foundRecords(20, 27), []);
  }
  addBatch(50);
  assert.deepEqual(foundRecords(3, 3), [3, 23, 43, 63, 83]);
  assert.deepEqual(foundRecords(148, 150), [48, 49, 50]);
  keys.moveToMainTree();
  keys.add([3], 200, 1);
  assert.deepEqual(foundRecords(3, 3), [3, 23, 43, 63, 83, 200]);
  sqlite.exec('COMMIT');
});
