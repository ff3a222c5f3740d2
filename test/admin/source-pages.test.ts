/** The page of a source: held records, the preview of changed rules, all runs, and rejected records. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { importFeed } from '../support/program.ts';

const pages = await serveAdmin();
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const feed = join(dirname(pages.dataFile), 'tips.ndjson');
const event = (id: string, name: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2099-05-01T22:00',
  venue: { name: `Club ${id}`, city: 'Berlin', country: 'DE' },
});
const list = (...events: object[]): void =>
  writeFileSync(feed, events.map((one) => JSON.stringify(one)).join('\n'));

const registry = await pages.app.sources({ baseUrl: null, fetchAllow: [] });
const broken = { ...event('4', 'Broken'), start_at: 'soon' };
list(event('1', 'First Night'), event('2', 'Second Night'), event('3', 'Karaoke Night'), broken);
registry.add({ name: 'tips', type: 'feed', url: feed, rules: { hold: true } }, 'terminal:test');
await registry.sync('tips');

const isPublished = async (slug: string): Promise<boolean> =>
  (await editor.send(`/events/${slug}`)).status === 200;
const held = '/admin/source/held?name=tips';

/** Sends a form of the page of held records. */
async function decide(fields: Record<string, string>) {
  const { text } = await editor.open(held);
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return editor.post('/admin/source/held', { csrf, name: 'tips', ...fields });
}

test('a held record is approved and published; another is rejected and approved later', async () => {
  assert.match((await editor.open('/admin/source?name=tips')).text, /3 records to approve/);
  const { text } = await editor.open(held);
  assert.match(text, /First Night<\/bdi>[\s\S]*event · 1 May 2099, 22:00 · Club 1 · Berlin/);
  const none = await decide({ do: 'approve' });
  assert.equal(none.status, 422, 'without a choice');
  assert.match(none.text, /<a href="#field-record">Choose at least one record\.<\/a>/);
  assert.match(none.text, /id="field-record"[^>]* aria-describedby="field-record-error"/);
  assert.equal((await decide({ do: 'publish-all' })).status, 400);
  assert.equal((await decide({ do: 'approve', record: 'event:nothing' })).status, 422);

  const approved = await decide({ do: 'approve', record: 'event:1' });
  assert.equal(approved.headers.location, '/admin/source/held?name=tips&done=approved');
  assert.ok(await isPublished('first-night-2099-05-01'));
  assert.ok(!(await isPublished('second-night-2099-05-01')));
  const [entry] = pages.app.auditLog().list({ limit: 1 });
  assert.deepEqual([entry?.action, entry?.actor], ['source.approve', 'account:editor@example.com']);

  const rejected = await decide({ do: 'reject', record: 'event:2' });
  assert.equal(rejected.headers.location, '/admin/source/held?name=tips&done=rejected');
  assert.doesNotMatch((await editor.open(held)).text, /Second Night/);
  const others = (await editor.open(`${held}&state=rejected`)).text;
  assert.match(others, /Second Night/);
  assert.doesNotMatch(others, /value="reject"/);
  await decide({ do: 'approve', record: 'event:2' });
  assert.ok(await isPublished('second-night-2099-05-01'));
});

test('the effect of changed rules is shown before they are saved', async () => {
  await decide({ do: 'approve', record: 'event:3' });
  assert.ok(await isPublished('karaoke-night-2099-05-01'));
  const form = { exclude: '*karaoke*', trust: '60', every: '24h', hold: '1', city: 'Berlin' };
  const { text } = await editor.fill('/admin/source?name=tips', { ...form, do: 'preview' }, '/admin/source');
  assert.match(text, /Nothing is saved yet[\s\S]*Left out<\/h3>[\s\S]*Karaoke Night[\s\S]*Stay<\/h3>/);
  assert.match(text, /<dt>Are left out<\/dt><dd>1 record<\/dd>/);
  assert.match(text, />\*karaoke\*<\/textarea>/);
  assert.match(text, /name="trust"[^>]* value="60"/);
  const { rules, trust } = await registry.show('tips');
  assert.deepEqual([rules.exclude, rules.default_city, trust], [[], null, 50]);

  const wrong = { ...form, country: 'Germany', do: 'preview' };
  const refused = await editor.fill('/admin/source?name=tips', wrong, '/admin/source');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="country" aria-describedby="field-country-error field-country-hint"/);
  assert.match(refused.text, /aria-invalid="true" value="Germany"/);
  assert.match(refused.text, />\*karaoke\*<\/textarea>/);
});

test('all runs and rejected records have pages', async () => {
  list(event('1', 'First Night'), broken);
  for (let run = 0; run < 6; run += 1) await registry.sync('tips', { byHand: true, force: true });
  const { text } = await editor.open('/admin/source?name=tips');
  assert.equal(text.match(/<td class="number">1<\/td><td class="number">1<\/td>/g)?.length, 5);
  assert.match(text, /href="\/admin\/source\/runs\?name=tips">All runs/);
  const runs = (await editor.open('/admin/source/runs?name=tips')).text;
  assert.match(runs, /7 runs/);
  assert.match(text, /href="\/admin\/source\/rejected\?name=tips">All rejected records/);
  assert.match((await editor.open('/admin/source/rejected?name=tips')).text, /1 record<[\s\S]*start_at/);
});

test('a preview begins with the next events', async () => {
  const nights = ['2000-01-02', '2099-03-01', '2098-12-24'].map((day) => ({
    ...event(day, `Night ${day}`),
    start_at: `${day}T22:00`,
  }));
  const location = join(dirname(pages.dataFile), 'nights.ndjson');
  writeFileSync(location, nights.map((one) => JSON.stringify(one)).join('\n'));
  const { preview } = await registry.previewUrl({ name: 'nights', type: 'feed', url: location });
  assert.deepEqual(
    preview.kept.map(({ external_id }) => external_id),
    ['2098-12-24', '2099-03-01', '2000-01-02'],
  );
});

test('the removal page names the records that are hidden', async () => {
  const removals = await pages.app.removals('terminal:test');
  await removals.hide('event/first-night-2099-05-01');
  const { text } = await editor.open('/admin/source/remove?name=tips');
  assert.match(text, /These are hidden or deleted already, and stay so: 1 event\./);
});

test('the page of a source without a schedule says when it was imported, not that it was never read', async () => {
  importFeed(pages.dataFile, [event('9', 'By Hand')], 'by-hand');
  for (const [language, imported, byHand] of [
    ['en', 'Last import', 'It has no schedule'],
    ['de', 'Letzter Import', 'Sie hat keinen Zeitplan'],
  ] as const) {
    const { text } = await editor.open(`/admin/source?name=by-hand&lang=${language}`);
    assert.match(text, new RegExp(`${imported}</dt><dd><time`));
    assert.match(text, new RegExp(byHand));
    assert.doesNotMatch(text, /Last success|Letzter Erfolg/);
    assert.match((await editor.open(`/admin/sources?lang=${language}`)).text, /by-hand[\s\S]{0,400}<time/);
  }
});
