/** Limits of plans that an operator sets: rules, the moment they take effect, and where they are shown. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Access, openAccess } from '../../src/access/access.ts';
import { type Clock, dayMs } from '../../src/clock.ts';
import { changelog } from '../../src/contract/changelog.ts';
import { Failure } from '../../src/failure.ts';
import { AuditLog } from '../../src/store/audit-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { Person, servePages } from '../support/account-pages.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const email = 'a@example.com';

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-plans-'));
  const path = join(folder, 'test.db');
  const time = { now: noon };
  const clock: Clock = { now: () => time.now };
  const opened: Access[] = [];
  const open = () => {
    const access = openAccess(openDatabase(path, { create: true }), clock);
    opened.push(access);
    return access;
  };
  t.after(() => {
    for (const access of opened) access.close();
    rmSync(folder, { recursive: true });
  });
  const access = open();
  await access.accounts.create({ email });
  const { key } = await access.keys.create(email, 'test');
  const limits = async (at = access) => {
    const credential = await at.authenticate(`Bearer ${key}`);
    assert.ok(credential);
    const [window, , , quota] = (await at.admit(credential, 1, 'rest')).limits ?? [];
    return [window, quota];
  };
  return { access, open, time, path, key, limits };
}

const usage =
  (words: RegExp, exitStatus = 2) =>
  (error: unknown) => {
    assert.ok(error instanceof Failure, String(error));
    assert.match(error.message, words);
    assert.equal(error.exitStatus, exitStatus);
    assert.ok(!error.message.includes('\n'));
    return true;
  };

test('an increase by another process holds for the next request', async (t) => {
  const { access, open, limits } = await setUp(t);
  assert.deepEqual(await limits(), [60, 10_000]);
  const other = open();
  assert.deepEqual(await limits(other), [60, 10_000]);
  const change = await other.plans.set('free', { quota: 50_000, window: 120 });
  assert.deepEqual(change, {
    plan: 'free',
    window: 120,
    quota: 50_000,
    from: '2026-11-20T12:00:00Z',
    announced_at: '2026-11-20T12:00:00Z',
    note: '',
  });
  for (const one of [access, other]) assert.deepEqual(await limits(one), [120, 50_000]);
  await access.plans.set('free', { quota: 60_000 });
  assert.deepEqual(await limits(other), [120, 60_000]);
  const shown = await other.accounts.show(email);
  assert.deepEqual([shown.usage.window, shown.usage.quota], [120, 60_000]);
  const [free, premium] = await access.plans.list();
  assert.deepEqual(free, {
    plan: 'free',
    title: 'Free',
    window: 120,
    quota: 60_000,
    since: '2026-11-20T12:00:00Z',
    default: { window: 60, quota: 10_000 },
    upcoming: [],
  });
  assert.deepEqual([premium?.quota, premium?.since], [100_000, null]);
});

test('a reduction needs a note and a date at least 14 days ahead, and takes effect to the millisecond', async (t) => {
  const { access, open, time, limits } = await setUp(t);
  const { plans } = access;
  const note = 'The disk is small.';
  await assert.rejects(plans.set('free', { quota: 5_000, from: '2027-01-01' }), usage(/--note/));
  await assert.rejects(plans.set('free', { quota: 5_000, note }), usage(/--from, 2026-12-05 or later/));
  for (const from of ['2026-12-04', '2026-12-04T11:59:59Z'])
    await assert.rejects(plans.set('free', { quota: 5_000, note, from }), usage(/14 days ahead/), from);
  for (const from of ['2026-11-20', 'tomorrow', '2027-02-30', ''])
    await assert.rejects(plans.set('free', { quota: 90_000, from }), usage(/a date in the future/), from);
  // A reduction of one limit is a reduction, although the other one rises.
  await assert.rejects(plans.set('free', { quota: 90_000, window: 59 }), usage(/--note/));
  await plans.set('free', { quota: 5_000, note, from: '2026-12-04T12:00Z' });
  assert.deepEqual(await limits(), [60, 10_000]);
  const other = open();
  time.now = noon + 14 * dayMs - 1;
  for (const one of [access, other]) assert.deepEqual(await limits(one), [60, 10_000]);
  time.now += 1;
  for (const one of [access, other]) assert.deepEqual(await limits(one), [60, 5_000]);
  assert.equal((await plans.inForce()).plans.free.quota, 5_000);
  assert.equal((await plans.list())[0]?.since, '2026-12-04T12:00:00Z');
});

test('a message about bad limits has one line', async (t) => {
  const { plans } = (await setUp(t)).access;
  await assert.rejects(plans.set('gold', { quota: 1 }), usage(/free, premium, pro/));
  await assert.rejects(plans.set('free', {}), usage(/--month, --window/));
  await assert.rejects(plans.set('free', { quota: 10_000, window: 60 }), usage(/has these limits already/));
  for (const quota of [0, -1, 1.5, 2e12, Number.NaN])
    await assert.rejects(plans.set('free', { quota }), usage(/--month is a whole number/), String(quota));
  await assert.rejects(plans.set('free', { window: 0 }), usage(/--window is a whole number/));
  for (const note of ['x'.repeat(501), 'two\nlines'])
    await assert.rejects(plans.set('free', { quota: 20_000, note }), usage(/one line of at most 500/));
});

test('a change to come can be made milder and cancelled, but never becomes a silent reduction', async (t) => {
  const { access, time, limits } = await setUp(t);
  const { plans } = access;
  const from = '2027-01-01';
  await plans.set('free', { quota: 5_000, from, note: 'Less.' });
  await plans.set('free', { quota: 7_000, from: '2027-02-01' });
  // Without the first change, the second one would be a reduction of 10,000 to 7,000.
  await assert.rejects(
    plans.cancel('free', from),
    usage(/2027-02-01 would then reduce .*`cratebase plans cancel free 2027-02-01`/, 1),
  );
  await assert.rejects(
    plans.set('free', { quota: 50_000, from: '2027-01-15' }),
    usage(/2027-02-01 would/, 1),
  );
  time.now = Date.parse('2026-12-30T00:00:00Z');
  await assert.rejects(plans.set('free', { quota: 4_000, from, note: 'Even less.' }), usage(/14 days/));
  const milder = await plans.set('free', { quota: 6_000, from });
  assert.deepEqual([milder.quota, milder.note], [6_000, 'Less.']);
  await plans.cancel('free', '2027-02-01');
  await plans.cancel('free', from);
  await assert.rejects(plans.cancel('free', from), usage(/plans list/, 1));
  time.now = Date.parse('2027-03-01T00:00:00Z');
  assert.deepEqual(await limits(), [60, 10_000]);
  // What has taken effect stays.
  const { from: since } = await plans.set('free', { quota: 20_000 });
  await assert.rejects(plans.cancel('free', since), usage(/no change/, 1));
});

test('own limits win over those of the plan, one by one, and can be removed', async (t) => {
  const { access, limits, path } = await setUp(t);
  const { accounts, plans } = access;
  const set = await accounts.setLimits(email, { window: 500 }, 'terminal:root');
  assert.deepEqual([set.email, set.window, set.quota], [email, 500, null]);
  assert.deepEqual(await limits(), [500, 10_000]);
  await accounts.setLimits(email, { quota: 1_000_000 }, 'terminal:root');
  assert.deepEqual((await accounts.show(email)).own_limits, { window: 500, quota: 1_000_000 });
  await plans.set('free', { quota: 20_000, window: 70 }, 'terminal:root');
  assert.deepEqual(await limits(), [500, 1_000_000]);
  await accounts.setLimits(email, { window: null, quota: null }, 'terminal:root');
  assert.deepEqual(await limits(), [70, 20_000]);
  await accounts.setPlan(email, 'pro', 'terminal:root');
  const sqlite = openDatabase(path, { create: false });
  t.after(() => sqlite.close());
  const entries = new AuditLog(sqlite).list({ limit: 10 });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['account.set-plan', 'account.set-limits', 'plan.set', 'account.set-limits', 'account.set-limits'],
  );
  assert.deepEqual(entries[1]?.details, {
    before: { window_limit: 500, quota_limit: 1_000_000 },
    after: { window_limit: null, quota_limit: null },
  });
  assert.deepEqual(entries[2]?.details, {
    before: { window: 60, quota: 10_000 },
    after: { window: 70, quota: 20_000 },
    from: '2026-11-20T12:00:00Z',
    note: '',
  });
});

test('three processes together admit exactly the quota that was set', async (t) => {
  const { access, path, key } = await setUp(t);
  await access.plans.set('free', { window: 1_000_000 });
  await access.plans.set('free', { quota: 200, from: '2026-12-10', note: 'Less.' });
  const script = fileURLToPath(new URL('../support/meter-child.ts', import.meta.url));
  const options = JSON.stringify({
    now: Date.parse('2026-12-10T00:00:00Z'),
    authorization: `Bearer ${key}`,
    parallel: 8,
    requests: 150,
  });
  const counts = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--import', 'tsx', script, 'hammer', path, options], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      let text = '';
      child.stdout.on('data', (piece) => {
        text += piece;
      });
      await once(child, 'close');
      return JSON.parse(text) as { admitted?: number; quota_exceeded?: number };
    }),
  );
  const sum = (name: 'admitted' | 'quota_exceeded') =>
    counts.reduce((total, one) => total + (one[name] ?? 0), 0);
  assert.deepEqual([sum('admitted'), sum('quota_exceeded')], [200, 250]);
});

test('pages and documents show the limits in force and the changes to come, without a restart', async () => {
  const time = { now: noon };
  const pages = await servePages({ empty: true }, { now: () => time.now });
  const get = async (path: string) => new Person(pages).send(path);
  const paths = ['/openapi.json', '/llms.txt', '/docs', '/docs/guides/limits', '/docs/guides/limits.md'];
  const texts = async () =>
    new Map(await Promise.all(paths.map(async (path) => [path, await get(path)] as const)));
  const number = (path: string, value: string) =>
    new RegExp(path === '/docs' || path.endsWith('limits') ? `<td>${value}</td>` : `\\| ${value} \\|`);
  const before = await texts();
  for (const [path, { text }] of before) {
    assert.match(text, number(path, '10,000'), path);
    assert.doesNotMatch(text, number(path, '54,321'), path);
  }
  const { plans } = pages.access;
  await plans.set('free', { quota: 54_321 });
  await plans.set('pro', { quota: 98_765, from: '2027-01-01', note: 'The <b>disk</b> is small.' });
  const after = await texts();
  for (const [path, { text, headers }] of after) {
    assert.match(text, number(path, '54,321'), path);
    assert.doesNotMatch(text, number(path, '10,000'), path);
    if (path.startsWith('/docs')) assert.doesNotMatch(text, /<b>disk/);
    if (headers.etag !== undefined) assert.notEqual(headers.etag, before.get(path)?.headers.etag, path);
  }
  const change =
    'From 2027-01-01 on, the Pro plan has 98,765 requests per account and month, and 1,200 per key and 60 s.';
  for (const path of ['/llms.txt', '/docs/guides/limits', '/docs/guides/limits.md'])
    assert.ok(after.get(path)?.text.includes(change), path);
  const page = await get('/changelog');
  assert.ok(page.text.includes(`Limits: ${change} The &lt;b>disk&lt;/b> is small.`), page.text);
  const { data } = (await get('/changelog.json')).json() as { data: { date: string; text: string }[] };
  assert.equal(data.length, changelog.length + 1);
  assert.deepEqual(
    data.find(({ text }) => text.includes('98,765')),
    { date: '2026-11-20', breaking: false, text: `Limits: ${change} The <b>disk</b> is small.` },
  );
  const ada = new Person(pages);
  await ada.signUp('ada@example.com');
  await pages.access.accounts.setPlan('ada@example.com', 'pro');
  assert.match(
    (await ada.open('/account/developer')).text,
    /From <time datetime="2027-01-01T00:00:00.000Z">[^<]+<\/time> on, the Pro plan has 98,765 requests per account and month, and 1,200 per key and 60 s\./,
  );
  await pages.access.accounts.setLimits('ada@example.com', { window: 5_000 });
  assert.match(
    (await ada.open('/account/developer')).text,
    /5,000 requests for each key or app<span class="soft"> \(your own limit; the plan has 1,200\)/,
  );
  time.now = Date.parse('2027-01-01T00:00:00Z');
  const then = await texts();
  for (const [path, { text }] of then) assert.match(text, number(path, '98,765'), path);
  assert.ok(!then.get('/llms.txt')?.text.includes(change), 'it has taken effect');
});
