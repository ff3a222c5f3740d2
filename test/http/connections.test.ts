/** Connections of a service that runs and ends: kept alive, idle, too many, unreadable. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { endConnections, trackConnections } from '../../src/http/connections.ts';
import { folder } from '../support/cli-run.ts';
import { open, type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const onUnix = { skip: process.platform === 'win32' ? 'needs a shell' : false };

/** What one connection hears while it asks again and again, until the server closes it. */
type Conversation = { answers: string[]; unanswered: boolean };

/** Asks over one kept-alive connection until it is closed; `pauseMs` lies between an answer and the next request. */
async function converse(socket: Socket, request: string, pauseMs: number): Promise<Conversation> {
  const answers: string[] = [];
  let [heard, waiting] = ['', false];
  const ask = () => {
    if (!socket.writable) return;
    waiting = true;
    socket.write(request);
  };
  socket.on('data', (piece) => {
    heard += piece;
    const end = heard.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1]);
    if (end < 0 || heard.length < end + 4 + length) return;
    const answer = heard.slice(0, end);
    answers.push(answer);
    heard = heard.slice(end + 4 + length);
    waiting = false;
    if (!/\r\nconnection: close/i.test(answer)) setTimeout(ask, pauseMs);
  });
  ask();
  await once(socket, 'close');
  return { answers, unanswered: waiting };
}

/** Everything that a connection hears until the server closes it. */
async function hear(socket: Socket): Promise<string> {
  let heard = '';
  socket.on('data', (piece) => {
    heard += piece;
  });
  await once(socket, 'close');
  return heard;
}

