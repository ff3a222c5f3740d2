/** The public pages, as browsers, crawlers, feed readers and calendars see them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'cheerio/slim';
import { parseAtomFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { openSearch } from '../../src/catalogue/search.ts';
import { frozenClock } from '../../src/clock.ts';
import { createSiteUrl } from '../../src/pages/site-url.ts';
import { SiteHandler } from '../../src/site/handler.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { baseUrlPlaceholder } from '../../src/store/records/serialize.ts';
import { openSiteReader } from '../../src/store/site/site-reader.ts';
import { feed, feedNow } from '../support/feed.ts';
import { decodedBytes, maxPageBytes } from '../support/page-size.ts';
import {
  type Answer,
  importFeed,
  run,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'site.db');
const evil = '</script><script>alert(1)</script><!-- "\'&';
const line = (kind: string, external_id: string, members: object) => ({ kind, external_id, ...members });

/** What pages must get right beside what the common feed has. */
const more = [
  line('artist', 'x-evil', {
    name: `Evil ${evil}`,
    biography: evil,
    aliases: [evil],
    links: [
      { type: evil, url: 'https://evil.test/"><script>' },
      { type: 'constructor', url: 'https://other.test/' },
    ],
  }),
  line('venue', 'x-den', {
    name: `Den ${evil}`,
    city: 'Berlin',
    country: 'DE',
    address: `1 "Street", ${evil}`,
    latitude: 52.5,
    longitude: 13.4,
    links: [{ type: 'website', url: 'https://den.test/' }],
  }),
  line('event', 'x-ev', {
    name: `Night, of; ${evil}\\`,
    start_at: '2026-12-05T23:59',
    end_at: '2026-12-07T10:00',
    venue: { external_id: 'x-den', name: `Den ${evil}`, city: 'Berlin', country: 'DE' },
    lineup: [
      { external_id: 'x-evil', name: `Evil ${evil}`, billing: 'headline', stage: 'Main' },
      { name: 'Second Act', billing: 'support', stage: 'Side' },
    ],
    description: `Bring ${evil} and much more, so much that the line of a calendar has to be folded somewhere: ÄÖÜ 電気グルーヴ.`,
    genres: ['Techno'],
    minimum_age: 18,
    status: 'scheduled',
    url: 'https://den.test/night',
    image_url: 'https://den.test/night.jpg',
    tickets: [
      {
        seller: 'Dear',
        url: 'https://tickets.test/d',
        price_min: 25.5,
        price_max: 40,
        currency: 'EUR',
        availability: 'limited',
      },
      {
        seller: 'Cheap',
        url: 'https://tickets.test/e',
        price_min: 10,
        currency: 'EUR',
        availability: 'available',
      },
    ],
  }),
  line('venue', 'x-vault', {
    name: 'Vault',
    city: 'London',
    country: 'GB',
    address: '77a Charterhouse Street',
    postal_code: 'EC1M 6HJ',
  }),
  line('event', 'x-off', {
    name: 'Called Off',
    start_at: '2026-12-11T22:00',
    status: 'cancelled',
    venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
  }),
  line('event', 'x-day', {
    name: 'Whole Day',
    start_at: '2026-12-18',
    end_at: '2026-12-19',
    venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
  }),
  line('event', 'x-nowhere', { name: 'Nowhere Known', start_at: '2026-12-20' }),
  line('event', 'x-described', {
    name: 'Described Only',
    start_at: '2026-12-21',
    description: 'With Ann Example and Bob.',
  }),
  line('event', 'x-past', {
    name: 'Long Past',
    start_at: '2024-12-20T22:00',
    venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
  }),
  line('artist', 'x-one', { name: 'Twin Of Another', country: 'SE' }),
  line('artist', 'x-two', { name: 'Zwilling', country: 'SE' }),
  // The slug of this one is the beginning of the folder's name.
  line('artist', 'x-art', { name: 'Art', country: 'SE' }),
];

let server: Server;
before(async () => {
  importFeed(dataFile, [...feed, ...more]);
  for (const former of ['artist/zwilling', 'artist/art']) {
    const merged = run(['merge', 'artist/twin-of-another', former, '--data', dataFile]);
    assert.equal(merged.status, 0, merged.stderr);
  }
  server = await startServer({ dataFile, now: feedNow });
});
after(async () => {
  await server.stop();
  folder.remove();
});

const html = { accept: 'text/html' };
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  server.get(path, { key: null, method, headers: { ...html, ...headers } });
type Thing = Record<string, unknown> & { '@type': string };
type Page = Answer & { $: ReturnType<typeof load>; things: Thing[] };

