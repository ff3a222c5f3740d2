/** The keys that an import added: it skips look-ups of others only as long as no other connection can have added them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { AddedKeys, ForeignCommits } from '../../src/store/resolution/added-keys.ts';
import { AddedRows } from '../../src/store/resolution/added-rows.ts';
import { BlockingKeyIndex } from '../../src/store/resolution/blocking-keys.ts';
import { freshFile } from '../support/matching.ts';

const dayRange = 2 ** 17;

test('all added keys may be there, and few others', (t) => {
  const keys = new AddedKeys(new ForeignCommits(freshFile(t)), () => true);
  const added = Array.from({ length: 20_000 }, (_, at) => at * dayRange * 31 + (at % 400));
  for (const key of added) keys.add(key);
  assert.ok(added.every((key) => keys.mayHaveAny([key])));
  const mistakes = added.filter((key) => keys.mayHaveAny([key + 500])).length;
  assert.ok(mistakes < 200, `${mistakes} of 20,000 other keys may be there`);
  assert.equal(keys.mayHaveAny([1, added[7] as number]), true);
});

test('any key may be there if the table had rows', (t) => {
  const keys = new AddedKeys(new ForeignCommits(freshFile(t)), () => false);
  assert.equal(keys.mayHaveAny([1]), true);
});

test('keys that another connection adds are found', (t) => {
  const sqlite = freshFile(t);
  sqlite.pragma('foreign_keys = OFF');
  const index = new BlockingKeyIndex(sqlite, undefined, new AddedRows(sqlite, 1).blockingKeys);
  index.add([10], 1, 1);
  assert.deepEqual(index.find([10, 10]), [[0, 1, 1, 10]]);
  assert.deepEqual(index.find([20, 20]), []);
  index.moveToMainTree();
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  other.pragma('foreign_keys = OFF');
  const otherIndex = new BlockingKeyIndex(other);
  otherIndex.add([20], 2, 1);
  otherIndex.moveToMainTree();
  assert.deepEqual(index.find([20, 20]), [[0, 2, 1, 20]]);
});

test('source records that another connection adds may be there', (t) => {
  const sqlite = freshFile(t);
  const added = new AddedRows(sqlite, 1);
  const key = (externalId: string) => ({ source: 1, kind: 'event', externalId });
  added.addSourceRecord(key('a'));
  assert.equal(added.mayHaveSourceRecord(key('a')), true);
  assert.equal(added.mayHaveSourceRecord(key('b')), false);
  assert.equal(added.mayHaveSourceRecord({ ...key('b'), source: 2 }), true);
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  other.exec('UPDATE catalogue SET revision = revision + 1');
  assert.equal(added.mayHaveSourceRecord(key('b')), true);
});

test('a commit of another connection is noticed at the beginning and after the end of a transaction', (t) => {
  const sqlite = freshFile(t);
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  const commitElsewhere = () => other.exec('UPDATE catalogue SET revision = revision + 1');
  const [before, after] = [new ForeignCommits(sqlite), new ForeignCommits(sqlite)];
  sqlite.exec('BEGIN IMMEDIATE');
  after.onBegun();
  assert.equal(after.hasAny(), false);
  after.beforeEnd();
  sqlite.exec('COMMIT');
  commitElsewhere();
  assert.equal(after.hasAny(), true);
  sqlite.exec('BEGIN IMMEDIATE');
  before.onBegun();
  assert.equal(before.hasAny(), true);
  sqlite.exec('ROLLBACK');
});
