/** The console's pages about records, accounts, settings and the audit log in German. A page is in one language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'cheerio/slim';
import { editableFields } from '../../src/contract/editable-fields.ts';
import { undoableActions } from '../../src/contract/undo.ts';
import * as de from '../../src/pages/messages/de.ts';
import * as en from '../../src/pages/messages/en.ts';
import type { Person } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { textsOnlyIn, visibleText } from '../support/languages.ts';
import { type Answer, importFeed } from '../support/program.ts';

const pages = await serveAdmin();
importFeed(pages.dataFile, [
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', country: 'DE' },
  { kind: 'artist', external_id: 'b', name: 'Orrin', country: 'DE' },
  {
    kind: 'event',
    external_id: '1',
    name: 'Zwischenlicht',
    start_at: '2027-12-03T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    lineup: [{ external_id: 'a', name: 'Vera Lindt' }],
  },
]);
// A doubtful pair for the review.
const doubtful = {
  kind: 'event',
  start_at: '2027-12-10T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg' },
};
importFeed(
  pages.dataFile,
  [{ ...doubtful, external_id: '8', name: 'Club Night', lineup: [{ name: 'Vera Lindt' }] }],
  'one',
);
importFeed(pages.dataFile, [{ ...doubtful, external_id: '9', name: 'Friday Party' }], 'two');
const operator = await personWithRole(pages, 'operator@example.com', 'operator');
const { id } = await pages.access.accounts.create({ email: 'ada@example.com' }, 'terminal:root');
const artist = '/admin/records/artist~vera-lindt';
const night = '/admin/records/event~zwischenlicht-2027-12-03';

const englishOnly = textsOnlyIn(en, de);
const germanOnly = textsOnlyIn(de, en);

/** The page is in one language, from its title to its footer. */
function assertLanguage(answer: Answer, language: 'de' | 'en'): ReturnType<typeof load> {
  const $ = load(answer.text);
  const where = `${answer.status} ${$('title').text()}`;
  assert.equal($('html').attr('lang'), language, where);
  assert.equal(answer.headers['content-language'], language, where);
  // Commands, names of options and of the catalogue, and what people wrote.
  $('main code, main bdi, main table, main [lang=en], datalist').remove();
  const text = visibleText($);
  const found = (language === 'de' ? englishOnly : germanOnly).filter((pattern) => pattern.test(text));
  assert.deepEqual(
    found.map(({ source }) => source),
    [],
    where,
  );
  return load(answer.text);
}

async function inGerman<T>(person: Person, use: () => Promise<T>): Promise<T> {
  person.cookies.set('cratebase_language', 'de');
  const result = await use();
  person.cookies.delete('cratebase_language');
  return result;
}

const paths = [
  '/admin/records',
  '/admin/records?q=vera',
  '/admin/add-record',
  '/admin/add-record?kind=artist',
  '/admin/add-record?kind=venue',
  artist,
  night,
  `${artist}/forget`,
  `${artist}/confirm?other=artist/orrin`,
  '/admin/accounts',
  '/admin/new-account',
  `/admin/accounts/${id}`,
  `/admin/accounts/${id}/delete`,
  `/admin/accounts/${id}/second-factor`,
  '/admin/settings',
  '/admin/audit',
  '/admin/review',
  '/admin/welcome',
  '/admin/records/artist~nothing',
  '/admin/nothing-here',
];

test('each page is wholly in the language of the visitor', async () => {
  for (const path of paths) {
    assertLanguage(await inGerman(operator, () => operator.send(path)), 'de');
    assertLanguage(await operator.send(path), 'en');
  }
});

test('the review is German, with the stored evidence in English', async () => {
  const { text } = await inGerman(operator, () => operator.send('/admin/review'));
  const $ = load(text);
  assert.match($('#pair').text(), /^1 zu entscheiden: Ist das dasselbe Event\?$/);
  assert.match($('main nav').text(), /Alle \(1\)/);
  assert.deepEqual(
    $('.verdicts button')
      .toArray()
      .map((one) => `${$(one).text()} ${$(one).attr('data-key')}`),
    ['Gleichs s', 'Verschiedend d', 'Späterl l'],
  );
  assert.match($('table.compare').text(), /Beginn.*10\. Dez\.? 2027, 23:00/s);
  assert.ok($('.weights [lang=en]').length > 0);
});

test('the keys of the review are the same in both languages', async () => {
  const keysOf = async () => {
    const $ = load((await operator.send('/admin/review')).text);
    return $('.verdicts form')
      .toArray()
      .map((form) => [
        $(form).find('input[name=verdict]').attr('value'),
        $(form).find('button').attr('data-key'),
        $(form).find('kbd').text(),
      ]);
  };
  const english = await keysOf();
  assert.deepEqual(english, [
    ['same', 's', 's'],
    ['different', 'd', 'd'],
    ['later', 'l', 'l'],
  ]);
  assert.deepEqual(await inGerman(operator, keysOf), english);
});

