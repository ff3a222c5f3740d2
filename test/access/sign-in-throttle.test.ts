/** Guessing is slowed down and nobody is locked out; what is over is forgotten; the quota outlives its account. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { type Access, AccountError, openAccess } from '../../src/access/access.ts';
import { frozenClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { Person, password, servePages } from '../support/account-pages.ts';
import { temporaryFolder } from '../support/program.ts';

const begin = Date.parse('2026-11-20T12:00:00Z');
const day = 86_400_000;
const email = 'ada@example.com';
const home = { address: '203.0.113.5', userAgent: 'test' };

/** A file with one account, and a clock that the test sets; `open` gives one more connection, as a worker has. */
async function setUp(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'test.db');
  const clock = { time: begin, now: () => clock.time };
  const opened: Access[] = [];
  const open = () => {
    const access = openAccess(openDatabase(path, { create: true }), clock, clock);
    opened.push(access);
    return access;
  };
  t.after(() => {
    for (const access of opened) access.close();
    folder.remove();
  });
  const access = open();
  await access.accounts.create({ email, password });
  /** Gives the account a hash of its password that is checked in no time, for thousands of tries. */
  const hashCheaply = async () => {
    const sqlite = openDatabase(path, { create: false });
    const cheap = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    sqlite.prepare('UPDATE accounts SET password_hash = ? WHERE email = ?').run(cheap, email);
    sqlite.close();
  };
  return { access, clock, open, hashCheaply };
}

/** How a try ends: signed in, refused for what it was, or not heard for so many seconds. */
async function attempt(access: Access, given: string, from = home, who = email): Promise<string | number> {
  try {
    await access.sessions.signIn(who, given, from);
    return 'in';
  } catch (failure) {
    assert.ok(failure instanceof AccountError);
    return failure.retryAfter ?? failure.reason;
  }
}

test('after five wrong passwords each waits twice as long, up to five minutes, in every worker', async (t) => {
  const { access, clock, open } = await setUp(t);
  const workers = [access, open()] as const;
  for (let round = 0; round < 5; round += 1) {
    assert.equal(await attempt(workers[round % 2] as Access, 'wrong'), 'credentials');
  }
  const waits: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const wait = await attempt(workers[round % 2] as Access, 'wrong');
    waits.push(wait as number);
    assert.equal(await attempt(access, password), wait, 'a try that is not heard makes it no longer');
    clock.time += (wait as number) * 1000;
    assert.equal(await attempt(access, 'wrong'), 'credentials');
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  clock.time += 300_000;
  assert.equal(await attempt(access, password), 'in');
  assert.equal(await attempt(access, 'wrong'), 'credentials', 'after signing in, all is forgotten');
});

test('a hundred tries at once are not heard any more than one after the other', async (t) => {
  const { access } = await setUp(t);
  const tries = Array.from({ length: 100 }, () => attempt(access, 'wrong'));
  const heard = (await Promise.all(tries)).filter((outcome) => outcome === 'credentials');
  assert.equal(heard.length, 5);
});

/** A stranger who tries wherever the clock allows it, from each of these addresses, for so many minutes. */
async function besiege(
  access: Access,
  clock: { time: number },
  addressOf: (round: number) => string,
  minutes: number,
): Promise<number> {
  let heard = 0;
  for (let second = 0; second < minutes * 60; second += 10) {
    clock.time += 10_000;
    for (let round = 0; round < 4; round += 1) {
      const from = { address: addressOf(second + round), userAgent: 'bot' };
      if ((await attempt(access, 'wrong', from)) === 'credentials') heard += 1;
    }
  }
  return heard;
}

test('guessing from many addresses of one network is slowed down, and the owner never waits', async (t) => {
  const { access, clock } = await setUp(t);
  const six = await besiege(access, clock, (round) => `2001:db8:66:${round.toString(16)}::1`, 60);
  assert.ok(six <= 35, `${six} guesses within the hour`);
  const four = await besiege(access, clock, (round) => `198.51.100.${round % 256}`, 60);
  assert.ok(four <= 35, `${four} guesses within the hour`);
  // At a new address, in a new browser, at the first try.
  assert.equal(await attempt(access, password), 'in');
});

