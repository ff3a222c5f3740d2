/** Accounts of a data file go into a cluster and back with their passwords, keys, apps, counts and entries of the audit log. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Access, openAccess } from '../../src/access/access.ts';
import { frozenClock } from '../../src/clock.ts';
import { copyAccountsFromCluster, copyAccountsIntoCluster } from '../../src/cluster/copy-accounts.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createCluster } from '../support/cluster.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/program.ts';

const now = Date.parse('2026-10-20T12:00:00Z');
const clock = frozenClock(now);
const from = { address: '192.0.2.7', userAgent: 'test' };
const [email, password] = ['ada@example.com', 'a long enough password'];

const server = usePostgres();

/** What a person and an operator see of the account. */
async function look(access: Access, header: string) {
  const credential = await access.authenticate(header);
  assert.ok(credential);
  const { limits } = await access.admit(credential, 1, 'rest');
  return {
    limits,
    details: await access.accounts.show(email),
    session: (await access.sessions.open((await access.accounts.show(email)).id, from)).account,
    password: await access.sessions.verifyPassword(email, password, from),
    item: await access.oauth.findItem('RefreshToken', 'token'),
    plans: await access.plans.list(),
    exports: await access.exports.plans(),
    pending: await access.pending.list(),
    secret: await access.oauth.secret('oauth_cookie_key', async () => 'another'),
  };
}

test('accounts go from a file into a cluster and from there into another file', { skip }, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const sqlite = openDatabase(join(folder.path, 'one.db'), { create: true });
  const access = openAccess(sqlite, clock, clock);
  const session = await access.sessions.signUp(email, password, from);
  const { key } = await access.keys.create(email, 'laptop', {}, 'terminal:test');
  await access.accounts.setPlan(email, 'premium', 'terminal:test');
  await access.accounts.suspend(email, {}, 'terminal:test');
  await access.accounts.unsuspend(email, 'terminal:test');
  const entry = sqlite.prepare("SELECT id FROM audit_log WHERE action = 'account.set-plan'").pluck().get();
  await access.accountUndo.undo(Number(entry), 'terminal:test');
  sqlite.exec(
    "INSERT INTO audit_log (created_ts, actor, action, subject_kind, subject, details) VALUES (1, 'terminal:test', 'record.hide', 'artist', 'x', '{}')",
  );
  await access.oauth.saveGrant('app_1', { accountId: session.account.id, clientId: 'c' });
  await access.oauth.saveItem('RefreshToken', 'token', { grantId: 'app_1', n: 1 }, 3_600);
  await access.oauth.registerClient('client', { client_name: 'é “x”' }, '192.0.2.1');
  await access.oauth.secret('oauth_cookie_key', async () => 'cookie key');
  await access.plans.set('free', { window: 100 }, 'terminal:test');
  await access.exports.set('free', true, 'terminal:test');
  await access.pending.request('bob@example.com', password, '192.0.2.9');
  const header = `Bearer ${key}`;
  const before = await look(access, header);
  const audit = sqlite
    .prepare(
      "SELECT actor, action, subject, details, undone_by IS NULL AS holds FROM audit_log WHERE subject_kind <> 'artist' ORDER BY id",
    )
    .all();

  const cluster = await createCluster(server);
  await cluster.setClock(now);
  const copied = await copyAccountsIntoCluster(sqlite, cluster.address);
  assert.equal(copied?.accounts, 1);
  assert.equal(copied.audit_log, audit.length);
  // The same accounts again: nothing is copied. Others are refused.
  assert.equal(await copyAccountsIntoCluster(sqlite, cluster.address), null);
  const stranger = openDatabase(join(folder.path, 'other.db'), { create: true });
  await assert.rejects(copyAccountsIntoCluster(stranger, cluster.address), /has other accounts already/);
  stranger.close();
  const node = await cluster.open(clock);
  const inCluster = await look(node, header);
  // Each look is one request, one session and two uses more.
  const same = ({
    limits,
    details: { sessions, usage, history: _history, ...details },
    ...rest
  }: typeof before) => ({
    ...rest,
    details: { ...details, keys: details.keys.map(({ last_used_at: _, ...one }) => one) },
    used: Number(limits?.[4]) + usage.used,
    sessions: sessions.length > 0,
  });
  assert.deepEqual(same(inCluster), same(before));
  assert.equal(inCluster.details.usage.used, before.details.usage.used + 1);
  await node.accounts.setPlan(email, 'pro', 'terminal:test');
  await node.closed();

  const other = openDatabase(join(folder.path, 'two.db'), { create: true });
  other.exec(
    "INSERT INTO audit_log (created_ts, actor, action, subject_kind, subject, details) VALUES (1, 'terminal:test', 'record.hide', 'artist', 'x', '{}')",
  );
  const back = await copyAccountsFromCluster(cluster.address, other);
  assert.equal(back.accounts, 1);
  await assert.rejects(copyAccountsFromCluster(cluster.address, other), /has accounts already/);
  const home = openAccess(other, clock, clock);
  await home.accounts.setPlan(email, 'free');
  const after = await look(home, header);
  assert.deepEqual(same(after), same(before));
  assert.equal(after.details.usage.used, before.details.usage.used + 2);
  const kept = other
    .prepare(
      "SELECT actor, action, subject, details, undone_by IS NULL AS holds FROM audit_log WHERE subject_kind <> 'artist' ORDER BY id",
    )
    .all();
  assert.deepEqual(kept.slice(0, audit.length), audit);
  assert.equal(kept.length, audit.length + 1);
  access.close();
  home.close();
});
