/**
 * The schema.org objects of the pages: the members that Google requires and recommends for events
 * (developers.google.com/search/docs/appearance/structured-data/event), with values of the types that schema.org states.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const night = {
  kind: 'event',
  external_id: 'e-1',
  name: 'Long Night',
  start_at: '2026-12-05T23:00',
  end_at: '2026-12-06T08:00',
  venue: { external_id: 'v-1', name: 'Example Hall', city: 'Berlin', country: 'DE' },
  lineup: [
    { external_id: 'a-1', name: 'Ann Example' },
    { external_id: 'a-2', name: 'Example Twins' },
  ],
  image_url: 'https://pictures.test/night.jpg',
  description: 'All night long.',
  festival: { festival: { external_id: 'f-1', name: 'Example Fest' }, edition: '2026' },
  tickets: [
    {
      seller: 'Seller',
      url: 'https://tickets.test/1',
      price_min: 20,
      currency: 'EUR',
      availability: 'available',
    },
  ],
  status: 'scheduled',
};
const others = [
  {
    kind: 'venue',
    external_id: 'v-1',
    name: 'Example Hall',
    city: 'Berlin',
    country: 'DE',
    address: 'Example Street 1',
    postal_code: '10115',
    latitude: 52.5,
    longitude: 13.4,
    timezone: 'Europe/Berlin',
  },
  { kind: 'artist', external_id: 'a-1', name: 'Ann Example', real_name: 'Anna Exempel', country: 'SE' },
  { kind: 'artist', external_id: 'a-2', name: 'Example Twins' },
  { kind: 'festival', external_id: 'f-1', name: 'Example Fest', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'ed-1',
    festival: { external_id: 'f-1', name: 'Example Fest' },
    edition: '2026',
    name: 'Example Fest 2026',
    start_at: '2026-12-04T18:00',
    end_at: '2026-12-06T08:00',
    timezone: 'Europe/Berlin',
    city: 'Berlin',
    country: 'DE',
  },
  { kind: 'podcast', external_id: 'p-1', name: 'Example Cast' },
  {
    kind: 'episode',
    external_id: 'ep-1',
    podcast: { external_id: 'p-1', name: 'Example Cast' },
    name: 'Episode One',
    number: 1,
    published_at: '2026-11-01T10:00:00Z',
    duration_seconds: 3_600,
    audio_url: 'https://audio.test/1.mp3',
    artists: [{ external_id: 'a-1', name: 'Ann Example' }],
  },
];

let server: Server;
before(async () => {
  const dataFile = join(folder.path, 'site.db');
  importFeed(dataFile, [...others, night]);
  const moved = { ...night, start_at: '2026-12-12T23:00', end_at: '2026-12-13T08:00', status: 'rescheduled' };
  importFeed(dataFile, [...others, moved]);
  server = await startServer({ dataFile, now: '2026-11-20T12:00:00Z' });
});
after(async () => {
  await server.stop();
  folder.remove();
});

type Thing = Record<string, unknown> & { '@type': string | string[] };
async function thingsOf(path: string): Promise<Thing[]> {
  const { status, text } = await server.get(path, { key: null, headers: { accept: 'text/html' } });
  assert.equal(status, 200, path);
  const $ = load(text);
  const { '@graph': graph } = JSON.parse($('script[type="application/ld+json"]').text()) as {
    '@graph': Thing[];
  };
  return graph;
}
const first = async (path: string): Promise<Thing> => (await thingsOf(path))[0] as Thing;
async function eventPath(): Promise<string> {
  const { data } = (await server.get('/api/v1/events')).json() as { data: { slug: string }[] };
  return `/events/${data[0]?.slug}`;
}

const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/;
const address = /^https?:\/\//;

/** The members that an event's rich result needs, and those that improve it. */
function assertEvent(thing: Thing): void {
  assert.ok(typeof thing.name === 'string' && thing.name !== '');
  assert.match(String(thing.startDate), iso);
  assert.match(String(thing.endDate), iso);
  assert.ok(String(thing.startDate) < String(thing.endDate));
  const location = thing.location as Thing;
  assert.ok(['Place', 'MusicVenue'].includes(location['@type'] as string));
  assert.ok(location.name);
  const postal = location.address as Thing;
  assert.equal(postal['@type'], 'PostalAddress');
  assert.match(String(postal.addressCountry), /^[A-Z]{2}$/);
  assert.match(String(thing.eventStatus), /^https:\/\/schema\.org\/Event[A-Z]\w+$/);
  assert.match(String(thing.eventAttendanceMode), /^https:\/\/schema\.org\//);
  const organizer = thing.organizer as Thing;
  assert.ok(organizer.name && address.test(String(organizer.url)));
  assert.ok(String(thing.description).length > 5);
}

test('an event with all that is known of it', async () => {
  const thing = await first(await eventPath());
  assert.equal(thing['@type'], 'MusicEvent');
  assertEvent(thing);
  assert.equal(thing.startDate, '2026-12-12T23:00:00+01:00');
  assert.deepEqual(thing.location, {
    '@type': 'MusicVenue',
    name: 'Example Hall',
    url: `${server.url}/venues/example-hall`,
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Example Street 1',
      postalCode: '10115',
      addressLocality: 'Berlin',
      addressCountry: 'DE',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 52.5, longitude: 13.4 },
  });
  assert.deepEqual(
    (thing.performer as Thing[]).map((act) => [act['@type'], act.name]),
    [
      ['MusicGroup', 'Ann Example'],
      ['MusicGroup', 'Example Twins'],
    ],
  );
  assert.deepEqual(thing.offers, [
    {
      '@type': 'Offer',
      url: 'https://tickets.test/1',
      availability: 'https://schema.org/InStock',
      seller: { '@type': 'Organization', name: 'Seller' },
      price: 20,
      priceCurrency: 'EUR',
    },
  ]);
  assert.deepEqual(thing.organizer, {
    '@type': 'Organization',
    name: 'Example Fest',
    url: `${server.url}/festivals/example-fest`,
  });
  assert.equal(thing.image, 'https://pictures.test/night.jpg');
  assert.equal((thing.superEvent as Thing)['@type'], 'Festival');
});

