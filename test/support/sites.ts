/** Sites that publish events, in the documented shape of each program. All names are invented. */

/** What a site answers: a body, or a status alone. */
export type Answer = { status?: number; type?: string; body: string };
export type Request = { url: URL; method: string; body: string; headers: Record<string, string> };
/** The answers of a site, by host. Undefined: 404. */
export type Sites = Record<string, (request: Request) => Answer | undefined>;

const json = (body: unknown, type = 'application/json'): Answer => ({ type, body: JSON.stringify(body) });
const html = (head: string, body = ''): Answer => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html><head><title>Site</title>${head}</head><body>${body}</body></html>`,
});

/** Seconds since 1970 of an instant. */
const seconds = (iso: string): number => Date.parse(iso) / 1_000;

/** An answer of the Overpass API. */
export const overpassAnswer = {
  version: 0.6,
  osm3s: { copyright: 'The data included in this document is from www.openstreetmap.org.' },
  elements: [
    {
      ...{ type: 'node', id: 11, lat: 51.32, lon: 12.37 },
      tags: {
        ...{
          amenity: 'nightclub',
          name: 'Distillerie Beispiel',
          'addr:street': 'Musterweg',
          'addr:housenumber': '5',
        },
        ...{ 'addr:postcode': '04103', 'addr:city': 'Leipzig', capacity: '400', wikidata: 'Q42424242' },
        ...{ website: 'https://distillerie.example/', alt_name: 'Dissi; Die Distillerie' },
      },
    },
    {
      type: 'way',
      id: 12,
      center: { lat: 51.34, lon: 12.38 },
      tags: { amenity: 'music_venue', name: 'Halle Muster' },
    },
    { type: 'node', id: 13, lat: 51.3, lon: 12.3, tags: { amenity: 'cafe', name: 'Café' } },
    { type: 'node', id: 14, lat: 51.3, lon: 12.3, tags: { amenity: 'nightclub' } },
  ],
};

const binding = (row: Record<string, string>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, { type: 'literal', value }]));

/** An answer of the query service of Wikidata. */
export const wikidataAnswer = {
  head: { vars: ['item', 'kind', 'itemLabel'] },
  results: {
    bindings: [
      {
        ...{ item: 'http://www.wikidata.org/entity/Q101', kind: 'artist', itemLabel: 'Ann Example' },
        ...{
          country: 'DE',
          website: 'https://ann.example/',
          discogs: '555',
          aliases: 'A. Example|Ann Example',
        },
        ...{ musicbrainz: '38c4b8b1-9ff4-4d2e-ae4e-8a7cf2d1cd3a', genres: 'techno|house' },
        image: 'http://commons.wikimedia.org/wiki/Special:FilePath/Ann%20Example.jpg',
        ...{ imageAuthor: 'Jo Photo', imageLicense: 'CC BY-SA 4.0' },
      },
      {
        ...{ item: 'http://www.wikidata.org/entity/Q102', kind: 'venue', itemLabel: 'Halle Muster' },
        ...{ country: 'DE', city: 'Leipzig', coordinates: 'Point(12.38 51.34)' },
      },
      {
        item: 'http://www.wikidata.org/entity/Q103',
        kind: 'label',
        itemLabel: 'Muster Records',
        founded: '1994-01-01T00:00:00Z',
      },
      {
        item: 'http://www.wikidata.org/entity/Q104',
        kind: 'festival',
        itemLabel: 'Musterfest',
        city: 'Leipzig',
        country: 'DE',
      },
      { item: 'http://www.wikidata.org/entity/Q105', kind: 'artist', itemLabel: 'Q105' },
      { item: 'http://www.wikidata.org/entity/Q106', itemLabel: 'Something' },
    ].map(binding),
  },
};

const wikidataGood = {
  ...wikidataAnswer,
  results: { bindings: wikidataAnswer.results.bindings.slice(0, 4) },
};

/** An event of The Events Calendar, REST version 1. */
export const tribeEvent = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  global_id: `kulturhaus.example?id=${id}`,
  status: 'publish',
  url: `https://kulturhaus.example/event/night-${id}/`,
  title: `Night ${id} &#8211; Ann Example &amp; Bob`,
  description: '<p>Doors at <b>eleven</b>.</p>',
  image: { url: `https://kulturhaus.example/wp-content/uploads/${id}.jpg`, width: 800, height: 600 },
  all_day: false,
  start_date: '2030-05-03 23:00:00',
  end_date: '2030-05-04 06:00:00',
  utc_start_date: '2030-05-03 21:00:00',
  utc_end_date: '2030-05-04 04:00:00',
  timezone: 'Europe/Berlin',
  cost: '€10 – €15',
  cost_details: { currency_symbol: '€', currency_code: 'EUR', values: ['10', '15'] },
  website: '',
  hide_from_listings: false,
  venue: {
    id: 7,
    venue: 'Kulturhaus &amp; Garten',
    address: 'Musterstraße 1',
    city: 'Leipzig',
    country: 'Germany',
    zip: '04109',
    geo_lat: 51.34,
    geo_lng: 12.37,
    website: 'https://kulturhaus.example/',
  },
  ...more,
});

