/** The schema.org adapter: JSON-LD in all its forms, microdata, lists and sitemaps; the recorded pages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseDateTime, parseMinimumAge, parsePrice } from '../../src/sources/common/values.ts';
import {
  eventsIn,
  fileWith,
  type Reading,
  type ReadOptions,
  read,
  recorded,
  serve,
} from '../support/source-server.ts';

const script = (...values: unknown[]): string =>
  values
    .map(
      (value) =>
        `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`,
    )
    .join('');
const page = (...values: unknown[]): string =>
  `<!doctype html><html><head>${script(...values)}</head><body></body></html>`;
const readPage = (
  context: TestContext,
  text: string | Uint8Array,
  settings: ReadOptions = {},
): Promise<Reading> => read('jsonld', fileWith(context, 'page.html', text), settings);

const night = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Klubnacht',
  url: 'https://club.example/events/klubnacht?utm_source=x',
  startDate: '2026-12-05T23:59:00+01:00',
  location: {
    '@type': 'NightClub',
    name: 'Berghain',
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Am Wriezener Bahnhof',
      postalCode: '10243',
      addressLocality: 'Berlin',
      addressCountry: 'Deutschland',
    },
  },
};
const one = async (context: TestContext, more: object) =>
  eventsIn(await readPage(context, page({ ...night, ...more })))[0];

test('a night without an event is skipped, with its venue; a line-up makes it a show', async (context) => {
  const act = { '@type': 'MusicGroup', name: 'Ben Klock' };
  const reading = await readPage(
    context,
    page(
      { ...night, name: 'Geschlossen' },
      { ...night, name: 'CLOSED', startDate: '2026-12-06T23:00:00+01:00', url: undefined, performer: act },
    ),
  );
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['CLOSED'],
  );
  assert.deepEqual([reading.rejected, reading.skipped.length], [[], 1]);
});

test('a status may have the name of a member of JavaScript objects', async (context) => {
  const reading = await readPage(context, page({ ...night, eventStatus: 'https://schema.org/constructor' }));
  assert.deepEqual([eventsIn(reading)[0]?.status, reading.rejected], [undefined, []]);
});

test('an event with all that it may say', async (context) => {
  const reading = await readPage(
    context,
    page({
      ...night,
      endDate: '2026-12-07T09:00:00+01:00',
      eventStatus: 'https://schema.org/EventRescheduled',
      description: '<p>Two floors &amp; a garden</p>',
      image: [
        'https://club.example/small.jpg',
        { '@type': 'ImageObject', url: 'https://club.example/large.jpg', width: 1600 },
      ],
      typicalAgeRange: '21+',
      performer: [
        {
          '@type': 'Person',
          name: 'Ben Klock',
          url: 'https://club.example/artists/ben-klock',
          sameAs: ['https://ra.co/dj/benklock', 'https://www.discogs.com/artist/14215-Ben-Klock'],
        },
        'DVS1',
        { '@type': 'MusicGroup', name: 'TBA' },
      ],
      organizer: { '@type': 'Organization', name: 'The Club', url: 'https://club.example' },
      offers: [
        {
          '@type': 'Offer',
          price: '25,00',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/LimitedAvailability',
          url: 'https://club.example/tickets',
        },
        {
          '@type': 'Offer',
          price: 20,
          priceCurrency: 'EUR',
          availability: 'SoldOut',
          url: 'https://club.example/tickets',
        },
        {
          '@type': 'AggregateOffer',
          lowPrice: 22,
          highPrice: 30,
          priceCurrency: 'EUR',
          url: 'https://www.seller.example/e/1',
          seller: { name: 'Seller' },
        },
      ],
    }),
  );
  const place = { name: 'Berghain', city: 'Berlin', country: 'DE' };
  const [artist, venue, event] = reading.records;
  assert.ok(venue?.kind === 'venue' && artist?.kind === 'artist' && event?.kind === 'event');
  assert.deepEqual(artist.external_ids, { ra: 'benklock', discogs: '14215' });
  assert.deepEqual(
    [venue.address, venue.postal_code, venue.city, venue.country],
    ['Am Wriezener Bahnhof', '10243', 'Berlin', 'DE'],
  );
  assert.deepEqual(event, {
    kind: 'event',
    external_id: 'https://club.example/events/klubnacht',
    name: 'Klubnacht',
    start_at: '2026-12-05T23:59:00+01:00',
    end_at: '2026-12-07T09:00:00+01:00',
    status: 'rescheduled',
    city: 'Berlin',
    country: 'DE',
    venue: { external_id: venue.external_id, ...place },
    description: 'Two floors & a garden',
    image_url: 'https://club.example/large.jpg',
    lineup: [{ external_id: 'https://club.example/artists/ben-klock', name: 'Ben Klock' }, { name: 'DVS1' }],
    tickets: [
      {
        seller: 'The Club',
        url: 'https://club.example/tickets',
        price_min: 20,
        price_max: 25,
        currency: 'EUR',
        availability: 'limited',
      },
      {
        seller: 'Seller',
        url: 'https://www.seller.example/e/1',
        price_min: 22,
        price_max: 30,
        currency: 'EUR',
      },
    ],
    minimum_age: 21,
    url: 'https://club.example/events/klubnacht',
  });
});

test('times, prices and ages as people write them', () => {
  const times: [string, string | null][] = [
    ['2026-12-05', '2026-12-05'],
    ['2026-12-05T23:00', '2026-12-05T23:00:00'],
    ['2026-12-05 9:00:00.000Z', '2026-12-05T09:00:00Z'],
    ['2015-10-31T19:30:00-0400', '2015-10-31T19:30:00-04:00'],
    ['2026-12-05T23:00+01', '2026-12-05T23:00:00+01:00'],
    ['20261205T230000Z', '2026-12-05T23:00:00Z'],
    ['Sat, 31 Oct 2015 8:00 PM', '2015-10-31T20:00:00'],
    ['October 31st, 2015', '2015-10-31'],
    ['2026-12-05T25:00', '2026-12-05'],
    ['2026-9-5', '2026-09-05'],
    ['2026-9-5T9:30', '2026-09-05T09:30:00'],
    ['2026-9-5T21:00-5:00', '2026-09-05T21:00:00-05:00'],
    ['2026-9-5T08-08-30-00', '2026-09-05T08:30:00'],
    ['2026-12-5T21-09-15-00', '2026-12-05T21:15:00'],
    ['2026-12-5T21-10-15-00', null],
    ['2026-02-30', null],
    ['2026-12', null],
    ['10/11/2026', null],
    ['soon', null],
  ];
  for (const [text, expected] of times) assert.equal(parseDateTime(text), expected, text);
  const prices: [unknown, number | null][] = [
    [12.5, 12.5],
    ['12,50', 12.5],
    ['€ 1.234,50', 1234.5],
    ['1,200', 1200],
    ['25.0000', 25],
    ['0.125', 0.125],
    ['1,234,567.8', 1_234_567.8],
    ['12 22:00', 12],
    ['1 200 kr', 1200],
    ['free', 0],
    ['on the door', null],
    [-1, null],
  ];
  for (const [value, expected] of prices) assert.equal(parsePrice(value), expected, String(value));
  const ages: [string, number | null | undefined][] = [
    ['18+', 18],
    ['18-', 18],
    ['18-99', 18],
    ['ab 18 Jahren', 18],
    ['Over 21s', 21],
    ['21 and over', 21],
    ['All Ages', null],
    ['-12', undefined],
    ['adults', undefined],
  ];
  for (const [text, expected] of ages) assert.equal(parseMinimumAge(text), expected, text);
});

test('an end that cannot be one is left out', async (context) => {
  const end = async (endDate: string, more: object = {}) =>
    (await one(context, { endDate, ...more }))?.end_at;
  assert.equal(await end('1970-01-01T01:00:00+01:00'), undefined);
  // The date of the night itself: it ends in the morning.
  assert.equal(await end('2026-12-05'), undefined);
  assert.equal(await end('2026-12-07'), '2026-12-07');
  assert.equal(await end('2026-12-06T08:00:00+01:00'), '2026-12-06T08:00:00+01:00');
  assert.equal(await end('2026-12-06T08:00'), '2026-12-06T08:00:00');
});

test('the name of the site, and of the event among who plays, is taken off; an artist’s date is called as the artist', async (context) => {
  const name = async (html: string) => eventsIn(await readPage(context, html))[0]?.name;
  const site = { '@context': 'http://schema.org', '@type': 'WebSite', name: 'The Dome' };
  assert.equal(await name(page(site, { ...night, name: 'Ben Klock \u2014 The Dome' })), 'Ben Klock');
  assert.equal(
    await name(page(site, { ...night, name: 'Ben Klock \u2014 Berghain' })),
    'Ben Klock \u2014 Berghain',
  );
  const tagged = `<meta property="og:site_name" content="Club &amp; Bar">${script({ ...night, name: 'Opening | Club & Bar' })}`;
  assert.equal(await name(tagged), 'Opening');
  const dates = {
    '@type': 'MusicGroup',
    name: 'Orbital',
    event: [{ '@type': 'Event', startDate: '2026-05-20', location: 'Memphis, TN, US' }],
  };
  assert.equal(await name(page(dates)), 'Orbital');
  const acts = (...names: string[]) => names.map((act) => ({ '@type': 'MusicGroup', name: act }));
  const bill = await one(context, {
    name: 'Palm Tree Music Festival Dana Point',
    performer: acts('Palm Tree Music Festival', 'Calvin Harris', 'Elderbrook'),
  });
  assert.deepEqual(
    bill?.lineup?.map((entry) => entry.name),
    ['Calvin Harris', 'Elderbrook'],
  );
  assert.equal((await one(context, { performer: 'Organization' }))?.lineup, undefined);
  const titled = await one(context, { name: 'Orbital', performer: acts('Orbital', 'Plaid', 'Autechre') });
  assert.equal(titled?.lineup?.length, 3);
});

test('the settings of a source say where its events are that name no place', async (context) => {
  const options = { venue: 'The Dome', city: 'London', country: 'GB' };
  const empty = { '@type': 'Place', name: '', address: '' };
  const [event] = eventsIn(await readPage(context, page({ ...night, location: empty }), { options }));
  assert.deepEqual([event?.venue?.name, event?.city, event?.country], ['The Dome', 'London', 'GB']);
  const [placed] = eventsIn(await readPage(context, page(night), { options }));
  assert.equal(placed?.venue?.name, 'Berghain');
});

test('a seller’s page about a house is no site of the house', async (context) => {
  const website = async (sameAs: string) => {
    const location = { ...night.location, sameAs };
    const { records } = await readPage(context, page({ ...night, location }));
    return records.flatMap((record) => (record.kind === 'venue' ? [record.website] : []))[0];
  };
  assert.equal(await website('https://www.ticketmaster.com/berghain-tickets-berlin/venue/1'), undefined);
  assert.equal(await website('https://club.example/'), undefined);
  assert.equal(await website('https://berghain.example/'), 'https://berghain.example/');
});

test('midnight to midnight is a date; doors give a date its clock', async (context) => {
  const start = async (more: object) => (await one(context, more))?.start_at;
  assert.equal(
    await start({ startDate: '2026-12-05T00:00:00+01:00', endDate: '2026-12-05T23:59:59+01:00' }),
    '2026-12-05',
  );
  assert.equal(
    await start({ startDate: '2026-12-05', doorTime: '2026-12-05T22:00:00+01:00' }),
    '2026-12-05T22:00:00+01:00',
  );
  assert.equal(await start({ startDate: '2026-12-05', doorTime: '10pm' }), '2026-12-05T22:00:00');
});

test('places: a text, an address in one line, an array, a room, nowhere', async (context) => {
  const cases: [unknown, (string | null)[]][] = [
    ['Memphis, TN, US', [null, 'Memphis', 'US']],
    [
      {
        '@type': 'Place',
        name: 'Old Mill Inn',
        address: { streetAddress: '12 Old Mill Road, London, SE14 6AS', addressLocality: 'London' },
      },
      ['Old Mill Inn', 'London', 'GB'],
    ],
    [
      { '@type': 'Place', name: 'The Boiler Theater\n1820 W. Lake St.', address: '' },
      ['The Boiler Theater', null, null],
    ],
    [
      {
        '@type': 'Place',
        name: '5100 N. Lake Rd.\n\n2nd Floor',
        address: { streetAddress: '5100 N. Lake Rd.', addressLocality: 'Chicago', addressRegion: 'IL' },
      },
      [null, 'Chicago', 'US'],
    ],
    [
      {
        '@type': 'Place',
        name: 'Missoula, MT',
        address: { addressLocality: 'Missoula', addressRegion: 'MT' },
      },
      [null, 'Missoula', 'US'],
    ],
    [
      { '@type': 'Place', name: 'Fabric', address: '77a Charterhouse St, London EC1M 6HJ, UK' },
      ['Fabric', 'London', 'GB'],
    ],
    [
      [
        { '@type': 'VirtualLocation', url: 'https://live.example' },
        {
          '@type': 'Place',
          name: 'Rex Club',
          address: { addressLocality: 'Paris', addressCountry: { '@type': 'Country', name: 'France' } },
        },
      ],
      ['Rex Club', 'Paris', 'FR'],
    ],
    [
      {
        '@type': 'Place',
        name: 'Panorama Bar',
        containedInPlace: {
          '@type': 'Place',
          name: 'Berghain',
          address: { addressLocality: 'Berlin', addressCountry: 'DE' },
        },
      },
      ['Panorama Bar', 'Berlin', 'DE'],
    ],
    [
      { '@type': 'Place', name: 'TBA', address: { addressLocality: 'Brooklyn', addressRegion: 'NY' } },
      [null, 'Brooklyn', 'US'],
    ],
    [
      {
        '@type': 'Place',
        name: 'Klubnacht',
        address: { addressLocality: 'Berlin', addressCountry: 'Germany' },
      },
      [null, 'Berlin', 'DE'],
    ],
    [{ '@type': 'Place', name: 'Klubnacht', address: 'Klubnacht' }, [null, null, null]],
    [{ '@type': 'VirtualLocation', url: 'https://live.example' }, [null, null, null]],
  ];
  for (const [location, expected] of cases) {
    const event = await one(context, { location });
    assert.deepEqual(
      [event?.venue?.name ?? null, event?.city ?? null, event?.country ?? null],
      expected,
      JSON.stringify(location),
    );
  }
  assert.equal(
    (await one(context, { eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' }))?.venue,
    undefined,
  );
});

test('JSON is read as it stands in pages', async (context) => {
  const text = JSON.stringify(night);
  const forms = [
    `<!--${text}-->`,
    `/* <![CDATA[ */ ${text} /* ]]> */`,
    `//<![CDATA[\n${text}\n//]]>`,
    text.replaceAll('"', '&quot;'),
    `${text.slice(0, -1)},}`,
    `${text};`,
    text.replace('Klubnacht', 'Klub\nnacht').replace('Klub\nnacht', 'Klub\tnacht'),
    `{"@graph":[${text}]}`,
    `[[${text}]]`,
    text.replace('"MusicEvent"', '["Event","http://schema.org/MusicEvent"]'),
    text.replaceAll('"name"', '"schema:name"').replaceAll('"startDate"', '"http://schema.org/startDate"'),
    `${text}${text}`,
    `// a comment\n${text}`,
  ];
  for (const form of forms) {
    const reading = await readPage(context, page(form));
    assert.deepEqual([eventsIn(reading).length, reading.rejected], [1, []], form.slice(0, 60));
  }
  const cut = await readPage(context, page(text.slice(0, 100), night));
  assert.deepEqual(
    [eventsIn(cut).length, cut.rejected.map(({ reason }) => reason)],
    [1, ['1 JSON-LD script cannot be read']],
  );
  const odd = await readPage(context, `<SCRIPT TYPE='application/ld+json; charset=utf-8'>${text}</SCRIPT>`);
  assert.equal(eventsIn(odd).length, 1);
});

