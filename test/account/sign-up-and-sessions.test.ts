/** Accounts of people over HTTP: sign-up, sign-in, sessions, password, deletion; and what others could try with them. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { hashPassword } from '../../src/access/hashing.ts';
import { dummyHash, Passwords } from '../../src/access/passwords.ts';
import { safeRedirectTarget } from '../../src/account/redirect-target.ts';
import { hiddenFields, idsOn, isSignedIn, Person, password, servePages } from '../support/account-pages.ts';
import { Service } from '../support/oauth.ts';
import type { Answer, Server } from '../support/program.ts';

const pages = await servePages();
const someone = () => new Person(pages);
let made = 0;
const freshEmail = () => `person${++made}@example.com`;
const sessionName = 'cratebase_session';

/** A page of ours, under its policy, of a size that a slow line carries. */
function isPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text.slice(0, 300));
  const { headers } = answer;
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['cache-control'], 'no-store, no-transform');
  assert.match(String(headers['x-request-id']), /^req_/);
  assert.ok(answer.text.length < 50_000);
  assert.doesNotMatch(answer.text, /<script(?![^>]* src=)|style="| on[a-z]+="/, 'nothing inline');
}

test('from sign-up to deletion', async () => {
  const ada = someone();
  const email = freshEmail();
  isPage(await ada.open('/account/sign-up'), 200);
  await ada.signUp(`  ${email.toUpperCase()} `);
  const dashboard = await ada.open('/account/developer');
  isPage(dashboard, 200);
  assert.ok(dashboard.text.includes(email));

  const left = await ada.fill('/account/developer', {}, '/account/sign-out');
  assert.equal(left.status, 303);
  assert.ok(!(await isSignedIn(ada)));
  const back = await ada.signIn(email);
  assert.equal(back.headers.location, '/account/developer');

  const other = 'another password altogether';
  const security = '/account/security';
  const wrong = await ada.fill(security, { password: 'not it', new_password: other }, `${security}/password`);
  isPage(wrong, 401);
  const short = await ada.fill(security, { password, new_password: 'short' }, `${security}/password`);
  isPage(short, 400);
  assert.match(short.text, /10 to 1000 characters; this one has 5/);
  const changed = await ada.fill(security, { password, new_password: other }, `${security}/password`);
  assert.equal(changed.status, 303, changed.text);
  assert.ok(await isSignedIn(ada));
  isPage(await someone().signIn(email), 401);
  assert.equal((await someone().signIn(email, other)).status, 303);

  isPage(await ada.fill('/account/delete', { email: 'else@example.com', password: other }), 400);
  isPage(await ada.fill('/account/delete', { email, password: 'wrong password' }), 401);
  assert.ok(await isSignedIn(ada));
  const gone = await ada.fill('/account/delete', { email, password: other });
  assert.equal(gone.headers.location, '/account/sign-in?done=deleted');
  assert.ok(!(await isSignedIn(ada)));
  isPage(await someone().signIn(email, other), 401);
  const file = new Database(pages.dataFile, { readonly: true });
  assert.equal(file.prepare('SELECT count(*) FROM accounts WHERE email = ?').pluck().get(email), 0);
  file.close();
});

test('the only operator cannot delete the own account; a deletion is in the audit log, without the email', async () => {
  const operator = someone();
  const email = freshEmail();
  await operator.signUp(email);
  const { accounts } = pages.access;
  const { id } = await accounts.setRole(email, 'operator', 'terminal:test');
  const refused = await operator.fill('/account/delete', { email, password });
  isPage(refused, 409);
  assert.match(refused.text, /You are the only operator of this service\. Give another account the role/);
  assert.ok(await isSignedIn(operator));
  const next = freshEmail();
  await accounts.create({ email: next });
  await accounts.setRole(next, 'operator', 'terminal:test');
  const gone = await operator.fill('/account/delete', { email, password });
  assert.equal(gone.headers.location, '/account/sign-in?done=deleted');
  await accounts.delete(next, undefined, { force: true });
  const entries = pages.app.auditLog().list({ subjectKind: 'account', subject: id, limit: 10 });
  const entry = entries.find(({ action }) => action === 'account.delete');
  assert.equal(entry?.actor, `account:${id}`);
  assert.ok(!JSON.stringify(entry).includes(email));
});

