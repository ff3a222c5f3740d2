/** Adapters of sites: WordPress, Squarespace, Gancio, Mobilizon. Each is read from a server that answers in its shape. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { RecordOf } from '../../src/sources/adapter.ts';
import {
  gancioEvent,
  mobilizonEvent,
  mobilizonPage,
  overpassAnswer,
  squarespaceEvent,
  squarespacePage,
  tribeEvent,
  tribePage,
  wikidataAnswer,
} from '../support/sites.ts';
import { eventsIn, fileWith, type Reading, read, serve } from '../support/source-server.ts';

const venuesIn = ({ records }: Reading): RecordOf<'venue'>[] =>
  records.filter((record) => record.kind === 'venue');

/** Serves JSON by path; other paths are missing. */
const serveJson = (
  context: TestContext,
  answer: (request: IncomingMessage, body: string, base: string) => unknown,
): Promise<string> =>
  serve(context, (request, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const value = answer(request, body, `http://${request.headers.host}`);
      if (value === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    });
  });

test('wordpress: all pages of The Events Calendar, with place, price and local time', async (t) => {
  const asked: string[] = [];
  const url = await serveJson(t, (request, _, base) => {
    asked.push(request.url ?? '');
    const { searchParams, pathname } = new URL(request.url ?? '', base);
    if (pathname !== '/wp-json/tribe/events/v1/events') return undefined;
    return searchParams.get('page') === '2'
      ? tribePage([tribeEvent(2, { all_day: true, venue: [], cost_details: [] })])
      : tribePage([tribeEvent(1)], `${base}${pathname}?page=2`);
  });
  const reading = await read('wordpress', `${url}/events/`, { options: { city: 'Halle', country: 'DE' } });
  assert.deepEqual(reading.rejected, []);
  assert.equal(reading.end.ended, 'whole');
  assert.match(asked[0] ?? '', /per_page=50&start_date=2026-11-19$/);
  const [first, second] = eventsIn(reading);
  assert.deepEqual(first, {
    kind: 'event',
    external_id: '1',
    name: 'Night 1 – Ann Example & Bob',
    start_at: '2030-05-03T23:00:00',
    end_at: '2030-05-04T06:00:00',
    timezone: 'Europe/Berlin',
    city: 'Leipzig',
    country: 'DE',
    venue: { external_id: '7', name: 'Kulturhaus & Garten', city: 'Leipzig', country: 'DE' },
    description: 'Doors at eleven.',
    image_url: 'https://kulturhaus.example/wp-content/uploads/1.jpg',
    url: 'https://kulturhaus.example/event/night-1/',
    tickets: [
      {
        seller: 'kulturhaus.example',
        url: 'https://kulturhaus.example/event/night-1/',
        price_min: 10,
        price_max: 15,
        currency: 'EUR',
      },
    ],
  });
  assert.deepEqual(
    [second?.start_at, second?.end_at, second?.city, second?.venue, second?.tickets],
    ['2030-05-03', '2030-05-04', 'Halle', undefined, undefined],
  );
  assert.deepEqual(venuesIn(reading), [
    {
      kind: 'venue',
      external_id: '7',
      name: 'Kulturhaus & Garten',
      city: 'Leipzig',
      country: 'DE',
      address: 'Musterstraße 1',
      postal_code: '04109',
      latitude: 51.34,
      longitude: 12.37,
      website: 'https://kulturhaus.example/',
    },
  ]);
});

test('wordpress: a venue whose name contains the address has its city', async (t) => {
  const venue = {
    id: 8,
    venue: 'House of Examples 329 N Dearborn St Chicago, IL 60654',
    country: 'United States',
  };
  const page = tribePage([tribeEvent(1, { venue })]);
  const reading = await read('wordpress', fileWith(t, 'a.json', JSON.stringify(page)));
  assert.deepEqual(
    venuesIn(reading).map(({ name, address, postal_code, city, country }) => [
      ...[name, address, postal_code, city, country],
    ]),
    [['House of Examples', '329 N Dearborn St', '60654', 'Chicago', 'US']],
  );
});

