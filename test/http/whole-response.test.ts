/** Responses that are written as one text have the headers that Node.js gives to the others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { folder } from '../support/cli-run.ts';
import { open, type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const served: Promise<Served> = serve('--dev --window 1000000 --quota 100000000', { cwd });

/** Everything that is sent on a connection until `count` responses have arrived, or it is closed. */
async function talk(requests: string, count: number): Promise<string> {
  const { port } = await served;
  const socket = await open(port);
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      text += piece;
      if (text.split('HTTP/1.1 ').length > count && isComplete(text)) resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.write(requests);
  await ended;
  socket.destroy();
  return text;
}

/** Whether the last response has its whole body. */
function isComplete(text: string): boolean {
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
  const end = last.indexOf('\r\n\r\n');
  return end > 0 && last.length === end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(last)?.[1]);
}

const ask = (key: string, path: string, more = ''): string =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;

/** The header lines of a response, without values that differ from response to response. */
const headersOf = (text: string): string[] =>
  text
    .slice(0, text.indexOf('\r\n\r\n'))
    .split('\r\n')
    .map((line) =>
      /^(?:date|x-request-id|x-ratelimit-remaining|x-quota-remaining|x-ratelimit-reset):/i.test(line)
        ? line.replace(/:.*/, '')
        : line,
    )
    .sort();

describe('a response written as one text', () => {
  for (const path of ['/genres?limit=2', '/events?limit=100', '/stats']) {
    test(`has the headers of one that Node.js writes: ${path}`, async () => {
      const { key } = await served;
      const one = await talk(ask(key, path), 1);
      // Node.js closes the connection after it, and writes the headers itself.
      const other = await talk(ask(key, path, 'Connection: close\r\n'), 1);
      const expected = headersOf(other).map((line) =>
        line === 'Connection: close' ? 'Connection: keep-alive' : line,
      );
      assert.deepEqual(headersOf(one), [...expected, 'Keep-Alive: timeout=75'].sort());
      assert.equal(one.split('\r\n\r\n')[1], other.split('\r\n\r\n')[1]);
      assert.match(one, /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
    });
  }

  test('answers pipelined requests in order, on one connection', async () => {
    const { key } = await served;
    const text = await talk(
      ask(key, '/genres?limit=1') + ask(key, '/nothing') + ask(key, '/cities?limit=1'),
      3,
    );
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['200', '404', '200'],
    );
  });

  test('is not used for HTTP/1.0, whose connection ends', async () => {
    const { key, port } = await served;
    const socket = await open(port);
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.write(ask(key, '/genres?limit=1').replace('HTTP/1.1', 'HTTP/1.0'));
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(text, /\r\nConnection: close\r\n/);
  });
});