test('a session is a cookie that scripts and other sites do not get, and the file has only its digest', async () => {
  const ada = someone();
  const answer = await ada.fill('/account/sign-up', { email: freshEmail(), password });
  const cookie = answer.headers['set-cookie']?.find((line) => line.startsWith(sessionName)) ?? '';
  assert.match(cookie, /^cratebase_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  const file = new Database(pages.dataFile, { readonly: true });
  const rows = JSON.stringify(file.prepare('SELECT * FROM sessions').all());
  file.close();
  assert.ok(!rows.includes(ada.cookies.get(sessionName) as string));
});

test('behind https cookies are Secure and __Host-; addresses follow account_url, never Host', async () => {
  const flags = { baseUrl: 'https://api.example.org', accountUrl: 'https://me.example.org/in' };
  const behind = await servePages(flags);
  const ada = new Person(behind);
  const { text, headers } = await ada.send('/account/sign-up', { headers: { host: 'evil.example' } });
  assert.match(String(headers['set-cookie']), /^__Host-cratebase_form=[\w-]{43}; .*; Secure$/);
  assert.ok(!text.includes('evil.example'));
  assert.ok(text.includes('action="/in/account/sign-up"'), 'the path of account_url stands before ours');
  const { csrf = '' } = hiddenFields(text, '/in/account/sign-up');
  const fields = { email: 'a@example.com', password, csrf };
  const signedUp = await ada.post('/account/sign-up', fields, { origin: 'https://me.example.org' });
  assert.equal(signedUp.headers.location, '/in/account/developer');
  assert.match(String(signedUp.headers['set-cookie']), /__Host-cratebase_session=[\w-]{43}; .*; Secure/);
  const moved = await ada.send('/account/developer?x=1', { headers: { host: 'api.example.org' } });
  assert.equal(moved.headers.location, 'https://me.example.org/in/account/developer?x=1');
  const key = await ada.send('/account/developer', { headers: { host: 'evil.example' } });
  assert.ok(key.text.includes('Data from cratebase (https://api.example.org)'));
});

test('sign-up says what is wrong, beside the field, and keeps the email', async () => {
  const cases: [Record<string, string>, number, RegExp][] = [
    [{ email: 'nobody', password }, 400, /like name@example\.com/],
    [{ email: '', password }, 400, /like name@example\.com/],
    [{ email: `${'x'.repeat(300)}@example.com`, password }, 400, /like name@example\.com/],
    [{ email: 'a@b.c\r\nX-Evil: 1', password }, 400, /like name@example\.com/],
    [{ email: freshEmail(), password: '123456789' }, 400, /this one has 9/],
    [{ email: freshEmail(), password: 'x'.repeat(1_001) }, 400, /this one has 1001/],
    [{ email: freshEmail() }, 400, /this one has 0/],
    [
      { email: 'known.to.all@example.com', password: 'Known.To.All@Example.com' },
      400,
      /is the email address/,
    ],
    [{ email: 'known.to.all@example.com', password: 'known.to.all' }, 400, /is the email address/],
    [{ email: freshEmail(), password: 'Password123' }, 400, /attackers try first/],
    [{ email: freshEmail(), password: 'xxxxxxxxxxxx' }, 400, /attackers try first/],
  ];
  for (const [fields, status, words] of cases) {
    const answer = await someone().fill('/account/sign-up', fields);
    isPage(answer, status);
    assert.match(answer.text, words);
    assert.match(answer.text, /aria-invalid="true"/);
    assert.equal(answer.headers['x-evil'], undefined);
  }
  const hostile = await someone().fill('/account/sign-up', {
    email: '"><script>alert(1)</script>',
    password,
  });
  isPage(hostile, 400);
  assert.ok(!hostile.text.includes('<script>alert'));
});

test('letters written in two ways are one password', async () => {
  const ada = someone();
  const email = freshEmail();
  assert.equal(
    (await ada.fill('/account/sign-up', { email, password: 'Zo\u00eb and Bj\u00f6rn' })).status,
    303,
  );
  assert.equal((await someone().signIn(email, 'Zoe\u0308 and Bjo\u0308rn')).status, 303);
});

test('a wrong password and an unknown account: the same answer, after the same work', async (t) => {
  const email = freshEmail();
  await someone().signUp(email);
  await pages.access.accounts.create({ email: 'nopassword@example.com' });
  const compared = t.mock.method(Passwords.prototype, 'matches');
  const bare = (answer: Answer, named: string) =>
    answer.text.replaceAll(named, '').replaceAll(/name="csrf" value="[^"]*"/g, '');
  const texts: string[] = [];
  for (const named of [email, 'unknown@example.com', 'nopassword@example.com', 'no email at all']) {
    const answer = await someone().signIn(named, 'not the password');
    isPage(answer, 401);
    texts.push(bare(answer, named));
  }
  assert.equal(compared.mock.callCount(), 4, 'each was compared with a hash');
  assert.equal(new Set(texts).size, 1);
  const cost = (hash: string) => hash.split('$').slice(1, 4).join('$');
  assert.equal(cost(dummyHash), cost(await hashPassword(password)), 'a comparison with nobody takes as long');
  assert.equal(await new Passwords().matches(null, '', 'x'), false);
});

test('an email that has an account gets a message that says so, and the account stays unchanged', async () => {
  const email = freshEmail();
  await someone().signUp(email);
  const answer = await someone().fill('/account/sign-up', { email, password: 'somebody else wants it' });
  isPage(answer, 409);
  assert.match(answer.text, /account with this email already/);
  assert.equal((await someone().signIn(email)).status, 303);
});

test('a cookie planted before signing in is worth nothing after (fixation)', async () => {
  const email = freshEmail();
  await someone().signUp(email);
  const ada = someone();
  const planted = 'A'.repeat(43);
  ada.cookies.set(sessionName, planted);
  await ada.signIn(email);
  assert.notEqual(ada.cookies.get(sessionName), planted);
  const mallory = someone();
  mallory.cookies.set(sessionName, planted);
  assert.ok(!(await isSignedIn(mallory)));
  const before = ada.cookies.get(sessionName) as string;
  const { csrf = '' } = hiddenFields((await someone().open('/account/sign-in')).text, '/account/sign-in');
  assert.equal((await ada.post('/account/sign-in', { email, password, csrf })).status, 403);
  // Signing in again where somebody is signed in ends the session before.
  ada.cookies.delete(sessionName);
  const form = hiddenFields((await ada.open('/account/sign-in')).text, '/account/sign-in');
  ada.cookies.set(sessionName, before);
  assert.equal((await ada.post('/account/sign-in', { ...form, email, password })).status, 303);
  assert.notEqual(ada.cookies.get(sessionName), before);
  mallory.cookies.set(sessionName, before);
  assert.ok(!(await isSignedIn(mallory)));
});

test('a form without its token, with a forged one or another session’s changes nothing', async () => {
  const [ada, bob] = [someone(), someone()];
  await ada.signUp(freshEmail());
  await bob.signUp(freshEmail());
  const action = '/account/developer/keys';
  const bobs = hiddenFields((await bob.open('/account/developer')).text, action);
  const own = hiddenFields((await ada.open('/account/developer')).text, action);
  for (const csrf of [undefined, '', 'A'.repeat(43), bobs.csrf as string, `${own.csrf}x`]) {
    isPage(await ada.post(action, { name: 'x', ...(csrf === undefined ? {} : { csrf }) }), 403);
  }
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
  ];
  for (const headers of foreign) {
    const sent = { origin: ada.url, ...headers };
    const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const answer = await ada.send(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...Object.fromEntries(given) },
      body: new URLSearchParams({ ...own, name: 'x' }).toString(),
    });
    isPage(answer, 403);
  }
  assert.match((await ada.open('/account/developer')).text, /No keys yet/);
  assert.equal((await ada.post(action, { ...own, name: 'mine' })).status, 200);
  for (const csrf of ['', 'A'.repeat(43), own.csrf as string]) {
    isPage(await someone().post('/account/sign-in', { email: 'a@b.c', password, csrf }), 403);
  }
  const sent = await someone().post(action, { ...own, name: 'x' });
  assert.equal(sent.headers.location, '/account/sign-in');
});