test('wordpress: drafts and hidden events are left out; an offset is no zone; cancelled is cancelled', async (t) => {
  const file = fileWith(
    t,
    'events.json',
    JSON.stringify(
      tribePage([
        tribeEvent(1, { status: 'draft' }),
        tribeEvent(2, { hide_from_listings: true }),
        tribeEvent(3, { timezone: 'UTC+2', event_status: 'canceled' }),
        tribeEvent(4, { title: '' }),
        tribeEvent(5, { start_date: 'soon' }),
        tribeEvent(6, { title: 'Geschlossen' }),
      ]),
    ),
  );
  const reading = await read('wordpress', file);
  assert.deepEqual(
    eventsIn(reading).map(({ external_id, start_at, timezone, status }) => [
      external_id,
      start_at,
      timezone,
      status,
    ]),
    [['3', '2030-05-03T23:00:00', undefined, 'cancelled']],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason),
    ['has no name', 'has no start'],
  );
  assert.equal(reading.skipped.length, 1);
});

test('a next page on another server is not read', async (t) => {
  let asked = 0;
  const other = await serve(t, (_, response) => {
    asked++;
    response.end('{}');
  });
  const url = await serveJson(t, () => tribePage([tribeEvent(1)], `${other}/wp-json/tribe/events/v1/events`));
  const reading = await read('wordpress', url);
  assert.deepEqual(reading.end, { ended: 'partial', reason: 'the address of its next page is not valid' });
  assert.deepEqual([eventsIn(reading).length, asked], [1, 0]);
});

test('a response of another kind fails the run', async (t) => {
  for (const answer of [{}, [], { events: 'none' }, { error: 'no' }]) {
    const url = await serveJson(t, () => answer);
    await assert.rejects(read('wordpress', url), /did not return a response of The Events Calendar/);
  }
  const url = await serve(t, (_, response) => response.writeHead(403).end('{"message":"Members only"}'));
  await assert.rejects(read('wordpress', url), /answered 403: Members only/);
});

test('gancio: instants, the place in one line, hidden events', async (t) => {
  const url = await serveJson(t, ({ url: path }) =>
    path === '/api/events?start=1795089600'
      ? [gancioEvent(1), gancioEvent(2, { is_visible: false }), gancioEvent(3, { place: { name: 'online' } })]
      : undefined,
  );
  const reading = await read('gancio', url, { options: { timezone: 'Europe/Rome' } });
  assert.deepEqual(reading.rejected, []);
  const [event, online] = eventsIn(reading);
  assert.deepEqual(event, {
    kind: 'event',
    external_id: '1',
    name: 'Serata 1',
    start_at: '2030-05-03T20:00:00Z',
    end_at: '2030-05-04T01:00:00Z',
    timezone: 'Europe/Rome',
    city: 'Torino',
    country: 'IT',
    venue: { external_id: '4', name: 'Officina Nove', city: 'Torino', country: 'IT' },
    image_url: `${url}/media/poster1.jpg`,
    url: `${url}/event/serata-1`,
  });
  assert.equal(online?.venue, undefined);
  assert.deepEqual(
    venuesIn(reading).map(({ address, postal_code, latitude }) => [address, postal_code, latitude]),
    [['Via Esempio 9', '10121', 45.07]],
  );
});

test('gancio: an agenda that is longer than what is read of it withdraws nothing', async (t) => {
  const events = (count: number) => Array.from({ length: count }, (_, at) => gancioEvent(at + 1));
  const answers = [events(5_001), events(5_000)];
  const url = await serveJson(t, () => answers.shift());
  const long = await read('gancio', url, { options: { timezone: 'Europe/Rome' } });
  assert.equal(eventsIn(long).length, 5_000);
  assert.equal(long.end.ended, 'partial');
  assert.match(long.end.ended === 'partial' ? long.end.reason : '', /lists more than 5000 events$/);
  const full = await read('gancio', url, { options: { timezone: 'Europe/Rome' } });
  assert.deepEqual([eventsIn(full).length, full.end], [5_000, { ended: 'whole' }]);
});

