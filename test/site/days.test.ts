/** The pages that answer "What is on tonight in my city?": days, genres, questions, the remembered city, and feeds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import { parseAtomFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { offeredDays, parseSelectedDays, tonightFilter } from '../../src/catalogue/dates/selected-days.ts';
import {
  type Answer,
  importFeed,
  run,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';

/** Saturday 02:00 in Berlin, Friday 20:00 in New York. */
const now = '2026-11-28T01:00:00Z';
const nowMs = Date.parse(now);

describe('selected days', () => {
  const parse = (text: string, zone: string | null = 'Europe/Berlin') => parseSelectedDays(text, zone, nowMs);

  test('the night of Friday lasts until Saturday morning, and later in the west', () => {
    assert.deepEqual([parse('tonight')?.first, parse('tomorrow')?.first], ['2026-11-27', '2026-11-28']);
    assert.deepEqual(parse('tonight')?.filter, {
      to: { instant: Date.parse('2026-11-28T05:00:00Z') - 1 },
      upcomingAt: nowMs,
    });
    const west = parse('tonight', 'America/New_York')?.filter.to as { instant: number };
    assert.equal(west.instant, Date.parse('2026-11-28T11:00:00Z') - 1);
    assert.equal(parseSelectedDays('tonight', 'Europe/Berlin', nowMs + 4 * 3_600_000)?.first, '2026-11-28');
  });

  test('weekends, weeks and months have their first and last day, and those around them', () => {
    for (const [text, first, last, before, next] of [
      ['weekend', '2026-11-27', '2026-11-29', undefined, undefined],
      ['week', '2026-11-23', '2026-11-29', '2026-W47', '2026-W49'],
      ['2026-W53', '2026-12-28', '2027-01-03', '2026-W52', '2027-W01'],
      ['2024-02', '2024-02-01', '2024-02-29', '2024-01', '2024-03'],
      ['2026-12-31', '2026-12-31', '2026-12-31', '2026-12-30', '2027-01-01'],
    ] as const) {
      const days = parse(text);
      assert.deepEqual(
        [days?.first, days?.last, days?.around?.before, days?.around?.after],
        [first, last, before, next],
        text,
      );
    }
    for (const text of ['2026-02-30', '2026-13', '2025-W53', '2026-W00', 'friday', '0001-01-01', ''])
      assert.equal(parse(text), null, text);
  });

  test('at night, the week and the month are those that have begun', () => {
    const first = (text: string, at: string) =>
      parseSelectedDays(text, 'Europe/Berlin', Date.parse(at))?.first;
    // Tuesday 1 December, 03:43 in Berlin; Monday 30 November, 01:00.
    assert.equal(first('month', '2026-12-01T02:43:00Z'), '2026-12-01');
    assert.equal(first('tonight', '2026-12-01T02:43:00Z'), '2026-11-30');
    assert.equal(first('week', '2026-11-30T00:00:00Z'), '2026-11-30');
    assert.equal(first('weekend', '2026-11-30T00:00:00Z'), '2026-11-29');
  });

  test('the days offered are tonight, tomorrow, and the days of the weekend after them', () => {
    const offered = (at: string) => offeredDays('Europe/Berlin', Date.parse(at)).map(({ value }) => value);
    assert.deepEqual(offered('2026-11-25T12:00:00Z'), [
      'tonight',
      'tomorrow',
      '2026-11-27',
      '2026-11-28',
      '2026-11-29',
      'weekend',
    ]);
    assert.deepEqual(offered('2026-11-29T12:00:00Z'), ['tonight', 'tomorrow', 'weekend']);
  });

  test('events of unknown time belong to their day', () => {
    const item = (start_at: string, timezone: string | null) => ({ start_at, timezone });
    const isTonight = tonightFilter('Europe/Berlin', nowMs);
    assert.ok(isTonight(item('2026-11-28T05:59:00+01:00', 'Europe/Berlin')));
    assert.ok(!isTonight(item('2026-11-28T06:00:00+01:00', 'Europe/Berlin')));
    assert.ok(isTonight(item('2026-11-27T00:00:00Z', null)));
    assert.ok(!isTonight(item('2026-11-28T00:00:00Z', null)));
  });
});

