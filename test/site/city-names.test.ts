/** German pages name cities in German; addresses, API and English pages keep the names of the sources. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const event = (id: string, name: string, city: string, country: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2026-12-05T23:00',
  timezone: 'Europe/Berlin',
  venue: { name: `${name} Club`, city, country },
});
const folder = temporaryFolder();
let server: Server;
before(async () => {
  const dataFile = join(folder.path, 'c.db');
  const town = (id: string, name: string, country: string, latitude: number, longitude: number) => ({
    ...{ kind: 'city', external_id: id, name, country, latitude, longitude, timezone: 'Europe/Berlin' },
  });
  importFeed(dataFile, [
    town('c1', 'Geneva', 'CH', 46.2, 6.15),
    town('c2', 'Carouge', 'CH', 46.18, 6.14),
    town('c3', 'Vienna', 'AT', 48.21, 16.37),
    event('1', 'Alpha', 'Geneva', 'CH'),
    event('2', 'Beta', 'Vienna', 'AT'),
    { kind: 'festival', external_id: 'f', name: 'Lake Days' },
    {
      ...{
        kind: 'edition',
        external_id: 'e',
        festival: { external_id: 'f', name: 'Lake Days' },
        edition: '2026',
      },
      ...{ start_at: '2026-12-11', end_at: '2026-12-13', city: 'Geneva', country: 'CH' },
    },
    // More events on another day than a page shows: some of Vienna, and none of Geneva.
    ...Array.from({ length: 43 }, (_, at) => {
      const city = at < 6 ? 'Vienna' : at < 42 ? `Town ${Math.floor((at - 6) / 4)}` : 'Geneva';
      const country = at < 6 ? 'AT' : at < 42 ? 'DE' : 'CH';
      return { ...event(`n${at}`, `Night ${at}`, city, country), start_at: '2026-12-19T23:00' };
    }),
  ]);
  server = await startServer({ dataFile, now: '2026-11-28T01:00:00Z' });
});
after(async () => {
  await server.stop();
  folder.remove();
});

async function text(path: string, language: string): Promise<string> {
  const { text: html, status } = await server.get(encodeURI(path), {
    headers: { 'accept-language': language, accept: 'text/html' },
  });
  assert.equal(status, 200, path);
  const $ = load(html);
  $('script, style').remove();
  return $('body').text().replace(/\s+/g, ' ');
}

test('on German pages', async () => {
  for (const path of [
    '/',
    '/cities',
    '/cities/geneva',
    '/venues',
    '/venues/alpha-club',
    '/events/alpha-2026-12-05',
    '/events',
    '/search?q=Geneva',
    '/search?q=Was+läuft+in+Genf',
  ])
    assert.match(await text(path, 'de'), /Genf/, path);
  for (const path of ['/', '/venues', '/events'])
    assert.doesNotMatch(await text(path, 'de'), /Geneva|Vienna/, path);
  assert.match(await text('/events?city=Wien', 'de'), /Beta Club/);
  const day = await text('/events?when=2026-12-19', 'de');
  assert.match(day, /2 weitere in Wien/);
  assert.doesNotMatch(day, /Geneva|Vienna/);
  assert.match(await text('/search?q=Was+läuft+in+Carouge', 'de'), /\d Events? in Genf/);
  assert.doesNotMatch(await text('/search?q=Festivals+in+Genf+im+Dezember', 'de'), /Geneva/);
});

test('the preview and the JSON-LD of a German page name the city as the page does', async () => {
  for (const path of ['/cities/geneva', '/venues/alpha-club', '/events/alpha-2026-12-05']) {
    const { text: html } = await server.get(path, { headers: { 'accept-language': 'de' } });
    const $ = load(html);
    const shared = $('meta[property^="og:"]')
      .map((_, tag) => $(tag).attr('content'))
      .get()
      .join(' ');
    assert.match(shared, /Genf/, path);
    assert.doesNotMatch(shared, /Geneva\b/, path);
    assert.match($('script[type="application/ld+json"]').text(), /"addressLocality":"Genf"/, path);
  }
});

test('on English pages, in addresses and in the API the name stays', async () => {
  for (const path of ['/', '/cities', '/venues', '/search?q=Genf']) {
    assert.match(await text(path, 'en'), /Geneva/, path);
  }
  assert.doesNotMatch(await text('/venues', 'en'), /Genf/);
});
