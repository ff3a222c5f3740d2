/** The meter in PostgreSQL: the same results as in the data file, exact over several nodes, and revocations at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Access,
  type AdmissionResult,
  type ApiChannel,
  type Credential,
  openAccess,
} from '../../src/access/access.ts';
import { openDatabase } from '../../src/store/database.ts';
import { report } from '../faults/fault-table.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';

const file = 'test/cluster/counting.test.ts';
const noon = Date.parse('2026-10-20T12:00:00Z');
const minute = 60_000;

const server = usePostgres();

type Call = [who: string, cost: number, channel: ApiChannel];
/** A step of a table: the time in ms after noon, a change before the batch, and the batch. */
type Step = { at: number; change?: (side: Side) => Promise<unknown>; batch: Call[] };
type Side = { access: Access; credentials: Map<string, Credential>; keys: Map<string, string> };

const times = (count: number, ...call: Call): Call[] => Array.from({ length: count }, () => call);

/** Two accounts with two keys and an app each: a, b (free) and c (pro). */
async function fill(access: Access): Promise<Side> {
  const side: Side = { access, credentials: new Map(), keys: new Map() };
  for (const [name, plan] of [
    ['a', 'free'],
    ['b', 'free'],
    ['c', 'pro'],
  ] as const) {
    const { id: account } = await access.accounts.create({ email: `${name}@example.com`, plan });
    for (const number of [1, 2]) {
      const { id } = await access.keys.create(`${name}@example.com`, `key ${number}`);
      side.keys.set(`${name}${number}`, id);
      side.credentials.set(`${name}${number}`, { id, account, scope: 'all' });
    }
    const grant = `app_${name}`;
    await access.oauth.saveGrant(grant, { accountId: account, clientId: 'client' });
    side.credentials.set(`${name}-app`, { id: grant, account, scope: 'agents' });
  }
  return side;
}

/** Runs a table on both meters, and compares every result and what is stored in the end. */
async function compare(steps: readonly Step[]): Promise<AdmissionResult[][]> {
  const time = { ms: noon };
  const clock = { now: () => time.ms };
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'c.db'), { create: true });
  const cluster = await createCluster(server);
  await cluster.setClock(noon);
  const node = await cluster.open(clock);
  const sides = [await fill(openAccess(sqlite, clock, clock)), await fill(node)] as const;
  const results: AdmissionResult[][] = [];
  for (const [index, { at, change, batch }] of steps.entries()) {
    time.ms = noon + at;
    await cluster.setClock(time.ms);
    const [inFile, inPostgres] = await Promise.all(
      sides.map(async (side) => {
        await change?.(side);
        return Promise.all(
          batch.map(([who, cost, channel]) =>
            side.access.admit(side.credentials.get(who) as Credential, cost, channel),
          ),
        );
      }),
    );
    assert.deepEqual(inPostgres, inFile, `step ${index} at ${at} ms`);
    results.push(inFile as AdmissionResult[]);
  }
  const counts = `SELECT a.email, u.month AS period, '' AS channel, u.used FROM usage_months u JOIN accounts a ON a.id = u.account_id WHERE u.used > 0
    UNION ALL SELECT a.email, d.day, d.channel, d.used FROM usage_days d JOIN accounts a ON a.id = d.account_id ORDER BY 1, 2, 3`;
  assert.deepEqual(await cluster.query(counts), sqlite.prepare(counts).all());
  const uses =
    'SELECT a.email, k.name, k.last_used_ts FROM api_keys k JOIN accounts a ON a.id = k.account_id ORDER BY 1, 2';
  assert.deepEqual(await cluster.query(uses), sqlite.prepare(uses).all());
  await node.closed();
  sides[0].access.close();
  folder.remove();
  return results;
}

const limit = (name: string, window: number | null, quota: number | null) => (side: Side) =>
  side.access.accounts.setLimits(`${name}@example.com`, { window, quota });