export const tribePage = (events: unknown[], next: string | null = null): Record<string, unknown> => ({
  events,
  rest_url: 'https://kulturhaus.example/wp-json/tribe/events/v1/events/',
  total: events.length,
  total_pages: 1,
  ...(next === null ? {} : { next_rest_url: next }),
});

/** An event of Gancio. */
export const gancioEvent = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  title: `Serata ${id}`,
  slug: `serata-${id}`,
  multidate: false,
  start_datetime: seconds('2030-05-03T20:00:00Z'),
  end_datetime: seconds('2030-05-04T01:00:00Z'),
  media: [{ url: `poster${id}.jpg`, name: 'poster', focalpoint: [0, 0], height: 900, width: 600 }],
  is_visible: true,
  tags: ['techno'],
  place: {
    id: 4,
    name: 'Officina Nove',
    address: 'Via Esempio 9, 10121 Torino, Italia',
    latitude: 45.07,
    longitude: 7.68,
  },
  ...more,
});

/** An event of Mobilizon's GraphQL. */
export const mobilizonEvent = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
  url: `https://agenda.example/events/00000000-0000-4000-8000-00000000000${id}`,
  title: `Nuit ${id}`,
  description: '<p>Entrée libre</p>',
  beginsOn: '2030-05-03T20:00:00Z',
  endsOn: '2030-05-04T02:00:00Z',
  status: 'CONFIRMED',
  draft: false,
  visibility: 'PUBLIC',
  onlineAddress: null,
  picture: { url: 'https://agenda.example/media/1.jpg' },
  physicalAddress: {
    description: 'La Fabrique',
    street: '3 rue Exemple',
    locality: 'Lyon',
    postalCode: '69001',
    region: 'Auvergne-Rhône-Alpes',
    country: 'France',
    geom: '4.83;45.76',
  },
  options: {
    timezone: 'Europe/Paris',
    offers: [{ price: 8, priceCurrency: 'EUR', url: 'https://tickets.example/1' }],
  },
  ...more,
});

export const mobilizonPage = (events: unknown[], total = events.length): Record<string, unknown> => ({
  data: { events: { total, elements: events } },
});

/** The JSON view of a Squarespace page of events. */
export const squarespacePage = (upcoming: unknown[], more: Record<string, unknown> = {}) => ({
  website: { id: 'w', timeZone: 'America/New_York', baseUrl: 'https://basement.example' },
  collection: { id: 'c', typeName: 'events-stacked', fullUrl: '/calendar' },
  upcoming,
  past: [],
  ...more,
});

export const squarespaceEvent = (
  id: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  id,
  title: `Basement ${id}`,
  fullUrl: `/calendar/${id}`,
  startDate: Date.parse('2030-05-04T02:00:00Z'),
  endDate: Date.parse('2030-05-04T09:00:00Z'),
  body: '<div><p>All night</p></div>',
  assetUrl: 'https://images.squarespace-cdn.com/content/poster.jpg',
  location: {
    addressTitle: 'Basement',
    addressLine1: '12 Example Ave',
    addressLine2: 'Brooklyn, NY, 11237',
    addressCountry: 'United States',
    mapLat: 40.7207559,
    mapLng: -74.0007613,
    markerLat: 40.7,
    markerLng: -73.92,
  },
  ...more,
});

export const calendar = `BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//club//EN\r
BEGIN:VEVENT\r
UID:night-1@club.example\r
DTSTAMP:20300101T120000Z\r
DTSTART;TZID=Europe/Berlin:20300503T230000\r
SUMMARY:Klubnacht: Ann Example\r
LOCATION:Haus am See\\, Berlin\r
END:VEVENT\r
END:VCALENDAR\r
`;

