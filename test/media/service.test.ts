/** Pictures, maps and audio as visitors of a running service meet them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { load } from 'cheerio/slim';
import type { Browser, Page } from 'playwright-core';
import { assertUsable } from '../support/accessibility.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { importFeed, run, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { jpeg, png } from './images.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const folder = temporaryFolder();
const dataFile = join(folder.path, 'media.db');
const requests: { path: string; accept: string | undefined; referer: string | undefined }[] = [];
const photo = await jpeg(900, 600);
/** One second of silence: a WAV of 8,000 samples. */
const silence = Buffer.concat([
  Buffer.from(
    '524946466400000057415645666d74201000000001000100401f0000401f0000010008006461746180bb0000',
    'hex',
  ),
  Buffer.alloc(48_000, 128),
]);
const pictures = createServer((request, response) => {
  const path = request.url as string;
  const { accept, referer } = request.headers;
  requests.push({ path, accept, referer });
  if (path === '/photo.jpg') response.end(photo);
  else if (path === '/poster.png') response.end(png(300, 500, [30, 60, 120]));
  else if (path === '/mix.wav') response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(silence);
  else if (path.startsWith('/tiles/')) response.end(png(256, 256, [220, 220, 210]));
  else if (path !== '/never.jpg') response.writeHead(404).end();
});
const line = (kind: string, external_id: string, members: object) => ({ kind, external_id, ...members });

let server: Server;
let origin = '';
before(async () => {
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  const venue = { external_id: 'v', name: 'Kraftraum', city: 'Berlin', country: 'DE' };
  importFeed(dataFile, [
    line('city', 'c', {
      name: 'Berlin',
      country: 'DE',
      latitude: 52.52,
      longitude: 13.405,
      timezone: 'Europe/Berlin',
    }),
    line('artist', 'a', { name: 'Ana Lund', image_url: `${origin}/photo.jpg`, genres: ['Techno'] }),
    line('artist', 'b', { name: 'Bo', image_url: `${origin}/never.jpg` }),
    line('artist', 'd', { name: 'Dot', image_url: `${origin}/missing.jpg`, image_credit: 'Ann Photo' }),
    line('artist', 'w', {
      name: 'Wiki',
      image_url: 'https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Wiki_%281%29.jpg/640px-Wiki.jpg',
    }),
    line('artist', 'cr', {
      name: 'Credited',
      image_url: `${origin}/photo.jpg`,
      image_credit: 'Jo <i>Photo</i>',
      image_license: 'CC BY-SA 4.0',
    }),
    line('artist', 'cx', {
      name: 'Linked',
      image_url: `${origin}/photo.jpg`,
      image_license: 'https://creativecommons.org/licenses/by/4.0/',
    }),
    line('artist', 'e', { name: 'Empty <b>' }),
    line('venue', 'v', { ...venue, latitude: 52.511, longitude: 13.443 }),
    line('event', 'e1', {
      name: 'Night One',
      start_at: '2026-11-21T23:00',
      venue,
      image_url: `${origin}/poster.png`,
      lineup: [{ external_id: 'a', name: 'Ana Lund' }],
    }),
    line('event', 'e2', { name: 'Night Two', start_at: '2026-11-22T23:00', venue }),
    line('podcast', 'p', { name: 'Radio', image_url: `${origin}/photo.jpg` }),
    line('episode', 'ep', {
      podcast: { external_id: 'p', name: 'Radio' },
      name: 'Radio 1',
      audio_url: `${origin}/mix.wav`,
      tracklist: [
        { artist_name: 'Ana Lund', title: 'First', start_seconds: 0 },
        { artist_name: 'Bo', title: 'Second', start_seconds: 3 },
        { artist_name: 'Bo', title: 'Third' },
      ],
    }),
  ]);
  server = await startServer({ dataFile, now: '2026-11-20T12:00:00Z', more: ['--fetch-allow', '127.0.0.1'] });
});
after(async () => {
  await server.stop();
  pictures.closeAllConnections();
  pictures.close();
  folder.remove();
});

