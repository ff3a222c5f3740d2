/** `verify` compares the definitions of tables, indexes and triggers with stored digests. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { openDatabase, schemaVersion } from '../../src/store/database.ts';
import { backUpTo, checkFile } from '../../src/store/file/maintenance.ts';
import { migrations } from '../../src/store/file/migrations.ts';

function newFile(t: TestContext): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-schema-'));
  const sqlite = openDatabase(join(folder, 'cratebase.db'), { create: true });
  t.after(() => {
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  return sqlite;
}

const schemaProblems = (sqlite: Database.Database): string[] =>
  [...checkFile(sqlite)].find(({ name }) => name === 'schema')?.problems ?? ['not checked'];

/** Changes a definition behind SQLite's back, as a flipped bit does. */
function damage(sqlite: Database.Database, sql: string): void {
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  sqlite.exec(sql);
  sqlite.pragma('writable_schema = OFF');
  sqlite.unsafeMode(false);
}

test('a changed default, a changed name and a missing index are found', (t) => {
  const sqlite = newFile(t);
  assert.deepEqual(schemaProblems(sqlite), []);
  damage(
    sqlite,
    "UPDATE sqlite_master SET sql = replace(sql, '''user''', '''uses''') WHERE name = 'accounts'",
  );
  sqlite.exec('DROP INDEX accounts_by_role');
  sqlite.exec('CREATE INDEX stray ON accounts (role)');
  assert.deepEqual(schemaProblems(sqlite), [
    'accounts is defined differently',
    'accounts_by_role is missing',
    'stray is unknown',
  ]);
});

test('statistics of SQLite and a rewrite of the file change nothing', (t) => {
  const sqlite = newFile(t);
  sqlite.exec('ANALYZE; VACUUM');
  assert.deepEqual(schemaProblems(sqlite), []);
});

test('a file without digests passes', (t) => {
  const sqlite = newFile(t);
  sqlite.exec("DELETE FROM settings WHERE key = 'schema_digests'");
  damage(sqlite, "UPDATE sqlite_master SET sql = replace(sql, 'user', 'uses') WHERE name = 'accounts'");
  assert.deepEqual(schemaProblems(sqlite), []);
});

test('damaged digests are a problem', (t) => {
  const sqlite = newFile(t);
  sqlite.exec("UPDATE settings SET value = '{' WHERE key = 'schema_digests'");
  assert.deepEqual(schemaProblems(sqlite), ['the digests of the schema are unreadable']);
});

test('an upgrade writes the digests of the upgraded definitions', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-schema-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cratebase.db');
  openDatabase(path, { create: true, version: schemaVersion }).close();
  const step = { to: schemaVersion + 1, sql: 'CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT' };
  const options = { create: false, keepBackup: false, version: schemaVersion + 1 };
  const sqlite = openDatabase(path, { ...options, migrations: [...migrations, step] });
  try {
    assert.deepEqual(schemaProblems(sqlite), []);
    sqlite.exec('DROP TABLE more');
    assert.deepEqual(schemaProblems(sqlite), ['more is missing']);
  } finally {
    sqlite.close();
  }
});

test('a backup of a file with a damaged definition is refused', async (t) => {
  const sqlite = newFile(t);
  damage(
    sqlite,
    "UPDATE sqlite_master SET sql = replace(sql, '''user''', '''uses''') WHERE name = 'accounts'",
  );
  await assert.rejects(backUpTo(sqlite, `${sqlite.name}.copy`), /accounts is defined differently/);
});
