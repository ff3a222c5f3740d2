/** Servers that send a few bytes again and again, so that no timeout between two chunks ends the transfer. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { readBody } from '../../src/fetch/body.ts';

const folder = mkdtempSync(join(tmpdir(), 'cratebase-drip-test-'));
after(() => rmSync(folder, { recursive: true }));

const maxChunks = 60;
/** Sends a chunk every 20 ms, for 1.2 s. */
async function* drip(chunkOf: (index: number) => Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < maxChunks; index += 1) {
    yield chunkOf(index);
    await sleep(20);
  }
}

/** Returns the number of bytes that were read. */
async function read(body: Readable, encoding?: string, pauseMs = 0): Promise<number> {
  const explain = (failure: unknown) => failure;
  let bytes = 0;
  const options = { encoding, maxBytes: 10_000_000, spoolFolder: folder, windowMs: 200, explain };
  for await (const chunk of readBody(body, options)) {
    bytes += chunk.length;
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return bytes;
}

const tooSlow = { reason: 'timeout', message: /less than 128 bytes a second/ };

describe('a body that arrives slowly', () => {
  test('is ended below 128 bytes a second', async () => {
    await assert.rejects(read(Readable.from(drip(() => Buffer.from('x')))), tooSlow);
  });

  test('is ended also if it is compressed and decodes to nothing', async () => {
    const zipped = gzipSync(Buffer.alloc(10_000, 'abc'));
    const body = Readable.from(drip((at) => zipped.subarray(at, at + 1)));
    await assert.rejects(read(body, 'gzip'), tooSlow);
  });

  test('is read to its end above', async () => {
    assert.equal(await read(Readable.from(drip(() => Buffer.alloc(100)))), 100 * maxChunks);
  });

  test('a slow reader is no reason', async () => {
    const chunks = Array.from({ length: 12 }, () => Buffer.from('x'));
    assert.equal(await read(Readable.from(chunks, { highWaterMark: 1 }), undefined, 60), 12);
  });
});
