import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Access, apiKeyPattern, openAccess } from '../../src/access/access.ts';
import { generateApiKey, parseApiKey } from '../../src/access/api-key-format.ts';
import { FairLimiter } from '../../src/access/fair-limiter.ts';
import { type Clock, frozenClock } from '../../src/clock.ts';
import { Failure } from '../../src/failure.ts';
import { openDatabase } from '../../src/store/database.ts';
import { forgedLike } from '../support/forged-key.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const bearer = (key: string) => `Bearer ${key}`;

/** A data file in a folder of its own; `open` gives one more connection, as another process would have. */
function setUp(t: TestContext): { access: Access; path: string; open: (clock?: Clock) => Access } {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-access-'));
  const path = join(folder, 'test.db');
  const opened: Access[] = [];
  const open = (clock: Clock = frozenClock(now)) => {
    const access = openAccess(openDatabase(path, { create: true }), clock);
    opened.push(access);
    return access;
  };
  t.after(() => {
    for (const access of opened) access.close();
    rmSync(folder, { recursive: true });
  });
  return { access: open(), path, open };
}

/** A line that says what to do, and no more. */
const failure =
  (words: RegExp, exitStatus = 1) =>
  (error: unknown) => {
    assert.ok(error instanceof Failure);
    assert.match(error.message, words);
    assert.equal(error.exitStatus, exitStatus);
    assert.ok(!error.message.includes('\n'));
    return true;
  };

test('a key has prefix, public id, secret and a checksum that meets every typing error', () => {
  for (let round = 0; round < 200; round += 1) {
    const key = generateApiKey();
    assert.match(key, /^cb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}$/);
    assert.equal(apiKeyPattern.exec(`token="${key}"`)?.[0], key);
    assert.equal(parseApiKey(key)?.publicId, key.slice(8, 14));
    assert.equal(parseApiKey(key)?.secret, key.slice(15, 47));
  }
  const key = generateApiKey();
  for (let place = 8; place < key.length; place += 1) {
    const other = key[place] === 'a' ? 'b' : 'a';
    assert.equal(parseApiKey(key.slice(0, place) + other + key.slice(place + 1)), null, `place ${place}`);
    const swapped = key.slice(0, place - 1) + key[place] + key[place - 1] + key.slice(place + 1);
    if (swapped !== key) assert.equal(parseApiKey(swapped), null, `swapped at ${place}`);
  }
  for (const none of ['', 'cb_live_', key.slice(0, -1), `${key}0`, ` ${key}`, key.toUpperCase()]) {
    assert.equal(parseApiKey(none), null);
  }
});

test('characters of keys are spread evenly', () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 4_000; round += 1) {
    const { publicId, secret } = parseApiKey(generateApiKey()) as { publicId: string; secret: string };
    for (const character of publicId + secret) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  const expected = (4_000 * 38) / 62;
  // Five standard deviations: what is biased by a byte's remainder (a quarter more) is far outside.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 5 * Math.sqrt(expected));
});

test('a key identifies its account, whatever the case of the scheme', async (t) => {
  const { access } = setUp(t);
  const account = await access.accounts.create({ email: 'a@example.com' });
  const made = await access.keys.create('a@example.com', 'laptop');
  assert.deepEqual(Object.keys(made), ['id', 'name', 'key', 'created_at', 'expires_at', 'scope']);
  assert.equal(made.created_at, '2026-11-20T12:00:00Z');
  const expected = { id: made.id, account: account.id, scope: 'all' };
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    assert.deepEqual(await access.authenticate(`${scheme} ${made.key}`), expected);
  }
  const typo = made.key.slice(0, -1) + (made.key.endsWith('a') ? 'b' : 'a');
  const refused = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    made.key,
    `Basic ${made.key}`,
    `Bearer ${made.key} more`,
    `Bearer ${made.key},${made.key}`,
    bearer(typo),
    bearer(generateApiKey()),
    bearer('x'.repeat(16_000)),
  ];
  for (const header of refused) assert.equal(await access.authenticate(header), null, header);
});

