#!/usr/bin/env node
/**
 * Smoke test of the executable: an empty folder and environment, `serve --dev`, a few requests with the printed key,
 * stop. `node .ci/smoke.mjs [executable]` prints its requests, and exits with 1 at the first wrong response.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const program = resolve(process.argv[2] ?? join(root, 'dist', 'cratebase'));
const folder = mkdtempSync(join(tmpdir(), 'cratebase-smoke-'));
const place = { cwd: folder, env: {} };
let server;

try {
  checkVersion();
  const { url, key } = await startServer();
  await askEverything(url, key);
  await stopServer();
  checkFolder();
  console.log('smoke: ok');
} catch (error) {
  console.error(`smoke: ${error.message}`);
  process.exitCode = 1;
} finally {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function checkVersion() {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, ['--version'], { ...place, encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(
    { status, stdout, stderr },
    { status: 0, stdout: `${version}\n`, stderr: '' },
    '--version',
  );
  report('--version', start);
}

async function startServer() {
  const start = performance.now();
  const options = ['serve', '--dev', '--port', '0', '--json', '--no-sync'];
  server = spawn(program, options, { ...place, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([
    once(createInterface(server.stdout), 'line').then(([first]) => first),
    once(server, 'exit').then(([status]) => assert.fail(`serve ended with ${status} before it listened`)),
    timeout(20, 'serve printed no line'),
  ]);
  report('first start, with the starter catalogue', start);
  return JSON.parse(line);
}

async function askEverything(url, key) {
  const ask = async (path, status = 200, credential = `Bearer ${key}`) => {
    const start = performance.now();
    const headers = credential ? { authorization: credential } : {};
    const answer = await fetch(url + path, { headers, signal: AbortSignal.timeout(10_000) });
    assert.equal(answer.status, status, `${path}: ${answer.status} instead of ${status}`);
    report(`${status} ${path}`, start);
    const text = await answer.text();
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  };

  await ask('/healthz', 200, null);
  await ask('/readyz', 200, null);
  const description = await ask('/openapi.json', 200, null);
  assert.equal(Object.keys(description.paths ?? {}).length, 33, 'the OpenAPI document has 33 paths');

  const { data: counts } = await ask('/api/v1/stats');
  for (const kind of [
    'artists',
    'upcoming_events',
    'festivals',
    'venues',
    'cities',
    'labels',
    'genres',
    'podcasts',
  ])
    assert.ok(counts[kind] > 0, `the starter catalogue has ${kind}`);

  const first = await ask('/api/v1/artists?limit=2');
  assert.equal(first.data.length, 2);
  const second = await ask(`/api/v1/artists?limit=2&cursor=${encodeURIComponent(first.page.next_cursor)}`);
  assert.ok(
    !first.data.some(({ slug }) => slug === second.data[0].slug),
    'the second page repeats the first',
  );
  const [{ slug, name }] = first.data;
  assert.equal((await ask(`/api/v1/artists/${slug}`)).data.slug, slug);
  const found = await ask(`/api/v1/search?q=${encodeURIComponent(name)}`);
  assert.ok(
    found.data.some((hit) => hit.slug === slug),
    `search finds ${name}`,
  );
  for (const list of ['events', 'festivals', 'venues', 'cities', 'labels', 'genres', 'podcasts']) {
    const { data, page } = await ask(`/api/v1/${list}?limit=1`);
    assert.ok(data.length === 1 && 'next_cursor' in page && 'has_more' in page, `/${list} is a list`);
  }

  const failure = async (...request) => (await ask(...request)).error.type;
  assert.equal(await failure('/api/v1/stats', 401, null), 'unauthorized');
  assert.equal(await failure('/api/v1/stats', 401, `Bearer ${key.slice(0, -1)}`), 'unauthorized');
  assert.equal(await failure('/api/v1/artists/nobody-has-this-slug', 404), 'not_found');
  assert.equal(await failure('/api/v1/events?country=Germany', 400), 'invalid_parameter');
  assert.equal(await failure('/api/v1/events?cursor=nonsense', 400), 'invalid_cursor');
}

async function stopServer() {
  const start = performance.now();
  server.kill('SIGTERM');
  const [status] = await Promise.race([once(server, 'exit'), timeout(10, 'serve did not stop')]);
  assert.equal(status, 0, `serve ended with ${status}`);
  report('stop', start);
}

/** Only the data file may remain in the folder. */
function checkFolder() {
  const others = readdirSync(folder).filter((name) => !name.startsWith('cratebase.db'));
  assert.deepEqual(others, [], 'files left behind');
}

function timeout(seconds, message) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${message} in ${seconds} s`)), seconds * 1000).unref();
  });
}

function report(what, start) {
  console.log(`${(performance.now() - start).toFixed(0).padStart(6)} ms  ${what}`);
}
