/**
 * A small catalogue that has every kind of record and every oddity of the specification, for a clock that stands at
 * `feedNow`. What the service must make of the events is written beside each, by hand.
 */

/** Noon UTC of a Friday: 13:00 in Berlin, 17:45 in Kathmandu, 02:00 in Honolulu, 02:00 on Saturday on Kiritimati. */
export const feedNow = '2026-11-20T12:00:00Z';

type Line = { kind: string; external_id: string; name?: string } & Record<string, unknown>;
const line = (kind: string, external_id: string, members: Record<string, unknown>): Line => ({
  kind,
  external_id,
  ...members,
});

// ------------------------------------------------------------------------------------------- genres, places, artists

/** Children before their parents: the order of lines must not matter within a feed. */
const genres: Line[] = [
  line('genre', 'g-dub', { name: 'Dub Techno', parent: 'Techno', aliases: ['Dub'] }),
  line('genre', 'g-techno', { name: 'Techno', parent: 'Electronic', description: 'Four to the floor.' }),
  line('genre', 'g-house', { name: 'House', parent: 'Electronic' }),
  line('genre', 'g-electronic', { name: 'Electronic', parent: null }),
  line('genre', 'g-ambient', { name: 'Ambient', parent: null }),
];
export const genreNames = ['Ambient', 'Dub Techno', 'Electronic', 'House', 'Techno'];

const city = (id: string, name: string, country: string, timezone: string, more = {}): Line =>
  line('city', id, { name, country, timezone, ...more });
const cities: Line[] = [
  city('c-berlin', 'Berlin', 'DE', 'Europe/Berlin', {
    region: 'Berlin',
    latitude: 52.52,
    longitude: 13.405,
    population: 3_677_472,
    aliases: ['Berlín'],
  }),
  city('c-kathmandu', 'Kathmandu', 'NP', 'Asia/Kathmandu'),
  city('c-new-york', 'New York', 'US', 'America/New_York', { latitude: 40.71, longitude: -74.01 }),
  city('c-honolulu', 'Honolulu', 'US', 'Pacific/Honolulu'),
  city('c-tabwakea', 'Tabwakea', 'KI', 'Pacific/Kiritimati'),
  city('c-london', 'London', 'GB', 'Europe/London'),
  city('c-lodz', 'Łódź', 'PL', 'Europe/Warsaw'),
  city('c-reykjavik', 'Reykjavík', 'IS', 'Atlantic/Reykjavik'),
  city('c-amsterdam', 'Amsterdam', 'NL', 'Europe/Amsterdam'),
  city('c-nuuk', 'Nuuk', 'GL', 'America/Nuuk'),
];
/** By folded name: `lodz` comes before `london`. */
export const cityNames = [
  'Amsterdam',
  'Berlin',
  'Honolulu',
  'Kathmandu',
  'Łódź',
  'London',
  'New York',
  'Nuuk',
  'Reykjavík',
  'Tabwakea',
];

const venue = (id: string, name: string, cityName: string, country: string, more = {}): Line =>
  line('venue', id, { name, city: cityName, country, ...more });
const venues: Line[] = [
  venue('v-tresor', 'Tresor', 'Berlin', 'DE'),
  venue('v-berghain', 'Berghain', 'Berlin', 'DE', {
    address: 'Am Wriezener Bahnhof',
    postal_code: '10243',
    latitude: 52.511,
    longitude: 13.443,
    timezone: 'Europe/Berlin',
    capacity: 1_500,
    website: 'https://berghain.test/',
    image_url: 'https://berghain.test/house.jpg',
    external_ids: { musicbrainz: 'mb-berghain', ra: '5031' },
  }),
  venue('v-basement', 'Basement', 'New York', 'US'),
  venue('v-purple-haze', 'Purple Haze', 'Kathmandu', 'NP'),
  venue('v-line-islands', 'Line Islands Hall', 'Tabwakea', 'KI'),
  venue('v-hawaiian', 'Hawaiian Brian’s', 'Honolulu', 'US'),
  venue('v-fabric', 'fabric', 'London', 'GB'),
  venue('v-oslo', 'Ósló Hús', 'Reykjavík', 'IS'),
];
export const venueNames = [
  'Basement',
  'Berghain',
  'fabric',
  'Hawaiian Brian’s',
  'Line Islands Hall',
  'Ósló Hús',
  'Purple Haze',
  'Tresor',
];

