/** Filters by venue and place while records wait to be computed again: events with a former place are still found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circleArea } from '../../src/store/areas.ts';
import { EventPlaces } from '../../src/store/lists/event-places.ts';
import { EventLists } from '../../src/store/lists/events.ts';
import { freshFile, says } from '../support/matching.ts';

const city = (name: string, latitude: number, longitude: number) => ({
  kind: 'city',
  external_id: name,
  name,
  country: 'DE',
  latitude,
  longitude,
});
const venue = (name: string, of: string) => ({
  kind: 'venue',
  external_id: name,
  name,
  city: of,
  country: 'DE',
});
const event = (id: string, at: string) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: '2027-03-01T22:00',
  venue: { name: at, external_id: at },
});

test('only events of the venue that wait are read, and only while they wait', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    city('Hamburg', 53.55, 9.99),
    city('Berlin', 52.52, 13.4),
    venue('Salon', 'Berlin'),
    venue('Hafen', 'Hamburg'),
    event('a', 'Salon'),
    event('b', 'Salon'),
    event('c', 'Hafen'),
  ]);
  const idOf = (kind: string, name: string): number =>
    sqlite.prepare(`SELECT id FROM ${kind} WHERE name = ?`).pluck().get(name) as number;
  const [salon, a, c] = [idOf('venues', 'Salon'), idOf('events', 'Night a'), idOf('events', 'Night c')];
  const places = new EventPlaces(sqlite);
  const inHamburg = { venue: salon, area: circleArea({ latitude: 53.55, longitude: 9.99 }, 25) };
  assert.equal(places.narrow(inHamburg), null);
  // The row of one event has a former place: its venue was in Hamburg.
  sqlite.prepare('UPDATE event_places SET latitude = 53.55, longitude = 9.99 WHERE event_id = ?').run(a);
  const wait = sqlite.prepare('INSERT INTO stale_records (record_id) VALUES (?)');
  wait.run(c);
  assert.equal(places.narrow(inHamburg), null);
  wait.run(a);
  assert.deepEqual(places.narrow(inHamburg), { ...inHamburg, ids: [a] });
  const found = new EventLists(sqlite).source(inHamburg).fetch(null, 10, null);
  assert.deepEqual(
    found.map((entry) => entry.at(-1)),
    [a],
  );
  sqlite.prepare('DELETE FROM stale_records').run();
  assert.equal(places.narrow(inHamburg), null);
});