/** Waits until an expression is true in a page; its policy forbids Playwright's own way, which uses `eval`. */
async function isTrue(page: Page, expression: string): Promise<void> {
  for (let left = 200; !(await page.evaluate(expression)); left -= 1) {
    assert.ok(left > 0, expression);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pageOf = async (path: string, from = server) => load((await from.get(path)).text);
const asBrowser = { headers: { accept: 'text/html' } };
const pictureOf = async (path: string) => (await pageOf(path))('.picture img').attr('src') as string;
const fetchRaw = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
/** Requests a picture until it is converted; the first request may get the cover. */
async function fetchPicture(path: string): Promise<Response> {
  for (let left = 40; ; left -= 1) {
    const response = await fetchRaw(path);
    if (response.headers.get('content-type') === 'image/webp' || left === 0) return response;
    await response.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('pictures', () => {
  test('come from the service, re-encoded, for ever; the page names no other host', async () => {
    const { text, headers } = await server.get('/artists/ana-lund', asBrowser);
    const $ = load(text);
    const image = $('.picture img');
    assert.match(image.attr('src') ?? '', /^\/media\/art_[0-9a-z]+\/[0-9a-f]{16}-640\.webp$/);
    assert.equal(image.attr('srcset')?.split(', ').length, 3);
    assert.match(String(headers['content-security-policy']), /img-src 'self' data:;/);
    const response = await fetchPicture(image.attr('src') as string);
    const body = Buffer.from(await response.arrayBuffer());
    assert.equal(response.headers.get('content-type'), 'image/webp');
    assert.equal(body.toString('latin1', 8, 12), 'WEBP');
    assert.doesNotMatch(body.toString('latin1'), /SecretCamera|Exif/i);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('content-encoding'), null);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const tag = response.headers.get('etag') as string;
    const again = await fetchRaw(image.attr('src') as string, { 'if-none-match': tag });
    assert.equal(again.status, 304);
    const asked = requests.filter(({ path }) => path === '/photo.jpg');
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.referer, undefined);
    assert.match(asked[0]?.accept ?? '', /^image\/webp/);
    assert.ok(existsSync(`${dataFile}.media`));
  });

  test('only addresses of the catalogue are requested', async () => {
    const path = await pictureOf('/artists/ana-lund');
    const digest = path.split('/').at(-1)?.slice(0, 16) as string;
    const count = requests.length;
    for (const other of [
      path.replace(digest, '0'.repeat(16)),
      path.replace('art_', 'ven_'),
      path.replace('-640', '-641'),
      '/media/',
      '/media/../admin',
      `/media/${encodeURIComponent(`${origin}/secret`)}`,
      `/media/art_zzzzzz/${digest}-640.webp`,
    ])
      assert.equal((await server.get(other)).status, 404, other);
    assert.equal((await server.get(path, { method: 'POST' })).status, 405);
    assert.equal(requests.length, count);
  });

  test('a visitor gets the cover of a picture that is slow or missing', async () => {
    const slow = await pictureOf('/artists/bo');
    const startedAt = performance.now();
    const waiting = await fetchRaw(slow);
    assert.ok(performance.now() - startedAt < 8_000);
    assert.match(waiting.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.equal(waiting.headers.get('cache-control'), 'no-store');
    assert.match(await waiting.text(), />B<\/text>/);
    const missing = await fetchRaw(await pictureOf('/artists/dot'));
    assert.match(missing.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.equal(missing.headers.get('cache-control'), 'public, max-age=300');
  });

  test('a record without one has a drawn cover', async () => {
    const $ = await pageOf('/artists/empty-b');
    const image = $('.picture.drawn img');
    assert.equal(image.attr('alt'), '');
    const response = await fetchRaw(image.attr('src') as string);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.match(await response.text(), />EB<\/text>/);
  });

  test('a list has small pictures if one of its events has one', async () => {
    const $ = await pageOf('/venues/kraftraum');
    const sources = $('.listing .thumb')
      .toArray()
      .map((image) => $(image).attr('src') ?? '');
    assert.equal(sources.length, 2);
    assert.match(sources[0] as string, /^\/media\/evt_[0-9a-z]+\/[0-9a-f]{16}-96\.webp$/);
    assert.match(sources[1] as string, /^\/media\/cover\//);
  });

  test('one of Wikimedia Commons links the page that states author and licence', async () => {
    const $ = await pageOf('/artists/wiki');
    assert.equal(
      $('.picture figcaption a').attr('href'),
      'https://commons.wikimedia.org/wiki/File:Wiki_%281%29.jpg',
    );
  });

  test('author and licence are shown where a source states them', async () => {
    const credited = (await pageOf('/artists/credited'))('.picture figcaption');
    assert.equal(credited.text(), 'Picture: Jo <i>Photo</i>, CC BY-SA 4.0');
    const linked = (await pageOf('/artists/linked'))('.picture figcaption a');
    assert.equal(linked.attr('href'), 'https://creativecommons.org/licenses/by/4.0/');
    assert.equal(linked.text(), 'creativecommons.org/licenses/by/4.0/');
    const german = load((await server.get('/artists/credited?lang=de')).text)('.picture figcaption');
    assert.match(german.text(), /^Bild: Jo/);
    assert.equal((await pageOf('/artists/ana-lund'))('.picture figcaption').length, 0);
  });

  test('an episode without one shows that of its podcast', async () => {
    assert.match(await pictureOf('/episodes/radio-1'), /^\/media\/pod_/);
  });

  test('are off where the operator says so, without a restart', async () => {
    const path = await pictureOf('/artists/ana-lund');
    assert.equal(run(['settings', 'set', 'media=off', '--data', dataFile]).status, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const $ = await pageOf('/artists/ana-lund');
    assert.match($('.picture img').attr('src') ?? '', /^\/media\/cover\//);
    assert.equal((await pageOf('/venues/kraftraum'))('.thumb').length, 0);
    const response = await fetchRaw(path);
    assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.equal(run(['settings', 'unset', 'media', '--data', dataFile]).status, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await pictureOf('/artists/ana-lund'), path);
  });
});

describe('maps', () => {
  test('of venue, city and event are drawn by the service, with a link to OpenStreetMap', async () => {
    for (const path of ['/venues/kraftraum', '/cities/berlin', '/events/night-one-2026-11-21']) {
      const $ = await pageOf(path);
      const map = $('.map img').attr('src') as string;
      assert.match(map, /^\/media\/map\/1-52\.5\d+,13\.4\d+-(?:venue|city)\.svg$/, path);
      assert.match($('.map a').attr('href') ?? '', /^https:\/\/www\.openstreetmap\.org\/\?mlat=52\.5/);
      const response = await fetchRaw(map);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('cache-control') ?? '', /immutable/);
      assert.match(await response.text(), /<circle class="m"/);
    }
    assert.equal((await server.get('/media/map/1-99.000,0.000-venue.svg')).status, 404);
  });

  test('are compressed for clients that accept it, each form with a tag of its own', async () => {
    const map = (await pageOf('/venues/kraftraum'))('.map img').attr('src') as string;
    const plain = await fetchRaw(map);
    const raw = (headers: Record<string, string>) =>
      new Promise<{ headers: IncomingHttpHeaders; status: number | undefined; body: Buffer }>(
        (resolve, reject) => {
          get(server.url + map, { headers }, (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () =>
              resolve({
                headers: response.headers,
                status: response.statusCode,
                body: Buffer.concat(chunks),
              }),
            );
          }).on('error', reject);
        },
      );
    const small = await raw({ 'accept-encoding': 'br' });
    assert.equal(small.headers['content-encoding'], 'br');
    assert.equal(small.headers.vary, 'Accept-Encoding');
    assert.equal(brotliDecompressSync(small.body).toString(), await plain.text());
    const tag = small.headers.etag as string;
    assert.notEqual(tag, plain.headers.get('etag'));
    const again = await raw({ 'accept-encoding': 'br', 'if-none-match': tag });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
  });

  test('a tile server is used only if it is set, and is then the only other host of images', async () => {
    const template = `${origin}/tiles/{z}/{x}/{y}.png`;
    for (const bad of [
      'https://tile.test/x.png',
      'javascript:{z}{x}{y}',
      'https://{z}.test/{x}/{y}',
      "https://a.test/';{z}{x}{y}",
    ])
      assert.equal(run(['settings', 'set', `map-tiles=${bad}`, '--data', dataFile]).status, 1, bad);
    assert.equal(run(['settings', 'set', `map-tiles=${template}`, '--data', dataFile]).status, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const { text, headers } = await server.get('/venues/kraftraum', asBrowser);
    const $ = load(text);
    const tiles = $('.map image')
      .toArray()
      .map((image) => $(image).attr('href') ?? '');
    // Zoom 15, the tile of 52.511° N, 13.443° E.
    assert.ok(tiles.includes(`${origin}/tiles/15/17607/10748.png`), tiles.join(' '));
    assert.ok(tiles.length >= 6 && tiles.length <= 12);
    assert.match($('.map figcaption').text(), /© OpenStreetMap contributors/);
    assert.ok(String(headers['content-security-policy']).includes(`img-src 'self' data: ${origin};`));
    const other = await server.get('/artists/ana-lund', asBrowser);
    assert.ok(!String(other.headers['content-security-policy']).includes(origin));
    assert.equal(run(['settings', 'unset', 'map-tiles', '--data', dataFile]).status, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
  });
});

describe('audio', () => {
  test('an episode has a player; times link into it; no other page may load audio', async () => {
    const { text, headers } = await server.get('/episodes/radio-1', asBrowser);
    const $ = load(text);
    assert.equal($('audio[controls][preload=none]').attr('src'), `${origin}/mix.wav`);
    const links = $('.tracks a[data-from]').toArray();
    assert.deepEqual(
      links.map((link) => $(link).attr('href')),
      [`${origin}/mix.wav#t=0`, `${origin}/mix.wav#t=3`],
    );
    assert.match(String(headers['content-security-policy']), /media-src https: http:;/);
    const other = await server.get('/podcasts/radio', asBrowser);
    assert.doesNotMatch(String(other.headers['content-security-policy']), /media-src/);
  });

  test('behind https, only https is allowed', async () => {
    const secure = await startServer({
      dataFile,
      now: '2026-11-20T12:00:00Z',
      more: ['--base-url', 'https://music.test'],
    });
    try {
      const { headers } = await secure.get('/episodes/radio-1', asBrowser);
      assert.match(String(headers['content-security-policy']), /media-src https:;/);
    } finally {
      await secure.stop();
    }
  });
});

describe('in a browser', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());

  const paths = [
    '/artists/ana-lund',
    '/artists/empty-b',
    '/venues/kraftraum',
    '/cities/berlin',
    '/events/night-one-2026-11-21',
    '/episodes/radio-1',
  ];
  for (const [colorScheme, width] of [
    ['light', 1_120],
    ['dark', 390],
  ] as const)
    test(`pages are usable, ${colorScheme}, ${width} pixels wide, and load nothing from elsewhere`, async () => {
      await fetchPicture(await pictureOf('/artists/ana-lund'));
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      watch(page, { origin: server.url, refusesStatuses: true });
      for (const path of paths) {
        await page.goto(server.url + path);
        await page.evaluate('for (const image of document.images) image.loading = "eager"');
        await isTrue(page, '[...document.images].every((image) => image.complete)');
        const broken = await page.evaluate(
          '[...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.src)',
        );
        assert.deepEqual(broken, [], path);
        await assertUsable(page, path);
      }
      await context.close();
    });

  test('a cover that stands for a missing picture has no credit of the picture', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/artists/dot`);
    await page.locator('figure.picture.drawn').waitFor();
    assert.equal(await page.locator('figure.picture').textContent(), '');
    assert.equal(await page.locator('figure.picture img').getAttribute('alt'), '');
    assert.ok((await page.locator('figure.picture img').boundingBox())?.width ?? 0 > 100);
    await fetchPicture(await pictureOf('/artists/credited'));
    await page.goto(`${server.url}/artists/credited`);
    await isTrue(page, '[...document.images].every((image) => image.complete)');
    assert.equal(await page.locator('figure.picture:not(.drawn) figcaption').count(), 1);
    await page.close();
  });

  test('a time of the tracklist starts the audio there', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/episodes/radio-1`);
    assert.ok(!requests.some(({ path }) => path === '/mix.wav'), 'nothing is loaded before a click');
    await page.getByRole('link', { name: 'Play from 0:03' }).click();
    await isTrue(page, 'document.querySelector("audio").currentTime >= 3');
    assert.equal(page.url(), `${server.url}/episodes/radio-1`);
    await page.locator('.tracks a[aria-current]', { hasText: '0:03' }).waitFor();
    await page.close();
  });
});
