/** Filters of the pages take several values, as those of the API do. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import ICAL from 'ical.js';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const event = (id: string, name: string, venue: object, genres: string[], artist: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: `2026-12-0${id}T22:00`,
  venue,
  genres,
  lineup: [{ name: artist }],
});
const tresor = { name: 'Tresor', city: 'Berlin', country: 'DE' };
const distillery = { name: 'Distillery', city: 'Leipzig', country: 'DE' };
const rex = { name: 'Rex Club', city: 'Paris', country: 'FR' };
const shelter = { name: 'Shelter', city: 'Amsterdam', country: 'NL' };
const lines = [
  ...[
    ['Berlin', 'DE'],
    ['Leipzig', 'DE'],
    ['Paris', 'FR'],
  ].map(([name, country]) => ({
    kind: 'city',
    external_id: name,
    name,
    country,
    timezone: country === 'FR' ? 'Europe/Paris' : 'Europe/Berlin',
  })),
  ...[tresor, distillery, rex, shelter].map((venue) => ({
    kind: 'venue',
    external_id: venue.name,
    ...venue,
  })),
  ...['Techno', 'House', 'Trance'].map((name) => ({ kind: 'genre', external_id: name, name })),
  ...['Alpha', 'Beta', 'Gamma', 'Delta, The Band'].map((name) => ({
    kind: 'artist',
    external_id: name,
    name,
  })),
  event('1', 'One', tresor, ['Techno'], 'Alpha'),
  event('2', 'Two', tresor, ['House', 'Techno'], 'Beta'),
  event('3', 'Three', distillery, ['House'], 'Gamma'),
  event('4', 'Four', rex, ['Trance'], 'Delta, The Band'),
  event('5', 'Five', shelter, ['Techno'], 'Alpha'),
];

describe('several values of a filter', () => {
  const folder = temporaryFolder();
  let server: Server;
  before(async () => {
    const dataFile = join(folder.path, 'data.db');
    importFeed(dataFile, lines);
    server = await startServer({ dataFile, now: '2026-11-28T12:00:00Z' });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });

  const page = async (path: string) => {
    const answer = await server.get(path, { headers: { accept: 'text/html' }, key: null });
    assert.equal(answer.status, 200, path);
    return load(answer.text);
  };
  type Page = Awaited<ReturnType<typeof page>>;
  const names = ($: Page): string[] =>
    $('main .listing a.name')
      .toArray()
      .map((one) => $(one).text());
  const tags = ($: Page): [string, string | undefined][] =>
    $('main .chips a[aria-current="true"]')
      .toArray()
      .map((one) => [$(one).text().replace(/ ×.*$/s, ''), $(one).attr('href')]);

  test('events match one of the values of each filter, as in the API', async () => {
    for (const [query, expected] of [
      ['genre=techno,house', ['One', 'Two', 'Three', 'Five']],
      ['genre=Techno, TRANCE', ['One', 'Two', 'Four', 'Five']],
      ['city=berlin,leipzig', ['One', 'Two', 'Three']],
      ['city=Berlin,Amsterdam', ['One', 'Two', 'Five']],
      ['country=FR,NL', ['Four', 'Five']],
      ['country=France,nl', ['Four', 'Five']],
      ['venue=tresor,rex-club', ['One', 'Two', 'Four']],
      ['artist=beta,gamma', ['Two', 'Three']],
      ['artist=Delta, The Band', ['Four']],
      ['genre=house,trance&city=leipzig,paris', ['Three', 'Four']],
    ] as const) {
      assert.deepEqual(names(await page(`/events?${encodeURI(query)}`)), expected, query);
    }
    for (const query of ['genre=techno,house', 'city=berlin,leipzig', 'country=FR,NL', 'artist=beta,gamma']) {
      const { data } = (await server.get(`/api/v1/events?${query}`)).json() as { data: { name: string }[] };
      assert.deepEqual(
        names(await page(`/events?${query}`)),
        data.map(({ name }) => name),
        query,
      );
    }
  });

  test('each value is a tag with a link that leaves only it out', async () => {
    const $ = await page('/events?genre=techno,house&city=berlin,leipzig&from=2026-12-02');
    assert.equal(
      $('h1').text(),
      'Techno or House events in Berlin or Leipzig from Wednesday 2 December 2026',
    );
    const query = (href: string | undefined) =>
      Object.fromEntries(new URL(href ?? '', 'http://x').searchParams);
    const all = { genre: 'techno,house', city: 'berlin,leipzig', from: '2026-12-02' };
    assert.deepEqual(
      tags($).map(([label, href]) => [label, query(href)]),
      [
        ['Techno', { ...all, genre: 'house' }],
        ['House', { ...all, genre: 'techno' }],
        ['Berlin', { ...all, city: 'leipzig' }],
        ['Leipzig', { ...all, city: 'berlin' }],
        ['From 2 Dec 2026', { genre: all.genre, city: all.city }],
      ],
    );
    assert.equal($('#filter-genre').attr('value'), 'techno,house');
    assert.deepEqual(query($('.days a:contains("Tomorrow")').attr('href')), {
      genre: all.genre,
      city: all.city,
      when: 'tomorrow',
    });
  });

  test('the chip of a genre adds it to the chosen ones', async () => {
    for (const path of ['/cities/berlin?genre=techno', '/events?genre=techno&when=2026-12']) {
      const $ = await page(path);
      const chip = $('.genre-chips a').filter((_, element) => /^House/.test($(element).text()));
      assert.equal(new URL(chip.attr('href') ?? '', 'http://x').searchParams.get('genre'), 'techno,house');
      assert.equal(chip.attr('rel'), 'nofollow');
    }
    const first = (await page('/cities/berlin'))('.genre-chips a').first();
    assert.doesNotMatch(first.attr('href') ?? '', /,|%2C/);
    assert.equal(first.attr('rel'), undefined);
  });

  test('an unknown value is named, and the others count', async () => {
    const $ = await page('/events?genre=techno,polka');
    assert.deepEqual(names($), ['One', 'Two', 'Five']);
    assert.match($('.notice').text(), /No genre is called “polka”/);
    assert.deepEqual(tags($), [
      ['Techno', '/events?genre=polka'],
      ['polka', '/events?genre=techno'],
    ]);
    assert.deepEqual(names(await page('/events?genre=polka,schlager')), []);
  });

  test('days, months, calendars and feeds keep the values', async () => {
    const month = await page('/cities/berlin?genre=techno,house&when=2026-12');
    assert.deepEqual(
      month('.month td a .events')
        .toArray()
        .map((one) => month(one).text()),
      ['1 event', '1 event'],
    );
    assert.equal(
      month('.month td a').first().attr('href'),
      '/cities/berlin?genre=techno%2Chouse&when=2026-12-01',
    );
    assert.deepEqual(tags(month), [
      ['Techno', '/cities/berlin?genre=house&when=2026-12'],
      ['House', '/cities/berlin?genre=techno&when=2026-12'],
    ]);
    const whole = await page('/events?genre=techno,house&when=2026-12');
    assert.deepEqual(
      whole('.month td a .events')
        .toArray()
        .map((one) => whole(one).text()),
      ['1 event', '1 event', '1 event', '1 event'],
    );
    const day = await page('/events?genre=techno,trance&when=2026-12-04');
    assert.deepEqual(names(day), ['Four']);
    const href = day('a[href^="/events.ics"]').attr('href') ?? '';
    assert.equal(href, '/events.ics?genre=techno%2Ctrance');
    const calendar = await server.get(href, { key: null });
    assert.equal(new ICAL.Component(ICAL.parse(calendar.text)).getAllSubcomponents('vevent').length, 4);
    const ofCity = await server.get('/cities/berlin.ics?genre=techno,house', { key: null });
    assert.equal(new ICAL.Component(ICAL.parse(ofCity.text)).getAllSubcomponents('vevent').length, 2);
  });

  test('lists of names take several countries', async () => {
    const $ = await page('/venues?country=FR,NL');
    assert.equal($('h1').text(), 'Venues in France or Netherlands');
    assert.deepEqual(
      $('.names li a')
        .toArray()
        .map((one) => $(one).text().trim()),
      ['Rex Club', 'Shelter'],
    );
    assert.deepEqual(tags($), [
      ['France', '/venues?country=NL'],
      ['Netherlands', '/venues?country=FR'],
    ]);
  });
});