test('mobilizon: GraphQL in pages, public events only', async (t) => {
  const pages: number[] = [];
  const url = await serveJson(t, ({ url: path, method }, body) => {
    if (path !== '/api' || method !== 'POST') return undefined;
    const { variables, query } = JSON.parse(body) as { variables: { page: number }; query: string };
    assert.match(query, /events\(page: \$page, limit: \$limit\)/);
    pages.push(variables.page);
    return variables.page === 1
      ? mobilizonPage([mobilizonEvent(1), mobilizonEvent(2, { visibility: 'UNLISTED' })], 51)
      : mobilizonPage([mobilizonEvent(3, { status: 'CANCELLED', physicalAddress: null })], 51);
  });
  const reading = await read('mobilizon', `${url}/events`);
  assert.deepEqual(pages, [1, 2]);
  const [event, cancelled] = eventsIn(reading);
  assert.deepEqual(event, {
    kind: 'event',
    external_id: 'https://agenda.example/events/00000000-0000-4000-8000-000000000001',
    name: 'Nuit 1',
    start_at: '2030-05-03T20:00:00Z',
    end_at: '2030-05-04T02:00:00Z',
    timezone: 'Europe/Paris',
    city: 'Lyon',
    country: 'FR',
    venue: {
      external_id: event?.venue?.external_id,
      name: 'La Fabrique',
      city: 'Lyon',
      country: 'FR',
    },
    description: 'Entrée libre',
    image_url: 'https://agenda.example/media/1.jpg',
    url: 'https://agenda.example/events/00000000-0000-4000-8000-000000000001',
    tickets: [
      {
        seller: 'tickets.example',
        url: 'https://tickets.example/1',
        price_min: 8,
        price_max: 8,
        currency: 'EUR',
      },
    ],
  });
  assert.deepEqual([cancelled?.status, cancelled?.venue], ['cancelled', undefined]);
  assert.equal(venuesIn(reading)[0]?.latitude, 45.76);
});

test('squarespace: the JSON view of a page, its pages, and its zone', async (t) => {
  const url = await serveJson(t, ({ url: path }) => {
    if (path === '/calendar?format=json')
      return squarespacePage([squarespaceEvent('a')], {
        pagination: { nextPage: true, nextPageUrl: '/calendar?offset=2' },
      });
    return path === '/calendar?offset=2&format=json'
      ? squarespacePage([
          squarespaceEvent('b', {
            location: { mapLat: 40.72, mapLng: -74 },
            assetUrl: 'https://images.squarespace-cdn.com/content/',
          }),
        ])
      : undefined;
  });
  const reading = await read('squarespace', `${url}/calendar`);
  assert.deepEqual(reading.rejected, []);
  const [first, second] = eventsIn(reading);
  assert.deepEqual(first, {
    kind: 'event',
    external_id: 'a',
    name: 'Basement a',
    start_at: '2030-05-04T02:00:00Z',
    end_at: '2030-05-04T09:00:00Z',
    timezone: 'America/New_York',
    city: 'Brooklyn',
    country: 'US',
    venue: { external_id: first?.venue?.external_id, name: 'Basement', city: 'Brooklyn', country: 'US' },
    description: 'All night',
    image_url: 'https://images.squarespace-cdn.com/content/poster.jpg',
    url: `${url}/calendar/a`,
  });
  // The place of a page without an address is the default of its map.
  assert.deepEqual([second?.venue, second?.image_url], [undefined, undefined]);
  const blog = squarespacePage([], { upcoming: undefined, items: [{ id: 'p', title: 'Post' }] });
  const file = fileWith(t, 'blog.json', JSON.stringify(blog));
  assert.match(
    (await read('squarespace', file)).rejected[0]?.reason ?? '',
    /is no response of a Squarespace/,
  );
});

