/** The catalogue of `bench/agents`: invented records of six countries, imported as a feed. */

/** Noon UTC of Friday, 20 November 2026: when all questions are asked. */
export const askedAt = Date.parse('2026-11-20T12:00:00Z');

type FeedLine = { kind: string; external_id: string } & Record<string, unknown>;
let lines = 0;
const line = (kind: string, name: string, more: object = {}): FeedLine => ({
  kind,
  external_id: `a${++lines}`,
  name,
  ...more,
});
const acts = (...names: string[]) => names.map((name) => ({ name }));

const city = (name: string, country: string, timezone: string, latitude: number, longitude: number) =>
  line('city', name, { country, timezone, latitude, longitude });
const places = [
  city('Berlin', 'DE', 'Europe/Berlin', 52.52, 13.4),
  city('Potsdam', 'DE', 'Europe/Berlin', 52.4, 13.06),
  city('Hamburg', 'DE', 'Europe/Berlin', 53.55, 10),
  city('Paris', 'FR', 'Europe/Paris', 48.86, 2.35),
  city('Madrid', 'ES', 'Europe/Madrid', 40.42, -3.7),
  city('Milan', 'IT', 'Europe/Rome', 45.46, 9.19),
  city('Amsterdam', 'NL', 'Europe/Amsterdam', 52.37, 4.9),
  city('London', 'GB', 'Europe/London', 51.5, -0.12),
];

const venue = (name: string, city: string, country: string, address: string, more: object) =>
  line('venue', name, { city, country, address, ...more });
const venues = [
  venue('Kohlenhalle', 'Berlin', 'DE', 'Revaler Straße 12', {
    postal_code: '10245',
    capacity: 900,
    website: 'https://kohlenhalle.example/',
    links: [{ type: 'instagram', url: 'https://instagram.com/kohlenhalle' }],
  }),
  venue('Tiefgang', 'Hamburg', 'DE', 'Große Elbstraße 88', { postal_code: '22767', capacity: 350 }),
  venue("L'Usine Blanche", 'Paris', 'FR', '14 Rue des Fonderies', { postal_code: '75012', capacity: 1200 }),
  venue('Nave Central', 'Madrid', 'ES', 'Calle de la Industria 5', { postal_code: '28005', capacity: 2000 }),
  venue('Fabbrica Nove', 'Milan', 'IT', 'Via Tortona 31', { postal_code: '20144', capacity: 800 }),
  venue('Loods Zes', 'Amsterdam', 'NL', 'Papaverweg 6', { postal_code: '1032 KJ', capacity: 700 }),
  venue('Signal Yard', 'London', 'GB', '5 Dock Lane', { postal_code: 'SE8 4SA', capacity: 500 }),
];

const genre = (name: string, parent?: string) => line('genre', name, parent === undefined ? {} : { parent });
const genres = [
  genre('Techno'),
  genre('Dub Techno', 'Techno'),
  genre('Hard Techno', 'Techno'),
  genre('House'),
  genre('Deep House', 'House'),
  genre('Tech House', 'House'),
  genre('Drum and Bass'),
  genre('Jungle', 'Drum and Bass'),
];

const artists = [
  line('artist', 'Mira Voss', {
    country: 'DE',
    genres: ['Techno'],
    aliases: ['M. Voss'],
    biography: 'Resident of Kohlenhalle.',
    links: [{ type: 'website', url: 'https://miravoss.example/' }],
  }),
  line('artist', 'Tomas Brandt', { country: 'DE', genres: ['Dub Techno'] }),
  line('artist', 'Lena Okafor', { country: 'GB', genres: ['Drum and Bass'] }),
  line('artist', 'Jules Marchetti', { country: 'FR', genres: ['House'] }),
  line('artist', 'Sofia Lindqvist', { country: 'SE', genres: ['Deep House'], biography: 'A DJ from Malmö.' }),
  line('artist', 'Sofia Lindquist'),
  line('artist', 'Rio Salas', { country: 'ES', genres: ['Tech House'] }),
  line('artist', 'Chiara Fonti', { country: 'IT', genres: ['House'] }),
  line('artist', 'Bas de Winter', { country: 'NL', genres: ['Techno'] }),
  line('artist', 'Aspera', { country: 'DE' }),
];