const artist = (id: string, name: string, country: string | null, more = {}): Line =>
  line('artist', id, { name, country, ...more });
const artists: Line[] = [
  artist('a-klock', 'Ben Klock', 'DE', {
    genres: ['Techno', 'House', 'Dub Techno'],
    biography: 'Resident.',
    image_url: 'https://klock.test/face.jpg',
    links: [{ type: 'website', url: 'https://klock.test/' }],
    external_ids: { musicbrainz: 'mb-klock', discogs: '2711' },
    aliases: ['Klockworks'],
    real_name: null,
  }),
  artist('a-denki', '電気グルーヴ', 'JP'),
  artist('a-muziq', 'µ-Ziq', 'GB', { genres: ['Ambient'] }),
  artist('a-yousuke', '¥ØU$UK€ ¥UK1MAT$U', 'JP'),
  artist('a-chk', '!!!', 'US'),
  artist('a-zed', 'Zed Bias', 'GB'),
  artist('a-wide', 'ＷＩＤＥ', null),
  artist('a-thorr', 'Þórr', 'IS'),
  artist('a-strasse', 'Straßenkind', 'DE'),
  artist('a-nova-gb', 'Nova', 'GB'),
  artist('a-nova-de', 'Nova', 'DE'),
  artist('a-lona', 'Łona', 'PL'),
  artist('a-eclair', 'Éclair Fifi', 'GB', { genres: ['House'] }),
  artist('a-aphex', 'Aphex Twin', 'GB', {
    aliases: ['AFX', 'Polygon Window'],
    real_name: 'Richard D. James',
  }),
  artist('a-afx', 'AFX', 'GB'),
  artist('a-aegir', 'Ægir', 'IS'),
];
/** By folded name, compared by code point; `Surgeon` is named by a line-up alone. */
export const artistNames = [
  '!!!',
  'Ægir',
  'AFX',
  'Aphex Twin',
  'Ben Klock',
  'Éclair Fifi',
  'Łona',
  'Nova',
  'Nova',
  'Straßenkind',
  'Surgeon',
  'Þórr',
  'ＷＩＤＥ',
  'Zed Bias',
  '¥ØU$UK€ ¥UK1MAT$U',
  'µ-Ziq',
  '電気グルーヴ',
];

const labels: Line[] = [
  line('label', 'l-unterton', { name: 'Unterton', country: 'DE', parent: { name: 'Ostgut Ton' } }),
  line('label', 'l-ostgut', {
    name: 'Ostgut Ton',
    country: 'DE',
    founded_year: 2005,
    website: 'https://ostgut.test/',
    artists: [
      { name: 'ＷＩＤＥ' },
      { external_id: 'a-klock', name: 'Ben Klock' },
      { external_id: 'a-eclair', name: 'Éclair Fifi' },
    ],
    external_ids: { discogs: '40351' },
  }),
  line('label', 'l-mu', {
    name: 'Planet Mu',
    country: 'GB',
    artists: [{ external_id: 'a-muziq', name: 'µ-Ziq' }],
  }),
  line('label', 'l-warp', {
    name: 'Warp',
    country: 'GB',
    artists: [{ external_id: 'a-aphex', name: 'Aphex Twin' }],
  }),
];
export const labelNames = ['Ostgut Ton', 'Planet Mu', 'Unterton', 'Warp'];

// ------------------------------------------------------------------------------------------- festivals

const festivals: Line[] = [
  line('festival', 'f-long-now', { name: 'Long Now', city: 'Berlin', country: 'DE' }),
  line('festival', 'f-dekmantel', {
    name: 'Dekmantel',
    city: 'Amsterdam',
    country: 'NL',
    genres: ['Techno', 'House'],
    website: 'https://dekmantel.test/',
  }),
  line('festival', 'f-o', { name: 'Ö-Fest', city: null, country: 'AT' }),
];
export const festivalNames = ['Dekmantel', 'Long Now', 'Ö-Fest'];

