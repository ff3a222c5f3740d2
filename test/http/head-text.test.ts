/** Responses whose head is sent as one text have the head that Node.js writes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sendWithHeadText } from '../../src/http/head-text.ts';
import { listen } from '../../src/http/server.ts';
import { folder } from '../support/cli-run.ts';
import { open, type Served, serve } from '../support/serve-process.ts';

const cwd = folder();

type Heard = { head: string; body: string };

/** Reads the responses on a connection; those to HEAD requests have no body. */
async function readResponses(socket: Socket, methods: readonly string[]): Promise<Heard[]> {
  let heard = Buffer.alloc(0);
  const responses: Heard[] = [];
  for (const method of methods) {
    for (;;) {
      const end = heard.indexOf('\r\n\r\n');
      const head = heard.toString('latin1', 0, Math.max(0, end));
      const length = method === 'HEAD' ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (end >= 0 && heard.length >= end + 4 + length) {
        responses.push({ head, body: heard.toString('utf8', end + 4, end + 4 + length) });
        heard = heard.subarray(end + 4 + length);
        break;
      }
      const [piece] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
      heard = Buffer.concat([heard, piece]);
    }
  }
  assert.equal(heard.length, 0, 'nothing is left over');
  return responses;
}

/** Of a head, without what differs between two requests. */
const comparable = (head: string): string =>
  head.replace(
    /^(Date|X-Request-Id|X-RateLimit-Remaining|X-Quota-Remaining|X-RateLimit-Reset): .+$/gm,
    '$1: …',
  );

describe('REST responses', () => {
  let served: Served;
  let slug: string;
  before(async () => {
    served = await serve('--dev --data heads.db --window 1000000', { cwd });
    const answer = await fetch(`${served.url}/api/v1/events?limit=1`, {
      headers: { authorization: `Bearer ${served.key}` },
    });
    slug = ((await answer.json()) as { data: { slug: string }[] }).data[0]?.slug as string;
  });
  after(() => served.stop());

  const requestOf = (method: string, path: string, more = '', version = '1.1') =>
    `${method} /api/v1${path} HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${served.key}\r\n${more}\r\n`;
  async function send(methods: readonly string[], path: string, more?: string, version?: string) {
    const socket = await open(served.port);
    socket.write(methods.map((method) => requestOf(method, path, more, version)).join(''));
    const responses = await readResponses(socket, methods);
    return { socket, responses };
  }

  for (const [what, path, more] of [
    ['a list with a next page', () => '/events?limit=2', ''],
    ['a list without one', () => '/genres?limit=100', ''],
    ['a record, which has Last-Modified', () => `/events/${slug}`, ''],
    ['a search beyond ASCII', () => '/search?q=%C3%BC%E2%82%AC', ''],
    ['a compressed list', () => '/events?limit=50', 'Accept-Encoding: gzip\r\n'],
  ] as const) {
    it(`${what}: GET has the head of HEAD`, async () => {
      const { socket, responses } = await send(['GET', 'HEAD', 'GET'], path(), more);
      const [get, head, again] = responses as [Heard, Heard, Heard];
      assert.match(get.head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.equal(comparable(get.head), comparable(head.head));
      assert.equal(comparable(again.head), comparable(head.head));
      assert.equal(again.body, get.body);
      assert.match(get.head, /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75$/);
      socket.destroy();
    });
  }

  it('a request that ends its connection is answered with Connection: close, and closed', async () => {
    for (const [version, more] of [
      ['1.1', 'Connection: close\r\n'],
      ['1.0', ''],
    ] as const) {
      const { socket, responses } = await send(['GET'], '/genres', more, version);
      assert.match(responses[0]?.head ?? '', /\r\nConnection: close/);
      if (!socket.closed) await once(socket, 'close');
    }
  });

  it('a connection of HTTP/1.0 that is kept open is kept open', async () => {
    const { socket, responses } = await send(['GET', 'GET'], '/genres', 'Connection: keep-alive\r\n', '1.0');
    assert.equal(responses.length, 2);
    for (const { head } of responses) assert.match(head, /\r\nConnection: keep-alive/);
    socket.destroy();
  });
});

describe('a head as one text', () => {
  it('is left to Node.js if a value must not be sent', async () => {
    const values = ['a\r\nSet-Cookie: b=1', 'a\nb', 'a\u0000', 'a\u20ac'];
    const sent: boolean[] = [];
    const server = await listen(
      { host: '127.0.0.1', port: 0, log: assert.fail },
      () => (request, response) => {
        const at = Number(request.url?.slice(1));
        const isSent = sendWithHeadText(
          request,
          response,
          ['X', values[at] ?? 'fine'],
          '',
          Buffer.from('body'),
        );
        sent.push(isSent);
        if (!isSent) response.end('other');
      },
    );
    for (const at of [0, 1, 2, 3, 4]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/${at}`);
      assert.equal(await answer.text(), at === 4 ? 'body' : 'other');
      assert.equal(answer.headers.get('x'), at === 4 ? 'fine' : null);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.deepEqual(sent, [false, false, false, false, true]);
    await server.close();
  });

  it('is left to Node.js if headers were set before', async () => {
    const server = await listen(
      { host: '127.0.0.1', port: 0, log: assert.fail },
      () => (request, response) => {
        response.setHeader('X-Before', 'kept');
        assert.equal(sendWithHeadText(request, response, [], '', Buffer.from('body')), false);
        response.end('other');
      },
    );
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    assert.equal(answer.headers.get('x-before'), 'kept');
    await server.close();
  });
});
