/** What must not be undone by a power cut is on the disk when it is answered; what is counted is not waited for. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccess } from '../../src/access/access.ts';
import { frozenClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';

const clock = frozenClock(Date.parse('2026-11-20T12:00:00Z'));
const from = { address: '192.0.2.7', userAgent: 'test' };
const [email, password] = ['a@example.com', 'a long enough password'];

test('keys, passwords, sessions, grants and accounts are synced; requests are not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-durable-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'c.db');
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => access.close());
  const handle = await open(path, 'r');
  const syncs = t.mock.method(Object.getPrototypeOf(handle), 'datasync');
  await handle.close();

  /** How often the log is synced while `work` is done, and what that gives. */
  const counted = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const before = syncs.mock.callCount();
    const result = await work();
    return [syncs.mock.callCount() - before, result];
  };

  const [made, session] = await counted(() => access.sessions.signUp(email, password, from));
  const [keyed, key] = await counted(() => access.keys.create(email, 'one'));
  const credential = await access.authenticate(`Bearer ${key.key}`);
  assert.ok(credential);
  const [admitted, verdict] = await counted(() => access.admit(credential, 1, 'rest'));
  assert.equal(verdict.outcome, 'admitted');
  const [revoked] = await counted(() => access.keys.revoke(key.id));
  const [changed, next] = await counted(() =>
    access.sessions.changePassword(session, password, `${password} 2`, from),
  );
  const [ended] = await counted(() => access.sessions.signOut(next));
  const [everywhere] = await counted(() => access.sessions.signOutEverywhere(session.account.id));
  const [granted] = await counted(() =>
    access.oauth.saveGrant('app_1', { accountId: session.account.id, clientId: 'c' }),
  );
  const [disconnected] = await counted(() => access.oauth.revokeGrant('app_1'));
  const [reset] = await counted(() => access.accounts.setPassword(email, `${password} 3`));
  const [deleted] = await counted(() => access.accounts.delete(email));
  const [requested] = await counted(() => access.pending.request(email, password, from.address));
  const [rejected] = await counted(() => access.pending.reject(email));
  await access.pending.request(email, password, from.address);
  const [approved] = await counted(() => access.pending.approve(email));
  const [ensured] = await counted(() => access.accounts.ensure('b@example.com', 'free'));
  assert.deepEqual(
    {
      ...{
        made,
        keyed,
        admitted,
        revoked,
        changed,
        ended,
        everywhere,
        granted,
        disconnected,
        reset,
        deleted,
      },
      ...{ requested, rejected, approved, ensured },
    },
    {
      made: 1,
      keyed: 1,
      admitted: 0,
      revoked: 1,
      changed: 1,
      ended: 1,
      everywhere: 1,
      granted: 1,
      disconnected: 1,
      reset: 1,
      deleted: 1,
      requested: 1,
      rejected: 1,
      approved: 1,
      ensured: 1,
    },
  );
});

test('where the disk fails, that is said, and nothing is claimed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-durable-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'c.db');
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => access.close());
  await access.accounts.create({ email });
  const { id } = await access.keys.create(email, 'one');
  const handle = await open(path, 'r');
  t.mock.method(Object.getPrototypeOf(handle), 'datasync', async () => {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  });
  await handle.close();
  await assert.rejects(access.keys.revoke(id), /cannot be used at present/);
});

test('where the log was deleted, nothing is claimed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-durable-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'c.db');
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => access.close());
  await access.accounts.create({ email });
  const { id } = await access.keys.create(email, 'one');
  rmSync(`${path}-wal`);
  await assert.rejects(access.keys.revoke(id), /write-ahead log .*was deleted/);
});
