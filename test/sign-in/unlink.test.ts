/** Unlinking a login of an OpenID provider: by its owner, and by an operator in the terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { idsOn, isSignedIn, type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { clientId, passProvider, serveOpenId, type TestProvider } from '../support/openid-provider.ts';
import { run, runJson } from '../support/program.ts';

const start = '/account/sign-in/openid';
const security = '/account/security';
const email = 'ada@example.org';
const ada = { sub: 'ada', email, email_verified: true };

const clock = { now: () => Date.now() + clock.ahead, ahead: 0 };

async function setUp(flags: Record<string, string> = {}): Promise<{ pages: Pages; provider: TestProvider }> {
  let url = '';
  const provider = await serveOpenId(() => `${url}/account/openid/callback`);
  const pages = await servePages(
    {
      oidcIssuer: provider.issuer,
      oidcClientId: clientId,
      oidcClientSecret: provider.secret,
      oidcName: 'Our club',
      // Lists are arrays on the command line.
      fetchAllow: ['127.0.0.1'] as unknown as string,
      ...flags,
    },
    clock,
  );
  url = pages.url;
  provider.person = ada;
  return { pages, provider };
}

/** Signs in with the provider and returns where the browser is sent. */
async function signIn(person: Person, { issuer }: TestProvider): Promise<string | undefined> {
  const answer = await person.send(start);
  assert.equal(answer.status, 303, answer.text);
  const back = new URL(await passProvider(answer.headers.location as string, issuer));
  return (await person.send(back.pathname + back.search)).headers.location;
}

/** The page that unlinks the only login of the account. */
async function unlinkPath(person: Person): Promise<string> {
  const { text } = await person.open(security);
  const [id, ...others] = idsOn(text, /logins\/(login_[\w-]{16})\/unlink/g);
  assert.ok(id !== undefined && others.length === 0, text);
  return `${security}/logins/${id}/unlink`;
}
const setPassword = (person: Person) =>
  person.fill(security, { new_password: password }, `${security}/password`);
const loginsOf = async ({ access }: Pages) => (await access.accounts.show(email)).sign_in.external_logins;

function auditEntries({ dataFile }: Pages): { actor: string; details: Record<string, string> }[] {
  const file = new Database(dataFile, { readonly: true });
  const rows = file
    .prepare("SELECT actor, details FROM audit_log WHERE action = 'account.unlink-login'")
    .all();
  file.close();
  return (rows as { actor: string; details: string }[]).map(({ actor, details }) => ({
    actor,
    details: JSON.parse(details) as Record<string, string>,
  }));
}

test('a login that is the only way in stays; with a password it goes, and comes back only with the password', async () => {
  const { pages, provider } = await setUp();
  const person = new Person(pages);
  assert.equal(await signIn(person, provider), '/account/developer');
  const path = await unlinkPath(person);
  assert.match((await person.open(security)).text, /Linked logins[\s\S]*Our club[\s\S]*ada@example\.org/);
  const page = await person.open(path);
  assert.match(page.text, /You have no other way to sign in\./);
  assert.doesNotMatch(page.text, new RegExp(`action="${path}"`), 'there is no form');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  assert.equal((await person.post(path, { csrf })).status, 409);
  assert.equal((await loginsOf(pages)).length, 1);

  assert.equal((await setPassword(person)).status, 303);
  const wrong = await person.fill(path, { password: 'not the password' });
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /This is not your password\./);
  assert.equal((await loginsOf(pages)).length, 1);
  const done = await person.fill(path, { password });
  assert.equal(done.headers.location, '/account/security?done=login-unlinked');
  const after = await person.open(String(done.headers.location));
  assert.match(after.text, /The login is unlinked\./);
  assert.doesNotMatch(after.text, /Linked logins/);
  assert.deepEqual(await loginsOf(pages), []);
  assert.ok(await isSignedIn(person), 'the browser stays signed in');
  assert.deepEqual(auditEntries(pages), [
    { actor: `account:${email}`, details: { email, issuer: provider.issuer, login: email } },
  ]);
  assert.ok(pages.log.some((line) => line.includes('openid login unlinked')));
  assert.equal((await person.post(path, { csrf, password })).status, 403, 'the earlier session has ended');
  assert.equal((await person.send(path)).status, 404);

  const other = new Person(pages);
  assert.equal(await signIn(other, provider), '/account/openid/link', 'the password is asked for');
  assert.ok(!(await isSignedIn(other)));
  assert.equal((await other.fill('/account/openid/link', { password: 'guessed' })).status, 401);
  assert.equal((await other.fill('/account/openid/link', { password })).status, 303);
  assert.equal((await loginsOf(pages)).length, 1);
  assert.equal(await signIn(new Person(pages), provider), '/account/developer');
});