test('signing in never redirects to another site', async () => {
  const email = freshEmail();
  await someone().signUp(email);
  const bad = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'evil.example',
    '',
    '@evil.example',
    '/a\\b',
    '/\u00e9',
    `/${'x'.repeat(3_000)}`,
    '/a\r\nSet-Cookie: x=1',
    '///evil.example',
    '/.\\/evil.example',
    '/oauth/authorize?client_id=x',
    '/account/../oauth/authorize?client_id=x',
    '/account/%2e%2e/oauth/authorize',
    '/oauth/interaction/abc/def',
    '/oauth/interaction/',
    '/accounts',
    '/',
    '/@evil',
    '/account//evil',
    '/account/%2f%2fevil',
  ];
  for (const next of bad) {
    assert.equal(safeRedirectTarget(next), '/account/developer', JSON.stringify(next));
  }
  for (const next of [
    '/oauth/interaction/abc',
    '/account/security?x=1#y',
    '/account/developer/keys/key_1/revoke',
  ]) {
    assert.equal(safeRedirectTarget(next), next);
  }
  const ada = someone();
  const page = await ada.open(`/account/sign-in?next=${encodeURIComponent('//evil.example')}`);
  assert.ok(!page.text.includes('evil'));
  assert.match(String(page.headers['content-security-policy']), /form-action 'self'/);
  const posted = await ada.post('/account/sign-in', {
    ...hiddenFields(page.text, '/account/sign-in'),
    next: 'https://evil.example/',
    email,
    password,
  });
  assert.equal(posted.headers.location, '/account/developer');
  const bob = someone();
  const answer = await bob.fill('/account/sign-in?next=%2Foauth%2Finteraction%2Fabc', {}, '/account/sign-in');
  isPage(answer, 401);
  const form = hiddenFields(answer.text, '/account/sign-in');
  assert.equal(form.next, '/oauth/interaction/abc', 'a failed try keeps it');
  const signedIn = await bob.post('/account/sign-in', { ...form, email, password });
  assert.equal(signedIn.headers.location, '/oauth/interaction/abc');
  // Chromium would hold the browser back from the app that waits for the answer.
  assert.doesNotMatch(String(answer.headers['content-security-policy']), /form-action/);
  const already = await bob.send('/account/sign-in?next=%2Foauth%2Finteraction%2Fabc');
  assert.equal(already.headers.location, '/oauth/interaction/abc');
});