const labels = [
  line('label', 'Kaltraum Records', {
    country: 'DE',
    founded_year: 2009,
    artists: acts('Mira Voss', 'Tomas Brandt'),
  }),
  line('label', 'Gelb Musik', { country: 'DE', artists: acts('Tomas Brandt', 'Sofia Lindqvist') }),
  line('label', 'Porta Rossa', { country: 'IT', artists: acts('Chiara Fonti') }),
];

const set = (name: string, stage: string, set_start_at: string, set_end_at: string) => ({
  name,
  stage,
  set_start_at,
  set_end_at,
});
const edition = (festival: string, edition: string, more: object) =>
  line('edition', `${festival} ${edition}`, { festival: { name: festival }, edition, ...more });
const festivals = [
  line('festival', 'Nordlicht Festival', { city: 'Hamburg', country: 'DE', genres: ['Techno', 'House'] }),
  line('festival', 'Sonda', { city: 'Madrid', country: 'ES', genres: ['House'] }),
  line('festival', 'Lago Aperto', { city: 'Milan', country: 'IT' }),
  line('festival', 'Polderlicht', { city: 'Amsterdam', country: 'NL' }),
  edition('Nordlicht Festival', '2026', {
    start_at: '2026-07-10T14:00',
    end_at: '2026-07-12T23:00',
    timezone: 'Europe/Berlin',
    city: 'Hamburg',
    country: 'DE',
    lineup: [set('Lena Okafor', 'Hafen', '2026-07-11T20:00', '2026-07-11T22:00')],
  }),
  edition('Nordlicht Festival', '2027', {
    start_at: '2027-07-09T14:00',
    end_at: '2027-07-11T23:00',
    timezone: 'Europe/Berlin',
    city: 'Hamburg',
    country: 'DE',
    lineup: [
      set('Mira Voss', 'Hafen', '2027-07-10T22:00', '2027-07-11T00:00'),
      set('Tomas Brandt', 'Hafen', '2027-07-10T20:00', '2027-07-10T22:00'),
      set('Jules Marchetti', 'Speicher', '2027-07-09T21:00', '2027-07-09T23:00'),
    ],
    tickets: [
      {
        seller: 'Tixforyou',
        url: 'https://tixforyou.example/nordlicht',
        price_min: 129,
        price_max: 189,
        currency: 'EUR',
        availability: 'limited',
      },
    ],
  }),
  edition('Sonda', '2026', {
    start_at: '2026-12-12T18:00',
    end_at: '2026-12-13T08:00',
    timezone: 'Europe/Madrid',
    city: 'Madrid',
    country: 'ES',
    lineup: [
      set('Rio Salas', 'Sala Uno', '2026-12-12T23:00', '2026-12-13T01:00'),
      set('Sofia Lindqvist', 'Sala Dos', '2026-12-12T21:00', '2026-12-12T23:00'),
    ],
    tickets: [
      { seller: 'Entradas Hoy', url: 'https://entradashoy.example/sonda', price_min: 55, currency: 'EUR' },
    ],
  }),
  edition('Lago Aperto', '2027', {
    start_at: '2027-06-25',
    end_at: '2027-06-27',
    city: 'Milan',
    country: 'IT',
    lineup: acts('Chiara Fonti', 'Jules Marchetti'),
  }),
  edition('Polderlicht', '2027', {
    start_at: '2027-08-14T12:00',
    end_at: '2027-08-14T23:00',
    timezone: 'Europe/Amsterdam',
    city: 'Amsterdam',
    country: 'NL',
    lineup: acts('Bas de Winter', 'Mira Voss'),
    tickets: [
      {
        seller: 'Kaartenhuis',
        url: 'https://kaartenhuis.example/polderlicht',
        price_min: 45,
        currency: 'EUR',
      },
    ],
  }),
];