test('a forged secret under a known public id is refused, and the true one is not hurt by it', async (t) => {
  const { access } = setUp(t);
  await access.accounts.create({ email: 'a@example.com' });
  const made = await access.keys.create('a@example.com', 'laptop');
  const forged = forgedLike(made.key);
  assert.equal(await access.authenticate(bearer(forged)), null);
  const first = performance.now();
  for (let round = 0; round < 200; round += 1) assert.equal(await access.authenticate(bearer(forged)), null);
  const perRefusal = (performance.now() - first) / 200;
  assert.ok(perRefusal < 3, `a known forgery took ${perRefusal} ms: argon2 ran again`);
  assert.notEqual(await access.authenticate(bearer(made.key)), null);
});

test('equal keys that come at once are verified once', async (t) => {
  const { access, open } = setUp(t);
  await access.accounts.create({ email: 'a@example.com' });
  const { key } = await access.keys.create('a@example.com', 'laptop');
  const timed = async (count: number) => {
    const other = open();
    const start = performance.now();
    const found = await Promise.all(Array.from({ length: count }, () => other.authenticate(bearer(key))));
    assert.ok(found.every((credential) => credential !== null));
    return performance.now() - start;
  };
  await timed(1);
  const one = await timed(1);
  const many = await timed(300);
  assert.ok(many < one * 20 + 50, `300 took ${many} ms, one ${one} ms`);
});

test('a revocation by another process is felt at the next request', async (t) => {
  const { access, open } = setUp(t);
  await access.accounts.create({ email: 'a@example.com' });
  const { id, key } = await access.keys.create('a@example.com', 'laptop');
  const credential = await access.authenticate(bearer(key));
  assert.ok(credential);
  assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'admitted');
  const revoked = await open().keys.revoke(id);
  assert.equal(revoked.revoked_at, '2026-11-20T12:00:00Z');
  assert.deepEqual(await access.admit(credential, 1, 'rest'), { outcome: 'revoked', limits: null });
  assert.equal(await access.authenticate(bearer(key)), null);
});

test('revoking twice keeps the first time; an unknown id names the way out', async (t) => {
  const { access, open } = setUp(t);
  await access.accounts.create({ email: 'a@example.com' });
  const { id, key } = await access.keys.create('a@example.com', 'laptop');
  const first = await access.keys.revoke(id);
  const second = await open(frozenClock(now + 5_000)).keys.revoke(id);
  assert.deepEqual(second, first);
  await assert.rejects(access.keys.revoke('key_nope'), failure(/^There is no key .*`cratebase keys list`/));
  await assert.rejects(access.keys.revoke(key), (error: Error) => !error.message.includes(key));
});