test('a visitor who is not signed in signs in and returns to the requested page', async () => {
  const answer = await someone().send('/account/security?x=1');
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.location, '/account/sign-in?next=%2Faccount%2Fsecurity%3Fx%3D1');
  assert.equal((await someone().send('/account')).headers.location, '/account/developer');
});

test('sessions are listed and ended, each account its own', async () => {
  const email = freshEmail();
  const [here, there, mallory] = [someone(), someone(), someone()];
  await here.signUp(email);
  const hidden = hiddenFields((await there.open('/account/sign-in')).text, '/account/sign-in');
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <b>\u00e9';
  await there.post('/account/sign-in', { ...hidden, email, password }, { 'user-agent': agent });
  await mallory.signUp(freshEmail());
  const page = await here.open('/account/security');
  assert.match(page.text, /Firefox on Linux/);
  assert.match(page.text, /127\.0\.0\.1/);
  const [other] = idsOn(page.text, /sessions\/(ses_\w+)\/end/g);
  assert.ok(other);
  const action = `/account/security/sessions/${other}/end`;
  const own = hiddenFields(page.text, action);
  const stolen = hiddenFields((await mallory.open('/account/developer')).text, '/account/sign-out');
  isPage(await mallory.post(action, stolen), 404);
  assert.ok(await isSignedIn(there));
  assert.equal((await here.post(action, own)).status, 303);
  assert.ok(!(await isSignedIn(there)));
  assert.ok(await isSignedIn(here));
  isPage(await here.post(action, own), 404);

  await there.signIn(email);
  const everywhere = await here.fill('/account/security', {}, '/account/security/sessions');
  assert.equal(everywhere.headers.location, '/account/sign-in?done=signed-out-everywhere');
  assert.ok(!(await isSignedIn(here)));
  assert.ok(!(await isSignedIn(there)));
  assert.ok(await isSignedIn(mallory));
});

