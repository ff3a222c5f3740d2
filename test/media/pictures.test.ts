/** Pictures from a real server: downloads, their bounds, failures and the folder. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { ImageCodec } from '../../src/media/codec.ts';
import { PictureCache } from '../../src/media/picture-cache.ts';
import { Pictures } from '../../src/media/pictures.ts';
import { digestOf } from '../../src/media/sizes.ts';
import { temporaryFolder } from '../support/program.ts';
import { animatedGif, bombPng, html, jpeg, png, svg } from './images.ts';

const folder = temporaryFolder();
const codec = new ImageCodec();
const requests: string[] = [];
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {};
let origin = '';
const server = createServer((request, response) => {
  const path = request.url as string;
  requests.push(path);
  const answer = answers[path.split('?', 1)[0] as string];
  if (answer !== undefined) answer(request, response);
  else response.writeHead(404).end();
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await codec.close();
  folder.remove();
});

/** The files of pictures and failures in a folder. */
const storedFiles = (path: string): string[] => readdirSync(path).filter((name) => name !== '.tally');

let opened = 0;
let now = Date.parse('2026-11-20T12:00:00Z');

function open(allow = ['127.0.0.1'], maxBytes = 10_000_000) {
  const path = join(folder.path, `pictures-${opened++}`);
  const fetch = createGuardedFetch({ allow, userAgent: 'cratebase/test' });
  const cache = new PictureCache(path, maxBytes);
  const pictures = new Pictures({
    openFetch: async () => fetch,
    cache,
    codec,
    log: (_, message) => assert.fail(message),
    now: () => now,
  });
  return { pictures, cache, path };
}

const serve = (path: string, body: Buffer, type = 'image/jpeg') => {
  answers[path] = (_, response) => response.writeHead(200, { 'Content-Type': type }).end(body);
};
const countOf = (path: string) => requests.filter((one) => one === path).length;
const patient = 20_000;

test('one download serves all sizes and all who wait, and later ones need none', async () => {
  serve('/one.jpg', await jpeg(800, 600));
  const { pictures, path } = open();
  const address = `${origin}/one.jpg`;
  const results = await Promise.all([96, 640, 1200].map((width) => pictures.get(address, width, patient)));
  const widths = results.map((result) => (typeof result === 'string' ? result : result.width));
  assert.deepEqual(widths, [96, 640, 800]);
  assert.equal(countOf('/one.jpg'), 1);
  const again = await pictures.get(address, 320, 0);
  assert.ok(typeof again === 'object' && again.width === 320);
  assert.equal(countOf('/one.jpg'), 1);
  assert.deepEqual(storedFiles(path), [`${digestOf(address)}.picture`]);
});

test('a visitor does not wait for a slow server', async () => {
  let finish = () => {};
  const body = png(20, 20, [1, 2, 3]);
  answers['/slow.png'] = (_, response) => {
    finish = () => response.end(body);
  };
  const { pictures } = open();
  assert.equal(await pictures.get(`${origin}/slow.png`, 96, 100), 'pending');
  finish();
  const late = await pictures.get(`${origin}/slow.png`, 96, patient);
  assert.ok(typeof late === 'object');
  assert.equal(countOf('/slow.png'), 1);
});

test('hostile and broken images fail, without a trace of their bytes', async () => {
  const photo = await jpeg(200, 200);
  serve('/svg.jpg', svg);
  serve('/html.jpg', html);
  serve('/bomb.png', bombPng(25_000, 25_000));
  serve('/cut.jpg', photo.subarray(0, 120));
  const { pictures, path } = open();
  for (const name of ['svg.jpg', 'html.jpg', 'bomb.png', 'cut.jpg', 'missing.jpg'])
    assert.equal(await pictures.get(`${origin}/${name}`, 96, patient), 'failed', name);
  const files = storedFiles(path);
  assert.equal(files.length, 5);
  for (const file of files) {
    assert.match(file, /^[0-9a-f]{32}\.failed$/);
    assert.doesNotMatch(readFileSync(join(path, file), 'utf8'), /script/);
  }
  serve('/moving.gif', animatedGif, 'text/html');
  assert.ok(typeof (await pictures.get(`${origin}/moving.gif`, 96, patient)) === 'object');
});

test('a failure is remembered, and tried again later and later', async () => {
  const { pictures } = open();
  const address = `${origin}/gone.jpg`;
  assert.equal(await pictures.get(address, 96, patient), 'failed');
  now += 14 * 60_000;
  assert.equal(await pictures.get(address, 96, patient), 'failed');
  assert.equal(countOf('/gone.jpg'), 1, 'a quarter of an hour has to pass');
  now += 2 * 60_000;
  assert.equal(await pictures.get(address, 96, patient), 'failed');
  assert.equal(countOf('/gone.jpg'), 2);
  now += 60 * 60_000;
  assert.equal(await pictures.get(address, 96, patient), 'failed');
  assert.equal(countOf('/gone.jpg'), 2, 'the second failure counts for two hours');
  now += 61 * 60_000;
  serve('/gone.jpg', png(10, 10, [1, 2, 3]));
  assert.ok(typeof (await pictures.get(address, 96, patient)) === 'object');
});

