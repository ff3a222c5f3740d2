/** Records with ambiguous places, for tests of the agent tools. */
let count = 0;
const event = (name: string, start_at: string, more: object) => ({
  kind: 'event',
  external_id: `p${++count}`,
  name,
  start_at,
  ...more,
});
const city = (external_id: string, name: string, country: string, region: string, more: object) => ({
  kind: 'city',
  external_id,
  name,
  country,
  region,
  ...more,
});
const venue = (external_id: string, name: string, city: string, country: string, more: object = {}) => ({
  kind: 'venue',
  external_id,
  name,
  city,
  country,
  ...more,
});

export const places: readonly object[] = [
  city('c-paris-us', 'Paris', 'US', 'Texas', { timezone: 'America/Chicago' }),
  city('c-springfield-il', 'Springfield', 'US', 'Illinois', {
    timezone: 'America/Chicago',
    population: 114_000,
  }),
  city('c-springfield-mo', 'Springfield', 'US', 'Missouri', {
    timezone: 'America/Chicago',
    population: 169_000,
  }),
  venue('v-paradise-fr', 'Paradise', 'Paris', 'FR'),
  venue('v-paradise-us', 'Paradise', 'Paris', 'US'),
  event('Paradise Left Bank', '2026-12-03T22:00', {
    venue: { external_id: 'v-paradise-fr', name: 'Paradise' },
  }),
  event('Paradise Lone Star', '2026-12-04T22:00', {
    venue: { external_id: 'v-paradise-us', name: 'Paradise' },
  }),
  event('Hidden Depths', '2026-12-04T22:00', {
    venue: { name: 'Hidden', city: 'Manchester', country: 'GB' },
    genres: ['Techno'],
  }),
  event('Amnesia Winter', '2026-12-11T23:00', {
    venue: { name: 'Amnesia', city: 'San Rafael', country: 'ES' },
  }),
  event('Beach Sunrise', '2026-12-12T05:00', { city: 'Vagator', country: 'IN', genres: ['Techno'] }),
  event('Anjuna Moon', '2026-12-11T05:00', { city: 'Anjuna', country: 'IN', genres: ['Psytrance'] }),
  event('Caribou Live', '2026-12-09T20:00', {
    venue: { name: 'Colour Hall', city: 'San Francisco', country: 'US' },
    lineup: [{ name: 'Caribou' }],
    genres: ['House'],
  }),
  event('Swim', '2027-01-09T20:00', { city: 'Toronto', country: 'CA', lineup: [{ name: 'Caribou' }] }),
  event('Opus', '2026-12-30T20:00', {
    city: 'London',
    country: 'GB',
    lineup: [{ name: 'Eric Prydz' }],
    genres: ['House'],
  }),
  event('Spring Rolls', '2026-12-05T20:00', { city: 'Springfield', country: 'US' }),
];