test('references are followed, in circles too', async (context) => {
  const graph = [
    {
      '@id': '#place',
      '@type': 'Place',
      name: 'Tresor',
      address: { '@id': '#address' },
      event: { '@id': '#event' },
    },
    { '@id': '#address', '@type': 'PostalAddress', addressLocality: 'Berlin', addressCountry: 'DE' },
    {
      '@id': '#event',
      ...night,
      location: { '@id': '#place' },
      performer: [{ '@id': '#act' }],
      superEvent: { '@id': '#event' },
    },
    { '@id': '#act', '@type': 'MusicGroup', name: 'Drexciya' },
  ];
  const events = eventsIn(
    await readPage(context, page({ '@context': 'https://schema.org', '@graph': graph })),
  );
  assert.equal(events.length, 1);
  assert.deepEqual(
    [events[0]?.venue?.name, events[0]?.city, events[0]?.lineup],
    ['Tresor', 'Berlin', [{ name: 'Drexciya' }]],
  );
});

test('other types are skipped, and events without a name or a start are reported', async (context) => {
  for (const type of ['SportsEvent', 'TheaterEvent', 'BusinessEvent', 'EventSeries', 'Person']) {
    const reading = await readPage(context, page({ ...night, '@type': type }));
    assert.deepEqual(eventsIn(reading), [], type);
  }
  const bad = await readPage(
    context,
    page(
      { ...night, startDate: undefined },
      { ...night, name: ' ' },
      { ...night, startDate: 'soon' },
      { ...night, url: 'https://club.example/b', name: 'Good' },
    ),
  );
  assert.deepEqual(
    eventsIn(bad).map(({ name }) => name),
    ['Good'],
  );
  assert.deepEqual(
    bad.rejected.map(({ reason }) => reason),
    ['"Klubnacht" has no startDate', 'has no name', '"Klubnacht" has a startDate that is not a time: soon'],
  );
});

