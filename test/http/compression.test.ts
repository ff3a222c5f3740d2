/** Content codings: what is chosen by `Accept-Encoding`, and that each coded body is the plain one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compressBody, contentCodings, negotiateCoding } from '../../src/http/compression.ts';
import { encodeBody, ResponseCache } from '../../src/http/response-cache.ts';
import { importFeed, runJson, type Server, startServer, temporaryFolder } from '../support/program.ts';

for (const [header, expected] of [
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0, identity', 'identity'],
  ['gzip;q=0', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['*', 'zstd'],
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['compress, exi', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  [`${'a,'.repeat(20_000)}gzip`, 'gzip'],
  ['gz\u0000ip, \u{1F3B5}', 'identity'],
] as const) {
  test(`Accept-Encoding ${JSON.stringify(header)?.slice(0, 40)} gives ${expected}`, () => {
    assert.equal(negotiateCoding(header, contentCodings), expected);
    // From memory the same.
    assert.equal(negotiateCoding(header, contentCodings), expected);
  });
}

test('only offered codings are chosen', () => {
  assert.equal(negotiateCoding('br, zstd', ['gzip']), 'identity');
  assert.equal(negotiateCoding('br, gzip;q=0.1', ['gzip']), 'gzip');
});

const decoders = {
  zstd: (body: Buffer) => zstdDecompressSync(body),
  br: (body: Buffer) => brotliDecompressSync(body),
  gzip: (body: Buffer) => gunzipSync(body),
  identity: (body: Buffer) => body,
};

test('a body is compressed once for each coding, and a short one never', () => {
  const cache = new ResponseCache(Buffer.from('secret'), 'edition');
  const long = cache.set('/long', '1', Buffer.from('Ünïcödé 🎵 '.repeat(1_000)));
  for (const coding of contentCodings) {
    const first = encodeBody(long, coding);
    assert.equal(first.coding, coding);
    assert.ok(first.body.length < long.body.length / 10);
    assert.deepEqual(decoders[coding](first.body), long.body);
    assert.equal(encodeBody(long, coding).body, first.body);
  }
  const short = cache.set('/short', '1', Buffer.from('{"data":[]}'));
  assert.deepEqual(encodeBody(short, 'br'), { body: short.body, coding: 'identity' });
  assert.deepEqual(gunzipSync(compressBody(Buffer.alloc(0), 'gzip')), Buffer.alloc(0));
});

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** Asks without a library, which would decode the body. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, method }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

const events = Array.from({ length: 60 }, (_, index) => ({
  kind: 'event',
  external_id: `night-${index}`,
  name: `Nightshift ${index} with Änne & the 夜 Ensemble`,
  start_at: `2026-12-${String(1 + (index % 28)).padStart(2, '0')}T22:00:00Z`,
  city: 'Berlin',
  country: 'DE',
}));

describe('a service', () => {
  const folder = temporaryFolder();
  const dataFile = join(folder.path, 'test.db');
  let [served, plain] = [] as unknown as [Server, Server];
  before(async () => {
    importFeed(dataFile, events);
    [served, plain] = await Promise.all([
      startServer({ dataFile, window: 1_000 }),
      startServer({ dataFile: join(folder.path, 'plain.db'), more: ['--empty', '--compression', 'off'] }),
    ]);
    importFeed(join(folder.path, 'plain.db'), events);
  });
  after(async () => {
    await Promise.all([served.stop(), plain.stop()]);
    folder.remove();
  });
  const authorization = () => ({ Authorization: `Bearer ${served.key}` });

  for (const path of ['/api/v1/events?limit=50', '/events', '/cities/berlin.ics', '/']) {
    for (const coding of contentCodings) {
      it(`${path} in ${coding} is the plain body`, async () => {
        const whole = await ask(served.url + path, authorization());
        assert.equal(whole.status, 200);
        const answer = await ask(served.url + path, { ...authorization(), 'Accept-Encoding': coding });
        const used = (answer.headers['content-encoding'] ?? 'identity') as keyof typeof decoders;
        assert.equal(used, whole.body.length < 1_024 ? 'identity' : coding);
        assert.deepEqual(decoders[used](answer.body), whole.body);
        assert.equal(answer.headers['content-length'], String(answer.body.length));
        // A weak tag names the record's state, whatever its coding.
        assert.equal(answer.headers.etag, whole.headers.etag);
        assert.match(String(answer.headers.vary), /\bAccept-Encoding\b/);
        assert.equal(answer.headers.vary, whole.headers.vary);
      });
    }
  }

  it('/openapi.json in each coding is the plain document', async () => {
    const whole = await ask(`${served.url}/openapi.json`);
    for (const coding of contentCodings) {
      const answer = await ask(`${served.url}/openapi.json`, { 'Accept-Encoding': coding });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.ok(answer.body.length * 4 < whole.body.length);
      assert.deepEqual(decoders[coding](answer.body), whole.body);
      assert.equal(answer.headers.etag, whole.headers.etag);
    }
  });

  it('a HEAD request has the headers of the GET, a 304 no coding', async () => {
    const url = `${served.url}/api/v1/events?limit=50`;
    const headers = { ...authorization(), 'Accept-Encoding': 'br' };
    const [got, head] = [await ask(url, headers), await ask(url, headers, 'HEAD')];
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary'])
      assert.equal(head.headers[name], got.headers[name], name);
    assert.equal(head.body.length, 0);
    const same = await ask(url, { ...headers, 'If-None-Match': String(got.headers.etag) });
    assert.equal(same.status, 304);
    assert.equal(same.headers['content-encoding'], undefined);
    assert.equal(same.headers.vary, got.headers.vary);
  });

  it('pages of a person are not compressed: they hold tokens beside what an address says', async () => {
    const { headers } = await ask(`${served.url}/account/sign-in?email=a@example.com`, {
      'Accept-Encoding': 'gzip',
    });
    assert.equal(headers['content-encoding'], undefined);
  });

  it('--compression off sends plain bodies, and does not vary', async () => {
    const headers = { Authorization: `Bearer ${plain.key}`, 'Accept-Encoding': 'gzip, br, zstd' };
    const list = await ask(`${plain.url}/api/v1/events?limit=50`, headers);
    assert.ok(list.body.length > 10_000);
    assert.equal(list.headers['content-encoding'], undefined);
    assert.equal(list.headers.vary, 'Authorization');
    const page = await ask(`${plain.url}/events`, headers);
    assert.equal(page.headers['content-encoding'], undefined);
    assert.doesNotMatch(String(page.headers.vary), /Accept-Encoding/);
    for (const path of ['/sitemap.xml', '/openapi.json']) {
      const document = await ask(plain.url + path, headers);
      assert.equal(document.status, 200, path);
      assert.equal(document.headers['content-encoding'], undefined, path);
      assert.equal(document.headers.vary, undefined, path);
    }
  });

  it('a sync that changes nothing changes the ETag of /stats alone', async () => {
    const paths = ['/events', '/events?city=berlin', '/cities/berlin', '/search?q=night', '/stats'];
    const tags = () =>
      Promise.all(
        paths.map(async (path) => (await ask(`${served.url}/api/v1${path}`, authorization())).headers.etag),
      );
    writeFileSync(join(folder.path, 'same.ndjson'), events.map((line) => JSON.stringify(line)).join('\n'));
    const file = join(folder.path, 'same.ndjson');
    runJson(['sources', 'add', 'same', '--type', 'feed', '--url', file, '--data', dataFile]);
    runJson(['sync', '--data', dataFile]);
    const before = await tags();
    runJson(['sync', '--data', dataFile]);
    const afterwards = await tags();
    assert.deepEqual(
      paths.filter((_, index) => before[index] !== afterwards[index]),
      ['/stats'],
    );
  });
});
