/** Cities that no record describes: an import knows them as places of the world. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { findEvents } from '../../src/catalogue/find-events.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { ask, freshFile, matchingNow, permutations, says } from '../support/matching.ts';

const at = (name: string, city: string, country: string | null, more: object = {}) => ({
  kind: 'event',
  external_id: name,
  name,
  start_at: '2026-12-05T23:00',
  venue: { name: `Club ${name}`, city, ...(country === null ? {} : { country }) },
  ...more,
});
const seedCities = readFileSync(new URL('../../seed/cities.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const citiesOf = (sqlite: Database.Database): { slug: string; name: string; [field: string]: unknown }[] =>
  ask(sqlite, 'listCities');
const cityOf = (sqlite: Database.Database, event: string) => {
  const slug = ask(sqlite, 'listEvents').find(({ name }: { name: string }) => name === event)?.slug;
  const city = ask(sqlite, 'getEvent', { slug }).city;
  return city === null ? null : ask(sqlite, 'getCity', { slug: city.slug });
};

test('a town that only an event names has region, position, inhabitants and zone, and its times that zone', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'shop', [at('a', 'Manching', 'DE'), at('b', 'Ubud', 'ID')]);
  const { population, venue_count: _venues, updated_at: _at, ...manching } = cityOf(sqlite, 'a');
  assert.ok(population > 10_000 && population < 20_000);
  assert.deepEqual(
    { ...manching, id: null, url: null, upcoming_event_count: null },
    {
      id: null,
      slug: 'manching',
      name: 'Manching',
      country: 'DE',
      region: 'Bavaria',
      latitude: 48.717,
      longitude: 11.494,
      timezone: 'Europe/Berlin',
      url: null,
      upcoming_event_count: null,
    },
  );
  const starts = ask(sqlite, 'listEvents').map(({ start_at }: { start_at: string }) => start_at);
  assert.deepEqual(starts.sort(), ['2026-12-05T23:00:00+01:00', '2026-12-05T23:00:00+08:00']);
});

test('spellings of a city are one city, in any order, with or without a record of it', async (t) => {
  const spellings = ['Muenchen', 'München', 'Munich'];
  for (const order of permutations(spellings)) {
    const sqlite = freshFile(t);
    for (const city of order) await says(sqlite, `shop ${city}`, [at(city, city, 'DE')]);
    const cities = citiesOf(sqlite);
    assert.deepEqual(
      cities.map(({ name }) => name),
      ['Munich'],
      order.join(),
    );
    await says(sqlite, 'seed', [
      { kind: 'city', external_id: 'm', name: 'München', country: 'DE', population: 5 },
    ]);
    assert.equal(citiesOf(sqlite).length, 1);
    const { name, timezone, population, region } = cityOf(sqlite, 'Munich');
    assert.deepEqual(
      { name, timezone, population, region },
      { name: 'München', timezone: 'Europe/Berlin', population: 5, region: 'Bavaria' },
    );
  }
});

test('the starter catalogue has a city for every name of it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'seed', seedCities);
  const before = citiesOf(sqlite).length;
  const known: [string, string, string][] = [
    ['Monaco di Baviera', 'DE', 'Munich'],
    ['Koeln', 'DE', 'Cologne'],
    ['Praga', 'CZ', 'Prague'],
    ['Lisboa', 'PT', 'Lisbon'],
    ['New York City', 'US', 'New York'],
    ['Brooklyn, NY', 'US', 'Brooklyn'],
    ['Frankfurt am Main', 'DE', 'Frankfurt'],
    ['Frankfurt/Main', 'DE', 'Frankfurt'],
  ];
  await says(
    sqlite,
    'shop',
    known.map(([city, country]) => at(city, city, country)),
  );
  for (const [city, , expected] of known) assert.equal(cityOf(sqlite, city)?.name, expected, city);
  assert.ok(citiesOf(sqlite).length - before <= 1, 'only Brooklyn may be new');
});

test('namesakes: Paris in Texas, Portland in Maine, Frankfurt on the Oder', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'seed', seedCities);
  const venue = (name: string, city: string, country: string, latitude: number, longitude: number) => ({
    kind: 'venue',
    external_id: `v ${name}`,
    name: `Club ${name}`,
    city,
    country,
    latitude,
    longitude,
  });
  await says(sqlite, 'shop', [
    at('texas', 'Paris', 'US'),
    at('france', 'Paris', 'FR'),
    at('anywhere', 'Paris', null),
    at('oregon', 'Portland', 'US'),
    at('maine', 'Portland', 'US', { timezone: 'America/New_York' }),
    at('augusta', 'Portland, ME', 'US'),
    venue('oder', 'Frankfurt', 'DE', 52.3412, 14.5501),
    at('oder', 'Frankfurt', 'DE', {
      venue: { external_id: 'v oder', name: 'Club oder', city: 'Frankfurt', country: 'DE' },
    }),
    at('main', 'Frankfurt', 'DE'),
  ]);
  const regions = Object.fromEntries(
    ['texas', 'france', 'anywhere', 'oregon', 'maine', 'augusta', 'oder', 'main'].map((event) => {
      const { country, region, timezone } = cityOf(sqlite, event) ?? {};
      return [event, `${country}, ${region}, ${timezone}`];
    }),
  );
  const seedRegion = (name: string, country: string) =>
    seedCities.find((city) => city.name === name && city.country === country)?.region ?? null;
  assert.deepEqual(regions, {
    texas: 'US, Texas, America/Chicago',
    france: `FR, ${seedRegion('Paris', 'FR')}, Europe/Paris`,
    anywhere: `FR, ${seedRegion('Paris', 'FR')}, Europe/Paris`,
    oregon: `US, ${seedRegion('Portland', 'US')}, America/Los_Angeles`,
    maine: 'US, Maine, America/New_York',
    augusta: 'US, Maine, America/New_York',
    oder: 'DE, Brandenburg, Europe/Berlin',
    main: `DE, ${seedRegion('Frankfurt', 'DE')}, Europe/Berlin`,
  });
});

test('a name that is no place stays a city known by name only', async (t) => {
  const sqlite = freshFile(t);
  const long = 'q'.repeat(200);
  await says(sqlite, 'shop', [
    at('a', 'Nowhereville', 'DE'),
    at('b', '🎉', 'DE'),
    at('c', long, 'DE'),
    at('d', 'Nowhereville', null),
  ]);
  assert.deepEqual(
    citiesOf(sqlite)
      .map(({ name, timezone }) => [name, timezone])
      .sort(),
    [
      ['Nowhereville', null],
      [long, null],
      ['🎉', null],
    ].sort(),
  );
});

test('a second run of the same feed changes nothing', async (t) => {
  const sqlite = freshFile(t);
  const lines = [
    at('a', 'Manching', 'DE'),
    at('b', 'Muenchen', 'DE'),
    at('c', 'Munich', 'DE'),
    at('d', 'Portland, ME', 'US'),
  ];
  await says(sqlite, 'shop', lines);
  const before = JSON.stringify(citiesOf(sqlite));
  const report = await says(sqlite, 'shop', lines);
  assert.equal(report.kinds.event?.unchanged, 4);
  assert.equal(JSON.stringify(citiesOf(sqlite)), before);
});

test('an island contains its towns, in questions and as a city', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'shop', [
    at('town', 'Ibiza', 'ES'),
    at('west', 'San Antonio', 'ES'),
    at('south', 'Sant Josep de sa Talaia', 'ES'),
    at('east', 'Santa Eulària des Riu', 'ES'),
    at('palma', 'Palma', 'ES'),
    at('port', 'Alcúdia', 'ES'),
    at('mainland', 'Barcelona', 'ES'),
  ]);
  const catalogue = {
    reader: openCatalogueReader(sqlite),
    search: { search: () => [], findByName: () => [] } as never,
  };
  const events = (query: object) =>
    findEvents({ includePast: false, limit: 20, countTo: 20, now: matchingNow, ...query }, catalogue)
      .items.map((json) => JSON.parse(json).name)
      .sort();
  const ibiza = ['east', 'south', 'town', 'west'];
  assert.deepEqual(events({ city: 'Ibiza' }), ibiza);
  assert.deepEqual(events({ query: 'events in Ibiza' }), ibiza);
  assert.deepEqual(events({ city: 'Mallorca' }), ['palma', 'port']);
  assert.deepEqual(events({ city: 'Majorca' }), ['palma', 'port']);
  assert.deepEqual(events({ query: 'was läuft auf Mallorca' }), ['palma', 'port']);
  assert.deepEqual(events({ city: 'Balearen' }), ['east', 'palma', 'port', 'south', 'town', 'west']);
  assert.deepEqual(events({ city: 'Sant Antoni de Portmany' }), ['west']);
});