test('the ids of events: their own, their address, and the date where several share it', async (context) => {
  const ids = async (...events: object[]) =>
    eventsIn(await readPage(context, page(...events))).map(({ external_id }) => external_id);
  const url = 'https://club.example/weekly';
  assert.deepEqual(await ids({ ...night, '@id': 'https://club.example/#e7' }), ['https://club.example/#e7']);
  assert.deepEqual(await ids({ ...night, url }, { ...night, url, startDate: '2026-12-12' }), [
    `${url}#2026-12-05`,
    `${url}#2026-12-12`,
  ]);
  const [front] = await ids({ ...night, url: 'https://club.example/' });
  assert.match(front ?? '', /^[\da-f]{24}$/);
  assert.deepEqual(await ids({ ...night, url: 'https://club.example/' }), [front]);
  assert.equal((await ids(night, night)).length, 1);
});

test('nights of a series are events, sets of a show stand in its line-up, festivals have editions', async (context) => {
  const nights = [
    { ...night, url: 'https://club.example/1' },
    { ...night, url: 'https://club.example/2', startDate: '2026-12-12T23:00' },
  ];
  const series = await readPage(
    context,
    page({ '@type': 'EventSeries', name: 'Klubnacht', subEvent: nights }),
  );
  assert.equal(eventsIn(series).length, 2);
  const sets = await one(context, {
    subEvent: [
      {
        '@type': 'MusicEvent',
        name: 'Ben Klock',
        startDate: '2026-12-06T04:00:00+01:00',
        location: 'Main Floor',
      },
    ],
  });
  assert.deepEqual(sets?.lineup, [
    { name: 'Ben Klock', stage: 'Main Floor', set_start_at: '2026-12-06T04:00:00+01:00' },
  ]);
  const reading = await readPage(
    context,
    page({
      ...night,
      '@type': 'Festival',
      name: 'Melt 2026',
      startDate: '2026-07-10',
      endDate: '2026-07-12',
      subEvent: [{ ...night, name: 'Opening', url: 'https://melt.example/opening' }],
    }),
  );
  const edition = reading.records.find(({ kind }) => kind === 'edition');
  assert.ok(edition?.kind === 'edition');
  assert.deepEqual(
    [edition.festival.name, edition.edition, edition.name, edition.start_at, edition.end_at],
    ['Melt', '2026', 'Melt 2026', '2026-07-10', '2026-07-12'],
  );
  assert.deepEqual(
    eventsIn(reading).map(({ name, festival }) => [name, festival?.festival.name, festival?.edition]),
    [['Opening', 'Melt', '2026']],
  );
});