const edition = (id: string, festival: object, key: string, more: Record<string, unknown>): Line =>
  line('edition', id, { festival, edition: key, ...more });
const dekmantel = { external_id: 'f-dekmantel', name: 'Dekmantel' };
const longNow = { name: 'Long Now' };
const editions: Line[] = [
  edition('e-dk-2025', dekmantel, '2025', {
    start_at: '2025-07-30T12:00',
    end_at: '2025-08-03T23:00',
    timezone: 'Europe/Amsterdam',
  }),
  edition('e-dk-2027', dekmantel, '2027', { start_at: '2027-07-28' }),
  edition('e-dk-2026', dekmantel, '2026', {
    name: 'Dekmantel 2026',
    start_at: '2026-07-29T12:00',
    end_at: '2026-08-02T23:00',
    timezone: 'Europe/Amsterdam',
    status: 'scheduled',
    city: 'Amsterdam',
    country: 'NL',
    lineup: [
      {
        external_id: 'a-klock',
        name: 'Ben Klock',
        billing: 'headline',
        stage: 'Main',
        set_start_at: '2026-08-01T20:00',
        set_end_at: '2026-08-01T22:00',
      },
      { name: 'Aphex Twin', billing: 'headline' },
      { name: 'Zed Bias', billing: 'support' },
    ],
    tickets: [
      { seller: 'Ticketmaster', url: 'https://tickets.test/a' },
      { seller: 'Eventim', url: 'https://tickets.test/c', price_min: 79.5, currency: 'EUR' },
      { seller: 'Eventim', url: 'https://tickets.test/b', availability: 'sold_out' },
    ],
  }),
  edition('e-dk-2024', dekmantel, '2024', {
    start_at: '2024-07-31T12:00',
    end_at: '2024-08-04T23:00',
    timezone: 'Europe/Amsterdam',
  }),
  edition('e-ln-2025', longNow, '2025', {
    start_at: '2025-11-20T18:00',
    end_at: '2025-11-23T06:00',
    timezone: 'Europe/Berlin',
  }),
  edition('e-ln-2026', longNow, '2026', {
    start_at: '2026-11-19T18:00',
    end_at: '2026-11-22T06:00',
    timezone: 'Europe/Berlin',
  }),
];

// ------------------------------------------------------------------------------------------- events

/** An event of the feed, and what must be made of it. */
export type EventCase = {
  line: Line;
  startAt: string;
  timezone: string | null;
  date: string;
  upcoming: boolean;
};

const at = (id: string, name: string, cityName: string, country: string) => ({
  venue: { external_id: id, name, city: cityName, country },
});
const berghain = at('v-berghain', 'Berghain', 'Berlin', 'DE');
const tresor = at('v-tresor', 'Tresor', 'Berlin', 'DE');
const basement = at('v-basement', 'Basement', 'New York', 'US');
const hawaiian = at('v-hawaiian', 'Hawaiian Brian’s', 'Honolulu', 'US');
const lineIslands = at('v-line-islands', 'Line Islands Hall', 'Tabwakea', 'KI');
const klock = { external_id: 'a-klock', name: 'Ben Klock' };

const event = (
  name: string,
  members: { start_at: string } & Record<string, unknown>,
  shown: Omit<EventCase, 'line'>,
): EventCase => ({ line: line('event', `x-${name}`, { name, ...members }), ...shown });

