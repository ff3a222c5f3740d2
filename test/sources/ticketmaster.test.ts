/** The Ticketmaster adapter: recorded answers in files, the API's paging and limits over HTTP, what its members mean. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Failure } from '../../src/failure.ts';
import { eventsIn, fileWith, now, read, recorded, serve } from '../support/source-server.ts';

type Row = Record<string, unknown> & { id: string };
const day = 86_400_000;

/** An event as the API gives it. */
const row = (id: string, more: Record<string, unknown> = {}): Row => ({
  id,
  name: `Show ${id}`,
  type: 'event',
  test: false,
  url: `https://www.ticketmaster.de/event/${id}`,
  dates: {
    start: { localDate: '2026-12-05', localTime: '23:00:00', dateTime: '2026-12-05T22:00:00Z' },
    timezone: 'Europe/Berlin',
    status: { code: 'onsale' },
  },
  classifications: [
    {
      primary: true,
      segment: { name: 'Music' },
      genre: { name: 'Dance/Electronic' },
      subGenre: { name: 'Techno' },
    },
  ],
  _embedded: {
    venues: [
      {
        id: 'V1',
        name: 'Tresor',
        city: { name: 'Berlin' },
        country: { countryCode: 'DE' },
        address: { line1: 'Köpenicker Straße 70' },
        location: { latitude: '52.51', longitude: '13.42' },
        timezone: 'Europe/Berlin',
      },
    ],
    attractions: [
      {
        id: 'A1',
        name: 'Robert Hood',
        classifications: [{ segment: { name: 'Music' } }],
        externalLinks: {
          musicbrainz: [{ id: '38c4b8b1-9ff4-4d2e-ae4e-8a7cf2d1cd3a' }],
          instagram: [{ url: 'https://www.instagram.com/roberthood' }],
        },
      },
    ],
  },
  ...more,
});
const one = async (context: TestContext, more: Record<string, unknown>) => {
  const reading = await read('ticketmaster', fileWith(context, 'one.json', JSON.stringify(row('E1', more))));
  return { event: eventsIn(reading)[0], reading };
};

/** The API over these events, one a slot of `startsWithNumber`, with its window of 1,000 rows. */
function api(rows: { row: Row; begins: number }[], asked: URL[] = []) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url as string, 'http://api');
    asked.push(url);
    const { searchParams: query } = url;
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))];
    const [from, to] = [
      Date.parse(query.get('startDateTime') ?? ''),
      Date.parse(query.get('endDateTime') ?? ''),
    ];
    response.setHeader('content-type', 'application/json');
    if (query.get('apikey') !== 'k3y')
      return response
        .writeHead(401)
        .end('{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}');
    if ((page + 1) * size > 1_000)
      return response
        .writeHead(400)
        .end('{"errors":[{"code":"DIS1035","detail":"API Limits Exceeded: Max paging depth exceeded"}]}');
    const found = rows.filter(({ begins }) => begins >= from && begins <= to);
    const events = found.slice(page * size, (page + 1) * size).map((entry) => entry.row);
    const totals = {
      size,
      totalElements: found.length,
      totalPages: Math.ceil(found.length / size),
      number: page,
    };
    return response.end(
      JSON.stringify({ ...(events.length === 0 ? {} : { _embedded: { events } }), page: totals }),
    );
  };
}

test('a private event is skipped, unless an act is named', async (context) => {
  const hidden = await one(context, {
    name: 'Private Event',
    _embedded: { venues: [], attractions: [] },
  });
  assert.deepEqual([hidden.reading.records, hidden.reading.rejected], [[], []]);
  assert.match(hidden.reading.skipped[0]?.reason ?? '', /not a public event/);
  assert.equal((await one(context, { name: 'Private Event' })).event?.name, 'Private Event');
});