test('microdata', async (context) => {
  const html = `<base href="https://club.example/events/"><div itemscope itemtype="http://schema.org/MusicEvent" itemref="more">
    <a itemprop="url" href="night"><span itemprop="name">Night &amp; Day</span></a>
    <time itemprop="startDate" datetime="2026-12-05T23:00+01:00">Saturday</time>
    <div itemprop="location" itemscope itemtype="http://schema.org/Place"><b itemprop="name">Tresor</b>
      <p itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="addressLocality">Berlin</span><meta itemprop="addressCountry" content="DE"></p></div>
    <div itemprop="performer" itemscope itemtype="http://schema.org/MusicGroup"><span itemprop="name">Drexciya</span></div>
    </div><p id="more"><img itemprop="image" src="/flyer.jpg"></p>`;
  const [event] = eventsIn(await readPage(context, html));
  assert.deepEqual(
    [
      event?.external_id,
      event?.name,
      event?.start_at,
      event?.venue?.name,
      event?.city,
      event?.country,
      event?.image_url,
      event?.lineup,
    ],
    [
      'https://club.example/events/night',
      'Night & Day',
      '2026-12-05T23:00:00+01:00',
      'Tresor',
      'Berlin',
      'DE',
      'https://club.example/flyer.jpg',
      [{ name: 'Drexciya' }],
    ],
  );
  const stray = `<table><tr itemprop="event" itemscope itemtype="http://schema.org/Event">
    <td><meta itemprop="startDate" content="2026-12-18"></td><td itemprop="name">Katatonia</td>
    <td itemprop="location" itemscope itemtype="http://schema.org/Place"><a href="/house" itemprop="url">Amager Bio, København S</a></td></tr></table>`;
  const [row] = eventsIn(await readPage(context, stray));
  assert.deepEqual(
    [row?.name, row?.start_at, row?.venue?.name, row?.city],
    ['Katatonia', '2026-12-18', 'Amager Bio', 'København'],
  );
  const loop =
    '<div itemscope id="a" itemtype="http://schema.org/Event" itemref="b"></div><div id="b" itemprop="x" itemscope itemref="b a"></div>';
  await readPage(context, loop);
});

