/** Codes of an authenticator app: setting up, signing in, recovery codes, turning off, guessing. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { Secret, TOTP } from 'otpauth';
import { type Access, AccountError, openAccess, SecondFactorRequired } from '../../src/access/access.ts';
import { openDatabase } from '../../src/store/database.ts';
import { isSignedIn, type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { runJson, temporaryFolder } from '../support/program.ts';

const begin = Date.parse('2026-11-20T12:00:00Z');
const email = 'ada@example.com';
const page = '/account/security/second-factor';
const home = { address: '203.0.113.5', userAgent: 'test' };
const step = 30_000;

const codeAt = (key: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp });

async function setUp(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'test.db');
  const clock = { time: begin, now: () => clock.time };
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => {
    access.close();
    folder.remove();
  });
  const account = await access.accounts.create({ email, password });
  const { key } = await access.signIn.secondFactors.begin(account, 'test');
  const codes = await access.signIn.secondFactors.confirm(account.id, codeAt(key, clock.time), home);
  return { access, clock, path, account, key, codes };
}

/** How a code ends: its kind, or why it was refused, or for how many seconds. */
async function check(access: Access, account: string, code: string, from = home): Promise<string | number> {
  try {
    return await access.signIn.secondFactors.check(account, code, from);
  } catch (failure) {
    assert.ok(failure instanceof AccountError);
    return failure.retryAfter ?? failure.reason;
  }
}

test('a password alone opens no session any more', async (t) => {
  const { access, account } = await setUp(t);
  await assert.rejects(access.sessions.signIn(email, password, home), (failure) => {
    assert.ok(failure instanceof SecondFactorRequired);
    return failure.account === account.id;
  });
  await assert.rejects(access.sessions.signIn(email, 'wrong', home), { reason: 'credentials' });
  assert.deepEqual(await access.sessions.list(account.id), []);
});

test('a code is accepted once, one step early or late, and no earlier one after it', async (t) => {
  const { access, clock, account, key } = await setUp(t);
  assert.equal(await check(access, account.id, codeAt(key, clock.time)), 'code', 'used to confirm');
  clock.time += 5 * step;
  assert.equal(await check(access, account.id, codeAt(key, clock.time - 2 * step)), 'code');
  assert.equal(await check(access, account.id, codeAt(key, clock.time + 2 * step)), 'code');
  assert.equal(await check(access, account.id, codeAt(key, clock.time - step)), 'totp', 'one step late');
  assert.equal(await check(access, account.id, codeAt(key, clock.time - step)), 'code', 'again');
  assert.equal(
    await check(access, account.id, ` ${codeAt(key, clock.time + step).replace(/...$/, ' $&')}`),
    'totp',
  );
  assert.equal(await check(access, account.id, codeAt(key, clock.time)), 'code', 'older than the last one');
});

test('two requests with one code: one of them signs in', async (t) => {
  const { access, clock, account, key, codes } = await setUp(t);
  clock.time += 5 * step;
  const code = codeAt(key, clock.time);
  const both = await Promise.all([check(access, account.id, code), check(access, account.id, code)]);
  assert.deepEqual(both.sort(), ['code', 'totp']);
  const [recovery = ''] = codes;
  const recovered = await Promise.all([
    check(access, account.id, recovery),
    check(access, account.id, recovery),
  ]);
  assert.deepEqual(recovered.sort(), ['code', 'recovery']);
});

test('ten recovery codes, each works once; the file has no secret in plain text', async (t) => {
  const { access, account, codes, key, path } = await setUp(t);
  assert.equal(new Set(codes).size, 10);
  const file = new Database(path, { readonly: true });
  const stored = JSON.stringify([
    file.prepare('SELECT * FROM totp_secrets').all(),
    file.prepare('SELECT * FROM recovery_codes').all(),
  ]);
  file.close();
  assert.ok(!stored.includes(key));
  for (const code of codes) {
    assert.match(code, /^[2-9a-z]{5}-[2-9a-z]{5}$/);
    assert.ok(!stored.includes(code) && !stored.includes(code.replace('-', '')));
    assert.equal(await check(access, account.id, code.toUpperCase()), 'recovery');
  }
  assert.equal((await access.signIn.secondFactors.state(account.id)).recoveryCodesLeft, 0);
  assert.equal(await check(access, account.id, codes[0] as string), 'code');
});

