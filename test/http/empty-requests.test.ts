/** Requests without a body, which Node.js ends before a handler sees them, are answered wherever a body may come. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { folder } from '../support/cli-run.ts';
import { open, type Served, serve } from '../support/serve-process.ts';

const cwd = folder();

/** Sends a request, then one to /healthz over the same connection. Returns the statuses of both. */
async function statuses(socket: Socket, first: string): Promise<number[]> {
  socket.write(first);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  let heard = '';
  const found = () => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  while (found().length < 2) {
    const [piece] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
    heard += piece.toString('latin1');
  }
  socket.destroy();
  return found();
}

describe('a request that has no body where one may come', () => {
  let served: Served;
  before(async () => {
    served = await serve('--dev --data empty.db', { cwd });
  });
  after(() => served.stop());

  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const json = 'Content-Type: application/json\r\n';
  const cases: readonly (readonly [path: string, fields: string, expected: number])[] = [
    ['/mcp', json, 400],
    ['/oauth/token', form, 400],
    ['/oauth/register', json, 400],
    ['/account/sign-in', form, 403],
    ['/account/sign-up', form, 403],
    ['/api/v1/events', json, 405],
  ];
  for (const [path, fields, expected] of cases) {
    it(`POST ${path}`, async () => {
      const own = path === '/mcp' ? `Authorization: Bearer ${served.key}\r\n` : '';
      const withoutLength = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${fields}${own}Accept: application/json, text/event-stream\r\n\r\n`;
      const withLength = withoutLength.replace(/\r\n$/, 'Content-Length: 0\r\n\r\n');
      const [bare, empty] = [
        await statuses(await open(served.port), withoutLength),
        await statuses(await open(served.port), withLength),
      ];
      assert.deepEqual(bare, empty, 'as with Content-Length: 0');
      assert.deepEqual(bare, [expected, 200]);
    });
  }
});
