/** Cities of one name in one country are told apart by what a line says of where it is, in whatever order lines come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { ask, freshFile, permutations, says } from '../support/matching.ts';

const maine = {
  kind: 'city',
  external_id: 'east',
  name: 'Portland',
  country: 'US',
  region: 'Maine',
  latitude: 43.66,
  longitude: -70.25,
  timezone: 'America/New_York',
};
const oregon = {
  ...maine,
  external_id: 'west',
  region: 'Oregon',
  latitude: 45.5,
  longitude: -122.6,
  timezone: 'America/Los_Angeles',
};
const house = (name: string, more: object = {}) => ({
  kind: 'venue',
  external_id: `v ${name}`,
  name,
  city: 'Portland',
  country: 'US',
  ...more,
});
const show = (name: string, venue: object, more: object = {}) => ({
  kind: 'event',
  external_id: `e ${name}`,
  name,
  start_at: '2026-12-12T21:00',
  venue: { city: 'Portland', country: 'US', ...venue },
  ...more,
});
const west = 'America/Los_Angeles';

/** Each show as its house, its city's region and its start; and each house with its city's region. */
function places(sqlite: Database.Database): string[] {
  const slugs = (operation: 'listEvents' | 'listVenues') =>
    ask(sqlite, operation).map(({ slug }: { slug: string }) => slug) as string[];
  const regionOf = (slug: string) => ask(sqlite, 'getCity', { slug }).region as string | null;
  const shows = slugs('listEvents').map((slug) => {
    const { name, city, venue, start_at } = ask(sqlite, 'getEvent', { slug });
    return `${name}: ${venue.name}, ${city === null ? null : regionOf(city.slug)}, ${start_at}`;
  });
  const houses = slugs('listVenues').map((slug) => {
    const { name, city_slug, timezone } = ask(sqlite, 'getVenue', { slug });
    return `${name}, ${regionOf(city_slug)}, ${timezone}`;
  });
  return [...shows, ...houses].sort();
}

/** Imports the lines in every order, all at once and each by itself, and expects the same places of all of them. */
async function inEveryOrder(
  t: { after(fn: () => void): void },
  lines: object[],
  expected: string[],
): Promise<void> {
  const all = permutations(lines);
  for (const [at, order] of all.entries()) {
    // Of many orders some: each is a catalogue of its own.
    if (all.length > 24 && at % 13 !== 0) continue;
    const sqlite = freshFile(t);
    if (at % 2 === 0) await says(sqlite, 'all', order);
    else for (const one of order) await says(sqlite, 'all', [one]);
    const ids = order.map((line) => (line as { external_id: string }).external_id).join(', ');
    assert.deepEqual(places(sqlite), [...expected].sort(), ids);
  }
}

test('coordinates put a house into the nearest of two cities of one name, with its clocks', async (t) => {
  const lines = [
    maine,
    oregon,
    house('Holocene', { latitude: 45.52, longitude: -122.66 }),
    show('Night', { external_id: 'v Holocene', name: 'Holocene' }),
  ];
  await inEveryOrder(t, lines, [
    'Night: Holocene, Oregon, 2026-12-12T21:00:00-08:00',
    `Holocene, Oregon, ${west}`,
  ]);
});

test('so does its time zone, and so does the region in its address', async (t) => {
  const lines = [
    maine,
    oregon,
    house('Holocene', { timezone: west }),
    house('Doug Fir', { address: '830 E Burnside St, Portland, OR 97214' }),
    house('Space', { address: '538 Congress St, Portland, Maine' }),
  ];
  await inEveryOrder(t, lines, [
    `Holocene, Oregon, ${west}`,
    `Doug Fir, Oregon, ${west}`,
    'Space, Maine, America/New_York',
  ]);
});

test('without further evidence it is the larger one', async (t) => {
  const lines = [{ ...maine, population: 68_000 }, { ...oregon, population: 652_000 }, house('Lounge')];
  await inEveryOrder(t, lines, [`Lounge, Oregon, ${west}`]);
});

test('the zone of a show puts a house there that is known by its name alone', async (t) => {
  const lines = [
    { ...maine, population: 968_000 },
    oregon,
    show('First', { name: 'Holocene' }),
    show('Second', { name: 'Holocene' }, { start_at: '2026-12-13T21:00', timezone: west }),
  ];
  await inEveryOrder(t, lines, [
    'First: Holocene, Oregon, 2026-12-12T21:00:00-08:00',
    'Second: Holocene, Oregon, 2026-12-13T21:00:00-08:00',
    `Holocene, Oregon, ${west}`,
  ]);
});

test('two shows in houses of one name and two zones are in two cities', async (t) => {
  const lines = [
    maine,
    oregon,
    show('East', { name: 'State Theatre' }, { timezone: 'America/New_York' }),
    show('West', { name: 'State Theatre' }, { start_at: '2026-12-13T21:00', timezone: west }),
  ];
  await inEveryOrder(t, lines, [
    'East: State Theatre, Maine, 2026-12-12T21:00:00-05:00',
    'West: State Theatre, Oregon, 2026-12-13T21:00:00-08:00',
    'State Theatre, Maine, America/New_York',
    `State Theatre, Oregon, ${west}`,
  ]);
});

test('a house of one id that its shows put into two cities stands in the larger one', async (t) => {
  const at = { external_id: 'v9', name: 'State Theatre' };
  const lines = [
    maine,
    { ...oregon, population: 652_000 },
    show('East', at, { timezone: 'America/New_York' }),
    show('West', at, { start_at: '2026-12-13T21:00', timezone: west }),
  ];
  await inEveryOrder(t, lines, [
    'East: State Theatre, Oregon, 2026-12-12T21:00:00-05:00',
    'West: State Theatre, Oregon, 2026-12-13T21:00:00-08:00',
    `State Theatre, Oregon, ${west}`,
  ]);
});

test('a show without a venue is in the city of its zone; a known venue without a stated city keeps its own', async (t) => {
  const lines = [
    { ...maine, population: 968_000 },
    oregon,
    house('Holocene', { latitude: 45.52, longitude: -122.66 }),
    show('In it', { name: 'Holocene' }),
    { ...show('Outside', {}), venue: null, city: 'Portland', country: 'US', timezone: west },
  ];
  await inEveryOrder(t, lines, [
    'In it: Holocene, Oregon, 2026-12-12T21:00:00-08:00',
    'Outside: null, Oregon, 2026-12-12T21:00:00-08:00',
    `Holocene, Oregon, ${west}`,
  ]);
});

test("another source's city of one name is the one that lies where it says", async (t) => {
  for (const [first, second] of [
    [maine, oregon],
    [oregon, maine],
  ] as const) {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [first]);
    await says(sqlite, 'two', [second]);
    await says(sqlite, 'three', [{ ...first, latitude: 43.7 + (first === oregon ? 1.8 : 0) }]);
    const regions = ask(sqlite, 'listCities').map(({ region }: { region: string }) => region);
    assert.deepEqual(regions.sort(), ['Maine', 'Oregon']);
  }
});