test('the secret of one account does not decrypt as that of another', async (t) => {
  const { access, account, key, clock, path } = await setUp(t);
  const eve = await access.accounts.create({ email: 'eve@example.com', password });
  const file = new Database(path);
  file
    .prepare('INSERT INTO totp_secrets SELECT ?, secret, confirmed_ts, 0, created_ts FROM totp_secrets')
    .run(eve.id);
  file.close();
  clock.time += 5 * step;
  assert.equal(await check(access, eve.id, codeAt(key, clock.time)), 'code');
  assert.equal(await check(access, account.id, codeAt(key, clock.time)), 'totp');
});

test('guessing codes is slowed down, also over days; the owner in a known browser never waits', async (t) => {
  const { access, clock, account, key } = await setUp(t);
  clock.time += 10 * step;
  await check(access, account.id, codeAt(key, clock.time));
  const session = await access.sessions.open(account.id, home);
  const known = access.sessions.issueDeviceCookie(session, home);
  clock.time += step;
  const waits: (string | number)[] = [];
  for (let round = 0; round < 8; round += 1) {
    waits.push(await check(access, account.id, `00000${round}`, { ...home, address: `203.0.113.${round}` }));
  }
  assert.deepEqual(waits.slice(0, 5), ['code', 'code', 'code', 'code', 'code'], 'from whatever address');
  assert.ok(waits.slice(5).every((wait) => typeof wait === 'number'));
  assert.equal(typeof (await check(access, account.id, codeAt(key, clock.time))), 'number');
  assert.equal(
    await check(access, account.id, codeAt(key, clock.time), { ...home, known } as typeof home),
    'totp',
  );
  let heard = 0;
  for (let minute = 0; minute < 3 * 24 * 60; minute += 6) {
    clock.time += 6 * 60_000;
    if ((await check(access, account.id, '12345a')) === 'code') heard += 1;
  }
  assert.ok(heard < 50 + 3 * 72 + 10, `${heard} guesses in three days`);
});

test('recovery codes are guessed no faster', async (t) => {
  const { access, account } = await setUp(t);
  const outcomes = [];
  for (let round = 0; round < 10; round += 1)
    outcomes.push(await check(access, account.id, `aaaaa-bbbb${round}`));
  assert.equal(outcomes.filter((outcome) => outcome === 'code').length, 5);
});

/** Turns the second factor on in the pages, and returns its key and recovery codes. */
async function turnOn(ada: Person): Promise<{ key: string; codes: string[] }> {
  const setup = await ada.fill(page, { password });
  assert.equal(setup.status, 200, setup.text);
  const key = /id="key">([A-Z2-7 ]+)</.exec(setup.text)?.[1] as string;
  const confirm = formOn(setup.text, `${page}/confirm`);
  const done = await ada.post(`${page}/confirm`, { ...confirm, code: codeAt(key, Date.now()) });
  assert.equal(done.status, 200, done.text);
  const codes = /id="codes">([^<]+)</.exec(done.text)?.[1]?.trim().split('\n') ?? [];
  return { key, codes };
}

function formOn(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs =
    form.split('</form>', 1)[0]?.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g) ?? [];
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

async function serveAda(): Promise<{ pages: Pages; ada: Person }> {
  const pages = await servePages({ name: 'Our club' });
  const ada = new Person(pages);
  await ada.signUp(email);
  return { pages, ada };
}