/** A site of pages by path; what is not there is 404. */
const site = (
  context: TestContext,
  pages: (url: string) => Record<string, string | Uint8Array>,
  asked: string[] = [],
) => {
  let own = '';
  return serve(context, (request, response) => {
    asked.push(request.url as string);
    const found = pages(own)[request.url as string];
    response.statusCode = found === undefined ? 404 : 200;
    response.end(found ?? '');
  }).then((url) => {
    own = url;
    return url;
  });
};
const at = (url: string, more: object = {}) => page({ ...night, url, ...more });
const urlset = (...urls: string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

test('a sitemap index is followed to its pages, on its own site, once each', async (context) => {
  const asked: string[] = [];
  const url = await site(
    context,
    (own) => ({
      '/sitemap.xml': `<sitemapindex><sitemap><loc>${own}/a.xml.gz</loc></sitemap><sitemap><loc>${own}/sitemap.xml</loc></sitemap><sitemap><loc>https://elsewhere.example/x.xml</loc></sitemap></sitemapindex>`,
      '/a.xml.gz': gzipSync(
        urlset(
          `${own}/1`,
          `${own}/2`,
          `${own}/1`,
          `${own}/gone`,
          'https://elsewhere.example/3',
          `${own}/flyer.jpg`,
        ),
      ),
      '/1': at(`${own}/1`),
      '/2': at(`${own}/2`, { name: 'Other' }),
    }),
    asked,
  );
  const reading = await read('jsonld', `${url}/sitemap.xml`);
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['Klubnacht', 'Other'],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason),
    ['is listed, but not there'],
  );
  assert.deepEqual([asked, reading.end.ended], [['/sitemap.xml', '/a.xml.gz', '/1', '/2', '/gone'], 'whole']);
  const few = await read('jsonld', `${url}/sitemap.xml`, { options: { pages: '1' } });
  assert.deepEqual([eventsIn(few).length, few.end.ended], [1, 'partial']);
  const matched = await read('jsonld', `${url}/sitemap.xml`, { options: { match: '/2' } });
  assert.deepEqual(
    eventsIn(matched).map(({ name }) => name),
    ['Other'],
  );
});

