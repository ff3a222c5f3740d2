/** Cities of one name in several states: the state of an address on one line decides. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cityWithOwnState, parsePlace } from '../../src/sources/address/place.ts';
import { runJson, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
after(() => folder.remove());

test('the state stays with a name that is known in another state', () => {
  const cities: [text: string, city: string][] = [
    ['Flask, 117 Spring St, Portland, ME 04101, USA', 'Portland, ME'],
    ['Holocene, 1001 SE Morrison St, Portland, OR 97214', 'Portland, OR'],
    ['Springfield, MA', 'Springfield, MA'],
    ['Good Room, 98 Meserole Ave, Brooklyn, NY 11222', 'Brooklyn'],
    ['Metro, 3730 N Clark St, Chicago, IL 60613', 'Chicago'],
    ['Berghain, Am Wriezener Bahnhof, 10243 Berlin, Germany', 'Berlin'],
  ];
  for (const [text, city] of cities) {
    const place = parsePlace(text);
    assert.ok(place, text);
    assert.equal(cityWithOwnState(place), city, text);
  }
});

test('events of a calendar are in the city of their state, without a time zone that tells', async () => {
  const calendar = join(folder.path, 'a.ics');
  const night = (uid: string, location: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20261208T220000\r\nSUMMARY:Night ${uid}\r\nLOCATION:${location.replaceAll(',', '\\,')}\r\nEND:VEVENT\r\n`;
  const events = [
    night('1', 'Example Hall, 117 Spring St, Portland, ME 04101, USA'),
    night('2', 'Sample Room, 1001 SE Morrison St, Portland, OR 97214, USA'),
    night('3', 'Test Lounge, Springfield, MA'),
    night('4', 'Trial Club, Springfield, MO'),
  ];
  writeFileSync(
    calendar,
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`,
  );
  const dataFile = join(folder.path, 'x.db');
  runJson(['sources', 'add', 'club', '--type', 'ical', '--url', calendar, '--data', dataFile]);
  runJson(['sync', 'club', '--data', dataFile]);
  const server = await startServer({ dataFile, now: '2026-11-20T12:00:00Z' });
  try {
    const { data } = (await server.get('/api/v1/events')).json() as {
      data: { name: string; venue: { city: string }; timezone: string }[];
    };
    const places = data
      .map(({ name, venue, timezone }) => [name, venue.city, timezone])
      .sort(([one = ''], [other = '']) => one.localeCompare(other));
    assert.deepEqual(places, [
      ['Night 1', 'Portland', 'America/New_York'],
      ['Night 2', 'Portland', 'America/Los_Angeles'],
      ['Night 3', 'Springfield', 'America/New_York'],
      ['Night 4', 'Springfield', 'America/Chicago'],
    ]);
  } finally {
    await server.stop();
  }
});
