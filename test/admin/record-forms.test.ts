/** Forms about records without scripts: rows of lists, refused forms that keep what was typed, records that do not exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheerioAPI, load } from 'cheerio/slim';
import { fromInputText } from '../../src/admin/records/values.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { importFeed } from '../support/program.ts';

const pages = await serveAdmin();
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-03T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  ...more,
});
importFeed(pages.dataFile, [
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', country: 'DE', aliases: ['V. Lindt', 'Linda'] },
  { kind: 'artist', external_id: 'b', name: 'Orrin', country: 'DE' },
  { kind: 'label', external_id: 'l', name: '1605' },
  { kind: 'label', external_id: 'm', name: 'Sub Label' },
  event('1', 'Club Night', {
    lineup: [
      { external_id: 'a', name: 'Vera Lindt', billing: 'headline' },
      { external_id: 'b', name: 'Orrin' },
    ],
    tickets: [{ seller: 'Eventix', url: 'https://tickets.example/1', price_min: 12.5, currency: 'EUR' }],
  }),
]);
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const night = '/admin/records/event~club-night-2027-12-03';
const artist = '/admin/records/artist~vera-lindt';

/** The fields of a form as a browser without scripts sends them. */
function fieldsOf($: CheerioAPI, form: string): Record<string, string> {
  const fields: Record<string, string> = {};
  $(`${form} input, ${form} textarea, ${form} select`).each((_, element) => {
    const one = $(element);
    const name = one.attr('name');
    if (name === undefined || one.attr('type') === 'checkbox') return;
    const chosen = one.find('option[selected]').attr('value') ?? one.find('option').first().attr('value');
    const value = one.is('select') ? chosen : one.is('textarea') ? one.text() : one.attr('value');
    fields[name] = value ?? '';
  });
  return fields;
}

/** Opens a page and sends its grid of fields with changes. */
async function save(path: string, changes: Record<string, string>) {
  const $ = load((await editor.open(path)).text);
  return editor.post($('form.grid').attr('action') ?? '', { ...fieldsOf($, 'form.grid'), ...changes });
}

const readEvent = async () => (await editor.open('/events/club-night-2027-12-03')).text;
/** The line-up that the record shows, as its form has it. */
async function lineup(): Promise<(string | undefined)[][]> {
  const fields = fieldsOf(load((await editor.open(night)).text), 'form.grid');
  const rows = Number(fields['rows.lineup']);
  return Array.from({ length: rows }, (_, at) =>
    ['name', 'billing', 'stage', 'set_start_at'].map((column) => fields[`lineup.${at}.${column}`]),
  ).filter(([name]) => name !== '');
}

test('a form that changes nothing says so', async () => {
  for (const path of [night, artist]) {
    const answer = await save(path, {});
    assert.match(String(answer.headers.location), /done=unchanged$/);
  }
});

