/** Questions that visitors ask in the search box: prices, days without events, festivals, and "near me". */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { splitAge } from '../../src/catalogue/age-phrases.ts';
import { isWithin, splitPrice } from '../../src/catalogue/price-phrases.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

/** A Wednesday. */
const now = '2026-11-25T18:00:00Z';
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
    { kind: 'city', external_id: 'i', name: 'Istanbul', country: 'TR', timezone: 'Europe/Istanbul' },
    { kind: 'venue', external_id: 'v', name: 'Tresor', city: 'Berlin', country: 'DE' },
    { kind: 'artist', external_id: 'a', name: 'Ann Example' },
    event('1', 'Free Night', '2026-11-28T23:00', 0),
    { ...event('2', 'Cheap Night', '2026-11-29T23:00', 12.5), minimum_age: 18 },
    event('3', 'Dear Night', '2026-11-30T23:00', 45),
    event('4', 'Dollar Night', '2026-12-01T23:00', 10, 'USD'),
    event('5', 'Night Without Price', '2026-12-02T23:00', null),
    event('6', 'Older Night', '2026-10-10T23:00', null),
    event('7', 'Latest Night', '2026-11-21T23:00', null),
    { kind: 'artist', external_id: 'n', name: 'New Example' },
    { kind: 'artist', external_id: 'open', name: 'Open' },
    { kind: 'genre', external_id: 'techno', name: 'Techno' },
    { kind: 'artist', external_id: 'd', name: 'Deniz Example', country: 'TR', genres: ['Techno'] },
    { kind: 'label', external_id: 'l', name: 'Nord Records', country: 'DE' },
    { kind: 'podcast', external_id: 'p', name: 'Nord Radio' },
    {
      kind: 'episode',
      external_id: 'p1',
      podcast: { external_id: 'p', name: 'Nord Radio' },
      name: 'Nord Radio 1',
      published_at: '2026-10-01',
      artists: [{ external_id: 'd', name: 'Deniz Example' }],
    },
    { kind: 'venue', external_id: 'air', name: 'Air', city: 'Berlin', country: 'DE' },
    {
      ...event('8', 'First Night', '2026-12-30T23:00', null),
      lineup: [{ name: 'New Example' }],
      venue: { external_id: 'o', name: 'Ohm' },
    },
    {
      ...event('9', 'Date Alone', '2026-11-25', null),
      lineup: [],
      venue: { external_id: 'o', name: 'Ohm' },
    },
    { kind: 'venue', external_id: 'o', name: 'Ohm', city: 'Berlin', country: 'DE' },
    {
      kind: 'edition',
      external_id: 'f24',
      festival: { external_id: 'f', name: 'Sonne' },
      edition: '2024',
      start_at: '2024-07-12',
      end_at: '2024-07-14',
      lineup: [{ name: 'Ann Example' }],
    },
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
const headings = ($: ReturnType<typeof load>) =>
  $('main h2:not(#results)')
    .map((_, heading) => $(heading).text())
    .get();
const partsOf = ($: ReturnType<typeof load>) =>
  $('.understood a')
    .map((_, link) => $(link).text().replace(/\s+/gu, ' ').replace(/ ×.*$/, ''))
    .get();

test('German verbs are no cities: "ist" is not Istanbul', async () => {
  assert.deepEqual(namesOf(await ask('Was ist am Samstag im Tresor los?')), ['Free Night']);
});

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

test('days without a free event are followed by free events only', async () => {
  for (const question of ['free parties berlin tomorrow', 'free entry in Berlin tomorrow']) {
    const $ = await ask(question);
    assert.equal($('main h3').first().text(), 'On other days', question);
    assert.deepEqual(namesOf($), ['Free Night'], question);
    assert.equal($('.understood a').eq(1).attr('href')?.includes('free+entry'), true, question);
  }
});

test('words for a programme, tickets and an admission are words of a question', async () => {
  for (const question of [
    'Programm Tresor Dezember',
    'programme Tresor en décembre',
    'programa de Tresor en diciembre',
    'timetable Tresor December',
    'billets Tresor décembre',
    'entradas para Tresor en diciembre',
    '¿quién pincha en Tresor en diciembre?',
    'wer legt im Dezember im Tresor auf',
    'Eintritt Tresor Dezember',
  ]) {
    const $ = await ask(question);
    assert.deepEqual(namesOf($), ['Dollar Night', 'Night Without Price'], question);
    assert.doesNotMatch($('main').text(), /Not understood/, question);
  }
  for (const question of [
    'Eintritt Tresor',
    'günstige Partys in Berlin',
    'fiestas baratas en Berlin',
    'affordable parties in Berlin',
  ])
    assert.match((await ask(question))('.listing .price').text(), /€12\.50.*€45/, question);
});

