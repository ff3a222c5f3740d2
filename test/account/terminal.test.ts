/** The terminal sees and does what the pages do: usage, apps, sessions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openAccess } from '../../src/access/access.ts';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { folder, run } from '../support/cli-run.ts';

const cwd = folder();
const data = join(cwd, 'cratebase.db');
const email = 'ada@example.com';
const password = 'correct horse battery staple';
openDatabase(data, { create: true }).close();

async function json<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

test('an account made in the terminal signs in on its page, and is signed out from the terminal', async () => {
  const created = await run(['accounts', 'create', email, '--password-stdin'], {
    cwd,
    input: `${password}\n`,
  });
  assert.equal(created.status, 0, created.stderr);
  const access = openAccess(openDatabase(data, { create: false }), systemClock);
  const from = { address: '203.0.113.5', userAgent: 'test' };
  const session = await access.sessions.signIn(email, password, from);
  await access.sessions.signIn(email, password, from);
  assert.match((await run(['accounts', 'sign-out', email], { cwd })).stdout, /signed out of 2 browsers/);
  assert.equal(await access.sessions.find(session.token), null);
  const none = await json<{ email: string; sessions: number }>('accounts', 'sign-out', email);
  assert.deepEqual([none.email, none.sessions], [email, 0]);
  const again = await access.sessions.signIn(email, password, from);
  const set = await run(['accounts', 'set-password', email], { cwd, input: 'another one entirely\n' });
  assert.equal(set.status, 0, set.stderr);
  assert.equal(await access.sessions.find(again.token), null);
  await access.sessions.signIn(email, 'another one entirely', from);
  access.close();
});

test('show has plan, keys, connected apps and usage; delete takes all of it', async () => {
  await run(['keys', 'create', email, '--name', 'laptop'], { cwd });
  const shown = await json<Record<string, unknown>>('accounts', 'show', email);
  const members = [
    'id',
    'email',
    'plan',
    'role',
    'created_at',
    'suspended_at',
    'sign_in',
    'keys',
    'connected_apps',
    'sessions',
    'usage',
    'own_limits',
    'history',
  ];
  assert.deepEqual(Object.keys(shown), members);
  assert.deepEqual(shown.connected_apps, []);
  assert.match((await run(['accounts', 'show', email], { cwd })).stdout, /Apps +none[\s\S]*laptop/);
  const access = openAccess(openDatabase(data, { create: false }), systemClock);
  const { key } = await access.keys.create(email, 'counted');
  const credential = await access.authenticate(`Bearer ${key}`);
  assert.ok(credential);
  await access.admit(credential, 3, 'rest');
  await access.admit(credential, 2, 'mcp');
  const agent = 'Mozilla \u202ekcatta';
  const session = await access.sessions.signIn(email, 'another one entirely', {
    address: '203.0.113.5',
    userAgent: agent,
  });
  access.close();
  const full = await json<{
    sessions: { id: string; address: string }[];
    history: { days: { rest: number; mcp: number; total: number }[]; months: object[] };
  }>('accounts', 'show', email);
  assert.ok(full.sessions.some(({ id }) => id === session.id));
  const { rest, mcp, total } = full.history.days.at(-1) ?? {};
  assert.deepEqual([full.history.days.length, rest, mcp, total], [30, 3, 2, 5]);
  assert.equal(full.history.months.length, 12);
  const { stdout } = await run(['accounts', 'show', email], { cwd });
  assert.match(stdout, /DAY +REST +MCP +ALL\n\d{4}-\d\d-\d\d +3 +2 +5\n/);
  assert.match(stdout, /MONTH +REST +MCP +ALL/);
  assert.ok(stdout.includes('Mozilla kcatta') && !stdout.includes('\u202e'), stdout);
  const unknown = await run(['accounts', 'disconnect', email, 'nope'], { cwd });
  assert.equal(unknown.status, 1);
  assert.match(
    unknown.stderr,
    /^cratebase: ada@example\.com has no app with the id "nope"\. `cratebase accounts show/,
  );
  const grants = new Database(data);
  grants
    .prepare(
      `INSERT INTO oauth_grants (id, account_id, client_id, payload, name, verified, scopes, created_ts)
       SELECT 'app_1', id, 'client', '{}', 'Reader', 0, 'agents', 1 FROM accounts WHERE email = ?`,
    )
    .run(email);
  grants.exec(
    `INSERT INTO oauth_items (kind, id, grant_id, payload, expires_ts)
     VALUES ('RefreshToken', 'token', 'app_1', '{}', 9e12)`,
  );
  grants.close();
  const disconnected = await run(['accounts', 'disconnect', email, 'app_1'], { cwd });
  assert.equal(disconnected.stdout, 'disconnected Reader\n', disconnected.stderr);
  const log = await json<{ data: { action: string; actor: string; details: object }[] }>('audit');
  const entry = log.data.find(({ action }) => action === 'account.disconnect-app');
  assert.deepEqual(entry?.details, { app: 'app_1', name: 'Reader' });
  assert.match(entry.actor, /^terminal:/);
  assert.equal((await run(['accounts', 'sign-out', 'nobody@example.com'], { cwd })).status, 1);
  assert.equal((await run(['accounts', 'delete', email, '--yes'], { cwd })).status, 0);
  const file = new Database(data, { readonly: true });
  for (const table of ['accounts', 'api_keys', 'sessions', 'usage_months', 'usage_days']) {
    assert.equal(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
  }
  file.close();
});

test('the only operator stays one and is not deleted or suspended without --force', async () => {
  const only = 'only-operator@example.com';
  assert.equal((await run(['accounts', 'create', only], { cwd })).status, 0);
  assert.equal((await run(['accounts', 'set-role', only, 'operator'], { cwd })).status, 0);
  for (const change of [
    ['set-role', only, 'user'],
    ['suspend', only],
    ['delete', only, '--yes'],
  ]) {
    const { status, stderr } = await run(['accounts', ...change], { cwd });
    assert.equal(status, 1);
    assert.match(stderr, /is the only operator\. Give another account .* or repeat the command with --force/);
  }
  assert.equal((await json<{ role: string }>('accounts', 'show', only)).role, 'operator');
  const demoted = await json<{ role: string }>('accounts', 'set-role', only, 'user', '--force');
  assert.equal(demoted.role, 'user');
  assert.equal((await run(['accounts', 'set-role', only, 'operator'], { cwd })).status, 0);
  assert.equal((await run(['accounts', 'suspend', only, '--force'], { cwd })).status, 0);
  assert.equal((await run(['accounts', 'unsuspend', only], { cwd })).status, 0);
  assert.equal((await run(['accounts', 'delete', only, '--yes', '--force'], { cwd })).status, 0);
});

test('deleted data is neither in the file nor in its backup', async () => {
  const hidden = { email: 'forgotten-person@example.com', key: 'a-very-telling-key-name' };
  const access = openAccess(openDatabase(data, { create: false }), systemClock);
  const secrets = [hidden.email, hidden.key];
  for (let round = 0; round < 60; round += 1) {
    await access.accounts.create({ email: `other-${round}@example.com` });
    if (round !== 30) continue;
    await access.accounts.create({ email: hidden.email, password });
    for (let more = 0; more < 30; more += 1) {
      secrets.push((await access.keys.create(hidden.email, `${hidden.key} ${more}`)).id);
    }
  }
  const userAgent = 'a telling browser';
  const session = await access.sessions.signIn(hidden.email, password, { address: '203.0.113.5', userAgent });
  const file = new Database(data);
  secrets.push(userAgent, session.id);
  secrets.push(
    file.prepare('SELECT password_hash FROM accounts WHERE email = ?').pluck().get(hidden.email) as string,
  );
  file.pragma('wal_checkpoint(TRUNCATE)');
  const holds = (path: string) => {
    const text = readFileSync(path).toString('latin1');
    return secrets.filter((secret) => text.includes(secret));
  };
  assert.equal(holds(data).length, secrets.length);
  access.close();
  assert.equal((await run(['accounts', 'delete', hidden.email, '--yes'], { cwd })).status, 0);
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  assert.deepEqual(holds(data), []);
  const backup = join(cwd, 'backup.db');
  assert.equal((await run(['backup', backup], { cwd })).status, 0);
  assert.deepEqual(holds(backup), []);
});

test('an email with characters that cannot be seen is refused', async () => {
  for (const bad of [
    'ada\u200b@example.com',
    '\u202eada@example.com',
    'ada@example.com\u2060',
    'a\u3164da@example.com',
  ]) {
    const { status, stderr } = await run(['accounts', 'create', bad], { cwd });
    assert.equal(status, 2);
    assert.match(stderr, /invisible characters|not an email address/);
  }
});
