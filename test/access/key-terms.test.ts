/** Keys that expire, that may call one interface only, and that replace another one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Access, AccountError, openAccess } from '../../src/access/access.ts';
import { type Clock, dayMs } from '../../src/clock.ts';
import { Failure } from '../../src/failure.ts';
import { AuditLog } from '../../src/store/audit-log.ts';
import { openDatabase } from '../../src/store/database.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const email = 'a@example.com';

type Setting = { access: Access; time: { now: number }; open: () => Access; audit: () => AuditLog };

async function setUp(t: TestContext): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-key-terms-'));
  const path = join(folder, 'test.db');
  const time = { now: noon };
  const clock: Clock = { now: () => time.now };
  const opened: { close(): void }[] = [];
  const open = () => {
    const access = openAccess(openDatabase(path, { create: true }), clock);
    opened.push(access);
    return access;
  };
  t.after(() => {
    for (const one of opened) one.close();
    rmSync(folder, { recursive: true });
  });
  const audit = () => {
    const sqlite = openDatabase(path, { create: false });
    opened.push(sqlite);
    return new AuditLog(sqlite);
  };
  const access = open();
  await access.accounts.create({ email });
  return { access, time, open, audit };
}

/** How a request with the key ends. */
async function outcome(access: Access, key: string): Promise<string> {
  const credential = await access.authenticate(`Bearer ${key}`);
  if (credential === null) return 'refused';
  const { outcome } = await access.admit(credential, 1, 'rest');
  return outcome === 'revoked' ? 'refused' : outcome;
}

test('a key expires to the millisecond, also if it is remembered as valid', async (t) => {
  const { access, time, open } = await setUp(t);
  const { key, expires_at } = await access.keys.create(email, 'laptop', { expires: '90d' });
  assert.equal(expires_at, '2027-02-18T12:00:00Z');
  assert.equal(await outcome(access, key), 'admitted');
  const credential = await access.authenticate(`Bearer ${key}`);
  assert.ok(credential);
  time.now = noon + 90 * dayMs - 1;
  assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'admitted');
  time.now += 1;
  assert.deepEqual(await access.admit(credential, 1, 'rest'), { outcome: 'revoked', limits: null });
  assert.equal(await access.authenticate(`Bearer ${key}`), null);
  assert.equal(await open().authenticate(`Bearer ${key}`), null);
  assert.equal(await access.keys.checkKey(key), 'expired');
  const [listed] = await access.keys.list(email);
  assert.deepEqual([listed?.expires_at, listed?.revoked_at], ['2027-02-18T12:00:00Z', null]);
});

test('the end of a key is a span, a date or a timestamp in the next ten years', async (t) => {
  const { access } = await setUp(t);
  const ends: [text: string, at: string][] = [
    ['2027-01-01', '2027-01-01T00:00:00Z'],
    ['2027-01-01T06:30+02:00', '2027-01-01T04:30:00Z'],
    ['36h', '2026-11-22T00:00:00Z'],
    ['2w', '2026-12-04T12:00:00Z'],
  ];
  for (const [expires, at] of ends)
    assert.equal((await access.keys.create(email, 'x', { expires })).expires_at, at, expires);
  const wrong = [
    '',
    'soon',
    '0d',
    '-1d',
    '2026-11-20',
    '2027-02-30',
    '2027-13-01',
    '20y',
    '4000d',
    '2050-01-01',
  ];
  for (const expires of wrong) {
    const isUsage = (error: unknown) => error instanceof Failure && error.exitStatus === 2;
    await assert.rejects(access.keys.create(email, 'x', { expires }), isUsage, expires);
  }
  await assert.rejects(access.keys.create(email, 'x', { scope: 'everything' }), /all, rest, agents/);
});

test('a credential has the scope of its key', async (t) => {
  const { access, open } = await setUp(t);
  for (const scope of ['rest', 'agents', 'all'] as const) {
    const { key } = await access.keys.create(email, scope, { scope });
    for (const one of [access, open()]) {
      assert.equal((await one.authenticate(`Bearer ${key}`))?.scope, scope);
    }
  }
});