/** In the order in which /events lists them: by start, then as they were written into the feed. */
export const eventCases: EventCase[] = [
  event(
    'Long Ago',
    { ...tresor, start_at: '2012-03-03T23:00', lineup: [klock] },
    { startAt: '2012-03-03T23:00:00+01:00', timezone: 'Europe/Berlin', date: '2012-03-03', upcoming: false },
  ),
  // 02:30 came twice that night; the first is meant.
  event(
    'Berlin Overlap',
    { ...tresor, start_at: '2026-10-25T02:30' },
    { startAt: '2026-10-25T02:30:00+02:00', timezone: 'Europe/Berlin', date: '2026-10-25', upcoming: false },
  ),
  event(
    'New York Overlap',
    { ...basement, start_at: '2026-11-01T01:30' },
    {
      startAt: '2026-11-01T01:30:00-04:00',
      timezone: 'America/New_York',
      date: '2026-11-01',
      upcoming: false,
    },
  ),
  event(
    'Last Weekend',
    { ...berghain, start_at: '2026-11-14T23:00', end_at: '2026-11-16T09:00', lineup: [klock] },
    { startAt: '2026-11-14T23:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-14', upcoming: false },
  ),
  // Began 41 hours ago, and ends in 5.
  event(
    'Marathon',
    {
      ...berghain,
      start_at: '2026-11-18T20:00',
      end_at: '2026-11-20T18:00',
      lineup: [klock],
      genres: ['House'],
    },
    { startAt: '2026-11-18T20:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-18', upcoming: true },
  ),
  // That date ended at 10:00 UTC in Honolulu, two hours ago.
  event(
    'Honolulu Yesterday',
    { ...hawaiian, start_at: '2026-11-19' },
    { startAt: '2026-11-19T00:00:00Z', timezone: null, date: '2026-11-19', upcoming: false },
  ),
  event(
    'Long Now Opening',
    { ...tresor, start_at: '2026-11-19T20:00', festival: { festival: longNow, edition: '2026' } },
    { startAt: '2026-11-19T20:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-19', upcoming: false },
  ),
  // Its end is not known, so it was over 12 hours after 23:30 UTC.
  event(
    'Just Over',
    { ...tresor, start_at: '2026-11-20T00:30' },
    { startAt: '2026-11-20T00:30:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-20', upcoming: false },
  ),
  // That date ended at 10:00 UTC on Kiritimati, and has 22 hours to go in Honolulu. Both count as midnight UTC.
  event(
    'Kiritimati Today',
    { ...lineIslands, start_at: '2026-11-20' },
    { startAt: '2026-11-20T00:00:00Z', timezone: null, date: '2026-11-20', upcoming: false },
  ),
  event(
    'Honolulu Today',
    { ...hawaiian, start_at: '2026-11-20' },
    { startAt: '2026-11-20T00:00:00Z', timezone: null, date: '2026-11-20', upcoming: true },
  ),
  // Over 12 hours after 00:30 UTC, in half an hour.
  event(
    'Not Yet Over',
    { ...tresor, start_at: '2026-11-20T01:30' },
    { startAt: '2026-11-20T01:30:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-20', upcoming: true },
  ),
  // A date alone, and a clock with no zone to read it in: midnight UTC of the 21st both.
  event(
    'Date Alone',
    { ...berghain, start_at: '2026-11-21' },
    { startAt: '2026-11-21T00:00:00Z', timezone: null, date: '2026-11-21', upcoming: true },
  ),
  event(
    'Clock Without Zone',
    { country: 'PL', start_at: '2026-11-21T20:00' },
    { startAt: '2026-11-21T20:00:00Z', timezone: null, date: '2026-11-21', upcoming: true },
  ),
  // 11:00 UTC on the 21st.
  event(
    'Line Islands Sunrise',
    { ...lineIslands, start_at: '2026-11-22T01:00' },
    {
      startAt: '2026-11-22T01:00:00+14:00',
      timezone: 'Pacific/Kiritimati',
      date: '2026-11-22',
      upcoming: true,
    },
  ),
  // 18:45 UTC on the 21st.
  event(
    'Kathmandu Dawn',
    {
      ...at('v-purple-haze', 'Purple Haze', 'Kathmandu', 'NP'),
      start_at: '2026-11-22T00:30',
      genres: ['Dub Techno'],
      lineup: [{ name: 'Straßenkind' }, { name: 'Surgeon' }, { name: '電気グルーヴ' }],
    },
    { startAt: '2026-11-22T00:30:00+05:45', timezone: 'Asia/Kathmandu', date: '2026-11-22', upcoming: true },
  ),
  // 22:59 UTC on the 21st.
  event(
    'Klubnacht',
    {
      ...berghain,
      start_at: '2026-11-21T23:59',
      end_at: '2026-11-23T10:00',
      status: 'scheduled',
      description: 'Two floors.',
      image_url: 'https://berghain.test/night.jpg',
      minimum_age: 18,
      url: 'https://berghain.test/night',
      genres: ['Techno'],
      lineup: [
        { ...klock, billing: 'headline', stage: 'Berghain', set_start_at: '2026-11-22T08:00' },
        { name: 'Éclair Fifi', billing: 'support', stage: 'Panorama Bar' },
        { name: 'ＷＩＤＥ' },
      ],
      tickets: [
        { seller: 'Resident', url: 'https://tickets.test/2', availability: 'available' },
        {
          seller: 'Box Office',
          url: 'https://tickets.test/9',
          price_min: 25,
          price_max: 30.5,
          currency: 'EUR',
        },
        { seller: 'Resident', url: 'https://tickets.test/1', availability: 'limited' },
      ],
    },
    { startAt: '2026-11-21T23:59:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-21', upcoming: true },
  ),
  // 23:00 UTC on the 21st, to the second.
  event(
    'Midnight Start',
    { ...tresor, start_at: '2026-11-22T00:00', timezone: 'Europe/Berlin', lineup: [{ name: 'Éclair Fifi' }] },
    { startAt: '2026-11-22T00:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-11-22', upcoming: true },
  ),
  // 04:30 UTC on the 22nd.
  event(
    'Brooklyn Late',
    { ...basement, start_at: '2026-11-21T23:30', lineup: [{ name: 'Zed Bias' }] },
    {
      startAt: '2026-11-21T23:30:00-05:00',
      timezone: 'America/New_York',
      date: '2026-11-21',
      upcoming: true,
    },
  ),
  // 08:00 UTC on the 22nd.
  event(
    'Honolulu Night',
    { ...hawaiian, start_at: '2026-11-21T22:00' },
    {
      startAt: '2026-11-21T22:00:00-10:00',
      timezone: 'Pacific/Honolulu',
      date: '2026-11-21',
      upcoming: true,
    },
  ),
  event(
    'Called Off',
    { ...tresor, start_at: '2026-12-05T22:00', status: 'cancelled', lineup: [klock], genres: ['Techno'] },
    { startAt: '2026-12-05T22:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-12-05', upcoming: true },
  ),
  // An instant, shown in the zone of its city; there is no venue on record.
  event(
    'Secret Rave',
    { city: 'Berlin', country: 'DE', start_at: '2026-12-31T22:00:00Z', genres: ['House'] },
    { startAt: '2026-12-31T23:00:00+01:00', timezone: 'Europe/Berlin', date: '2026-12-31', upcoming: true },
  ),
  // 02:15 was skipped: the clock moves on by the hour.
  event(
    'New York Gap',
    { ...basement, start_at: '2027-03-14T02:15' },
    {
      startAt: '2027-03-14T03:15:00-04:00',
      timezone: 'America/New_York',
      date: '2027-03-14',
      upcoming: true,
    },
  ),
  event(
    'Berlin Gap',
    { ...tresor, start_at: '2027-03-28T02:30' },
    { startAt: '2027-03-28T03:30:00+02:00', timezone: 'Europe/Berlin', date: '2027-03-28', upcoming: true },
  ),
  // Greenland skips the last hour before midnight: moving on changes the date. The same instant as in Berlin.
  event(
    'Nuuk Gap',
    { city: 'Nuuk', country: 'GL', start_at: '2027-03-27T23:30' },
    { startAt: '2027-03-28T00:30:00-01:00', timezone: 'America/Nuuk', date: '2027-03-28', upcoming: true },
  ),
];

