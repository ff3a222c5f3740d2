/** `near`, `radius` and `bbox` on /events and /venues, compared with a distance computed for every record. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { refused } from '../../support/expect.ts';
import { importFeed, runJson, type Server, startServer, temporaryFolder } from '../../support/program.ts';
import { ask, walk } from '../../support/rest-client.ts';
import {
  cities,
  distance,
  eventLine,
  feedLines,
  type GeneratedEvent,
  generate,
  type Position,
  placeOf,
  randomNumbers,
} from './generated.ts';

const catalogue = generate(18, { venues: 300, events: 1_500 });
const folder = temporaryFolder();
const dataFile = join(folder.path, 'near.db');
let server: Server;
before(async () => {
  importFeed(dataFile, feedLines(catalogue));
  server = await startServer({ dataFile, now: '2026-11-20T12:00:00Z', window: 1_000_000, quota: 1_000_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

const namesOf = async (path: string, limits: readonly number[] = [100]): Promise<unknown[]> =>
  (await walk(server, path.startsWith('/events') ? 'listEvents' : 'listVenues', path, limits)).map(
    ({ name }) => name,
  );
const startOf = ({ start }: GeneratedEvent) => Date.parse(start);
const eventsIn = (fits: (place: Position, event: GeneratedEvent) => boolean): string[] =>
  catalogue.events
    .filter((event) => fits(placeOf(event), event))
    .toSorted((a, b) => startOf(a) - startOf(b))
    .map(({ name }) => name);
const venuesIn = (fits: (place: Position) => boolean): string[] =>
  catalogue.venues
    .filter(({ position }) => position !== null && fits(position))
    .map(({ name }) => name)
    .sort();

const random = randomNumbers(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const somewhere = (): Position => {
  const { latitude, longitude } = pick(Object.values(cities));
  const shifted = longitude + (random() - 0.5) * 1.5;
  const wrapped = shifted > 180 ? shifted - 360 : shifted < -180 ? shifted + 360 : shifted;
  return {
    latitude: Number((latitude + (random() - 0.5)).toFixed(4)),
    longitude: Number(wrapped.toFixed(4)),
  };
};
const circles = Array.from({ length: 24 }, () => ({
  ...somewhere(),
  radius: pick([0.7, 5, 25, 60, 120, 330, 500]),
}));
/** What may be asked for beside an area, and the events that it keeps. */
const others: [query: string, keeps: (event: GeneratedEvent) => boolean][] = [
  ['', () => true],
  ['&genre=techno', ({ genres }) => genres.includes('Techno')],
  ['&genre=techno,house', ({ genres }) => genres.includes('Techno') || genres.includes('House')],
  ['&country=DE,fj', ({ country }) => country === 'DE' || country === 'FJ'],
  ['&artist=ana', ({ artists }) => artists.includes('Ana')],
  ['&artist=ana,bo', ({ artists }) => artists.includes('Ana') || artists.includes('Bo')],
  ['&city=berlin', ({ city }) => city === 'Berlin'],
  ['&status=cancelled,postponed', ({ status }) => status === 'cancelled' || status === 'postponed'],
  ['&status=scheduled', ({ status }) => status === 'scheduled'],
  ['&has_tickets=true', ({ hasTickets }) => hasTickets],
  ['&from=2026-11-20', ({ start }) => start >= '2026-11-20'],
  ['&from=2026-11-20&to=2027-02-01T00:00:00Z', ({ start }) => start >= '2026-11-20' && start < '2027-02-01'],
  ['&updated_since=2000-01-01T00:00:00Z&has_tickets=true', ({ hasTickets }) => hasTickets],
];

describe('near', () => {
  for (const [index, { latitude, longitude, radius }] of circles.entries()) {
    const [query, keeps] = others[index % others.length] as (typeof others)[number];
    it(`lists what lies within ${radius} km of ${latitude},${longitude}${query}, in order`, async () => {
      const isNear = (place: Position) => distance(place, { latitude, longitude }) <= radius;
      const area = `near=${latitude},${longitude}&radius=${radius}km`;
      const expected = eventsIn((place, event) => isNear(place) && keeps(event));
      assert.deepEqual(await namesOf(`/events?${area}${query}`), expected);
      assert.deepEqual(await namesOf(`/events?${area}${query}`, [7, 1, 100]), expected);
      assert.deepEqual(await namesOf(`/venues?${area}`, [5, 50]), venuesIn(isNear));
    });
  }

  it('finds something at every size, so that the comparisons mean something', () => {
    const sizes = circles.map(
      ({ radius, ...center }) => eventsIn((place) => distance(place, center) <= radius).length,
    );
    assert.ok(sizes.filter((size) => size > 0).length > 10, String(sizes));
    assert.ok(Math.max(...sizes) > 300, String(sizes));
  });

  it('takes 25 km without a radius, and miles', async () => {
    const { latitude, longitude } = cities.Berlin as Position;
    const within = (km: number) => venuesIn((place) => distance(place, { latitude, longitude }) <= km);
    assert.ok(within(25).length > 0 && within(25).length < within(15 * 1.609344 + 40).length);
    assert.deepEqual(await namesOf('/venues?near=52.52,13.405'), within(25));
    assert.deepEqual(await namesOf('/venues?near=52.52,13.405&radius=15'), within(15));
    assert.deepEqual(await namesOf('/venues?near=52.52,13.405&radius=40%20MI'), within(40 * 1.609344));
  });

  it('reaches over the pole and the antimeridian', async () => {
    const pole = { latitude: 89.9, longitude: -170 };
    assert.deepEqual(
      await namesOf('/events?near=89.9,-170&radius=500km'),
      eventsIn((p) => distance(p, pole) <= 500),
    );
    const line = { latitude: -17, longitude: -179.9 };
    const expected = eventsIn((place) => distance(place, line) <= 450);
    assert.ok(expected.length > 50);
    assert.deepEqual(await namesOf('/events?near=-17,-179.9&radius=450km'), expected);
  });
});