test('an event that moved names the date that it had', async () => {
  const thing = await first(await eventPath());
  assert.equal(thing.eventStatus, 'https://schema.org/EventRescheduled');
  assert.equal(thing.previousStartDate, '2026-12-05T22:00:00Z');
});

test('an edition is a festival with its place, days and organizer', async () => {
  const thing = await first('/festivals/example-fest/editions/2026');
  assert.equal(thing['@type'], 'Festival');
  assertEvent(thing);
  assert.equal((thing.superEvent as Thing)['@type'], 'EventSeries');
});

test('an artist with a real name is a person, others are groups', async () => {
  assert.deepEqual((await first('/artists/ann-example'))['@type'], ['MusicGroup', 'Person']);
  assert.equal((await first('/artists/example-twins'))['@type'], 'MusicGroup');
});

test('a venue has an address and a position', async () => {
  const thing = await first('/venues/example-hall');
  assert.equal(thing['@type'], 'MusicVenue');
  assert.equal((thing.geo as Thing).latitude, 52.5);
  assert.equal((thing.address as Thing).postalCode, '10115');
});

test('an episode names its series, length, sound and acts', async () => {
  const { data } = (await server.get('/api/v1/podcasts/example-cast/episodes')).json() as {
    data: { slug: string }[];
  };
  const thing = await first(`/episodes/${data[0]?.slug}`);
  assert.equal(thing['@type'], 'PodcastEpisode');
  assert.equal(thing.timeRequired, 'PT1H0M0S');
  assert.equal((thing.associatedMedia as Thing).contentUrl, 'https://audio.test/1.mp3');
  assert.equal((thing.partOfSeries as Thing).name, 'Example Cast');
  assert.equal((thing.contributor as Thing[]).length, 1);
});

test('the trail of a page is complete and numbered, and the home page can be searched', async () => {
  const trail = (await thingsOf(await eventPath())).at(-1) as Thing;
  assert.equal(trail['@type'], 'BreadcrumbList');
  const items = trail.itemListElement as Thing[];
  assert.deepEqual(
    items.map(({ position }) => position),
    items.map((_, index) => index + 1),
  );
  assert.deepEqual(
    items.map(({ name }) => name),
    ['Events', 'Berlin', 'Example Hall', 'Long Night'],
  );
  assert.ok(items.every(({ item }) => address.test(String(item))));
  const site = await first('/');
  assert.equal(site['@type'], 'WebSite');
  const { target, 'query-input': input } = site.potentialAction as Record<string, unknown>;
  assert.equal((target as Thing).urlTemplate, `${server.url}/search?q={search_term_string}`);
  assert.equal(input, 'required name=search_term_string');
});
