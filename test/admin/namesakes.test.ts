/** Artists of one name in the rows of a form: each row keeps its record, and a new name asks which one is meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheerioAPI, load } from 'cheerio/slim';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { importFeed } from '../support/program.ts';

const pages = await serveAdmin();
const nina = (id: string, country: string, genre: string) => ({
  kind: 'artist',
  external_id: id,
  name: 'Nina',
  country,
  external_ids: { discogs: id },
  genres: [genre],
});
importFeed(pages.dataFile, [
  nina('1', 'DE', 'Techno'),
  nina('2', 'US', 'House'),
  {
    kind: 'event',
    external_id: 'e1',
    name: 'Club Night',
    start_at: '2027-12-03T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    lineup: [
      { external_id: '1', name: 'Nina' },
      { external_id: '2', name: 'Nina', stage: 'Cellar' },
    ],
  },
]);
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const night = '/admin/records/event~club-night-2027-12-03';
const key = await editor.createKey('test');

function fieldsOf($: CheerioAPI): Record<string, string> {
  const inputs = $('form.grid input, form.grid textarea, form.grid select').toArray();
  return Object.fromEntries(
    inputs.map((element) => {
      const one = $(element);
      const chosen = one.find('option[selected]').attr('value') ?? one.find('option').first().attr('value');
      const value = one.is('select') ? chosen : one.is('textarea') ? one.text() : one.attr('value');
      return [one.attr('name') ?? '', value ?? ''];
    }),
  );
}
async function save(path: string, changes: Record<string, string>, form = 'form.grid') {
  const $ = load((await editor.open(path)).text);
  return editor.post($(form).attr('action') ?? '', { ...fieldsOf($), ...changes });
}
async function slugs(event = 'club-night-2027-12-03'): Promise<string[]> {
  const { json } = await editor.send(`/api/v1/events/${event}/lineup`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (json() as { data: { slug: string }[] }).data.map(({ slug }) => slug);
}
const [first = '', second = ''] = await slugs();

test('each row says which artist it is, and the other one stays when one is taken out', async () => {
  const $ = load((await editor.open(night)).text);
  const hints = $('[id^="field-lineup."][id$=".name-hint"]')
    .toArray()
    .map((one) => $(one).text());
  assert.deepEqual(hints, [
    `artist/${first} · DE · Techno · 1 event`,
    `artist/${second} · US · House · 1 event`,
  ]);
  const answer = await save(night, { 'lineup.0.name': '' });
  assert.match(String(answer.headers.location), /done=saved$/, answer.text);
  assert.deepEqual(await slugs(), [second]);
});

test('a name that two have asks which one, with suggestions; artist/… answers', async () => {
  const asked = await save(night, { 'lineup.1.name': 'nina' });
  assert.equal(asked.status, 422);
  const $ = load(asked.text);
  const error = $('[id="field-lineup.1.name-error"]').text();
  assert.match(error, /^2 artists have the name “nina”\. Write which one you mean: artist\/nina/);
  const options = $('[id="field-lineup.1.name-list"] option').toArray();
  assert.deepEqual(
    options.map((one) => [$(one).attr('value'), $(one).text()]),
    [
      [`artist/${second}`, 'Nina · US · House · 1 event'],
      [`artist/${first}`, 'Nina · DE · Techno'],
    ].map(([value, text]) => [value, value === `artist/${first}` ? `${text} · 0 events` : text]),
  );
  assert.deepEqual(await slugs(), [second]);
  const chosen = await save(night, { 'lineup.1.name': `artist/${first}`, 'lineup.1.stage': 'Garden' });
  assert.match(String(chosen.headers.location), /done=saved$/, chosen.text);
  assert.deepEqual(await slugs(), [second, first]);
  // Saved again with another change, both rows stay what they are.
  await save(night, { 'lineup.0.stage': 'Roof' });
  assert.deepEqual(await slugs(), [second, first]);
});

test('an artist that does not exist is refused at the line-up; a new event asks as well', async () => {
  const missing = await save(night, { 'lineup.2.name': 'artist/nina-99' });
  assert.equal(missing.status, 422);
  assert.match(
    missing.text,
    /There is no artist &quot;artist\/nina-99&quot;|There is no artist "artist\/nina-99"/,
  );
  const event = {
    name: 'Day Party',
    start_at: '2027-12-05T14:00',
    venue: 'Kornspeicher',
    city: 'Hamburg',
    country: 'DE',
  };
  const add = '/admin/add-record?kind=event';
  const asked = await save(add, { ...event, 'lineup.0.name': 'Nina' });
  assert.equal(asked.status, 422);
  assert.match(asked.text, /2 artists have the name/);
  const added = await save(add, { ...event, 'lineup.0.name': `artist/${second}` });
  assert.match(String(added.headers.location), /done=added$/, added.text);
  assert.deepEqual(await slugs('day-party-2027-12-05'), [second]);
});

test('every new name of a long line-up is checked', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `Somebody ${at}`);
  names[120] = 'Nina';
  const $ = load((await editor.open(night)).text);
  const rows = Object.fromEntries(names.map((name, at) => [`lineup.${at}.name`, name]));
  const fields = { ...fieldsOf($), 'rows.lineup': String(names.length), ...rows };
  const before = await slugs();
  const asked = await editor.post($('form.grid').attr('action') ?? '', fields);
  assert.equal(asked.status, 422);
  assert.match(
    load(asked.text)('[id="field-lineup.120.name-error"]').text(),
    /^2 artists have the name “Nina”/,
  );
  assert.deepEqual(await slugs(), before);
});

test('a new name in a line-up is reported after the save, with a link to the new record', async () => {
  const saved = await save(night, { 'lineup.2.name': 'Orrin Vale' });
  assert.equal(saved.status, 303, saved.text);
  for (const [language, title] of [
    ['en', /^The catalogue did not have this record/],
    ['de', /^Diesen Eintrag hatte der Katalog noch nicht/],
  ] as const) {
    const { text } = await editor.open(`${saved.headers.location}&lang=${language}`);
    const notice = load(text)('.notice:not(.good)');
    assert.match(notice.find('p').text(), title);
    const links = notice.find('li a').toArray();
    const $ = load(text);
    assert.deepEqual(links.map((one) => $(one).text()).sort(), ['Orrin Vale']);
    const { status } = await editor.open($(links[0]).attr('href') ?? '');
    assert.equal(status, 200);
  }
  // Later visits of the page do not repeat it.
  assert.equal(load((await editor.open(night)).text)('.notice').length, 0);
});