test('a clock that is set back lengthens no wait', async () => {
  const { pictures } = open();
  const address = `${origin}/early.jpg`;
  now += 60 * 86_400_000;
  assert.equal(await pictures.get(address, 96, patient), 'failed');
  now -= 60 * 86_400_000;
  serve('/early.jpg', png(10, 10, [1, 2, 3]));
  assert.ok(typeof (await pictures.get(address, 96, patient)) === 'object');
});

test('private addresses are not requested, also behind a redirect', async () => {
  answers['/away.jpg'] = (_, response) =>
    response.writeHead(302, { Location: 'http://10.1.2.3/x.jpg' }).end();
  answers['/metadata.jpg'] = (_, response) =>
    response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end();
  const { pictures, cache } = open();
  for (const name of ['away.jpg', 'metadata.jpg']) {
    assert.equal(await pictures.get(`${origin}/${name}`, 96, patient), 'failed');
    const failure = await cache.readFailure(digestOf(`${origin}/${name}`));
    assert.match(failure?.reason ?? '', /not a public address/);
  }
  const strict = open([]);
  const before = requests.length;
  assert.equal(await strict.pictures.get(`${origin}/one.jpg`, 96, patient), 'failed');
  assert.equal(await strict.pictures.get('file:///etc/passwd', 96, patient), 'failed');
  assert.equal(await strict.pictures.get('not an address', 96, patient), 'failed');
  assert.equal(requests.length, before);
});

test('an endless body is cut off', async () => {
  let isCut = false;
  answers['/endless.jpg'] = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' });
    const piece = Buffer.alloc(500_000, 255);
    const write = () => {
      while (!response.destroyed && response.write(piece)) {}
    };
    response.on('drain', write).on('close', () => {
      isCut = true;
    });
    write();
  };
  const { pictures, cache } = open();
  assert.equal(await pictures.get(`${origin}/endless.jpg`, 96, patient), 'failed');
  const failure = await cache.readFailure(digestOf(`${origin}/endless.jpg`));
  assert.match(failure?.reason ?? '', /larger than 12000000 bytes/);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(isCut);
});

test('two downloads of a host run at once', async () => {
  let [running, most] = [0, 0];
  const body = png(10, 10, [1, 2, 3]);
  answers['/many.png'] = (_, response) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      response.end(body);
    }, 20);
  };
  const { pictures } = open();
  const all = Array.from({ length: 8 }, (_, at) => pictures.get(`${origin}/many.png?${at}`, 96, patient));
  for (const result of await Promise.all(all)) assert.ok(typeof result === 'object');
  assert.equal(most, 2);
});

test('the folder stays below its limit; the least recently used pictures go, and no other file', async () => {
  const path = join(folder.path, 'small');
  mkdirSync(path);
  writeFileSync(join(path, 'holiday.jpg'), Buffer.alloc(100_000));
  // Four files of three blocks fit.
  const cache = new PictureCache(path, 56_000);
  const bytes = Buffer.alloc(9_000, 1);
  const names = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32));
  for (const [at, name] of names.entries()) {
    await cache.write(name, [{ width: 1, height: 1, bytes }]);
    const time = new Date(Date.UTC(2026, 0, 1 + at));
    utimesSync(join(path, `${name}.picture`), time, time);
  }
  const first = (sizes: readonly { width: number; height: number; length: number }[]) => sizes[0];
  // Reading makes it the most recently used one.
  assert.ok(await cache.read(names[0] as string, first));
  await cache.write('e'.repeat(32), [{ width: 1, height: 1, bytes }]);
  assert.equal(await cache.read(names[1] as string, first), null);
  for (const name of [names[0], names[2], names[3], 'e'.repeat(32)])
    assert.ok((await cache.read(name as string, first)) !== null, name);
  assert.ok(readdirSync(path).includes('holiday.jpg'));
});

/** Bytes of the stored pictures in a folder, as the file system counts them. */
const storedIn = (path: string): number =>
  storedFiles(path).reduce(
    (sum, name) => sum + Math.ceil(statSync(join(path, name)).size / 4_096) * 4_096,
    0,
  );

test('the stores of several workers keep one limit together', async () => {
  const path = join(folder.path, 'shared');
  const maxBytes = 400_000;
  const workers = Array.from({ length: 4 }, () => new PictureCache(path, maxBytes));
  let most = 0;
  for (let at = 0; at < 160; at++) {
    const [worker, bytes] = [workers[at % 4] as PictureCache, Buffer.alloc(1_000 + at * 60, 1)];
    await worker.write(at.toString(16).padStart(32, '0'), [{ width: 1, height: 1, bytes }]);
    most = Math.max(most, storedIn(path));
  }
  assert.ok(most <= maxBytes, `${most} bytes`);
  assert.ok(most > maxBytes * 0.8, 'the limit is used');
});

