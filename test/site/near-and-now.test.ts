/** "Near me", "right now" and "tomorrow" in the search box, in several languages. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

/** A Wednesday, 19:00 in Berlin. */
const now = '2026-11-25T18:00:00Z';
const folder = temporaryFolder();
let server: Server;

const event = (id: string, name: string, start_at: string, genre: string | null = null) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at,
  venue: { external_id: 'v', name: 'Tresor' },
  lineup: [{ name: 'Ann Example' }],
  ...(genre !== null && { genres: [genre] }),
});

before(async () => {
  const dataFile = join(folder.path, 'near.db');
  importFeed(dataFile, [
    { kind: 'genre', external_id: 'g', name: 'Techno' },
    { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'venue', external_id: 'v', name: 'Tresor', city: 'Berlin', country: 'DE' },
    { ...event('1', 'Running Party', '2026-11-25T18:00', 'Techno'), end_at: '2026-11-25T23:00' },
    { kind: 'city', external_id: 'h', name: 'Hamburg', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'venue', external_id: 'w', name: 'Uebel', city: 'Hamburg', country: 'DE' },
    { ...event('5', 'Late Party', '2026-11-25T22:00', 'House'), venue: { external_id: 'w', name: 'Uebel' } },
    event('2', 'Thursday Party', '2026-11-26T23:00'),
    event('6', 'Garage Night', '2017-05-06T23:00'),
    event('7', 'Garage Night', '2018-05-05T23:00'),
    event('8', 'Other Night', '2018-06-05T23:00'),
    event('9', 'Sommernacht', '2018-07-05T23:00'),
    event('10', 'Sommernacht', '2019-07-05T23:00'),
    event('3', 'Klubnacht', '2026-12-12T23:00'),
    event('4', 'Close to Me', '2026-12-13T23:00'),
  ]);
  server = await startServer({ dataFile, now });
});
after(async () => {
  await server.stop();
  folder.remove();
});

/** Returns the page of a question: its events, what was understood, the number of buttons "Near me", and its text. */
async function ask(q: string) {
  const path = `/search?${new URLSearchParams({ q })}`;
  const $ = load((await server.get(path, { key: null, headers: { accept: 'text/html' } })).text);
  const texts = (selector: string) =>
    $(selector)
      .map((_, element) => $(element).text().replace(/\s+/gu, ' ').replace(/ ×.*$/, ''))
      .get();
  return {
    names: texts('.listing a.name'),
    parts: texts('.understood a'),
    buttons: $('main [data-near]').length,
    text: $('main').text(),
  };
}

const atTresor = ['Running Party', 'Thursday Party', 'Klubnacht', 'Close to Me'];
const all = ['Running Party', 'Late Party', 'Thursday Party', 'Klubnacht', 'Close to Me'];

test('"near me" in several languages offers the button, and restricts nothing', async () => {
  for (const [question, names] of [
    ['in meiner Nähe', all],
    ['in der Nähe', all],
    ['Partys in meiner naehe', all],
    ['clubs in der Nähe von mir', all],
    ['près de moi', all],
    ['autour de moi', all],
    ['cerca de mí', all],
    ['nearby', all],
    ['Techno in meiner Nähe', ['Running Party']],
    ['techno près de chez moi', ['Running Party']],
    ['in meiner nähe heute', ['Running Party', 'Late Party']],
    ['heute in der Nähe', ['Running Party', 'Late Party']],
    ['cerca de mí esta noche', ['Running Party', 'Late Party']],
  ] as const) {
    const page = await ask(question);
    assert.equal(page.buttons, 1, question);
    assert.deepEqual(page.names, names, question);
    assert.doesNotMatch(page.text, /Not understood|Name with/, question);
  }
});

test('"in der Nähe von" a place names the place, and an event may have the words in its name', async () => {
  const near = await ask('in der Nähe von Tresor');
  assert.equal(near.buttons, 0);
  assert.deepEqual(near.names, atTresor);
  assert.doesNotMatch(near.text, /Not understood/);
  assert.deepEqual((await ask('Close to Me Tresor')).names, ['Close to Me']);
});

test('words for the present moment list what is on', async () => {
  for (const question of [
    'right now',
    'now',
    'jetzt',
    'gerade jetzt',
    'Was läuft jetzt?',
    'wer spielt gerade',
    'maintenant',
    'en ce moment',
    'ahora mismo',
    'Berlin jetzt',
    'jetzt in Berlin',
    'techno jetzt',
  ]) {
    const page = await ask(question);
    assert.deepEqual(page.names, ['Running Party'], question);
    assert.doesNotMatch(page.text, /Not understood|No results/, question);
  }
});

test('without an event at the present moment, the next one is named with its time', async () => {
  for (const question of ['right now in Hamburg', 'jetzt in Hamburg', 'house in Hamburg right now']) {
    const { names, text } = await ask(question);
    assert.deepEqual(names, [], question);
    assert.match(text, /no event is on at this moment/i, question);
    assert.match(text, /Next: Wednesday,? 25 November 2026, 22:00, 1 event/, question);
  }
});

test('the name of an event and a day without it list its next date', async () => {
  for (const day of ['tomorrow', 'morgen', 'demain', 'Freitag', 'jetzt'])
    for (const question of [`Klubnacht ${day}`, `klubnacht ${day}`]) {
      const { names, parts, text } = await ask(question);
      assert.deepEqual(names, ['Klubnacht'], question);
      assert.equal(parts.length, 2, question);
      assert.match(parts[1] ?? '', /^Days (Wed 25|Thu 26|Fri 27) Nov$/, question);
      assert.match(text, /On other days/, question);
    }
});

test('the terminal answers questions for past events as the page does', async () => {
  const clock = frozenClock(Date.parse(now));
  const app = openApp({ data: join(folder.path, 'near.db'), create: false, readOnly: true, clock });
  try {
    for (const [question, years] of [
      ['garage night at tresor in 2017', ['2017']],
      ['garage night in May 2018', ['2018']],
      ['last garage night at tresor', ['2018', '2017']],
      ['letzte Garage Night im Tresor', ['2018', '2017']],
      ['last garage night', ['2018', '2017']],
    ] as const) {
      const hits = app.searchHits(question, 10, '');
      assert.deepEqual(
        hits.map(({ name, start_at }) => `${name} ${start_at?.slice(0, 4)}`),
        years.map((year) => `Garage Night ${year}`),
        question,
      );
      assert.deepEqual((await ask(question)).names, Array(years.length).fill('Garage Night'), question);
    }
  } finally {
    app.close();
  }
});

test('the name of past events beside a venue lists them', async () => {
  for (const question of ['sommernacht tresor', 'Sommernacht at Tresor']) {
    const { names, text } = await ask(question);
    assert.deepEqual(names, ['Sommernacht', 'Sommernacht'], question);
    assert.doesNotMatch(text, /Not understood/, question);
  }
});

test('a day alone lists its events: "morgen"', async () => {
  for (const question of ['tomorrow', 'morgen', 'demain', 'mañana', 'Was läuft morgen?'])
    assert.deepEqual((await ask(question)).names, ['Thursday Party'], question);
});
