import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Access, type AdmissionResult, type Credential, openAccess } from '../../src/access/access.ts';
import type { Clock } from '../../src/clock.ts';
import { Problem } from '../../src/contract/errors.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openAccessOnReader } from '../support/access-on-reader.ts';

/** Whether requests are counted on a connection that reads the catalogue, as in a service. */
let onReader = false;

const noon = Date.parse('2026-11-20T12:00:00.250Z');
const november = Date.parse('2026-12-01T00:00:00Z') / 1000;

type Setting = {
  path: string;
  access: Access;
  /** Set `time.now` to let time pass. */
  time: { now: number };
  credential: Credential;
  authorization: string;
  open: () => Access;
};

/** A data file with one account, its own limits, and one key. */
async function setUp(
  t: TestContext,
  limits: { window: number | null; quota: number | null },
): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-meter-'));
  const path = join(folder, 'test.db');
  const time = { now: noon };
  const clock: Clock = { now: () => time.now };
  const opened: Access[] = [];
  const open = () => {
    const access = onReader
      ? openAccessOnReader(path, clock).access
      : openAccess(openDatabase(path, { create: true }), clock);
    opened.push(access);
    return access;
  };
  t.after(() => {
    for (const access of opened) access.close();
    rmSync(folder, { recursive: true });
  });
  const access = open();
  await access.accounts.create({ email: 'a@example.com' });
  await access.accounts.setLimits('a@example.com', limits);
  const { credential, authorization } = await newKey(access);
  return { path, access, time, credential, authorization, open };
}

async function newKey(access: Access): Promise<{ credential: Credential; authorization: string }> {
  const { key } = await access.keys.create('a@example.com', 'test');
  const authorization = `Bearer ${key}`;
  const credential = await access.authenticate(authorization);
  assert.ok(credential);
  return { credential, authorization };
}

const used = async (access: Access) => (await access.accounts.show('a@example.com')).usage.used;

