/** Opening what a source names: files, folders, gzip, addresses with retries, validators and caps; and charsets. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Failure } from '../../src/failure.ts';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import type { OpenedResource, OpenResourceOptions } from '../../src/sources/adapter.ts';
import { decodeText, readText } from '../../src/sources/common/charset.ts';
import { type CacheValidator, makeOpener, type OpenerSettings } from '../../src/sources/common/opener.ts';
import { redactUrl } from '../../src/sources/common/redact.ts';
import { credentialsFromEnv } from '../../src/sources/credentials.ts';
import { eventsIn, fileWith, read, serve } from '../support/source-server.ts';

const fetch = createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent: 'cratebase-test' });

async function textOf(
  location: string,
  options: OpenResourceOptions = {},
  more: Partial<OpenerSettings> = {},
) {
  const opened = await makeOpener({ location, fetch, pause: async () => {}, ...more }).open(
    location,
    options,
  );
  return opened === null ? null : await readText(opened);
}

const failing = (reason: RegExp) => (failure: unknown) =>
  failure instanceof Failure && reason.test(failure.message);

test('a file is read as it is, unpacked where it is gzipped, and never past its cap', async (context) => {
  assert.equal(await textOf(fileWith(context, 'a.txt', 'plain')), 'plain');
  assert.equal(await textOf(fileWith(context, 'a.txt.gz', gzipSync('packed'))), 'packed');
  assert.equal(await textOf(fileWith(context, 'empty', '')), '');
  const bomb = fileWith(context, 'bomb.gz', gzipSync(Buffer.alloc(50_000_000)));
  await assert.rejects(textOf(bomb, { maxBytes: 1_000_000 }), failing(/larger than 1000000 bytes/));
  const cut = fileWith(context, 'cut.gz', gzipSync('x'.repeat(100_000)).subarray(0, 60));
  await assert.rejects(textOf(cut), failing(/not a complete gzip file/));
  await assert.rejects(textOf('/nowhere/at/all'), failing(/There is no file \/nowhere\/at\/all\./));
  await assert.rejects(textOf(dirname(cut)), failing(/it is a folder/));
});

test('a named pipe is read to its end; one that delivers nothing is given up', {
  skip: process.platform === 'win32',
}, async (context) => {
  const pipe = `${fileWith(context, 'beside', '')}.pipe`;
  execFileSync('mkfifo', [pipe]);
  const opener = makeOpener({ location: pipe, fetch, minThroughputGraceMs: 200 });
  const silent = await opener.open(pipe);
  await assert.rejects(
    readText(silent as OpenedResource),
    failing(/is a named pipe, and no data arrived for/),
  );
  // With a writer that writes nothing.
  const mute = openSync(pipe, 'r+');
  await assert.rejects(readText((await opener.open(pipe)) as OpenedResource), failing(/no data arrived/));
  closeSync(mute);

  const other = `${pipe}-2`;
  execFileSync('mkfifo', [other]);
  const writer = spawn('sh', ['-c', `for n in 1 2 3; do echo line $n; sleep 0.05; done > ${other}`]);
  const ended = once(writer, 'exit');
  const patient = makeOpener({ location: other, fetch });
  assert.equal(await readText((await patient.open(other)) as OpenedResource), 'line 1\nline 2\nline 3\n');
  await ended;
});

test('a folder is listed by name, without what is hidden', async (context) => {
  const first = fileWith(context, 'b.txt', '');
  const folder = dirname(first);
  for (const name of ['a.txt', '.hidden', 'c.txt']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'inner'));
  const listed = await makeOpener({ location: folder, fetch }).list(folder);
  assert.deepEqual(
    listed,
    ['a.txt', 'b.txt', 'c.txt'].map((name) => join(folder, name)),
  );
});

test('a source of the web opens no files', async () => {
  const { open, list } = makeOpener({ location: 'https://example.org/', fetch });
  await assert.rejects(open('/etc/hostname'), failing(/not an http or https address/));
  await assert.rejects(list('/etc'), failing(/not an http or https address/));
  await assert.rejects(open('file:///etc/hostname'), failing(/not an http or https address/));
});

test('temporary errors are retried after the requested wait; permanent ones are reported at once', async (context) => {
  let calls = 0;
  const url = await serve(context, (request, response) => {
    calls++;
    if (request.url === '/busy')
      response.writeHead(calls < 3 ? 429 : 200, { 'retry-after': '7' }).end('at last');
    else if (request.url === '/later') response.writeHead(503, { 'retry-after': '86400' }).end();
    else if (request.url === '/reset' && calls < 2) request.socket.destroy();
    else if (request.url === '/reset') response.end('again');
    else response.writeHead(404).end();
  });
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
  };
  assert.equal(await textOf(`${url}/busy`, {}, { pause }), 'at last');
  assert.deepEqual(pauses, [7_000, 7_000]);
  calls = 0;
  await assert.rejects(textOf(`${url}/later`, {}, { pause }), failing(/answered 503/));
  assert.equal(calls, 1);
  calls = 0;
  assert.equal(await textOf(`${url}/reset`, {}, { pause }), 'again');
  calls = 0;
  await assert.rejects(textOf(`${url}/gone`, {}, { pause }), failing(/answered 404\. Check the address\./));
  assert.equal(calls, 1);
});

test('only what changed is asked for, once it was read to its end', async (context) => {
  const asked: (string | undefined)[] = [];
  const url = await serve(context, (request, response) => {
    asked.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"v1"' }).end('body');
  });
  const kept = new Map<string, CacheValidator>();
  const validators = {
    get: (key: string) => kept.get(key) ?? null,
    put: (key: string, value: CacheValidator) => void kept.set(key, value),
  };
  const { open } = makeOpener({ location: url, fetch, validators });
  const unread = await open(url, { conditional: true });
  await unread?.body[Symbol.asyncIterator]().return?.();
  // Not read to its end: nothing is known of it, and what was known before holds no longer.
  assert.deepEqual([...kept.values()], [{ etag: null, lastModified: null }]);
  assert.equal(await textOf(url, { conditional: true }, { validators }), 'body');
  assert.equal(await textOf(url, { conditional: true }, { validators }), null);
  assert.equal(await textOf(url, { conditional: true, variant: '2027-01' }, { validators }), 'body');
  assert.equal(await textOf(url, {}, { validators }), 'body');
  assert.deepEqual(asked, [undefined, undefined, '"v1"', undefined, undefined]);
});

test('a response that never ends is cut off', async (context) => {
  const url = await serve(context, (_request, response) => {
    const piece = Buffer.alloc(65_536, 'x');
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
  });
  await assert.rejects(textOf(url, { maxBytes: 1_000_000 }), failing(/larger than 1000000 bytes/));
});

test('no message shows a key', async (context) => {
  assert.equal(
    redactUrl('https://u:p@example.org/a?apikey=abc&size=2'),
    'https://example.org/a?apikey=(hidden)&size=2',
  );
  const url = await serve(
    context,
    (_request, response) => void response.writeHead(401).end('{"why":"bad key s3cret"}'),
  );
  const options = {
    secrets: ['s3cret'],
    describeErrorBody: (body: string) => JSON.parse(body).why as string,
  };
  await assert.rejects(
    textOf(`${url}/?q=s3cret`, options),
    (failure) => failing(/answered 401: bad key \(hidden\)/)(failure) && !String(failure).includes('s3cret'),
  );
});

test('a key comes from the environment or a file that it names', (context) => {
  const file = fileWith(context, 'key', 'from-file\n');
  assert.deepEqual(credentialsFromEnv('ticketmaster', { CRATEBASE_TICKETMASTER_KEY: 'abc' }), {
    apikey: 'abc',
  });
  assert.deepEqual(credentialsFromEnv('ticketmaster', { CRATEBASE_TICKETMASTER_KEY_FILE: file }), {
    apikey: 'from-file',
  });
  assert.deepEqual(credentialsFromEnv('ical', { CRATEBASE_TICKETMASTER_KEY: 'abc' }), {});
  assert.throws(
    () => credentialsFromEnv('ticketmaster', { CRATEBASE_TICKETMASTER_KEY_FILE: '/no/file' }),
    Failure,
  );
});

test('texts are read in the charset they are written in', () => {
  const cases: [Buffer, string | null, string][] = [
    [Buffer.from('Köln'), null, 'Köln'],
    [Buffer.from('\ufeffKöln'), null, 'Köln'],
    [Buffer.from('Köln', 'latin1'), null, 'Köln'],
    [Buffer.from('Köln', 'latin1'), 'text/html; charset=iso-8859-1', 'Köln'],
    [Buffer.from('Köln'), 'text/html; charset=iso-8859-1', 'Köln'],
    [Buffer.from('\ufeffKöln', 'utf16le'), null, 'Köln'],
    [Buffer.from('Köln', 'utf16le'), 'text/xml; charset=utf-16le', 'Köln'],
    [Buffer.from([0xcd, 0xee, 0xf7, 0xfc]), 'text/html; charset=windows-1251', 'Ночь'],
    [
      Buffer.concat([Buffer.from('<meta charset="windows-1251">'), Buffer.from([0xcd])]),
      null,
      '<meta charset="windows-1251">Н',
    ],
    [
      Buffer.concat([Buffer.from('é'.repeat(5)), Buffer.from([0xe9])]),
      'text/html; charset=utf-8',
      'ééééé\ufffd',
    ],
    [Buffer.from([0xe9]), 'text/html; charset=made-up', 'é'],
  ];
  for (const [bytes, type, expected] of cases) assert.equal(decodeText(bytes, type), expected);
});

test('private addresses stay closed', async (context) => {
  const url = await serve(context, (_request, response) => void response.end('secret'));
  const guarded = createGuardedFetch({ allow: [], userAgent: 'cratebase-test' });
  const { open } = makeOpener({ location: url, fetch: guarded });
  await assert.rejects(open(url), failing(/not a public address/));
});

test('a redirect of a feed is followed, and reported under its first address', async (context) => {
  const url = await serve(context, (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/feed' }).end();
    else response.end('{"kind":"event","external_id":"1","name":"Night","start_at":"2026-12-01"}\n');
  });
  assert.equal(eventsIn(await read('feed', `${url}/`)).length, 1);
});