/** How many nights fabric has: more than the largest page. */
export const seriesLength = 110;
const series: Line[] = Array.from({ length: seriesLength }, (_, index) => {
  const day = new Date(Date.UTC(2028, 0, 1 + index)).toISOString().slice(0, 10);
  return line('event', `x-series-${index + 1}`, {
    name: `Series Night ${index + 1}`,
    start_at: `${day}T20:00`,
    ...at('v-fabric', 'fabric', 'London', 'GB'),
  });
});
/** The names of all events, as /events lists them. */
export const eventNames = [
  ...eventCases.map(({ line: { name } }) => name as string),
  ...series.map(({ name }) => name as string),
];

// ------------------------------------------------------------------------------------------- podcasts

const podcast = (id: string, name: string, more = {}): Line => line('podcast', id, { name, ...more });
const podcasts: Line[] = [
  podcast('p-ra', 'RA Podcast', { publisher: 'Resident Advisor', website: 'https://ra.test/' }),
  podcast('p-mix', 'Mix of the Week'),
  podcast('p-angstrom', 'Ångström Radio'),
];
export const podcastNames = ['Ångström Radio', 'Mix of the Week', 'RA Podcast'];

const ra = { external_id: 'p-ra', name: 'RA Podcast' };
const episodes: Line[] = [
  line('episode', 'ep-3', { podcast: ra, name: 'RA.003' }),
  line('episode', 'ep-1', { podcast: ra, name: 'RA.001', number: 1, published_at: '2024-01-01T00:00:00Z' }),
  line('episode', 'ep-2', {
    podcast: { name: 'RA Podcast' },
    name: 'RA.002',
    number: 2,
    published_at: '2025-06-01T10:00:00+02:00',
    duration_seconds: 3_600,
    audio_url: 'https://ra.test/2.mp3',
    artists: [{ name: 'Ben Klock' }],
    tracklist: [
      { artist_name: 'Ben Klock', title: 'Subzero', label_name: 'Ostgut Ton', start_seconds: 0 },
      { artist_name: 'ID', title: 'ID' },
      { artist_name: 'Nobody On Record', title: 'Thing', start_seconds: 600.5 },
    ],
  }),
  line('episode', 'ep-4', { podcast: ra, name: 'RA.004', published_at: null }),
];

