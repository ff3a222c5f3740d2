/** "Tonight" and "tomorrow" between midnight and 06:00: pages, questions, the terminal and agents read the same night. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

/** Saturday 02:00 in Berlin, Saturday 10:00 in Tokyo, Friday 19:00 in Chicago. */
const now = '2026-11-28T01:00:00Z';
const folder = temporaryFolder();
const dataFile = join(folder.path, 'nights.db');
let server: Server;

const countries: Record<string, string> = { Berlin: 'DE', Tokyo: 'JP', Chicago: 'US' };
const event = (id: string, name: string, city: string, start_at: string, end_at: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at,
  end_at,
  venue: { name: `Club ${city}`, city, country: countries[city] },
});

before(async () => {
  importFeed(dataFile, [
    { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'city', external_id: 't', name: 'Tokyo', country: 'JP', timezone: 'Asia/Tokyo' },
    { kind: 'city', external_id: 'c', name: 'Chicago', country: 'US', timezone: 'America/Chicago' },
    { kind: 'venue', external_id: 'vb', name: 'Club Berlin', city: 'Berlin', country: 'DE' },
    { kind: 'venue', external_id: 'vt', name: 'Club Tokyo', city: 'Tokyo', country: 'JP' },
    { kind: 'venue', external_id: 'vc', name: 'Club Chicago', city: 'Chicago', country: 'US' },
    event('1', 'Berlin Friday', 'Berlin', '2026-11-27T23:00', '2026-11-28T08:00'),
    event('2', 'Berlin Saturday', 'Berlin', '2026-11-28T23:00', '2026-11-29T08:00'),
    event('3', 'Berlin Sunday', 'Berlin', '2026-11-29T22:00', '2026-11-30T04:00'),
    event('4', 'Tokyo Saturday', 'Tokyo', '2026-11-28T22:00', '2026-11-29T05:00'),
    event('5', 'Tokyo Sunday', 'Tokyo', '2026-11-29T22:00', '2026-11-30T05:00'),
    event('6', 'Chicago Friday', 'Chicago', '2026-11-27T23:30', '2026-11-28T04:00'),
    event('7', 'Chicago Saturday', 'Chicago', '2026-11-28T23:30', '2026-11-29T04:00'),
  ]);
  server = await startServer({ dataFile, now, more: ['--home-city', 'tokyo'] });
});
after(async () => {
  await server.stop();
  folder.remove();
});

async function names(path: string, city?: string): Promise<string[]> {
  const headers = { accept: 'text/html', ...(city && { cookie: `cratebase_city=${city}` }) };
  const { status, text } = await server.get(path, { key: null, headers });
  assert.equal(status, 200, text.slice(0, 300));
  const $ = load(text);
  return $('.listing a.name')
    .map((_, link) => $(link).text())
    .get();
}
const asked = (q: string, city?: string) => names(`/search?${new URLSearchParams({ q })}`, city);

test('a question for a city has the days of its page', async () => {
  for (const city of ['Berlin', 'Tokyo', 'Chicago'])
    for (const [words, when] of [
      ['tonight', 'tonight'],
      ['heute Abend', 'tonight'],
      ['tomorrow', 'tomorrow'],
      ['mañana', 'tomorrow'],
      ['this weekend', 'weekend'],
    ] as const) {
      const shown = await names(`/cities/${city.toLowerCase()}?when=${when}`);
      assert.ok(shown.length > 0, `${city} ${when}`);
      assert.deepEqual(await asked(`${words} in ${city}`), shown, `${words} in ${city}`);
    }
});

test('a question without a place has the days of the remembered city, otherwise of the home city', async () => {
  const saturday = ['Tokyo Saturday', 'Berlin Saturday', 'Chicago Saturday'];
  const sunday = ['Tokyo Sunday', 'Berlin Sunday'];
  // Twice, because pages are cached.
  for (let at = 0; at < 2; at++) {
    assert.deepEqual(await asked('tomorrow'), sunday);
    assert.deepEqual(await asked('tomorrow', 'berlin'), saturday);
    assert.deepEqual(await asked('tomorrow', 'tokyo'), sunday);
    // The home page of a visitor whose city is Berlin starts with the same night.
    assert.deepEqual(await asked('tonight', 'berlin'), ['Berlin Friday']);
    assert.equal((await names('/', 'berlin'))[0], 'Berlin Friday');
  }
});

test('the terminal has the days of the home city, and without one tonight of each time zone', () => {
  const app = openApp({ data: dataFile, create: false, readOnly: true, clock: frozenClock(Date.parse(now)) });
  try {
    const found = (words: string) => app.searchHits(words, 10, '').map(({ name }) => name);
    // In Tokyo, the night of Saturday is next.
    assert.deepEqual(found('tonight'), ['Berlin Friday', 'Chicago Friday', 'Tokyo Saturday']);
    assert.deepEqual(found('tomorrow'), ['Tokyo Saturday', 'Berlin Saturday', 'Chicago Saturday']);
    app.identity.configure({ homeCity: 'tokyo' });
    assert.deepEqual(found('tomorrow'), ['Tokyo Sunday', 'Berlin Sunday']);
  } finally {
    app.close();
  }
});

test('agents have the days of the home city, "today" is that of the calendar', async () => {
  const call = async (args: object) => {
    const params = { name: 'search_events', arguments: args };
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    const { result } = JSON.parse(data) as {
      result: { content: { text: string }[]; structuredContent: { events: { name: string }[] } };
    };
    return {
      text: result.content.map(({ text }) => text).join('\n'),
      names: result.structuredContent.events.map(({ name }) => name),
    };
  };
  assert.deepEqual((await call({ from: 'tomorrow' })).names, ['Tokyo Sunday', 'Berlin Sunday']);
  const berlin = await call({ from: 'tomorrow', city: 'Berlin' });
  assert.deepEqual(berlin.names, ['Berlin Saturday']);
  assert.match(
    berlin.text,
    /read as 2026-11-28 \(today is 2026-11-28 in Europe\/Berlin, where the night of 2026-11-27 lasts until 06:00\)/,
  );
  assert.deepEqual((await call({ from: 'today', city: 'Berlin' })).names, ['Berlin Saturday']);
});