const jsonLdEvent = (name: string): string =>
  `<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'MusicEvent',
    name,
    startDate: '2030-05-03T23:00:00+02:00',
    location: { '@type': 'Place', name: 'Salon', address: 'Beispielweg 2, 20095 Hamburg, Germany' },
    performer: [{ '@type': 'MusicGroup', name: 'Ann Example' }],
  })}</script>`;

const ticketmasterEvent = {
  id: 'G5v0Z9',
  name: 'Klubnacht',
  type: 'event',
  test: false,
  url: 'https://www.ticketmaster.de/event/1',
  dates: {
    start: { localDate: '2030-05-03', localTime: '23:00:00', dateTime: '2030-05-03T21:00:00Z' },
    timezone: 'Europe/Berlin',
    status: { code: 'onsale' },
  },
  classifications: [{ primary: true, segment: { name: 'Music' }, genre: { name: 'Dance/Electronic' } }],
  _embedded: {
    venues: [{ id: 'V1', name: 'Haus am See', city: { name: 'Berlin' }, country: { countryCode: 'DE' } }],
    attractions: [{ id: 'A1', name: 'Ann Example', classifications: [{ segment: { name: 'Music' } }] }],
  },
};

function gancioSite({ pathname }: URL, events: unknown[]): Answer | undefined {
  if (pathname === '/api/events') return json(events);
  return pathname === '/'
    ? html(
        '<link rel="alternate" type="text/calendar" href="/feed/ics"><meta name="generator" content="Gancio">',
      )
    : undefined;
}

/** A festival with a timetable, in the feed format. */
/** A calendar whose events have a clock time, and neither a place nor a time zone. */
export const floatingCalendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:floating-1',
  'SUMMARY:Schwebende Nacht',
  'DTSTART:20300503T230000',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** One night: a club names its acts in the description, a seller states the headliner. */
export const lineupFeed = (isSeller: boolean): string =>
  JSON.stringify({
    kind: 'event',
    external_id: 'night-1',
    name: 'Lange Nacht',
    start_at: '2030-05-04T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    ...(isSeller
      ? { lineup: [{ name: 'Ann Example' }] }
      : { description: 'Line-up: Ann Example, Bob Beispiel, Cy Muster' }),
  });

