/** Statements are compiled once, with a plan that does not depend on the bound values. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase } from '../../src/store/database.ts';
import { withStablePlan } from '../../src/store/file/stable-plans.ts';
import { folder } from '../support/cli-run.ts';

/** With a plan for kind 1, SQLite reads the partial index, and rows come in the order of names. */
const tables = `CREATE TABLE shapes (id INTEGER PRIMARY KEY, kind, name);
  CREATE INDEX first_kind ON shapes (name, id) WHERE kind = 1;
  INSERT INTO shapes (kind, name) VALUES (1, 'c'), (1, 'b'), (2, 'd'), (1, 'a')`;

function rowsOf(sqlite: Database.Database): unknown[] {
  sqlite.exec(tables);
  const select = sqlite.prepare('SELECT id FROM shapes WHERE kind = ?').pluck();
  return [select.all(1), select.all(2), select.all(1)];
}

test('a bound value does not change the plan of a statement', () => {
  // A connection of its own adapts the plan: the test would show nothing otherwise.
  assert.deepEqual(rowsOf(new Database(':memory:')), [[4, 2, 1], [3], [4, 2, 1]]);
  const sqlite = openDatabase(join(folder(), 'plans.db'), { create: true });
  assert.deepEqual(rowsOf(sqlite), [[1, 2, 4], [3], [1, 2, 4]]);
  sqlite.close();
});

test('values and types are the same behind a plus', () => {
  const sqlite = openDatabase(join(folder(), 'values.db'), { create: true });
  const values = ['text', '12', '', 1.5, 7n, null, Buffer.from([1, 0, 255])];
  const types = sqlite.prepare('SELECT typeof(?) AS type, ? AS value');
  assert.deepEqual(
    values.map((value) => types.get(value, value)),
    [
      { type: 'text', value: 'text' },
      { type: 'text', value: '12' },
      { type: 'text', value: '' },
      { type: 'real', value: 1.5 },
      { type: 'integer', value: 7 },
      { type: 'null', value: null },
      { type: 'blob', value: Buffer.from([1, 0, 255]) },
    ],
  );
  sqlite.exec('CREATE TABLE numbers (id INTEGER PRIMARY KEY, amount INTEGER, label TEXT)');
  const insert = sqlite.prepare('INSERT INTO numbers (amount, label) VALUES (@amount, @label)');
  insert.run({ amount: '12', label: 34 });
  insert.run({ amount: 56, label: '78' });
  const find = sqlite
    .prepare('SELECT id FROM numbers WHERE amount = ? OR label = :label LIMIT $most')
    .pluck();
  assert.deepEqual(find.all('12', { label: '78', most: 5 }), [1, 2]);
  assert.deepEqual(find.all(12, { label: '34.0', most: 5 }), [1]);
  assert.deepEqual(find.all(12, { label: '78', most: 1 }), [1]);
  sqlite.close();
});

test('only parameters are given a plus', () => {
  const unchanged = [
    "SELECT 'what? @here :now', 'it''s ?'",
    'SELECT "a?b" FROM t -- why?\n',
    'SELECT 1 /* @a ** ? */ + 2',
    "SELECT body->>'$.name' FROM t WHERE at < '2026-01-01T10:30'",
  ];
  for (const text of unchanged) assert.equal(withStablePlan(text), text);
  assert.equal(
    withStablePlan(
      "SELECT '?' /* ? */, a FROM t WHERE b=? AND c IN (?2, @c_3) LIMIT :most -- ?\nOFFSET $from",
    ),
    "SELECT '?' /* ? */, a FROM t WHERE b=+? AND c IN (+?2, +@c_3) LIMIT +:most -- ?\nOFFSET +$from",
  );
});