function outcomes(verdicts: AdmissionResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** A process of meter-child.ts, its lines, and how it ended. */
function start(t: TestContext, task: string, path: string, options: object) {
  const script = fileURLToPath(new URL('../support/meter-child.ts', import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', script, task, path, JSON.stringify({ ...options, onReader })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  const lines: unknown[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    // The last line of a killed process may be cut.
    try {
      lines.push(JSON.parse(line));
    } catch {
      return;
    }
    for (const wake of waiting.splice(0)) wake();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const until = async (count: number) => {
    while (lines.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { child, lines, ended, until };
}

for (const reads of [false, true]) {
  describe(`requests counted on ${reads ? 'the connection that reads the catalogue' : 'a connection of their own'}`, () => {
    before(() => {
      onReader = reads;
    });

    test('a window opens with the first request, fills, and opens again after 60 seconds', async (t) => {
      const { access, credential, time } = await setUp(t, { window: 3, quota: 100 });
      const admit = () => access.admit(credential, 1, 'rest');
      const reset = Math.ceil(noon / 1000 + 60);
      assert.deepEqual(await admit(), {
        outcome: 'admitted',
        plan: 'free',
        limits: [3, 2, reset, 100, 99, november],
      });
      time.now = noon + 59_000;
      assert.deepEqual((await admit()).limits, [3, 1, reset, 100, 98, november]);
      assert.deepEqual((await admit()).limits, [3, 0, reset, 100, 97, november]);
      const refused = await admit();
      assert.deepEqual(refused, {
        outcome: 'rate_limited',
        plan: 'free',
        limits: [3, 0, reset, 100, 97, november],
        retryAfter: 1,
      });
      time.now = noon + 59_999;
      assert.equal((await admit()).outcome, 'rate_limited');
      time.now = noon + 60_000;
      assert.deepEqual((await admit()).limits, [3, 2, reset + 60, 100, 96, november]);
      assert.equal(await used(access), 4);
    });

    test('a caller who waits for Retry-After is admitted', async (t) => {
      const { access, credential, time } = await setUp(t, { window: 1, quota: 100 });
      await access.admit(credential, 1, 'rest');
      for (const later of [0, 1, 749, 750, 751, 30_000]) {
        time.now = noon + later;
        const refused = await access.admit(credential, 1, 'rest');
        assert.ok(refused.outcome === 'rate_limited');
        assert.ok(time.now + refused.retryAfter * 1000 >= noon + 60_000);
        assert.ok(refused.retryAfter * 1000 < noon + 60_000 - time.now + 1000);
        assert.ok(refused.limits[2] * 1000 >= noon + 60_000);
      }
    });

    test('every key has a window of its own; the month is the account’s', async (t) => {
      const { access, credential } = await setUp(t, { window: 2, quota: 3 });
      const other = (await newKey(access)).credential;
      const verdicts = await Promise.all(
        [credential, other, credential, other, credential, other].map((who) => access.admit(who, 1, 'rest')),
      );
      assert.deepEqual(
        verdicts.map(({ outcome }) => outcome),
        ['admitted', 'admitted', 'admitted', 'quota_exceeded', 'rate_limited', 'quota_exceeded'],
      );
      assert.deepEqual(
        verdicts.map(({ limits }) => [limits?.[1], limits?.[4]]),
        [
          [1, 2],
          [1, 1],
          [0, 0],
          [1, 0],
          [0, 0],
          [1, 0],
        ],
      );
    });

    test('all keys of an account together have four times the window of one', async (t) => {
      const { access, credential, time, open } = await setUp(t, { window: 2, quota: 100 });
      const keys = [credential];
      for (let made = 1; made < 6; made += 1) keys.push((await newKey(access)).credential);
      const askAll = () =>
        Promise.all(keys.flatMap((key) => [key, key]).map((key) => access.admit(key, 1, 'rest')));
      const verdicts = await askAll();
      assert.deepEqual(
        verdicts.map(({ outcome }) => outcome),
        [...Array(8).fill('admitted'), ...Array(4).fill('rate_limited')],
      );
      const refused = verdicts.at(-1);
      assert.ok(refused?.outcome === 'rate_limited');
      assert.deepEqual(refused.accountWindow, { limit: 8, remaining: 0 });
      assert.deepEqual(
        refused.limits.slice(0, 2),
        [2, 2],
        'the headers speak of the key alone, which has used nothing',
      );
      // Another process counts on; so does one that is killed and started again.
      const other = open();
      assert.equal((await other.admit(keys[5] as Credential, 1, 'mcp')).outcome, 'rate_limited');
      time.now += 59_000;
      const late = await access.admit(keys[5] as Credential, 1, 'rest');
      assert.ok(late.outcome === 'rate_limited' && late.retryAfter === 1);
      time.now += 1_000;
      assert.equal((await access.admit(keys[5] as Credential, 1, 'rest')).outcome, 'admitted');
      assert.equal((await access.accounts.show('a@example.com')).usage.used, 9);
    });

    test('the window of a deleted account goes with it', async (t) => {
      const { access, credential, path } = await setUp(t, { window: 2, quota: 100 });
      await access.admit(credential, 1, 'rest');
      const windows = () => {
        const sqlite = openDatabase(path, { create: false });
        const ids = sqlite.prepare('SELECT credential_id FROM rate_windows').pluck().all();
        sqlite.close();
        return ids.length;
      };
      assert.equal(windows(), 2);
      await access.accounts.delete('a@example.com');
      assert.equal(windows(), 0);
    });

    test('the quota turns over at the first of the month, 00:00 UTC', async (t) => {
      const { access, credential, time } = await setUp(t, { window: null, quota: 2 });
      time.now = Date.parse('2026-12-31T23:59:58.500Z');
      const newYear = Date.parse('2027-01-01T00:00:00Z') / 1000;
      await access.admit(credential, 1, 'rest');
      await access.admit(credential, 1, 'rest');
      const refused = await access.admit(credential, 1, 'rest');
      assert.ok(refused.outcome === 'quota_exceeded');
      assert.deepEqual(refused.limits.slice(3), [2, 0, newYear]);
      assert.equal(refused.retryAfter, 2);
      // A refusal counts nowhere: two are in the window, not three.
      assert.equal(refused.limits[1], 58);
      time.now = Date.parse('2027-01-01T00:00:00Z');
      const admitted = await access.admit(credential, 1, 'rest');
      assert.equal(admitted.outcome, 'admitted');
      assert.deepEqual(admitted.limits?.slice(3), [2, 1, Date.parse('2027-02-01T00:00:00Z') / 1000]);
      // The window is none of the month's business.
      assert.equal(admitted.limits?.[1], 57);
      assert.equal(await used(access), 1);
    });

    test('cost 0 counts in the window alone, and is refused when the month is used up', async (t) => {
      const { access, credential } = await setUp(t, { window: 4, quota: 1 });
      const free = await access.admit(credential, 0, 'rest');
      assert.deepEqual([free.outcome, free.limits?.[1], free.limits?.[4]], ['admitted', 3, 1]);
      await access.admit(credential, 1, 'rest');
      const refused = await access.admit(credential, 0, 'rest');
      assert.deepEqual([refused.outcome, refused.limits?.[1]], ['quota_exceeded', 2]);
      assert.equal(await used(access), 1);
    });

    test('usage is kept by day and channel', async (t) => {
      const { access, credential, path, time } = await setUp(t, { window: null, quota: null });
      await Promise.all([
        access.admit(credential, 1, 'rest'),
        access.admit(credential, 1, 'mcp'),
        access.admit(credential, 0, 'mcp'),
        access.admit(credential, 1, 'rest'),
      ]);
      time.now = noon + 86_400_000;
      await access.admit(credential, 1, 'mcp');
      const sqlite = openDatabase(path, { create: false });
      t.after(() => sqlite.close());
      assert.deepEqual(
        sqlite.prepare('SELECT day, channel, used FROM usage_days ORDER BY day, channel').raw().all(),
        [
          ['2026-11-20', 'mcp', 1],
          ['2026-11-20', 'rest', 2],
          ['2026-11-21', 'mcp', 1],
        ],
      );
      assert.equal(await used(access), 4);
    });

    test('a change of plan by another process holds from the next request on', async (t) => {
      const { access, credential, open } = await setUp(t, { window: null, quota: null });
      const other = open();
      const limits = async () => {
        const verdict = await access.admit(credential, 1, 'rest');
        return [verdict.limits?.[0], verdict.limits?.[3]];
      };
      assert.deepEqual(await limits(), [60, 10_000]);
      await other.accounts.setPlan('a@example.com', 'pro');
      assert.deepEqual(await limits(), [1_200, 1_000_000]);
      await other.accounts.setLimits('a@example.com', { window: 2, quota: 1 });
      const lowered = await access.admit(credential, 1, 'rest');
      assert.deepEqual([lowered.outcome, lowered.limits?.[1], lowered.limits?.[4]], ['rate_limited', 0, 0]);
      await other.accounts.setLimits('a@example.com', { window: null, quota: 1 });
      assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'quota_exceeded');
    });

    test('the time of last use is noted to the minute, and not by refused requests', async (t) => {
      const { access, credential, time } = await setUp(t, { window: 2, quota: 100 });
      const lastUsed = async () => (await access.keys.list())[0]?.last_used_at;
      await access.admit(credential, 1, 'rest');
      assert.equal(await lastUsed(), '2026-11-20T12:00:00Z');
      time.now = noon + 59_000;
      await access.admit(credential, 1, 'rest');
      assert.equal(await lastUsed(), '2026-11-20T12:00:00Z');
      time.now = noon + 61_000;
      await access.admit(credential, 1, 'rest');
      assert.equal(await lastUsed(), '2026-11-20T12:01:01Z');
    });

    test('a clock that is set back a little opens no second window', async (t) => {
      const { access, credential, time } = await setUp(t, { window: 1, quota: 100 });
      await access.admit(credential, 1, 'rest');
      time.now = noon - 500;
      assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'rate_limited');
      time.now = noon - 86_400_000;
      assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'admitted');
    });

    test('two processes with 32 callers each admit exactly the quota', { timeout: 60_000 }, async (t) => {
      const quota = 1_537;
      const { access, path, authorization } = await setUp(t, { window: 1_000_000, quota });
      const options = { now: noon, authorization, parallel: 32, requests: 1_000 };
      const processes = [start(t, 'hammer', path, options), start(t, 'hammer', path, options)];
      for (const { ended } of processes) assert.equal(await ended, 0);
      const counts = processes.map(({ lines }) => lines[0] as Record<string, number>);
      const sum = (outcome: string) => counts.reduce((total, count) => total + (count[outcome] ?? 0), 0);
      assert.equal(sum('admitted'), quota);
      assert.equal(sum('quota_exceeded'), 2_000 - quota);
      assert.equal(await used(access), quota);
    });

    test('two processes admit exactly the window', { timeout: 60_000 }, async (t) => {
      const { access, path, authorization } = await setUp(t, { window: 337, quota: 1_000_000 });
      const options = { now: noon, authorization, parallel: 32, requests: 300 };
      const processes = [start(t, 'hammer', path, options), start(t, 'hammer', path, options)];
      for (const { ended } of processes) assert.equal(await ended, 0);
      const counts = processes.map(({ lines }) => lines[0] as { admitted?: number });
      assert.equal(
        counts.reduce((total, count) => total + (count.admitted ?? 0), 0),
        337,
      );
      assert.equal(await used(access), 337);
    });

    test('after kill -9 nothing admitted is forgotten', { timeout: 60_000 }, async (t) => {
      const { access, path, authorization } = await setUp(t, { window: 1_000_000, quota: 1_000_000 });
      const options = { now: noon, authorization, parallel: 16 };
      let told = 0;
      for (let round = 0; round < 3; round += 1) {
        const process = start(t, 'hammerUntilKilled', path, options);
        await process.until(200 + 37 * round);
        process.child.kill('SIGKILL');
        await process.ended;
        told += process.lines.length;
        const counted = await used(access);
        assert.ok(counted >= told, `${told} were admitted, ${counted} are counted`);
        // What was counted in the last turns and not told any more is all that may lie between.
        assert.ok(counted - told <= 64 * (round + 1), `${told} were admitted, ${counted} are counted`);
      }
    });

    test('a lock held by another process delays answers and nothing else', { timeout: 60_000 }, async (t) => {
      const { access, path, credential } = await setUp(t, { window: 1_000_000, quota: 1_000_000 });
      // A loop that waits for the lock stands still as long as it is held; one on a busy machine, for a fraction of that.
      const holdMs = 3_000;
      const holder = start(t, 'hold', path, { holdMs, gapMs: 0, times: 1 });
      await holder.until(1);
      let last = performance.now();
      let longest = 0;
      const heartbeat = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      const begun = performance.now();
      const first = Array.from({ length: 8 }, () => access.admit(credential, 1, 'rest'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const joined = Array.from({ length: 8 }, () => access.admit(credential, 1, 'rest'));
      const verdicts = await Promise.all([...first, ...joined]);
      const waited = performance.now() - begun;
      clearInterval(heartbeat);
      assert.deepEqual(outcomes(verdicts), { admitted: 16 });
      assert.equal(await used(access), 16);
      assert.ok(waited > holdMs / 10, `waited ${waited} ms: the lock was not held`);
      assert.ok(longest < holdMs / 3, `the event loop stood still for ${longest} ms`);
      assert.equal(await holder.ended, 0);
    });

    test('beside an import, which writes again and again, requests are answered', {
      timeout: 60_000,
    }, async (t) => {
      const { access, path, credential } = await setUp(t, { window: 1_000_000, quota: 1_000_000 });
      const importer = start(t, 'hold', path, { holdMs: 10, gapMs: 1, times: 100 });
      await importer.until(1);
      let answered = 0;
      while (importer.lines.length < 2) {
        const verdicts = await Promise.all(
          Array.from({ length: 16 }, () => access.admit(credential, 1, 'rest')),
        );
        assert.deepEqual(outcomes(verdicts), { admitted: 16 });
        answered += 16;
      }
      assert.ok(answered >= 16 * 10, `${answered} answers`);
      assert.equal(await used(access), answered);
      await importer.ended;
    });

    test('requests that wait when the connection is closed get an error', async (t) => {
      const { access, credential } = await setUp(t, { window: null, quota: null });
      const waiting = access.admit(credential, 1, 'rest');
      access.close();
      await assert.rejects(waiting, (error) => error instanceof Problem && error.type === 'unavailable');
      await assert.rejects(
        access.authenticate('Bearer cb_live_000000_x').then(() => access.accounts.list()),
        Problem,
      );
    });

    test('a turn of the event loop settles at most 64 requests', async (t) => {
      const { access, credential } = await setUp(t, { window: 1_000, quota: 1_000 });
      let settled = 0;
      for (let count = 0; count < 300; count++) {
        access.enqueue({
          credential,
          cost: 1,
          channel: 'rest',
          settled: () => {
            settled += 1;
          },
          failed: assert.fail,
        });
      }
      const perTurn: number[] = [];
      for (let before = 0; settled < 300; before = settled) {
        await new Promise((resolve) => setImmediate(resolve));
        if (settled > before) perTurn.push(settled - before);
      }
      assert.ok(Math.max(...perTurn) <= 64, `settled per turn: ${perTurn}`);
    });
  });
}
