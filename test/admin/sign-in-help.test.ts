/** Help for people who cannot sign in: a link for a new password, and the removal of a second factor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type Pages, Person, password } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';

const email = 'ada@example.com';
const newPassword = 'another horse battery staple';

async function setUp(pages: Pages) {
  const operator = await personWithRole(pages, 'operator@example.com', 'operator');
  const account = await pages.access.accounts.create({ email, password });
  const page = `/admin/accounts/${account.id}`;
  const lastAction = () => pages.app.auditLog().list({ limit: 1 })[0];
  return { operator, account, page, lastAction };
}

test('a reset link is shown once, works once, and is logged without its token', async () => {
  const pages = await serveAdmin();
  const { operator, page, lastAction } = await setUp(pages);
  const { text, headers } = await operator.fill(page, {}, `${page}/reset-link`);
  assert.equal(headers['cache-control'], 'no-store, no-transform');
  const [, path = ''] =
    new RegExp(`<code id="link">${pages.url}(/account/reset/[\\w-]+)</code>`).exec(text) ?? [];
  assert.notEqual(path, '', text);
  const entry = lastAction();
  assert.equal(entry?.action, 'account.reset-link');
  assert.equal(entry?.actor, 'account:operator@example.com');
  const token = path.split('/').at(-1) as string;
  assert.ok(!JSON.stringify(entry).includes(token));
  assert.ok(!(await operator.open(page)).text.includes(token));

  const ada = new Person(pages);
  assert.equal((await ada.fill(path, { password: newPassword })).status, 303);
  assert.equal((await new Person(pages).signIn(email, newPassword)).status, 303);
  assert.notEqual((await ada.send(path)).status, 200);
});

test('a second factor is removed after a confirmation', async () => {
  const pages = await serveAdmin();
  const { operator, account, page, lastAction } = await setUp(pages);
  assert.doesNotMatch((await operator.open(page)).text, /Remove second factor/);
  const { secondFactors } = pages.access.signIn;
  const { key } = await secondFactors.begin(account, 'test');
  const code = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate();
  await secondFactors.confirm(account.id, code, { address: '203.0.113.5', userAgent: 'test' });

  assert.match((await operator.open(page)).text, /10 recovery codes left[\s\S]*Remove second factor/);
  const confirmation = `${page}/second-factor`;
  assert.match((await operator.open(confirmation)).text, /Remove the second factor of <bdi>ada@example\.com/);
  const done = await operator.fill(confirmation, {});
  assert.equal(done.headers.location, `${page}?done=second-factor`);
  assert.equal(lastAction()?.action, 'account.reset-second-factor');
  assert.equal((await pages.access.accounts.show(email)).sign_in.second_factor, null);
  assert.equal((await new Person(pages).signIn(email)).status, 303);
  assert.equal((await operator.fill(page, {}, `${page}/sign-out`)).status, 303);
});

test('a suspended account has no reset link', async () => {
  const pages = await serveAdmin();
  const { operator, page } = await setUp(pages);
  const { text } = await operator.open(page);
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await pages.access.accounts.suspend(email, {}, 'terminal:test');
  assert.doesNotMatch((await operator.open(page)).text, /reset-link/);
  const refused = await operator.post(`${page}/reset-link`, { csrf });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /is suspended/);
});

test('a service without passwords has no reset links', async () => {
  const pages = await serveAdmin({
    localPasswords: 'off',
    oidcIssuer: 'http://127.0.0.1:9/',
    oidcClientId: 'cratebase',
    oidcClientSecret: 'secret',
  });
  const { accounts, sessions } = pages.access;
  const { id } = await accounts.create({ email, password });
  await accounts.setRole(email, 'operator', 'terminal:test');
  const session = await sessions.signIn(email, password, { address: '203.0.113.5', userAgent: 'test' });
  const operator = new Person(pages);
  operator.cookies.set('cratebase_session', session.token);
  const { text } = await operator.open(`/admin/accounts/${id}`);
  assert.match(text, /not used: --local-passwords is off/);
  assert.doesNotMatch(text, /reset-link/);
  const refused = await operator.post(`/admin/accounts/${id}/reset-link`, { csrf: session.csrf });
  assert.equal(refused.status, 404);
});
