/** The words that begin with a text are cached, but never older than the data file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { TermPrefixes } from '../../src/store/search/vocabulary.ts';
import { temporaryFolder } from '../support/program.ts';

function newFile(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return join(folder.path, 'catalogue.db');
}

test('a word that another connection adds is found after the revision rises', (t) => {
  const path = newFile(t);
  const [writer, reader] = [openDatabase(path, { create: true }), openDatabase(path, { create: false })];
  t.after(() => {
    writer.close();
    reader.close();
  });
  const prefixes = new TermPrefixes(reader);
  assert.deepEqual(prefixes.completions('tresor'), []);
  writer.transaction(() => {
    writer.exec("INSERT INTO name_search (rowid, terms) VALUES (1, 'tresor')");
    writer.exec('UPDATE catalogue SET revision = revision + 1');
  })();
  assert.deepEqual(prefixes.completions('tresor'), ['tresor']);
});

test('a word that the same connection adds is found before the commit, and not after a rollback', (t) => {
  const sqlite = openDatabase(newFile(t), { create: true });
  t.after(() => sqlite.close());
  const prefixes = new TermPrefixes(sqlite);
  assert.deepEqual(prefixes.completions('tresor'), []);
  sqlite.exec("BEGIN; INSERT INTO name_search (rowid, terms) VALUES (1, 'tresors')");
  assert.deepEqual(prefixes.completions('tresor'), ['tresors']);
  sqlite.exec("ROLLBACK; BEGIN; INSERT INTO name_search (rowid, terms) VALUES (2, 'tresor'); COMMIT");
  assert.deepEqual(prefixes.completions('tresor'), ['tresor']);
});
