/** What the catalogue refuses is said in German on German pages: in forms, and on pages of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'cheerio/slim';
import type { Person } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { importFeed } from '../support/program.ts';

const pages = await serveAdmin();
const event = (id: string, name: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-03T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
});
importFeed(pages.dataFile, [
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', country: 'DE' },
  { kind: 'artist', external_id: 'b', name: 'Orrin', country: 'DE' },
  event('1', 'Zwischenlicht'),
]);
const operator = await personWithRole(pages, 'operator@example.com', 'operator');
operator.cookies.set('lang', 'de');
const artist = '/admin/records/artist~vera-lindt';
const night = '/admin/records/event~zwischenlicht-2027-12-03';

async function csrfOf(person: Person): Promise<string> {
  return load((await person.open('/admin/add-record')).text)('input[name=csrf]').attr('value') ?? '';
}
/** Sends fields to a page, and returns its status, language and main text; no word of it is marked as English. */
async function send(path: string, fields: Record<string, string>) {
  const answer = await operator.post(
    path,
    { csrf: await csrfOf(operator), ...fields },
    { 'accept-language': 'de', referer: pages.url + path },
  );
  const $ = load(answer.text);
  assert.equal($('html').attr('lang'), 'de', `${answer.status} ${answer.headers.location ?? ''}`);
  const isEnglish = $('main [lang=en]').text();
  return { status: answer.status, text: $('main').text(), isEnglish };
}

test('refusals of records are German, at their forms or as a page', async () => {
  const refused: [string, Record<string, string>, RegExp][] = [
    [artist, { do: 'merge', other: 'artist/nobody-at-all' }, /Diesen Eintrag gibt es nicht\./],
    [
      artist,
      { do: 'merge', other: 'artist/vera-lindt' },
      /Beides ist derselbe Eintrag, artist\/vera-lindt\./,
    ],
    [artist, { do: 'merge', other: 'venue/kornspeicher' }, /Die Einträge sind von verschiedener Art\./],
    [artist, { do: 'undo', entry: '99999' }, /Die Nummer 99999 gibt es im Protokoll nicht\./],
    [artist, { do: 'split', part: 'nothing:1' }, /Nur eine Quelle nennt den Eintrag/],
    [artist, { do: 'reset', field: 'country' }, /Das Feld hat keine Änderung mehr/],
    [artist, { do: 'sing' }, /Das Formular ist unvollständig\./],
    [
      night,
      { do: 'edit', 'was.country': 'DE', 'field.country': 'Germany' },
      /Bitte ein Land mit zwei Buchstaben/,
    ],
    [night, { do: 'edit', 'was.name': 'Zwischenlicht', 'field.name': '' }, /Das darf nicht leer sein\./],
    [
      night,
      { do: 'edit', 'field.end_at': '2027-12-01T10:00', 'was.end_at': '' },
      /Das Ende liegt vor dem Beginn\./,
    ],
    [
      '/admin/add-record',
      {
        kind: 'event',
        name: 'A',
        start_at: '2027-12-03T23:00',
        venue: 'venue/nowhere',
        city: 'Hamburg',
        country: 'DE',
      },
      /Den Ort venue\/nowhere gibt es nicht\./,
    ],
    [
      '/admin/audit/99999/undo',
      {},
      /Die Nummer 99999 gibt es im Protokoll nicht\.|Seite nicht gefunden|nichts/,
    ],
    ['/admin/review', { pair: 'art_000001-art_000002', verdict: 'same' }, /./],
  ];
  for (const [path, fields, message] of refused) {
    const { status, text, isEnglish } = await send(path, fields);
    assert.ok(status >= 400 || path === '/admin/review', `${path} ${JSON.stringify(fields)}: ${status}`);
    assert.match(text, message, `${path} ${JSON.stringify(fields)}`);
    assert.equal(isEnglish, '', `${path} ${JSON.stringify(fields)}`);
  }
});

test('messages about records removed, undone or forgotten meanwhile are in German', async () => {
  const { audit_id } = await (await pages.app.edits('terminal:ada')).set('artist/orrin', [
    { field: 'country', operation: 'set', value: 'FR' },
  ]);
  await (await pages.app.edits('terminal:ada')).undo(audit_id as number);
  const undone = await send('/admin/records/artist~orrin', { do: 'undo', entry: String(audit_id) });
  assert.match(undone.text, new RegExp(`Nummer ${audit_id} ist schon zurückgenommen\\.`));
  assert.equal(undone.isEnglish, '');
  await (await pages.app.removals('terminal:ada')).forget('artist/orrin', { name: 'remove' });
  const named = await send(night, {
    do: 'edit',
    'rows.lineup': '1',
    'lineup.0.name': 'Orrin',
    'was.lineup': '',
  });
  assert.match(named.text, /Das nennt einen Act, der auf Wunsch der Person vergessen wurde\./);
  assert.equal(named.isEnglish, '');
});

test('forms of sources without a choice are refused in German', async () => {
  const registry = await pages.app.sources({ baseUrl: null, fetchAllow: [] });
  registry.add(
    { name: 'club', type: 'feed', url: 'https://club.example/feed', rules: { hold: true } },
    'terminal:test',
  );
  for (const path of ['/admin/source', '/admin/source/held', '/admin/source/remove']) {
    const { status, text, isEnglish } = await send(path, { name: 'club', do: 'dance', way: 'none' });
    assert.ok(status >= 400, `${path}: ${status}`);
    assert.match(text, /Bitte|gewählt|Formular/, path);
    assert.equal(isEnglish, '', path);
  }
});

test('a page of its own for a failure is German too', async () => {
  const missing = await operator.send('/admin/source?name=nothing', { headers: { 'accept-language': 'de' } });
  assert.equal(missing.status, 404);
  const broken = await operator.send('/admin/audit/99999', { headers: { 'accept-language': 'de' } });
  for (const { text } of [missing, broken]) assert.equal(load(text)('html').attr('lang'), 'de');
  const large = await send(night, { do: 'edit', 'field.name': 'x'.repeat(300_000) });
  assert.equal(large.status, 413);
  assert.match(large.text, /Das Formular ist zu groß\./);
});
