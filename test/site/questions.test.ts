/** Questions that visitors ask in the search box: prices, days without events, festivals, and "near me". */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { isWithin, splitPrice } from '../../src/catalogue/price-phrases.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

/** A Wednesday. */
const now = '2026-11-25T12:00:00Z';
const folder = temporaryFolder();
let server: Server;

const event = (id: string, name: string, start_at: string, price: number | null, currency = 'EUR') => ({
  kind: 'event',
  external_id: id,
  name,
  start_at,
  venue: { external_id: 'v', name: 'Tresor' },
  lineup: [{ name: 'Ann Example' }],
  tickets:
    price === null ? [] : [{ seller: 'Tresor', url: `https://t.example/${id}`, price_min: price, currency }],
});

before(async () => {
  const dataFile = join(folder.path, 'questions.db');
  importFeed(dataFile, [
    { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'venue', external_id: 'v', name: 'Tresor', city: 'Berlin', country: 'DE' },
    { kind: 'artist', external_id: 'a', name: 'Ann Example' },
    event('1', 'Free Night', '2026-11-28T23:00', 0),
    event('2', 'Cheap Night', '2026-11-29T23:00', 12.5),
    event('3', 'Dear Night', '2026-11-30T23:00', 45),
    event('4', 'Dollar Night', '2026-12-01T23:00', 10, 'USD'),
    event('5', 'Night Without Price', '2026-12-02T23:00', null),
    { kind: 'festival', external_id: 'f', name: 'Sonne', city: 'Berlin', country: 'DE' },
    {
      kind: 'edition',
      external_id: 'f27',
      festival: { external_id: 'f', name: 'Sonne' },
      edition: '2027',
      start_at: '2027-07-10',
      end_at: '2027-07-12',
    },
  ]);
  server = await startServer({ dataFile, now });
});
after(async () => {
  await server.stop();
  folder.remove();
});

const ask = async (q: string) => {
  const path = `/search?${new URLSearchParams({ q })}`;
  return load((await server.get(path, { key: null, headers: { accept: 'text/html' } })).text);
};
const namesOf = ($: ReturnType<typeof load>) =>
  $('.listing a.name')
    .map((_, link) => $(link).text())
    .get();
const partsOf = ($: ReturnType<typeof load>) =>
  $('.understood a')
    .map((_, link) => $(link).text().replace(/\s+/gu, ' ').replace(/ ×.*$/, ''))
    .get();

test('a price in two languages leaves out what costs more, and what has no known price', async () => {
  for (const [question, found] of [
    ['free entry in Berlin', ['Free Night']],
    ['freier Eintritt in Berlin', ['Free Night']],
    ['events in Berlin with tickets under 20 €', ['Free Night', 'Cheap Night']],
    ['Events unter 20 Euro in Berlin', ['Free Night', 'Cheap Night']],
    ['tickets up to $20', ['Dollar Night']],
    ['Ann Example under 50 euros', ['Free Night', 'Cheap Night', 'Dear Night']],
  ] as const)
    assert.deepEqual(namesOf(await ask(question)), found, question);
  const $ = await ask('tickets under 20 € in Berlin');
  assert.deepEqual(partsOf($), ['City Berlin', 'Price up to €20']);
  assert.match($('main').text(), /Events without a known price are left out\./);
  assert.equal($('.understood a').last().attr('href'), '/search?q=Berlin');
});

test('an amount without a currency or tickets is no price', () => {
  for (const text of [
    'techno under 20 in Berlin',
    'Berlin bis 20 Uhr',
    'party for over 18',
    'Club 20',
    'freedom',
  ])
    assert.equal(splitPrice(text).price, null, text);
  assert.deepEqual(splitPrice('techno unter 12,50 € am Freitag'), {
    rest: 'techno am Freitag',
    price: { max: 12.5, currencies: ['EUR'], text: 'unter 12,50 €' },
  });
  assert.equal(splitPrice(`under ${' '.repeat(100_000)}20 €`).price, null);
  const price = { max: 0, currencies: [], text: 'free' };
  assert.deepEqual(
    [isWithin(price, { price_min: 0, currency: null }), isWithin(price, { price_min: null, currency: null })],
    [true, false],
  );
});

test('a venue or artist without events on the days is followed by its other days', async () => {
  for (const question of ['what is at Tresor on 2026-12-24', 'Ann Example tomorrow']) {
    const $ = await ask(question);
    assert.equal($('main h3').first().text(), 'On other days', question);
    assert.equal(namesOf($)[0], 'Free Night', question);
  }
});

test('festivals of a season, anywhere; the next one if there is none', async () => {
  for (const question of ['festivals next summer', 'festivals in July 2027', 'Festivals im Juli 2027']) {
    const $ = await ask(question);
    assert.equal($('main h2').first().text(), 'Festivals', question);
    assert.deepEqual($('#asked-festivals ~ .rows strong').text(), 'Sonne 2027', question);
    assert.doesNotMatch($('main').text(), /Not understood|Name with|No upcoming event/, question);
  }
  const none = await ask('festivals in March 2027');
  assert.match(none('main').text(), /No festival is known on these days\./);
  assert.equal(none('#asked-festivals ~ .rows strong').text(), 'Sonne 2027');
});

test('"near me" offers the button that asks the browser', async () => {
  for (const question of ['near me tonight', 'techno in meiner Nähe']) {
    const $ = await ask(question);
    assert.equal($('main [data-near]').length, 1, question);
    assert.doesNotMatch($('main').text(), /Not understood/, question);
  }
});
