/** `serve` as people start and stop it: what it prints, what stands around the API, how it lives and ends. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environment, folder, run, start } from './cli-run.ts';

const cwd = folder();
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

type Served = {
  child: ChildProcess;
  url: string;
  key: string;
  stdout: () => string;
  stderr: () => string;
  /** Asks it to end; gives its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Starts `serve` and waits until it answers. */
async function serve(
  line: string,
  { env, source = false }: { env?: Record<string, string>; source?: boolean } = {},
): Promise<Served> {
  const args = ['serve', '--port', '0', ...line.split(' ').filter(Boolean)];
  const bin = fileURLToPath(new URL('../bin/cratebase.mjs', import.meta.url));
  const child = source
    ? spawn(process.execPath, [bin, ...args], { cwd, env: environment(env), stdio: 'pipe' })
    : start(args, { cwd, ...(env && { env }) });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`serve did not answer: ${stderr}`)), 30_000);
    child.stdout.on('data', (text) => {
      stdout += text;
      const [found] = /http:\/\/[^\s"]+/.exec(stdout) ?? [];
      if (found === undefined || !stdout.endsWith('\n')) return;
      clearTimeout(limit);
      resolve(found);
    });
    child.once('exit', (status) => reject(new Error(`serve ended with ${status}: ${stderr}`)));
  });
  const [key = ''] = /cb_live_\w+/.exec(stdout + stderr) ?? [];
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const exit = once(child, 'exit');
    child.kill(signal);
    const [status] = await exit;
    running.delete(child);
    return status as number | null;
  };
  return { child, url, key, stdout: () => stdout, stderr: () => stderr, stop };
}

type Answer = { status: number; headers: IncomingMessage['headers']; text: string };

function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject).end();
  });
}

const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