const eventbriteEvent = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: { text: 'Ann & Bob', html: 'Ann &amp; Bob' },
  description: { text: 'Doors', html: '<p>Doors</p>' },
  url: `https://www.eventbrite.de/e/${id}`,
  start: { timezone: 'Europe/Berlin', local: '2030-05-03T23:00:00', utc: '2030-05-03T21:00:00Z' },
  end: { timezone: 'Europe/Berlin', local: '2030-05-04T06:00:00', utc: '2030-05-04T04:00:00Z' },
  status: 'live',
  listed: true,
  online_event: false,
  logo: { url: 'https://img.evbuc.com/s.jpg', original: { url: 'https://img.evbuc.com/o.jpg' } },
  venue: {
    id: '77',
    name: 'Halle 9',
    address: {
      address_1: 'Beispielweg 3',
      city: 'Köln',
      postal_code: '50667',
      country: 'DE',
      latitude: '50.93',
      longitude: '6.95',
    },
  },
  ticket_availability: {
    is_sold_out: false,
    minimum_ticket_price: { currency: 'EUR', major_value: '12.00' },
    maximum_ticket_price: { currency: 'EUR', major_value: '18.00' },
  },
  ...more,
});

test('eventbrite: the token goes in a header, never in an address; drafts and private events are left out', async (t) => {
  const asked: [string, string][] = [];
  const url = await serveJson(t, ({ url: path = '', headers }) => {
    asked.push([path, headers.authorization ?? '']);
    return path.includes('continuation=next')
      ? {
          events: [eventbriteEvent('3', { status: 'canceled', online_event: true })],
          pagination: { has_more_items: false },
        }
      : {
          events: [
            eventbriteEvent('1'),
            eventbriteEvent('2', { status: 'draft' }),
            eventbriteEvent('4', { listed: false }),
          ],
          pagination: { has_more_items: true, continuation: 'next' },
        };
  });
  const location = `${url}/v3/organizations/5/events/`;
  await assert.rejects(
    read('eventbrite', location),
    /Eventbrite needs a key: set CRATEBASE_EVENTBRITE_TOKEN/,
  );
  const reading = await read('eventbrite', location, { options: { apikey: 'secret-token' } });
  assert.deepEqual(
    asked.map(([, authorization]) => authorization),
    ['Bearer secret-token', 'Bearer secret-token'],
  );
  assert.match(asked[0]?.[0] ?? '', /expand=venue%2Cticket_availability&time_filter=current_future/);
  assert.ok(asked.every(([path]) => !path.includes('secret')));
  const [first, second, ...rest] = eventsIn(reading);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [first?.name, first?.start_at, first?.timezone, first?.venue, first?.tickets],
    [
      'Ann & Bob',
      '2030-05-03T23:00:00',
      'Europe/Berlin',
      { external_id: '77', name: 'Halle 9', city: 'Köln', country: 'DE' },
      [
        {
          seller: 'Eventbrite',
          url: 'https://www.eventbrite.de/e/1',
          price_min: 12,
          price_max: 18,
          currency: 'EUR',
          availability: 'available',
        },
      ],
    ],
  );
  assert.deepEqual([second?.status, second?.venue], ['cancelled', undefined]);
});

test('a key is not sent to another server, and is in no message', async (t) => {
  const seen: string[] = [];
  const thief = await serve(t, ({ headers }, response) => {
    seen.push(headers.authorization ?? '');
    response.end('{}');
  });
  const moved = await serve(t, (_, response) => response.writeHead(302, { location: thief }).end());
  await assert.rejects(
    read('eventbrite', `${moved}/v3/organizations/5/events/`, { options: { apikey: 'secret' } }),
  );
  assert.deepEqual(seen, ['']);
  const failing = await serve(t, (_, response) =>
    response.writeHead(400).end('{"message":"bad client_id k-1"}'),
  );
  await assert.rejects(read('seatgeek', failing, { options: { apikey: 'k-1' } }), (failure: Error) => {
    assert.match(failure.message, /answered 400: bad client_id \(hidden\)/);
    return !failure.message.includes('k-1');
  });
});

