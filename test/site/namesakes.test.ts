/** Questions for a name that several records have: the page has the next events of each. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

/** A Wednesday. */
const now = '2026-11-25T18:00:00Z';
const folder = temporaryFolder();
let server: Server;

const nameOf: Record<string, string> = {
  kraftwerk: 'Kraftwerk',
  fabric: 'fabric',
  'arena-b': 'Arena',
  'arena-w': 'Arena',
  k: 'Kraftwerk',
  p: 'Plex',
};
const named = (external_id: string) => ({ external_id, name: nameOf[external_id] });
const event = (id: string, name: string, start_at: string, venue: string, acts: readonly string[] = []) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at,
  venue: named(venue),
  lineup: acts.map(named),
});

before(async () => {
  const dataFile = join(folder.path, 'namesakes.db');
  importFeed(dataFile, [
    { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'city', external_id: 'l', name: 'London', country: 'GB', timezone: 'Europe/London' },
    { kind: 'city', external_id: 'w', name: 'Vienna', country: 'AT', timezone: 'Europe/Vienna' },
    { kind: 'venue', external_id: 'kraftwerk', name: 'Kraftwerk', city: 'Berlin', country: 'DE' },
    { kind: 'venue', external_id: 'fabric', name: 'fabric', city: 'London', country: 'GB' },
    { kind: 'venue', external_id: 'arena-b', name: 'Arena', city: 'Berlin', country: 'DE' },
    { kind: 'venue', external_id: 'arena-w', name: 'Arena', city: 'Vienna', country: 'AT' },
    { kind: 'venue', external_id: 'plex', name: 'Plex', city: 'Vienna', country: 'AT' },
    { kind: 'artist', external_id: 'k', name: 'Kraftwerk', country: 'DE' },
    { kind: 'artist', external_id: 'p', name: 'Plex', country: 'GB' },
    event('1', 'Winter Night', '2026-12-12T20:00', 'kraftwerk'),
    event('2', 'Spring Night', '2027-03-12T20:00', 'kraftwerk'),
    event('3', 'Robots', '2026-12-18T20:00', 'fabric', ['k']),
    event('4', 'Computer World', '2027-02-18T20:00', 'fabric', ['k']),
    event('5', 'Plex Live', '2026-12-05T20:00', 'fabric', ['p']),
    event('8', 'Kraftwerk Rave', '2026-12-31T20:00', 'kraftwerk'),
    event('6', 'Berlin Show', '2026-12-06T20:00', 'arena-b'),
    event('7', 'Vienna Show', '2026-12-07T20:00', 'arena-w'),
  ]);
  server = await startServer({ dataFile, now });
});
after(async () => {
  await server.stop();
  folder.remove();
});

/** The headings of a question's page with the events below each, and the records in the catalogue. */
async function ask(q: string, lang = 'en') {
  const path = `/search?${new URLSearchParams({ q, lang })}`;
  const $ = load((await server.get(path, { key: null, headers: { accept: 'text/html' } })).text);
  const text = (selection: ReturnType<typeof $>) => selection.text().replace(/\s+/gu, ' ').trim();
  const events: Record<string, string[]> = {};
  let heading = '';
  for (const element of $('main h2, main .listing a.name')) {
    if (element.name === 'h2') heading = text($(element));
    else events[heading] = [...(events[heading] ?? []), text($(element))];
  }
  const records = $('.hits li')
    .map((_, element) => text($(element)))
    .get();
  return { events, records };
}

test('an artist and a venue of one name: the next events of both, and both records', async () => {
  const both = {
    'Events: Kraftwerk (Venue, Berlin)': ['Winter Night', 'Kraftwerk Rave', 'Spring Night'],
    'Events: Kraftwerk (Artist)': ['Robots', 'Computer World'],
  };
  for (const question of [
    'Kraftwerk',
    'Kraftwerk next',
    'when is Kraftwerk next',
    'Kraftwerk next gigs',
    'wann spielt Kraftwerk',
    '¿cuándo toca Kraftwerk?',
    'quand joue Kraftwerk',
  ]) {
    const { events, records } = await ask(question);
    assert.deepEqual(events, both, question);
    for (const record of ['VenueKraftwerk Berlin, Germany', 'ArtistKraftwerk Germany'])
      assert.ok(records.includes(record), `${question}: ${records}`);
  }
  const german = await ask('Kraftwerk', 'de');
  assert.deepEqual(Object.keys(german.events), [
    'Events: Kraftwerk (Ort, Berlin)',
    'Events: Kraftwerk (Act)',
  ]);
});

test('days and places restrict each meaning', async () => {
  assert.deepEqual((await ask('Kraftwerk in February')).events, {
    'Events: Kraftwerk (Artist)': ['Computer World'],
  });
  assert.deepEqual((await ask('Kraftwerk in March')).events, { Events: ['Spring Night'] });
  assert.deepEqual((await ask('Kraftwerk in London')).events, { Events: ['Robots', 'Computer World'] });
  assert.deepEqual((await ask('Kraftwerk in Berlin')).events, {
    Events: ['Winter Night', 'Kraftwerk Rave', 'Spring Night'],
  });
});

test('beside another venue, the name means the artist; in the name of an event, that event', async () => {
  assert.deepEqual((await ask('Kraftwerk at fabric')).events, { Events: ['Robots', 'Computer World'] });
  assert.deepEqual((await ask('fabric Kraftwerk')).events, { Events: ['Robots', 'Computer World'] });
  for (const question of ['Kraftwerk Rave', 'tickets for Kraftwerk Rave'])
    assert.deepEqual((await ask(question)).events, {
      Events: ['Kraftwerk Rave'],
      'More events like these': ['Winter Night', 'Spring Night'],
    });
});

test('a venue without events leaves the events of its namesake', async () => {
  for (const question of ['Plex', 'Plex next', 'when does Plex play']) {
    const { events, records } = await ask(question);
    assert.deepEqual(events, { 'Events: Plex (Artist)': ['Plex Live'] }, question);
    for (const record of ['VenuePlex Vienna, Austria', 'ArtistPlex United Kingdom'])
      assert.ok(records.includes(record), `${question}: ${records}`);
  }
});

test('venues of one name in two cities', async () => {
  const { events } = await ask('Arena next');
  assert.deepEqual(events, {
    'Events: Arena (Venue, Berlin)': ['Berlin Show'],
    'Events: Arena (Venue, Vienna)': ['Vienna Show'],
  });
  assert.deepEqual((await ask('Arena in Vienna')).events, { Events: ['Vienna Show'] });
});
