/** The state of an import is opened on any connection. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { ImportState } from '../../src/store/schedule/import-state.ts';
import { temporaryFolder } from '../support/program.ts';

test('it opens while a reader of the same connection has a snapshot and a temporary table', (t) => {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'test.db'), { create: true });
  t.after(() => {
    sqlite.close();
    folder.remove();
  });
  sqlite.exec('CREATE TEMP TABLE names (name TEXT); BEGIN; SELECT count(*) FROM events;');
  assert.equal(new ImportState(sqlite).revision(), 0);
  sqlite.exec('COMMIT');
});
