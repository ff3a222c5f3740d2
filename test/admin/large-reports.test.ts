/** Sources with many rejected records: the list and the overview read their number, not the records themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openActions, personWithRole, serveAdmin } from '../support/admin-pages.ts';

const pages = await serveAdmin();
const registry = await pages.app.sources({ baseUrl: null, fetchAllow: [] });
const names = Array.from({ length: 20 }, (_, at) => `source-${at}`);
for (const name of names)
  registry.add({ name, type: 'feed', url: `https://${name}.example/feed.ndjson` }, 'terminal:test');
const rejected = Array.from({ length: 100 }, (_, line) => ({ line, reason: `${'long '.repeat(59)}reason` }));
const file = new Database(pages.dataFile);
file.prepare('UPDATE schedules SET last_report = ?').run(JSON.stringify({ rejected, rejected_count: 412 }));
file.close();

test('the action that lists sources leaves the rejected records out', async () => {
  const actions = openActions(pages.dataFile);
  try {
    const list = await actions.run<Record<string, unknown>[]>(
      'source.list',
      {},
      { actor: 'account:ada@example.com', role: 'editor' },
    );
    assert.deepEqual(
      list.map((source) => [source.rejected_count, 'rejected' in source]),
      names.map(() => [412, false]),
    );
    const bytes = JSON.stringify(list).length;
    assert.ok(bytes < 2_000 * names.length, `${bytes} bytes`);
  } finally {
    await actions.stop();
  }
});

test('the pages show the number; the page of the records shows them', async () => {
  const editor = await personWithRole(pages, 'editor@example.com', 'editor');
  const { text } = await editor.open('/admin/sources');
  assert.equal(text.match(/412 records rejected/g)?.length, names.length);
  assert.match((await editor.open('/admin')).text, /412/);
  assert.match((await editor.open('/admin/source/rejected?name=source-3')).text, /long long/);
});
