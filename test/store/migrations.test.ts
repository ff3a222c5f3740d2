/** The data file across versions of its schema: a newer one is refused, an older one copied and then migrated. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase, readSetting, schemaVersion, writeSetting } from '../../src/store/database.ts';

function freshPath(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-database-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'c.db');
}

test('a new file has the present schema, and is for its owner alone', (t) => {
  const path = freshPath(t);
  const sqlite = openDatabase(path, { create: true });
  assert.equal(sqlite.pragma('user_version', { simple: true }), schemaVersion);
  assert.equal(readSetting(sqlite, 'cursor_key')?.length, 64);
  sqlite.close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a newer schema is refused, and the file left as it is', (t) => {
  const path = freshPath(t);
  const sqlite = openDatabase(path, { create: true });
  sqlite.pragma(`user_version = ${schemaVersion + 1}`);
  sqlite.close();
  assert.throws(() => openDatabase(path, { create: true }), /written by a newer cratebase.*Update cratebase/);
  assert.equal(existsSync(`${path}.v${schemaVersion + 1}.bak`), false);
});

test('an older schema is migrated, step by step, after a backup', (t) => {
  const path = freshPath(t);
  const old = openDatabase(path, { create: true });
  writeSetting(old, 'kept', 'yes');
  old.close();
  const [first, second] = [schemaVersion + 1, schemaVersion + 2];
  const migrations = [
    { to: first, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT' },
    { to: second, sql: 'INSERT INTO added (id) VALUES (7)' },
  ];
  const migrated = openDatabase(path, { create: false, version: second, migrations });
  assert.equal(migrated.pragma('user_version', { simple: true }), second);
  assert.equal(migrated.prepare('SELECT id FROM added').pluck().get(), 7);
  assert.equal(readSetting(migrated, 'kept'), 'yes');
  migrated.close();
  assert.equal(statSync(`${path}.v${schemaVersion}.bak`).mode & 0o777, 0o600);
  const backup = openDatabase(`${path}.v${schemaVersion}.bak`, { create: false });
  assert.equal(readSetting(backup, 'kept'), 'yes');
  backup.close();
});

test('a migration that fails changes nothing; one that is missing is said', (t) => {
  const path = freshPath(t);
  openDatabase(path, { create: true }).close();
  const version = schemaVersion + 1;
  const broken = [{ to: version, sql: 'CREATE TABLE half (id INTEGER); SELECT no_such_column FROM half' }];
  assert.throws(() => openDatabase(path, { create: false, version, migrations: broken }));
  assert.throws(
    () => openDatabase(path, { create: false, version, migrations: [] }),
    /there is no way from it/,
  );
  const same = openDatabase(path, { create: false });
  assert.equal(same.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'half'").pluck().get(), 0);
  same.close();
});

test('what is no data file is said in one line', (t) => {
  const path = freshPath(t);
  assert.throws(() => openDatabase(path, { create: false }), /There is no data file at/);
  writeFileSync(path, 'not a database, but long enough to have a header of its own to be read');
  assert.throws(() => openDatabase(path, { create: true }), /is not a data file/);
});

/** Every table's columns and every index of a file, without their order: ALTER TABLE adds at the end. */
function shapeOf(sqlite: Database.Database): unknown {
  const names = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[];
  const columns = names.map((name) => [
    name,
    (sqlite.pragma(`table_xinfo(${name})`) as { name: string; cid: number }[])
      .map(({ cid: _, ...column }) => column)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    sqlite.pragma(`foreign_key_list(${name})`),
  ]);
  const indexes = sqlite
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name",
    )
    .all();
  return { columns, indexes };
}

for (const before of [1, 2, 3, 5]) {
  test(`a file of schema ${before} becomes what a new file is`, (t) => {
    const [old, made] = [freshPath(t), freshPath(t)];
    const first = new Database(old);
    first.exec(readFileSync(new URL(`../support/schema-v${before}.sql`, import.meta.url), 'utf8'));
    first.pragma(`application_id = ${0x63726174}`);
    first.pragma(`user_version = ${before}`);
    first.close();
    const migrated = openDatabase(old, { create: false });
    const fresh = openDatabase(made, { create: true });
    assert.deepEqual(shapeOf(migrated), shapeOf(fresh));
    migrated.close();
    fresh.close();
  });
}
