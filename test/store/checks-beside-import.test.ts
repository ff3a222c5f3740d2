/** `verify` while another process imports: each of its checks reads one state of the file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openNameIndexWriter } from '../../src/store/search/name-index.ts';
import { temporaryFolder } from '../support/program.ts';

function openTwice(t: TestContext): [checked: Database.Database, importing: Database.Database] {
  const folder = temporaryFolder();
  const path = join(folder.path, 'cratebase.db');
  const open = (create: boolean) => openDatabase(path, { create });
  const connections: [Database.Database, Database.Database] = [open(true), open(false)];
  t.after(() => {
    for (const sqlite of connections) sqlite.close();
    folder.remove();
  });
  return connections;
}

async function* artists(count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++)
    yield Buffer.from(
      `${JSON.stringify({ kind: 'artist', external_id: `a${at}`, name: `Performer ${(at * 7919).toString(36)}` })}\n`,
    );
}

test('no check mixes two states of the file', async (t) => {
  const [checked, importing] = openTwice(t);
  await importFeed(importing, { source: 'test', type: 'feed', now: Date.now(), input: artists(200) });
  const [artist] = importing.prepare('SELECT id, name FROM artists LIMIT 1').all() as [
    { id: number; name: string },
  ];
  const names = openNameIndexWriter(importing);
  const commit = importing.transaction((at: number) =>
    names.write('artist', artist.id, artist.name, [`Alias ${at}`], { prominence: 0 }),
  );
  // Another process commits before each statement of a check.
  let commits = 0;
  const prepare = checked.prepare.bind(checked);
  checked.prepare = ((sql: string) => {
    commit(commits++);
    return prepare(sql);
  }) as typeof checked.prepare;
  const failed = [...checkFile(checked)].filter(({ ok }) => !ok);
  assert.deepEqual(failed, []);
  assert.ok(commits > 5, `${commits} commits between reads`);
});
