/** `createServer` as people start and stop it: what it prints, what stands around the API, how it lives and ends. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, get, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environment, folder, program, run, start } from '../support/cli-run.ts';

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

/** Starts `createServer` and waits until it answers. */
async function serve(
  line: string,
  { env, source = false }: { env?: Record<string, string>; source?: boolean } = {},
): Promise<Served> {
  const args = ['serve', '--port', '0', ...line.split(' ').filter(Boolean)];
  const bin = fileURLToPath(new URL('../../bin/cratebase.mjs', import.meta.url));
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
      const [, found] = /(?:listening on |"url":")(http:\/\/[^\s"]+)/.exec(stdout) ?? [];
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

/** Its log, of which every line is a JSON object. */
const logged = (served: Served): Record<string, unknown>[] =>
  served
    .stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

type Finding = { check: string; status: string; message: string };
type Doctor = {
  service: { pid: number; url: string } | null;
  settings: { name: string; value: unknown; from: string }[];
  findings: Finding[];
};

/** What `doctor` finds, each finding as one line. */
async function doctor(line: string, env: Record<string, string> = {}) {
  const { status, stdout } = await run(['doctor', '--json', ...line.split(' ')], { cwd, env });
  const report = JSON.parse(stdout) as Doctor;
  const findings = report.findings.map((one) => `${one.status} ${one.check}: ${one.message}`);
  const says = (expected: RegExp) =>
    assert.ok(
      findings.some((finding) => expected.test(finding)),
      `${expected}\n${findings.join('\n')}`,
    );
  return { ...report, status, findings, says };
}

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
    // One block, whose last line says that it answers; the log is elsewhere.
    assert.match(
      served.stdout(),
      /^account {2}dev@localhost \(free\)\nkey {6}cb_live_\w+\ntry {6}curl .*\nadmin {4}http:\/\/127\.0\.0\.1:\d+\/admin\/start\?token=op_[\w-]{43}\nlistening on http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    const [, key, url] =
      /curl -H 'Authorization: Bearer (cb_live_\w+)' '(http:[^']+)'/.exec(served.stdout()) ?? [];
    assert.ok(key && url, served.stderr());
    const { status, text } = await ask(url, withKey(key));
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).data.length, 3);
    assert.equal(await served.stop('SIGINT'), 0);
    assert.equal(existsSync(join(cwd, 'first.db-wal')), false, 'the log is merged at the end');
    assert.equal(served.stdout().split('\n').length, 6, 'nothing else on standard output');
    assert.deepEqual(
      logged(served).map(({ level, message }) => `${level} ${message}`),
      [
        'info filling the data file with the starter catalogue',
        'info filled',
        'info started',
        'info stopping',
        'info stopped',
      ],
    );
    assert.ok(!served.stderr().includes(key), 'a key is no matter for a log');

    const again = await serve('--dev --data first.db --json');
    const said = JSON.parse(again.stdout());
    assert.deepEqual(Object.keys(said), ['url', 'pid', 'account', 'key', 'plan', 'operator_link']);
    assert.deepEqual(
      [said.pid, said.account, said.key, said.plan],
      [again.child.pid, 'dev@localhost', key, 'free'],
    );
    assert.equal(await again.stop(), 0);
  });

  test('--empty; without --dev the JSON line has address, process and the link of the first operator', async () => {
    const served = await serve('--empty --data empty.db --json');
    assert.deepEqual(Object.keys(JSON.parse(served.stdout())), ['url', 'pid', 'operator_link']);
    await served.stop();
    const [started, hint] = logged(served);
    assert.equal(hint?.message, 'there is no API key yet');
    assert.match(String(hint?.advice), /accounts create .* --data empty\.db, then .*keys create/);
    assert.deepEqual([started?.message, started?.pid], ['started', served.child.pid]);
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

  test('--fail 503:every=3 fails each third request', async () => {
    const served = await serve('--dev --empty --data fail-every.db --fail 503:every=3');
    const statuses: number[] = [];
    for (let number = 0; number < 7; number++) {
      statuses.push((await ask(`${served.url}/api/v1/events`, withKey(served.key))).status);
    }
    assert.deepEqual(statuses, [200, 200, 503, 200, 200, 503, 200]);
    await served.stop();
  });

  test('of several --fail, each counts all requests, and the first answers', async () => {
    const served = await serve('--dev --empty --data fail-both.db --fail 503:every=3 500:every=4');
    const statuses: number[] = [];
    for (let number = 1; number <= 12; number++)
      statuses.push((await ask(`${served.url}/api/v1/events`, withKey(served.key))).status);
    assert.deepEqual(statuses, [200, 200, 503, 500, 200, 503, 200, 500, 503, 200, 200, 503]);
    await served.stop();
  });

  for (const workers of [1, 2]) {
    test(`a port in use is reported in one line, with ${workers} workers`, async () => {
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
    ['GET', '/readyz', {}, 200, /^\{"status":"ok"\}$/],
    ['GET', '/readyz', { Authorization: 'Bearer let-me-on' }, 200, /^\{"status":"ok"\}$/],
    ['GET', '/readyz', { Authorization: 'Bearer let-me-in' }, 200, /^\{"status":"ok","sources":\[\]\}$/],
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

  test('malformed requests get an answer, and the service goes on', async () => {
    const noise = await shout(served.url, 'this is no HTTP\r\n\r\n');
    assert.match(noise, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"invalid_parameter"/);
    const large = await shout(served.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1\.1 431 [\s\S]*"request_id":"req_/);
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
  });

  test('a request of HTTP/1.1 names its host once; one of HTTP/1.0 need not', async () => {
    for (const host of ['', 'Host: a\r\nhost: b\r\n']) {
      const refused = await shout(served.url, `GET /healthz HTTP/1.1\r\n${host}\r\n`);
      assert.match(refused, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*Connection: close[\s\S]*one Host header/i);
    }
    assert.match(await shout(served.url, 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 OK/);
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
    // Without an address it is the one that the service noted in the data file.
    const named = await run(['healthcheck', '--json', '--data', 'around.db'], { cwd });
    assert.equal(named.status, 0, named.stderr);
    assert.equal(JSON.parse(named.stdout).url, `${served.url}/healthz`);
    const given = { CRATEBASE_PORT: '9' };
    assert.equal((await run(['healthcheck', '--data', 'around.db'], { cwd, env: given })).status, 1);
  });

  test('doctor judges the service that runs on the file, not what is set where it is asked', async () => {
    const { pid } = served.child;
    const found = await doctor('--data around.db', { CRATEBASE_BASE_URL: 'https://elsewhere.example' });
    assert.equal(found.status, 0);
    assert.deepEqual([found.service?.pid, found.service?.url], [pid, served.url]);
    const setting = (name: string) => found.settings.find((one) => one.name === name);
    assert.deepEqual([setting('name')?.value, setting('name')?.from], ['Crates', '--name']);
    assert.equal(setting('port')?.value, Number(new URL(served.url).port));
    assert.equal(setting('metrics-token')?.value, '(hidden)');
    found.says(/^ok service: process \d+ answers at http:/);
    found.says(/^ok reachability: http:\/\/127\.0\.0\.1:\d+ answers and has the same base address/);
    found.says(
      /^warning configuration: CRATEBASE_BASE_URL is https:\S+ here, but the service runs with none/,
    );
    const text = await run(['doctor', '--data', 'around.db'], { cwd });
    assert.match(
      text.stdout,
      new RegExp(`^Settings of the service that runs on this file \\(process ${pid}, since`, 'm'),
    );
  });

  test('doctor finds what is wrong on the way to it', async () => {
    const wrong = await doctor('--data around.db --base-url http://127.0.0.1:9');
    assert.equal(wrong.status, 1);
    wrong.says(/^ok service: /);
    wrong.says(/^failed reachability: http:\/\/127\.0\.0\.1:9\/healthz does not answer/);
    const { port } = new URL(served.url);
    const other = await doctor(`--data around.db --base-url http://localhost:${port}`);
    other.says(
      /^failed reachability: http:\/\/localhost:\d+ leads to a service with the base address http:\/\/127/,
    );

    const leading = createHttpServer((_request, response) =>
      response.writeHead(301, { Location: 'https://music.example.org/' }).end(),
    ).listen(0, '127.0.0.1');
    await once(leading, 'listening');
    const at = leading.address() as { port: number };
    const led = await doctor(`--data around.db --base-url http://127.0.0.1:${at.port}`);
    leading.close();
    led.says(/^failed reachability: .* redirects to https:\/\/music\.example\.org\//);

    await run(['import', '-', '--source', 'a', '--data', 'beside.db'], { cwd });
    const beside = await doctor(`--data beside.db --port ${port}`);
    assert.equal(beside.service, null);
    beside.says(
      /^warning service: A cratebase service answers at http:\S+, but no service runs on this data file/,
    );
  });

  test('doctor reports a proxy that the service is not configured for', async () => {
    const quiet = await doctor('--data around.db');
    assert.ok(!quiet.findings.some((finding) => finding.includes(' proxy: ')));
    await ask(`${served.url}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    await ask(`${served.url}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    for (let tries = 0; tries < 50 && !served.stderr().includes('proxy'); tries++) await delay(20);
    assert.equal(
      logged(served).filter(({ message }) => message === 'requests come through a proxy').length,
      1,
    );
    const found = await doctor('--data around.db');
    found.says(/^warning proxy: .*--trust-proxy is off/);
    found.says(/^warning proxy: .*--base-url is not set/);
    const server = await serve('--dev --empty --data told.db --trust-proxy --base-url http://127.0.0.1:9');
    await ask(`${server.url}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    assert.ok(!(await doctor('--data told.db')).findings.some((finding) => finding.includes(' proxy: ')));
    await server.stop();
  });

  test('doctor knows of a service that does not answer, and of none once it has ended', async () => {
    const stuck = await serve('--dev --empty --data stuck.db');
    stuck.child.kill('SIGSTOP');
    const found = await doctor('--data stuck.db');
    assert.equal(found.status, 1);
    found.says(/^failed service: Process \d+ serves this file, but does not answer: .* within 5 s/);
    stuck.child.kill('SIGCONT');
    await stuck.stop();
    assert.equal((await doctor('--data stuck.db')).service, null);
    const killed = await serve('--dev --empty --data stuck.db');
    await killed.stop('SIGKILL');
    assert.equal((await doctor('--data stuck.db')).service, null);
    // The next start takes away what the killed one left.
    const again = await serve('--dev --empty --data stuck.db --workers 2');
    assert.equal((await doctor('--data stuck.db')).service?.pid, again.child.pid);
    await again.stop();
    const { default: Database } = await import('better-sqlite3');
    const sqlite = new Database(join(cwd, 'stuck.db'));
    assert.equal(sqlite.prepare("SELECT count(*) FROM settings WHERE key LIKE 'serving%'").pluck().get(), 0);
    sqlite.close();
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
  test('requests in progress are answered, with a header that the connection ends', async () => {
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
    assert.match(heard, /^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*"status":"ok"/);
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

  test('the reader of its log may go away', async () => {
    const served = await serve('--dev --empty --data quiet.db --fail 500:1');
    served.child.stderr?.destroy();
    served.child.stdout?.destroy();
    await ask(`${served.url}/api/v1/stats`, withKey(served.key));
    assert.equal((await ask(`${served.url}/healthz`)).status, 200);
    assert.equal(await served.stop(), 0);
  });
});

describe('a terminal', { skip: hasScript() ? false : 'needs script(1)' }, () => {
  /** What `line` shows until `last` is part of it. */
  const terminal = async (line: string, last: RegExp, env: Record<string, string> = {}): Promise<string> => {
    const child = spawn(
      'script',
      ['-qec', `stty cols 80; exec ${process.execPath} ${program} ${line}`, '/dev/null'],
      {
        cwd,
        env: environment({ TERM: 'xterm', ...env }),
      },
    );
    running.add(child);
    let shown = '';
    child.stdout.on('data', (text) => {
      shown += text;
      if (last.test(shown)) child.kill('SIGTERM');
    });
    await once(child, 'close');
    running.delete(child);
    return shown.replaceAll('\r', '');
  };

  test('prints where to go and what to try, and has a readable log', async () => {
    const shown = await terminal('serve --dev --empty --port 0 --data terminal.db', /pid=\d+\s/, {
      NO_COLOR: '1',
    });
    assert.match(
      shown,
      /^account .*\nkey .*\ntry .*\npages +http:.*\ndocs +http:.*\/docs\nadmin +http:.*\/admin\/start.*\nlistening on http:/,
    );
    assert.match(
      shown,
      /^\d\d:\d\d:\d\d info {2}started {2}url=http:\S+ data=terminal\.db workers=1 pid=\d+/m,
    );
    assert.ok(!shown.includes('\u001b'));
    const other = await terminal('serve --empty --port 0 --data terminal-2.db', /API key yet/);
    assert.match(other, /keys +http:.*\/account\/developer\nadmin +http:.*\nlistening on/);
    assert.ok(other.includes('\u001b[33mwarn \u001b[0m there is no API key yet'));
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
    assert.match(served.stdout(), /\nlistening on http:\/\/127\.0\.0\.1:\d+\n$/);
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
    assert.deepEqual(
      logged(served).map(({ message }) => message),
      ['started', 'a worker ended', 'stopping', 'stopped'],
    );
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

function hasScript(): boolean {
  try {
    execFileSync('script', ['-qec', 'true', '/dev/null']);
    return true;
  } catch {
    return false;
  }
}

test('export and the registry entry have the addresses and the name of the running service', async () => {
  const served = await serve(
    '--empty --no-sync --data named.db --base-url https://music.example.org --account-url https://account.example.org --name Clubs',
  );
  try {
    await run(['settings', 'set', 'name=Other', '--data', 'named.db'], { cwd });
    await run(['import', '-', '--source', 'one', '--data', 'named.db'], {
      cwd,
      input: '{"kind":"artist","external_id":"a","name":"Vera Lindt"}',
    });
    const exportTo = async (...words: string[]) => {
      const { status, stderr } = await run(['export', '--format', 'csv', '--data', 'named.db', ...words], {
        cwd,
      });
      assert.equal(status, 0, stderr);
      const text = readFileSync(join(cwd, words[1] as string, 'catalogue.json'), 'utf8');
      const { base_url, service, attribution } = JSON.parse(text);
      return [base_url, service, attribution];
    };
    assert.deepEqual(await exportTo('--out', 'named'), [
      'https://music.example.org',
      'Clubs',
      'Data from Clubs (https://music.example.org)',
    ]);
    const [base] = await exportTo('--out', 'renamed', '--base-url', 'https://other.example.org');
    assert.equal(base, 'https://other.example.org');
    const entry = await run(['mcp', '--print-server-json', '--data', 'named.db'], { cwd });
    assert.equal(entry.status, 0, entry.stderr);
    const { name, title, websiteUrl, remotes } = JSON.parse(entry.stdout);
    assert.deepEqual(
      [name, title, websiteUrl, remotes[0].url],
      ['org.example.music/cratebase', 'Clubs', 'https://music.example.org', 'https://music.example.org/mcp'],
    );
  } finally {
    await served.stop();
  }
});