/** What a socket hears when this is written to it. */
async function shout(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (part) => {
    heard += part;
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

describe('the start', () => {
  test('a missing file is made with the starter catalogue; the key and the curl line work', async () => {
    const served = await serve('--dev --data first.db');
    assert.match(served.stdout(), /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const [, key, url] =
      /curl -H 'Authorization: Bearer (cb_live_\w+)' '(http:[^']+)'/.exec(served.stderr()) ?? [];
    assert.ok(key && url, served.stderr());
    const { status, text } = await ask(url, withKey(key));
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).data.length, 3);
    assert.equal(await served.stop('SIGINT'), 0);
    assert.equal(existsSync(join(cwd, 'first.db-wal')), false, 'the log is merged at the end');
    assert.equal(served.stdout().split('\n').length, 2, 'nothing else on standard output');

    const again = await serve('--dev --data first.db --json');
    const said = JSON.parse(again.stdout());
    assert.deepEqual(Object.keys(said), ['url', 'pid', 'account', 'key', 'plan']);
    assert.deepEqual(
      [said.pid, said.account, said.key, said.plan],
      [again.child.pid, 'dev@localhost', key, 'free'],
    );
    assert.equal(await again.stop(), 0);
  });

  test('--empty; without --dev the JSON line has address and process alone', async () => {
    const served = await serve('--empty --data empty.db --json');
    assert.deepEqual(Object.keys(JSON.parse(served.stdout())), ['url', 'pid']);
    await served.stop();
    assert.match(served.stderr(), /^No key yet/);
    const { stdout } = await run(['stats', '--data', 'empty.db', '--json'], { cwd });
    assert.equal(JSON.parse(stdout).artists, 0);
  });

  test('a first fill that was interrupted is completed by the next start', async () => {
    const child = start(
      ['serve', '--port', '0', '--data', 'torn.db', '--now', '2026-11-20T12:00:00Z', '--dev'],
      {
        cwd,
      },
    );
    await once(child.stderr, 'data');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
    const counts = async (data: string) => {
      const served = await serve(`--data ${data} --now 2026-11-20T12:00:00Z --dev`);
      await served.stop();
      const { stdout } = await run(['stats', '--data', data, '--json'], { cwd });
      return { ...JSON.parse(stdout), last_synced_at: null };
    };
    assert.deepEqual(await counts('torn.db'), await counts('whole.db'));
  });

  test('an older clock makes an older programme, and stands still', async () => {
    const served = await serve(
      '--dev --data old.db --now 2027-02-27T23:59:00Z --plan pro --quota 3 --window 2',
    );
    const first = await ask(`${served.url}/api/v1/events?limit=1&from=2027-02-27`, withKey(served.key));
    assert.match(JSON.parse(first.text).data[0].start_at, /^2027-0(2-2[78]|3-01)/);
    assert.equal(first.headers['x-quota-limit'], '3');
    assert.equal(first.headers['x-quota-remaining'], '2');
    assert.equal(first.headers['x-quota-reset'], String(Date.UTC(2027, 2, 1) / 1000));
    assert.equal(first.headers['x-ratelimit-limit'], '2');
    assert.equal(first.headers['x-ratelimit-reset'], String(Date.UTC(2027, 1, 28) / 1000));
    assert.equal((await ask(`${served.url}/api/v1/stats`, withKey(served.key))).status, 200);
    const refused = await ask(`${served.url}/api/v1/stats`, withKey(served.key));
    assert.equal(refused.status, 429);
    assert.equal(JSON.parse(refused.text).error.type, 'rate_limited');
    await served.stop();
    const back = await serve('--dev --data old.db');
    const { headers } = await ask(`${back.url}/api/v1/stats`, withKey(back.key));
    assert.deepEqual([headers['x-quota-limit'], headers['x-ratelimit-limit']], ['10000', '60']);
    await back.stop();
  });

  test('--fail', async () => {
    const served = await serve('--dev --empty --data fail.db --fail 503:1');
    const { status, headers, text } = await ask(`${served.url}/api/v1/events`, withKey(served.key));
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
    assert.equal(JSON.parse(text).error.type, 'unavailable');
    await served.stop();
  });

  for (const workers of [1, 2]) {
    test(`a port that is taken is told in one line, with ${workers} workers`, async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const args = ['serve', '--empty', '--data', 'taken.db', '--port', `${port}`, '--workers', `${workers}`];
      const { status, stdout, stderr } = await run(args, { cwd });
      taken.close();
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        new RegExp(`^cratebase: Port ${port} on 127\\.0\\.0\\.1 is in use\\. .*--port.*\n$`),
      );
    });
  }
});