test('tickettailor: local times, prices in cents, the key as a user name', async (t) => {
  const event = {
    object: 'event',
    id: 'ev_1',
    name: 'Warehouse',
    description: '<p>Late</p>',
    start: { iso: '2030-05-03T22:00:00+01:00', date: '2030-05-03', time: '22:00', timezone: '+01:00' },
    end: { iso: '2030-05-04T04:00:00+01:00', date: '2030-05-04', time: '04:00', timezone: '+01:00' },
    timezone: 'Europe/London',
    status: 'published',
    venue: { name: 'Unit 5', postal_code: 'E8 1AA', country: 'GB' },
    url: 'https://www.tickettailor.com/events/warehouse/1',
    images: { header: 'https://uploads.tickettailor.com/1.jpg' },
    currency: 'gbp',
    tickets_available: 'true',
    ticket_types: [{ price: 1000 }, { price: 1500 }],
    private: 'false',
    online_event: 'false',
  };
  const asked: string[] = [];
  const url = await serveJson(t, ({ url: path = '', headers }) => {
    asked.push(headers.authorization ?? '');
    return path.includes('starting_after')
      ? { data: [{ ...event, id: 'ev_2', private: 'true' }], links: { next: null } }
      : { data: [event], links: { next: '/v1/events?starting_after=ev_1' } };
  });
  const reading = await read('tickettailor', url, { options: { apikey: 'sk_1', city: 'London' } });
  assert.deepEqual(asked, Array(2).fill(`Basic ${Buffer.from('sk_1:').toString('base64')}`));
  const [first, ...rest] = eventsIn(reading);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [first?.start_at, first?.timezone, first?.city, first?.venue?.name, first?.tickets?.[0]],
    [
      '2030-05-03T22:00:00',
      'Europe/London',
      'London',
      'Unit 5',
      {
        seller: 'Ticket Tailor',
        url: 'https://www.tickettailor.com/events/warehouse/1',
        price_min: 10,
        price_max: 15,
        currency: 'GBP',
        availability: 'available',
      },
    ],
  );
});

test('tickettailor: prices in the smallest unit of their currency', async (t) => {
  const event = (id: string, currency: string) => ({
    id,
    name: id,
    start: { iso: '2030-05-03T22:00:00+09:00' },
    url: `https://www.tickettailor.com/events/${id}`,
    currency,
    ticket_types: [{ price: 3000 }],
  });
  const url = await serveJson(t, () => ({
    data: [event('yen', 'jpy'), event('euro', 'eur'), event('dinar', 'kwd')],
    links: { next: null },
  }));
  const reading = await read('tickettailor', url, { options: { apikey: 'sk_1' } });
  assert.deepEqual(
    eventsIn(reading).map(({ tickets }) => [tickets?.[0]?.price_min, tickets?.[0]?.currency]),
    [
      [3000, 'JPY'],
      [30, 'EUR'],
      [3, 'KWD'],
    ],
  );
});

test('seatgeek: electronic music by default, performers as artists, no clock that is not announced', async (t) => {
  const event = (id: number, more: Record<string, unknown> = {}) => ({
    id,
    title: 'Ann with Bob',
    datetime_local: '2030-05-03T23:00:00',
    datetime_utc: '2030-05-04T03:00:00',
    time_tbd: false,
    url: `https://seatgeek.com/e/${id}`,
    venue: {
      id: 9,
      name: 'Basement',
      address: '12 Example Ave',
      city: 'Brooklyn',
      country: 'US',
      postal_code: '11237',
      timezone: 'America/New_York',
      location: { lat: 40.7, lon: -73.92 },
    },
    performers: [
      { id: 1, name: 'Ann', type: 'band', image: 'https://seatgeek.com/i.jpg' },
      { id: 2, name: 'Some Team', type: 'nba' },
    ],
    stats: { lowest_price: 20, highest_price: 45 },
    ...more,
  });
  const asked: URL[] = [];
  const url = await serveJson(t, ({ url: path = '' }, _, base) => {
    asked.push(new URL(path, base));
    return {
      events: [event(asked.length, { time_tbd: asked.length === 2 })],
      meta: { total: 101, per_page: 100 },
    };
  });
  const reading = await read('seatgeek', `${url}/?venue.city=Brooklyn`, { options: { apikey: 'k-1' } });
  assert.deepEqual(
    asked.map(({ pathname, searchParams: query }) => [
      pathname,
      ...['venue.city', 'genres.slug', 'client_id', 'page'].map((name) => query.get(name)),
    ]),
    [
      ['/2/events', 'Brooklyn', 'electronic', 'k-1', '1'],
      ['/2/events', 'Brooklyn', 'electronic', 'k-1', '2'],
    ],
  );
  const [first, second] = eventsIn(reading);
  assert.deepEqual(
    [
      first?.start_at,
      first?.timezone,
      first?.lineup,
      first?.tickets?.[0]?.price_max,
      first?.venue?.external_id,
    ],
    ['2030-05-03T23:00:00', 'America/New_York', [{ external_id: '1', name: 'Ann' }], 45, '9'],
  );
  assert.equal(second?.start_at, '2030-05-03');
});

