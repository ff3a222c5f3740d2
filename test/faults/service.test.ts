/** A service of the executable beside hostile clients, other services, missing file handles and clocks that go back. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonToSkip } from '../support/executable.ts';
import {
  ask,
  folder,
  isCutOff,
  random,
  report,
  run,
  type Service,
  serve,
  start,
  stop,
  tries,
  wasKeptAlive,
} from './fault-table.ts';
import { feed } from './feeds.ts';

const file = 'test/faults/service.test.ts';
const cwd = folder();
const command = (line: string, expected: number | null = 0) => run(line.split(' '), { cwd }, expected);
const roomy = ['--plan', 'pro', '--window', '1000000', '--quota', '1000000', '--no-sync'];

/** Opens a connection; an error of it is no failure of the test. */
function open({ url }: Service): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}

/** Sends bytes and reads until the other side hangs up, or for `ms`. */
async function send(service: Service, bytes: string | Buffer, ms = 1_000): Promise<string> {
  const socket = open(service);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  socket.write(bytes);
  await Promise.race([once(socket, 'close').catch(() => {}), sleep(ms)]);
  socket.destroy();
  return text;
}

async function median(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(times / 2)] as number;
}

describe('a service', { skip: reasonToSkip() }, () => {
  before(async () => {
    writeFileSync(join(cwd, 'a.ndjson'), feed('alpha', 60));
    await command('import a.ndjson --source alpha --data served.db');
  });

  test('two services on one file share one quota', async () => {
    const options = ['--data', 'shared.db', '--empty', '--quota', '200', '--window', '100000', '--no-sync'];
    const first = await serve(options, { cwd });
    const second = await serve(options, { cwd });
    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => ask(index % 2 ? first : second, '/api/v1/genres')),
    );
    const answered = statuses.filter((status) => status === 200).length;
    assert.equal(answered, 200);
    assert.equal(statuses.filter((status) => status === 429).length, 200);
    await Promise.all([stop(first), stop(second)]);
    const outcome = `of 400 requests at two services ${answered} were answered: the quota`;
    report({ fault: 'two services on one file', tried: 1, outcome, test: file });
  });

  test('a clock that goes back over the end of the month', async () => {
    const at = async (now: string, requests: number) => {
      const options = ['--data', 'clock.db', '--empty', '--quota', '5', '--window', '100000', '--no-sync'];
      const service = await serve([...options, '--now', now], { cwd });
      let answered = 0;
      for (let request = 0; request < requests; request++)
        if ((await ask(service, '/api/v1/genres')) === 200) answered++;
      await stop(service);
      return answered;
    };
    const answered = [
      await at('2026-11-30T23:59:50Z', 4),
      await at('2026-12-01T00:00:10Z', 6),
      await at('2026-11-30T23:59:55Z', 6),
      await at('2026-12-01T00:00:20Z', 6),
    ];
    // Each month has its quota of 5 once, whatever the clock does between.
    assert.deepEqual(answered, [4, 5, 1, 0]);
    const outcome = 'each month gives its quota once (5 + 5 of 22 requests)';
    report({ fault: 'clock back over the end of the month', tried: 1, outcome, test: file });
  });

  test('no file handles left', { skip: noPrlimit() }, async () => {
    const limited = { cwd, command: ['prlimit', '--nofile=64:64'] };
    const service = await serve(['--data', 'served.db', ...roomy], limited);
    const sockets = Array.from({ length: 200 }, () => open(service));
    await sleep(1_500);
    for (const socket of sockets) socket.destroy();
    let status = 0;
    for (let attempt = 0; attempt < 50 && status !== 200; attempt++) {
      await sleep(100);
      status = await ask(service, '/api/v1/events?limit=1');
    }
    assert.equal(status, 200, service.stderr());
    const ended = await stop(service);
    assert.equal(ended.status, 0);
    assert.match(ended.stderr, /file (handle|descriptor)s?/i);
    const outcome = 'said in the log; answers again as soon as connections end';
    report({ fault: 'no file handles left (64, 200 connections)', tried: 1, outcome, test: file });
  });

  test('hostile HTTP', async () => {
    const service = await serve(['--data', 'served.db', ...roomy], { cwd });
    const draw = random('hostile http');
    const line = 'GET /api/v1/genres HTTP/1.1\r\nHost: x\r\n';
    const noise = () => Buffer.from(Array.from({ length: 400 }, () => Math.floor(draw() * 256)));
    const attacks: Record<string, () => string | Buffer> = {
      noise,
      'TLS to a plain port': () => Buffer.concat([Buffer.from([22, 3, 1, 2, 0, 1]), noise()]),
      'a head of 100 KB': () => `${line}X-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
      '10,000 headers': () => `${line}${'A: b\r\n'.repeat(10_000)}\r\n`,
      'two lengths': () => `${line}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      'length and chunks': () => `${line}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'a chunk of negative size': () =>
        `POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n\r\n`,
      'a body that is never sent': () => `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`,
      'a line break in a header': () => `${line}X-A: a\nX-B: b\r\n\r\n`,
      'a NUL in the path': () => `GET /api/v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n`,
      'a path of 60 KB': () => `GET /${'a/'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'a path out of the root': () => `GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n`,
      'a bad percent sign': () => `GET /artists/%ff%fe%zz HTTP/1.1\r\nHost: x\r\n\r\n`,
      '1,000 requests in one packet': () => `${line}\r\n`.repeat(1_000),
      'CONNECT elsewhere': () => `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n`,
      'an upgrade': () => `${line}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      'HTTP/2 without asking': () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      'HTTP/0.9': () => 'GET /\r\n',
      'half a request': () => line,
    };
    const answers: Record<number, number> = {};
    let sent = 0;
    for (let round = 0; round < tries; round++)
      await Promise.all(
        Object.entries(attacks).map(async ([name, make]) => {
          sent++;
          const text = await send(service, make());
          for (const [, status = ''] of text.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})/g)) {
            assert.ok(Number(status) < 500, `${name}: ${text.slice(0, 300)}`);
            answers[Number(status)] = (answers[Number(status)] ?? 0) + 1;
          }
        }),
      );
    assert.equal(await ask(service, '/api/v1/events?limit=1'), 200);
    assert.equal(service.child.exitCode, null);
    const errors = service
      .stderr()
      .split('\n')
      .filter((text) => text.includes('"level":"error"'));
    assert.deepEqual(errors, []);
    assert.equal((await stop(service)).status, 0);
    const outcome = `${sent} attacks of ${Object.keys(attacks).length} kinds: no 5xx, no error in the log, the service goes on`;
    report({ fault: 'hostile HTTP', tried: tries, outcome, test: file });
  });

  test('2,000 idle connections', async () => {
    const service = await serve(['--data', 'served.db', ...roomy], { cwd });
    const one = () => ask(service, '/api/v1/events?limit=1');
    const quiet = await median(one, 50);
    const sockets = Array.from({ length: 2_000 }, () => open(service));
    await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)));
    let answered = 0;
    const beside = await median(async () => {
      if ((await one()) === 200) answered++;
    }, 50);
    assert.equal(answered, 50);
    for (const socket of sockets) socket.destroy();
    assert.equal((await stop(service)).status, 0);
    const outcome = `50 of 50 requests beside them answered (p50 ${beside.toFixed(1)} ms, before ${quiet.toFixed(1)} ms)`;
    report({ fault: '2,000 idle connections', tried: 1, outcome, test: file });
  });

  test('SIGTERM beside busy connections', async () => {
    let [answered, cutOff] = [0, 0];
    for (let attempt = 0; attempt < tries; attempt++) {
      const service = await serve(['--data', 'served.db', ...roomy], { cwd });
      let isOver = false;
      const asking = Array.from({ length: 32 }, async () => {
        while (!isOver) {
          // Whoever comes when the service has ended finds nobody listening; who was let in is answered.
          const status = await ask(service, '/api/v1/events?limit=1', (failure) => {
            if (wasKeptAlive(failure)) return;
            if (isCutOff(failure)) cutOff++;
            isOver = true;
          });
          if (status === 200) answered++;
        }
      });
      await sleep(300);
      const ended = await stop(service);
      isOver = true;
      await Promise.all(asking);
      assert.equal(ended.status, 0, ended.stderr);
    }
    assert.equal(cutOff, 0);
    const outcome = `${answered} requests answered, none cut off; the service ends with status 0`;
    report({ fault: 'SIGTERM beside 32 busy connections', tried: tries, outcome, test: file });
  });

  test('a source that stalls for ever', async () => {
    const stalling = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write(`${JSON.stringify({ kind: 'artist', external_id: '1', name: 'First of many' })}\n`);
    }).listen(0, '127.0.0.1');
    await once(stalling, 'listening');
    const { port } = stalling.address() as AddressInfo;
    const data = ['--data', 'stalled.db'];
    await command('import a.ndjson --source alpha --data stalled.db');
    const add = (name: string, url: string) =>
      run(['sources', 'add', name, '--type', 'feed', '--url', url, ...data], { cwd });
    await add('stalls', `http://127.0.0.1:${port}/feed.ndjson`);
    await add('works', join(cwd, 'a.ndjson'));
    const began = performance.now();
    const { status, stdout } = await start(['sync', '--json', '--fetch-allow', '127.0.0.0/8', ...data], {
      cwd,
    }).ended;
    const seconds = (performance.now() - began) / 1_000;
    stalling.closeAllConnections();
    stalling.close();
    assert.equal(status, 1);
    const { data: reports } = JSON.parse(stdout) as {
      data: { source: string; outcome: string; error: string | null }[];
    };
    const outcomeOf = (name: string) => reports.find(({ source }) => source === name)?.outcome;
    assert.equal(outcomeOf('works'), 'done');
    assert.notEqual(outcomeOf('stalls'), 'done');
    assert.ok(seconds < 240, `${seconds} s`);
    const outcome = `given up after ${seconds.toFixed(0)} s and reported; the other source is read`;
    report({ fault: 'a source that stalls for ever', tried: 1, outcome, test: file });
  });
});

function noPrlimit(): string | false {
  return spawnSync('prlimit', ['--version']).status === 0 ? false : 'needs prlimit (util-linux)';
}
