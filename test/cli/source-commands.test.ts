/** The commands about rules, review and history of sources: the real program on a real file and a real server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { run } from '../support/cli-run.ts';
import { serve } from '../support/source-server.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cratebase-source-commands-'));
after(() => rmSync(cwd, { recursive: true, force: true }));
let files = 0;

const lines = ['Winter Night', 'Brain Break: Quiz', 'Summer Night', 'Brain Break: Crafts'].map(
  (name, index) => ({
    kind: 'event',
    external_id: String(index + 1),
    name,
    start_at: `2027-03-0${index + 1}T23:00`,
    timezone: 'Europe/Berlin',
    venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
  }),
);

/** A feed on a server, and the command on a file of its own. */
async function place(t: TestContext) {
  const feed = { lines: lines as object[] };
  const address = await serve(t, (_request, response) =>
    response.end(`${feed.lines.map((line) => JSON.stringify(line)).join('\n')}\n`),
  );
  const data = `s${++files}.db`;
  const env = { CRATEBASE_DATA: data, CRATEBASE_FETCH_ALLOW: '127.0.0.0/8' };
  const cratebase = (...args: string[]) => run(args, { cwd, env });
  const json = async (...args: string[]) => {
    const { stdout, stderr, status } = await cratebase(...args, '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  return { feed, url: `${address}/feed.ndjson`, cratebase, json };
}

describe('commands about one source', { concurrency: 2 }, () => {
  test('preview, set and show rules', async (t) => {
    const { url, cratebase, json } = await place(t);
    const before = await json(
      'sources',
      'preview',
      '--url',
      url,
      '--type',
      'feed',
      '--exclude',
      'brain break',
    );
    assert.deepEqual([before.kept_count, before.dropped_count, before.changes.length], [2, 2, 4]);
    const missing = await cratebase('sources', 'list');
    assert.match(missing.stderr, /There is no data file/, 'a preview writes nothing');

    await json('sources', 'add', 'salon', '--type', 'feed', '--url', url, '--complete');
    assert.equal((await cratebase('sync', 'salon')).status, 0);
    const stored = await cratebase('sources', 'preview', 'salon', '--exclude', 'Brain Break*');
    assert.match(stored.stdout, /^kept 2:\nID +KIND +START +NAME +VENUE +CITY\n1 +event/);
    assert.match(stored.stdout, /\n4 listings: 2 kept, 2 dropped\n$/);

    const set = await cratebase(
      'sources',
      'set',
      'salon',
      '--exclude',
      'Brain Break*',
      '--license',
      'CC0-1.0',
      '--apply',
    );
    assert.equal(set.status, 0, set.stderr);
    assert.match(
      set.stdout,
      /^salon: changed exclude, license\n2 records withdrawn\nto read it .* run: cratebase sync salon\n$/,
    );
    const second = await json('sources', 'set', 'salon', '--exclude', 'crafts');
    assert.deepEqual(second.source.rules.exclude, ['Brain Break*', 'crafts'], 'patterns are added');
    const shown = await cratebase('sources', 'show', 'salon');
    for (const line of [
      /^exclude +Brain Break\*, crafts$/m,
      /^license +CC0-1.0$/m,
      /^records +2$/m,
      /^only here +2 of 2$/m,
    ])
      assert.match(shown.stdout, line);
    const synced = await cratebase('sync', 'salon');
    assert.match(synced.stdout, /, 2 skipped \(exclude 2\), next/);
    const listed = await json('sources', 'list');
    assert.equal(listed.data[0].rules.license, 'CC0-1.0');
    const details = await json('show', 'event', 'winter-night-2027-03-01');
    assert.equal(details.sources[0].license, 'CC0-1.0');
  });

  test('hold, approve and reject', async (t) => {
    const { url, cratebase, json } = await place(t);
    await json('sources', 'add', 'tips', '--type', 'feed', '--url', url, '--hold');
    const synced = await cratebase('sync', 'tips');
    assert.match(synced.stdout, /^tips: done, revision \d+ after .*, 4 skipped \(hold 4\)/m);
    assert.equal((await json('search', 'night')).data.length, 0);
    const held = await cratebase('sources', 'held', 'tips');
    assert.match(held.stdout, /^ID +KIND +START +NAME/);
    assert.match(
      held.stdout,
      /\n4 records of tips wait, 0 rejected\nto publish one, run: cratebase sources approve tips ID\n$/,
    );
    const approved = await cratebase('sources', 'approve', 'tips', '1', 'event:3');
    assert.match(approved.stdout, /^2 records of tips approved\n +CREATED/);
    assert.equal((await json('sources', 'reject', 'tips', '--all')).decided, 2);
    assert.equal((await json('search', 'night')).data.length, 2);
    assert.equal((await json('sources', 'held', 'tips', '--rejected')).records.length, 2);
    const wrong = await cratebase('sources', 'approve', 'tips', '9');
    assert.deepEqual([wrong.status, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /No record 9 of tips waits/);
    assert.equal((await cratebase('sources', 'approve', 'tips')).status, 2);
    assert.equal((await cratebase('sources', 'reject', 'tips', '1', '--all')).status, 2);
  });

  test('a single record is named in the singular', async (t) => {
    const { feed, url, cratebase, json } = await place(t);
    feed.lines = lines.slice(0, 1);
    await json('sources', 'add', 'tips', '--type', 'feed', '--url', url, '--hold');
    await cratebase('sync', 'tips');
    const held = await cratebase('sources', 'held', 'tips');
    assert.match(held.stdout, /\n1 record of tips waits, 0 rejected\n/);
    await cratebase('sources', 'approve', 'tips', '--all');
    const removed = await cratebase('sources', 'remove', 'tips');
    assert.equal(removed.stdout, 'removed tips; its record stays\n');
  });

  test('pause, resume, runs and rejected records', async (t) => {
    const { feed, url, cratebase, json } = await place(t);
    feed.lines = [...lines, { kind: 'event', external_id: 'bad', name: 'No time' }];
    await json('sources', 'add', 'salon', '--type', 'feed', '--url', url);
    assert.match((await cratebase('sources', 'pause', 'salon')).stdout, /^salon is paused/);
    assert.match((await cratebase('sources', 'list')).stdout, /paused/);
    assert.deepEqual((await json('sync')).data, [], 'without a name, paused sources are not read');
    const byHand = await cratebase('sync', 'salon');
    assert.match(byHand.stderr, /^salon is paused: it is read now/m);
    assert.match(byHand.stdout, /^salon: done/m);
    assert.equal((await json('sources', 'resume', 'salon')).paused_at, null);
    const runs = (await json('sources', 'runs', 'salon')).data;
    assert.deepEqual([runs.length, runs[0].outcome, runs[0].records, runs[0].rejected], [1, 'done', 4, 1]);
    const rejected = await cratebase('sources', 'rejected', 'salon');
    assert.match(rejected.stdout, /^http:.*feed\.ndjson:5: start_at is missing\n$/);
  });

  test('wrong use is reported in one line', async (t) => {
    const { url, cratebase, json } = await place(t);
    await json('sources', 'add', 'salon', '--type', 'feed', '--url', url);
    const cases: [string[], number, RegExp][] = [
      [['sources', 'set', 'salon', '--default-country', 'Germany'], 2, /country is not an ISO 3166-1/],
      [['sources', 'set', 'salon', '--unset', 'colour'], 2, /--unset is all, include, exclude/],
      [['sources', 'set', 'nobody', '--trust', '5'], 1, /There is no source nobody/],
      [['sources', 'show', 'nobody'], 1, /There is no source nobody/],
      [['sources', 'preview'], 2, /Name a source, or give --url and --type/],
      [['sources', 'preview', '--url', url], 2, /--url needs --type/],
      [['sources', 'preview', '--url', `${url}/../none`, '--type', 'nonsense'], 2, /--type is feed, jsonld/],
    ];
    for (const [args, status, message] of cases) {
      const ended = await cratebase(...args);
      assert.equal(ended.status, status, args.join(' '));
      assert.match(ended.stderr, message);
      assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
    }
  });
});
