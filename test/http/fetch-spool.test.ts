/** Bodies that arrive faster than they are read: servers that close at once lose nothing, and memory stays small. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { spoolStream } from '../../src/fetch/spool.ts';

/** A folder of its own, gone after the test. */
function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cratebase-spool-test-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Sends a head and a body, and closes the connection at once. */
async function closing(context: TestContext, head: string, body: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(head);
      socket.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const patterned = (length: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: length / 4 }, (_, at) => at).buffer);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a server that closes the connection behind its answer', () => {
  const heads = (length: number): Record<string, string> => ({
    'HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\n',
    'Connection: close': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n',
    'Connection: close, with a length': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
    'a length alone': `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`,
  });
  for (const name of Object.keys(heads(0))) {
    for (const length of [64 * 1024, 5_000_000]) {
      test(`${name}, ${length} bytes, read slowly`, async (context) => {
        const body = patterned(length);
        const url = await closing(context, heads(length)[name] as string, body);
        const fetch = createGuardedFetch({
          allow: ['127.0.0.0/8'],
          userAgent: 'test',
          spoolFolder: folder(context),
        });
        const answer = await fetch(url, { maxBytes: 10_000_000, spool: true });
        const pieces: Uint8Array[] = [];
        for await (const piece of answer.body) {
          if (pieces.length < 20) await sleep(10);
          pieces.push(piece);
        }
        assert.equal(digest(Buffer.concat(pieces)), digest(body));
      });
    }
  }
  // Here the HTTP client itself once ended the process.
  test('an answer that is not read for a while does not slow down others', async (context) => {
    const body = patterned(64 * 1024);
    for (const head of [heads(0)['HTTP/1.0'], heads(0)['Connection: close']]) {
      const url = await closing(context, head as string, body);
      const answer = await createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent: 'test' })(url);
      await sleep(100);
      assert.equal(digest(await answer.bytes()), digest(body));
    }
  });
});

describe('spooled downloads', () => {
  const total = 4_000_000;
  const bounds = { memoryBytes: 100_000, fileBytes: 1_000_000 };
  const stream = (pieces: { pushed: number }) =>
    Readable.from(
      (function* () {
        const body = patterned(total);
        for (let at = 0; at < total; at += 70_000) {
          pieces.pushed = Math.min(total, at + 70_000);
          yield body.subarray(at, at + 70_000);
        }
      })(),
      { objectMode: false, highWaterMark: 1 },
    );

  test('goes through a file that has no name, as a ring, in order and within its bounds', async (context) => {
    const place = folder(context);
    const sent = { pushed: 0 };
    const pieces: Uint8Array[] = [];
    let [read, most] = [0, 0];
    for await (const piece of spoolStream(stream(sent), place, bounds)) {
      await sleep(2);
      most = Math.max(most, sent.pushed - read);
      read += piece.length;
      pieces.push(piece);
      assert.deepEqual(readdirSync(place), []);
    }
    assert.equal(digest(Buffer.concat(pieces)), digest(patterned(total)));
    assert.ok(most > bounds.memoryBytes && most < 1_600_000, String(most));
  });

  test('stays in memory, and the network waits, where no file can be made', async () => {
    const sent = { pushed: 0 };
    const pieces: Uint8Array[] = [];
    let [read, most] = [0, 0];
    for await (const piece of spoolStream(stream(sent), '/nowhere/at/all', bounds)) {
      await sleep(1);
      most = Math.max(most, sent.pushed - read);
      read += piece.length;
      pieces.push(piece);
    }
    assert.equal(digest(Buffer.concat(pieces)), digest(patterned(total)));
    assert.ok(most < 500_000, String(most));
  });

  test('a failure is reported after all bytes that came before it', async (context) => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('first');
        yield Buffer.from('second');
        throw new Error('broke off');
      })(),
      { objectMode: false },
    );
    let text = '';
    await assert.rejects(async () => {
      for await (const piece of spoolStream(broken, folder(context), bounds)) {
        await sleep(5);
        text += Buffer.from(piece).toString();
      }
    }, /broke off/);
    assert.equal(text, 'firstsecond');
  });

  test('who stops reading closes the file', { skip: !existsSync('/proc/self/fd') }, async (context) => {
    const before = readdirSync('/proc/self/fd').length;
    const place = folder(context);
    for await (const _ of spoolStream(stream({ pushed: 0 }), place, bounds)) {
      await sleep(20);
      break;
    }
    await sleep(5);
    assert.equal(readdirSync('/proc/self/fd').length, before);
  });
});