const request = ({ key }: Served, path = '/api/v1/genres'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

const statuses = (heard: string): string[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);

describe('the end of a service', () => {
  for (const workers of [1, 2]) {
    test(`requests on kept-alive connections are answered, with ${workers} workers`, async () => {
      const limits = '--window 1000000 --quota 100000000 --plan pro';
      const served = await serve(`--dev --empty --data busy-${workers}.db --workers ${workers} ${limits}`, {
        cwd,
      });
      const sockets = await Promise.all(Array.from({ length: 32 }, () => open(served.port)));
      // Some ask without a pause, some with one in which the service ends.
      const talks = sockets.map((socket, at) => converse(socket, request(served), at % 8));
      await delay(500);
      assert.equal(await served.stop(), 0);
      for (const { answers, unanswered } of await Promise.all(talks)) {
        assert.equal(unanswered, false);
        assert.ok(answers.length > 1);
        for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 /);
        assert.match(answers.at(-1) ?? '', /\r\nConnection: close/i);
      }
    });
  }

  test('connections that the system made while the process was busy are answered', async () => {
    const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
       const { connect } = require('node:net');
       const asked = Array.from({ length: 8 }, () => new Promise((resolve) => {
         let heard = '';
         const socket = connect(workerData.port, '127.0.0.1', () => {
           socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
             Atomics.add(workerData.sent, 0, 1);
             Atomics.notify(workerData.sent, 0);
           });
         });
         socket.on('data', (piece) => { heard += piece; });
         socket.on('error', (failure) => { heard = failure.code; });
         socket.on('close', () => resolve(heard.split('\\r')[0]));
       }));
       Promise.all(asked).then((answers) => parentPort.postMessage(answers));`,
      { eval: true, workerData: { port, sent } },
    );
    const answers = once(clients, 'message') as Promise<[string[]]>;
    await once(clients, 'online');
    // The event loop is held until the requests of all eight are under way.
    while (Atomics.load(sent, 0) < 8) Atomics.wait(sent, 0, Atomics.load(sent, 0), 10_000);
    await endConnections(server, trackConnections(server), { isStopping: false });
    const [heard] = await answers;
    assert.deepEqual(heard, Array(8).fill('HTTP/1.1 200 OK'));
    await clients.terminate();
  });

  test('idle connections are closed, and not waited for; it is not ready meanwhile', async () => {
    const served = await serve('--dev --empty --data idle.db', { cwd });
    const used = await open(served.port);
    used.write(request(served));
    await once(used, 'data');
    const unused = await open(served.port);
    const late = await open(served.port);
    late.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
    await delay(100);
    const closed = Promise.all([used, unused].map((socket) => once(socket, 'close')));
    const status = served.stop();
    await delay(100);
    const heard = hear(late);
    late.write('\r\n');
    assert.match(await heard, /^HTTP\/1\.1 503 [\s\S]*shutting down/);
    const began = performance.now();
    await closed;
    assert.equal(await status, 0);
    assert.ok(performance.now() - began < 3_000, 'the five seconds of grace are for who is being served');
  });
});

describe('a request that turns out to be none', () => {
  let served: Served;
  test('gets one answer, not two', async () => {
    served = await serve('--dev --empty --data twice.db', { cwd });
    const chunked = (path: string, more: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}Transfer-Encoding: chunked\r\n\r\n`;
    const cases: [string, string, string[]][] = [
      // The answer stands before the body turns out to be broken.
      [chunked('/api/v1/genres', ''), 'this is no chunk\r\n', ['401']],
      [chunked('/healthz', ''), 'this is no chunk\r\n', ['200']],
      [
        request(served).replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\n'),
        '12345oh\r\n\r\n',
        ['200', '400'],
      ],
    ];
    for (const [head, rest, expected] of cases) {
      const socket = await open(served.port);
      const heard = hear(socket);
      socket.write(head);
      await once(socket, 'data');
      socket.write(rest);
      assert.deepEqual(statuses(await heard), expected, head);
    }
  });

  test('gets that answer after the answers to earlier requests', async () => {
    const socket = await open(served.port);
    const heard = hear(socket);
    socket.write(`${request(served)}${request(served)}NONSENSE\r\n\r\n`);
    assert.deepEqual(statuses(await heard), ['200', '200', '400']);
  });

  test('is answered once where the body is broken before it is read', async () => {
    const socket = await open(served.port);
    const heard = hear(socket);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${served.key}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`);
    assert.deepEqual(statuses(await heard), ['400']);
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
    assert.deepEqual(
      served.log().filter(({ level }) => level === 'error'),
      [],
    );
    await served.stop();
  });
});

describe('many connections', onUnix, () => {
  test('if no file handles are left, that is logged once, and the service recovers', async () => {
    const served = await serve('--dev --empty --data handles.db', { cwd, shell: 'ulimit -n 128' });
    const sockets = await Promise.all(Array.from({ length: 150 }, () => open(served.port)));
    for (let tries = 0; tries < 100 && !served.log().some(({ trouble }) => trouble); tries++) await delay(20);
    const troubles = served.log().filter(({ level }) => level === 'error');
    assert.equal(troubles.length, 1);
    assert.match(String(troubles[0]?.message), /no file handles left/);
    assert.match(String(troubles[0]?.advice), /ulimit -n/);
    // Those that stand are served, files are read.
    const standing = sockets.find((socket) => !socket.destroyed && socket.readyState === 'open') as Socket;
    standing.write(request(served));
    const [answer] = await once(standing, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    let status = 0;
    for (let tries = 0; tries < 50 && status !== 200; tries++) {
      await delay(50);
      status = await fetch(`${served.url}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    }
    assert.equal(status, 200);
    await served.stop();
  });

  test('two thousand that send nothing do not keep others from being served', async () => {
    const served = await serve('--dev --empty --data crowd.db --window 10000', {
      cwd,
      shell: 'ulimit -n 4096',
    });
    const sockets: Socket[] = [];
    for (let hundred = 0; hundred < 20; hundred++) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(served.port)))));
    }
    const own = await open(served.port);
    const talk = converse(own, request(served), 0);
    await delay(300);
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    assert.equal(await served.stop(), 0);
    const { answers, unanswered } = await talk;
    assert.equal(unanswered, false);
    assert.ok(answers.length > 10 && answers.every((answer) => answer.startsWith('HTTP/1.1 200 ')));
    for (const socket of sockets) socket.destroy();
  });
});