describe('around the API', () => {
  let served: Served;
  before(async () => {
    served = await serve('--dev --empty --data around.db --name Crates', {
      env: { CRATEBASE_METRICS_TOKEN: 'let-me-in' },
    });
  });
  after(() => served.stop());

  type Case = [method: string, path: string, headers: Record<string, string>, status: number, text: RegExp];
  const cases: Case[] = [
    ['GET', '/healthz', {}, 200, /^\{"status":"ok"\}$/],
    ['HEAD', '/healthz', {}, 200, /^$/],
    ['GET', '/healthz?x=1', {}, 200, /ok/],
    ['GET', '/readyz', {}, 200, /^\{"status":"ok","sources":\[\]\}$/],
    ['OPTIONS', '/readyz', {}, 204, /^$/],
    ['POST', '/healthz', {}, 405, /"method_not_allowed"/],
    ['GET', '/openapi.json', {}, 200, /"openapi":"3\.1.*"title":"Crates"/],
    ['GET', '/changelog.json', {}, 200, /"data":\[\{"date":"20/],
    ['GET', '/metrics', {}, 401, /"unauthorized"/],
    ['GET', '/metrics', { Authorization: 'Bearer let-me-on' }, 401, /"unauthorized"/],
    [
      'GET',
      '/metrics',
      { Authorization: 'Bearer let-me-in' },
      200,
      /^cratebase_requests_total\{status="2xx"\} \d+$/m,
    ],
    ['GET', '/', {}, 200, /<h1>/],
    ['GET', '/nope', {}, 404, /"not_found"/],
    ['GET', '/api/v1/nope', {}, 404, /"not_found"/],
    ['GET', '/api/v2/events', {}, 404, /"not_found"/],
    ['DELETE', '/nope', {}, 404, /"not_found"/],
    ['GET', '/%', {}, 404, /"not_found"/],
    ['GET', '/api/v1/events', {}, 401, /"unauthorized"/],
  ];
  for (const [method, path, headers, status, text] of cases) {
    const how = Object.keys(headers).length > 0 ? ` with ${Object.values(headers)}` : '';
    test(`${method} ${path}${how} gives ${status}`, async () => {
      const answer = await ask(served.url + path, { method, headers });
      assert.equal(answer.status, status);
      assert.match(answer.text, text);
      assert.ok(answer.headers['x-request-id']);
      if (status >= 400) {
        const { error } = JSON.parse(answer.text);
        assert.deepEqual(Object.keys(error), ['type', 'message', 'param', 'request_id']);
        assert.equal(error.request_id, answer.headers['x-request-id']);
        assert.equal(answer.headers['content-type'], 'application/json');
      }
      if (status === 401) assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
      if (status === 405) assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
    });
  }

  test('a document that is known already is not sent again', async () => {
    const { etag } = (await ask(`${served.url}/openapi.json`)).headers;
    const again = await ask(`${served.url}/openapi.json`, { headers: { 'If-None-Match': String(etag) } });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag]);
  });

  test('without a token there are no metrics', async () => {
    const plain = await serve('--dev --empty --data plain.db');
    assert.equal((await ask(`${plain.url}/metrics`)).status, 404);
    await plain.stop();
  });

  test('what is no request gets an answer, and the service goes on', async () => {
    const noise = await shout(served.url, 'this is no HTTP\r\n\r\n');
    assert.match(noise, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"invalid_parameter"/);
    const large = await shout(served.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1\.1 431 [\s\S]*"request_id":"req_/);
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
  });

  test('a request line may name the whole address', async () => {
    const heard = await shout(
      served.url,
      `GET ${served.url}/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.match(heard, /^HTTP\/1\.1 200 OK/);
  });

  test('scripts of other origins may read what went wrong', async () => {
    const { headers } = await ask(`${served.url}/api/v1/nope`);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal((await ask(`${served.url}/nope`)).headers['access-control-allow-origin'], undefined);
  });

  test('healthcheck and doctor find it; base addresses with a path work', async () => {
    const { port } = new URL(served.url);
    assert.deepEqual(await run(['healthcheck', '--port', port], { cwd }), {
      status: 0,
      stdout: 'ok\n',
      stderr: '',
    });
    assert.equal((await run(['healthcheck', '--base-url', `${served.url}/nope`], { cwd })).status, 1);
    const doctor = await run(['doctor', '--port', port, '--data', 'around.db'], { cwd });
    assert.equal(doctor.status, 0);
    assert.match(doctor.stdout, /ok +reachability/);
  });

  test('backup while it serves; no restore', async () => {
    const backup = await run(['backup', 'while.db', '--data', 'around.db'], { cwd });
    assert.equal(backup.status, 0, backup.stderr);
    const restore = await run(['restore', 'while.db', '--data', 'around.db'], { cwd });
    assert.match(restore.stderr, /around\.db is in use/);
    assert.equal(restore.status, 1);
    assert.equal((await ask(`${served.url}/api/v1/stats`, withKey(served.key))).status, 200);
  });

  test('an import by another process is seen at once', async () => {
    writeFileSync(join(cwd, 'a.ndjson'), '{"kind":"artist","external_id":"a","name":"Newcomer"}');
    await run(['import', 'a.ndjson', '--source', 'a', '--data', 'around.db'], { cwd });
    assert.equal((await ask(`${served.url}/api/v1/artists/newcomer`, withKey(served.key))).status, 200);
  });
});

describe('the end', () => {
  test('who is being served is answered, newcomers get 503', async () => {
    const served = await serve('--dev --empty --data end.db');
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    let heard = '';
    socket.on('data', (part) => {
      heard += part;
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const status = served.stop();
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write('\r\n');
    await once(socket, 'close');
    assert.match(heard, /^HTTP\/1\.1 503 [\s\S]*Retry-After: \d+[\s\S]*"type":"unavailable"/);
    assert.equal(await status, 0);
  });

  test('a connection that never ends does not keep it from ending', async () => {
    const served = await serve('--dev --empty --data hang.db');
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    assert.equal(await served.stop(), 0);
    assert.ok(performance.now() - began < 7_000);
    socket.destroy();
  });

  test('a data file that is taken away makes it not ready, and no more', async () => {
    const served = await serve('--dev --empty --data away.db');
    renameSync(join(cwd, 'away.db'), join(cwd, 'elsewhere.db'));
    const { status, headers, text } = await ask(`${served.url}/readyz`);
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
    assert.equal(JSON.parse(text).error.type, 'unavailable');
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
    renameSync(join(cwd, 'elsewhere.db'), join(cwd, 'away.db'));
    assert.equal((await ask(`${served.url}/readyz`)).status, 200);
    await served.stop();
  });

  test('who reads its log may go away', async () => {
    const served = await serve('--dev --empty --data quiet.db --fail 500:1');
    served.child.stderr?.destroy();
    served.child.stdout?.destroy();
    await ask(`${served.url}/api/v1/stats`, withKey(served.key));
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
    assert.equal(await served.stop(), 0);
  });
});

describe('several workers', () => {
  /** The processes that answer: children of the one that was started. */
  const workersOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const onLinux = { skip: process.platform === 'linux' ? false : 'needs /proc' };

  test('count together, come back when they die, and end together', onLinux, async () => {
    const served = await serve('--dev --empty --data two.db --workers 2 --quota 30 --window 1000', {
      env: { CRATEBASE_METRICS_TOKEN: 'let-me-in' },
      source: true,
    });
    assert.match(served.stdout(), /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => ask(`${served.url}/api/v1/stats`, withKey(served.key))),
    );
    assert.equal(statuses.filter(({ status }) => status === 200).length, 30);
    assert.equal(statuses.filter(({ status }) => status === 429).length, 10);

    const metrics = async () =>
      (await ask(`${served.url}/metrics`, { headers: { Authorization: 'Bearer let-me-in' } })).text;
    const pattern = /cratebase_requests_total\{status="2xx"\} (\d+)/;
    const counted = Number(pattern.exec(await metrics())?.[1]);
    assert.equal(counted, 30);
    assert.match(await metrics(), /cratebase_processes 2/);

    const [first] = workersOf(served.child.pid as number);
    process.kill(first as number, 'SIGKILL');
    let workers: number[] = [];
    for (let tries = 0; tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      workers = workersOf(served.child.pid as number);
      if (workers.length === 2 && !workers.includes(first as number)) break;
    }
    assert.equal(workers.length, 2);
    assert.match(served.stderr(), /"message":"a worker ended"/);
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
    assert.equal(await served.stop(), 0);
    assert.equal(existsSync(join(cwd, 'two.db-wal')), false);
  });

  test('end when the one that keeps them is killed', onLinux, async () => {
    const served = await serve('--dev --empty --data orphans.db --workers 2');
    const workers = workersOf(served.child.pid as number);
    await served.stop('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Where nobody takes in orphans, what is left of them is a zombie.
    for (const pid of workers) {
      const path = `/proc/${pid}/stat`;
      assert.ok(!existsSync(path) || /\) Z /.test(readFileSync(path, 'utf8')));
    }
    await assert.rejects(
      new Promise((resolve, reject) => get(served.url, { agent: false }, resolve).on('error', reject)),
    );
  });
});
