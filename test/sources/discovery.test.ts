/** The recognition of an address: what is requested, in which order, and what is found. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FetchFailure } from '../../src/fetch/fetch-failure.ts';
import type { GuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { BudgetedFetch } from '../../src/sources/discovery/budgeted-fetch.ts';
import { type Discovery, discover } from '../../src/sources/discovery/discover.ts';
import { calendar, overpassAnswer, type Sites, sites, wikidataAnswer } from '../support/sites.ts';
import { now } from '../support/source-server.ts';

/** A fetch that is answered by sites. */
const fetchFrom =
  (from: Sites, asked: string[]): GuardedFetch =>
  async (address, { method = 'GET', body = '', headers = {} } = {}) => {
    const url = new URL(address);
    asked.push(url.href);
    const answer = from[url.host]?.({ url, method, body: String(body), headers });
    if (from[url.host] === undefined) throw new FetchFailure('unreachable', 'There is no such host.');
    const bytes = Buffer.from(answer?.body ?? 'Not found');
    return {
      status: answer === undefined ? 404 : (answer.status ?? 200),
      headers: { 'content-type': answer?.type ?? 'text/html' },
      url: url.href,
      body: (async function* () {
        yield bytes;
      })(),
      bytes: async () => bytes,
      text: async () => bytes.toString(),
      json: async () => JSON.parse(bytes.toString()),
      cancel: () => {},
    };
  };

type Recognized = Discovery & { asked: string[] };

async function recognize(address: string, from: Sites = sites, options: string[] = []): Promise<Recognized> {
  const asked: string[] = [];
  const { signal } = new AbortController();
  const budget = new BudgetedFetch(fetchFrom(from, asked), { maxRequests: 8, signal, pauseMs: 0 });
  const secretOptions = (type: string) => (type === 'ticketmaster' ? { apikey: 'my-key' } : {});
  return { ...(await discover(address, { budget, now, signal, secretOptions, options })), asked };
}

const page = (body: string, head = '') => ({
  type: 'text/html',
  body: `<html><head>${head}</head><body>${body}</body></html>`,
});
const ics = { type: 'text/calendar', body: calendar };