test('an event is its venue, its artists and itself', async (context) => {
  const { reading } = await one(context, {
    priceRanges: [{ type: 'standard', currency: 'EUR', min: 15, max: 22.5 }],
    images: [
      { ratio: '3_2', url: 'https://i.example/3x2.jpg', width: 1024 },
      { ratio: '16_9', url: 'https://i.example/16x9.jpg', width: 1136 },
      { ratio: '16_9', url: 'https://i.example/small.jpg', width: 100 },
    ],
  });
  const venue = { external_id: 'V1', name: 'Tresor', city: 'Berlin', country: 'DE' };
  assert.deepEqual(reading.records, [
    {
      kind: 'venue',
      ...venue,
      address: 'Köpenicker Straße 70',
      latitude: 52.51,
      longitude: 13.42,
      timezone: 'Europe/Berlin',
      external_ids: { ticketmaster: 'V1' },
    },
    {
      kind: 'artist',
      external_id: 'A1',
      name: 'Robert Hood',
      links: [{ type: 'instagram', url: 'https://www.instagram.com/roberthood' }],
      external_ids: { musicbrainz: '38c4b8b1-9ff4-4d2e-ae4e-8a7cf2d1cd3a', ticketmaster: 'A1' },
    },
    {
      kind: 'event',
      external_id: 'E1',
      name: 'Show E1',
      start_at: '2026-12-05T23:00:00',
      timezone: 'Europe/Berlin',
      status: 'scheduled',
      venue,
      city: 'Berlin',
      country: 'DE',
      image_url: 'https://i.example/16x9.jpg',
      url: 'https://www.ticketmaster.de/event/E1',
      genres: ['Techno'],
      lineup: [{ external_id: 'A1', name: 'Robert Hood' }],
      tickets: [
        {
          seller: 'Ticketmaster',
          url: 'https://www.ticketmaster.de/event/E1',
          price_min: 15,
          price_max: 22.5,
          currency: 'EUR',
          availability: 'available',
        },
      ],
    },
  ]);
});

test('a clock that is not announced, or contradicts itself, is no clock', async (context) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ localDate: '2026-12-05', localTime: '23:00:00', timeTBA: true }, '2026-12-05'],
    [{ localDate: '2026-12-05', dateTBD: true }, '2026-12-05'],
    [{ localDate: '2026-12-05', localTime: '12:00:00', noSpecificTime: true }, '2026-12-05'],
    [{ localDate: '2026-12-05' }, '2026-12-05'],
    [{ dateTime: '2026-12-05T22:00:00Z' }, '2026-12-05T22:00:00Z'],
    [{ localDate: '2026-12-05', localTime: '22:00:00', dateTime: '2026-12-05T22:00:00Z' }, '2026-12-05'],
    [{ localDate: '2026-12-05', localTime: '23:30', dateTime: 'soon' }, '2026-12-05T23:30:00'],
  ];
  for (const [start, expected] of cases) {
    const { event } = await one(context, { dates: { start, timezone: 'Europe/Berlin' } });
    assert.equal(event?.start_at, expected, JSON.stringify(start));
  }
  const { reading } = await one(context, { dates: { start: { dateTBA: true } } });
  assert.deepEqual([eventsIn(reading), reading.rejected[0]?.reason], [[], 'has no date yet']);
});

test('status codes', async (context) => {
  const cases = [
    ['onsale', 'scheduled', 'available'],
    ['offsale', 'scheduled', 'not_on_sale'],
    ['cancelled', 'cancelled', undefined],
    ['canceled', 'cancelled', undefined],
    ['postponed', 'postponed', undefined],
    ['rescheduled', 'rescheduled', undefined],
    ['whatever', undefined, undefined],
  ];
  for (const [code, status, availability] of cases) {
    const dates = { start: { localDate: '2026-12-05' }, status: { code } };
    const { event } = await one(context, { dates });
    assert.deepEqual([event?.status, event?.tickets?.[0]?.availability], [status, availability], code);
  }
});

