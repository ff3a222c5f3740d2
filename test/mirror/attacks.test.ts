/** Clients that lose their right while they read, that read slowly, and that ask for odd ranges. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openAccess } from '../../src/access/access.ts';
import { systemClock } from '../../src/clock.ts';
import { maxOpenAnswers } from '../../src/mirror/open-answers.ts';
import { openDatabase } from '../../src/store/database.ts';
import { folder, run } from '../support/cli-run.ts';
import { open, type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const [data, exports] = [join(cwd, 'c.db'), join(cwd, 'exports')];
const options = `--dev --plan pro --window 1000 --empty --no-sync --data ${data} --export-dir ${exports} --export-every 31d`;
let server: Served;

const command = async (line: string[], input = '') => {
  const { status, stdout, stderr } = await run([...line, '--data', data], { cwd, input });
  assert.equal(status, 0, `${line.join(' ')}: ${stderr}`);
  return stdout;
};
const get = (path: string, headers: Record<string, string> = {}, key = server.key) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });

const place = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  venue: { ...place, name: `Hall ${id}` },
  ...more,
});
/** Records of 18 MB that no compression makes small: more than the buffers of a connection hold. */
const large = Array.from({ length: 200 }, (_, at) =>
  event(`l${at}`, `Long night ${at}`, { description: randomBytes(67_000).toString('base64url') }),
);
const asFeed = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

before(async () => {
  mkdirSync(exports);
  await command(['import', '-', '--source', 'large'], asFeed(large));
  server = await serve(options, { cwd });
  await command(['export', '--dir', exports, '--base-url', server.url]);
});
after(() => server?.stop());