test('acts, tickets, aliases and the venue are edited in rows', async () => {
  const answer = await save(night, {
    'lineup.1.stage': 'Floor 2',
    'lineup.1.set_start_at': '2027-12-04T02:00',
    'lineup.2.name': 'Juno Vale',
    'lineup.2.billing': 'support',
    'tickets.0.price_max': '18,50',
    'tickets.1.seller': 'Abendkasse',
    'tickets.1.url': 'https://tickets.example/2',
    'venue.0.name': 'Hafenhalle',
  });
  assert.match(String(answer.headers.location), /done=saved$/, answer.text);
  assert.deepEqual(
    (await lineup()).map((row) => row.slice(0, 3)),
    [
      ['Vera Lindt', 'headline', ''],
      ['Orrin', '', 'Floor 2'],
      ['Juno Vale', 'support', ''],
    ],
  );
  const page = await readEvent();
  assert.match(page, /Hafenhalle/);
  assert.match(page, /€.?12\.50[\s\S]{0,40}18\.50/);
  assert.match(page, /Abendkasse/);
  // An act that stays is the same artist as before.
  assert.match(page, /\/artists\/vera-lindt"/);

  const aliases = async () =>
    Object.entries(fieldsOf(load((await editor.open(artist)).text), 'form.grid'))
      .filter(([name, value]) => /^aliases\.\d+\.name$/.test(name) && value !== '')
      .map(([, value]) => value);
  const [first, second] = await aliases();
  const saved = await save(artist, { 'aliases.0.name': '', 'aliases.2.name': 'Velind' });
  assert.match(String(saved.headers.location), /done=saved$/);
  assert.deepEqual((await aliases()).sort(), [second, 'Velind'].sort());
  assert.notEqual(first, undefined);
});

test('"more rows" shows the form again with what was typed, without saving', async () => {
  const before = await lineup();
  const answer = await save(night, {
    'field.name': 'Another Night',
    'lineup.3.name': 'Not yet',
    more: 'lineup',
  });
  assert.equal(answer.status, 200);
  const $ = load(answer.text);
  assert.equal($('[name="field.name"]').attr('value'), 'Another Night');
  assert.equal($('[name="lineup.3.name"]').attr('value'), 'Not yet');
  const rows = Number($('[name="rows.lineup"]').attr('value'));
  assert.ok(rows >= 9, `${rows} rows`);
  assert.ok($(`[name="lineup.${rows - 5}.name"]`).attr('autofocus') !== undefined);
  assert.equal($('[role=alert]').length, 0);
  assert.deepEqual(await lineup(), before);
});

test('a refused edit keeps every value, and says at the input what is wrong', async () => {
  const before = await lineup();
  const changes = {
    'field.name': 'Night of Clubs',
    'field.country': 'Germany',
    'field.description': 'One\nTwo',
  };
  const answer = await save(night, changes);
  assert.equal(answer.status, 422);
  const $ = load(answer.text);
  assert.equal($('[name="field.name"]').attr('value'), 'Night of Clubs');
  assert.equal($('[name="field.country"]').attr('value'), 'Germany');
  assert.equal($('[name="field.description"]').text(), 'One\nTwo');
  assert.equal($('[name="field.country"]').attr('aria-invalid'), 'true');
  assert.match($('[id="field-field.country-error"]').text(), /ISO 3166-1/);
  assert.equal($('#errors a').attr('href'), '#field-field.country');

  for (const [row, input, reason] of [
    [{ 'lineup.0.name': '' }, 'lineup.0.name', /Row 1 has no name/],
    [{ 'tickets.0.price_min': 'cheap' }, 'tickets.0.price_min', /Row 1: a price is a number/],
    [{ 'venue.0.name': '' }, 'venue.0.name', /The venue has no name/],
  ] as const) {
    const refused = await save(night, row as Record<string, string>);
    assert.equal(refused.status, 422);
    assert.match(load(refused.text)(`[id="field-${input}-error"]`).text(), reason);
  }
  const badTime = load((await save(night, { 'lineup.0.set_start_at': 'midnight' })).text);
  assert.match(badTime('#field-lineup-error').text(), /is not a time/);
  assert.equal(badTime('[name="lineup.0.set_start_at"]').attr('value'), 'midnight');
  assert.deepEqual(await lineup(), before);
});

test('an edit after that of another editor is refused, and what was typed stays', async () => {
  const $ = load((await editor.open(artist)).text);
  const stale = fieldsOf($, 'form.grid');
  const action = $('form.grid').attr('action') ?? '';
  await save(artist, { 'field.country': 'FR' });
  const refused = await editor.post(action, {
    ...stale,
    'field.country': 'IT',
    'field.real_name': 'Vera L.',
  });
  assert.equal(refused.status, 422);
  const again = load(refused.text);
  assert.match(again('[id="field-field.country-error"]').text(), /country was changed by .*editor@example/);
  assert.equal(again('[name="field.country"]').attr('value'), 'IT');
  // The page has the present value now, so that the same form can be sent again.
  const saved = await editor.post(action, fieldsOf(again, 'form.grid'));
  assert.match(String(saved.headers.location), /done=saved$/, saved.text);
  const now = fieldsOf(load((await editor.open(artist)).text), 'form.grid');
  assert.deepEqual([now['field.country'], now['field.real_name']], ['IT', 'Vera L.']);
});

test('texts that begin with a bracket are texts', async () => {
  const texts = ['[SOLD OUT] Techno night', '[1]', '{"a": 1}', '{Night} of clubs'];
  for (const text of texts) {
    const saved = await save(night, { 'field.description': text, 'field.name': text });
    assert.match(String(saved.headers.location), /done=saved$/, saved.text);
    const fields = fieldsOf(load((await editor.open(night)).text), 'form.grid');
    // The parser of this test leaves references in texts of several lines.
    const description = fields['field.description']?.replaceAll('&quot;', '"');
    assert.deepEqual([description, fields['field.name']], [text, text]);
  }
  const genres = { type: 'names', is_list: true, name: 'genres' } as const;
  assert.deepEqual(fromInputText(genres, '[ambient]\n{dub}'), ['[ambient]', '{dub}']);
  const links = { type: 'links', is_list: true, name: 'links' } as const;
  assert.deepEqual(fromInputText(links, '{"url":"https://a.example"}\nhttps://b.example'), [
    { url: 'https://a.example' },
    'https://b.example',
  ]);
  await save(night, { 'field.description': '', 'field.name': 'Club Night' });
});

test('a record whose name is a number is named as the parent of a label', async () => {
  const parent = { type: 'name', is_list: false, name: 'parent' } as const;
  for (const text of ['1605', 'null', '"Heroes"', '{Night}', '[a]'])
    assert.equal(fromInputText(parent, text), text);
  assert.deepEqual(fromInputText(parent, '{"name":"1605"}'), { name: '1605' });
  const label = '/admin/records/label~sub-label';
  const saved = await save(label, { 'field.parent': '1605' });
  assert.match(String(saved.headers.location), /done=saved$/, saved.text);
  assert.match((await editor.open('/labels/sub-label')).text, /href="\/labels\/1605"/);
});

test('a record that is not added keeps its form, with rows', async () => {
  const first = await save('/admin/add-record', { name: 'Winterfest', 'lineup.0.name': 'Orrin' });
  assert.equal(first.status, 422);
  const $ = load(first.text);
  assert.equal($('[name=name]').attr('value'), 'Winterfest');
  assert.equal($('[name="lineup.0.name"]').attr('value'), 'Orrin');
  assert.match($('#field-start_at-error').text(), /Fill in this field/);
  const more = {
    ...fieldsOf($, 'form.grid'),
    start_at: '2027-12-18',
    venue: 'Kornspeicher',
    more: 'tickets',
  };
  const rows = load((await editor.post('/admin/add-record', more)).text);
  assert.equal(rows('[name="rows.tickets"]').attr('value'), '7');
  const place = { city: 'Hamburg', country: 'DE', end_at: '2027-12-17' };
  const late = await editor.post('/admin/add-record', { ...fieldsOf(rows, 'form.grid'), ...place });
  assert.match(load(late.text)('#field-end_at-error').text(), /is before start_at/);
  const ready = { ...fieldsOf(load(late.text), 'form.grid'), end_at: '' };
  const added = await editor.post('/admin/add-record', ready);
  assert.match(String(added.headers.location), /done=added$/, added.text);
});

test('other refused forms of a record stay on its page', async () => {
  const { text } = await editor.open(artist);
  const $ = load(text);
  const action = $('form.grid').attr('action') ?? '';
  const csrf = $('[name=csrf]').attr('value') ?? '';
  const noField = load((await editor.post(action, { csrf, do: 'reset' })).text);
  assert.match(noField('#field-reset-error').text(), /Choose at least one field/);
  const other = await editor.send(`${artist}/confirm?other=artist/nothing`);
  assert.equal(other.status, 422);
  assert.equal(load(other.text)('#field-other').attr('value'), 'artist/nothing');
  assert.match(load(other.text)('#field-other-error').text(), /There is no such record/);
  const forget = await editor.post(action, { csrf, do: 'forget', name: 'keep' });
  assert.equal(forget.status, 422);
  assert.equal(load(forget.text)('[name=name][value=keep]').attr('checked'), 'checked');
});

test('a record, an account and an entry that do not exist answer 404 with a page', async () => {
  const operator = await personWithRole(pages, 'operator@example.com', 'operator');
  for (const path of [
    '/admin/records/artist~nothing',
    '/admin/records/evt_999999',
    '/admin/accounts/acc_0',
  ]) {
    const answer = await operator.send(path);
    assert.equal(answer.status, 404, path);
    assert.match(load(answer.text)('h1').text(), /There is no such record|Page not found/);
  }
  const csrf = load((await operator.open('/admin')).text)('[name=csrf]').attr('value') ?? '';
  assert.equal((await operator.post('/admin/audit/999999/undo', { csrf })).status, 404);
});

test('a record is not asked to be merged with itself', async () => {
  const itself = await editor.send(`${artist}/confirm?other=artist/vera-lindt`);
  assert.equal(itself.status, 422);
  assert.match(itself.text, /That is this record itself/);
  const other = await editor.send(`${artist}/confirm?other=artist/orrin`);
  assert.equal(other.status, 200);
  assert.match(other.text, /Merge .*Orrin.* into .*Vera Lindt/);
});

test('the page of an event without a time zone says that its clock time is not shown', async () => {
  const nowhere = { kind: 'event', external_id: '7', name: 'Nowhere', start_at: '2027-12-08T23:00' };
  importFeed(pages.dataFile, [nowhere]);
  const path = '/admin/records/event~nowhere-2027-12-08';
  assert.match(load((await editor.open(path)).text)('.notice').text(), /no time zone is known/);
  assert.match(load((await editor.open(`${path}?lang=de`)).text)('.notice').text(), /keine Zeitzone bekannt/);
  await save(path, { 'field.timezone': 'Europe/Berlin' });
  assert.equal(load((await editor.open(path)).text)('.notice').length, 0);
});

test('the audit log shows lists of objects by their names, not as JSON', async () => {
  for (const [path, changes] of [
    [artist, { 'field.external_ids': '{"discogs": "28795"}' }],
    [night, { 'lineup.2.name': '', 'lineup.2.billing': '' }],
  ] as const)
    assert.match(String((await save(path, changes)).headers.location), /done=saved/);
  const $ = load((await editor.open('/admin/audit?action=record.&lang=en')).text);
  const rows = $('ol.rows > li').slice(0, 2).text();
  assert.doesNotMatch(rows, /[[{]"/);
  assert.match(rows, /Line-upVera Lindt, Orrin, Juno Vale → Vera Lindt, Orrin/i);
  assert.match(rows, /discogs: 28795/);
});