/** The whole feed; within it references reach forward and backward. */
export const feed: readonly Line[] = [
  ...genres,
  ...cities,
  ...venues,
  ...artists,
  ...labels,
  ...festivals,
  ...editions,
  ...eventCases.map((one) => one.line),
  ...series,
  ...podcasts,
  ...episodes,
];

const stated = (id: string, changed: Record<string, unknown>): Line => ({
  ...(feed.find((one) => one.external_id === id) as Line),
  ...changed,
});
/** The same source says later: records move from the front of their lists to the end, and the other way. */
export const moves: readonly Line[] = [
  stated('a-chk', { name: 'zzz (!!!)' }),
  stated('a-denki', { name: 'A Denki' }),
  stated('a-klock', { name: 'Zen Klock' }),
  stated('a-wide', { name: 'A Wide' }),
  artist('a-new', 'New Here', 'FR'),
  stated('x-Long Ago', { start_at: '2027-06-01T22:00' }),
  stated('x-Berlin Gap', { start_at: '2011-01-01T22:00' }),
  stated('x-Called Off', { start_at: '2010-12-05T22:00' }),
  stated('e-dk-2027', { start_at: '2023-07-28' }),
  stated('ep-2', { published_at: '2020-06-01T10:00:00+02:00' }),
  stated('ep-3', { published_at: '2026-01-01T00:00:00Z' }),
];

/** What /stats must count, but for what the clock decides. */
export const totals = {
  artists: artistNames.length,
  events: eventNames.length,
  upcoming_events: eventCases.filter(({ upcoming }) => upcoming).length + seriesLength,
  festivals: festivals.length,
  editions: editions.length,
  venues: venues.length,
  cities: cities.length,
  labels: labels.length,
  genres: genres.length,
  podcasts: podcasts.length,
  episodes: episodes.length,
  tracks: 3,
};