/** A client that takes the first bytes of a response and no more until `rest` is called. */
async function slowClient(path: string, key: string) {
  const request: ClientRequest = httpGet(server.url + path, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  await once(response, 'readable');
  return {
    request,
    /** Reads on; whether the response was complete. */
    rest: async (): Promise<boolean> => {
      try {
        for await (const _ of response);
        return response.complete;
      } catch {
        return false;
      }
    },
  };
}

let created = 0;
/** An account of the plan Pro with a key, and the ways to take its right away. */
async function account() {
  created++;
  const email = `mirror-${created}@example.com`;
  const sqlite = openDatabase(data, { create: false });
  after(() => sqlite.close());
  const access = openAccess(sqlite, systemClock);
  await access.accounts.ensure(email, 'pro');
  const { id, key } = await access.keys.create(email, 'mirror');
  return { access, email, key, id };
}

const paths = ['/changes?since=0&limit=10000', '/exports/catalogue.ndjson.gz'];

describe('a client that loses its right while it reads', () => {
  const ways: [string, (client: Awaited<ReturnType<typeof account>>) => Promise<unknown>][] = [
    ['its key is revoked', ({ access, id }) => access.keys.revoke(id)],
    [
      'its account is suspended',
      ({ access, email }) => access.accounts.suspend(email, { force: true }, 'terminal:ada'),
    ],
    ['its plan is lowered', ({ access, email }) => access.accounts.setPlan(email, 'free')],
  ];
  for (const [name, lose] of ways)
    test(`${name}: the connection ends without the end of the body`, async () => {
      const client = await account();
      const readers = await Promise.all(paths.map((path) => slowClient(path, client.key)));
      await lose(client);
      await pause(4_500);
      for (const [at, reader] of readers.entries())
        assert.equal(await reader.rest(), false, `${paths[at]} was sent to its end`);
      assert.ok([401, 403].includes((await get(paths[0] as string, {}, client.key)).status));
    });

  test('a slow client that keeps its right gets all', async () => {
    const { key } = await account();
    const readers = await Promise.all(paths.map((path) => slowClient(path, key)));
    await pause(4_500);
    for (const reader of readers) assert.equal(await reader.rest(), true);
  });
});

/** The number of open handles of the service that are files of exports. */
const openExports = (): number =>
  readdirSync(`/proc/${server.child.pid}/fd`).filter((handle) => {
    try {
      return readlinkSync(`/proc/${server.child.pid}/fd/${handle}`).startsWith(exports);
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;

for (const [how, pipelined, waitMs] of [
  ['at once', 1, 0],
  ['soon', 1, 2],
  ['with responses that wait for others', 3, 0],
] as const)
  test(`clients that leave ${how} leave no file open`, {
    skip: process.platform === 'linux' ? false : 'needs /proc',
  }, async () => {
    const { key } = await account();
    const request = `GET /exports/events.csv.gz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    for (let at = 0; at < 120; at++) {
      const socket = await open(server.port);
      socket.on('error', () => {});
      socket.write(request.repeat(pipelined));
      await pause(waitMs + (at % 3));
      socket.destroy();
    }
    const end = Date.now() + 5_000;
    while (openExports() > 0 && Date.now() < end) await pause(50);
    assert.equal(openExports(), 0);
    assert.equal((await get('/exports/genres.csv.gz', {}, key)).status, 200);
  });

test('readers that stop neither hold the log of the data file nor fill the memory', async () => {
  const { key } = await account();
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]);
  const before = memory();
  const readers = await Promise.all(Array.from({ length: 24 }, () => slowClient(paths[0] as string, key)));
  await pause(500);
  // 24 responses of 18 MB; a step of each is about 3 ms of reading.
  assert.ok(memory() - before < 200_000, `${memory() - before} kB`);
  for (let round = 0; round < 2; round++)
    await command(
      ['import', '-', '--source', 'large'],
      asFeed(large.map((one) => ({ ...one, minimum_age: 16 + round }))),
    );
  await pause(1_000);
  const log = statSync(`${data}-wal`).size;
  assert.ok(log < 100_000_000, `${log} bytes`);
  const free = await command(['doctor', '--json']).catch((failure) => String(failure));
  assert.doesNotMatch(free, /End long-running readers/);
  for (const { request } of readers) request.destroy();
});

test('a key receives a bounded number of answers at once; further ones are refused whole', async () => {
  const { key } = await account();
  const requests = Array.from({ length: maxOpenAnswers + 30 }, () =>
    httpGet(server.url + paths[1], { headers: { authorization: `Bearer ${key}` }, agent: false }),
  );
  const responses = await Promise.all(
    requests.map(async (request) => ((await once(request, 'response')) as [IncomingMessage])[0]),
  );
  const refused = responses.filter(({ statusCode }) => statusCode !== 200);
  assert.equal(refused.length, 30);
  for (const { statusCode, headers } of refused) {
    assert.equal(statusCode, 429);
    assert.equal(headers['retry-after'], '1');
  }
  assert.equal((await get('/changes?since=0')).status, 200, 'another key');
  for (const request of requests) {
    request.on('error', () => {});
    request.destroy();
  }
  for (let wait = 0; wait < 50; wait++) {
    const { status, body } = await get('/changes?since=0', {}, key);
    await body?.cancel();
    if (status === 200) return;
    await pause(100);
  }
  assert.fail('the key has its answers back once the clients are gone');
});

describe('ranges of an export', () => {
  const path = '/exports/catalogue.ndjson.gz';

  test('beyond the end, several, upside down and without end', async () => {
    const whole = Buffer.from(await (await get(path)).arrayBuffer());
    const { length } = whole;
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await get(path, { range, ...more });
      return { response, body: Buffer.from(await response.arrayBuffer()) };
    };
    for (const range of [
      `bytes=${length}-`,
      `bytes=${length + 5}-${length + 9}`,
      'bytes=-0',
      'bytes=999999999999999-',
    ]) {
      const { response } = await part(range);
      assert.equal(response.status, 416, range);
      assert.equal(response.headers.get('content-range'), `bytes */${length}`);
    }
    for (const [range, first, last] of [
      [`bytes=${length - 4}-${length + 100}`, length - 4, length - 1],
      [`bytes=-${length + 100}`, 0, length - 1],
      ['bytes=0-0', 0, 0],
    ] as const) {
      const { response, body } = await part(range);
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get('content-range'), `bytes ${first}-${last}/${length}`);
      assert.deepEqual(body, whole.subarray(first, last + 1));
    }
    // Several ranges, other units and what is no range: the whole file (RFC 9110, section 14.2).
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=5-2',
      'lines=1-2',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      `bytes=${'1'.repeat(30)}-`,
    ]) {
      const { response, body } = await part(range);
      assert.equal(response.status, 200, range);
      assert.ok(body.equals(whole));
    }
  });

  test('HEAD ignores a range, as it says of the whole file', async () => {
    const size = (await (await get(path)).arrayBuffer()).byteLength;
    for (const range of ['bytes=0-9', `bytes=${size}-`]) {
      const response = await fetch(server.url + path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${server.key}`, range },
      });
      assert.equal(response.status, 200, range);
      assert.equal(response.headers.get('content-length'), String(size));
      assert.equal(response.headers.get('content-range'), null);
    }
  });

  test('a range of an old export is not mixed with a new one', async () => {
    const old = await get(path);
    const tag = old.headers.get('etag') as string;
    const named = old.headers.get('content-location') as string;
    const bytes = Buffer.from(await old.arrayBuffer());
    await command(['import', '-', '--source', 'more'], asFeed([event('new', 'Another night')]));
    await pause(1_100);
    await command(['export', '--dir', exports, '--base-url', server.url]);
    const ranged = await get(path, { range: 'bytes=100-', 'if-range': tag });
    assert.equal(ranged.status, 200, 'the whole new file');
    const now = Buffer.from(await ranged.arrayBuffer());
    assert.equal(ranged.headers.get('etag'), `"${createHash('sha256').update(now).digest('hex')}"`);
    assert.notEqual(ranged.headers.get('etag'), tag);
    for (const unusable of [`W/${tag}`, 'Fri, 20 Nov 2026 12:00:00 GMT', '"other"'])
      assert.equal((await get(path, { range: 'bytes=100-', 'if-range': unusable })).status, 200, unusable);
    // The old export keeps its address, so that the download can be finished.
    const rest = await get(named, { range: 'bytes=100-', 'if-range': tag });
    assert.equal(rest.status, 206);
    assert.ok(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(100)));
  });
});