test('without an event that has all artists, or the artist in that city, the events of each', async () => {
  const $ = await ask('Ann Example b2b New Example');
  assert.match($('main').text(), /No upcoming event matches all of this/);
  assert.deepEqual(headings($), ['Events', 'Events: Ann Example (Artist)', 'Events: New Example (Artist)']);
  assert.deepEqual(namesOf($), ['Free Night', 'Cheap Night', 'Dear Night', 'First Night']);
  const there = await ask('New Example in Istanbul');
  assert.deepEqual(headings(there), ['Events', 'Events: New Example (Artist)']);
  assert.deepEqual(namesOf(there), ['First Night']);
});

test('a country without events on the days is followed by its other days', async () => {
  const $ = await ask('parties in Germany tomorrow');
  assert.equal($('main h3').first().text(), 'On other days');
  assert.deepEqual(namesOf($).slice(0, 3), ['Date Alone', 'Free Night', 'Cheap Night']);
});

test('open-air festivals are festivals, whatever is called "Open" or "Air"', async () => {
  const $ = await ask('open air festivals in July 2027');
  assert.match($('main').text(), /Sonne 2027/);
  assert.deepEqual(partsOf($), ['Days 1 Jul 2027 to 31 Jul 2027']);
});

test('words of a question are no words of a name', async () => {
  for (const question of [
    'Was kostet Cheap Night',
    'wie viel kostet die Cheap Night?',
    'how much is Cheap Night?',
    'what does Cheap Night cost',
    'quanto costa Cheap Night',
    '¿cuánto cuesta Cheap Night?',
    'combien coûte Cheap Night ?',
    'wann ist Cheap Night',
    'when is Cheap Night',
    'where is Cheap Night?',
    'wo ist Cheap Night',
  ]) {
    const $ = await ask(question);
    assert.deepEqual(namesOf($), ['Cheap Night'], question);
    assert.doesNotMatch($('main').text(), /Not understood|No results/, question);
    const prices = $('.listing .price').text();
    assert.equal(prices, /^(?:when|wann|where|wo) /.test(question) ? '' : 'Price: €12.50', question);
  }
});

test('an age in two languages leaves out what has another minimum age, or none that is known', async () => {
  for (const question of ['18+ in Berlin', 'Partys ab 18 in Berlin', 'events for 19 year olds in Berlin']) {
    const $ = await ask(question);
    assert.deepEqual(namesOf($), ['Cheap Night'], question);
    assert.match($('main').text(), /Events without a known minimum age are left out\./);
    assert.doesNotMatch($('main').text(), /Not understood/, question);
  }
});

