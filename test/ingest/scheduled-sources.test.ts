/** Sources and their sync, as the operator has them: the real command, a real server to read from, a real file. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  formatInterval,
  nextRetry,
  nextRun,
  parseInterval,
} from '../../src/ingest/schedule/schedule-times.ts';
import { run, start } from '../support/cli-run.ts';
import { serve } from '../support/source-server.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cratebase-sources-'));
after(() => rmSync(cwd, { recursive: true, force: true }));

/** What the seller lists, and how it behaves. */
const seller = { lines: [] as string[], status: 200, slow: false, tagged: true };
const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
let server: Server;
let address = '';

const show = (id: string, day: number, more: object = {}): string =>
  JSON.stringify({
    kind: 'event',
    external_id: id,
    name: `Night ${id}`,
    start_at: `2027-03-${String(day).padStart(2, '0')}T23:00`,
    timezone: 'Europe/Berlin',
    venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
    lineup: [{ name: `Player ${id}` }],
    ...more,
  });

before(async () => {
  server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    if (seller.status !== 200) return response.writeHead(seller.status).end('no');
    const body = `${seller.lines.join('\n')}\n`;
    const etag = `"${Buffer.from(body).toString('base64url').slice(-40)}${body.length}"`;
    const headers = seller.tagged ? { etag } : {};
    if (seller.tagged && request.headers['if-none-match'] === etag)
      return response.writeHead(304, headers).end();
    response.writeHead(200, { ...headers, 'content-type': 'application/x-ndjson' });
    if (!seller.slow) return response.end(body);
    // Half a feed, then nothing until the client closes the connection.
    response.write(body.slice(0, body.indexOf('\n') + 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  Object.assign(seller, {
    lines: [show('1', 1), show('2', 2), show('3', 3)],
    status: 200,
    slow: false,
    tagged: true,
  });
  asked.length = 0;
});

let files = 0;
const newFile = (): string => `f${++files}.db`;
const allow = ['--fetch-allow', '127.0.0.0/8'];
type Report = {
  source: string;
  outcome: string;
  revision: number;
  error: string | null;
  kinds: Record<string, Record<string, number>>;
  next_run_at: string | null;
  rejected_count: number;
  changes?: { what: string; kind: string; name: string; fields: string[] }[];
  matches?: { kind: string; external_id: string; slug: string; why: string; score: number | null }[];
};

async function json<T>(args: string[], status = 0): Promise<T> {
  const ended = await run([...args, '--json'], { cwd });
  assert.equal(ended.status, status, ended.stderr);
  return JSON.parse(ended.stdout) as T;
}
const sync = async (data: string, more: string[] = [], status = 0): Promise<Report> =>
  (await json<{ data: Report[] }>(['sync', '--data', data, ...allow, ...more], status)).data[0] as Report;
const add = (data: string, more: string[] = []) =>
  json<Record<string, unknown>>([
    'sources',
    'add',
    'seller',
    '--type',
    'feed',
    '--url',
    `${address}/feed.ndjson?apikey=hush-hush`,
    '--data',
    data,
    ...more,
  ]);
const list = async (data: string) =>
  (await json<{ data: Record<string, unknown>[] }>(['sources', 'list', '--data', data])).data;
const eventsOf = async (data: string) =>
  (await json<{ events: number; upcoming_events: number }>(['stats', '--data', data])) as Record<
    string,
    number
  >;

describe('sources', () => {
  test('added, read, read again, removed', async () => {
    const data = newFile();
    const added = await add(data, ['--every', '12h', '--trust', '70']);
    assert.equal(added.url, `${address}/feed.ndjson?apikey=(hidden)`);
    assert.deepEqual(
      [added.trust, added.every, added.records, added.last_run_at, added.failures],
      [70, '12h', 0, null, 0],
    );
    const first = await sync(data);
    assert.deepEqual([first.outcome, first.kinds.event?.created], ['done', 3]);
    const second = await sync(data);
    assert.deepEqual([second.outcome, second.revision], ['unchanged', first.revision]);
    assert.deepEqual(
      asked.map(({ headers }) => headers['if-none-match'] !== undefined),
      [false, true],
    );
    assert.match(String(asked[0]?.headers['user-agent']), /^cratebase\/\d/);
    const fresh = await sync(data, ['--fresh']);
    assert.deepEqual(
      [fresh.outcome, fresh.revision, fresh.kinds.event?.unchanged],
      ['done', first.revision, 3],
    );
    const [listed] = await list(data);
    assert.deepEqual([listed?.records, listed?.failures, listed?.last_error], [3, 0, null]);
    const removed = await json<Record<string, number>>(['sources', 'remove', 'seller', '--data', data]);
    assert.deepEqual([removed.records, removed.withdrawn], [3, 0]);
    // Its records stay, and say so.
    assert.deepEqual(
      (await list(data)).map(({ name, scheduled, records }) => [name, scheduled, records]),
      [['seller', false, 3]],
    );
    assert.equal((await eventsOf(data)).events, 3);
  });

  test('repeated or unreadable options are reported in one line', async () => {
    const data = newFile();
    await add(data);
    const cases: [args: string[], status: number, says: RegExp][] = [
      [['sources', 'add', 'seller', '--type', 'feed', '--url', address], 1, /already/],
      [['sources', 'add', 'x', '--type', 'rss', '--url', address], 2, /--type is feed, jsonld/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', 'nowhere.ndjson'], 2, /no file or folder/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', 'ftp://a/b'], 2, /http or https/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', address, '--every', '1m'], 2, /--every is a span/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', address, '--trust', '101'], 2, /--trust/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', address, '--clock', 'utc'], 2, /--clock/],
      [['sources', 'add', 'x', '--type', 'feed', '--url', address, '--option', 'a'], 2, /name=value/],
      [
        ['sources', 'add', 'x', '--type', 'feed', '--url', address, '--option', 'a=b'],
        2,
        /no option a; it has none/,
      ],
      [
        ['sources', 'add', 'x', '--type', 'ical', '--url', address, '--option', 'time-zone=UTC'],
        2,
        /no option time-zone; it has timezone, venue, city, country and horizon\./,
      ],
      [['sources', 'remove', 'other'], 1, /There is no source other\. There are seller/],
      [['sync', 'other'], 1, /There is no source other/],
    ];
    for (const [args, status, says] of cases) {
      const ended = await run([...args, '--data', data], { cwd });
      assert.equal(ended.status, status, args.join(' '));
      assert.match(ended.stderr, says);
      assert.equal(ended.stderr.trimEnd().split('\n').length, 1);
    }
  });

  test('a private address is refused unless it is allowed, and the key in it is never shown', async () => {
    const data = newFile();
    await add(data);
    const ended = await run(['sync', '--data', data], { cwd });
    assert.equal(ended.status, 1);
    assert.match(ended.stdout, /--fetch-allow/);
    assert.doesNotMatch(ended.stdout + ended.stderr, /hush-hush/);
    assert.equal(asked.length, 0);
    // This command may not: that says nothing of the source, which the service may well read.
    const [listed] = await list(data);
    assert.deepEqual([listed?.failures, listed?.last_error], [0, null]);
    assert.doesNotMatch(JSON.stringify(listed), /hush-hush/);
    assert.equal((await sync(data, ['--due'])).outcome, 'done', 'it is due as it was');
    const later = newFile();
    await add(later);
    // What is read when it is due is the schedule itself.
    await run(['sync', '--due', '--data', later], { cwd });
    assert.equal((await list(later))[0]?.failures, 1);
  });

  test('a command fetches what the running service on its file may, and shows its addresses', async () => {
    const data = newFile();
    const settings = ['--base-url', 'https://music.example.org', '--fetch-allow', '127.0.0.1'];
    const serving = start(['serve', '--empty', '--no-sync', '--port', '0', '--data', data, ...settings], {
      cwd,
    });
    try {
      await once(serving.stdout, 'data');
      const url = `${address}/feed.ndjson`;
      const added = await run(['sources', 'add', 'seller', '--type', 'feed', '--url', url, '--data', data], {
        cwd,
      });
      assert.doesNotMatch(added.stdout + added.stderr, /not a public address/);
      assert.match(added.stdout, /run: cratebase sync seller --data \S+$/m);
      // Both work on a copy, in which no service is registered.
      const preview = ['sources', 'preview', '--url', url, '--type', 'feed', '--data', data];
      for (const args of [
        ['add', url, '--type', 'feed', '--name', 'other', '--dry-run', '--data', data],
        preview,
      ]) {
        const shown = await run(args, { cwd });
        assert.equal(shown.status, 0, shown.stderr);
        assert.match(
          shown.stderr,
          /^using the settings of the running service .* --fetch-allow 127\.0\.0\.1$/m,
        );
      }
      const dry = await run(['sync', '--dry-run', '--data', data], { cwd });
      assert.equal(dry.status, 0, dry.stdout);
      const ended = await run(['sync', '--data', data], { cwd });
      assert.equal(ended.status, 0, ended.stdout);
      assert.match(
        ended.stderr,
        /^using the settings of the running service \(process \d+\): --base-url https:\/\/music\.example\.org --fetch-allow 127\.0\.0\.1$/m,
      );
      assert.match(String(asked.at(-1)?.headers['user-agent']), /\(\+https:\/\/music\.example\.org\)$/);
      // What is given to the command wins, and its refusal is not the source's.
      const own = await run(['sync', '--fetch-allow', '10.0.0.1', '--data', data], { cwd });
      assert.equal(own.status, 1);
      const [listed] = await list(data);
      assert.deepEqual([listed?.failures, listed?.last_error, listed?.records], [0, null, 3]);
      const shown = await run(['show', 'artist', 'player-1', '--data', data], { cwd });
      assert.match(shown.stdout, /https:\/\/music\.example\.org\/artists\/player-1/);
      const found = await run(['search', 'player 1', '--json', '--data', data], { cwd });
      assert.match(found.stdout, /https:\/\/music\.example\.org\/artists\/player-1/);
      const elsewhere = { CRATEBASE_BASE_URL: 'https://other.example' };
      const result = await run(['show', 'artist', 'player-1', '--data', data], { cwd, env: elsewhere });
      assert.match(result.stdout, /https:\/\/other\.example\/artists\/player-1/);
    } finally {
      serving.kill('SIGTERM');
      await once(serving, 'close');
    }
    const after = await run(['show', 'artist', 'player-1', '--data', data], { cwd });
    assert.match(after.stdout, /http:\/\/127\.0\.0\.1:4880\/artists\/player-1/);
  });

  test('a dry run tells what would change, and changes nothing', async () => {
    const data = newFile();
    await add(data, ['--complete']);
    await sync(data);
    const before = await list(data);
    seller.lines = [show('1', 1), show('2', 2, { status: 'postponed' }), show('4', 4)];
    const dry = await sync(data, ['--dry-run']);
    assert.deepEqual([dry.revision, dry.next_run_at], [null, null]);
    const result = dry.changes?.filter(({ kind }) => kind === 'event').map(({ what, name }) => [what, name]);
    assert.deepEqual(result?.sort(), [
      ['cancelled', 'Night 3'],
      ['created', 'Night 4'],
      ['updated', 'Night 2'],
      ['updated', 'Night 3'],
      ['withdrawn', 'Night 3'],
    ]);
    assert.deepEqual(await list(data), before);
    assert.equal((await eventsOf(data)).events, 3);
    assert.equal(existsSync(join(cwd, data)), true);
  });

  test('a dry run says what its records are found to be, and why', async () => {
    const data = newFile();
    writeFileSync(join(cwd, 'other.ndjson'), `${show('o', 1, { lineup: [{ name: 'Player 1' }] })}\n`);
    await json(['import', 'other.ndjson', '--source', 'other', '--data', data]);
    await add(data);
    const dry = await sync(data, ['--dry-run']);
    const [match, ...more] = dry.matches ?? [];
    assert.deepEqual([match?.kind, match?.external_id, more], ['event', '1', []]);
    assert.match(match?.why ?? '', /^weighed 0\.\d+; .*Player 1/);
    assert.ok((match?.score ?? 0) > 0.8);
    const result = await run(['sync', '--dry-run', '--data', data, ...allow], { cwd });
    assert.match(result.stdout, /MATCHED +KIND +SLUG +WHY\n1 +event +night-o\S* +weighed/);
    assert.match(result.stdout, /seller: done, dry run: nothing was changed\n$/);
  });

  test('rejected records stay listed until a run reads them without errors', async () => {
    const data = newFile();
    await add(data);
    seller.lines = [show('1', 1), 'nonsense', show('2', 2)];
    // Not all went in that the source has: the exit status says so.
    assert.equal((await sync(data, [], 1)).rejected_count, 1);
    const result = async () => {
      const [listed] = (await list(data)) as { rejected_count: number; rejected: { reason: string }[] }[];
      const { stdout, stderr } = await run(['sources', 'list', '--data', data], { cwd });
      return { ...listed, text: `${stdout}${stderr}` };
    };
    const first = await result();
    assert.equal(first.rejected_count, 1);
    assert.match(first.text, /ok, 1 rejected/);
    assert.match(first.text, /seller: 1 record rejected .*\n {2}.*feed\.ndjson.*:2: not JSON/);
    assert.doesNotMatch(first.text, /hush-hush/);
    assert.equal((await sync(data)).outcome, 'unchanged');
    const second = await result();
    assert.deepEqual([second.rejected_count, second.rejected], [1, first.rejected]);
    const { findings } = await json<{ findings: { check: string; message: string }[] }>([
      'doctor',
      '--data',
      data,
    ]);
    assert.ok(findings.some(({ message }) => /seller: 1 record rejected/.test(message)));
    seller.status = 404;
    await sync(data, [], 1);
    assert.equal((await result()).rejected_count, 1);
    seller.status = 200;
    seller.lines = [show('1', 1), show('2', 2)];
    await sync(data);
    const mended = await result();
    assert.deepEqual([mended.rejected_count, mended.rejected], [0, []]);
    assert.doesNotMatch(mended.text, /rejected/);
  });

  test('a few rejected lines are listed with number and reason, and the count of the others', async () => {
    const data = newFile();
    await add(data);
    seller.lines = [show('1', 1), ...Array.from({ length: 7 }, () => '{bad')];
    const { status, stdout, stderr } = await run(['sync', '--data', data, ...allow], { cwd });
    assert.equal(status, 1);
    assert.match(stdout, /seller: done, .*, 7 records rejected/);
    assert.equal(stderr.match(/feed\.ndjson\S*:\d+: not JSON: Expected property name/g)?.length, 5);
    assert.match(stderr, /feed\.ndjson\S*:2: /);
    assert.match(stderr, /… and 2 more rejected; all 7 are in /);
    const file = join(cwd, `${data}.rejected-seller.txt`);
    assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 7);
    seller.lines = [show('1', 1)];
    await sync(data);
    assert.ok(!existsSync(file));
  });

  test('a page that is no feed is a failure of the source, retried and reported', async () => {
    const data = newFile();
    await add(data, ['--complete']);
    seller.lines = ['<html>', '<p>Under construction</p>', '</html>'];
    const { outcome, error, next_run_at } = await sync(data, [], 1);
    assert.equal(outcome, 'failed');
    assert.match(error ?? '', /^It is no feed: all of its 3 lines had to be rejected \(.*:1: not JSON: /);
    assert.ok(Date.parse(next_run_at ?? '') < Date.now() + 600_000);
    const [listed] = (await list(data)) as { failures: number; last_error: string }[];
    assert.deepEqual([listed?.failures, listed?.last_error], [1, error]);
  });

  test('rejections on unchanged pages of a source with many pages stay listed', async (t) => {
    const data = newFile();
    const event = (more: object) =>
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'MusicEvent', ...more })}</script>`;
    const pages: Record<string, string> = {
      '/good': event({ name: 'Good', startDate: '2027-03-01' }),
      '/bad': event({ name: 'Bad', startDate: 'some day' }),
    };
    const url: string = await serve(t, (request, response) => {
      const listed = Object.keys(pages).map((path) => `${url}${path}\n`);
      const text = pages[request.url ?? ''] ?? listed.join('');
      const etag = `"${Buffer.from(text).toString('base64url').slice(0, 200)}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(text);
    });
    const plan = ['--type', 'jsonld', '--url', `${url}/list`, '--option', 'pause=0', '--data', data];
    await json(['sources', 'add', 'site', ...plan]);
    const result = async () => {
      const [listed] = (await list(data)) as { rejected_count: number; rejected: { where: string }[] }[];
      return [listed?.rejected_count, ...(listed?.rejected ?? []).map(({ where }) => where)];
    };
    await sync(data, [], 1);
    assert.deepEqual(await result(), [1, `${url}/bad`]);
    pages['/good'] = event({ name: 'Better', startDate: '2027-03-01' });
    const second = await sync(data);
    assert.deepEqual([second.outcome, second.rejected_count], ['done', 0]);
    assert.deepEqual(await result(), [1, `${url}/bad`]);
    pages['/bad'] = event({ name: 'Mended', startDate: '2027-03-02' });
    await sync(data);
    assert.deepEqual(await result(), [0]);
  });

  test('pages that did not change are not read twice, and still list what they listed', async (t) => {
    const data = newFile();
    const night = (day: number) =>
      `<script type="application/ld+json">${JSON.stringify({
        '@type': 'MusicEvent',
        name: `Night ${day}`,
        startDate: `2027-03-0${day}T22:00+01:00`,
      })}</script>`;
    const pages: Record<string, string> = { '/1': night(1), '/2': night(2), '/3': night(3), '/4': night(4) };
    let list = Object.keys(pages);
    const answered: string[] = [];
    const url: string = await serve(t, (request, response) => {
      const path = request.url ?? '';
      const text = path === '/list' ? list.map((page) => `${url}${page}\n`).join('') : pages[path];
      if (text === undefined) return response.writeHead(404).end();
      const etag = `"${Buffer.from(text).toString('base64url').slice(-60)}"`;
      const isSame = request.headers['if-none-match'] === etag;
      answered.push(`${path} ${isSame ? 304 : 200}`);
      response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? '' : text);
    });
    const plan = ['--type', 'jsonld', '--option', 'pause=0', '--complete', '--data', data];
    await json(['sources', 'add', 'site', '--url', `${url}/list`, ...plan]);
    const read = async (name: string, more: string[] = []) =>
      (await json<{ data: Report[] }>(['sync', name, '--data', data, ...allow, ...more])).data[0] as Report;
    const again = async (more: string[] = []) => {
      answered.length = 0;
      const { outcome, kinds } = await read('site', more);
      return [outcome, kinds.event?.withdrawn ?? 0, answered.filter((one) => one.endsWith('200')).length];
    };
    assert.deepEqual(await again(), ['done', 0, 5]);
    assert.deepEqual(await again(), ['unchanged', 0, 1]);
    assert.deepEqual(answered.slice(1), ['/1 304', '/2 304', '/3 304', '/4 304']);
    // One that changed has all of them read: what is listed nowhere any more is withdrawn.
    pages['/2'] = night(5);
    assert.deepEqual(await again(), ['done', 1, 5]);
    assert.deepEqual(await again(), ['unchanged', 0, 1]);
    list = list.filter((page) => page !== '/3');
    assert.deepEqual(await again(), ['done', 1, 4]);
    assert.deepEqual(await again(), ['unchanged', 0, 1]);
    assert.deepEqual(await again(['--fresh']), ['done', 0, 4]);

    await json(['sources', 'add', 'page', '--url', `${url}/1`, ...plan]);
    await read('page');
    answered.length = 0;
    assert.equal((await read('page')).outcome, 'unchanged');
    assert.deepEqual(answered, ['/1 304']);
  });

  test('records imported by hand under the name of a source are read again by its next sync', async () => {
    const data = newFile();
    await add(data);
    await sync(data);
    writeFileSync(join(cwd, 'hand.ndjson'), `${show('1', 1, { name: 'By hand' })}\n`);
    await json(['import', 'hand.ndjson', '--source', 'seller', '--data', data]);
    const report = await sync(data);
    assert.deepEqual([report.outcome, report.kinds.event?.updated], ['done', 1]);
  });

  test('a feed that breaks off is asked for whole the next time, be it again what it was before', async () => {
    const data = newFile();
    await add(data);
    await sync(data);
    const before = seller.lines;
    seller.lines = [show('1', 1, { name: 'Night of another name' }), ...before.slice(1)];
    seller.slow = true;
    const stopped = setTimeout(() => server.closeAllConnections(), 1_500);
    assert.equal((await sync(data, [], 1)).outcome, 'failed');
    clearTimeout(stopped);
    Object.assign(seller, { slow: false, lines: before });
    const again = await sync(data);
    assert.deepEqual([again.outcome, again.kinds.event?.updated], ['done', 1]);
  });

  test('a calendar that did not change is not read again, whether it is complete or not', async () => {
    for (const more of [[], ['--complete']]) {
      const data = newFile();
      seller.lines = [
        'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:u\r\nDTSTART:20270301T200000Z\r\nRRULE:FREQ=WEEKLY',
        'SUMMARY:Night\r\nEND:VEVENT\r\nEND:VCALENDAR',
      ];
      const plan = ['--type', 'ical', '--url', `${address}/club.ics`, '--data', data];
      await json(['sources', 'add', 'club', ...plan, ...more]);
      const first = await sync(data);
      assert.equal(first.outcome, 'done');
      const second = await sync(data);
      assert.deepEqual([second.outcome, second.revision], ['unchanged', first.revision]);
    }
  });

  test('for a source in a private network the message says how to allow it, when it is added and when it fails', async () => {
    for (const [url, said, flag] of [
      [`${address}/x.ics`, /127\.0\.0\.1 is not a public address/, '127.0.0.1'],
      ['http://localhost:1/x.ics', /localhost \(.*127\.0\.0\.1.*\) is not a public address/, '127.0.0.1'],
      ['http://[::1]:1/x.ics', /::1 is not a public address/, '::1'],
    ] as const) {
      const data = newFile();
      const plan = ['sources', 'add', 'near', '--type', 'ical', '--url', url, '--data', data];
      const added = await run(plan, { cwd });
      assert.equal(added.status, 0);
      assert.match(added.stderr, said);
      const [next = ''] = /cratebase sync near .*/.exec(added.stdout) ?? [];
      assert.ok(next.includes(`--fetch-allow ${flag}`) && next.includes(`--data ${data}`), added.stdout);
      const failed = await run(['sync', '--data', data], { cwd });
      assert.match(failed.stdout, said);
      assert.ok(failed.stdout.includes(`--fetch-allow ${flag}`));
    }
    const env = { CRATEBASE_FETCH_ALLOW: '127.0.0.0/8' };
    const plan = ['sources', 'add', 'near', '--type', 'ical', '--url', address, '--data', newFile()];
    assert.equal((await run(plan, { cwd, env })).stderr, '');
  });

  test('the address of a calendar is taken as calendars write it', async () => {
    const plan = ['--type', 'ical', '--url', 'webcal://club.example/x.ics', '--data', newFile()];
    const added = await json<{ url: string }>(['sources', 'add', 'club', ...plan]);
    assert.equal(added.url, 'https://club.example/x.ics');
  });

  test('times are shown with their zone, and lines without blank lines between them', async () => {
    const data = newFile();
    await add(data);
    await json(['sources', 'add', 'other', '--type', 'feed', '--url', `${address}/o`, '--data', data]);
    await run(['sync', '--data', data, ...allow], { cwd });
    const again = await run(['sync', '--data', data, ...allow], { cwd });
    assert.match(again.stdout, /^other: unchanged, .* UTC\nseller: unchanged, .* UTC\n$/);
    const listed = await run(['sources', 'list', '--data', data], { cwd });
    assert.match(listed.stdout, /LAST READ \(UTC\) +NEXT \(UTC\)/);
  });

  test('a complete source withdraws what it no longer lists, but more than half only with the option for it', async () => {
    const data = newFile();
    await add(data, ['--complete']);
    await sync(data);
    seller.lines = [show('1', 1)];
    const refused = await sync(data, [], 1);
    assert.equal(refused.outcome, 'refused');
    assert.match(refused.error ?? '', /--force/);
    assert.equal((await list(data))[0]?.failures, 1);
    const forced = await sync(data, ['--force']);
    assert.deepEqual([forced.outcome, forced.kinds.event?.withdrawn], ['done', 2]);
    const removed = await json<Record<string, number>>([
      'sources',
      'remove',
      'seller',
      '--withdraw',
      '--data',
      data,
    ]);
    assert.equal(removed.withdrawn, 1);
  });

  test('half a feed is taken as far as it goes, withdraws nothing, and is asked for again', async () => {
    const data = newFile();
    await add(data, ['--complete']);
    await sync(data);
    seller.lines = [show('9', 9), ...seller.lines];
    server.closeAllConnections();
    seller.slow = true;
    const stopped = setTimeout(() => server.closeAllConnections(), 1_500);
    const partial = await sync(data, [], 1);
    clearTimeout(stopped);
    assert.equal(partial.outcome, 'failed');
    assert.equal((await eventsOf(data)).upcoming_events, 4);
    seller.slow = false;
    assert.equal((await sync(data)).outcome, 'done');
  });

  test('a file and a folder are read as well as an address', async () => {
    const data = newFile();
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'folder/a.ndjson'), `${seller.lines[0]}\n`);
    writeFileSync(join(cwd, 'folder/b.ndjson'), `${seller.lines[1]}\n`);
    await json(['sources', 'add', 'files', '--type', 'feed', '--url', 'folder', '--data', data]);
    const report = await sync(data);
    assert.deepEqual([report.outcome, report.kinds.event?.created], ['done', 2]);
  });

  test('manual imports are distinguished from scheduled ones', async () => {
    const data = newFile();
    writeFileSync(join(cwd, 'hand.ndjson'), `${show('21', 21)}\n`);
    await json(['import', 'hand.ndjson', '--source', 'by-hand', '--trust', '60', '--data', data]);
    await add(data);
    const listed = await list(data);
    assert.deepEqual(
      listed.map(({ name, scheduled, trust, records, every, next_run_at: next }) => ({
        ...{ name, scheduled, trust, records, every, isPlanned: next !== null },
      })),
      [
        { name: 'seller', scheduled: true, trust: 50, records: 0, every: '24h', isPlanned: true },
        { name: 'by-hand', scheduled: false, trust: 60, records: 1, every: null, isPlanned: false },
      ],
    );
    const { stdout } = await run(['sources', 'list', '--data', data], { cwd });
    assert.match(stdout, /^by-hand +feed +1 .* not scheduled/m);
    assert.match(stdout, /^seller +feed +0 .* not read yet/m);
    const ended = await run(['sync', 'by-hand', '--data', data], { cwd });
    assert.match(ended.stderr, /by-hand is not scheduled\. Schedule it with/);
    assert.equal(ended.status, 1);
    for (const option of [[], ['--withdraw']]) {
      const refused = await run(['sources', 'remove', 'by-hand', ...option, '--data', data], { cwd });
      assert.match(
        refused.stderr,
        /by-hand is not scheduled\. To delete the source with its records, run `cratebase sources remove by-hand --purge`\./,
      );
      assert.equal(refused.status, 1);
    }
    const misspelt = await run(['sources', 'remove', 'by-hnad', '--data', data], { cwd });
    assert.match(misspelt.stderr, /There is no source by-hnad\. There are seller, by-hand\./);
    assert.equal(misspelt.status, 1);
    // The same name, planned: its records are there, so it is not as if it had never been read.
    await json(['sources', 'add', 'by-hand', '--type', 'feed', '--url', `${address}/x`, '--data', data]);
    const again = await run(['sources', 'list', '--data', data], { cwd });
    assert.match(again.stdout, /^by-hand +feed +1 .* not read completely yet/m);
  });

  test('two syncs and an import at once come one after the other', async () => {
    const data = newFile();
    await add(data);
    seller.tagged = false;
    writeFileSync(
      join(cwd, 'more.ndjson'),
      `${[11, 12, 13].map((day) => show(String(day), day)).join('\n')}\n`,
    );
    const ended = await Promise.all([
      run(['sync', '--data', data, ...allow], { cwd }),
      run(['sync', '--data', data, ...allow], { cwd }),
      run(['import', 'more.ndjson', '--source', 'more', '--data', data], { cwd }),
    ]);
    for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
    assert.equal((await eventsOf(data)).events, 6);
    assert.equal((await json<{ ok: boolean }>(['verify', '--data', data])).ok, true);
  });
});