async function page(path: string, status = 200): Promise<Page> {
  const answer = await ask(path);
  assert.equal(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`);
  const $ = load(answer.text);
  const text = $('script[type="application/ld+json"]').text();
  const graph = text === '' ? [] : (JSON.parse(text) as { '@context': string; '@graph': Thing[] });
  if (!Array.isArray(graph)) assert.equal(graph['@context'], 'https://schema.org');
  return { ...answer, $, things: Array.isArray(graph) ? graph : graph['@graph'] };
}

/** The slug of a record, as the API says it. */
async function slugOf(folderName: string, name: string): Promise<string> {
  const answer = await server.get(`/api/v1/${folderName}?limit=100`);
  const { data } = answer.json() as { data: { name: string; slug: string }[] };
  let found = data.find((one) => one.name === name);
  if (!found) {
    const hits = await server.get(`/api/v1/search?limit=50&q=${encodeURIComponent(name)}`);
    found = (hits.json() as typeof answer & { data: typeof data }).data.find((one) => one.name === name);
  }
  assert.ok(found, `${folderName}: ${name}`);
  return found.slug;
}

/** What a rich result of a type must have, and which further members of schema.org it may. */
const members: Record<string, { must: string[]; may: string[] }> = {
  MusicEvent: {
    must: ['name', 'url', 'startDate', 'location', 'eventStatus', 'eventAttendanceMode', 'description'],
    may: [
      'endDate',
      'performer',
      'offers',
      'organizer',
      'image',
      'typicalAgeRange',
      'keywords',
      'superEvent',
    ],
  },
  MusicGroup: {
    must: ['name', 'url'],
    may: ['alternateName', 'description', 'image', 'genre', 'foundingLocation', 'sameAs'],
  },
  MusicVenue: {
    must: ['name', 'url'],
    may: ['address', 'geo', 'maximumAttendeeCapacity', 'image', 'sameAs'],
  },
  EventSeries: {
    must: ['name', 'url'],
    may: ['description', 'image', 'location', 'keywords', 'sameAs', 'subEvent'],
  },
  Festival: {
    must: ['name', 'url', 'location', 'eventStatus', 'eventAttendanceMode', 'description'],
    may: ['startDate', 'endDate', 'performer', 'offers', 'organizer', 'image', 'superEvent'],
  },
  City: { must: ['name', 'url'], may: ['address', 'geo', 'containedInPlace'] },
  Organization: {
    must: ['name', 'url'],
    may: ['alternateName', 'description', 'logo', 'foundingDate', 'address', 'parentOrganization', 'sameAs'],
  },
  DefinedTerm: { must: ['name', 'url', 'inDefinedTermSet'], may: ['alternateName', 'description'] },
  PodcastSeries: { must: ['name', 'url'], may: ['description', 'image', 'webFeed', 'publisher', 'sameAs'] },
  PodcastEpisode: {
    must: ['name', 'url', 'partOfSeries'],
    may: [
      'description',
      'datePublished',
      'episodeNumber',
      'timeRequired',
      'image',
      'associatedMedia',
      'contributor',
    ],
  },
  BreadcrumbList: { must: ['itemListElement'], may: [] },
  WebSite: { must: ['name', 'url', 'potentialAction'], may: [] },
  CollectionPage: { must: ['name', 'url'], may: [] },
};

function checkThings(things: readonly Thing[], where: string): void {
  for (const thing of things) {
    const known = members[thing['@type']];
    assert.ok(known, `${where}: ${thing['@type']}`);
    for (const name of known.must) assert.ok(thing[name], `${where}: ${thing['@type']} lacks ${name}`);
    if (known.must.includes('location')) {
      const { name, address } = thing.location as Record<string, unknown>;
      assert.ok(name && address, `${where}: a place has a name and an address`);
    }
    for (const [name, value] of Object.entries(thing)) {
      assert.ok(value !== null && value !== '', `${where}: ${name}`);
      if (name !== '@type')
        assert.ok([...known.must, ...known.may].includes(name), `${where}: ${name} of ${thing['@type']}`);
    }
  }
}

/** What every page has: title, description, canonical address, one heading, and things that check. */
function checkFrame(path: string, { $, things, text, headers }: Page): void {
  assert.ok(decodedBytes(text) <= maxPageBytes, `${path} has ${decodedBytes(text)} bytes`);
  assert.equal($('html').attr('lang'), 'en');
  assert.equal($('h1').length, 1, path);
  assert.match($('head > title').text(), / · cratebase$/);
  for (const selector of [
    'meta[name="description"]',
    'meta[property="og:title"]',
    'meta[property="og:description"]',
    'meta[property="og:type"]',
    'meta[name="twitter:card"]',
  ])
    assert.ok(($(selector).attr('content') ?? '').length > 2, `${path}: ${selector}`);
  assert.equal(
    $('script:not([src]):not([type="application/ld+json"]), style, [style], [onclick]').length,
    0,
    path,
  );
  assert.ok(!text.includes(baseUrlPlaceholder), `${path}: the placeholder of addresses`);
  assert.doesNotMatch(text, /undefined|\[object/);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*script-src 'self'/);
  assert.equal(headers['cache-control'], 'public, max-age=60');
  assert.match(String(headers.etag), /^W\/"/);
  assert.equal(headers['set-cookie'], undefined);
  const ids = $('[id]')
    .toArray()
    .map((element) => $(element).attr('id'));
  assert.equal(new Set(ids).size, ids.length, `${path}: an id twice`);
  for (const element of $('a[href]').toArray()) {
    const href = $(element).attr('href') as string;
    assert.match(href, /^(?:\/|#|https?:|geo:|webcal:)/, path);
    if (/^https?:/.test(href) && !href.startsWith(server.url))
      assert.equal($(element).attr('rel'), 'nofollow noopener', href);
  }
  checkThings(things, path);
}

const records: [folderName: string, name: string, kind: string, type: string][] = [
  ['events', 'Marathon', 'Event', 'MusicEvent'],
  ['artists', 'Ben Klock', 'Artist', 'MusicGroup'],
  ['venues', 'Berghain', 'Venue', 'MusicVenue'],
  ['festivals', 'Dekmantel', 'Festival', 'EventSeries'],
  ['cities', 'Berlin', 'City', 'City'],
  ['labels', 'Ostgut Ton', 'Label', 'Organization'],
  ['genres', 'Techno', 'Genre', 'DefinedTerm'],
  ['podcasts', 'RA Podcast', 'Podcast', 'PodcastSeries'],
];

describe('the page of a record', () => {
  for (const [folderName, name, kind, type] of records) {
    test(`${kind}: at the address that the API gives, with its name, what machines read, and a way back`, async () => {
      const slug = await slugOf(folderName, name);
      const api = (await server.get(`/api/v1/${folderName}/${slug}`)).json() as { data: { url: string } };
      const path = `/${folderName}/${slug}`;
      assert.equal(api.data.url, server.url + path);
      const shown = await page(path);
      checkFrame(path, shown);
      assert.equal(shown.$('h1').text(), name);
      assert.equal(shown.$('.kind').text(), kind);
      assert.equal(shown.$('link[rel="canonical"]').attr('href'), server.url + path);
      // The server does not know its public address, which previews need.
      assert.equal(shown.$('meta[property="og:url"], meta[property="og:image"]').length, 0);
      const types = shown.things.map((thing) => thing['@type']);
      assert.deepEqual(types, [type, 'BreadcrumbList']);
      assert.equal(shown.things[0]?.url, server.url + path);
    });
  }

  test('an edition, with its line-up, times, tickets and festival', async () => {
    const festival = await slugOf('festivals', 'Dekmantel');
    const path = `/festivals/${festival}/editions/2026`;
    const shown = await page(path);
    checkFrame(path, shown);
    const [thing] = shown.things;
    assert.equal(thing?.['@type'], 'Festival');
    assert.equal(thing.startDate, '2026-07-29T12:00:00+02:00');
    assert.equal((thing.superEvent as Thing)['@type'], 'EventSeries');
    assert.equal((thing.offers as Thing[]).length, 3);
    assert.match(shown.$('main').text(), /Central European Summer Time \(Europe\/Amsterdam\)/);
    assert.equal(shown.$('.timetable svg[role="img"]').length, 1);
    assert.equal(shown.$('table.sets caption').text(), 'Main');
    assert.equal(shown.$('table.sets th').text(), '20:00–22:00');
    assert.match(shown.$('.bill').text(), /Aphex Twin.*Zed Bias/s);
    const all = await page(`/festivals/${festival}/editions/2026?day=2026-08-01`);
    assert.equal(all.$('[aria-current="page"]').last().text(), 'Sat 1 Aug');
    assert.equal((await ask(`/festivals/${festival}/editions`)).headers.location, `/festivals/${festival}`);
    await page(`/festivals/${festival}/editions/1999`, 404);
  });

  test('an episode, with its tracks, those unknown too', async () => {
    const podcast = await slugOf('podcasts', 'RA Podcast');
    const { $ } = await page(`/podcasts/${podcast}`);
    assert.deepEqual(
      $('.rows strong')
        .toArray()
        .map((element) => $(element).text()),
      ['RA.002', 'RA.001', 'RA.004', 'RA.003'].sort(
        (a, b) => $('main').text().indexOf(a) - $('main').text().indexOf(b),
      ),
    );
    const path = $('.rows a')
      .toArray()
      .map((element) => $(element).attr('href') as string)
      .find((href) => href.endsWith('ra-002')) as string;
    const shown = await page(path);
    checkFrame(path, shown);
    assert.equal(shown.things[0]?.['@type'], 'PodcastEpisode');
    assert.match(
      shown.$('.tracks').text(),
      /0:00Ben Klock – Subzero Ostgut Ton.*ID – ID.*10:00Nobody On Record – Thing/s,
    );
  });

  test('an event says when in the zone of its place, where, who, and for how much', async () => {
    const slug = await slugOf('events', `Night, of; ${evil}\\`);
    const shown = await page(`/events/${slug}`);
    checkFrame(slug, shown);
    const { $ } = shown;
    assert.equal($('time').first().attr('datetime'), '2026-12-05T23:59:00+01:00');
    const text = $('main').text();
    assert.match(text, /Saturday 5 December 2026, 23:59 to Monday 7 December 2026, 10:00/);
    assert.match(text, /Central European Standard Time \(Europe\/Berlin\)/);
    assert.match(text, /Few left.*€25\.50 – €40\.00|€10.*Few left/s);
    assert.equal($('a[href="geo:52.5,13.4"]').length, 1);
    assert.deepEqual(
      $('.bill h3')
        .toArray()
        .map((element) => $(element).text()),
      ['Main', 'Side'],
    );
    const thing = shown.things[0] as Thing & { offers: Thing[]; location: Thing; performer: Thing[] };
    assert.equal(thing.eventStatus, 'https://schema.org/EventScheduled');
    assert.deepEqual(
      thing.offers.map((offer) => [
        offer['@type'],
        offer.lowPrice ?? offer.price,
        offer.highPrice,
        offer.priceCurrency,
        offer.availability,
      ]),
      [
        ['Offer', 10, undefined, 'EUR', 'https://schema.org/InStock'],
        ['AggregateOffer', 25.5, 40, 'EUR', 'https://schema.org/LimitedAvailability'],
      ],
    );
    assert.equal(thing.location['@type'], 'MusicVenue');
    assert.equal((thing.location.address as Thing).addressCountry, 'DE');
    assert.equal((thing.location.address as Thing).addressLocality, 'Berlin');
    assert.deepEqual(
      { ...(thing.location.geo as Thing) },
      { '@type': 'GeoCoordinates', latitude: 52.5, longitude: 13.4 },
    );
    assert.deepEqual(
      [thing.startDate, thing.endDate],
      ['2026-12-05T23:59:00+01:00', '2026-12-07T10:00:00+01:00'],
    );
    assert.deepEqual(
      thing.performer.map((act) => [act['@type'], String(act.url).startsWith(`${server.url}/artists/`)]),
      [
        ['MusicGroup', true],
        ['MusicGroup', true],
      ],
    );
    assert.equal(thing.image, 'https://den.test/night.jpg');
  });

  test('where the clock is not trusted there is a date and no time; where no place is known, it says so', async () => {
    const shown = await page(`/events/${await slugOf('events', 'Whole Day')}`);
    assert.equal(shown.$('time').first().attr('datetime'), '2026-12-18');
    assert.doesNotMatch(shown.$('main').text(), /00:00/);
    assert.equal(shown.things[0]?.startDate, '2026-12-18');
    assert.equal(shown.things[0]?.endDate, '2026-12-19');
    const nowhere = await page(`/events/${await slugOf('events', 'Nowhere Known')}`);
    assert.match(nowhere.$('main').text(), /Venue not announced/);
    const location = nowhere.things[0]?.location as Thing | undefined;
    assert.equal(location?.address, 'To be announced');
  });

  test('an address is written as people of its country write it, and its city is a link', async () => {
    const berghain = await page(`/venues/${await slugOf('venues', 'Berghain')}`);
    assert.match(
      berghain.$('.lead').text(),
      /^Am Wriezener Bahnhof, 10243\u00a0Berlin, Germany(?: Open in maps)?$/,
    );
    assert.equal(berghain.$('.lead a').first().attr('href'), '/cities/berlin');
    const vault = await page(`/venues/${await slugOf('venues', 'Vault')}`);
    assert.equal(vault.$('.lead').text(), '77a Charterhouse Street, London\u00a0EC1M 6HJ, United Kingdom');
    const event = await page(`/events/${await slugOf('events', 'Marathon')}`);
    assert.equal(event.$('.head-facts a[href="/cities/berlin"]').length, 1);
  });

  test('a venue with nothing to come says so once', async () => {
    const { $ } = await page(`/venues/${await slugOf('venues', 'Vault')}`);
    assert.match($('section .empty').text(), /No upcoming events/);
    assert.doesNotMatch($('.head-facts').text(), /Upcoming|\b0\b/);
  });

  test('a past event says so and has no calendar link; an upcoming one without line-up says that none is announced', async () => {
    const over = await page(`/events/${await slugOf('events', 'Long Past')}`);
    assert.equal(over.$('.lead .tag').text(), 'Over');
    assert.equal(over.$('#calendar, #lineup').length, 0);
    const open = await page(`/events/${await slugOf('events', 'Nowhere Known')}`);
    assert.equal(open.$('.lead .tag').length, 0);
    assert.match(open.$('section[aria-labelledby="lineup"]').text(), /The line-up is not announced yet/);
    assert.equal(open.$('#calendar').length, 1);
    const described = await page(`/events/${await slugOf('events', 'Described Only')}`);
    assert.match(described.$('main').text(), /With Ann Example and Bob/);
    assert.doesNotMatch(described.$('main').text(), /The line-up is not announced yet/);
  });

  test('an edition without a line-up says so, and leads on: to its city, its festival, other editions', async () => {
    const festival = `/festivals/${await slugOf('festivals', 'Dekmantel')}`;
    const next = await page(`${festival}/editions/2027`);
    checkFrame(`${festival}/editions/2027`, next);
    assert.match(next.$('section[aria-labelledby="lineup"]').text(), /Not announced yet/);
    const past = await page(`${festival}/editions/2025`);
    assert.match(past.$('section[aria-labelledby="lineup"]').text(), /The line-up is not known/);
    assert.deepEqual(
      past
        .$('section[aria-labelledby="editions"] li a')
        .toArray()
        .map((element) => past.$(element).attr('href')),
      [2027, 2026, 2024].map((year) => `${festival}/editions/${year}`),
    );
    const filled = await page(`${festival}/editions/2026`);
    assert.equal(filled.$('.head-facts a[href="/cities/amsterdam"]').text(), 'Amsterdam');
  });

  test('a cancelled event is marked for people and machines', async () => {
    const shown = await page(`/events/${await slugOf('events', 'Called Off')}`);
    assert.equal(shown.$('.tag').first().text(), 'Cancelled');
    assert.equal(shown.things[0]?.eventStatus, 'https://schema.org/EventCancelled');
  });

  test('hostile names and texts stay text', async () => {
    for (const [folderName, name] of [
      ['artists', `Evil ${evil}`],
      ['venues', `Den ${evil}`],
    ] as const) {
      const slug = await slugOf(folderName, name);
      const shown = await page(`/${folderName}/${slug}`);
      checkFrame(slug, shown);
      assert.equal(shown.$('h1').text(), name);
      assert.equal(shown.things[0]?.name, name);
      assert.doesNotMatch(shown.text, /<script>alert/);
      for (const link of shown.$('.chips a').toArray())
        assert.notEqual(shown.$(link).text(), '', shown.$(link).attr('href'));
    }
    const hits = await ask(`/search/hits?q=${encodeURIComponent('evil')}`);
    assert.match(hits.text, /Evil &lt;\/script>/);
    const found = await page(`/search?q=${encodeURIComponent(evil)}`);
    assert.doesNotMatch(found.text, /<script>alert/);
  });

  test('all of a long list is reached by its links, each event once', async () => {
    const slug = await slugOf('artists', 'Ben Klock');
    const seen: string[] = [];
    const take = ($: Page['$'], side: string) =>
      seen.push(
        ...$(`section[aria-labelledby="${side}"] .listing a.name`)
          .toArray()
          .map((element) => $(element).attr('href') as string),
      );
    let shown = await page(`/artists/${slug}?past=all`);
    take(shown.$, 'events');
    for (
      let next = shown.$('a[rel="next"]').attr('href');
      next;
      next = shown.$('a[rel="next"]').attr('href')
    ) {
      shown = await page(next);
      assert.equal(shown.$('link[rel="canonical"]').length, 0);
      take(shown.$, 'events');
    }
    shown = await page(`/artists/${slug}`);
    take(shown.$, 'upcoming');
    for (
      let next = shown.$('a[rel="next"]').attr('href');
      next;
      next = shown.$('a[rel="next"]').attr('href')
    ) {
      shown = await page(next);
      take(shown.$, 'events');
    }
    const api = (await server.get(`/api/v1/events?artist=${slug}&limit=100`)).json() as { data: unknown[] };
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.length, api.data.length);
  });
});

describe('pages of lists', () => {
  const paths = [
    '/',
    '/events',
    '/artists',
    '/venues',
    '/festivals',
    '/cities',
    '/labels',
    '/genres',
    '/podcasts',
    '/stats',
  ];
  for (const path of paths) {
    test(path, async () => {
      const shown = await page(path);
      checkFrame(path, shown);
      assert.equal(shown.$('link[rel="canonical"]').attr('href'), server.url + path);
    });
  }

  test('events by city, country, genre and days, as people write these', async () => {
    const names = async (query: string) => {
      const { $ } = await page(`/events?${query}`);
      return $('.listing a.name')
        .toArray()
        .map((element) => $(element).text());
    };
    assert.ok((await names('city=berlin')).includes('Whole Day'));
    assert.ok((await names('city=Berl%C3%ADn&country=Germany')).includes('Whole Day'));
    assert.deepEqual(await names('country=united+states&city=berlin'), []);
    assert.deepEqual(await names('from=2026-12-18&to=2026-12-18'), ['Whole Day']);
    assert.ok((await names('genre=Techno')).length > 0);
    for (const [query, title] of [
      ['', 'Upcoming events'],
      ['city=berlin&genre=Techno', 'Techno events in Berlin'],
      ['city=berlin&country=DE&from=2026-12-01', 'Events in Berlin, Germany from Tuesday 1 December 2026'],
      ['from=2026-12-18&to=2026-12-18', 'Events on Friday 18 December 2026'],
    ] as const)
      assert.equal((await page(`/events?${query}`)).$('h1').text(), title);
    assert.match((await page('/events?genre=nope')).$('.notice').text(), /No genre is called “nope”/);
    assert.match((await page('/events?country=Nowhereland')).$('.notice').text(), /No country/);
    assert.deepEqual(await names('country=Nowhereland'), []);
    assert.match(
      (await page('/events?city=Nirgendstadt')).$('.notice').text(),
      /No city is called “Nirgendstadt”/,
    );
    assert.match((await page('/events?from=yesterday')).$('.notice').text(), /is not a date/);
  });

  test('names from a letter on, and of a country', async () => {
    const { $ } = await page('/artists?letter=n');
    assert.equal($('.names a').first().text(), 'Nova');
    const found = await page('/artists?country=iceland');
    assert.deepEqual(
      found
        .$('.names a')
        .toArray()
        .map((element) => found.$(element).text()),
      ['Ægir', 'Þórr'],
    );
  });

  test('the tree of genres has each below its parent', async () => {
    const { $ } = await page('/genres');
    const above = $('a[href="/genres/dub-techno"]').closest('details');
    assert.match(above.children('summary').text(), /^Techno 1$/);
    assert.equal(above.find('a').first().attr('href'), '/genres/techno');
    assert.match(above.parent().closest('details').children('summary').text(), /^Electronic/);
  });

  test('the plot of events per month has its figures as a table', async () => {
    const { $ } = await page('/stats');
    assert.match($('.plot').attr('aria-label') ?? '', /Events per month from November 2024 to October 2027/);
    assert.equal($('table tbody tr').length, 36);
  });

  test('search finds records, cities and genres, as its box promises; an empty result is stated', async () => {
    const { $ } = await page('/search?q=berlin');
    assert.equal($('label[for="q"]').text(), 'Artist, event, venue, festival, label, city or genre');
    for (const [query, kind] of [
      ['ben klock', 'Artist'],
      ['marathon', 'Event'],
      ['tresor', 'Venue'],
      ['dekmantel', 'Festival'],
      ['ostgut ton', 'Label'],
      ['berlin', 'City'],
      ['dub techno', 'Genre'],
    ] as const) {
      const found = await page(`/search?q=${encodeURIComponent(query)}`);
      assert.equal(found.$('.hits .label').first().text(), kind, query);
    }
    assert.equal($('.hits a').first().attr('href'), '/cities/berlin');
    assert.match((await page('/search?q=qqqqxyz')).$('h2').text(), /No results/);
    await page('/search');
    await page(`/search?q=${'x'.repeat(5_000)}`);
    await page('/search?q=%00%01%ED%A0%80%FF+klock');
    const hits = load((await ask('/search/hits?q=ben+klo')).text);
    assert.equal(
      hits('[role=option]').first().attr('data-href'),
      `/artists/${await slugOf('artists', 'Ben Klock')}`,
    );
    assert.equal(hits('[role=option]').last().attr('data-href'), '/search?q=ben+klo');
    assert.equal((await ask('/search/hits')).text, '');
  });
});

describe('feeds and calendars', () => {
  test('of artist, venue, city and label: the same events as the API lists, linked in head and text', async () => {
    for (const [folderName, name] of [
      ['artists', 'Ben Klock'],
      ['venues', 'Tresor'],
      ['cities', 'Berlin'],
      ['labels', 'Ostgut Ton'],
    ] as const) {
      const slug = await slugOf(folderName, name);
      const path = `/${folderName}/${slug}`;
      const { $ } = await page(path);
      assert.deepEqual(
        $('link[rel="alternate"][type]')
          .toArray()
          .map((element) => $(element).attr('href')),
        [`${path}.atom`, `${path}.ics`],
      );
      assert.ok($(`a[href="webcal://${new URL(server.url).host}${path}.ics"]`).length === 1);
      const from = folderName === 'cities' ? '&from=2026-11-20T12:00:00Z' : '';
      const api = (await server.get(`/api/v1${path}/events?limit=100${from}`)).json() as {
        data: { id: string; name: string }[];
      };
      const atom = await ask(`${path}.atom`);
      assert.equal(atom.headers['content-type'], 'application/atom+xml; charset=utf-8');
      const parsed = parseAtomFeed(atom.text);
      const ids = (parsed.entries ?? []).map((entry) => entry.id?.split(':').at(-1));
      for (const event of api.data) assert.ok(ids.includes(event.id), `${path}.atom lacks ${event.name}`);
      assert.equal(parsed.links?.find(({ rel }) => rel === 'self')?.href, `${server.url}${path}.atom`);
      assert.equal(new Set(ids).size, ids.length);
      const ics = await ask(`${path}.ics`);
      assert.equal(ics.headers['content-type'], 'text/calendar; charset=utf-8');
      const calendar = new ICAL.Component(ICAL.parse(ics.text) as never);
      assert.equal(calendar.getAllSubcomponents('vevent').length, ids.length);
      for (const text of ics.text.split('\r\n')) assert.ok(Buffer.byteLength(text) <= 75, text);
    }
  });

  test('a calendar has the zone with its rules, whole days, what is cancelled, and ids that stay', async () => {
    const ics = (await ask(`/cities/berlin.ics`)).text;
    const calendar = new ICAL.Component(ICAL.parse(ics) as never);
    const zones = calendar.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'));
    assert.deepEqual(zones, ['Europe/Berlin']);
    const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
    const called = (name: string) =>
      events.find(({ summary }) => summary === name) as InstanceType<typeof ICAL.Event>;
    const night = called(`Night, of; ${evil}\\`);
    assert.equal(night.startDate.toString(), '2026-12-05T23:59:00');
    const berlin = new ICAL.Timezone(
      calendar.getFirstSubcomponent('vtimezone') as InstanceType<typeof ICAL.Component>,
    );
    night.startDate.zone = berlin;
    assert.equal(night.startDate.toJSDate().toISOString(), '2026-12-05T22:59:00.000Z');
    assert.equal(night.endDate.toString(), '2026-12-07T10:00:00');
    assert.match(night.description, /^Evil .*Second Act\n\nBring /s);
    assert.match(night.uid, /^evt_\w+@127\.0\.0\.1$/);
    const day = called('Whole Day');
    assert.ok(day.startDate.isDate);
    assert.deepEqual([day.startDate.toString(), day.endDate.toString()], ['2026-12-18', '2026-12-20']);
    assert.equal(called('Called Off').component.getFirstPropertyValue('status'), 'CANCELLED');
    for (const { component } of events) {
      assert.equal(
        String(component.getFirstPropertyValue('dtstamp')),
        String(component.getFirstPropertyValue('last-modified')),
      );
    }
    const one = await ask(`/events/${await slugOf('events', 'Whole Day')}.ics`);
    assert.match(one.text, /DTSTART;VALUE=DATE:20261218\r\nDTEND;VALUE=DATE:20261220/);
  });

  test('feeds are kept by their tags; only records that have them have them', async () => {
    const first = await ask('/cities/berlin.atom');
    const tag = String(first.headers.etag);
    assert.equal((await ask('/cities/berlin.atom', { 'if-none-match': tag })).status, 304);
    await page('/genres/techno.atom', 404);
    await page('/artists/nobody.ics', 404);
  });
});

describe('addresses', () => {
  test('a former slug redirects to the present one on every page', async () => {
    for (const former of ['zwilling', 'art'])
      for (const end of ['', '.atom', '.ics', '?past=all']) {
        const answer = await ask(`/artists/${former}${end}`);
        assert.equal(answer.status, 301);
        assert.equal(answer.headers.location, `/artists/twin-of-another${end}`);
      }
    await page('/artists/twin-of-another');
  });

  test('there is one way to write each, and the others lead there', async () => {
    for (const [path, location] of [
      ['/events/', '/events'],
      ['//events', '/events'],
      ['/Cities/Berlin/', '/cities/berlin'],
      ['/cities/%62erlin?x=1&cursor=', '/cities/berlin?x=1&cursor='],
      ['/episodes', '/podcasts'],
      ['/ROBOTS.txt', '/robots.txt'],
    ] as const) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, answer.headers.location], [301, location], path);
    }
    for (const path of ['//evil.test/%2e%2e', '/\\evil.test', '/%5cevil.test', '//evil.test']) {
      const answer = await ask(path);
      assert.equal(answer.status, 404, path);
    }
    assert.doesNotMatch(String((await ask('//artists/%5c%5cevil.test')).headers.location), /^\/\/|\\/);
  });

  test('nothing there: a page that helps; to programs the JSON that they know', async () => {
    for (const path of [
      '/artists/ben-klok',
      '/nothing/at/all',
      '/events/%E0%A4%A',
      '/events/%00',
      '/artists/a/b/c',
      '/sitemaps/nope.xml',
      '/sitemaps/event-99999999.xml',
    ]) {
      const { $, headers } = await page(path, 404);
      assert.equal($('h1').text(), 'Page not found', path);
      assert.equal($('form input[name="q"]').length, 1);
      assert.equal($('meta[name="robots"]').attr('content'), 'noindex, follow');
      assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    }
    const { $ } = await page('/artists/ben-klok', 404);
    assert.equal($('.hits a').first().text(), 'Ben Klock');
    const program = await server.get('/nothing', { key: null });
    assert.equal((program.json() as { error: { type: string } }).error.type, 'not_found');
    for (const path of ['/api/v1/nothing', '/mcpx/', '/.well-known/nothing']) {
      const answer = await ask(path);
      if (path.startsWith('/mcpx')) continue;
      assert.equal(answer.headers['content-type'], 'application/json', path);
    }
  });

  test('HEAD, conditional requests, other methods', async () => {
    for (const path of ['/', '/cities/berlin', '/cities/berlin.ics', '/robots.txt', '/sitemap.xml']) {
      const got = await ask(path);
      const head = await ask(path, {}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.text)));
      assert.equal(head.headers.etag, got.headers.etag);
      const same = await ask(path, { 'if-none-match': String(got.headers.etag) });
      assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', got.headers.etag]);
      const post = await ask(path, {}, 'POST');
      assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
      const options = await ask(path, {}, 'OPTIONS');
      assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    }
    assert.equal((await ask('/sitemaps/event-0.xml', {}, 'HEAD')).status, 200);
  });

  test('parameters that mean nothing make no other page; a cursor that is none leads to the beginning', async () => {
    const plain = await ask('/events');
    assert.equal((await ask('/events?utm_source=x')).headers.etag, plain.headers.etag);
    const moved = await ask('/events?city=berlin&cursor=nonsense');
    assert.deepEqual([moved.status, moved.headers.location], [302, '/events?city=berlin']);
  });

  test('pages count against no quota', async () => {
    const before_ = (await server.get('/api/v1/stats')).headers['x-quota-remaining'];
    await ask('/');
    await server.get('/cities/berlin');
    const after_ = (await server.get('/api/v1/stats')).headers['x-quota-remaining'];
    assert.equal(Number(before_) - Number(after_), 1);
  });
});

describe('crawlers', () => {
  test('robots.txt keeps them from what is not for them, and names the sitemap', async () => {
    const { text } = await ask('/robots.txt');
    for (const path of ['/account', '/oauth', '/mcp', '/api'])
      assert.match(text, new RegExp(`^Disallow: ${path}$`, 'm'));
    assert.match(text, new RegExp(`^Sitemap: ${server.url}/sitemap.xml$`, 'm'));
  });

  test('the sitemap has every page once, and each of them is there', async () => {
    const index = await ask('/sitemap.xml');
    const parts = locations(index.text);
    const pages = (await Promise.all(parts.map((part) => ask(new URL(part).pathname)))).flatMap(({ text }) =>
      locations(text),
    );
    assert.equal(new Set(pages).size, pages.length);
    const stats = ((await server.get('/api/v1/stats')).json() as { data: Record<string, number> }).data;
    for (const kind of [
      'events',
      'artists',
      'venues',
      'festivals',
      'cities',
      'labels',
      'genres',
      'podcasts',
      'episodes',
    ]) {
      const own = pages.filter((url) => new RegExp(`^${server.url}/${kind}/[^/]+$`).test(url));
      assert.equal(own.length, stats[kind], kind);
    }
    for (const url of pages) {
      const { pathname } = new URL(url);
      const answer = await ask(pathname);
      assert.equal(answer.status, 200, url);
      assert.ok(decodedBytes(answer.text) <= maxPageBytes, url);
    }
  });

  test('a sitemap is split where it would be too long', async () => {
    const sqlite = openDatabase(dataFile, { create: false });
    const reader = openCatalogueReader(sqlite);
    const handler = new SiteHandler({
      reader,
      search: openSearch(sqlite),
      site: openSiteReader(sqlite),
      clock: frozenClock(Date.parse(feedNow)),
      log: () => {},
      siteUrl: createSiteUrl('https://music.example/base', 'cratebase'),
      accountUrl: 'https://music.example/base',
      version: '1',
      compress: true,
      sitemapPartSize: 7,
    });
    const http = createServer((request, response) => void handler.handle(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const text = async (path: string) => (await fetch(url + path)).text();
    const strip = (whole: string) => whole.replace('https://music.example/base', '');
    try {
      const parts = locations(await text('/sitemap.xml')).map(strip);
      const events = parts.filter((part) => part.includes('/event-'));
      assert.ok(events.length > 15, events.join(' '));
      const found: string[] = [];
      for (const part of events) {
        const own = locations(await text(part));
        assert.ok(own.length > 0 && own.length <= 7, `${part}: ${own.length}`);
        found.push(...own);
      }
      assert.equal(new Set(found).size, found.length);
      assert.ok(found.every((one) => one.startsWith('https://music.example/base/events/')));
      const home = load(await text('/'));
      for (const element of home('a[href^="/"], link[href^="/"], script[src^="/"]').toArray()) {
        const address = home(element).attr('href') ?? home(element).attr('src') ?? '';
        assert.ok(address.startsWith('/base/') || address === '/base', address);
      }
    } finally {
      http.close();
      http.closeAllConnections();
      sqlite.close();
    }
  });
});

const locations = (text: string): string[] =>
  [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] as string);

describe('sample events', () => {
  const sampleFile = join(folder.path, 'samples.db');
  const show = (id: string, name: string, act: string) =>
    line('event', id, {
      name,
      start_at: '2026-12-04T23:00',
      venue: { name: `House ${act}`, city: 'Berlin', country: 'DE' },
      lineup: [{ name: act }],
    });
  let samples: Server;
  before(async () => {
    importFeed(sampleFile, [show('s1', 'Sample Techno Night: Ada', 'Ada')], 'sample');
    samples = await startServer({ dataFile: sampleFile, now: feedNow });
  });
  after(() => samples.stop());
  const get = (path: string) => samples.get(path, { key: null, headers: html });
  const mapped = async () => {
    const parts = locations((await get('/sitemap.xml')).text).filter((part) => part.includes('/event-'));
    const texts = await Promise.all(parts.map(async (part) => (await get(new URL(part).pathname)).text));
    return texts.flatMap(locations).map((url) => new URL(url).pathname);
  };
  const path = '/events/sample-techno-night-ada-2026-12-04';

  test('say what they are, and are nothing for search engines', async () => {
    const $ = load((await get(path)).text);
    assert.equal($('meta[name="robots"]').attr('content'), 'noindex');
    assert.equal($('script[type="application/ld+json"]').length, 0);
    assert.match($('main').text(), /Sample event: invented for trying things out/);
    assert.deepEqual(await mapped(), [], 'and no empty part is named');
  });

  test('a sample event that another source lists is an event like any; withdrawn, it is a sample again', async () => {
    importFeed(sampleFile, [show('r1', 'Real Night', 'Bob')], 'club');
    assert.deepEqual(await mapped(), ['/events/real-night-2026-12-04']);
    const real = load((await get('/events/real-night-2026-12-04')).text);
    assert.equal(real('meta[name="robots"]').length, 0);
    assert.match(real('script[type="application/ld+json"]').text(), /EventScheduled|MusicEvent/);
    assert.doesNotMatch(real('main').text(), /Sample event/);
    const args = ['import', '-', '--source', 'sample', '--complete', '--force', '--data', sampleFile];
    assert.equal(run(args).status, 0);
    const off = load((await get(path)).text);
    assert.match(off('main').text(), /Sample event: invented/);
    assert.equal(off('meta[name="robots"]').attr('content'), 'noindex');
    assert.deepEqual(await mapped(), ['/events/real-night-2026-12-04']);
  });
});

test('--site off: nothing of it is there, and what programs know stays', async () => {
  const quiet = await startServer({ dataFile, now: feedNow, more: ['--site', 'off'] });
  try {
    for (const path of [
      '/',
      '/events',
      '/cities/berlin',
      '/robots.txt',
      '/sitemap.xml',
      '/search?q=x',
      '/search/hits?q=x',
      '/cities/berlin.ics',
    ]) {
      const answer = await quiet.get(path, { key: null, headers: html });
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers['content-type'], 'application/json');
    }
    assert.equal((await quiet.get('/api/v1/stats')).status, 200);
  } finally {
    await quiet.stop();
  }
});

const tomorrowland = fileURLToPath(
  new URL('../../../shared/data/festivals/tomorrowland-2024.ndjson', import.meta.url),
);
const isHere = (() => {
  try {
    return readdirSync(join(tomorrowland, '..')).length > 0;
  } catch {
    return false;
  }
})();

test('a timetable of 800 sets on 14 stages: day by day, each page light', {
  skip: isHere ? false : `${tomorrowland} is not here`,
}, async () => {
  const file = join(folder.path, 'tomorrowland.db');
  assert.equal(run(['import', tomorrowland, '--source', 'tml', '--data', file]).status, 0);
  const festival = await startServer({ dataFile: file, now: feedNow });
  try {
    const first = load((await festival.get('/festivals/tomorrowland/editions/2024', { headers: html })).text);
    const days = first('nav[aria-label="Days"] a')
      .toArray()
      .map((element) => first(element).attr('href') as string);
    assert.equal(days.length, 7);
    let sets = 0;
    for (const day of days) {
      const { text } = await festival.get(day, { headers: html });
      assert.ok(decodedBytes(text) <= maxPageBytes, `${day}: ${decodedBytes(text)}`);
      sets += load(text)('table.sets tr').length;
    }
    const path = '/api/v1/festivals/tomorrowland/editions/2024';
    const { data } = (await festival.get(path)).json() as { data: { lineup_count: number } };
    assert.ok(data.lineup_count > 700);
    assert.equal(sets, data.lineup_count);
  } finally {
    await festival.stop();
  }
});

test('the longest line-ups make no page heavy, and all who play are reached', async () => {
  const file = join(folder.path, 'heavy.db');
  const act = (index: number, more = {}) => ({
    name: `Äct ${index} 言葉 whose name is rather long`,
    ...more,
  });
  const timed = Array.from({ length: 170 }, (_, index) =>
    act(index, {
      stage: `Stage ${index % 10}`,
      set_start_at: `2026-07-18T${String(8 + (Math.floor(index / 10) % 16)).padStart(2, '0')}:${index < 160 ? '00' : '30'}`,
    }),
  );
  const untimed = Array.from({ length: 260 }, (_, index) => act(1_000 + index));
  const description = '言葉 and words '.repeat(900);
  const tickets = Array.from({ length: 40 }, (_, index) => ({
    seller: `Seller ${index}`,
    url: `https://tickets.test/${index}/and/a/long/address`,
    price_min: 10,
    price_max: 20,
    currency: 'EUR',
  }));
  const festival = { external_id: 'f', name: 'Colossus' };
  const own = { start_at: '2026-07-18T08:00', timezone: 'Europe/Berlin', city: 'Berlin', country: 'DE' };
  importFeed(file, [
    line('festival', 'f', { name: 'Colossus', description }),
    ...[2024, 2025, 2027, 2028].map((year) => line('edition', `${year}`, { festival, edition: `${year}` })),
    line('edition', '2026', {
      festival,
      edition: '2026',
      ...own,
      lineup: [...timed, ...untimed],
      description,
      tickets,
    }),
    line('event', 'e', { name: 'Colossal', ...own, lineup: untimed, description, tickets }),
  ]);
  const heavy = await startServer({ dataFile: file, now: feedNow });
  try {
    const shown = async (path: string) => {
      const { status, text } = await heavy.get(path, { key: null, headers: html });
      assert.equal(status, 200, path);
      assert.ok(decodedBytes(text) <= maxPageBytes, `${path}: ${decodedBytes(text)}`);
      return load(text);
    };
    const names = new Set<string>();
    const edition = '/festivals/colossus/editions/2026';
    for (const part of ['timetable', 'lineup']) {
      for (let next: string | undefined = edition; next !== undefined; ) {
        const $: ReturnType<typeof load> = await shown(next);
        for (const element of $('.sets a, .bill a').toArray()) names.add($(element).text());
        next = $(`section[aria-labelledby="${part}"] a[rel="next"]`).attr('href');
      }
    }
    assert.deepEqual([...names].sort(), [...timed, ...untimed].map(({ name }) => name).sort());
    const event = await shown('/events/colossal-2026-07-18');
    assert.match(event('.bill').text(), /and more$/);
    assert.doesNotMatch(event('.about').text(), /\uFFFD/);
  } finally {
    await heavy.stop();
  }
});
