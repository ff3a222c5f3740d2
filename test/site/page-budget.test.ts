/** Pages with the longest names stay within the page budget, and their lists reach every record. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import { decodedBytes, maxPageBytes } from '../support/page-size.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const long = 'whose 言葉 and name is rather long for a list of names and events';
const venueCount = 330;
const artistCount = 150;
const eventCount = 60;
const lines = [
  { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  ...Array.from({ length: 20 }, (_, index) => ({
    kind: 'city',
    external_id: `c${index}`,
    name: `Town ${index}`,
    country: 'DE',
    timezone: 'Europe/Berlin',
  })),
  ...Array.from({ length: venueCount }, (_, index) => ({
    kind: 'venue',
    external_id: `v${index}`,
    name: `Venue ${index} ${long}`,
    city: 'Berlin',
    country: 'DE',
  })),
  ...Array.from({ length: artistCount }, (_, index) => ({
    kind: 'artist',
    external_id: `a${index}`,
    name: `Äct ${index} ${long}`,
    country: 'DE',
  })),
  ...Array.from({ length: eventCount }, (_, index) => ({
    kind: 'event',
    external_id: `e${index}`,
    name: `Night ${index} ${long}`,
    start_at: `2026-12-${String(1 + (index % 28)).padStart(2, '0')}T22:00`,
    timezone: 'Europe/Berlin',
    venue: { name: `Hall ${index} ${long}`, city: `Town ${index % 20}`, country: 'DE' },
    lineup: Array.from({ length: 6 }, (_, act) => ({ name: `Äct ${index}-${act} ${long}` })),
  })),
];

describe('the page budget', () => {
  const folder = temporaryFolder();
  let server: Server;
  before(async () => {
    const dataFile = join(folder.path, 'data.db');
    importFeed(dataFile, lines);
    server = await startServer({ dataFile, now: '2026-11-28T12:00:00Z' });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });

  async function page(path: string): Promise<ReturnType<typeof load>> {
    const { text, status } = await server.get(path, { key: null, headers: { accept: 'text/html' } });
    assert.equal(status, 200, path);
    assert.ok(decodedBytes(text) <= maxPageBytes, `${path}: ${decodedBytes(text)} bytes`);
    return load(text);
  }

  /** The names of a list, from its first page to the last. */
  async function allNames(path: string, selector: string): Promise<string[]> {
    const names: string[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const $: ReturnType<typeof load> = await page(next);
      names.push(
        ...$(selector)
          .map((_, element) => $(element).text())
          .get(),
      );
      next = $('a[rel=next]').attr('href');
    }
    return names;
  }

  test('the venues of a city, and all venues: each once', async () => {
    const inBerlin = await allNames('/venues?city=berlin', '.names a');
    assert.equal(inBerlin.length, venueCount);
    assert.equal(new Set(inBerlin).size, venueCount);
    const venues = await allNames('/venues', '.names a');
    assert.equal(venues.length, venueCount + eventCount);
    assert.equal(new Set(venues).size, venueCount + eventCount);
    const artists = await allNames('/artists', '.names a');
    assert.equal(new Set(artists).size, artistCount);
  });

  test('events by city, of a month and in a frame', async () => {
    for (const path of ['/events?when=2026-12', '/events?when=2026-W50', '/embed/events?limit=50', '/']) {
      const $ = await page(path);
      assert.ok($('.listing .name').length >= 8, path);
    }
    await page('/cities/berlin');
  });
});