test('deleting an account stops its keys, and takes everything with it', async (t) => {
  const { access, open } = setUp(t);
  await access.accounts.create({ email: 'a@example.com' });
  const { key } = await access.keys.create('a@example.com', 'laptop');
  const credential = await access.authenticate(bearer(key));
  assert.ok(credential);
  await access.admit(credential, 1, 'rest');
  await open().accounts.delete('A@example.com');
  assert.equal((await access.admit(credential, 1, 'rest')).outcome, 'revoked');
  assert.equal(await access.authenticate(bearer(key)), null);
  assert.deepEqual(await access.accounts.list(), []);
  assert.deepEqual(await access.keys.list(), []);
  await assert.rejects(access.accounts.show('a@example.com'), failure(/^No account a@example\.com\. `cra/));
});

test('the file holds no secret', async (t) => {
  const { access, path } = setUp(t);
  await access.accounts.create({ email: 'a@example.com', password: 'correct horse battery' });
  const { key } = await access.keys.create('a@example.com', 'laptop');
  access.close();
  const content = readFileSync(path, 'latin1');
  for (const secret of [key, key.slice(15, 47), 'correct horse battery']) {
    assert.ok(!content.includes(secret));
  }
  assert.match(content, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('messages about accounts and keys', async (t) => {
  const { access } = setUp(t);
  const account = await access.accounts.create({ email: '  Ada@Example.com ', plan: 'premium' });
  assert.match(account.id, /^acc_[0-9A-Za-z]+$/);
  assert.deepEqual(account, {
    id: account.id,
    email: 'ada@example.com',
    plan: 'premium',
    role: 'user',
    created_at: '2026-11-20T12:00:00Z',
    suspended_at: null,
  });
  const made = await access.keys.create('ADA@example.com', ' laptop ');
  const summary = {
    id: made.id,
    account: 'ada@example.com',
    name: 'laptop',
    hint: `cb_live_${made.key.slice(8, 14)}_…${made.key.slice(-4)}`,
    created_at: '2026-11-20T12:00:00Z',
    last_used_at: null,
    revoked_at: null,
    expires_at: null,
    scope: 'all',
  };
  assert.deepEqual(await access.keys.list(), [summary]);
  assert.deepEqual(await access.keys.list('ada@example.com'), [summary]);
  const credential = await access.authenticate(bearer(made.key));
  assert.ok(credential);
  await access.admit(credential, 1, 'rest');
  const { history, ...shown } = await access.accounts.show('ada@example.com');
  assert.deepEqual(shown, {
    ...account,
    sign_in: {
      password: false,
      verified_at: null,
      second_factor: null,
      passkeys: [],
      external_logins: [],
    },
    keys: [{ ...summary, last_used_at: '2026-11-20T12:00:00Z' }],
    connected_apps: [],
    sessions: [],
    usage: {
      month: '2026-11',
      used: 1,
      quota: 100_000,
      remaining: 99_999,
      resets_at: '2026-12-01T00:00:00Z',
      window: 300,
      window_seconds: 60,
    },
    own_limits: { window: null, quota: null },
  });
  assert.deepEqual([history.days.length, history.months.length], [30, 12]);
  assert.deepEqual(history.days.at(-1), { period: '2026-11-20', rest: 1, mcp: 0, total: 1 });
  assert.equal((await access.accounts.setPlan('ada@example.com', 'pro')).plan, 'pro');
  await access.accounts.setLimits('ada@example.com', { window: 5, quota: null });
  const { usage } = await access.accounts.show('ada@example.com');
  assert.deepEqual([usage.window, usage.quota], [5, 1_000_000]);
});

test('a message about bad input has one line and says what to do', async (t) => {
  const { access } = setUp(t);
  const { accounts, keys } = access;
  await accounts.create({ email: 'a@example.com' });
  await assert.rejects(accounts.create({ email: 'A@example.com' }), failure(/accounts show a@example\.com/));
  for (const email of ['', 'nobody', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a\n@b', `${'a'.repeat(260)}@b`]) {
    await assert.rejects(accounts.create({ email }), failure(/is not an email address/, 2), email);
  }
  await assert.rejects(accounts.create({ email: 'b@c', plan: 'gold' }), failure(/free, premium, pro/, 2));
  await assert.rejects(accounts.setPlan('a@example.com', 'toString'), failure(/free, premium, pro/, 2));
  await assert.rejects(accounts.create({ email: 'b@c', password: '123456789' }), failure(/has 9/, 2));
  await assert.rejects(accounts.setPassword('a@example.com', 'short'), failure(/has 5/, 2));
  await assert.rejects(accounts.setPassword('a@example.com', 'qwertyuiop'), failure(/try first/, 2));
  await assert.rejects(accounts.setPassword('A@example.com', 'a@example.com'), failure(/email address/, 2));
  await assert.rejects(accounts.setPassword('no@body', 'long enough it is'), failure(/No account no@body/));
  await assert.rejects(accounts.setPlan('no@body', 'pro'), failure(/accounts list/));
  await assert.rejects(accounts.delete('no@body'), failure(/accounts list/));
  await assert.rejects(
    accounts.setLimits('a@example.com', { window: 1.5, quota: null }),
    failure(/window/, 2),
  );
  await assert.rejects(accounts.setLimits('a@example.com', { window: null, quota: -1 }), failure(/quota/, 2));
  await assert.rejects(keys.create('no@body', 'x'), failure(/accounts list/));
  await assert.rejects(keys.list('no@body'), failure(/accounts list/));
  for (const name of ['', '   ', 'two\nlines', 'x'.repeat(101)]) {
    await assert.rejects(keys.create('a@example.com', name), failure(/1 to 100 characters/, 2));
  }
  assert.equal((await accounts.list()).length, 1);
});

test('the development key is the same at each start, until it is revoked', async (t) => {
  const { access, open } = setUp(t);
  const secret = Buffer.from('the file holds this');
  const first = await access.accounts.ensure('dev@localhost', 'free');
  const second = await open().accounts.ensure('dev@localhost', 'pro');
  assert.deepEqual(second, { ...first, plan: 'pro' });
  const [{ key }, again] = await Promise.all([
    access.keys.ensureDevKey('dev@localhost', secret),
    open().keys.ensureDevKey('dev@localhost', secret),
  ]);
  assert.equal(again.key, key);
  const [summary] = await access.keys.list('dev@localhost');
  assert.ok(summary);
  assert.deepEqual(await access.authenticate(bearer(key)), {
    id: summary.id,
    account: first.id,
    scope: 'all',
  });
  await access.keys.revoke(summary.id);
  const next = await access.keys.ensureDevKey('dev@localhost', secret);
  assert.notEqual(next.key, key);
  assert.deepEqual(await open().keys.ensureDevKey('dev@localhost', secret), next);
  assert.equal(await open().authenticate(bearer(key)), null);
  assert.ok(await access.authenticate(bearer(next.key)));
  const other = await access.keys.ensureDevKey('dev@localhost', Buffer.from('another file'));
  assert.notEqual(other.key, next.key);
});

test('a development key that comes back with a new account is known at once', async (t) => {
  const { access, open } = setUp(t);
  const secret = Buffer.from('the file holds this');
  await access.accounts.ensure('dev@localhost', 'free');
  const { key } = await access.keys.ensureDevKey('dev@localhost', secret);
  const old = await access.authenticate(bearer(key));
  assert.ok(old);
  const other = open();
  await other.accounts.delete('dev@localhost');
  await other.accounts.ensure('dev@localhost', 'free');
  assert.equal((await other.keys.ensureDevKey('dev@localhost', secret)).key, key);
  assert.equal((await access.admit(old, 1, 'rest')).outcome, 'revoked');
  const renewed = await access.authenticate(bearer(key));
  assert.ok(renewed && renewed.account !== old.account);
  assert.equal((await access.admit(renewed, 1, 'rest')).outcome, 'admitted');
});

test('the turnstile runs no more at once than it has places, and lets lanes take turns', async () => {
  const turnstile = new FairLimiter(2);
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const task = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (name === 'fails') throw new Error('as it should');
  };
  const flood = Array.from({ length: 20 }, () => turnstile.run('flood', task('flood')));
  const failing = assert.rejects(turnstile.run('other', task('fails')), /as it should/);
  const guest = turnstile.run('guest', task('guest'));
  await Promise.all([...flood, failing, guest]);
  assert.equal(most, 2);
  assert.equal(order.length, 22);
  assert.ok(order.indexOf('guest') < 6, order.join(' '));
  const crowd = Array.from({ length: 103 }, () => turnstile.run('crowd', task('crowd')));
  const settled = await Promise.allSettled(crowd);
  assert.equal(settled.filter(({ status }) => status === 'rejected').length, 1);
});
