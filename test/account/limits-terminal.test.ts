/** `plans` and `accounts set-limits` in the terminal, and the audit log that they write. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AuditLog } from '../../src/store/audit-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { run, runJson, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const data = join(folder.path, 'test.db');
openDatabase(data, { create: true }).close();
const inFile = (...args: string[]) => run([...args, '--data', data]);

test('plans set, list and cancel', () => {
  const list = () =>
    runJson<{ data: { plan: string; quota: number; upcoming: unknown[] }[] }>([
      'plans',
      'list',
      '--data',
      data,
    ]).data;
  assert.deepEqual(
    list().map(({ plan, quota, upcoming }) => [plan, quota, upcoming.length]),
    [
      ['free', 10_000, 0],
      ['premium', 100_000, 0],
      ['pro', 1_000_000, 0],
    ],
  );
  const set = inFile('plans', 'set', 'free', '--month', '50000', '--window', '120');
  assert.deepEqual([set.status, set.stdout.split(',')[0]], [0, 'free: 50']);
  const early = inFile('plans', 'set', 'free', '--month', '100');
  assert.equal(early.status, 2);
  assert.match(early.stderr, /^cratebase: .*--note/);
  const year = new Date().getUTCFullYear() + 1;
  const planned = inFile(
    'plans',
    'set',
    'free',
    '--month',
    '100',
    '--from',
    `${year}-12-31`,
    '--note',
    'Less.',
  );
  assert.equal(planned.status, 0, planned.stderr);
  const { stdout } = inFile('plans', 'list');
  assert.match(
    stdout,
    new RegExp(
      `free +120 +50,000 [\\s\\S]*Changes to come:[\\s\\S]*free +${year}-12-31T00:00:00Z +120 +100 +Less\\.`,
    ),
  );
  const again = inFile('plans', 'set', 'free', '--month', '60000');
  assert.match(
    again.stderr,
    new RegExp(`From ${year}-12-31T00:00:00Z on, it has 100 a month and 120 per key`),
  );
  assert.equal(inFile('plans', 'cancel', 'free', `${year}-12-31`).status, 0);
  assert.deepEqual(list()[0]?.upcoming, []);
  for (const wrong of [['--month', 'many'], ['--month', '-5'], [], ['--window', '0']])
    assert.equal(inFile('plans', 'set', 'free', ...wrong).status, 2, wrong.join(' '));
});

test('accounts set-limits', () => {
  assert.equal(inFile('accounts', 'create', 'ada@example.com').status, 0);
  const set = inFile('accounts', 'set-limits', 'ada@example.com', '--window', '500', '--month', '1000000');
  assert.equal(set.stdout, 'ada@example.com: 1,000,000 a month, 500 per key and 60 s\n');
  assert.match(
    inFile('accounts', 'show', 'ada@example.com').stdout,
    /Usage +0 of 1,000,000 in [\d-]+ \(own limit\)\nWindow +500 in 60 s for each key \(own limit\)/,
  );
  const reset = runJson<{ window: null; quota: null }>([
    'accounts',
    'set-limits',
    'ada@example.com',
    '--default',
    '--data',
    data,
  ]);
  assert.deepEqual([reset.window, reset.quota], [null, null]);
  for (const wrong of [[], ['--default', '--month', '5'], ['--month', 'x']])
    assert.equal(inFile('accounts', 'set-limits', 'ada@example.com', ...wrong).status, 2, wrong.join(' '));
});

test('keys rotate prints the new key, and the commands are in the audit log', () => {
  const made = runJson<{ id: string; scope: string }>([
    'keys',
    'create',
    'ada@example.com',
    '--name',
    'laptop',
    '--scope',
    'rest',
    '--expires',
    '90d',
    '--data',
    data,
  ]);
  assert.equal(made.scope, 'rest');
  const rotated = inFile('keys', 'rotate', made.id, '--overlap', '2h');
  assert.match(rotated.stdout, /^cb_live_\w+\n$/);
  assert.match(rotated.stderr, /\(laptop\) ends at \d{4}-[\s\S]*shown only once/);
  assert.match(inFile('keys', 'list').stdout, /SCOPE +CREATED +LAST USED +EXPIRES +REVOKED[\s\S]*rest/);
  assert.equal(inFile('keys', 'rotate', made.id, '--overlap', 'long').status, 2);
  const sqlite = openDatabase(data, { create: false });
  const entries = new AuditLog(sqlite).list({ limit: 20 });
  sqlite.close();
  assert.deepEqual(entries.map(({ action }) => action).reverse(), [
    'plan.set',
    'plan.set',
    'plan.set',
    'plan.cancel',
    'account.create',
    'account.set-limits',
    'account.set-limits',
    'key.create',
    'key.rotate',
  ]);
  assert.ok(entries.every(({ actor }) => actor.startsWith('terminal:')));
});
