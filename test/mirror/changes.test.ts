/** `GET /changes` and `/exports/…` of a real server, against docs/spec/changes.md. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportManifest } from '../../src/exports/manifest.ts';
import { csvCell } from '../../src/exports/sinks.ts';
import { folder, run } from '../support/cli-run.ts';
import { feed } from '../support/feed.ts';
import { type Served, serve } from '../support/serve-process.ts';

type Line = Record<string, unknown> & { revision: number; change: string; kind: string; id: string };

const cwd = folder();
const [data, exports] = [join(cwd, 'c.db'), join(cwd, 'exports')];
const options = `--dev --plan pro --window 1000 --empty --no-sync --data ${data} --export-dir ${exports} --export-every 31d`;
let server: Served;

const command = async (line: string[], input = '') => {
  const { status, stdout, stderr } = await run([...line, '--data', data], { cwd, input });
  assert.equal(status, 0, stderr);
  return stdout;
};
const get = (path: string, headers: Record<string, string> = {}, key = server.key) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const changes = async (query: string): Promise<Line[]> =>
  linesOf(await (await get(`/changes?${query}`)).text());
const refusal = async (path: string, headers: Record<string, string> = {}) => {
  const response = await get(path, headers);
  const { error } = (await response.json()) as {
    error: { type: string; param: string | null; message: string };
  };
  return { status: response.status, type: error.type, param: error.param, message: error.message };
};
const newestExport = async (): Promise<ExportManifest> =>
  (await (await get('/exports/catalogue.json')).json()) as ExportManifest;

before(async () => {
  mkdirSync(exports);
  await command(['import', '-', '--source', 'one'], feed.map((line) => JSON.stringify(line)).join('\n'));
  server = await serve(options, { cwd });
  await command(['export', '--dir', exports, '--base-url', server.url]);
});
after(() => server.stop());

test('a service with a missing folder of exports does not start, and says what to do', async () => {
  const line = `serve --data ${join(cwd, 'other.db')} --port 0 --empty`;
  const missing = await run([...line.split(' '), '--export-dir', 'nowhere'], { cwd });
  assert.equal(missing.status, 1);
  assert.match(
    missing.stderr,
    /^cratebase: The folder \S+nowhere \(--export-dir\) does not exist\. Create it: mkdir \S+nowhere$/m,
  );
  assert.equal(existsSync(join(cwd, 'other.db')), false);
  const alone = await run([...line.split(' '), '--export-every', '1h'], { cwd });
  assert.equal(alone.status, 2);
  assert.match(alone.stderr, /--export-every works only together with --export-dir/);
});

describe('the change feed', () => {
  test('has each record once, in the order of revisions, and ends with the revision reached', async () => {
    const lines = await changes('since=0&limit=10000');
    const end = lines.pop();
    const stats = ((await (await get('/api/v1/stats')).json()) as { data: Record<string, number> }).data;
    const counted = [
      'artists',
      'events',
      'festivals',
      'editions',
      'venues',
      'cities',
      'labels',
      'genres',
      'podcasts',
      'episodes',
    ];
    assert.equal(
      lines.length,
      counted.reduce((sum, name) => sum + (stats[name] as number), 0),
    );
    assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
    const revisions = lines.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
    assert.match(String(end?.epoch), /^[0-9a-f]{16}$/);
    assert.deepEqual(
      { ...end, epoch: '' },
      { change: 'end', revision: revisions.at(-1), epoch: '', has_more: false },
    );
  });

  test('continues from any revision with the same records, whatever the limit', async () => {
    const whole = (await changes('since=0&limit=10000')).slice(0, -1);
    const walked: Line[] = [];
    for (let [since, hasMore] = [0, true]; hasMore; ) {
      const lines = await changes(`since=${since}&limit=1`);
      const end = lines.pop() as Line;
      walked.push(...lines);
      assert.ok(end.revision > since || lines.length === 0);
      [since, hasMore] = [end.revision, end.has_more as boolean];
    }
    assert.deepEqual(walked, whole);
  });

  test('says what became of a record', async () => {
    const from = (await changes('since=0')).at(-1)?.revision as number;
    const [artist, venue] = await Promise.all(
      ['artists', 'venues'].map(async (list) => {
        const { data } = (await (await get(`/api/v1/${list}?limit=3`)).json()) as {
          data: { id: string; slug: string }[];
        };
        return data;
      }),
    );
    const [one, two] = artist as [{ id: string; slug: string }, { id: string; slug: string }];
    await command(['merge', `artist/${one.slug}`, `artist/${two.slug}`]);
    const hidden = (venue as { id: string; slug: string }[])[0] as { id: string; slug: string };
    await command(['hide', `venue/${hidden.slug}`]);
    const lines = await changes(`since=${from}`);
    const gone = lines.filter(({ change }) => change !== 'present' && change !== 'end');
    const merged = gone.find(({ change }) => change === 'merged') as Line & { into: { id: string } };
    assert.deepEqual([merged.id, merged.into.id].sort(), [one.id, two.id].sort());
    assert.deepEqual(gone.find(({ change }) => change === 'hidden')?.slug, hidden.slug);
    await command(['unhide', `venue/${hidden.slug}`]);
    const back = (await changes(`since=${lines.at(-1)?.revision}`)).find(({ id }) => id === hidden.id);
    assert.equal(back?.change, 'present');
  });

  test('is 304 while nothing changed, which costs nothing; lines cost a request per thousand', async () => {
    const first = await get('/changes?since=0');
    const left = Number(first.headers.get('x-quota-remaining'));
    const again = await get('/changes?since=0', { 'if-none-match': String(first.headers.get('etag')) });
    assert.equal(again.status, 304);
    assert.equal(Number(again.headers.get('x-quota-remaining')), left);
    assert.equal((await get('/changes?since=0')).headers.get('x-quota-remaining'), String(left - 1));
  });

  test('costs what it has, if a revision has more records than the limit', async () => {
    const base = await changes('since=0');
    const names = Array.from(
      { length: 1_100 },
      (_, at) => `{"kind":"label","external_id":"l${at}","name":"Imprint ${at}"}`,
    );
    await command(['import', '-', '--source', 'many'], names.join('\n'));
    const since = Number(base.at(-1)?.revision);
    // As the first import of a new file writes them: in one revision.
    const sqlite = new Database(data);
    sqlite.prepare('UPDATE records SET revision = ? WHERE revision > ?').run(since + 1, since);
    sqlite.close();
    const left = Number((await get('/changes?since=0&limit=1')).headers.get('x-quota-remaining'));
    const response = await get(`/changes?since=${since}&limit=1`);
    const records = linesOf(await response.text()).length - 1;
    const cost = Math.ceil(records / 1_000);
    assert.equal(cost, 2);
    assert.equal(response.headers.get('x-quota-remaining'), String(left - cost));
  });

  test('refuses what it cannot answer', async () => {
    for (const since of [
      '',
      '-1',
      '1.5',
      '1e3',
      '0x1',
      '99999999999999999999',
      'NaN',
      "1'--",
      '%00',
      '1%202',
    ]) {
      const { status, param } = await refusal(`/changes?since=${since}`);
      assert.deepEqual([status, param], [400, 'since'], since);
    }
    assert.deepEqual((await refusal('/changes')).param, 'since');
    for (const limit of ['0', '-5', '10001', 'x', '']) {
      const { status, param } = await refusal(`/changes?since=0&limit=${limit}`);
      assert.deepEqual([status, param], [400, 'limit'], limit);
    }
    assert.deepEqual((await refusal('/changes?since=0&epoch=../etc')).param, 'epoch');
    for (const query of ['since=999999999999999', `since=0&epoch=${'0'.repeat(16)}`]) {
      const { status, type, message } = await refusal(`/changes?${query}`);
      assert.deepEqual([status, type], [410, 'gone']);
      assert.match(message, /exports\/catalogue\.ndjson\.gz/);
    }
    const credentials: [authorization: string | null, message: RegExp][] = [
      [null, /^This request has no key\. Send a valid key/],
      ['Basic YTpi', /does not contain a valid API key/],
      [`Bearer ${server.key.slice(0, -1)}${server.key.endsWith('x') ? 'y' : 'x'}`, /mistyped or cut short/],
      [`Bearer ${'x'.repeat(43)}`, /An access token is for \/mcp alone/],
    ];
    for (const [authorization, message] of credentials) {
      const headers = authorization === null ? {} : { authorization };
      for (const path of ['/changes?since=0', '/api/v1/stats']) {
        const refused = await fetch(`${server.url}${path}`, { headers });
        assert.equal(refused.status, 401);
        assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="cratebase"');
        assert.match(((await refused.json()) as { error: { message: string } }).error.message, message);
      }
    }
    const post = await fetch(`${server.url}/changes?since=0`, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
    const head = await fetch(`${server.url}/changes?since=0`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${server.key}` },
    });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  test('is for plans that include it, which an operator can change', async () => {
    await command(['accounts', 'create', 'ada@example.com', '--json']);
    const key = (
      JSON.parse(await command(['keys', 'create', 'ada@example.com', '--name', 'k', '--json'])) as {
        key: string;
      }
    ).key;
    assert.equal((await get('/changes?since=0', {}, key)).status, 403);
    assert.equal((await get('/exports/catalogue.json', {}, key)).status, 403);
    await command(['plans', 'set', 'free', '--exports', 'on']);
    assert.equal((await get('/changes?since=0', {}, key)).status, 200);
    await command(['plans', 'set', 'free', '--exports', 'off']);
    assert.equal((await get('/changes?since=0', {}, key)).status, 403);
    const audit = JSON.parse(await command(['audit', '--json'])) as { data: { action: string }[] };
    assert.equal(audit.data.filter(({ action }) => action === 'plan.exports').length, 2);
  });
});

describe('an export', () => {
  const bytesOf = async (path: string, headers?: Record<string, string>) =>
    Buffer.from(await (await get(path, headers)).arrayBuffer());

  test('has the digests of its manifest, and can be resumed', async () => {
    const manifest = await newestExport();
    for (const { name, sha256, bytes } of manifest.files) {
      const body = await bytesOf(`/exports/${name}`);
      assert.deepEqual([body.length, createHash('sha256').update(body).digest('hex')], [bytes, sha256], name);
    }
    const { sha256, bytes } = manifest.files[0] as ExportManifest['files'][number];
    const path = `/exports/${manifest.export}/catalogue.ndjson.gz`;
    const part = await get(path, { range: 'bytes=100-', 'if-range': `"${sha256}"` });
    assert.deepEqual(
      [part.status, part.headers.get('content-range')],
      [206, `bytes 100-${bytes - 1}/${bytes}`],
    );
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), (await bytesOf(path)).subarray(100));
    assert.equal((await bytesOf(path, { range: 'bytes=-7' })).length, 7);
    const other = await get(path, { range: 'bytes=100-', 'if-range': '"another"' });
    assert.equal(other.status, 200);
    await other.arrayBuffer();
    assert.deepEqual(await refusal(path, { range: `bytes=${bytes}-` }).then(({ status }) => status), 416);
    const same = await get(path, { 'if-none-match': `"${sha256}"` });
    assert.equal(same.status, 304);
  });

  test('serves only its own files', async () => {
    writeFileSync(join(exports, 'private.txt'), 'private');
    for (const path of [
      '/exports/private.txt',
      '/exports/..%2Fc.db',
      '/exports/..%2F/c.db',
      '/exports/%2e%2e/c.db',
      '/exports/x/catalogue.json',
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  test('has the lines of the change feed, and leads to it', async () => {
    const { revision, epoch } = await newestExport();
    const lines = linesOf(gunzipSync(await bytesOf('/exports/catalogue.ndjson.gz')).toString());
    assert.deepEqual(lines.pop(), { change: 'end', revision, epoch, has_more: false });
    const at = new Map((await changes('since=0&limit=10000')).map((line) => [line.id, line]));
    const same = lines.filter(({ id, revision }) => at.get(id)?.revision === revision);
    assert.ok(same.length > lines.length / 2);
    for (const line of same) assert.deepEqual(line, at.get(line.id));
    assert.equal((await changes(`since=${revision}&epoch=${epoch}`)).at(-1)?.epoch, epoch);
  });

  test('has tables with the same records', async () => {
    const manifest = await newestExport();
    const lines = linesOf(gunzipSync(await bytesOf('/exports/catalogue.ndjson.gz')).toString());
    type EventLine = { data: { id: string; name: string; venue: { slug: string | null } } };
    const events = lines.filter(({ kind }) => kind === 'event') as unknown as EventLine[];
    const bytes = await bytesOf('/exports/events.parquet');
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    assert.equal(rows.length, manifest.records.event);
    for (const [index, row] of rows.entries()) {
      const data = events[index]?.data;
      assert.deepEqual([row.id, row.name, row.venue_slug], [data?.id, data?.name, data?.venue.slug]);
    }
    const metadata = parquetMetadata(file).key_value_metadata ?? [];
    assert.equal(metadata.find(({ key }) => key === 'revision')?.value, String(manifest.revision));
    const [header = '', ...csv] = gunzipSync(await bytesOf('/exports/genres.csv.gz'))
      .toString()
      .split('\r\n');
    assert.match(header, /^revision,id,slug,name,parent_slug,parent_name,url,description,aliases/);
    assert.equal(csv.filter((row) => row !== '').length, manifest.records.genre);
  });

  test('in the feed format fills another catalogue with the same records', async () => {
    const manifest = await newestExport();
    const path = join(cwd, 'feed.ndjson.gz');
    writeFileSync(path, await bytesOf('/exports/feed.ndjson.gz'));
    const other = join(cwd, 'other.db');
    const { status, stderr } = await run(['import', path, '--source', 'export', '--data', other], { cwd });
    assert.equal(status, 0, stderr);
    const stats = await run(['stats', '--json', '--data', other], { cwd });
    const { artists, events } = JSON.parse(stats.stdout) as Record<string, number>;
    assert.deepEqual([artists, events], [manifest.records.artist, manifest.records.event]);
  });

  test('cells that a spreadsheet would run begin with an apostrophe', () => {
    const text = { type: 'text' } as const;
    assert.equal(csvCell('=HYPERLINK("x")', text), `"'=HYPERLINK(""x"")"`);
    assert.equal(csvCell('-7', text), "'-7");
    // Spreadsheets in Japanese and Chinese take full-width signs for the usual ones.
    for (const sign of ['＝', '＋', '－', '＠', '\t', '@'])
      assert.equal(csvCell(`${sign}1`, text), `'${sign}1`);
    assert.equal(csvCell(-7, { type: 'number' }), '-7');
    assert.equal(csvCell('a,"b"\n', text), '"a,""b""\n"');
    assert.equal(csvCell('["-"]', { type: 'json' }), '"[""-""]"');
    assert.equal(csvCell(null, text), '');
  });
});

test('a restored file has another epoch, and its old exports are not served', async () => {
  const { epoch, revision } = await newestExport();
  const backup = join(cwd, 'backup.db');
  await command(['backup', backup]);
  assert.equal(await server.stop(), 0);
  const { status, stderr } = await run(['restore', backup, '--data', data], { cwd });
  assert.equal(status, 0, stderr);
  server = await serve(options, { cwd });
  const { type, param } = await refusal(`/changes?since=${revision}&epoch=${epoch}`);
  assert.deepEqual([type, param], ['gone', 'epoch']);
  // The service makes a new export at once.
  let next = await get('/exports/catalogue.json');
  for (let tries = 0; next.status === 404 && tries < 600; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    next = await get('/exports/catalogue.json');
  }
  const manifest = (await next.json()) as ExportManifest;
  assert.notEqual(manifest.epoch, epoch);
  assert.equal(manifest.base_url, server.url);
  assert.equal((await changes(`since=${manifest.revision}&epoch=${manifest.epoch}`)).length, 1);
  const sets = readdirSync(exports).filter((name) => name.startsWith('c-'));
  assert.ok(sets.every((name) => readFileSync(join(exports, name, 'catalogue.json')).length > 0));
});