test('a changed password signs every other browser out, and this one goes on under a new token', async () => {
  const email = freshEmail();
  const [here, there] = [someone(), someone()];
  await here.signUp(email);
  await there.signIn(email);
  const before = here.cookies.get(sessionName) as string;
  const fields = { password, new_password: 'another password altogether' };
  await here.fill('/account/security', fields, '/account/security/password');
  assert.ok(await isSignedIn(here));
  assert.ok(!(await isSignedIn(there)));
  const thief = someone();
  thief.cookies.set(sessionName, before);
  assert.ok(!(await isSignedIn(thief)));
});

test('forms that are too long, of another type, half-sent or not UTF-8 are refused in a page', async () => {
  const ada = someone();
  await ada.open('/account/sign-in');
  const form = 'application/x-www-form-urlencoded';
  const send = (body: string | Buffer, type = form, more: Record<string, string> = {}) =>
    ada.send('/account/sign-in', { method: 'POST', headers: { 'content-type': type, ...more }, body });
  isPage(await send(`password=${'x'.repeat(20_000)}`), 413);
  isPage(await send('x'.repeat(3_000_000), form, { 'transfer-encoding': 'chunked' }), 413);
  isPage(await send('{"email":"a@b.c"}', 'application/json'), 400);
  isPage(await send('a=1', 'multipart/form-data; boundary=x'), 400);
  isPage(await send('a=1', form, { 'content-encoding': 'gzip' }), 400);
  isPage(await send('email=%zz'), 400);
  isPage(await send('email=%ff%fe'), 400);
  isPage(await send(Buffer.from('email=\xff', 'latin1')), 400);
  isPage(await send('', form), 403);
  const { hostname, port } = new URL(pages.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /account/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: 100\r\n\r\nemail=a`,
      );
      setTimeout(() => socket.destroy(), 100);
    });
    socket.on('close', () => resolve());
  });
  assert.equal((await ada.send('/account/sign-in')).status, 200, 'the server goes on');
});

test('other methods and paths are answered with a page', async () => {
  const ada = someone();
  const put = await ada.send('/account/sign-in', { method: 'PUT' });
  isPage(put, 405);
  assert.equal(put.headers.allow, 'GET, HEAD, POST');
  isPage(await ada.send('/account/nothing'), 404);
  isPage(await ada.send('/account/developer/keys/../../x/revoke'), 404);
  const head = await ada.send('/account/sign-in', { method: 'HEAD' });
  assert.equal(head.text, '');
  assert.equal(head.status, 200);
});

test('closed registration says how accounts are made, and makes none', async () => {
  const closed = await servePages({ registration: 'closed' });
  const ada = new Person(closed);
  const page = await ada.send('/account/sign-up');
  isPage(page, 403);
  assert.match(page.text, /cratebase accounts create/);
  const signIn = await ada.open('/account/sign-in');
  assert.ok(!signIn.text.includes('/account/sign-up'));
  const { csrf = '' } = hiddenFields(signIn.text, '/account/sign-in');
  isPage(await ada.post('/account/sign-up', { email: 'a@example.com', password, csrf }), 403);
  assert.deepEqual(await closed.access.accounts.list(), []);
  await closed.access.accounts.create({ email: 'a@example.com', password });
  assert.equal((await ada.signIn('a@example.com')).status, 303);
});

test('the log tells who came in, who did not, and what they changed; with addresses, without emails', async () => {
  const own = await servePages();
  const email = 'watched@example.com';
  const ada = new Person(own);
  await ada.signUp(email);
  const { id } = await own.access.accounts.show(email);
  await new Person(own).signIn(email, 'not the password');
  for (const _ of [1, 2]) await new Person(own).signIn(' Nobody@Example.com', 'not the password');
  await new Person(own).signIn('another@example.com', 'not the password');
  await new Person(own).fill('/account/sign-up', { email, password: 'somebody else wants it' });
  await ada.createKey('first');
  const [key = ''] = idsOn((await ada.open('/account/developer')).text, /keys\/(key_\w+)\/revoke/g);
  await ada.fill(`/account/developer/keys/${key}/revoke`, {});
  const changed = { password, new_password: 'another password altogether' };
  await ada.fill('/account/security', { ...changed, password: 'wrong' }, '/account/security/password');
  await ada.fill('/account/security', changed, '/account/security/password');
  await ada.fill('/account/delete', { email, password: changed.new_password });
  const service = new Service(own as unknown as Server);
  const { client } = await service.connect(await service.member('app@example.com'));
  const member = (await own.access.accounts.show('app@example.com')).id;

  type Line = [level: string, message: string, fields: Record<string, string>];
  const lines = own.log.map((text) => JSON.parse(text) as Line);
  assert.ok(lines.every(([, , { address }]) => address === '127.0.0.1'));
  const told = lines.map(([level, message, { account, ...fields }]) => [
    level,
    message,
    account,
    fields.reason,
  ]);
  const unknown = lines[2]?.[2].account ?? '';
  assert.match(unknown, /^unknown_[\w-]{16}$/);
  const other = lines[4]?.[2].account ?? '';
  assert.notEqual(other, unknown);
  assert.deepEqual(told, [
    ['info', 'signed up', id, undefined],
    ['warn', 'sign-in failed', id, 'credentials'],
    ['warn', 'sign-in failed', unknown, 'credentials'],
    ['warn', 'sign-in failed', unknown, 'credentials'],
    ['warn', 'sign-in failed', other, 'credentials'],
    ['warn', 'sign-up refused', id, 'taken'],
    ['info', 'key created', id, undefined],
    ['info', 'key revoked', id, undefined],
    ['warn', 'sign-in failed', id, 'credentials'],
    ['info', 'password changed', id, undefined],
    ['info', 'account deleted', id, undefined],
    ['info', 'signed up', member, undefined],
    ['info', 'app registered', undefined, undefined],
    ['info', 'app allowed', member, undefined],
  ]);
  assert.deepEqual([lines[6]?.[2].key, lines[7]?.[2].key], [key, key]);
  assert.deepEqual([lines[12]?.[2].client, lines[13]?.[2].client], [client, client]);
  assert.doesNotMatch(own.log.join(), /@|password alt|cb_live|nobody|watched/i);
});

test('typed values reach no log line and no header', () => {
  assert.ok(pages.log.length > 0);
  const text = pages.log.join();
  assert.doesNotMatch(text, /@|example|evil|script|horse|not the password/);
  assert.doesNotMatch(text, /"error"/);
});

test('a note of the sign-in page is one of its own', async () => {
  const pages = await servePages();
  const person = new Person(pages);
  assert.match((await person.open('/account/sign-in?done=signed-out')).text, /class="notice good"/);
  for (const name of ['constructor', 'toString', '__proto__', 'other', ''])
    assert.doesNotMatch((await person.open(`/account/sign-in?done=${name}`)).text, /class="notice/);
});
