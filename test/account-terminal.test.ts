/** The terminal sees and does what the pages do: usage, apps, sessions. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openAccess } from '../src/access/access.ts';
import { systemClock } from '../src/clock.ts';
import { openDatabase } from '../src/store/database.ts';
import { folder, run } from './cli-run.ts';

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
  const members = ['id', 'email', 'plan', 'created_at', 'keys', 'connected_apps', 'usage'];
  assert.deepEqual(Object.keys(shown), members);
  assert.deepEqual(shown.connected_apps, []);
  assert.match((await run(['accounts', 'show', email], { cwd })).stdout, /Apps +none[\s\S]*laptop/);
  const unknown = await run(['accounts', 'disconnect', email, 'nope'], { cwd });
  assert.equal(unknown.status, 1);
  assert.match(
    unknown.stderr,
    /^cratebase: ada@example\.com has no app with the id "nope"\. `cratebase accounts show/,
  );
  assert.equal((await run(['accounts', 'sign-out', 'nobody@example.com'], { cwd })).status, 1);
  assert.equal((await run(['accounts', 'delete', email, '--yes'], { cwd })).status, 0);
  const file = new Database(data, { readonly: true });
  for (const table of ['accounts', 'api_keys', 'sessions', 'usage_months', 'usage_days']) {
    assert.equal(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
  }
  file.close();
});