test('rotation: both keys are valid during the overlap, then only the new one', async (t) => {
  const { access, time, open } = await setUp(t);
  const old = await access.keys.create(email, 'laptop', { scope: 'rest', expires: '30d' });
  time.now += 10 * dayMs;
  const next = await access.keys.rotate(old.id, { overlap: '24h' });
  assert.notEqual(next.key, old.key);
  // The same name and scope, and the same lifetime.
  assert.deepEqual([next.name, next.scope, next.expires_at], ['laptop', 'rest', '2026-12-30T12:00:00Z']);
  assert.deepEqual([next.replaces.id, next.replaces.expires_at], [old.id, '2026-12-01T12:00:00Z']);
  assert.equal(await outcome(access, old.key), 'admitted');
  assert.equal(await outcome(open(), next.key), 'admitted');
  time.now += dayMs;
  assert.equal(await outcome(access, old.key), 'refused');
  assert.equal(await outcome(access, next.key), 'admitted');
  await assert.rejects(access.keys.rotate(old.id, {}), /has expired\. Create another one/);
  const last = await access.keys.rotate(next.id, { overlap: '0m', expires: '2027-06-01' });
  assert.equal(last.expires_at, '2027-06-01T00:00:00Z');
  assert.equal(await outcome(access, next.key), 'refused');
  await access.keys.revoke(last.id);
  await assert.rejects(access.keys.rotate(last.id, {}), /was revoked/);
  await assert.rejects(access.keys.rotate('key_nope', {}), /There is no key/);
  for (const overlap of ['', '1', '91d', 'a day'])
    await assert.rejects(access.keys.rotate(last.id, { overlap }), /at most 90 days/);
});

test('a key that ends before the overlap does keeps its end', async (t) => {
  const { access } = await setUp(t);
  const { id } = await access.keys.create(email, 'short', { expires: '2h' });
  const next = await access.keys.rotate(id, { overlap: '24h' });
  assert.equal(next.replaces.expires_at, '2026-11-20T14:00:00Z');
});

test('owners rotate their own keys only, and a form makes one key', async (t) => {
  const { access } = await setUp(t);
  const own = (await access.accounts.show(email)) as { id: string; email: string };
  const other = await access.accounts.create({ email: 'b@example.com' });
  const { id } = await access.keys.create(email, 'laptop');
  assert.equal(await access.keys.rotateOwn(other, id, '24h', 'f'), 'missing');
  const made = await access.keys.rotateOwn(own, id, '24h', 'f');
  assert.ok(made !== null && made !== 'missing');
  assert.equal(await access.keys.rotateOwn(own, id, '24h', 'f'), null);
  assert.equal((await access.keys.list(email)).length, 2);
  const isTerms = (error: unknown) => error instanceof AccountError && error.reason === 'terms';
  await assert.rejects(access.keys.rotateOwn(own, id, 'for ever', 'g'), isTerms);
  await assert.rejects(access.keys.createOwn(own, 'x', 'h', { scope: 'root' }), isTerms);
  await assert.rejects(access.keys.createOwn(own, 'x', 'h', { expires: 'never' }), isTerms);
});

test('expired keys do not count towards the hundred', async (t) => {
  const { access, time } = await setUp(t);
  const own = await access.accounts.show(email);
  for (let made = 0; made < 100; made += 1)
    await access.keys.createOwn(own, `key ${made}`, `form ${made}`, { expires: '1h' });
  await assert.rejects(access.keys.createOwn(own, 'more', 'more'), /100 active keys/);
  time.now += 3_600_000;
  assert.ok(await access.keys.createOwn(own, 'more', 'more'));
});