test('a list names pages: ItemList, links, lines of a file; what a page says itself counts', async (context) => {
  const url = await site(context, (own) => ({
    '/list': page(
      {
        '@type': 'ItemList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, url: `${own}/1` },
          { '@type': 'ListItem', item: { '@id': `${own}/2` } },
        ],
      },
      { ...night, url: `${own}/1`, name: 'Sparse' },
    ),
    '/links': `<a href="/1">one</a> <a href="${own}/2#x">two</a> <a href="https://elsewhere.example/">away</a> <a href="mailto:x@example.org">mail</a>`,
    '/1': at(`${own}/1`, { description: 'All of it' }),
    '/2': at(`${own}/2`, { name: 'Other' }),
  }));
  for (const start of [
    `${url}/list`,
    `${url}/links`,
    fileWith(context, 'urls.txt', `# pages\n${url}/1\n\n${url}/2\n`),
  ]) {
    const events = eventsIn(await read('jsonld', start));
    assert.deepEqual(
      events.map(({ name, description }) => [name, description ?? null]),
      [
        ['Klubnacht', 'All of it'],
        ['Other', null],
      ],
      start,
    );
  }
});

test('a page with a broken description of events withdraws nothing', async (context) => {
  const cut = JSON.stringify({ ...night, name: 'Cut' }).slice(0, -30);
  const endOf = async (text: string) => {
    const { end } = await readPage(context, text);
    return end.ended === 'partial' ? end.reason : end.ended;
  };
  const broken = 'a script that may describe events cannot be read';
  assert.equal(await endOf(page(night, cut)), broken);
  assert.equal(await endOf(page(cut)), broken);
  assert.equal(await endOf(JSON.stringify([night]).slice(0, -1)), broken);
  // A description of the site itself is none of an event.
  const club = '{"@type": "NightClub", "name": "Salon", "address": {"@type": "PostalAddress"';
  assert.equal(await endOf(page(night, club)), 'whole');
  const url = await site(context, (own) => ({
    '/sitemap.xml': urlset(`${own}/1`, `${own}/2`),
    '/1': at(`${own}/1`),
    '/2': page(cut),
  }));
  const reading = await read('jsonld', `${url}/sitemap.xml`, { complete: true });
  assert.deepEqual([eventsIn(reading).length, reading.end.ended], [1, 'partial']);
});

