/** Bodies of a megabyte: refused before they are parsed if they have many values, and few are held at a time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../bench/random.ts';
import { hasMoreValues } from '../../src/mcp/count-values.ts';
import { folder, run } from '../support/cli-run.ts';

import { open, type Served, serve } from '../support/serve-process.ts';

/** The values of a parsed text, counted one by one. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + 1 + countValues(one), 0);
}

describe('values of a JSON text', () => {
  it('are as many as the parsed text has', () => {
    const source = new Random(7);
    const random = () => source.next();
    const text = (): string =>
      ['', 'a,b', '[{', '\\', '"', '\\"', '\\\\", [', 'é\u2028,'][Math.floor(random() * 8)] as string;
    const make = (depth: number): unknown => {
      const kind = Math.floor(random() * (depth > 5 ? 3 : 5));
      if (kind === 0) return text();
      if (kind === 1) return Math.floor(random() * 1_000);
      if (kind === 2) return null;
      const length = Math.floor(random() * 6);
      if (kind === 3) return Array.from({ length }, () => make(depth + 1));
      return Object.fromEntries(Array.from({ length }, (_, at) => [`${text()}${at}`, make(depth + 1)]));
    };
    for (let round = 0; round < 400; round++) {
      const value = [make(0), make(0), make(0)];
      const count = countValues(value);
      for (const indent of [0, 2]) {
        // Padded, since a text that is too short for so many values is not read.
        const json = Buffer.from(JSON.stringify(value, null, indent) + ' '.repeat(2 * count + 2));
        assert.equal(hasMoreValues(json, count), false, json.toString());
        assert.equal(hasMoreValues(json, count - 1), true, json.toString());
      }
    }
  });

  it('end with a text that does not end', () => {
    assert.equal(hasMoreValues(Buffer.from(`["${'\\'.repeat(9_999)}`), 10), false);
  });
});

describe('large bodies', () => {
  const cwd = folder();
  let served: Served;
  let otherKey = '';
  before(async () => {
    served = await serve('--dev --data c.db --empty --no-sync --window 5000', { cwd });
    await run(['accounts', 'create', 'other@example.com', '--data', 'c.db'], { cwd });
    const { stdout } = await run(
      ['keys', 'create', 'other@example.com', '--name', 'other', '--data', 'c.db', '--json'],
      { cwd },
    );
    otherKey = (JSON.parse(stdout) as { key: string }).key;
  });
  after(() => served.stop());

  const head = (key: string, length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\nContent-Length: ${length}\r\n\r\n`;
  const ping = async (key: string): Promise<number> => {
    const response = await fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    await response.text();
    return response.status;
  };

  it('are refused without being parsed if they are deep', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const socket = await open(served.port);
    const cpuBefore = cpuMsOf(served);
    for (let at = 0; at < 5; at++) {
      socket.write(head(served.key, deep.length) + deep);
      const [piece] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
      assert.match(piece.toString(), /^HTTP\/1\.1 400 /);
      assert.match(piece.toString(), /at most 2000 values/);
    }
    socket.destroy();
    // Parsed, each takes 70 to 220 ms.
    if (cpuBefore !== null) assert.ok((cpuMsOf(served) as number) - cpuBefore < 250);
  });

  it('are held a few at a time', async () => {
    const length = 1_045_000;
    const sockets: Socket[] = [];
    const heard: string[] = [];
    for (let at = 0; at < 20; at++) {
      const socket = await open(served.port);
      sockets.push(socket);
      socket.on('data', (piece: Buffer) => heard.push(piece.toString('latin1')));
      socket.on('error', () => {});
      socket.write(head(served.key, length));
      socket.write(' '.repeat(length - 5_000));
    }
    const end = Date.now() + 10_000;
    while (heard.length < 12 && Date.now() < end) await setTimeout(20);
    assert.equal(heard.length, 12, 'of twenty bodies, eight are kept');
    for (const text of heard) assert.match(text, /^HTTP\/1\.1 429 [\s\S]*"type":"rate_limited"/);
    assert.equal(await ping(otherKey), 200);
    for (const socket of sockets) socket.destroy();
    while ((await ping(served.key)) !== 200 && Date.now() < end) await setTimeout(20);
    assert.equal(await ping(served.key), 200, 'the memory is free again');
  });
});

/** The processor time of the service so far, in ms; null where /proc does not tell it. */
function cpuMsOf({ child }: Served): number | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
