/** What pages offer where their first answer is no: cancelled events, closed venues, ended artists, one city. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from 'cheerio/slim';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const now = '2026-11-25T18:00:00Z';
const folder = temporaryFolder();
let server: Server;
const night = (at: number) => ({
  kind: 'event',
  external_id: `n${at}`,
  name: `Night ${at}`,
  start_at: `2026-12-${String(at).padStart(2, '0')}T23:00`,
  venue: { external_id: 'v', name: 'Tresor' },
});

before(async () => {
  const dataFile = join(folder.path, 'steps.db');
  importFeed(dataFile, [
    { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'venue', external_id: 'v', name: 'Tresor', city: 'Berlin', country: 'DE' },
    {
      kind: 'venue',
      external_id: 'c',
      name: 'Closed Hall',
      city: 'Berlin',
      country: 'DE',
      closed_at: '2024-09',
    },
    { kind: 'artist', external_id: 'a', name: 'Ended Example', ended_at: '2023-03-04' },
    { ...night(1), lineup: [{ external_id: 'a', name: 'Ended Example' }], start_at: '2022-12-01T23:00' },
    { ...night(2), status: 'cancelled', name: 'Called Off' },
    ...Array.from({ length: 25 }, (_, at) => night(at + 3)),
  ]);
  server = await startServer({ dataFile, now, more: ['--home-city', 'berlin'] });
});
after(async () => {
  await server.stop();
  folder.remove();
});

async function page(path: string) {
  const { status, text } = await server.get(path, { key: null, headers: { accept: 'text/html' } });
  assert.equal(status, 200, path);
  return load(text);
}

test('a cancelled event leads to the same day and to its venue, and to no calendar', async () => {
  const $ = await page('/events/called-off-2026-12-02');
  assert.equal($('#calendar').length, 0);
  assert.deepEqual(
    $('section[aria-labelledby=instead] a')
      .map((_, link) => $(link).attr('href'))
      .get(),
    ['/cities/berlin?when=2026-12-02', '/venues/tresor'],
  );
  assert.equal((await page('/events/night-3-2026-12-03'))('#calendar').length, 1);
});

test('a closed venue and an ended artist promise no upcoming events', async () => {
  for (const path of ['/venues/closed-hall', '/artists/ended-example']) {
    const $ = await page(path);
    assert.equal($('#upcoming').length, 0, path);
    assert.doesNotMatch($('main').text(), /New ones appear/, path);
  }
  assert.equal((await page('/venues/tresor'))('#upcoming').length, 1);
});

test('the home page of a service with one city shows each event once', async () => {
  const $ = await page('/');
  const names = $('.listing a.name')
    .map((_, link) => $(link).text())
    .get();
  assert.ok(names.length >= 10);
  assert.deepEqual(names, [...new Set(names)]);
  assert.equal($('#next').length, 0);
});

test('the home page has events of another city of the same name among those elsewhere, and no event twice', async (t) => {
  const elsewhere = temporaryFolder();
  t.after(() => elsewhere.remove());
  const dataFile = join(elsewhere.path, 'names.db');
  const at = (id: string, name: string, city: string, country: string) => ({
    kind: 'event',
    external_id: id,
    name,
    start_at: '2026-12-05T23:00',
    venue: { external_id: `v${id}`, name: `Hall ${id}`, city, country },
  });
  importFeed(dataFile, [
    {
      kind: 'city',
      external_id: 'k',
      name: 'Cologne',
      country: 'DE',
      timezone: 'Europe/Berlin',
      aliases: ['Köln'],
    },
    { kind: 'city', external_id: 'l', name: 'Cologne', country: 'US', timezone: 'America/Chicago' },
    at('1', 'Rhine Night', 'Köln', 'DE'),
    at('2', 'Minnesota Night', 'Cologne', 'US'),
  ]);
  const other = await startServer({ dataFile, now, more: ['--home-city', 'cologne'] });
  t.after(() => other.stop());
  const { text } = await other.get('/', { key: null, headers: { accept: 'text/html' } });
  const $ = load(text);
  const inSection = (id: string) =>
    $(`section[aria-labelledby="${id}"] .listing a.name`)
      .map((_, link) => $(link).text())
      .get();
  assert.deepEqual(inSection('home-city'), ['Rhine Night']);
  assert.deepEqual(inSection('next'), ['Minnesota Night']);
});
