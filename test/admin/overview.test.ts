/** The overview: the number of pairs in the review, and the backups. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createPairCounter } from '../../src/admin/overview/pair-count.ts';
import type { ActionCaller } from '../../src/contract/action-runner.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';

const caller: ActionCaller = { actor: 'account:ada@example.com', role: 'editor' };

test('the count is exact; a refused or slow one is estimated, and requests share one', async () => {
  const exact = createPairCounter(
    async () => 3,
    () => 8,
  );
  assert.equal(await exact(caller), 3);
  const refused = createPairCounter(
    () => Promise.reject(new Error('no process')),
    () => 8,
  );
  assert.equal(await refused(caller), 8);

  let counts = 0;
  let finish: (count: number) => void = () => {};
  const slow = createPairCounter(
    () => {
      counts += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    () => 8,
    10,
  );
  assert.deepEqual(await Promise.all([slow(caller), slow(caller)]), [8, 8]);
  assert.equal(counts, 1);
  finish(3);
  await new Promise((resolve) => setImmediate(resolve));
  const next = slow(caller);
  finish(4);
  assert.equal(await next, 4);
  assert.equal(counts, 2);
});

test('the overview shows the last backup, its size and failures', async () => {
  const pages = await serveAdmin();
  const editor = await personWithRole(pages, 'editor@example.com', 'editor');
  const before = (await editor.open('/admin')).text;
  assert.match(before, /none on schedule; <code>serve --backup-dir DIR<\/code>/);
  assert.match(before, /<a href="\/admin\/review">Possible duplicates<\/a>/);

  const folder = join(dirname(pages.dataFile), 'backups');
  mkdirSync(folder);
  const schedule = { folder, everyMs: 3_600_000, keep: 3 };
  const now = Date.now();
  const copy = await pages.app.backups.folder(folder).backUp(now, { keep: 3 });
  assert.ok('name' in copy);
  const run = { startedTs: now, endedTs: now, error: null };
  await pages.app.backups.recordRun(schedule, { ...run, file: copy.name, bytes: copy.bytes });
  const { text } = await editor.open('/admin');
  assert.match(text, /<dt>Backups<\/dt><dd><time [^>]*>[^<]*<\/time>, [\d.]+ [kM]B<br\/>1 copy in/);
  assert.doesNotMatch(text, /The last backup failed/);

  await pages.app.backups.recordRun(schedule, {
    ...run,
    file: null,
    bytes: null,
    error: 'The disk is full.',
  });
  const failed = (await editor.open('/admin')).text;
  assert.match(failed, /The last backup failed\. <bdi lang="en">The disk is full\.<\/bdi>/);
  assert.match(failed, /failed 1×/);
});

test('the overview says that exports fail', async () => {
  const pages = await serveAdmin();
  const editor = await personWithRole(pages, 'editor@example.com', 'editor');
  const schedule = { folder: join(dirname(pages.dataFile), 'exports'), everyMs: 86_400_000, keep: 3 };
  const fail = () =>
    pages.app.exports.recordRun(schedule, {
      ...{ endedTs: Date.now(), name: null, revision: null, epoch: null, records: null, bytes: null },
      error: 'The disk is full.',
    });
  await fail();
  const { text } = await editor.open('/admin');
  assert.match(text, /The last export of the catalogue failed\./);
  assert.doesNotMatch(text, /The service and its sources work/);
  await fail();
  assert.match((await editor.open('/admin')).text, /The last 2 exports of the catalogue failed\./);
});

test('the overview shows sample events and traces of what was forgotten, with the way to remove them', async () => {
  const pages = await serveAdmin();
  const editor = await personWithRole(pages, 'editor@example.com', 'editor');
  const before = (await editor.open('/admin')).text;
  assert.doesNotMatch(before, /forget --sweep|sample event/);
  await pages.app.starter.request();
  await pages.app.starter.import();
  const { text } = await editor.open('/admin');
  const count = pages.app.starter.countSampleEvents();
  assert.ok(count > 1);
  assert.match(text, new RegExp(`${count} sample events are in the catalogue`));
  assert.match(text, /<code>cratebase samples remove<\/code>/);
  const removal = '/admin/source/remove?name=sample';
  assert.ok(text.includes(`href="${removal}"`));
  assert.match((await editor.open(removal)).text, /Remove <bdi>sample<\/bdi>\?[\s\S]*Will be deleted/);

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
  const [artist] = pages.app.slugsBeginning('artist', '', 1);
  const removals = await pages.app.removals('terminal:test');
  const report = await removals.forget(`artist/${artist}`, { name: 'keep' });
  assert.equal(report.is_file_rewritten, false);
  const traces = (await editor.open('/admin')).text;
  assert.match(traces, /may hold what was forgotten\.[^<]*<code>cratebase forget --sweep<\/code>/);
  assert.doesNotMatch(traces, /The service and its sources work/);
});