test('the audit log names who created, rotated and revoked a key; a deleted account leaves its id', async (t) => {
  const { access, audit } = await setUp(t);
  const own = await access.accounts.show(email);
  const made = await access.keys.create(email, 'laptop', { scope: 'agents' }, 'terminal:root');
  const form = await access.keys.createOwn(own, 'phone', 'form');
  assert.ok(form);
  const next = await access.keys.rotateOwn(own, form.id, '1h', 'again');
  assert.ok(next !== null && next !== 'missing');
  await access.keys.revoke(made.id, 'terminal:root');
  await access.keys.revoke(made.id, 'terminal:root');
  await access.keys.revokeOwn(own.id, next.id);
  const told = () =>
    audit()
      .list({ limit: 10 })
      .map(({ actor, action, subjectKind, subject }) => [actor, action, subjectKind, subject]);
  const owner = `account:${email}`;
  assert.deepEqual(told(), [
    [owner, 'key.revoke', 'key', next.id],
    ['terminal:root', 'key.revoke', 'key', made.id],
    [owner, 'key.rotate', 'key', next.id],
    [owner, 'key.create', 'key', form.id],
    ['terminal:root', 'key.create', 'key', made.id],
  ]);
  const [rotation] = audit().list({ action: 'key.rotate', limit: 1 });
  assert.deepEqual(rotation?.details, {
    account: own.id,
    scope: 'all',
    expires_at: null,
    replaces: form.id,
    replaced_ends_at: '2026-11-20T13:00:00Z',
  });
  const text = JSON.stringify(audit().list({ limit: 10 }));
  for (const secret of [made.key, form.key, next.key, 'laptop']) assert.ok(!text.includes(secret));
  await access.accounts.delete(email);
  assert.ok(!JSON.stringify(audit().list({ limit: 10 })).includes(email));
  assert.equal(told()[0]?.[0], `account:${own.id}`);
});

test('a key that is revoked while its successor is made gets none', async (t) => {
  const { access } = await setUp(t);
  const own = await access.accounts.show(email);
  const ways = [
    async (id: string) => access.keys.rotate(id, {}, 'terminal:root'),
    async (id: string) => access.keys.rotateOwn(own, id, '24h', `form ${id}`),
  ];
  for (const rotate of ways) {
    const { id } = await access.keys.create(email, 'laptop');
    // The rotation has read the key, and hashes the secret of the new one.
    const rotation = rotate(id).catch((error: Error) => error.message);
    await access.keys.revoke(id, 'terminal:root');
    const outcome = await rotation;
    assert.match(String(outcome), /was revoked\. Create another one|^missing$/);
  }
  const active = (await access.keys.list(email)).filter(({ revoked_at }) => revoked_at === null);
  assert.deepEqual(active, []);
});

test('a key that was replaced is not replaced again: its end is no lifetime', async (t) => {
  const { access, time } = await setUp(t);
  const own = await access.accounts.show(email);
  const { id } = await access.keys.create(email, 'laptop', {}, 'terminal:root');
  const next = await access.keys.rotate(id, { overlap: '24h' }, 'terminal:root');
  time.now += 3_600_000;
  await assert.rejects(access.keys.rotate(id, {}, 'terminal:root'), /was replaced; rotate its successor/);
  const isReplaced = (error: unknown) => error instanceof AccountError && error.code === 'key_replaced';
  await assert.rejects(access.keys.rotateOwn(own, id, '24h', 'form'), isReplaced);
  assert.equal((await access.keys.list(email)).length, 2);
  // The successor is replaced as often as its owner wants, also by several at once: one of them succeeds.
  const all = await Promise.allSettled(
    ['a', 'b', 'c'].map((form) => access.keys.rotateOwn(own, next.id, '24h', form)),
  );
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  const keys = await access.keys.list(email);
  assert.deepEqual([keys.length, keys.at(-1)?.expires_at], [3, null]);
});

test('the limit of a hundred active keys holds for forms that are sent at once', async (t) => {
  const { access } = await setUp(t);
  const own = await access.accounts.show(email);
  for (let made = 0; made < 97; made += 1) await access.keys.create(email, `key ${made}`);
  const forms = Array.from({ length: 8 }, (_, at) => access.keys.createOwn(own, 'more', `form ${at}`));
  const outcomes = await Promise.allSettled(forms);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.match(String(outcome.reason), /100 active keys/);
  assert.equal((await access.keys.list(email)).length, 100);
});