test('the pages: set up, sign in, new recovery codes, turn off', async () => {
  const { pages, ada } = await serveAda();
  const wrong = await ada.fill(page, { password: 'wrong' });
  assert.equal(wrong.status, 401);
  assert.doesNotMatch(wrong.text, /<svg width="224"/);
  const setup = await ada.fill(page, { password });
  assert.match(setup.text, /<svg width="224".*<path d="M3 3h7v1h-7z/, 'the corner of a QR code');
  assert.ok(setup.text.length < 50_000);
  const missed = await ada.post(`${page}/confirm`, {
    ...formOn(setup.text, `${page}/confirm`),
    code: '000000',
  });
  assert.equal(missed.status, 401);
  assert.match(missed.text, /<svg width="224"/, 'the same key again');
  const { csrf = '' } = formOn(missed.text, `${page}/confirm`);
  const unproved = await ada.post(`${page}/confirm`, { csrf, code: '000000' });
  assert.equal(unproved.headers.location, page, 'without the proof of the password, no key');
  assert.equal((await pages.access.accounts.show(email)).sign_in.second_factor, null);
  const { key, codes } = await turnOn(ada);
  assert.equal(codes.length, 10);
  assert.match((await ada.open('/account/security')).text, /Unused recovery codes: 10/);

  const elsewhere = new Person(pages);
  const first = await elsewhere.signIn(email);
  assert.equal(first.headers.location, '/account/sign-in/code');
  assert.ok(!(await isSignedIn(elsewhere)));
  const bad = await elsewhere.fill('/account/sign-in/code', { code: '000000' });
  assert.equal(bad.status, 401);
  const [code = '', another = ''] = codes;
  const before = elsewhere.cookies.get('cratebase_session');
  const done = await elsewhere.fill('/account/sign-in/code', { code });
  assert.equal(done.headers.location, '/account/developer');
  assert.ok(await isSignedIn(elsewhere));
  assert.notEqual(elsewhere.cookies.get('cratebase_session'), before);
  assert.equal(elsewhere.cookies.get('cratebase_code'), undefined);

  const renewed = await ada.fill(page, { code: another }, `${page}/recovery-codes`);
  assert.match(renewed.text, /Your new recovery codes/);
  const fresh = /id="codes">([^<]+)</.exec(renewed.text)?.[1]?.split('\n') ?? [];
  assert.ok(!fresh.includes(codes[2] as string));
  const refused = await ada.fill(page, { password: 'wrong', code: fresh[0] as string }, `${page}/off`);
  assert.equal(refused.status, 401);
  const off = await ada.fill(page, { password, code: fresh[0] as string }, `${page}/off`);
  assert.equal(off.headers.location, '/account/security?done=second-factor-off', off.text);
  assert.equal((await new Person(pages).signIn(email)).headers.location, '/account/developer');
  const log = pages.log.join('');
  for (const line of ['second factor turned on', 'recovery code used', 'second factor turned off'])
    assert.ok(log.includes(line), line);
  assert.ok(!log.includes(key) && !log.includes(code));
});

test('turning it on twice says that it is on, and counts as no failed sign-in', async () => {
  const { pages, ada } = await serveAda();
  const begin = formOn((await ada.open(page)).text, page);
  const setup = await ada.post(page, { ...begin, password });
  const key = /id="key">([A-Z2-7 ]+)</.exec(setup.text)?.[1] as string;
  const form = { ...formOn(setup.text, `${page}/confirm`), code: codeAt(key, Date.now()) };
  assert.equal((await ada.post(`${page}/confirm`, form)).status, 200);
  for (const again of [ada.post(`${page}/confirm`, form), ada.post(page, { ...begin, password })])
    assert.match((await again).text, /Codes are required already/);
  assert.ok(!pages.log.join('').includes('sign-in failed'));
});

test('the step between password and code cannot be forged, moved to another account, or kept over a reset', async () => {
  const { pages, ada } = await serveAda();
  const { codes } = await turnOn(ada);
  const eve = new Person(pages);
  assert.equal((await eve.send('/account/sign-in/code')).headers.location, '/account/sign-in');
  await eve.signIn(email);
  const sealed = eve.cookies.get('cratebase_code') as string;
  eve.cookies.set('cratebase_code', `${sealed.slice(0, -2)}AA`);
  assert.equal((await eve.send('/account/sign-in/code')).headers.location, '/account/sign-in');
  eve.cookies.set('cratebase_code', sealed);
  eve.cookies.set('cratebase_openid', sealed);
  assert.equal((await eve.send('/account/sign-in/code')).status, 200);
  const code = await eve.open('/account/sign-in/code');
  const form = formOn(code.text, '/account/sign-in/code');
  await pages.access.accounts.setPassword(email, 'another password altogether');
  const late = await eve.post('/account/sign-in/code', { ...form, code: codes[0] as string });
  assert.equal(late.headers.location, '/account/sign-in', 'the password was changed meanwhile');
  assert.ok(!(await isSignedIn(eve)));
});

test('a suspended account does not get in with its code', async () => {
  const { pages, ada } = await serveAda();
  const { codes } = await turnOn(ada);
  const other = new Person(pages);
  await other.signIn(email);
  const file = new Database(pages.dataFile);
  file.prepare('UPDATE accounts SET suspended_ts = 1').run();
  file.close();
  const answer = await other.fill('/account/sign-in/code', { code: codes[0] as string });
  assert.equal(answer.status, 403);
  assert.match(answer.text, /suspended/);
});

test('signing in with a code continues where it was asked for, also for an app', async () => {
  const { pages, ada } = await serveAda();
  const { codes } = await turnOn(ada);
  const other = new Person(pages);
  const asked = '/account/sign-in?next=%2Fdocs';
  const first = await other.fill(asked, { email, password }, '/account/sign-in');
  assert.equal(first.headers.location, '/account/sign-in/code');
  const done = await other.fill('/account/sign-in/code', { code: codes[0] as string });
  assert.equal(done.headers.location, '/docs');
  const evil = new Person(pages);
  const { csrf = '' } = formOn((await evil.open('/account/sign-in')).text, '/account/sign-in');
  await evil.post('/account/sign-in', { csrf, email, password, next: 'https://evil.example/' });
  const safe = await evil.fill('/account/sign-in/code', { code: codes[1] as string });
  assert.equal(safe.headers.location, '/account/developer');
});

test('an operator removes a lost second factor; accounts show tells the ways in', async () => {
  const { pages, ada } = await serveAda();
  await turnOn(ada);
  const show = () =>
    runJson<{ sign_in: { password: boolean; second_factor: object | null } }>([
      'accounts',
      'show',
      email,
      '--data',
      pages.dataFile,
    ]).sign_in;
  assert.deepEqual(Object.keys(show().second_factor ?? {}), ['enabled_at', 'recovery_codes_left']);
  const command = ['accounts', 'reset-second-factor', email, '--data', pages.dataFile];
  assert.deepEqual(runJson(command), { email, removed: true });
  assert.deepEqual(runJson(command), { email, removed: false });
  assert.equal(show().second_factor, null);
  assert.ok(show().password);
  const file = new Database(pages.dataFile, { readonly: true });
  const entries = file
    .prepare("SELECT action FROM audit_log WHERE action LIKE 'account.reset%'")
    .pluck()
    .all();
  file.close();
  assert.deepEqual(entries, ['account.reset-second-factor']);
  assert.equal((await new Person(pages).signIn(email)).headers.location, '/account/developer');
});

test('an account without a password needs a new session to change its ways in', async (t) => {
  const { access, clock } = await setUp(t);
  const bob = await access.accounts.create({ email: 'bob@example.com' });
  const session = await access.sessions.open(bob.id, home);
  await access.sessions.confirmIdentity(session, '', home);
  clock.time += 15 * 60_000;
  await assert.rejects(access.sessions.confirmIdentity(session, '', home), { reason: 'stale' });
  await assert.rejects(access.sessions.deleteAccount(session, 'bob@example.com', '', home), {
    reason: 'stale',
  });
});
