/** What the log advises about errors of the data file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { describeFailure } from '../../src/log.ts';

test('a full disk: free space', () => {
  const sqlite = new Database(':memory:');
  sqlite.pragma('max_page_count = 2');
  let failure: unknown;
  try {
    sqlite.exec('CREATE TABLE filler (content BLOB); INSERT INTO filler VALUES (zeroblob(100000))');
  } catch (error) {
    failure = error;
  }
  sqlite.close();
  const { trouble, advice, stack } = describeFailure(failure);
  assert.equal(trouble, 'SQLITE_FULL');
  assert.match(String(advice), /disk .* is full: free space/);
  assert.equal(stack, undefined);
});