describe('the schedule of serve', () => {
  const env = { CRATEBASE_METRICS_TOKEN: 'let-me-in' };
  const withToken = { headers: { Authorization: 'Bearer let-me-in' } };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  async function until<T>(ask: () => Promise<T | null>): Promise<T> {
    for (let round = 0; round < 600; round++) {
      const found = await ask();
      if (found !== null) return found;
      await wait(100);
    }
    throw new Error('it did not happen');
  }

  for (const workers of ['1', '2']) {
    test(`reads what is due, once, and says how it went (${workers} at work)`, async () => {
      const data = newFile();
      seller.lines.push('nonsense');
      await add(data);
      const child = start(
        ['serve', '--empty', '--port', '0', '--data', data, '--workers', workers, ...allow, '--json'],
        { cwd, env },
      );
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text) => {
        out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        err += text;
      });
      try {
        const { url } = await until(async () =>
          out.includes('\n') ? (JSON.parse(out) as { url: string }) : null,
        );
        await until(async () => (err.includes('a source was read') ? true : null));
        assert.deepEqual(await (await fetch(`${url}/readyz`)).json(), { status: 'ok' });
        const body = (await (await fetch(`${url}/readyz`, withToken)).json()) as {
          sources: Record<string, unknown>[];
        };
        const [result] = body.sources;
        assert.deepEqual(
          [result?.name, result?.state, result?.failures, result?.rejected],
          ['seller', 'ok', 0, 1],
        );
        assert.doesNotMatch(JSON.stringify(body), /hush|127\.0\.0\.1/);
        assert.equal(asked.length, 1);
        assert.equal((await eventsOf(data)).events, 3);
      } finally {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        assert.deepEqual(await gone, [0, null]);
      }
    });
  }

  test('a failing source is reported, and the others go on', async () => {
    const data = newFile();
    await add(data);
    seller.status = 404;
    const child = start(['serve', '--empty', '--port', '0', '--data', data, ...allow, '--json'], {
      cwd,
      env,
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    try {
      const { url } = await until(async () =>
        out.includes('\n') ? (JSON.parse(out) as { url: string }) : null,
      );
      await until(async () => (err.includes('a source was read with errors') ? true : null));
      const answer = await fetch(`${url}/readyz`, withToken);
      const body = (await answer.json()) as { sources: Record<string, unknown>[] };
      assert.deepEqual([answer.status, body.sources[0]?.state], [200, 'failing']);
      assert.doesNotMatch(err, /hush-hush/);
      const { findings } = await json<{ findings: { check: string; message: string }[] }>([
        'doctor',
        '--data',
        data,
        '--base-url',
        url,
      ]);
      assert.ok(
        findings.some(
          ({ check, message }) => check === 'sources' && /seller failed once|1 time/.test(message),
        ),
      );
    } finally {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
  });

  test('with --no-sync nothing is read', async () => {
    const data = newFile();
    await add(data);
    const child = start(
      ['serve', '--empty', '--port', '0', '--data', data, '--no-sync', ...allow, '--json'],
      { cwd },
    );
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    await until(async () => (out.includes('\n') ? true : null));
    await wait(2_500);
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    assert.equal(asked.length, 0);
  });
});

describe('when', () => {
  test('spans are read and written', () => {
    const hour = 3_600_000;
    for (const [text, ms] of [
      ['24h', 24 * hour],
      ['90m', 1.5 * hour],
      ['7d', 168 * hour],
      ['1d', 24 * hour],
      ['5m', hour / 12],
      ['31d', 744 * hour],
      ['2w', 336 * hour],
    ] as const) {
      assert.equal(parseInterval(text), ms);
      assert.equal(parseInterval(formatInterval(ms)), ms);
    }
    assert.deepEqual(
      [24, 48, 36].map((hours) => formatInterval(hours * hour)),
      ['24h', '2d', '36h'],
    );
    for (const text of ['', '4m', '32d', '1', '24', 'h', '-1h', '1.5h', '5w', '1e3h']) {
      assert.equal(parseInterval(text), null, text);
    }
  });

  test('never later than it was set to, and a failure is tried again sooner and then ever later', () => {
    const day = 86_400_000;
    for (const chance of [0, 0.5, 0.999]) {
      const next = nextRun(1_000, day, chance);
      assert.ok(next <= 1_000 + day && next > 1_000 + day - 3_600_001);
    }
    const waits = [1, 2, 3, 4, 20, 1_000].map((failures) => nextRetry(0, day, failures, 0));
    assert.deepEqual(waits, [300_000, 600_000, 1_200_000, 2_400_000, day, day]);
  });
});