test('guessing from many networks is limited by the hour, and the owner never waits', async (t) => {
  const { access, clock, hashCheaply } = await setUp(t);
  await hashCheaply();
  let heard = 0;
  for (let round = 0; round < 1_900; round += 1) {
    const from = { address: `2001:db8:${round.toString(16)}::1`, userAgent: 'bot' };
    if ((await attempt(access, 'wrong', from)) === 'credentials') heard += 1;
  }
  assert.equal(heard, 1_900);
  assert.equal(await attempt(access, password), 'in');
  const known = access.sessions.issueDeviceCookie(await access.sessions.signIn(email, password, home), home);
  await access.accounts.signOut(email);
  for (let round = 0; round < 300; round += 1) {
    const from = { address: `2001:db9:${round.toString(16)}::1`, userAgent: 'bot' };
    if ((await attempt(access, 'wrong', from)) === 'credentials') heard += 1;
  }
  assert.ok(heard <= 2_000, `${heard}`);
  assert.equal(typeof (await attempt(access, password)), 'number', 'now it is a matter of luck');
  // But not in a browser that has been here before, wherever that is now.
  const travelling = { address: '203.0.113.200', userAgent: 'test', known };
  assert.equal(await attempt(access, password, travelling), 'in');
  clock.time += 3_600_000;
  assert.equal(await attempt(access, password), 'in', 'an hour later all is as before');
});

test('a browser that was signed in before is known for a year, to its account alone, and guesses no faster', async (t) => {
  const { access, clock } = await setUp(t);
  await access.accounts.create({ email: 'bob@example.com', password });
  const known = access.sessions.issueDeviceCookie(await access.sessions.signIn(email, password, home), home);
  const both = access.sessions.issueDeviceCookie(
    await access.sessions.signIn('bob@example.com', password, home),
    {
      ...home,
      known,
    },
  );
  await access.accounts.signOut(email);
  await access.accounts.signOut('bob@example.com');
  const at = (address: string, mark: string) => ({ address, userAgent: 'test', known: mark });
  const block = async (address: string, who: string) => {
    for (let round = 0; round < 5; round += 1) await attempt(access, 'wrong', at(address, ''), who);
    assert.equal(await attempt(access, password, at(address, ''), who), 1);
  };
  await block('192.0.2.1', email);
  await block('192.0.2.1', 'bob@example.com');
  assert.equal(await attempt(access, password, at('192.0.2.1', known)), 'in');
  assert.equal(
    await attempt(access, password, at('192.0.2.1', known), 'bob@example.com'),
    1,
    'another account',
  );
  for (const who of [email, 'bob@example.com']) {
    assert.equal(await attempt(access, password, at('192.0.2.1', both), who), 'in');
  }
  await block('192.0.2.9', email);
  for (const forged of ['x', `${known}x`, known.replace(/^./, '0'), '.'.repeat(5_000), 'a_b_c']) {
    assert.equal(await attempt(access, password, at('192.0.2.9', forged)), 1);
  }
  for (let round = 0; round < 5; round += 1) {
    assert.equal(await attempt(access, 'wrong', at(`192.0.2.${100 + round}`, known)), 'credentials');
  }
  assert.equal(await attempt(access, password, at('192.0.2.200', known)), 1);
  clock.time += 366 * day;
  await block('192.0.2.10', email);
  assert.equal(await attempt(access, password, at('192.0.2.10', known)), 1, 'a year later');
});

test('one address that tries many accounts is slowed down, a network of IPv6 as one', async (t) => {
  const { access } = await setUp(t);
  for (let round = 0; round < 30; round += 1) {
    const from = { address: `2001:db8:1:2::${round.toString(16)}`, userAgent: 'bot' };
    assert.equal(await attempt(access, 'wrong', from, `person${round}@example.com`), 'credentials');
  }
  const same = { address: '2001:db8:1:2:ffff::1', userAgent: 'bot' };
  assert.equal(await attempt(access, 'wrong', same, 'one.more@example.com'), 1);
  const other = { address: '2001:db8:1:3::1', userAgent: 'bot' };
  assert.equal(await attempt(access, password, other), 'in');
});