export const festivalFeed = [
  { kind: 'festival', external_id: 'f', name: 'Uferfest', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'f-2030',
    festival: { external_id: 'f', name: 'Uferfest' },
    edition: '2030',
    name: 'Uferfest 2030',
    start_at: '2030-07-19T12:00',
    end_at: '2030-07-21T23:00',
    timezone: 'Europe/Berlin',
    city: 'Berlin',
    country: 'DE',
    lineup: [
      { name: 'Ann Example', stage: 'Main', set_start_at: '2030-07-19T20:00' },
      { name: 'Ann Example', stage: 'Garden', set_start_at: '2030-07-20T20:00' },
      { name: 'Bob Muster' },
    ],
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

/** An event of a date alone, and an episode, which has no city. */
export const datesFeed = [
  { kind: 'event', external_id: 'd', name: 'Tagtanz', start_at: '2030-08-01', city: 'Berlin', country: 'DE' },
  { kind: 'podcast', external_id: 'p', name: 'Uferfunk' },
  {
    kind: 'episode',
    external_id: 'p1',
    podcast: { external_id: 'p', name: 'Uferfunk' },
    name: 'Uferfunk 1',
    published_at: '2026-11-01',
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

/** A feed that begins with more old events than a preview reads. */
const archiveFeed = Array.from({ length: 520 }, (_, index) =>
  JSON.stringify({
    kind: 'event',
    external_id: `a${index}`,
    name: `Archive Night ${index}`,
    start_at: index < 510 ? '2012-11-22' : '2030-11-22',
    city: 'Berlin',
    country: 'DE',
  }),
);

/** Sites of the guide and of the tests. */
export const sites: Sites = {
  'kulturhaus.example': ({ url }) => {
    if (url.pathname === '/wp-json/tribe/events/v1/events')
      return json(
        tribePage([tribeEvent(1), tribeEvent(2, { venue: [], start_date: '2030-05-10 21:00:00' })]),
      );
    if (url.pathname === '/')
      return html('<link rel="https://api.w.org/" href="https://kulturhaus.example/wp-json/">');
    return undefined;
  },
  'torino.example': ({ url }) => gancioSite(url, [gancioEvent(1), gancioEvent(2)]),
  'firenze.example': ({ url }) =>
    gancioSite(url, [gancioEvent(1), gancioEvent(2), { id: 3, title: 'No start', place: {} }]),
  'agenda.example': ({ url, method }) => {
    if (url.pathname === '/api' && method === 'POST') return json(mobilizonPage([mobilizonEvent(1)]));
    if (url.pathname === '/') return html('<meta name="description" content="Mobilizon of Lyon">');
    return undefined;
  },
  'basement.example': ({ url }) => {
    if (url.pathname !== '/calendar') return undefined;
    return url.searchParams.get('format') === 'json'
      ? json(squarespacePage([squarespaceEvent('a'), squarespaceEvent('b')]))
      : html('<script>Static.SQUARESPACE_CONTEXT = {}</script>');
  },
  'seller.example': ({ url }) => {
    const [, night] = /^\/events\/(one|two)$/.exec(url.pathname) ?? [];
    if (night !== undefined) return html(jsonLdEvent(`Night ${night}`));
    if (url.pathname === '/hamburg')
      return html('', '<a href="/imprint">Imprint</a><a href="/events/one">1</a><a href="/events/two">2</a>');
    return undefined;
  },
  'club.example': ({ url }) => {
    if (url.pathname === '/events.ics') return { type: 'text/calendar', body: calendar };
    if (url.pathname === '/programme')
      return html('', '<a href="webcal://club.example/events.ics">Subscribe</a>');
    if (url.pathname === '/')
      return html('', '<a href="/contact">Contact</a><a href="/programme">Programme</a>');
    return undefined;
  },
  'calendar.google.com': ({ url }) =>
    url.pathname === '/calendar/ical/club%40group.calendar.google.com/public/basic.ics'
      ? {
          type: 'text/calendar',
          body: calendar
            .replace('Klubnacht: Ann Example', 'Kellernacht: Bob Muster')
            .replace('Haus am See', 'Tor 3')
            .replace('night-1', 'night-9'),
        }
      : undefined,
  'app.ticketmaster.com': ({ url }) => {
    if (url.searchParams.get('apikey') !== 'my-key')
      return { status: 401, type: 'application/json', body: '{"fault":{"faultstring":"Invalid ApiKey"}}' };
    return json({
      _embedded: { events: [ticketmasterEvent] },
      page: { totalElements: 1, size: 200, number: 0 },
    });
  },
  'overpass-api.de': ({ url }) =>
    url.searchParams.get('data')?.startsWith('[out:json]')
      ? json(overpassAnswer)
      : { status: 400, body: 'error' },
  'query.wikidata.org': ({ url }) => (url.searchParams.has('query') ? json(wikidataGood) : undefined),
  'festival.example': ({ url }) =>
    url.pathname === '/feed.ndjson' ? { type: 'application/x-ndjson', body: festivalFeed } : undefined,
  'dates.example': ({ url }) =>
    url.pathname === '/feed.ndjson' ? { type: 'application/x-ndjson', body: datesFeed } : undefined,
  'floating.example': ({ url }) =>
    url.pathname === '/club.ics' ? { type: 'text/calendar', body: floatingCalendar } : undefined,
  'lineups.example': ({ url }) =>
    url.pathname === '/club.ndjson' || url.pathname === '/seller.ndjson'
      ? { type: 'application/x-ndjson', body: lineupFeed(url.pathname === '/seller.ndjson') }
      : undefined,
  'archive.example': ({ url }) =>
    url.pathname === '/all.ndjson'
      ? { type: 'application/x-ndjson', body: archiveFeed.join('\n') }
      : url.pathname === '/old.ndjson'
        ? { type: 'application/x-ndjson', body: archiveFeed.slice(0, 3).join('\n') }
        : undefined,
  'quiet.example': ({ url }) =>
    url.pathname === '/events.ics'
      ? { type: 'text/calendar', body: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n' }
      : undefined,
  'lists.example': ({ url }) =>
    url.pathname === '/artists.json'
      ? json({
          artists: [
            {
              id: 'c1f2',
              name: 'Anna Beispiel',
              'sort-name': 'Beispiel, Anna',
              type: 'Person',
              country: 'DE',
            },
          ],
        })
      : undefined,
  'empty.example': ({ url }) =>
    url.pathname === '/' ? html('', '<p>We moved.</p><a href="/contact">Contact</a>') : undefined,
};
