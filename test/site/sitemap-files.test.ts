/** Files of the sitemap: rendered once per revision, one at a time, and not at all for names that mean no part. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openSearch } from '../../src/catalogue/search.ts';
import { frozenClock } from '../../src/clock.ts';
import { createSiteUrl } from '../../src/pages/site-url.ts';
import { SiteHandler } from '../../src/site/handler.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { openSiteReader } from '../../src/store/site/site-reader.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

describe('files of the sitemap', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'c.db');
  /** What was read of the catalogue, in order. */
  let reads: string[] = [];
  let url = '';
  let close = () => {};

  before(async () => {
    importFeed(file, feed);
    const sqlite = openDatabase(file, { create: false });
    const site = openSiteReader(sqlite);
    const { map } = site;
    const [entries, end] = [map.entries.bind(map), map.end.bind(map)];
    map.entries = (kind, after, ...more) => {
      reads.push(`${kind} ${after}`);
      return entries(kind, after, ...more);
    };
    map.end = (kind, after, size) => {
      reads.push(`${kind} end ${after}`);
      return end(kind, after, size);
    };
    const handler = new SiteHandler({
      reader: openCatalogueReader(sqlite),
      search: openSearch(sqlite),
      site,
      clock: frozenClock(Date.parse(feedNow)),
      log: () => {},
      siteUrl: createSiteUrl('https://music.example', 'cratebase'),
      accountUrl: 'https://music.example',
      version: '1',
      compress: true,
      sitemapPartSize: 7,
    });
    const http = createServer((request, response) => void handler.handle(request, response));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    close = () => {
      http.close();
      http.closeAllConnections();
      sqlite.close();
    };
  });
  after(() => {
    close();
    folder.remove();
  });
  beforeEach(() => {
    reads = [];
  });

  type Got = { status: number; headers: Record<string, unknown>; body: Buffer };
  /** Not by `fetch`, which decodes what is encoded. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
        );
      });
      sent.once('error', reject);
      sent.end();
    });
  const partPaths = async (): Promise<string[]> =>
    [...(await get('/sitemap.xml')).body.toString().matchAll(/<loc>([^<]+)/g)].map(
      ([, found]) => new URL(found as string).pathname,
    );

  it('are rendered once, one after the other, however many ask at once', async () => {
    const paths = (await partPaths()).filter((path) => /event|artist/.test(path)).slice(0, 6);
    assert.ok(paths.length > 3);
    reads = [];
    const all = await Promise.all([...paths, ...paths, ...paths].map((path) => get(path)));
    assert.ok(all.every(({ status, body }) => status === 200 && body.length > 100));
    const rendered = reads.filter((read) => !read.includes('end'));
    assert.equal(new Set(rendered).size, rendered.length, 'each piece is read once');
    assert.ok(rendered.length >= paths.length);
    reads = [];
    for (const path of paths) assert.equal((await get(path)).status, 200);
    assert.deepEqual(reads, []);
  });

  it('that do not exist are refused without a look at the catalogue', async () => {
    assert.equal((await get('/sitemaps/event-99999.xml')).status, 404, 'the parts of events are known now');
    reads = [];
    for (const name of ['event-3', 'event-5', 'event-1234567', 'event-99999', 'nope', 'pages.xml'])
      assert.equal((await get(`/sitemaps/${name}.xml`)).status, 404, name);
    assert.deepEqual(reads, []);
    const { body } = await get('/sitemaps/event-3.xml');
    assert.equal(JSON.parse(body.toString()).error.type, 'not_found');
  });

  it('that a crawler has already are not rendered', async () => {
    const path = '/sitemaps/venue-0.xml';
    const { headers } = await get(path, {}, 'HEAD');
    const tag = String(headers.etag);
    assert.deepEqual([(await get(path, { 'if-none-match': tag })).status], [304]);
    // A service that has not rendered it has the same tag for it.
    reads = [];
    const index = await get('/sitemap.xml');
    const same = await get('/sitemap.xml', { 'if-none-match': String(index.headers.etag) });
    assert.deepEqual([same.status, same.body.length, reads], [304, 0, []]);
    assert.equal((await get('/sitemaps/venue-1.xml', { 'if-none-match': '*' })).status, 404);
    assert.equal((await get(path, { 'if-none-match': '*' })).status, 304);
  });

  it('are sent compressed to crawlers that accept gzip', async () => {
    const plain = await get('/sitemaps/city-0.xml');
    const packed = await get('/sitemaps/city-0.xml', { 'accept-encoding': 'br, gzip' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.ok(packed.body.length < plain.body.length);
    assert.equal(gunzipSync(packed.body).toString(), plain.body.toString());
    assert.deepEqual([plain.headers.vary, packed.headers.vary], ['Accept-Encoding', 'Accept-Encoding']);
  });

  it('are read anew in the next revision', async () => {
    const before = (await get('/sitemaps/artist-0.xml')).headers.etag;
    importFeed(file, [{ kind: 'artist', external_id: 'late', name: 'Late Artist' }], 'late');
    const texts = await Promise.all(
      (await partPaths()).map(async (path) => (await get(path)).body.toString()),
    );
    assert.match(texts.join(''), /artists\/late-artist</);
    assert.notEqual((await get('/sitemaps/artist-0.xml')).headers.etag, before);
  });
});