describe('recognizes', () => {
  const expected: [address: string, type: string, url: string, requests: number, options?: string[]][] = [
    [
      'https://kulturhaus.example/',
      'wordpress',
      'https://kulturhaus.example/wp-json/tribe/events/v1/events',
      2,
    ],
    ['https://torino.example/', 'gancio', 'https://torino.example/', 2],
    ['https://agenda.example/', 'mobilizon', 'https://agenda.example/', 2],
    ['https://basement.example/calendar', 'squarespace', 'https://basement.example/calendar', 2],
    ['https://seller.example/hamburg', 'jsonld', 'https://seller.example/hamburg', 2, ['match=/events/']],
    ['https://seller.example/events/one', 'jsonld', 'https://seller.example/events/one', 1],
    ['https://club.example/events.ics', 'ical', 'https://club.example/events.ics', 1],
    ['https://club.example/programme', 'ical', 'https://club.example/events.ics', 2],
    ['https://club.example/', 'ical', 'https://club.example/events.ics', 3],
    [
      'https://calendar.google.com/calendar/u/0?cid=Y2x1YkBncm91cC5jYWxlbmRhci5nb29nbGUuY29t',
      'ical',
      'https://calendar.google.com/calendar/ical/club%40group.calendar.google.com/public/basic.ics',
      1,
    ],
    [
      'https://app.ticketmaster.com/discovery/v2/events.json?city=Berlin',
      'ticketmaster',
      'https://app.ticketmaster.com/discovery/v2/events.json?city=Berlin',
      1,
    ],
    ['https://torino.example/api/events', 'gancio', 'https://torino.example/api/events', 2],
  ];
  for (const [address, type, url, requests, options = []] of expected) {
    test(address, async () => {
      const { found, asked } = await recognize(address);
      assert.deepEqual([found?.type, found?.url, found?.options], [type, url, options]);
      assert.equal(asked.length, requests, asked.join('\n'));
    });
  }

  test('with the options of a person, for the types that have them', async () => {
    const address = 'https://overpass-api.de/api/interpreter?data=[out:json];node;out;';
    const alone: Sites = { 'overpass-api.de': () => ({ body: JSON.stringify(overpass) }) };
    const overpass = {
      osm3s: {},
      elements: [{ type: 'node', id: 1, lat: 51, lon: 12, tags: { amenity: 'nightclub', name: 'Keller' } }],
    };
    assert.equal((await recognize(address, alone)).found, null);
    const { found } = await recognize(address, alone, [
      'city=Leipzig',
      'country=DE',
      'timezone=Europe/Berlin',
    ]);
    assert.deepEqual([found?.type, found?.license], ['openstreetmap', 'ODbL-1.0']);
  });

  test('answers of Overpass and Wikidata at other addresses, with their licences', async () => {
    const from: Sites = {
      'copies.example': ({ url }) =>
        ({
          '/api/interpreter': { body: JSON.stringify(overpassAnswer) },
          '/clubs.json': { body: JSON.stringify(overpassAnswer) },
          '/artists.json': { body: JSON.stringify(wikidataAnswer) },
        })[url.pathname],
    };
    const of = async (path: string) => {
      const { found } = await recognize(`https://copies.example${path}`, from, [
        'city=Leipzig',
        'country=DE',
      ]);
      return [found?.type, found?.license, found?.attribution];
    };
    const osm = ['openstreetmap', 'ODbL-1.0', '© OpenStreetMap contributors'];
    assert.deepEqual(await of('/api/interpreter?data=[out:json];node;out;'), osm);
    assert.deepEqual(await of('/clubs.json'), osm);
    assert.deepEqual(await of('/artists.json'), ['wikidata', 'CC0-1.0', 'Wikidata']);
  });

  test('a page that links to event pages in a folder of any name', async () => {
    const event = (name: string) =>
      page(
        '',
        `<script type="application/ld+json">${JSON.stringify({ '@type': 'MusicEvent', name, startDate: '2030-05-03T23:00+02:00' })}</script>`,
      );
    const links = (folder: string, count: number) =>
      Array.from({ length: count }, (_, at) => `<a href="/${folder}/${at}-x">${at}</a>`).join('');
    const from: Sites = {
      'plain.example': ({ url }) =>
        url.pathname === '/nights'
          ? page(`${links('about', 3)}${links('n', 5)}${links('tag', 9)}`)
          : url.pathname.startsWith('/n/')
            ? event(url.pathname)
            : page('Text'),
    };
    const { found, asked } = await recognize('https://plain.example/nights', from);
    assert.deepEqual(
      [found?.type, found?.url, found?.options],
      ['jsonld', 'https://plain.example/nights', ['match=/n/']],
    );
    assert.equal(asked.length, 2, asked.join('\n'));
  });

  test('an alternate calendar of a page, before what the page describes', async () => {
    const from: Sites = {
      'one.example': ({ url }) =>
        url.pathname === '/'
          ? page('<a href="/x.ics">', '<link rel="alternate" type="text/calendar" href="/all.ics">')
          : url.pathname === '/all.ics'
            ? ics
            : undefined,
    };
    const { found, asked } = await recognize('https://one.example/', from);
    assert.deepEqual([found?.type, found?.url, asked.length], ['ical', 'https://one.example/all.ics', 2]);
  });

  test('the calendar of a WordPress site that hides its interface', async () => {
    const from: Sites = {
      'two.example': ({ url }) =>
        url.pathname === '/events/'
          ? url.searchParams.get('ical') === '1'
            ? ics
            : page('<div class="tribe-events"></div>')
          : { status: 401, body: '{"message":"Only members"}' },
    };
    const { found, tried } = await recognize('https://two.example/events/', from);
    assert.deepEqual([found?.type, found?.url], ['ical', 'https://two.example/events/?ical=1']);
    assert.match(tried[0]?.outcome ?? '', /answered 401: Only members/);
  });

  test('a sitemap, a feed of cratebase, a podcast', async () => {
    const event = sites['seller.example']?.({
      url: new URL('https://seller.example/events/one'),
      ...{ method: 'GET', body: '', headers: {} },
    });
    const show =
      '<rss version="2.0"><channel><title>Radio</title><item><guid>1</guid><title>One</title><enclosure url="https://three.example/1.mp3" type="audio/mpeg"/></item></channel></rss>';
    const from: Sites = {
      'three.example': ({ url }) =>
        ({
          '/sitemap.xml': { body: '<urlset><url><loc>https://three.example/n/1</loc></url></urlset>' },
          '/n/1': event,
          '/feed': { body: '{"kind":"event","external_id":"1","name":"A","start_at":"2030-05-03"}\n' },
          '/podcast': { body: show },
          '/news': { body: show.replace(/<enclosure[^>]*>/, '') },
        })[url.pathname],
    };
    const typeOf = async (path: string) =>
      (await recognize(`https://three.example${path}`, from)).found?.type;
    assert.deepEqual(
      [await typeOf('/sitemap.xml'), await typeOf('/feed'), await typeOf('/podcast'), await typeOf('/news')],
      ['jsonld', 'feed', 'podcast', undefined],
    );
    // A site whose page leads nowhere has a sitemap.
    const site: Sites = {
      'three.example': (request) =>
        request.url.pathname === '/' ? page('Hello') : from['three.example']?.(request),
    };
    assert.equal(
      (await recognize('https://three.example/', site)).found?.url,
      'https://three.example/sitemap.xml',
    );
  });
});