test('openstreetmap: places of music with a name, city and country', async (t) => {
  const file = fileWith(t, 'clubs.json', JSON.stringify(overpassAnswer));
  const options = { city: 'Leipzig', country: 'DE' };
  const reading = await read('openstreetmap', file, { options });
  assert.deepEqual(reading.rejected, []);
  assert.deepEqual(venuesIn(reading), [
    {
      kind: 'venue',
      external_id: 'node/11',
      name: 'Distillerie Beispiel',
      city: 'Leipzig',
      country: 'DE',
      address: 'Musterweg 5',
      postal_code: '04103',
      latitude: 51.32,
      longitude: 12.37,
      website: 'https://distillerie.example/',
      capacity: 400,
      aliases: ['Dissi', 'Die Distillerie'],
      external_ids: { wikidata: 'Q42424242' },
    },
    {
      kind: 'venue',
      external_id: 'way/12',
      name: 'Halle Muster',
      city: 'Leipzig',
      country: 'DE',
      latitude: 51.34,
      longitude: 12.38,
    },
  ]);
  assert.deepEqual((await read('openstreetmap', file)).records, [], 'without a country there is no venue');
  await assert.rejects(
    read('openstreetmap', 'http://127.0.0.1:9/?data=node;out;'),
    /begins with \[out:json\]/,
  );
});

test('wikidata: kinds, ids and names of the rows of a query', async (t) => {
  const reading = await read('wikidata', fileWith(t, 'rows.json', JSON.stringify(wikidataAnswer)));
  assert.deepEqual(reading.records, [
    {
      kind: 'artist',
      external_id: 'Q101',
      name: 'Ann Example',
      country: 'DE',
      aliases: ['A. Example'],
      external_ids: { wikidata: 'Q101', musicbrainz: '38c4b8b1-9ff4-4d2e-ae4e-8a7cf2d1cd3a', discogs: '555' },
      genres: ['techno', 'house'],
      image_url: 'https://commons.wikimedia.org/wiki/Special:FilePath/Ann%20Example.jpg?width=1200',
      ...{ image_credit: 'Jo Photo', image_license: 'CC BY-SA 4.0' },
      links: [{ type: 'website', url: 'https://ann.example/' }],
    },
    {
      kind: 'venue',
      external_id: 'Q102',
      name: 'Halle Muster',
      country: 'DE',
      external_ids: { wikidata: 'Q102' },
      city: 'Leipzig',
      latitude: 51.34,
      longitude: 12.38,
    },
    {
      kind: 'label',
      external_id: 'Q103',
      name: 'Muster Records',
      external_ids: { wikidata: 'Q103' },
      founded_year: 1994,
    },
    {
      kind: 'festival',
      external_id: 'Q104',
      name: 'Musterfest',
      country: 'DE',
      external_ids: { wikidata: 'Q104' },
      city: 'Leipzig',
    },
  ]);
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason),
    ['Q105 has no name', 'Q106 has no kind: artist, venue, festival or label'],
  );
});