test('a password does not count without local passwords, a login of another provider never', async () => {
  const { pages, provider } = await setUp({ localPasswords: 'off' });
  const person = new Person(pages);
  await signIn(person, provider);
  await pages.access.accounts.setPassword(email, password);
  const again = new Person(pages);
  await signIn(again, provider);
  const { id } = await pages.access.accounts.show(email);
  const file = new Database(pages.dataFile);
  const insert = file.prepare('INSERT INTO external_logins VALUES (?, ?, ?, ?, 0, NULL)');
  const path = await unlinkPath(again);
  insert.run('https://former.example.org', 'ada', id, email);
  assert.match((await again.open(path)).text, /You have no other way to sign in\./);
  assert.match((await again.open(security)).text, /former\.example\.org/);
  insert.run(provider.issuer, 'ada at work', id, 'ada@work.example');
  assert.equal((await again.fill(path, {})).status, 303, 'a session of the last minutes suffices');
  file.close();
  assert.equal((await loginsOf(pages)).length, 2);
});

test('an account without a password needs a recent sign-in; the login of another account counts as missing', async () => {
  const { pages, provider } = await setUp();
  const person = new Person(pages);
  await signIn(person, provider);
  const { id } = await pages.access.accounts.show(email);
  const file = new Database(pages.dataFile);
  file
    .prepare('INSERT INTO external_logins VALUES (?, ?, ?, ?, ?, NULL)')
    .run(provider.issuer, 'two', id, email, 1);
  file.close();
  const [first = ''] = idsOn((await person.open(security)).text, /logins\/(login_[\w-]{16})\/unlink/g);
  const path = `${security}/logins/${first}/unlink`;
  clock.ahead = 20 * 60_000;
  try {
    const refused = await person.fill(path, {});
    assert.equal(refused.status, 401);
    assert.match(refused.text, /You signed in a while ago\./);
  } finally {
    clock.ahead = 0;
  }
  assert.equal((await loginsOf(pages)).length, 2);
  const stranger = new Person(pages);
  await stranger.signUp('bob@example.org');
  assert.equal((await stranger.send(path)).status, 404);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.open(security)).text)?.[1] ?? '';
  assert.equal((await stranger.post(path, { csrf, password })).status, 404);
  assert.equal((await loginsOf(pages)).length, 2);
});

test('accounts unlink-login unlinks the login that accounts show names', async () => {
  const { pages, provider } = await setUp();
  await signIn(new Person(pages), provider);
  const data = ['--data', pages.dataFile];
  const { sign_in } = runJson<{ sign_in: { external_logins: { id: string }[] } }>([
    'accounts',
    'show',
    email,
    ...data,
  ]);
  const id = sign_in.external_logins[0]?.id ?? '';
  assert.match(
    run(['accounts', 'show', email, ...data]).stdout,
    new RegExp(`OpenID +${email} at .* \\(${id}\\)`),
  );
  const unknown = run(['accounts', 'unlink-login', email, 'login_none', ...data]);
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /has no login with the id "login_none"\. `cratebase accounts show/);
  const { stdout, stderr, status } = run(['accounts', 'unlink-login', email, id, ...data]);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, `${email} at ${provider.issuer} was unlinked\n`);
  assert.match(stderr, /no way to sign in now[\s\S]*accounts reset-link ada@example\.org/);
  assert.deepEqual(await loginsOf(pages), []);
  assert.match(auditEntries(pages)[0]?.actor ?? '', /^terminal/);
  await pages.access.accounts.setPassword(email, password);
  const other = new Person(pages);
  assert.equal(await signIn(other, provider), '/account/openid/link');
  await other.fill('/account/openid/link', { password });
  assert.deepEqual(runJson(['accounts', 'unlink-login', email, id, ...data]), {
    id,
    email,
    issuer: provider.issuer,
    login_email: email,
  });
});