const event = (
  id: string,
  name: string,
  start_at: string,
  place: object,
  genres: string[] = [],
  more = {},
) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at,
  venue: place,
  genres,
  ...more,
});
const tresor = { name: 'Tresor', city: 'Berlin', country: 'DE' };
const berghain = { name: 'Berghain', city: 'Berlin', country: 'DE' };
const basement = { name: 'Basement', city: 'New York', country: 'US' };
const city = (
  id: string,
  name: string,
  country: string,
  timezone: string,
  latitude: number,
  longitude: number,
) => ({
  kind: 'city',
  external_id: id,
  name,
  country,
  timezone,
  latitude,
  longitude,
});
const lines = [
  city('c1', 'Berlin', 'DE', 'Europe/Berlin', 52.52, 13.41),
  city('c2', 'New York', 'US', 'America/New_York', 40.71, -74.01),
  city('c3', 'Potsdam', 'DE', 'Europe/Berlin', 52.4, 13.06),
  city('c4', 'Ost-Berlin', 'DE', 'Europe/Berlin', 52.52, 13.42),
  { kind: 'venue', external_id: 'v1', ...tresor },
  { kind: 'venue', external_id: 'v2', ...berghain },
  { kind: 'venue', external_id: 'v3', ...basement },
  { kind: 'genre', external_id: 'g1', name: 'Techno' },
  { kind: 'genre', external_id: 'g2', name: 'House' },
  { kind: 'genre', external_id: 'g3', name: 'Trance' },
  event('e1', 'Running Since Friday', '2026-11-27T23:00', tresor, ['Techno'], { end_at: '2026-11-28T08:00' }),
  event('e2', 'After Midnight', '2026-11-28T03:00', berghain, ['House'], { end_at: '2026-11-28T09:00' }),
  event('e3', 'Saturday Techno', '2026-11-28T23:00', berghain, ['Techno']),
  event('e4', 'Saturday House', '2026-11-28T22:00', tresor, ['House']),
  event('e5', 'Next Friday', '2026-12-04T23:00', tresor, ['Techno']),
  event('e6', 'New York Tonight', '2026-11-27T22:00', basement, ['Techno']),
  { kind: 'festival', external_id: 'f1', name: 'Winter Days', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'd1',
    festival: { external_id: 'f1', name: 'Winter Days' },
    edition: '2026',
    start_at: '2026-12-11',
    end_at: '2026-12-13',
    city: 'Berlin',
    country: 'DE',
  },
  event('e7', 'Over', '2026-11-26T20:00', tresor, ['Techno'], { end_at: '2026-11-26T23:00' }),
];

