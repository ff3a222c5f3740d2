/** The words that begin with a text are cached, but never older than the data file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { countOnReader } from '../../src/store/engine/counting-writer.ts';
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

test('words stay cached while the same connection counts requests', async (t) => {
  const sqlite = openDatabase(newFile(t), { create: true });
  t.after(() => sqlite.close());
  sqlite.pragma('foreign_keys = OFF');
  let reads = 0;
  const reading = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, {
    prepare(text: string) {
      const statement = reading(text);
      const get = statement.get.bind(statement);
      if (text.startsWith('SELECT term')) statement.get = (...values) => [get(...values), reads++][0];
      return statement;
    },
  });
  const prefixes = new TermPrefixes(sqlite);
  const writer = countOnReader(() => ({ sqlite, endSnapshot() {} }), {
    write: () => assert.fail('another connection counts'),
  });
  for (let request = 0; request < 3; request++) {
    assert.deepEqual(prefixes.completions('tresor'), []);
    await writer.write(({ store }) => store.addToMonth('acc_1', '2026-11', 1));
  }
  assert.equal(reads, 1);
  sqlite.exec("INSERT INTO name_search (rowid, terms) VALUES (1, 'tresor')");
  assert.deepEqual(prefixes.completions('tresor'), ['tresor']);
});