describe('bbox', () => {
  const boxes: [west: number, south: number, east: number, north: number][] = [
    [13, 52.3, 13.8, 52.7],
    [4, 50, 14, 53],
    [170, -25, -165, -10],
    [-180, -90, 180, 90],
    [-60, -40, -30, 0],
    [13.405, 52.52, 13.405, 52.52],
    [-180, 70, 180, 90],
  ];
  for (const [index, [west, south, east, north]] of boxes.entries()) {
    it(`lists what lies in ${west},${south},${east},${north}`, async () => {
      const isInside = ({ latitude, longitude }: Position) =>
        latitude >= south &&
        latitude <= north &&
        (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east);
      const area = `bbox=${west},${south},${east},${north}`;
      assert.deepEqual(await namesOf(`/events?${area}`, [100, 3]), eventsIn(isInside));
      assert.deepEqual(await namesOf(`/venues?${area}`, [40]), venuesIn(isInside));
      const [query, keeps] = others[1 + index] as (typeof others)[number];
      const both = eventsIn((place, event) => isInside(place) && keeps(event));
      assert.deepEqual(await namesOf(`/events?${area}${query}`), both);
    });
  }
});

it('shows the position of venues and of the venue of an event', async () => {
  const positions = new Map(catalogue.venues.map(({ name, position }) => [name, position]));
  for (const { name, latitude, longitude } of await walk(server, 'listVenues', '/venues'))
    assert.deepEqual(
      { latitude, longitude },
      positions.get(String(name)) ?? { latitude: null, longitude: null },
    );
  const [event] = await walk(server, 'listEvents', '/events?city=berlin&to=2026-01-31');
  const { name, latitude, longitude } = (event as { venue: unknown }).venue as { name: string } & Position;
  assert.deepEqual({ latitude, longitude }, positions.get(name) ?? { latitude: null, longitude: null });
});

it('refuses what has no meaning, and says what to send', async () => {
  const get = (path: string) => ask(server, path);
  refused('invalid_parameter', await get('/events?radius=5km'), 'radius');
  refused('invalid_parameter', await get('/events?near=1,1&bbox=0,0,2,2'), 'bbox');
  const { error } = (await get('/venues?near=52.52,13.4&radius=600km')).json() as {
    error: { message: string };
  };
  assert.match(error.message, /at most 500km \(310mi\)/);
  const cursor = (await get('/events?near=52.52,13.405&limit=1')).json() as { page: { next_cursor: string } };
  refused('invalid_cursor', await get(`/events?near=52.52,13.4&cursor=${cursor.page.next_cursor}`), 'cursor');
  refused(
    'invalid_cursor',
    await get(`/events?near=52.52,13.405&radius=25km&cursor=${cursor.page.next_cursor}`),
    'cursor',
  );
});

it('a walk shows every event once while events move in time and venues in space', async () => {
  const path = '/events?near=52.52,13.405&radius=60km';
  const isNear = (event: GeneratedEvent) => distance(placeOf(event), cities.Berlin as Position) <= 60;
  const within = catalogue.events.filter(isNear).toSorted((a, b) => startOf(a) - startOf(b));
  const first = (await ask(server, `${path}&limit=10`)).json() as {
    data: { name: string }[];
    page: { next_cursor: string };
  };
  const shown = first.data.map(({ name }) => name);
  const [early, late] = [within.slice(0, 3), within.slice(-3)];
  importFeed(dataFile, [
    ...early.map((event) => eventLine({ ...event, start: '2029-01-01T20:00:00Z' })),
    ...late.map((event) => eventLine({ ...event, start: '2020-01-01T20:00:00Z' })),
  ]);
  let cursor: string | null = first.page.next_cursor;
  while (cursor !== null) {
    const { data, page } = (await ask(server, `${path}&limit=9&cursor=${cursor}`)).json() as {
      data: { name: string }[];
      page: { next_cursor: string | null };
    };
    shown.push(...data.map(({ name }) => name));
    cursor = page.next_cursor;
  }
  assert.deepEqual(shown.toSorted(), within.map(({ name }) => name).toSorted());
});

it('an event follows its venue, and its city if the venue has no position', async () => {
  const atVenue = catalogue.events.find(
    ({ venue }) => venue?.position && venue.city === 'Leipzig',
  ) as GeneratedEvent;
  const inCity = catalogue.events.find(
    ({ venue, city }) => venue === null && city === 'Leipzig',
  ) as GeneratedEvent;
  const far = '/events?near=-45.5,-100.5&radius=50km';
  assert.deepEqual(await namesOf(far), []);
  const venue = atVenue.venue as NonNullable<GeneratedEvent['venue']>;
  const { id, name, city, country } = venue;
  importFeed(dataFile, [
    { kind: 'venue', external_id: id, name, city, country, latitude: -45.6, longitude: -100.4 },
  ]);
  const moved = catalogue.events.filter((event) => event.venue === venue).map((event) => event.name);
  assert.deepEqual((await namesOf(far)).toSorted(), moved.toSorted());
  const leipzig = { kind: 'city', external_id: 'c-Leipzig', name: 'Leipzig', country: 'DE', timezone: 'UTC' };
  importFeed(dataFile, [{ ...leipzig, latitude: -45.4, longitude: -100.6 }]);
  assert.ok((await namesOf(far)).includes(inCity.name));
  assert.deepEqual(runJson<{ ok: boolean }>(['verify', '--data', dataFile]).ok, true);
});