test('workers that store at the same time, and a lost tally, exceed the limit by little and briefly', async () => {
  const path = join(folder.path, 'at-once');
  const maxBytes = 400_000;
  const workers = Array.from({ length: 4 }, () => new PictureCache(path, maxBytes));
  for (let round = 0; round < 40; round++) {
    if (round === 20) rmSync(join(path, '.tally'), { force: true });
    await Promise.all(
      workers.map((worker, at) =>
        worker.write((round * 4 + at).toString(16).padStart(32, '0'), [
          { width: 1, height: 1, bytes: Buffer.alloc(9_000, 1) },
        ]),
      ),
    );
    // A lost tally is made again at the next measurement of any worker.
    const slack = round < 20 ? 4 * 12_288 : maxBytes;
    assert.ok(storedIn(path) <= maxBytes + slack, `round ${round}: ${storedIn(path)} bytes`);
  }
});

test('a damaged file is a miss', async () => {
  const path = join(folder.path, 'damaged');
  mkdirSync(path);
  const cache = new PictureCache(path, 1_000_000);
  const name = 'f'.repeat(32);
  const size = (length: number) => {
    const header = JSON.stringify([{ width: 96, height: 96, length }]);
    return `${String.fromCharCode(header.length)}\0\0\0${header}`;
  };
  const sizes = [size(-1), size(Number.MAX_SAFE_INTEGER), size(2 ** 40)];
  for (const content of [
    ...sizes,
    '',
    'xx',
    '\xff\xff\xff\xff[]',
    '\x02\0\0\0[]',
    '\x04\0\0\0[{}]',
    '\x02\0\0\0{]',
  ]) {
    writeFileSync(join(path, `${name}.picture`), Buffer.from(content, 'latin1'));
    assert.equal(await cache.read(name, (sizes) => sizes[0]), null, JSON.stringify(content));
  }
});

test('a folder that cannot be written is reported, and downloads pause', async () => {
  serve('/kept.png', png(10, 10, [1, 2, 3]));
  const blocked = join(folder.path, 'blocked');
  writeFileSync(blocked, '');
  const messages: string[] = [];
  const make = (path: string) =>
    new Pictures({
      openFetch: async () => createGuardedFetch({ allow: ['127.0.0.1'], userAgent: 'cratebase/test' }),
      cache: new PictureCache(path, 1_000_000),
      codec,
      log: (level, message) => messages.push(`${level}: ${message}`),
      now: () => now,
    });
  assert.equal(await make(blocked).get(`${origin}/kept.png`, 96, patient), 'failed');
  assert.deepEqual(messages.splice(0), ['warn: the folder of pictures cannot be read']);
  // No folder can be made below /proc.
  const pictures = make('/proc/cratebase-pictures');
  assert.equal(await pictures.get(`${origin}/kept.png`, 96, patient), 'failed');
  assert.deepEqual(messages, ['warn: a picture could not be stored']);
  const count = countOf('/kept.png');
  assert.equal(await pictures.get(`${origin}/kept.png`, 96, patient), 'failed');
  assert.equal(countOf('/kept.png'), count, 'no download until the pause is over');
  now += 301_000;
  assert.equal(await pictures.get(`${origin}/kept.png`, 96, patient), 'failed');
  assert.equal(countOf('/kept.png'), count + 1);
  now -= 86_400_000;
  assert.equal(await pictures.get(`${origin}/kept.png`, 96, patient), 'failed');
  assert.equal(countOf('/kept.png'), count + 2, 'a clock that is set back does not lengthen the pause');
  now += 86_400_000;
});

test('a fetch that cannot be opened is opened again for a later picture', async () => {
  serve('/later.png', png(10, 10, [1, 2, 3]));
  let attempts = 0;
  const messages: string[] = [];
  const pictures = new Pictures({
    openFetch: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not now');
      return createGuardedFetch({ allow: ['127.0.0.1'], userAgent: 'cratebase/test' });
    },
    cache: new PictureCache(join(folder.path, 'later'), 1_000_000),
    codec,
    log: (level, message) => messages.push(`${level}: ${message}`),
    now: () => now,
  });
  assert.equal(await pictures.get(`${origin}/later.png`, 96, patient), 'failed');
  assert.deepEqual(messages, ['warn: a picture could not be stored']);
  now += 301_000;
  const picture = await pictures.get(`${origin}/later.png`, 96, patient);
  assert.ok(typeof picture === 'object');
  assert.equal(attempts, 2);
});

test('closing ends a download that hangs', async () => {
  answers['/hangs.png'] = () => {};
  const { pictures, path } = open();
  assert.equal(await pictures.get(`${origin}/hangs.png`, 96, 20), 'pending');
  await pictures.close();
  assert.throws(() => readdirSync(path), /ENOENT/);
});