describe('finds nothing', () => {
  test('and says what was tried', async () => {
    const { found, tried, asked } = await recognize('https://empty.example/');
    assert.equal(found, null);
    assert.deepEqual(
      tried.map(({ what, outcome }) => `${what}: ${outcome}`),
      [
        'events in the page: it describes none (schema.org)',
        'The Events Calendar of WordPress: is not there',
        'Gancio: is not there',
        'a sitemap: is not there',
      ],
    );
    assert.equal(asked.length, 4);
  });

  test('with more requests than it may send', async () => {
    const links = Array.from(
      { length: 30 },
      (_, at) => `<a href="/events/${at}x">e</a><a href="/${at}.ics">c</a>`,
    );
    const from: Sites = {
      'busy.example': ({ url }) =>
        /^\/(?:programme)?$/.test(url.pathname)
          ? page(
              `${links.join('')}<a href="/programme">p</a> wp-json/ squarespace mobilizon gancio SQUARESPACE_CONTEXT`,
            )
          : { status: 503, body: '' },
    };
    const { found, tried, asked } = await recognize('https://busy.example/', from);
    assert.equal(found, null);
    assert.equal(asked.length, 8, asked.join('\n'));
    assert.match(tried.at(-1)?.outcome ?? '', /was not tried: the number of requests is used up/);
  });

  test('dumps of Discogs at any server are downloaded, without a request', async () => {
    for (const address of [
      'https://discogs-dumps.example/data/2026/discogs_20261101_artists.xml.gz',
      'https://data.discogs.com/?download=data%2F2026%2Fdiscogs_20261101_labels.xml.gz',
    ])
      await assert.rejects(recognize(address), /Download them .* --type discogs/, address);
  });

  test('at services whose terms forbid it, without a request', async () => {
    for (const address of [
      'https://ra.co/events/de/berlin',
      'https://www.facebook.com/events/1',
      'https://www.instagram.com/club',
      'https://dice.fm/browse/berlin',
      'https://www.bandsintown.com/a/1',
      'https://www.songkick.com/artists/1',
    ])
      await assert.rejects(
        recognize(address, {}),
        /The terms of .* do not allow to copy its listings|does not read .* without its permission/,
      );
    await assert.rejects(recognize('https://www.ticketmaster.de/artist/1', {}), /Discovery API/);
    await assert.rejects(recognize('https://www.discogs.com/artist/1-Ann', {}), /data\.discogs\.com/);
    await assert.rejects(recognize('https://nowhere.example/', {}), /There is no such host/);
  });
});

test('a large response is kept up to its limit, and a failure is not repeated', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(1 << 20, 'x');
  const fetch: GuardedFetch = async () => ({
    ...{ status: 200, headers: {}, url: 'https://big.example/', cancel: () => {} },
    body: (async function* () {
      for (; sent < 100; sent++) yield chunk;
    })(),
    bytes: async () => chunk,
    text: async () => '',
    json: async () => ({}),
  });
  const { signal } = new AbortController();
  const budget = new BudgetedFetch(fetch, { maxRequests: 1, signal, pauseMs: 0 });
  let length = 0;
  const readAll = async () => {
    for await (const part of (await budget.fetch('https://big.example/')).body) length += part.length;
  };
  await assert.rejects(readAll(), /Only its first 20 MiB were read/);
  assert.deepEqual([length, sent], [20 * (1 << 20), 19]);
  for (let again = 0; again < 2; again++)
    await assert.rejects(budget.fetch('https://other.example/'), /number of requests .* is used up/);
});