test('other numbers are no age, and long questions are read at once', () => {
  for (const text of [
    'ab 18 Uhr in Berlin',
    'ab 18:00 in Berlin',
    'over 20 in Berlin',
    'under 18 €',
    'under 1800 in Berlin',
    'Room 18 in Berlin',
    'Area 16+1 live',
    'U2 live',
    'bis 20 in Berlin',
    '118+ live',
    '18+',
  ])
    assert.equal(splitAge(text).age, null, text);
  assert.deepEqual(splitAge('Partys ab 16 Jahren in Köln'), {
    rest: 'Partys in Köln',
    age: { min: 16, max: 16, text: 'ab 16 Jahren' },
  });
  assert.deepEqual(splitAge('under 18s in London').age, { min: 0, max: 17, text: 'under 18s' });
  assert.equal(splitAge(`under ${' '.repeat(100_000)}18`).age, null);
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
  for (const [text, max] of [
    ['under 1.000 €', 1000],
    ['under 1,000 dollars', 1000],
    ['tickets under 1500', 1500],
    ['under 1.234,50 €', 1234.5],
    ['under 0.125 €', null],
  ] as const) {
    const { rest, price: limit } = splitPrice(text);
    assert.equal(limit?.max ?? null, max, text);
    if (max !== null) assert.equal(rest, '', text);
  }
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

test('"last" in six languages lists past events, the latest first', async () => {
  for (const question of [
    'last time Ann Example played Tresor',
    'when did Ann Example last play at Tresor?',
    'Wann spielte Ann Example zuletzt im Tresor?',
    'letzte Party mit Ann Example',
    'dernière fois Ann Example',
    'la última vez Ann Example',
    'ultima volta Ann Example',
    'laatste keer Ann Example',
  ]) {
    const $ = await ask(question);
    assert.deepEqual(namesOf($), ['Latest Night', 'Older Night'], question);
    assert.equal($('#found-events').text(), 'Past events', question);
    assert.match(partsOf($).join(), /^Order latest first,/, question);
    assert.doesNotMatch($('main').text(), /Not understood/, question);
  }
  const without = await ask('last time Ann Example played Tresor');
  assert.doesNotMatch(without('.understood a').first().attr('href') ?? '', /last/);
});

test('without a past event, "last" says so above those to come', async () => {
  const $ = await ask('last time New Example played');
  assert.match($('main').text(), /No past event of this is known\./);
  assert.deepEqual(namesOf($), ['First Night']);
  const none = await ask('last time Ann Example played for free');
  assert.deepEqual(namesOf(none), []);
  assert.doesNotMatch(none('main').text(), /No upcoming event/);
});

test('days that are over list their events', async () => {
  for (const question of ['Tresor last weekend', 'Ann Example in October 2026']) {
    const $ = await ask(question);
    assert.equal(namesOf($).length, 1, question);
    assert.equal($('#found-events').text(), 'Past events', question);
  }
});

test('in the evening, an event of tonight with a date alone is on the home page, and once', async () => {
  const $ = load((await server.get('/', { key: null, headers: { accept: 'text/html' } })).text);
  const names = (id: string) =>
    $(`section[aria-labelledby="${id}"] a.name`)
      .map((_, link) => $(link).text())
      .get();
  assert.deepEqual(names('tonight'), ['Date Alone']);
  assert.deepEqual(names('next').slice(0, 2), ['Free Night', 'Cheap Night']);
});

test('the name of a festival with a year names its edition, also one that is over', async () => {
  for (const [question, edition, parts] of [
    ['sonne 2024 lineup', 'Sonne 2024', ['Festival Sonne', 'Days 2024']],
    ['Sonne Festival 2027', 'Sonne 2027', ['Festival Sonne', 'Days 2027']],
    ['sonne lineup', 'Sonne 2027', ['Festival Sonne']],
    ['Ann Example at Sonne 2024', 'Sonne 2024', ['Festival Sonne', 'Days 2024', 'Artist Ann Example']],
  ] as const) {
    const $ = await ask(question);
    assert.equal($('#asked-festivals ~ .rows strong').text(), edition, question);
    assert.deepEqual(
      partsOf($),
      [...parts].filter((_, __, all) => all.length > 1 || question === 'sonne lineup'),
      question,
    );
    assert.doesNotMatch($('main').text(), /Not understood|No upcoming event/, question);
  }
  const none = await ask('sonne 2019 lineup');
  assert.equal(none('.hits strong').text(), 'Sonne');
});

test('days alone without events lead to the nearest day and to all events', async () => {
  for (const [question, day] of [
    ['Silvester', 'Before: Wednesday 25 November 2026, 1 event'],
    ["New Year's Eve", 'Before: Wednesday 25 November 2026, 1 event'],
    ['morgen', 'Next: Saturday 28 November 2026, 1 event'],
  ] as const) {
    const $ = await ask(question);
    const links = $('.below a')
      .map((_, link) => $(link).text())
      .get();
    assert.deepEqual(links, [day, 'All upcoming events'], question);
    const path = $('.below a').first().attr('href') ?? '';
    const { text } = await server.get(path, { key: null, headers: { accept: 'text/html' } });
    assert.equal(namesOf(load(text)).length, 1, path);
  }
  const empty = await ask('Silvester in Istanbul');
  assert.match(empty('.empty').text(), /no upcoming events in Istanbul/);
});

test('questions for records list them, and no events', async () => {
  const listed = async (question: string) => {
    const $ = await ask(question);
    assert.deepEqual(namesOf($), [], question);
    return [
      $('#asked-records').text(),
      ...$('section[aria-labelledby=asked-records] .names a')
        .map((_, link) => $(link).text())
        .get(),
      ...$('section[aria-labelledby=asked-records] .rows strong')
        .map((_, link) => $(link).text())
        .get(),
    ];
  };
  for (const [question, expected] of [
    ['labels from Berlin', ['Labels in Germany', 'Nord Records']],
    ['Plattenlabels aus Berlin', ['Labels in Germany', 'Nord Records']],
    ['venues in Berlin', ['Venues in Berlin', 'Air', 'Ohm', 'Tresor']],
    ['clubs en Berlin', ['Venues in Berlin', 'Air', 'Ohm', 'Tresor']],
    ['artists from Istanbul', ['Artists in Türkiye', 'Deniz Example']],
    ['artistes de Turquie', ['Artists in Türkiye', 'Deniz Example']],
    ['podcasts with techno', ['Podcasts with Techno', 'Nord Radio']],
  ] as const)
    assert.deepEqual((await listed(question)).toSorted(), [...expected].toSorted(), question);
  const festivals = await ask('festivals in Germany');
  assert.equal(festivals('#asked-records').text(), 'Festivals in Germany');
  assert.match(festivals('section[aria-labelledby=asked-records]').text(), /Sonne 2027/);
  // Words of a time or a name still ask for events.
  assert.deepEqual(namesOf(await ask('clubs in Berlin on Saturday')), ['Free Night']);
  assert.ok(namesOf(await ask('DJs in Berlin')).length > 0);
});