test('entries that are no concert are skipped: tests, other segments, extras', async (context) => {
  for (const more of [
    { test: true },
    { classifications: [{ primary: true, segment: { name: 'Sports' } }] },
    { name: 'Parking: Show' },
    { name: 'Summer Breakdown RV Pass' },
    { classifications: [], _embedded: {} },
  ]) {
    const { reading } = await one(context, more);
    assert.deepEqual([eventsIn(reading), reading.rejected], [[], []], JSON.stringify(more));
  }
  const festival = {
    id: 'F',
    name: 'Time Warp',
    classifications: [
      { segment: { name: 'Music' }, type: { name: 'Event Style' }, subType: { name: 'Festival' } },
    ],
  };
  const { event } = await one(context, {
    _embedded: { attractions: [festival, { id: 'P', name: 'VIP Package' }] },
  });
  assert.deepEqual(event?.lineup, undefined);
});

test('a genre and a status may have the name of a member of JavaScript objects', async (context) => {
  const classifications = [{ segment: { name: 'Music' }, genre: { name: 'Constructor' } }];
  const dates = { start: { localDate: '2026-12-05' }, status: { code: 'constructor' } };
  const { event, reading } = await one(context, { classifications, dates });
  assert.deepEqual([event?.genres, event?.status, reading.rejected], [['Constructor'], undefined, []]);
});

test('the whole list is read through the window of 1,000 rows, by halving the time', {
  timeout: 60_000,
}, async (context) => {
  const rows = Array.from({ length: 1_450 }, (_, index) => ({
    row: row(`E${index}`),
    begins: now + Math.floor(index / 8) * day,
  }));
  const asked: URL[] = [];
  const url = await serve(context, api(rows, asked));
  const reading = await read('ticketmaster', `${url}/discovery/v2/events.json?countryCode=DE`, {
    options: { apikey: 'k3y' },
  });
  assert.equal(eventsIn(reading).length, 1_450);
  assert.deepEqual([reading.rejected, reading.end], [[], { ended: 'whole' }]);
  for (const { searchParams: query } of asked) {
    assert.deepEqual(
      [query.get('countryCode'), query.get('size'), query.get('genreId'), query.get('includeTest')],
      ['DE', '200', 'KnvZfZ7vAvF', 'no'],
    );
    assert.ok((Number(query.get('page')) + 1) * 200 <= 1_000);
  }
});

test('pages that are smaller than asked for are read to the last', async (context) => {
  const url = await serve(context, (request, response) => {
    const number = Number(new URL(request.url ?? '', 'http://host').searchParams.get('page'));
    const page = { size: 2, totalElements: 5, totalPages: 3, number };
    const events = [0, 1].map((at) => row(`E${number * 2 + at}`)).slice(0, number === 2 ? 1 : 2);
    response.end(JSON.stringify({ page, _embedded: { events } }));
  });
  const reading = await read('ticketmaster', url, { options: { apikey: 'k3y' } });
  assert.deepEqual([eventsIn(reading).length, reading.end], [5, { ended: 'whole' }]);
});

test('more events at one time than the window holds is a partial reading', {
  timeout: 60_000,
}, async (context) => {
  const rows = Array.from({ length: 1_001 }, (_, index) => ({ row: row(`E${index}`), begins: now }));
  const url = await serve(context, api(rows));
  const reading = await read('ticketmaster', url, { options: { apikey: 'k3y', horizon: '1' } });
  assert.equal(eventsIn(reading).length, 1_000);
  assert.equal(reading.end.ended, 'partial');
});

test('an event that moved between pages leaves the reading partial, and none comes twice', {
  timeout: 60_000,
}, async (context) => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    row: row(`E${index % 290}`),
    begins: now + index,
  }));
  const url = await serve(context, api(rows));
  const reading = await read('ticketmaster', url, { options: { apikey: 'k3y' } });
  assert.deepEqual([eventsIn(reading).length, reading.end.ended], [290, 'partial']);
});