test('a quiet hour makes all good; a clock set back does not lengthen the wait', async (t) => {
  const { access, clock } = await setUp(t);
  for (let round = 0; round < 5; round += 1) await attempt(access, 'wrong');
  assert.equal(await attempt(access, 'wrong'), 1);
  clock.time -= day;
  assert.equal(await attempt(access, 'wrong'), 'credentials');
  clock.time += day + 3_600_001;
  for (let round = 0; round < 5; round += 1) assert.equal(await attempt(access, 'wrong'), 'credentials');
  clock.time += 3_700_000;
  await access.prune();
  assert.equal(await attempt(access, password), 'in');
});

test('asking which emails have accounts is slowed down', async (t) => {
  const { access } = await setUp(t);
  const ask = async (): Promise<string | number> => {
    const failure = await access.sessions.signUp(email, password, home).catch((reason: unknown) => reason);
    assert.ok(failure instanceof AccountError);
    return failure.retryAfter ?? failure.reason;
  };
  for (let round = 0; round < 10; round += 1) assert.equal(await ask(), 'taken');
  assert.equal(await ask(), 2);
});

test('sessions end two weeks after their last use, and thirty days after they began', async (t) => {
  const { access, clock } = await setUp(t);
  const idle = await access.sessions.signIn(email, password, home);
  const busy = await access.sessions.signIn(email, password, home);
  for (let week = 0; week < 4; week += 1) {
    assert.ok(await access.sessions.find(busy.token));
    clock.time += 7 * day;
  }
  assert.equal(await access.sessions.find(idle.token), null);
  assert.ok(await access.sessions.find(busy.token));
  clock.time += 2 * day;
  assert.equal(await access.sessions.find(busy.token), null);
  assert.deepEqual(await access.sessions.list(busy.account.id), []);
  await access.prune();
  assert.equal(await access.sessions.revoke(busy.account.id, busy.id), false, 'forgotten');
  for (const token of [undefined, '', 'x', 'A'.repeat(43), `${busy.token}x`, busy.id]) {
    assert.equal(await access.sessions.find(token), null);
  }
});

test('an account has fifty sessions at most; a new password from the terminal ends them all', async (t) => {
  const { access, clock } = await setUp(t);
  const first = await access.sessions.signIn(email, password, home);
  let last = first;
  for (let round = 0; round < 50; round += 1) {
    clock.time += 1000;
    last = await access.sessions.signIn(email, password, home);
  }
  assert.equal((await access.sessions.list(first.account.id)).length, 50);
  assert.equal(await access.sessions.find(first.token), null);
  assert.ok(await access.sessions.find(last.token));
  await access.accounts.setPassword(email, 'given by the operator');
  assert.equal(await access.sessions.find(last.token), null);
});

test('an account made again in the same month goes on with what is left of the quota', async (t) => {
  const { access, clock } = await setUp(t);
  const use = async () => {
    const { key } = await access.keys.create(email, 'k');
    const credential = await access.authenticate(`Bearer ${key}`);
    assert.ok(credential);
    for (let round = 0; round < 7; round += 1) await access.admit(credential, 1, 'rest');
  };
  await use();
  const session = await access.sessions.signIn(email, password, home);
  await access.sessions.deleteAccount(session, email, password, home);
  assert.equal(await access.sessions.find(session.token), null);
  const again = await access.sessions.signUp(email, password, home);
  assert.equal((await access.accounts.show(email)).usage.used, 7);
  await use();
  await access.accounts.delete(email);
  await access.accounts.create({ email, password });
  const { usage } = await access.accounts.show(email);
  assert.equal(usage.used, 14);
  const history = await access.usage.forAccount((await access.accounts.show(email)).id);
  assert.deepEqual(history?.months.at(-1), { period: '2026-11', rest: 0, mcp: 0, total: 14 });
  assert.equal(await access.usage.forAccount(again.account.id), null);
  await access.accounts.delete(email);
  clock.time = Date.parse('2026-12-01T00:00:00Z');
  await access.accounts.create({ email, password });
  assert.equal((await access.accounts.show(email)).usage.used, 0, 'another month is another quota');
});

