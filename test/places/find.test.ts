/** Places of the world, looked up in the real list of GeoNames. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlaceIndex, type PlaceHints, placeIndex, worldPlaces } from '../../src/places/places.ts';
import { suggestPlaces } from '../../src/places/suggest-places.ts';

/** The place of a name as "Munich, Bavaria, DE, Europe/Berlin". */
function find(name: string, country: string | null = null, hints: PlaceHints = {}): string | null {
  const { place } = worldPlaces.find(name, country, hints) ?? {};
  return place ? `${place.name}, ${place.region}, ${place.country}, ${place.timezone}` : null;
}

test('a place is one in every spelling and language', () => {
  const munich = 'Munich, Bavaria, DE, Europe/Berlin';
  for (const name of [
    'München',
    'Munich',
    'Muenchen',
    'MUNCHEN',
    'Monaco di Baviera',
    'Мюнхен',
    'ミュンヘン',
  ])
    assert.equal(find(name, 'DE'), munich, name);
  const tokyo = 'Tokyo, Tokyo, JP, Asia/Tokyo';
  for (const name of ['東京', 'Tokio', 'Tokyo, Japan']) assert.equal(find(name, 'JP'), tokyo, name);
  for (const [name, country, expected] of [
    ['Wien', 'AT', 'Vienna, Vienna, AT, Europe/Vienna'],
    ['Den Haag', 'NL', 'The Hague, South Holland, NL, Europe/Amsterdam'],
    ['Lodz', 'PL', 'Łódź, Łódź Voivodeship, PL, Europe/Warsaw'],
    ['Fuerth', 'DE', 'Fürth, Bavaria, DE, Europe/Berlin'],
    ['St. Gallen', 'CH', 'Sankt Gallen, Saint Gallen, CH, Europe/Zurich'],
    ['Kiev', 'UA', 'Kyiv, Kyiv City, UA, Europe/Kyiv'],
    ['Eivissa', 'ES', 'Ibiza, Balearic Islands, ES, Europe/Madrid'],
  ] as const)
    assert.equal(find(name, country), expected, name);
});

test('namesakes are distinguished by country, region, position, zone, and then by size', () => {
  const cases: [string, string | null, PlaceHints, string | null][] = [
    ['Paris', null, {}, 'Paris, Île-de-France, FR, Europe/Paris'],
    ['Paris', 'US', {}, 'Paris, Texas, US, America/Chicago'],
    ['Paris, TN', 'US', {}, 'Paris, Tennessee, US, America/Chicago'],
    ['Frankfurt', 'DE', {}, 'Frankfurt am Main, Hesse, DE, Europe/Berlin'],
    ['Frankfurt/Main', 'DE', {}, 'Frankfurt am Main, Hesse, DE, Europe/Berlin'],
    ['Frankfurt a.M.', 'DE', {}, 'Frankfurt am Main, Hesse, DE, Europe/Berlin'],
    ['Frankfurt (Oder)', 'DE', {}, 'Frankfurt (Oder), Brandenburg, DE, Europe/Berlin'],
    [
      'Frankfurt',
      'DE',
      { latitude: 52.34, longitude: 14.55 },
      'Frankfurt (Oder), Brandenburg, DE, Europe/Berlin',
    ],
    ['Halle', 'DE', {}, 'Halle (Saale), Saxony-Anhalt, DE, Europe/Berlin'],
    ['Cambridge', 'GB', {}, 'Cambridge, England, GB, Europe/London'],
    ['Cambridge', 'US', {}, 'Cambridge, Massachusetts, US, America/New_York'],
    ['Cambridge', null, { timezone: 'Europe/London' }, 'Cambridge, England, GB, Europe/London'],
    ['Birmingham', null, {}, 'Birmingham, England, GB, Europe/London'],
    ['Birmingham', 'US', {}, 'Birmingham, Alabama, US, America/Chicago'],
    ['Portland', 'US', {}, 'Portland, Oregon, US, America/Los_Angeles'],
    ['Portland', 'US', { timezone: 'America/New_York' }, 'Portland, Maine, US, America/New_York'],
    ['Portland', 'US', { address: '5 Ash St, Portland, ME 04101' }, 'Portland, Maine, US, America/New_York'],
    ['London', null, { timezone: 'America/Toronto' }, 'London, Ontario, CA, America/Toronto'],
    // Neither is five times the other.
    ['Cambridge', null, {}, null],
    // All of this name are far away.
    ['London', 'GB', { latitude: 10, longitude: 10 }, null],
    ['Paris, TX', 'FR', {}, null],
  ];
  for (const [name, country, hints, expected] of cases)
    assert.equal(find(name, country, hints), expected, `${name} ${country} ${JSON.stringify(hints)}`);
});

test('texts that name no place have none', () => {
  for (const text of [
    '',
    ' ',
    ',',
    '🎉',
    '!!!',
    '\u0000',
    'x'.repeat(10_000),
    `${'a,'.repeat(5_000)}`,
    '\ud800',
    'TBA',
  ])
    for (const country of ['DE', null, 'XX'] as const) {
      assert.equal(find(text, country), null);
      assert.deepEqual(
        suggestPlaces(placeIndex(), text, 5),
        text === 'TBA' ? suggestPlaces(placeIndex(), 'tba', 5) : [],
      );
    }
  assert.equal(find('Berlin', 'XX'), null);
});

test('a position has the zone of the nearest place', () => {
  assert.equal(worldPlaces.zoneAt(38.98, 1.3), 'Europe/Madrid');
  assert.equal(worldPlaces.zoneAt(-8.64, 115.13), 'Asia/Makassar');
  assert.equal(worldPlaces.zoneAt(0, -140), null);
});

test('places are suggested by the beginning of their names, the largest first', async () => {
  const index = await loadPlaceIndex();
  const names = (prefix: string, limit = 3) =>
    suggestPlaces(index, prefix, limit).map(({ name, country }) => `${name} ${country}`);
  assert.deepEqual(names('berl', 1), ['Berlin DE']);
  assert.equal(names('münch')[0], 'Munich DE');
  assert.equal(names('Köln', 1)[0], 'Köln DE');
  assert.deepEqual(names('paris, te'), ['Paris US', 'Paris US']);
  assert.equal(names('frankfurt, germany')[0], 'Frankfurt am Main DE');
  assert.equal(names('東京', 1)[0], 'Tokyo JP');
  assert.equal(names('a', 500).length, 50);
  assert.deepEqual(names('berlin', 0), []);
  assert.deepEqual(names('berlin', Number.NaN), []);
});

test('every place has a zone that the program knows, and lies on the earth', () => {
  const index = placeIndex();
  assert.ok(index.size > 100_000);
  const zones = new Set<string>();
  for (let rank = 0; rank < index.size; rank += 7) {
    const { name, timezone, latitude, longitude, country } = index.at(rank);
    zones.add(timezone);
    assert.ok(name !== '' && /^[A-Z]{2}$/.test(country), name);
    assert.ok(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180, name);
  }
  for (const timeZone of zones) new Intl.DateTimeFormat('en', { timeZone });
});
