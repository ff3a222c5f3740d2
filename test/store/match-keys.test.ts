/** Keys of matching lie in two trees; nobody may see in which. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { BlockingKeyIndex } from '../../src/store/resolution/blocking-keys.ts';
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