/** Places of events by a short name. */
const at = {
  kohle: { name: 'Kohlenhalle', city: 'Berlin', country: 'DE' },
  tief: { name: 'Tiefgang', city: 'Hamburg', country: 'DE' },
  usine: { name: "L'Usine Blanche", city: 'Paris', country: 'FR' },
  nave: { name: 'Nave Central', city: 'Madrid', country: 'ES' },
  nove: { name: 'Fabbrica Nove', city: 'Milan', country: 'IT' },
  loods: { name: 'Loods Zes', city: 'Amsterdam', country: 'NL' },
  yard: { name: 'Signal Yard', city: 'London', country: 'GB' },
};
const event = (name: string, start_at: string, where: keyof typeof at, who: string[], more: object = {}) =>
  line('event', name, { start_at, venue: at[where], lineup: acts(...who), ...more });
const ticket = (
  seller: string,
  price_min: number,
  price_max: number | null,
  currency: string,
  rest: object = {},
) => [
  {
    seller,
    url: `https://${seller.toLowerCase().replace(/\W/g, '')}.example/t`,
    price_min,
    price_max,
    currency,
    ...rest,
  },
];

const events = [
  event('Kohle 17', '2026-03-14T23:00', 'kohle', ['Mira Voss'], { genres: ['Techno'] }),
  event('Kohle 18', '2026-08-08T23:00', 'kohle', ['Mira Voss', 'Tomas Brandt'], { genres: ['Techno'] }),
  event('Kohle 19', '2026-11-07T23:00', 'kohle', ['Mira Voss'], { genres: ['Techno'] }),
  event(
    'Kohle 20',
    '2026-11-20T23:00',
    'kohle',
    ['Tomas Brandt', 'Mira Voss', 'Bas de Winter', 'Lena Okafor', 'Aspera', 'Chiara Fonti', 'Rio Salas'],
    {
      end_at: '2026-11-21T08:00',
      genres: ['Techno'],
      minimum_age: 21,
      image_url: 'https://img.example/kohle20.jpg',
      tickets: ticket('Eintritt24', 18, 25, 'EUR', { availability: 'limited' }),
    },
  ),
  event('PER ASPERA', '2026-12-03T21:00', 'kohle', ['Tomas Brandt'], { genres: ['Dub Techno'] }),
  event('House of Milan', '2026-12-05T22:00', 'kohle', ['Chiara Fonti'], { genres: ['House'] }),
  event('Zwischen den Jahren', '2026-12-28T22:00', 'kohle', ['Tomas Brandt'], {
    tickets: ticket('Eintritt24', 15, null, 'EUR', { availability: 'sold_out' }),
  }),
  event('Heiligabend danach', '2026-12-24T23:30', 'kohle', ['Aspera'], { minimum_age: 18 }),
  event('Elbnacht', '2026-12-04T23:00', 'tief', ['Mira Voss'], {
    end_at: '2026-12-05T06:00',
    minimum_age: 18,
    genres: ['Techno'],
    tickets: ticket('Eintritt24', 12, null, 'EUR'),
  }),
  event('Hafenrauschen', '2026-12-19T23:00', 'tief', ['Lena Okafor'], { genres: ['Jungle'] }),
  event('Nuit Sonore Blanche', '2026-11-28T23:30', 'usine', ['Jules Marchetti', 'Chiara Fonti'], {
    end_at: '2026-11-29T07:00',
    minimum_age: 18,
    genres: ['Deep House'],
    tickets: ticket('Billetterie', 22, 30, 'EUR', { availability: 'available' }),
  }),
  event('Samedi Profond', '2026-12-05T23:00', 'usine', ['Sofia Lindqvist'], { genres: ['Deep House'] }),
  event('Réveillon Blanc', '2026-12-31T22:00', 'usine', ['Jules Marchetti'], {
    tickets: ticket('Billetterie', 60, 60, 'EUR'),
  }),
  event('Octobre Lourd', '2026-10-17T23:00', 'usine', ['Jules Marchetti'], { genres: ['House'] }),
  event('Noche Profunda', '2026-11-21T23:00', 'nave', ['Rio Salas'], {
    end_at: '2026-11-22T06:30',
    minimum_age: 18,
    genres: ['Tech House'],
    tickets: ticket('Entradas Hoy', 20, 28, 'EUR'),
  }),
  event('Puente', '2026-12-05T22:00', 'nave', ['Sofia Lindqvist'], { genres: ['House'] }),
  event('Última Sesión', '2026-10-31T23:00', 'nave', ['Rio Salas']),
  event('Martes Suave', '2026-11-24T20:00', 'nave', ['Chiara Fonti'], { genres: ['House'] }),
  event('Notte Fonda', '2026-11-21T22:30', 'nove', ['Chiara Fonti'], {
    end_at: '2026-11-22T05:00',
    minimum_age: 18,
    genres: ['House'],
    tickets: ticket('Biglietti Ora', 16, 20, 'EUR'),
  }),
  event('Capodanno Nove', '2026-12-31T22:00', 'nove', ['Chiara Fonti', 'Jules Marchetti'], {
    tickets: ticket('Biglietti Ora', 45, 80, 'EUR'),
  }),
  event('Estate Corta', '2026-07-18T22:00', 'nove', ['Rio Salas']),
  event('Donderslag', '2026-11-26T21:00', 'loods', ['Bas de Winter'], {
    end_at: '2026-11-27T03:00',
    minimum_age: 18,
    genres: ['Hard Techno'],
    tickets: ticket('Kaartenhuis', 14, 19, 'EUR'),
  }),
  event('Oud en Nieuw Zes', '2026-12-31T21:00', 'loods', ['Mira Voss', 'Bas de Winter'], {
    end_at: '2027-01-01T08:00',
    tickets: ticket('Kaartenhuis', 49, 49, 'EUR', { availability: 'available' }),
  }),
  event('Lage Landen', '2026-09-12T21:00', 'loods', ['Bas de Winter']),
  event('Dock Pressure', '2026-11-27T22:00', 'yard', ['Lena Okafor'], {
    end_at: '2026-11-28T05:00',
    minimum_age: 18,
    genres: ['Drum and Bass'],
    tickets: ticket('Gigdesk', 10, 15, 'GBP'),
  }),
  event('Last Dock', '2026-06-06T22:00', 'yard', ['Lena Okafor'], { genres: ['Jungle'] }),
];