test('days are kept for thirteen months', async (t) => {
  const { access, clock } = await setUp(t);
  const { key } = await access.keys.create(email, 'k');
  const credential = await access.authenticate(`Bearer ${key}`);
  assert.ok(credential);
  await access.admit(credential, 1, 'rest');
  await access.admit(credential, 1, 'mcp');
  const account = credential.account;
  clock.time = Date.parse('2027-10-31T00:00:00Z');
  await access.prune();
  const first = (await access.usage.forAccount(account))?.months[0];
  assert.deepEqual(first, { period: '2026-11', rest: 1, mcp: 1, total: 2 });
  clock.time = Date.parse('2027-12-01T00:00:00Z');
  await access.prune();
  clock.time = begin;
  const days = (await access.usage.forAccount(account))?.days ?? [];
  assert.equal(days.length, 30);
  assert.deepEqual(days.at(-1), { period: '2026-11-20', rest: 0, mcp: 0, total: 0 });
});

test('over HTTP: 429 with Retry-After, by the address that the proxy tells and no other', async () => {
  const proxied = await servePages({ trustProxy: true });
  await proxied.access.accounts.create({ email, password });
  const tryFrom = async (forwarded: string, given: string) => {
    const person = new Person(proxied);
    const page = await person.open('/account/sign-in');
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.text) ?? [];
    return person.post(
      '/account/sign-in',
      { email, password: given, csrf },
      { 'x-forwarded-for': forwarded },
    );
  };
  for (let round = 0; round < 5; round += 1) {
    // What a client says of itself stands before what the proxy adds.
    assert.equal((await tryFrom(`10.0.0.${round}, 203.0.113.9`, 'wrong')).status, 401);
  }
  const refused = await tryFrom('10.9.9.9, 203.0.113.9', password);
  assert.equal(refused.status, 429);
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
  assert.match(refused.text, /Too many tries\. Wait 1 second/);
  assert.equal((await tryFrom('203.0.113.10', password)).status, 303);

  const direct = await servePages({ now: '2026-11-20T12:00:00Z', dev: true }, frozenClock(begin));
  await direct.access.accounts.create({ email, password });
  const person = new Person(direct);
  for (let round = 0; round < 5; round += 1) {
    const form = { email, password: 'wrong' };
    const [, csrf = ''] =
      /name="csrf" value="([^"]*)"/.exec((await person.open('/account/sign-in')).text) ?? [];
    await person.post('/account/sign-in', { ...form, csrf }, { 'x-forwarded-for': `198.51.100.${round}` });
  }
  assert.equal((await person.signIn(email)).status, 429, 'X-Forwarded-For is not believed');
});

test('over HTTP: a browser keeps its mark when it signs out, and is let in while strangers wait', async () => {
  const pages = await servePages({ trustProxy: true });
  await pages.access.accounts.create({ email, password });
  const owner = new Person(pages);
  assert.equal((await owner.signIn(email)).status, 303);
  await owner.fill('/account/developer', {}, '/account/sign-out');
  assert.ok(owner.cookies.has('cratebase_known'));
  const signIn = async (who: Person, given: string) => {
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await who.open('/account/sign-in')).text) ?? [];
    const from = { 'x-forwarded-for': '192.0.2.77' };
    return (await who.post('/account/sign-in', { email, password: given, csrf }, from)).status;
  };
  for (let round = 0; round < 5; round += 1) assert.equal(await signIn(new Person(pages), 'wrong'), 401);
  assert.equal(await signIn(new Person(pages), password), 429);
  assert.equal(await signIn(owner, password), 303);
});
