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
  importFeed(dataFile, [event('1', 'Alpha', 'Geneva', 'CH'), event('2', 'Beta', 'Vienna', 'AT')]);
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