test('one table of batches gives the same results, headers and counts in the data file and in PostgreSQL', {
  skip,
}, async () => {
  const results = await compare([
    {
      at: 0,
      batch: [
        ['a1', 1, 'rest'],
        ['a1', 1, 'mcp'],
        ['b1', 0, 'mcp'],
        ['c1', 7, 'rest'],
        ['a-app', 1, 'mcp'],
      ],
    },
    { at: 59_999, batch: times(70, 'a1', 1, 'rest') },
    { at: 60_000, batch: times(61, 'a1', 1, 'rest') },
    // The account has four times the window of a key, over all of its keys and apps.
    {
      at: 3 * minute,
      change: limit('b', 5, 1_000),
      batch: [...times(6, 'b1', 1, 'rest'), ...times(6, 'b2', 1, 'mcp'), ...times(6, 'b-app', 1, 'mcp')],
    },
    { at: 3 * minute + 1, batch: [...times(5, 'b1', 3, 'mcp'), ...times(4, 'b2', 2, 'rest')] },
    // A batch is admitted or refused as a whole; what follows may still fit.
    {
      at: 5 * minute,
      change: limit('a', 10, 140),
      batch: [
        ['a1', 4, 'mcp'],
        ['a1', 8, 'mcp'],
        ['a1', 6, 'mcp'],
        ['a1', 0, 'mcp'],
        ['a2', 1, 'rest'],
      ],
    },
    {
      at: 7 * minute,
      batch: [...times(8, 'a1', 1, 'rest'), ...times(8, 'a2', 1, 'rest'), ['a2', 0, 'rest']],
    },
    {
      at: 9 * minute,
      change: (side) => side.access.keys.revoke(side.keys.get('a1') as string),
      batch: [
        ['a1', 1, 'rest'],
        ['a2', 1, 'rest'],
        ['a-app', 0, 'mcp'],
      ],
    },
    {
      at: 9 * minute,
      change: (side) => side.access.accounts.suspend('b@example.com', {}, 'terminal:test'),
      batch: [
        ['b1', 1, 'rest'],
        ['b-app', 1, 'mcp'],
      ],
    },
    {
      at: 10 * minute,
      change: (side) => side.access.accounts.unsuspend('b@example.com', 'terminal:test'),
      batch: [
        ['b1', 1, 'rest'],
        ['b-app', 1, 'mcp'],
      ],
    },
    {
      at: 11 * minute,
      change: (side) => side.access.accounts.setPlan('a@example.com', 'premium'),
      batch: [['a2', 1, 'rest']],
    },
    { at: 12 * minute, change: limit('a', null, null), batch: [['a2', 1, 'rest']] },
    {
      at: 13 * minute,
      change: (side) => side.access.plans.set('premium', { window: 5_000 }),
      batch: times(3, 'a2', 1, 'rest'),
    },
    {
      at: 14 * minute,
      change: (side) => side.access.oauth.revokeGrant('app_a'),
      batch: [
        ['a-app', 1, 'mcp'],
        ['a2', 1, 'rest'],
      ],
    },
    { at: 14 * minute - 1, batch: [['a2', 1, 'rest']] },
    {
      at: 13 * 24 * 60 * minute,
      batch: [
        ['a2', 2, 'rest'],
        ['c2', 3, 'mcp'],
      ],
    },
    {
      at: 14 * minute,
      change: (side) => side.access.accounts.delete('c@example.com'),
      batch: [
        ['c1', 1, 'rest'],
        ['c2', 0, 'mcp'],
        ['b2', 1, 'rest'],
      ],
    },
  ]);
  const outcomes = new Set(results.flat().map(({ outcome }) => outcome));
  assert.deepEqual([...outcomes].toSorted(), ['admitted', 'quota_exceeded', 'rate_limited', 'revoked']);
  report({
    fault: 'one table of batches through both meters',
    tried: results.length,
    outcome: `${results.flat().length} requests: equal results, headers and counters`,
    test: file,
  });
});

