/** The console's pages about sources: refused forms, missing sources, pages of held records, counts, both languages. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { load } from 'cheerio/slim';
import * as de from '../../src/pages/messages/de.ts';
import * as en from '../../src/pages/messages/en.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { textsOnlyIn, visibleText } from '../support/languages.ts';

const pages = await serveAdmin();
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const feed = join(dirname(pages.dataFile), 'tips.ndjson');
const event = (id: number) => ({
  kind: 'event',
  external_id: `e${id}`,
  name: `Night ${id}`,
  start_at: '2099-05-01T22:00',
  venue: { name: `Club ${id}`, city: 'Berlin', country: 'DE' },
});
const list = (...ids: number[]): void =>
  writeFileSync(feed, ids.map((id) => JSON.stringify(event(id))).join('\n'));
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const registry = await pages.app.sources({ baseUrl: null, fetchAllow: [] });
list(...range(120));
registry.add({ name: 'held', type: 'feed', url: feed, rules: { hold: true } }, 'terminal:test');
await registry.sync('held');
list(1, 2, 3);
registry.add({ name: 'club', type: 'feed', url: feed, complete: true }, 'terminal:test');
await registry.sync('club');

const settings = '/admin/source?name=club';

test('refused settings stay in the form, each with its error', async () => {
  const form = { trust: 'abc', every: '1s', country: 'Germany', city: 'Berlin', do: 'set' };
  const { status, text } = await editor.fill(
    settings,
    { ...form, onMissing: 'after', onMissingAfter: 'soon', exclude: '*karaoke*' },
    '/admin/source',
  );
  assert.equal(status, 422);
  const $ = load(text);
  const inputs = ['trust', 'every', 'country', 'onMissingAfter'];
  for (const name of inputs) {
    const input = $(`#field-${name}`);
    assert.equal(input.attr('aria-invalid'), 'true', name);
    assert.match(input.attr('aria-describedby') ?? '', new RegExp(`^field-${name}-error`));
    assert.notEqual($(`#field-${name}-error`).text(), '', name);
    assert.equal($(`#errors a[href="#field-${name}"]`).length, 1, name);
  }
  assert.equal($('#errors li').length, inputs.length);
  assert.ok($('#errors').is('[autofocus][tabindex="-1"]'));
  assert.equal($('#field-trust').attr('value'), 'abc');
  assert.equal($('#field-city').attr('value'), 'Berlin');
  assert.equal($('#field-exclude').text(), '*karaoke*');
  assert.equal($('#field-onMissing option[selected]').attr('value'), 'after');
  const { trust, rules } = await registry.show('club');
  assert.deepEqual([trust, rules.exclude, rules.on_missing], [50, [], 'cancel']);
});

test('the choice for events that are no longer listed is saved and shown', async () => {
  const form = { trust: '50', every: '24h', complete: '1', do: 'set' };
  const choose = (choice: object) => editor.fill(settings, { ...form, ...choice }, '/admin/source');
  const later = await choose({ onMissing: 'after', onMissingAfter: '12h' });
  assert.equal(later.headers.location, '/admin/source?name=club&done=saved');
  assert.equal((await registry.show('club')).rules.on_missing, 'remove:12h');
  const $ = load((await editor.open(settings)).text);
  assert.equal($('#field-onMissing option[selected]').attr('value'), 'after');
  assert.equal($('#field-onMissingAfter').attr('value'), '12h');
  await choose({ onMissing: 'remove', onMissingAfter: 'unused' });
  assert.equal((await registry.show('club')).rules.on_missing, 'remove');
  await choose({ onMissing: 'cancel', onMissingAfter: '' });
  assert.equal((await registry.show('club')).rules.on_missing, 'cancel');
});

test('a setting that another editor changed meanwhile stays', async () => {
  const read = (text: string): Record<string, string> => {
    const $ = load(text);
    const inputs = $('form.grid').find('input:not([type=checkbox]), input[checked], textarea, select');
    return Object.fromEntries(
      inputs.toArray().map((one) => {
        const input = $(one);
        const value = input.is('select') ? input.find('[selected]').attr('value') : input.attr('value');
        return [input.attr('name') ?? '', (input.is('textarea') ? input.text() : value) ?? ''];
      }),
    );
  };
  const form = { ...read((await editor.open(settings)).text), do: 'set' };
  await registry.set('club', { trust: '70', hold: true }, 'terminal:other');
  const saved = await editor.post('/admin/source', { ...form, city: 'Berlin' });
  assert.equal(saved.headers.location, '/admin/source?name=club&done=saved');
  const { trust, rules } = await registry.show('club');
  assert.deepEqual([trust, rules.hold, rules.default_city], [70, true, 'Berlin']);
  const [entry] = pages.app.auditLog().list({ action: 'source.set', limit: 1 });
  assert.deepEqual(Object.keys(entry?.details.after ?? {}), ['default_city']);
  // A form that was refused is sent again: it still changes only what its person changed.
  const refused = await editor.post('/admin/source', { ...form, trust: '50', city: '', country: 'Germany' });
  assert.equal(refused.status, 422);
  const fixed = { ...read(refused.text), country: 'DE', do: 'set' };
  assert.equal((await editor.post('/admin/source', fixed)).status, 303);
  const after = await registry.show('club');
  assert.deepEqual([after.trust, after.rules.hold, after.rules.default_country], [70, true, 'DE']);
  await registry.set('club', { trust: '50', hold: false, city: '', country: '' }, 'terminal:other');
});

test('a page about a source that does not exist has the status 404', async () => {
  const paths = ['source', 'source/held', 'source/runs', 'source/rejected', 'source/remove'];
  for (const path of paths) {
    const { status, text } = await editor.send(`/admin/${path}?name=nothing`);
    assert.equal(status, 404, path);
    assert.match(text, /There is no source “nothing”/);
  }
  for (const action of ['run', 'pause', 'set', 'preview']) {
    const form = { name: 'nothing', do: action };
    assert.equal((await editor.fill(settings, form, '/admin/source')).status, 404, action);
  }
  const purge = { name: 'nothing', way: 'purge', sure: '1' };
  const answer = await editor.fill('/admin/source/remove?name=club', purge, '/admin/source/remove');
  assert.equal(answer.status, 404);
});

test('held records have pages; those of one are approved or rejected together', async () => {
  const held = '/admin/source/held?name=held';
  const first = load((await editor.open(held)).text);
  assert.equal(first('input[name=record]').length, 50);
  assert.equal(first('.list-end').text().trim(), '1 to 50 of 120Next 50');
  const second = await editor.open(`${held}&state=waiting&from=50`);
  const $ = load(second.text);
  assert.match($('.list-end').text(), /51 to 100 of 120.*Previous 50.*Next 20/);
  const form = new URLSearchParams({ name: 'held', state: 'waiting', from: '50', do: 'reject-page' });
  form.set('csrf', $('main input[name=csrf]').attr('value') ?? '');
  for (const one of $('input[name=listed]').toArray()) form.append('listed', $(one).attr('value') ?? '');
  const answer = await editor.send('/admin/source/held', {
    method: 'POST',
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.headers.location, '/admin/source/held?name=held&from=50&done=rejected');
  const after = registry.held('held');
  assert.deepEqual([after.waiting, after.rejected], [70, 50]);
  assert.match((await editor.open(`${held}&from=50`)).text, /51 to 70 of 70/);
  assert.match((await editor.open(`${held}&from=5000`)).text, /1 to 50 of 70/);
});

test('the list, the page of a source and its removal name one count in the same words', async () => {
  list(1, 2);
  await registry.sync('club', { byHand: true });
  assert.match((await editor.open('/admin/sources')).text, /feed, 2 records listed/);
  const page = (await editor.open(settings)).text;
  assert.match(page, /<dt>Records<\/dt><dd>2 records listed/);
  assert.match(page, /2 listed only here, 0 listed by other sources too/);
  const removal = (await editor.open('/admin/source/remove?name=club')).text;
  assert.match(removal, /Its records \(2 records listed\) stay/);
  assert.match(removal, /Will be deleted: 2 records listed, 1 record no longer listed\./);
});

test('a removal without the confirmation shows the page again', async () => {
  const form = { way: 'purge' };
  const path = '/admin/source/remove?name=club';
  const { status, text } = await editor.fill(path, form, '/admin/source/remove');
  assert.equal(status, 422);
  assert.match(text, /id="field-sure"[^>]* aria-describedby="field-sure-error" aria-invalid="true"/);
  assert.ok(registry.names().includes('club'));
});

test('the address of a refused source stays in the form with its error', async () => {
  const form = { url: '/etc/passwd', name: 'mine', type: 'ical' };
  const { status, text } = await editor.fill('/admin/sources/add', form, '/admin/sources/preview');
  const $ = load(text);
  assert.equal(status, 422);
  assert.match($('#field-url-error').text(), /begins with https/);
  assert.equal($('#field-url').attr('value'), '/etc/passwd');
  assert.equal($('#field-name').attr('value'), 'mine');
  assert.equal($('#field-type option[selected]').attr('value'), 'ical');
});

test('a run is waited for until it is stored', async () => {
  const state = async (query: string) =>
    JSON.parse((await editor.open(`/admin/source/progress?name=club&${query}`)).text) as {
      busy: boolean;
      text: string;
    };
  const [last] = registry.runs('club');
  assert.ok(last);
  const waiting = await state(`after=${last.id}&at=${Date.now()}`);
  assert.deepEqual(waiting, { busy: true, text: en.consoleSources.progress.waiting });
  const ended = await state(`after=${last.id - 1}&at=${Date.now()}`);
  assert.deepEqual(ended, { busy: false, text: en.consoleSources.progress.read });
  const lost = await state(`after=${last.id}&at=${Date.now() - 60_000}`);
  assert.deepEqual(lost, { busy: false, text: en.consoleSources.progress.idle });
});

test('the pages are in one language as a whole, also refused forms', async () => {
  const german = await personWithRole(pages, 'german@example.com', 'editor');
  german.cookies.set('cratebase_language', 'de');
  const [englishOnly, germanOnly] = [textsOnlyIn(en, de), textsOnlyIn(de, en)];
  const paths = ['', '/sources', '/sources/add', '/source?name=club', '/source?name=nothing'];
  paths.push('/source/held?name=held', '/source/runs?name=club', '/source/rejected?name=club');
  paths.push('/source/remove?name=club', '/source/held?name=held&state=rejected');
  const check = (
    { text, headers }: Awaited<ReturnType<typeof german.send>>,
    language: string,
    path: string,
  ) => {
    const $ = load(text);
    assert.equal($('html').attr('lang'), language, path);
    assert.equal(headers['content-language'], language, path);
    $('main code, main [lang], main bdi').remove();
    const foreign = language === 'de' ? englishOnly : germanOnly;
    const found = foreign.filter((pattern) => pattern.test(visibleText($)));
    assert.deepEqual(
      found.map(({ source }) => source),
      [],
      path,
    );
  };
  for (const path of paths) {
    check(await german.send(`/admin${path}`), 'de', path);
    check(await editor.send(`/admin${path}`), 'en', path);
  }
  const form = { trust: 'abc', country: 'Germany', do: 'set' };
  const refused = await german.fill(settings, form, '/admin/source');
  check(refused, 'de', 'refused');
  assert.match(refused.text, /Das Vertrauen ist eine ganze Zahl von 0 bis 100\./);
});

test('the list of sources has pages of 100, and names the number of all', async () => {
  const more = range(103);
  for (const n of more) registry.add({ name: `more ${n}`, type: 'feed', url: feed }, 'terminal:test');
  const all = registry.list().length;
  const first = load((await editor.open('/admin/sources')).text);
  assert.equal(first('#live .rows > li').length, 100);
  assert.equal(first('#all').text(), `${all} sources`);
  assert.equal(first('.list-end').text().trim(), `1 to 100 of ${all}Next ${all - 100}`);
  const second = load((await editor.open('/admin/sources?from=100')).text);
  assert.equal(second('#live .rows > li').length, all - 100);
});
