/** Calendars and feeds of events with very long texts: short entries, and an answer of limited size. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import ICAL from 'ical.js';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const words = 'Vůně, μουσική und 音楽 bis zum Morgen 🎛️ – ';
const events = Array.from({ length: 120 }, (_, id) => ({
  kind: 'event',
  external_id: String(id),
  name: `Lange Nacht ${id} ${id === 3 ? words.repeat(8) : ''}`,
  start_at: `2026-12-${String(2 + (id % 28)).padStart(2, '0')}T22:00`,
  venue: { name: id < 100 ? 'Große Halle' : 'Kleine Halle', city: 'Berlin', country: 'DE' },
  description: id < 100 ? words.repeat(1_000) : words.trim(),
  lineup: Array.from({ length: id < 100 ? 1_000 : 3 }, (_unused, at) => ({ name: `Act number ${at}` })),
}));

describe('calendars and feeds of very long events', () => {
  const folder = temporaryFolder();
  let server: Server;
  before(async () => {
    const dataFile = join(folder.path, 'data.db');
    importFeed(dataFile, events);
    server = await startServer({ dataFile, now: '2026-11-28T12:00:00Z' });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });
  const get = async (path: string) => (await server.get(path, { key: null })).text;
  const eventsOf = (text: string) =>
    new ICAL.Component(ICAL.parse(text) as never).getAllSubcomponents('vevent').map((one) => ({
      summary: String(one.getFirstPropertyValue('summary')),
      description: String(one.getFirstPropertyValue('description')),
    }));

  test('end after a megabyte of line-ups, and entries are shortened', async () => {
    const text = await get('/venues/grosse-halle.ics');
    const entries = eventsOf(text);
    assert.ok(entries.length >= 25 && entries.length < 100, String(entries.length));
    assert.ok(text.length < 1_000_000, String(text.length));
    for (const { description } of entries) {
      assert.match(description, /^Act number 0, .*Act number 59 and 940 more\n\nVůně/);
      assert.ok(description.includes(' …\n\nhttp'));
    }
    const long = entries.find(({ summary }) => summary.startsWith('Lange Nacht 3 '));
    assert.equal(long?.summary, events[3]?.name.trim());
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    const feed = await get('/venues/grosse-halle.atom');
    assert.ok(feed.length < 1_000_000 && feed.includes('and 940 more'), String(feed.length));
  });

  test('show usual events whole', async () => {
    const entries = eventsOf(await get('/venues/kleine-halle.ics'));
    assert.equal(entries.length, 20);
    for (const { description } of entries)
      assert.ok(
        description.startsWith(`Act number 0, Act number 1, Act number 2\n\n${words.trim()}\n\nhttp`),
        description,
      );
  });
});
