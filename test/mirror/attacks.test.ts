/** Clients that lose their right while they read, that read slowly, and records that may appear nowhere. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { folder, run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

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
/** Records of 40 MB that no compression makes small, so that a client can be slow. */
const large = Array.from({ length: 600 }, (_, at) =>
  event(`l${at}`, `Long night ${at}`, { description: randomBytes(34_000).toString('hex') }),
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
/** An account of a plan, with a key. */
async function account(plan: string): Promise<{ email: string; key: string; keyId: string }> {
  created++;
  const email = `mirror-${created}@example.com`;
  await command(['accounts', 'create', email, '--plan', plan]);
  const made = JSON.parse(await command(['keys', 'create', email, '--name', 'mirror', '--json'])) as Record<
    string,
    string
  >;
  const key = Object.values(made).find((value) => String(value).startsWith('cb_live_')) ?? '';
  const keyId = Object.values(made).find((value) => String(value).startsWith('key_')) ?? '';
  assert.ok(key !== '', JSON.stringify(made));
  return { email, key, keyId };
}

const paths = ['/changes?since=0&limit=10000', '/exports/catalogue.ndjson.gz'];

describe('a client that loses its right while it reads', () => {
  const ways: [string, (client: Awaited<ReturnType<typeof account>>) => Promise<unknown>][] = [
    ['its key is revoked', ({ keyId }) => command(['keys', 'revoke', keyId])],
    ['its account is suspended', ({ email }) => command(['accounts', 'suspend', email])],
    ['its plan is lowered', ({ email }) => command(['accounts', 'set-plan', email, 'free'])],
  ];
  for (const [name, lose] of ways)
    test(`${name}: the connection ends without the end of the body`, async () => {
      const client = await account('pro');
      const readers = await Promise.all(paths.map((path) => slowClient(path, client.key)));
      await lose(client);
      await pause(4_500);
      for (const [at, reader] of readers.entries())
        assert.equal(await reader.rest(), false, `${paths[at]} was sent to its end`);
      assert.ok([401, 403].includes((await get(paths[0] as string, {}, client.key)).status));
    });

  test('a slow client that keeps its right gets all', async () => {
    const { key } = await account('pro');
    const readers = await Promise.all(paths.map((path) => slowClient(path, key)));
    await pause(4_500);
    for (const reader of readers) assert.equal(await reader.rest(), true);
  });
});

test('readers that stop neither hold the log of the data file nor fill the memory', async () => {
  const { key } = await account('pro');
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]);
  const before = memory();
  const readers = await Promise.all(Array.from({ length: 12 }, () => slowClient(paths[0] as string, key)));
  await pause(500);
  // 12 responses of 40 MB; a step of each is about 3 ms of reading.
  assert.ok(memory() - before < 150_000, `${memory() - before} kB`);
  for (let round = 0; round < 4; round++)
    await command(
      ['import', '-', '--source', 'large'],
      asFeed(large.map((one) => ({ ...one, minimum_age: 16 + round }))),
    );
  await pause(1_000);
  const log = statSync(`${data}-wal`).size;
  assert.ok(log < 4 * 24_000_000, `${log} bytes`);
  const free = await command(['doctor', '--json']).catch((failure) => String(failure));
  assert.doesNotMatch(free, /End long-running readers/);
  for (const { request } of readers) request.destroy();
});

/** Everything that a client of the whole catalogue can read, as text. */
async function everything(): Promise<string> {
  const out = join(cwd, `all-${randomBytes(4).toString('hex')}`);
  await command(['export', '--out', out, '--base-url', server.url]);
  const texts = await Promise.all(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        if (entry.name.endsWith('.gz')) return gunzipSync(bytes).toString();
        if (!entry.name.endsWith('.parquet')) return bytes.toString();
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
        const rows = await parquetReadObjects({ file });
        // Statistics of columns hold values too.
        return [rows, parquetMetadata(file)]
          .map((value) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
          .join('\n')
          .concat(bytes.toString('latin1'));
      }),
  );
  let since = 0;
  for (let page = 0; page < 100; page++) {
    const text = await (await get(`/changes?since=${since}&limit=10000`)).text();
    texts.push(text);
    const end = JSON.parse(text.trimEnd().split('\n').at(-1) as string) as {
      revision: number;
      has_more: boolean;
    };
    since = end.revision;
    if (!end.has_more) break;
  }
  return texts.join('\n');
}

describe('records that are taken away', () => {
  const secret = (word: string) => [
    { kind: 'artist', external_id: `${word}-a`, name: `Zq${word}artist`, biography: `Zq${word}life` },
    event(`${word}-e`, `Zq${word}night`, {
      description: `Zq${word}text`,
      lineup: [{ name: `Zq${word}artist` }, { name: 'Vera Lindt' }],
      tickets: [{ seller: 'box', url: `https://tickets.example/Zq${word}` }],
      venue: { name: `Zq${word}house`, city: 'Hamburg', country: 'DE', address: `Zq${word}street 1` },
    }),
  ];
  const kept = event('kept', 'Kept night', {
    lineup: [{ name: 'Zqhidartist' }, { name: 'Zqforartist' }, { name: 'Vera Lindt' }],
  });

  before(async () => {
    await command(['import', '-', '--source', 'hid'], asFeed([...secret('hid'), kept]));
    await command(['import', '-', '--source', 'gone'], asFeed(secret('gone')));
    await command(['import', '-', '--source', 'for'], asFeed(secret('for')));
    const text = await everything();
    for (const word of ['hid', 'gone', 'for'])
      for (const part of ['artist', 'life', 'night', 'text', 'house', 'street'])
        assert.match(text, new RegExp(`Zq${word}${part}`), `${word} ${part}`);
  });

  test('hidden records leave their tombstones only', async () => {
    const found = JSON.parse(await command(['search', 'Zqhid', '--json'])) as unknown;
    assert.ok(JSON.stringify(found).includes('zqhid'));
    for (const record of ['event/zqhidnight-2027-12-04', 'artist/zqhidartist', 'venue/zqhidhouse-hamburg'])
      await command(['hide', record]).catch(() => command(['hide', record.replace('-hamburg', '')]));
    const text = await everything();
    const traces = text.split('\n').filter((line) => /zqhid/i.test(line));
    for (const line of traces) {
      const { change, data } = JSON.parse(line) as { change: string; data?: unknown };
      assert.equal(change, 'hidden', line.slice(0, 500));
      assert.equal(data, undefined);
    }
    assert.equal(new Set(traces.map((line) => JSON.parse(line).id)).size, 3);
    assert.doesNotMatch(text, /Zqhid(?:life|text|street)/i);
  });

  test('a withdrawn record too', async () => {
    const reduced = secret('gone').filter(({ kind }) => kind === 'artist');
    await command(['import', '-', '--source', 'gone', '--complete'], asFeed(reduced));
    const text = await everything();
    assert.doesNotMatch(text, /Zqgone(?:text|street)/i);
    for (const line of text.split('\n').filter((one) => /zqgonenight/i.test(one)))
      assert.match(line, /"change":"withdrawn"/, line.slice(0, 500));
  });

  test('nothing of a forgotten artist is left, not even the slug', async () => {
    await command(['forget', 'artist/zqforartist', '--name', 'remove', '--yes']);
    const text = await everything();
    assert.doesNotMatch(text, /zqforartist|zqforlife/i);
  });
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
