/** Headers that protect browsers, and names that would be markup if they were not escaped. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { guides } from '../../src/contract/guides.ts';
import { folder, run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const script = '</script><script>alert(1)</script>';
const hostile = `${script}"'&[x](javascript:alert(1))<img src=x onerror=alert(1)>`;
const env = { CRATEBASE_NAME: hostile, CRATEBASE_METRICS_TOKEN: 'let-me-in' };

let served: Served;
/** The same service, as it is when browsers come by https. */
let secure: Served;
before(async () => {
  const lines = [
    { kind: 'artist', external_id: 'a', name: `Ann ${script}`, bio: script },
    { kind: 'city', external_id: 'c', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
    {
      kind: 'event',
      external_id: 'e',
      name: `Night ${script}`,
      start_at: '2036-05-01T23:00:00',
      timezone: 'Europe/Berlin',
      description: script,
      venue: { name: `House ${script}`, city: 'Berlin', country: 'DE' },
      lineup: [{ name: `Ann ${script}` }],
    },
  ];
  writeFileSync(join(cwd, 'hostile.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const imported = await run(['import', 'hostile.ndjson', '--source', 'x', '--data', 'hostile.db'], { cwd });
  assert.equal(imported.status, 0, imported.stderr);
  const options = '--dev --empty --window 10000';
  served = await serve(`${options} --data hostile.db`, { cwd, env });
  secure = await serve(`${options} --data secure.db --base-url https://music.example`, { cwd, env });
});
after(async () => {
  await Promise.all([served.stop(), secure.stop()]);
});

const get = (at: Served, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(at.url + path, { headers, method, redirect: 'manual' });
const withKey = (at: Served) => ({ Authorization: `Bearer ${at.key}` });

/** Paths of records, as the API tells them. */
async function recordPaths(): Promise<string[]> {
  const paths: string[] = [];
  for (const kind of ['artists', 'events', 'venues', 'cities']) {
    const answer = await get(served, `/api/v1/${kind}`, withKey(served));
    const { data } = (await answer.json()) as { data: { slug: string }[] };
    assert.ok(data.length > 0, kind);
    paths.push(`/${kind}/${data[0]?.slug}`);
  }
  return paths;
}

test('the name of the service and those of records are text, on every page', async () => {
  const records = await recordPaths();
  const lists = [
    '/',
    '/events',
    '/artists',
    '/venues',
    '/cities',
    '/genres',
    '/labels',
    '/festivals',
    '/podcasts',
  ];
  const docs = ['/docs', '/docs/guides', '/changelog', ...guides.map(({ name }) => `/docs/guides/${name}`)];
  const accounts = [
    '/account/sign-in',
    '/account/sign-up',
    '/oauth/authorize',
    '/nope',
    '/docs/nope',
    '/stats',
  ];
  const search = `/search?q=${encodeURIComponent(script)}`;
  let pages = 0;
  for (const path of [...lists, ...records, ...docs, ...accounts, search]) {
    const answer = await get(served, path);
    const text = await answer.text();
    if (!/html/.test(answer.headers.get('content-type') ?? '')) continue;
    pages++;
    assert.ok(!/<script>|<img src=x|href="javascript:/i.test(text), path);
    assert.ok(text.includes('alert(1)'), `${path} shows the name`);
    // What stands in a script element is JSON, or nothing.
    for (const [, content = ''] of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g))
      if (content !== '') JSON.parse(content);
  }
  assert.ok(pages > 30, String(pages));
  const feed = records.find((path) => path.startsWith('/artists'));
  const atom = await (await get(served, `${feed}.atom`)).text();
  assert.ok(atom.startsWith('<?xml') && !atom.includes('<script'));
});

test('the reference and the guides name the service as it is called', async () => {
  const page = await (await get(served, '/docs/guides/first-call')).text();
  assert.match(page, /Data from &lt;\/script&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  const { info } = (await (await get(served, '/openapi.json')).json()) as { info: { description: string } };
  assert.ok(!/[^\\]<script/.test(info.description));
});

describe('no answer is taken for another type than it has', () => {
  type Case = [path: string, status: number, method?: string, headers?: Record<string, string>];
  const cases: Case[] = [
    ['/api/v1/events', 200],
    ['/api/v1/events', 401, 'GET', { Authorization: '' }],
    ['/api/v1/artists/nobody', 404],
    ['/api/v1/nope', 404],
    ['/api/v1/events', 204, 'OPTIONS'],
    ['/api/v1/events', 405, 'DELETE'],
    ['/mcp', 405],
    ['/mcp', 400, 'POST', { 'Content-Type': 'application/json' }],
    ['/healthz', 200],
    ['/openapi.json', 200],
    ['/llms.txt', 200],
    ['/.well-known/oauth-authorization-server', 200],
    ['/.well-known/oauth-protected-resource/mcp', 200],
    ['/oauth/token', 405],
    ['/docs/guides/paging.md', 200],
    ['/robots.txt', 200],
    ['/events', 200],
    ['/account/developer', 303],
  ];
  for (const [path, status, method = 'GET', headers = {}] of cases) {
    test(`${method} ${path} (${status})`, async () => {
      const answer = await get(served, path, { ...withKey(served), ...headers }, method);
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    });
  }

  test('304 of the API', async () => {
    const etag = (await get(served, '/api/v1/events', withKey(served))).headers.get('etag') ?? '';
    const answer = await get(served, '/api/v1/events', { ...withKey(served), 'If-None-Match': etag });
    assert.equal(answer.status, 304);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });
});

describe('behind https', () => {
  const names = ['strict-transport-security', 'permissions-policy', 'cross-origin-opener-policy'] as const;
  const of = (answer: Response) => names.map((name) => answer.headers.get(name)?.split(/[;,]/)[0] ?? null);

  test('pages say so to browsers', async () => {
    for (const path of ['/', '/docs', '/changelog', '/nope', '/account/developer'])
      assert.deepEqual(of(await get(secure, path)), ['max-age=31536000', 'camera=()', 'same-origin'], path);
  });

  test('pages with the button "Near me" may ask for the position, others may not', async () => {
    const policy = async (path: string) => (await get(secure, path)).headers.get('permissions-policy') ?? '';
    assert.match(await policy('/'), /geolocation=\(self\)/);
    assert.match(await policy('/cities'), /geolocation=\(self\)/);
    assert.match(await policy('/search'), /geolocation=\(\)/);
    assert.match(await policy('/account/sign-in'), /geolocation=\(\)/);
  });

  test('the window in which an app is let in still knows the app', async () => {
    for (const path of ['/account/sign-in', '/account/sign-up', '/oauth/authorize'])
      assert.deepEqual(of(await get(secure, path)), ['max-age=31536000', 'camera=()', null], path);
  });

  test('programs do not get the header', async () => {
    for (const path of ['/api/v1/events', '/mcp'])
      assert.deepEqual(of(await get(secure, path)), [null, null, null]);
  });

  test('nor do visitors who use http', async () => {
    for (const path of ['/', '/docs']) assert.deepEqual(of(await get(served, path)), [null, null, null]);
  });
});