const episode = (
  name: string,
  number: number,
  published_at: string,
  artist: string,
  tracks: [string, string, string][],
) =>
  line('episode', name, {
    podcast: { name: 'Kaltraum Sessions' },
    number,
    published_at,
    artists: acts(artist),
    tracklist: tracks.map(([artist_name, title, label_name]) => ({ artist_name, title, label_name })),
  });
const mixes = [
  line('podcast', 'Kaltraum Sessions', { publisher: 'Kaltraum Records' }),
  episode('Mira Voss: Winter Mix', 41, '2026-01-15', 'Mira Voss', [
    ['Tomas Brandt', 'Undertow', 'Gelb Musik'],
    ['Bas de Winter', 'Polder', 'Kaltraum Records'],
  ]),
  episode('Mira Voss: Autumn Mix', 47, '2026-10-01', 'Mira Voss', [
    ['Aspera', 'Grey Signal', 'Kaltraum Records'],
    ['Tomas Brandt', 'Low Water', 'Gelb Musik'],
    ['Lena Okafor', 'Tide Table', 'Gelb Musik'],
  ]),
];

/** All records, in an order in which references precede their users. */
export const agentFeed: readonly FeedLine[] = [
  ...places,
  ...genres,
  ...venues,
  ...artists,
  ...labels,
  ...festivals,
  ...events,
  ...mixes,
];