test('errors are reported in the words of the API, without the key', async (context) => {
  const url = await serve(context, api([]));
  const failure = await read('ticketmaster', `${url}/?apikey=wr0ng`).then(
    () => null,
    (reason: Error) => reason,
  );
  assert.ok(failure instanceof Failure);
  assert.match(failure.message, /answered 401: Invalid ApiKey/);
  assert.doesNotMatch(failure.message, /wr0ng/);
  await assert.rejects(read('ticketmaster', url), /CRATEBASE_TICKETMASTER_KEY/);
  await assert.rejects(
    read('ticketmaster', 'https://app.ticketmaster.com/discovery/v1/events'),
    /v1 is no longer served/,
  );
  const html = await serve(context, (_request, response) => void response.end('<html>'));
  await assert.rejects(read('ticketmaster', html, { options: { apikey: 'k3y' } }), /did not return JSON/);
});

test('a spike arrest is waited out', async (context) => {
  let calls = 0;
  const inner = api([{ row: row('E1'), begins: now }]);
  const url = await serve(context, (request, response) => {
    if (++calls > 1) inner(request, response);
    else response.writeHead(429).end('{"fault":{"faultstring":"Rate limit quota violation"}}');
  });
  const pauses: number[] = [];
  const reading = await read('ticketmaster', url, { options: { apikey: 'k3y' }, pauses });
  assert.deepEqual([eventsIn(reading).length, pauses], [1, [1_000]]);
});

test('the recorded answers, from files and over HTTP', async (context) => {
  const folder = recorded(context, 'ticketmaster');
  if (folder === null) return;
  const files = await read('ticketmaster', folder, { options: { segment: '*' } });
  assert.equal(eventsIn(files).length, 23);
  assert.equal(files.rejected.filter(({ reason }) => /v1, which is no longer served/.test(reason)).length, 5);
  const music = await read('ticketmaster', folder);
  assert.deepEqual(
    eventsIn(music).map(({ name }) => name),
    ['Saywecanfly @ Planet Trog with 7 Minutes In Heaven'],
  );
  assert.deepEqual(
    eventsIn(music)[0]?.lineup?.map(({ name }) => name),
    ['SayWeCanFly', '7 Minutes In Heaven'],
  );

  const [answer] = JSON.parse(readFileSync(`${folder}tm_sdkjs_discovery_v2_event_all-200.json`, 'utf8')) as {
    response: { _embedded: { events: Row[] } };
  }[];
  const rows = answer?.response._embedded.events.map((event) => ({ row: event, begins: now })) ?? [];
  const url = await serve(context, api(rows));
  const served = await read('ticketmaster', url, { options: { apikey: 'k3y', segment: '*' } });
  assert.equal(eventsIn(served).length, 18);
  const venue = served.records.find(
    (record) => record.kind === 'venue' && record.name === "Harrah's Showroom at Harrah's Las Vegas",
  );
  assert.ok(venue && venue.kind === 'venue' && venue.country === 'US' && venue.city === 'Las Vegas');
});

test('hostile answers end in a report', async (context) => {
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '[null,1,"x",[]]',
    '{"_embedded":{"events":[null,1,{"id":"x"},{"name":"y"}]}}',
    '['.repeat(100_000),
  ]) {
    const reading = await read('ticketmaster', fileWith(context, 'x.json', text));
    assert.deepEqual(reading.records, [], text.slice(0, 40));
  }
  const odd = {
    id: 'E',
    name: 'N',
    dates: { start: { localDate: ['x'], localTime: 5, dateTime: {} } },
    images: 'no',
    _embedded: { venues: {}, attractions: 'x' },
  };
  const reading = await read('ticketmaster', fileWith(context, 'x.json', JSON.stringify(odd)), {
    options: { segment: '*' },
  });
  assert.deepEqual([reading.records, reading.rejected.length], [[], 1]);
});