test('random batches give the same results in both', { skip }, async () => {
  let state = 20_261_123;
  const random = (max: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const who = ['a1', 'a2', 'a-app', 'b1', 'b2', 'b-app', 'c1', 'c-app'];
  let at = 0;
  const steps = Array.from({ length: 60 }, (_, index): Step => {
    at += pick([0, 1, 500, 20_000, 59_999, 60_001, 3_600_000]);
    const batch = Array.from(
      { length: 1 + random(40) },
      (): Call => [pick(who), pick([0, 1, 1, 1, 2, 5]), pick(['rest', 'mcp'] as const)],
    );
    return index % 15 === 0
      ? { at, change: limit(pick(['a', 'b', 'c']), 3 + random(30), 50 + random(400)), batch }
      : { at, batch };
  });
  const results = await compare(steps);
  report({
    fault: 'random batches through both meters (their seed is in the test)',
    tried: results.length,
    outcome: `${results.flat().length} requests: equal results, headers and counters`,
    test: file,
  });
});

test('three nodes with 32 callers each admit exactly the quota, and every header is true', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const nodes = await Promise.all([cluster.open(), cluster.open(), cluster.open()]);
  const [first] = nodes;
  assert.ok(first);
  const quota = 3_000;
  const { id: account } = await first.accounts.create({ email: 'a@example.com' });
  await first.accounts.setLimits('a@example.com', { window: 1_000_000, quota });
  const key = await first.keys.create('a@example.com', 'one');
  const credential: Credential = { id: key.id, account, scope: 'all' };
  const remaining: number[] = [];
  let refused = 0;
  await Promise.all(
    nodes.flatMap((node) =>
      Array.from({ length: 32 }, async () => {
        for (let asked = 0; asked < 35; asked += 1) {
          const result = await node.admit(credential, 1, 'rest');
          if (result.outcome === 'admitted') remaining.push(result.limits[4]);
          else refused += 1;
        }
      }),
    ),
  );
  assert.deepEqual(
    remaining.toSorted((one, other) => other - one),
    Array.from({ length: quota }, (_, index) => quota - 1 - index),
  );
  assert.equal(refused, 3 * 32 * 35 - quota);
  const [sums] = await cluster.query(
    'SELECT (SELECT sum(used) FROM usage_months) AS month, (SELECT sum(used) FROM usage_days) AS days',
  );
  assert.deepEqual(sums, { month: quota, days: quota });
  await Promise.all(nodes.map((node) => node.closed()));
});

test('a key revoked, a plan changed or an account deleted on one node holds for the next request on another', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const [one, other] = await Promise.all([cluster.open(), cluster.open()]);
  const { id: account } = await one.accounts.create({ email: 'a@example.com' });
  const key = await one.keys.create('a@example.com', 'one');
  const credential = await other.authenticate(`Bearer ${key.key}`);
  assert.ok(credential);
  const limits = async () => (await other.admit(credential, 1, 'rest')).limits?.[3];
  assert.equal(await limits(), 10_000);
  await one.accounts.setPlan('a@example.com', 'pro');
  assert.equal(await limits(), 1_000_000);
  await one.keys.revoke(key.id);
  assert.equal((await other.admit(credential, 1, 'rest')).outcome, 'revoked');
  assert.equal(await other.authenticate(`Bearer ${key.key}`), null);
  const next = await other.keys.create('a@example.com', 'two');
  const second: Credential = { id: next.id, account, scope: 'all' };
  assert.equal((await one.admit(second, 1, 'rest')).outcome, 'admitted');
  await other.accounts.delete('a@example.com');
  assert.equal((await one.admit(second, 1, 'rest')).outcome, 'revoked');
  assert.deepEqual(
    await cluster.query('SELECT used FROM usage_months UNION ALL SELECT used FROM usage_days'),
    [],
  );
  await Promise.all([one.closed(), other.closed()]);
});

test('a batch that is sent again is answered again and not counted again; an older one is refused', {
  skip,
}, async () => {
  const cluster = await createCluster(server);
  const node = await cluster.open();
  const { id: account } = await node.accounts.create({ email: 'a@example.com' });
  const key = await node.keys.create('a@example.com', 'one');
  await cluster.query("INSERT INTO counting_lanes VALUES ('lane', 0, NULL, 0)");
  const send = async (seq: number) => {
    const rows = await cluster.query<{ answer: string }>(
      'SELECT admit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS answer',
      ['lane', seq, [account], [key.id], [1], [1, 1], [1, 1], ['rest', 'rest'], ['free'], [60], [10_000], 4],
    );
    return rows[0]?.answer;
  };
  const used = async () => (await cluster.query<{ used: number }>('SELECT used FROM usage_months'))[0]?.used;
  const first = await send(1);
  assert.equal(await send(1), first);
  assert.equal(await used(), 2);
  const [one, other] = await Promise.all([send(2), send(2)]);
  assert.equal(one, other);
  assert.equal(await used(), 4);
  await assert.rejects(send(1), /batch 1 of lane is past/);
  await node.closed();
});
