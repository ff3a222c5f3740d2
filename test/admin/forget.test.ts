/** Forgetting an artist in the console: the confirmation, both choices about the name, and what is left to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { importFeed } from '../support/program.ts';

const pages = await serveAdmin();
importFeed(pages.dataFile, [
  { kind: 'artist', external_id: '1', name: 'Vera Lindt', real_name: 'Erika Privatname', country: 'DE' },
  { kind: 'artist', external_id: '2', name: 'Orrin', real_name: 'Otto Heimlich', country: 'DE' },
  { kind: 'venue', external_id: 'v', name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
]);
const editor = await personWithRole(pages, 'editor@example.com', 'editor');

/** Sends the form of a confirmation page. */
const confirm = async (slug: string, fields: Record<string, string>) => {
  const { text } = await editor.open(`/admin/records/artist~${slug}/forget`);
  const [, action = ''] = /action="(\/admin\/records\/[^"]+)"/.exec(text) ?? [];
  return editor.fill(`/admin/records/artist~${slug}/forget`, fields, action);
};

test('the confirmation says first that it cannot be reversed; without the box, nothing is erased', async () => {
  assert.match((await editor.open('/admin/records/artist~vera-lindt')).text, /forget">Forget …/);
  const { text } = await editor.open('/admin/records/artist~vera-lindt/forget');
  assert.match(text, /Forget <bdi>Vera Lindt<\/bdi>\?<\/h1><p class="lead"><b>This cannot be reversed\./);
  assert.equal((await confirm('vera-lindt', { name: 'keep' })).status, 422);
  assert.equal((await confirm('vera-lindt', { sure: '1' })).status, 422);
  assert.equal((await editor.send('/admin/records/venue~kornspeicher/forget')).status, 422);
  assert.doesNotMatch((await editor.open('/admin/records/venue~kornspeicher')).text, /Forget …/);
  assert.match((await editor.open('/admin/records/artist~vera-lindt')).text, /Erika Privatname/);
});

test('the stage name stays or goes, the rest is erased, and the log names the editor', async () => {
  // As `serve` does: while it runs, the unused parts of the file stay.
  pages.app.services.register('test', {
    pid: process.pid,
    url: pages.url,
    started_at: new Date().toISOString(),
    version: '0',
    settings: [],
    machine: 'here',
    data: pages.dataFile,
  } as never);
  const kept = await confirm('vera-lindt', { name: 'keep', sure: '1' });
  assert.equal(kept.status, 200);
  assert.match(kept.text, /The name and its events stay\.[\s\S]*Backups made before[\s\S]*forget --sweep/);
  const { text } = await editor.open('/admin/records/artist~vera-lindt');
  assert.match(text, /Vera Lindt/);
  assert.doesNotMatch(text, /Erika Privatname/);
  assert.equal((await editor.send('/artists/vera-lindt')).status, 200);
  const [entry] = pages.app.auditLog().list({ limit: 1 });
  assert.deepEqual([entry?.action, entry?.actor], ['record.forget', 'account:editor@example.com']);

  pages.app.services.register('test', null);
  const removed = await confirm('orrin', { name: 'remove', sure: '1' });
  assert.match(removed.text, /The artist and the name are erased\./);
  assert.doesNotMatch(removed.text, /Orrin/);
  assert.notEqual((await editor.send('/artists/orrin')).status, 200);
});

test('a removed record has its page, however many were removed after it', async () => {
  const removed = await (await pages.app.removals('terminal:ada')).hide('venue/kornspeicher');
  const file = new Database(pages.dataFile);
  file.pragma('foreign_keys = OFF');
  file
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
       INSERT INTO removed_records (record_id, kind, state, slug, name, saved, removed_by, removed_ts)
       SELECT 1000000 + i, 'venue', 'hidden', 'v-' || i, 'Venue ' || i, '{"row":null,"parent":null}', 'terminal:ada', ? + i FROM n`,
    )
    .run(Date.now());
  file.close();
  const { text } = await editor.open(`/admin/records/${removed.record.id}`);
  assert.match(text, /Kornspeicher/);
});