test('the address names a language, and the page links to itself in the other one', async () => {
  const $ = assertLanguage(await operator.send('/admin/accounts?role=user&lang=de'), 'de');
  assert.equal($('.foot [hreflang=en]').attr('href'), '/admin/accounts?role=user&lang=en');
  operator.cookies.delete('cratebase_language');
});

test('pages of refused forms are German; a message of the program stands in them in English', async () => {
  await inGerman(operator, async () => {
    const send = (page: string, fields: Record<string, string>, action = page) =>
      operator.fill(page, fields, action);
    const account = assertLanguage(await send('/admin/new-account', { email: 'x' }), 'de');
    assert.match(account('#field-email-error').text(), /E-Mail-Adresse der Form/);
    const limits = `/admin/accounts/${id}`;
    assertLanguage(await send(limits, { month: 'viele' }, `${limits}/limits`), 'de');
    const identity = { 'identity-accent': 'blau' };
    const accent = assertLanguage(await send('/admin/settings', identity, '/admin/settings/identity'), 'de');
    assert.match(accent('#field-identity-accent-error').text(), /Dieser Wert geht so nicht/);
    const plan = { plan: 'free', 'free-month': '1', 'free-window': '1' };
    assertLanguage(await send('/admin/settings', plan, '/admin/settings/plan'), 'de');
    const form = load((await operator.open(night)).text);
    const action = form('form.grid').attr('action') ?? '';
    const hidden = Object.fromEntries(
      form('form.grid [type=hidden]')
        .toArray()
        .map((one) => [form(one).attr('name') ?? '', form(one).attr('value') ?? '']),
    );
    const act = { 'lineup.0.name': '', 'lineup.0.stage': 'Halle' };
    const place = { 'venue.0.name': 'Kornspeicher', 'venue.0.city': 'Hamburg', 'venue.0.country': 'DE' };
    const refused = assertLanguage(await operator.post(action, { ...hidden, ...act }), 'de');
    assert.match(refused('[id="field-lineup.0.name-error"]').text(), /Zeile 1 hat keinen Namen/);
    const country = { ...hidden, ...place, 'lineup.0.name': 'Vera Lindt', 'field.country': 'Deutschland' };
    const wrong = assertLanguage(await operator.post(action, country), 'de');
    assert.match(wrong('[id="field-field.country-error"]').text(), /ein Land mit zwei Buchstaben/);
    const age = { ...country, 'field.country': 'DE', 'field.minimum_age': 'alt' };
    const inEnglish = assertLanguage(await operator.post(action, age), 'de');
    assert.match(inEnglish('[id="field-field.minimum_age-error"] [lang=en]').text(), /\w/);
    assert.match(wrong('[id="field-field.country-hint"]').text(), /Zwei Buchstaben, zum Beispiel DE/);
    assertLanguage(await send('/admin/add-record', { name: '' }), 'de');
    const stale = await operator.post('/admin/new-account', { csrf: 'x' });
    assertLanguage(stale, 'de');
  });
});

test('the page of the first start is German, too', async () => {
  const fresh = await serveAdmin();
  const { token } = await fresh.access.operatorLinks.create('terminal:test');
  const { Person } = await import('../support/account-pages.ts');
  const visitor = new Person(fresh);
  visitor.cookies.set('cratebase_language', 'de');
  await visitor.send(`/admin/start?token=${token}`);
  assertLanguage(await visitor.open('/admin/start'), 'de');
  const refused = await visitor.fill('/admin/start', {
    email: 'x',
    password: 'y',
    'identity-homeCity': 'Atlantis',
  });
  assert.equal(refused.status, 422);
  const $ = assertLanguage(refused, 'de');
  assert.equal($('#field-identity-homeCity').attr('value'), 'Atlantis');
  assert.equal($('#field-email').attr('value'), 'x');
  assertLanguage(await visitor.send('/admin/start?token=void'), 'de');
});

test('each editable field has a German name, and each action a sentence in both languages', () => {
  const names = new Set(Object.values(editableFields).flatMap((fields) => Object.keys(fields)));
  const { fields, actions } = de.consoleRecords;
  assert.deepEqual(
    [...names].filter((name) => fields[name] === undefined),
    [],
  );
  assert.deepEqual(Object.keys(actions).sort(), Object.keys(en.consoleRecords.actions).sort());
  assert.deepEqual(
    Object.keys(undoableActions).filter((name) => actions[name] === undefined),
    [],
  );
  assert.deepEqual(Object.keys(de.consoleEdit.history).sort(), Object.keys(en.consoleEdit.history).sort());
  assert.deepEqual(
    Object.keys(de.consoleOperator.settings.fields).sort(),
    Object.keys(en.consoleOperator.settings.fields).sort(),
  );
});