describe('pages', () => {
  const folder = temporaryFolder();
  let server: Server;
  before(async () => {
    const dataFile = join(folder.path, 'days.db');
    importFeed(dataFile, lines as never);
    const merged = run(['merge', 'city/berlin', 'city/ost-berlin', '--data', dataFile]);
    assert.equal(merged.status, 0, merged.stderr);
    server = await startServer({ dataFile, now });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    server.get(path, { key: null, method, headers: { accept: 'text/html', ...headers } });
  async function page(path: string, headers: Record<string, string> = {}) {
    const answer = await ask(path, headers);
    assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`);
    assert.ok(Buffer.byteLength(answer.text) < 60_000, path);
    const $ = load(answer.text);
    assert.equal(
      $('script:not([src]):not([type="application/ld+json"]), [style], [onclick]').length,
      0,
      path,
    );
    assert.doesNotMatch(answer.text, /undefined|\[object|NaN/, path);
    return $;
  }
  const texts = ($: ReturnType<typeof load>, selector: string): string[] =>
    $(selector)
      .toArray()
      .map((element) => $(element).text().replace(/\s+/g, ' ').trim());
  const names = async (path: string) => texts(await page(path), '.listing a.name');

  test('of a city: tonight has what runs and what begins before the morning', async () => {
    assert.deepEqual(await names('/cities/berlin?when=tonight'), ['Running Since Friday', 'After Midnight']);
    assert.deepEqual(await names('/cities/berlin?when=tomorrow'), [
      'After Midnight',
      'Saturday House',
      'Saturday Techno',
    ]);
    assert.deepEqual(await names('/cities/berlin?when=2026-12-04'), ['Next Friday']);
    const $ = await page('/cities/berlin?when=tonight');
    assert.equal($('h1').text(), 'Tonight in Berlin');
    assert.equal($('.days [aria-current]').text(), 'Tonight');
    assert.match((await page('/cities/berlin'))('.answer').text(), /^Tonight: 2 events$/);
  });

  test('of a city: genres have the counts of the selection, and keep it', async () => {
    const $ = await page('/cities/berlin?when=tomorrow');
    assert.deepEqual(texts($, '.genre-chips a'), ['House2', 'Techno1']);
    assert.equal($('.genre-chips a').first().attr('href'), '/cities/berlin?genre=house&when=tomorrow');
    assert.deepEqual(await names('/cities/berlin?genre=house&when=tomorrow'), [
      'After Midnight',
      'Saturday House',
    ]);
    assert.deepEqual(await names('/cities/berlin?genre=techno'), [
      'Running Since Friday',
      'Saturday Techno',
      'Next Friday',
    ]);
    assert.match((await page('/cities/berlin?genre=nope'))('.notice').text(), /No genre is called “nope”/);
    assert.match((await page('/cities/berlin?when=someday'))('.notice').text(), /is not a day/);
  });

  test('a day leads to the day before and after, with its genre', async () => {
    const $ = await page('/cities/berlin?when=2026-12-04&genre=techno');
    const linkOf = (rel: string) => [$(`a[rel=${rel}]`).text(), $(`a[rel=${rel}]`).attr('href')];
    assert.deepEqual(linkOf('prev'), ['Previous day', '/cities/berlin?genre=techno&when=2026-12-03']);
    assert.deepEqual(linkOf('next'), ['Next day', '/cities/berlin?genre=techno&when=2026-12-05']);
  });

  test('a day without events offers the nearest one, other genres and the whole city', async () => {
    const $ = await page('/cities/berlin?when=2026-12-02');
    assert.equal($('.empty').text(), 'No events on Wednesday 2 December 2026.');
    assert.deepEqual(texts($, '.spaced .below a'), [
      'Next: Friday 4 December 2026, 1 event',
      'All events in Berlin',
    ]);
    const house = await page('/cities/berlin?when=2026-12-04&genre=house');
    assert.deepEqual(texts(house, '.spaced .below a'), [
      'Before: Saturday 28 November 2026, 2 events',
      'All genres: 1 event',
      'All events in Berlin',
    ]);
    const german = await page('/cities/berlin?when=2026-12-02&lang=de');
    assert.match(
      german('.spaced .below a').first().text(),
      /^Nächster Termin: Freitag, 4\. Dezember 2026, 1 Event$/,
    );
    assert.equal(german('.empty').text(), 'Keine Events am Mittwoch, 2. Dezember 2026.');
    const technoDe = await page('/cities/berlin?when=2026-12-02&genre=house&lang=de');
    assert.equal(technoDe('.empty').text(), 'House: keine Events am Mittwoch, 2. Dezember 2026.');
    assert.match(
      technoDe('.spaced .below a').first().text(),
      /^Vorher: Samstag, 28\. November 2026, 2 Events$/,
    );
  });

  test('a week has its days that are to come, a month the events of each day', async () => {
    const $ = await page('/cities/berlin?when=week');
    assert.deepEqual(texts($, '.listing h3'), [
      'Friday 27 November 2026',
      'Saturday 28 November 2026',
      'Sunday 29 November 2026',
    ]);
    const month = await page('/cities/berlin?when=2026-11');
    assert.deepEqual(texts(month, '.month td a'), [
      '26Thursday 26 November 20261 event',
      '27Friday 27 November 20261 event',
      '28Saturday 28 November 20263 events',
    ]);
    assert.equal(month('.month a').last().attr('href'), '/cities/berlin?when=2026-11-28');
    assert.deepEqual(texts(month, '.spaced .below a'), ['Previous month', 'Next month']);
    assert.equal((await page('/cities/berlin?when=2026-11&genre=house'))('.month td a').length, 1);
  });

  test('of many cities: events are grouped by city, each night by its own zone', async () => {
    const $ = await page('/events?when=tonight');
    assert.deepEqual(texts($, '.by-city h3'), [
      'Berlin Germany, 2 events',
      'New York United States, 1 event',
    ]);
    assert.deepEqual(texts($, '.by-city h3 a'), ['Berlin', 'New York']);
    assert.equal($('.by-city h3 a').first().attr('href'), '/cities/berlin?when=tonight');
    const home = await page('/');
    assert.deepEqual(texts(home, '.by-city h3 a'), ['Berlin', 'New York']);
    // "Next up" begins after tonight.
    const section = (id: string) => texts(home, `section[aria-labelledby="${id}"] a.name`);
    assert.deepEqual(section('tonight').toSorted(), [
      'After Midnight',
      'New York Tonight',
      'Running Since Friday',
    ]);
    assert.deepEqual(section('next'), ['Saturday House', 'Saturday Techno', 'Next Friday']);
  });

  test('of many cities, the genres have the same counts beside a genre as without one', async () => {
    const genresOf = async (path: string) =>
      texts(await page(path), '.genre-chips .chips a').filter((text) => /\d$/.test(text));
    for (const days of ['weekend', '2026-11-28', 'week']) {
      const all = await genresOf(`/events?when=${days}`);
      assert.ok(all.length > 1, days);
      const others = await genresOf(`/events?when=${days}&genre=house`);
      assert.deepEqual(
        others,
        all.filter((text) => !text.startsWith('House')),
        days,
      );
    }
  });

  test('a week and a month of many cities are grouped by city', async () => {
    for (const value of ['week', 'month']) {
      const $ = await page(`/events?when=${value}`);
      assert.ok(texts($, '.by-city h3 a').includes('Berlin'), value);
      assert.equal($('.days [aria-current]').attr('href'), `/events?when=${value}`);
    }
  });

  test('questions in two languages are read as by the tools, events first', async () => {
    for (const [question, found] of [
      ['techno in Berlin on Saturday', ['Saturday Techno']],
      ['Was läuft in Berlin am Freitag?', ['Next Friday']],
      ['house at Tresor on Saturday', ['Saturday House']],
      ['Was läuft Freitagnacht in Berlin?', ['Next Friday']],
      // It is Saturday, 02:00.
      ['Was läuft morgen in Berlin?', ['After Midnight', 'Saturday House', 'Saturday Techno']],
      ['Berlin morgen', ['After Midnight', 'Saturday House', 'Saturday Techno']],
      ['techno in Berlin mañana', ['Saturday Techno']],
    ] as const) {
      const $ = await page(`/search?${new URLSearchParams({ q: question })}`);
      assert.deepEqual(texts($, '.listing a.name'), found, question);
      assert.equal($('main h2').first().text(), 'Events', question);
    }
    const tomorrow = await page('/search?q=Was+l%C3%A4uft+morgen+in+Berlin%3F');
    assert.deepEqual(texts(tomorrow, '.understood a'), [
      'City Berlin ×, leave out',
      'Days Sat 28 Nov ×, leave out',
    ]);
    const $ = await page('/search?q=techno+in+Berlin+on+Saturday');
    assert.deepEqual(texts($, '.understood a'), [
      'Genre Techno ×, leave out',
      'City Berlin ×, leave out',
      'Days Sat 28 Nov ×, leave out',
    ]);
    assert.equal($('.understood a').first().attr('href'), '/search?q=Berlin+on+Saturday');
    assert.equal((await names('/search?q=Berlin+on+Saturday')).length, 3);
    assert.deepEqual(texts($, '.hits .what a'), ['Techno', 'Berlin']);
    const empty = await page('/search?q=house+in+Berlin+on+2026-12-04');
    assert.equal(empty('.empty').text(), 'House, Berlin: no events on Friday 4 December 2026.');
    assert.match(texts(empty, '.below a').join(), /Before: Saturday 28 November 2026, 2 events/);
    const neither = await page('/search?q=house+or+techno+in+Berlin+on+2026-12-01');
    const next = neither('.below a').first();
    assert.equal(next.text(), 'Next: Friday 4 December 2026, 1 event');
    assert.deepEqual(await names(next.attr('href') ?? ''), ['Next Friday']);
    const next2 = (await page('/search?q=house+or+techno+in+Berlin+on+2026-12-08'))('.below a')
      .first()
      .text();
    assert.match(next2, /^Next: \S+ \d+ November 2026, \d+ events?$/);
    assert.equal(texts(neither, '.below a').at(-1), 'All events in Berlin');
    for (const question of ['events in Potsdam', 'Was läuft in Potsdam?', 'techno in Potsdam']) {
      const nothing = await page(`/search?${new URLSearchParams({ q: question })}`);
      assert.match(
        nothing('.empty').text(),
        /no upcoming events in Potsdam|No upcoming event matches/,
        question,
      );
      assert.equal(texts(nothing, '.below a')[0], '5 events in Berlin', question);
    }
    const either = await page('/search?q=house+or+techno+in+Berlin');
    assert.deepEqual(
      texts(either, '.understood a').map((part) => part.split(' ×')[0]),
      ['Genre House', 'City Berlin', 'Genre Techno'],
    );
    for (const question of ['house und techno in Berlin on Friday']) {
      const both = await page(`/search?${new URLSearchParams({ q: question })}`);
      assert.match(both('.understood').text() + both('.understood + p').text(), /“techno”/, question);
    }
    const weekend = await page('/search?q=trance+in+Berlin+this+weekend');
    assert.equal(weekend('.empty').text(), 'Trance, Berlin: no events this weekend.');
    assert.deepEqual(texts(weekend, '.below a'), ['All genres: 4 events', 'All events in Berlin']);
    // The night of Friday is the first day that is not over.
    const week = await page('/search?q=techno+in+Berlin+this+week');
    assert.equal(texts(week, '.understood a').at(-1), 'Days Fri 27 Nov to Sun 29 Nov ×, leave out');
    assert.equal((await page('/search?q=zzzz+qqqq'))('.understood').length, 0);
  });

  test('festivals that take place on the days are above the events', async () => {
    const festivals = async (path: string) => texts(await page(path), '#running-festivals + ul a');
    for (const day of ['2026-12-11', '2026-12-12', '2026-12-13', '2026-12', '2026-W50'])
      assert.deepEqual(await festivals(`/cities/berlin?when=${day}`), ['Winter Days 2026'], day);
    for (const day of ['2026-12-10', '2026-12-14', 'tonight', '2026-11'])
      assert.deepEqual(await festivals(`/cities/berlin?when=${day}`), [], day);
    assert.deepEqual(await festivals('/cities/potsdam?when=2026-12-12'), []);
    for (const [question, found] of [
      ['any festival in Berlin in December?', ['Winter Days 2026']],
      ['festivals in Berlin in January', []],
      ['techno in Berlin in December', []],
    ] as const) {
      const path = `/search?${new URLSearchParams({ q: question })}`;
      assert.deepEqual(await festivals(path), found, question);
      assert.doesNotMatch((await page(path))('main').text(), /Not understood/, question);
    }
    // Without days, the festivals of the city are listed below their next editions.
    const $ = await page(`/search?${new URLSearchParams({ q: 'Welche Festivals gibt es in Berlin?' })}`);
    const listed = texts($, 'section[aria-labelledby="asked-records"] a');
    assert.ok(listed.includes('Winter Days 2026'), listed.join());
    assert.doesNotMatch($('main').text(), /Not understood/);
  });

  test('questions for the clubs of a city lead to their list', async () => {
    for (const question of ['Which clubs are in Berlin?', 'Welche Clubs gibt es in Berlin?']) {
      const $ = await page(`/search?${new URLSearchParams({ q: question })}`);
      assert.deepEqual(texts($, 'a[href="/venues?city=berlin"]'), ['All venues in Berlin'], question);
      assert.ok(texts($, 'section[aria-labelledby="asked-records"] a').length > 1, question);
    }
    assert.equal((await page('/search?q=techno+in+Berlin'))('a[href^="/venues?"]').length, 0);
  });

  test('a city is remembered by a button, in a cookie with its name alone', async () => {
    const form = (await page('/cities/berlin'))('form.remember');
    assert.equal(form.attr('action'), '/cities/berlin/remember');
    const remembered = await ask('/cities/berlin/remember', {}, 'POST');
    assert.deepEqual([remembered.status, remembered.headers.location], [303, '/']);
    const [cookie = ''] = [remembered.headers['set-cookie']].flat() as string[];
    assert.match(cookie, /^cratebase_city=berlin; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/);
    const home = await page('/', { cookie: 'cratebase_city=berlin' });
    assert.equal(home('#tonight').text(), 'Tonight in Berlin');
    const inSection = (id: string) => texts(home, `section[aria-labelledby="${id}"] .listing a.name`);
    assert.deepEqual(inSection('tonight'), ['Running Since Friday', 'After Midnight']);
    assert.deepEqual(inSection('home-city'), ['Saturday House', 'Saturday Techno', 'Next Friday']);
    assert.equal(home('form.remember').attr('action'), '/cities/berlin/forget');
    assert.equal(
      (await ask('/', { cookie: 'cratebase_city=berlin' })).headers['cache-control'],
      'private, no-cache',
    );
    assert.equal((await page('/'))('#tonight').text(), 'Tonight');
    for (const wrong of ['nowhere', '%ff', '%00', 'x'.repeat(5_000)])
      assert.equal(
        (await page('/', { cookie: `cratebase_city=${wrong}` }))('#tonight').text(),
        'Tonight',
        wrong,
      );
    const forgotten = await ask('/cities/berlin/forget', {}, 'POST');
    assert.match(String(forgotten.headers['set-cookie']), /^cratebase_city=; .*Max-Age=0/);
    assert.equal((await ask('/cities/berlin/remember')).status, 405);
    assert.equal((await ask('/cities/berlin/remember', {}, 'OPTIONS')).headers.allow, 'POST, OPTIONS');
    assert.equal((await ask('/cities/nowhere/remember', {}, 'POST')).status, 404);
    const foreign = await ask('/cities/berlin/remember', { 'sec-fetch-site': 'cross-site' }, 'POST');
    assert.deepEqual([foreign.status, foreign.headers['set-cookie']], [403, undefined]);
  });

  test('a remembered city that got another slug can be forgotten', async () => {
    const cookie = 'cratebase_city=ost-berlin';
    for (const path of ['/', '/cities/berlin'])
      assert.equal(
        (await page(path, { cookie }))('form.remember').attr('action'),
        '/cities/berlin/forget',
        path,
      );
  });

  test('a position leads to the nearest city with events, and is not kept', async () => {
    for (const [at, path] of [
      ['52.4,13.1', '/cities/berlin'],
      ['40.9,-74.3', '/cities/new-york'],
      ['x', '/cities'],
      ['999,999', '/cities'],
    ]) {
      const answer = await ask(`/near?at=${at}`);
      assert.deepEqual([answer.status, answer.headers.location], [303, path], at);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    assert.ok((await page('/'))('[data-near][hidden]').length === 1, 'hidden without scripts');
  });

  test('lists of cities and venues have counts and the next date', async () => {
    assert.match(texts(await page('/cities'), '.names li').join('|'), /Berlin DE ?5 events, next Fri 27 Nov/);
    const venues = texts(await page('/venues'), '.names li').join('|');
    assert.match(venues, /Berghain Berlin, DE ?2 events, next Sat 28 Nov/);
    assert.match(
      texts(await page('/venues?city=berlin'), '.names li').join('|'),
      /Tresor ?3 events, next Fri 27 Nov/,
    );
  });

  test('feeds and calendars have the filters of their page', async () => {
    const atom = parseAtomFeed((await ask('/events.atom?city=berlin&genre=techno&venue=tresor')).text);
    assert.deepEqual(
      atom.entries?.map(({ title }) => (title as { value: string }).value.split(',')[0]),
      ['Running Since Friday', 'Next Friday'],
    );
    const calendar = async (path: string) => {
      const answer = await ask(path);
      assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8');
      return new ICAL.Component(ICAL.parse(answer.text)).getAllSubcomponents('vevent').length;
    };
    assert.equal(await calendar('/events.ics'), 6);
    assert.equal(await calendar('/cities/berlin.ics?genre=house'), 2);
    assert.equal(await calendar('/events.ics?genre=nope'), 0);
    assert.equal(await calendar('/events.ics?country=Nowhereland'), 0);
    const $ = await page('/events?city=berlin&genre=techno');
    assert.equal($('link[type="text/calendar"]').attr('href'), '/events.ics?city=berlin&genre=techno');
    assert.equal($('a[href="/events.atom?city=berlin&genre=techno"]').length, 1);
    const title = $('link[type="text/calendar"]').attr('title');
    for (const days of ['from=2026-11-27&to=2026-11-28', 'when=weekend']) {
      const filtered = await page(`/events?city=berlin&genre=techno&${days}`);
      const link = filtered('link[type="text/calendar"]');
      assert.deepEqual(
        [link.attr('href'), link.attr('title')],
        ['/events.ics?city=berlin&genre=techno', title],
        'a feed leaves the days out',
      );
    }
    assert.equal(
      (await page('/cities/berlin?genre=house'))('a[href="/cities/berlin.ics?genre=house"]').length,
      1,
    );
  });
});