test('a site that is down is given up, and nothing counts as seen', async (context) => {
  const url = await serve(context, (request, response) => {
    if (request.url === '/sitemap.xml')
      response.end(urlset(...Array.from({ length: 40 }, (_, index) => `${url}/${index}`)));
    else response.writeHead(500).end();
  });
  const reading = await read('jsonld', `${url}/sitemap.xml`);
  assert.deepEqual([reading.rejected.length, reading.end.ended], [15, 'partial']);
});

test('hostile pages neither crash nor grow', { timeout: 60_000 }, async (context) => {
  const pages = [
    '',
    '\u0000\u0001',
    '<div>'.repeat(200_000),
    '<a href=x>'.repeat(200_000),
    '<b></i>'.repeat(200_000),
    `${'<div itemscope itemprop="a">'.repeat(20_000)}`,
    page(`${'['.repeat(200_000)}`),
    page(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    page(`{"@type":"Event","name":"${'x'.repeat(2_000_000)}`),
    page({
      '@type': 'Event',
      name: { toString: 1 },
      startDate: [[[[]]]],
      location: { location: {} },
      offers: { offers: { offers: 1 } },
    }),
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
    page('null', 'false', '', '"text"', '42'),
  ];
  for (const text of pages) assert.deepEqual(eventsIn(await readPage(context, text)), [], text.slice(0, 40));
  const many = await readPage(
    context,
    page(Array.from({ length: 3_000 }, (_, index) => ({ ...night, url: undefined, name: `Night ${index}` }))),
  );
  assert.equal(eventsIn(many).length, 3_000);
});

type Extracted = {
  '@type': string;
  name: string;
  startDate: string;
  location: { name: string; address: { addressLocality: string } };
  performer: { name: string }[];
};

test('the recorded pages, against what others extracted from them', async (context) => {
  const folder = recorded(context, 'jsonld');
  if (folder === null) return;
  for (const file of ['elysianfields', 'elysianfields_1', 'tovestyrke']) {
    const { 'json-ld': found } = JSON.parse(readFileSync(`${folder}${file}.json`, 'utf8')) as {
      'json-ld': Extracted[];
    };
    const expected = found.filter((node) => node['@type'] === 'MusicEvent');
    const events = eventsIn(await read('jsonld', `${folder}${file}.html`));
    assert.deepEqual(
      events.map(({ name, venue, city, lineup, start_at }) => [
        name,
        venue?.name,
        city,
        lineup?.map((act) => act.name),
        Date.parse(start_at),
      ]),
      expected.map((node: Extracted) => [
        node.name,
        node.location.name,
        node.location.address.addressLocality,
        node.performer.map((act) => act.name),
        Date.parse(node.startDate),
      ]),
      file,
    );
  }
  const microdata = eventsIn(await read('jsonld', `${folder}Event.002.html`));
  assert.deepEqual(
    microdata.map(({ name, start_at, city, country, lineup }) => [
      name,
      start_at,
      city,
      country,
      lineup?.[0]?.name,
    ]),
    [
      ['FedExForum', '2011-05-20', 'Memphis', 'US', 'Foo Fighters'],
      ['Mid America Center', '2011-05-23', 'Council Bluffs', 'US', 'Foo Fighters'],
    ],
  );
  const all = await read('jsonld', folder);
  assert.equal(
    all.rejected.filter(({ reason }) => /describes no events/.test(reason)).length,
    all.rejected.length,
  );
});

test('a page is read once, whatever number of addresses lead to it', async (context) => {
  const asked: string[] = [];
  const night = (name: string) =>
    `<script type="application/ld+json">${JSON.stringify({
      ...{ '@type': 'MusicEvent', name, startDate: '2027-01-01T20:00', url: `/${name}` },
      location: { '@type': 'Place', name: 'Salon', address: 'Berlin, Germany' },
    })}</script>`;
  const url: string = await serve(context, ({ url: path = '' }, response) => {
    asked.push(path);
    // The front page links to itself by the address that redirects to it, and each show has two addresses.
    if (path === '/') response.writeHead(302, { location: '/en/' }).end();
    else if (path === '/en/')
      response.end(
        `<a href="/">home</a><a href="/en/#top">top</a><a href="/one">1</a><a href="/1">1</a><a href="/two">2</a>`,
      );
    else if (path === '/1') response.writeHead(301, { location: '/one' }).end();
    else response.end(night(path.slice(1)));
  });
  const reading = await read('jsonld', `${url}/`);
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['one', 'two'],
  );
  assert.deepEqual(
    asked.filter((path) => path === '/' || path === '/en/'),
    ['/', '/en/'],
  );
  assert.equal(asked.filter((path) => path === '/two').length, 1);
  assert.deepEqual(reading.rejected, []);
});
