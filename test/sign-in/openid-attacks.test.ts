/** Attacks on a sign-in with an OpenID provider: injected codes, another issuer, and addresses that change hands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSignedIn, type Pages, Person, servePages } from '../support/account-pages.ts';
import { clientId, passProvider, serveOpenId, type TestProvider } from '../support/openid-provider.ts';

const start = '/account/sign-in/openid';
const ada = { sub: 'ada', email: 'ada@example.org', email_verified: true };
const eve = { sub: 'eve', email: 'eve@example.org', email_verified: true };

let url = '';
const provider: TestProvider = await serveOpenId(() => `${url}/account/openid/callback`);
const pages: Pages = await servePages({
  oidcIssuer: provider.issuer,
  oidcClientId: clientId,
  oidcClientSecret: provider.secret,
  // Lists are arrays on the command line.
  fetchAllow: ['127.0.0.1'] as unknown as string,
});
url = pages.url;

/** Goes to the provider and returns the address that it sends the browser back to. */
async function toProvider(person: Person): Promise<URL> {
  const answer = await person.send(start);
  assert.equal(answer.status, 303, answer.text);
  return new URL(await passProvider(answer.headers.location as string, provider.issuer));
}
const back = (person: Person, { pathname, search }: URL) => person.send(pathname + search);

test("a code of the attacker in the victim's own sign-in opens nothing (code injection, login CSRF)", async () => {
  provider.person = eve;
  const attacker = await toProvider(new Person(pages));
  provider.person = ada;
  const victim = new Person(pages);
  const answer = await toProvider(victim);
  answer.searchParams.set('code', attacker.searchParams.get('code') as string);
  assert.equal((await back(victim, answer)).status, 400);
  assert.ok(!(await isSignedIn(victim)));
  assert.equal(await pages.access.accounts.show(eve.email).catch(() => null), null, 'no account was made');
});

test('an answer that names another issuer, or none, opens nothing (mix-up, RFC 9207)', async () => {
  provider.person = ada;
  for (const issuer of ['https://evil.example', null]) {
    const person = new Person(pages);
    const answer = await toProvider(person);
    assert.equal(answer.searchParams.get('iss'), provider.issuer);
    if (issuer === null) answer.searchParams.delete('iss');
    else answer.searchParams.set('iss', issuer);
    assert.equal((await back(person, answer)).status, 400, String(issuer));
    assert.ok(!(await isSignedIn(person)));
  }
});

test('a state that the attacker chose, or sends twice in one answer, opens nothing', async () => {
  provider.person = ada;
  for (const change of ['fixed', 'twice', 'empty'] as const) {
    const person = new Person(pages);
    const answer = await toProvider(person);
    if (change === 'twice') answer.searchParams.append('state', 'fixed');
    else answer.searchParams.set('state', change === 'fixed' ? 'fixed' : '');
    assert.equal((await back(person, answer)).status, 400, change);
    assert.ok(!(await isSignedIn(person)));
  }
});

test('a login stays with its account when its address becomes that of another one', async () => {
  provider.person = ada;
  const first = new Person(pages);
  assert.equal((await back(first, await toProvider(first))).status, 303);
  const other = await pages.access.accounts.create({ email: 'root@example.org' }, 'terminal:test');
  await pages.access.accounts.setRole('root@example.org', 'operator', 'terminal:test');
  provider.person = { ...ada, email: 'root@example.org' };
  const again = new Person(pages);
  assert.equal((await back(again, await toProvider(again))).status, 303);
  assert.equal((await again.send('/admin')).status, 403, 'not the operator');
  const { id } = await pages.access.accounts.show(ada.email);
  assert.notEqual(id, other.id);
  assert.match((await again.open('/account/security')).text, /ada@example\.org/);
});

test('a lower role and a suspension hold in the sessions that are open', async () => {
  provider.person = ada;
  const person = new Person(pages);
  await back(person, await toProvider(person));
  for (const [role, status] of [
    ['operator', 200],
    ['editor', 403],
    ['operator', 200],
    ['user', 403],
  ] as const) {
    await pages.access.accounts.setRole(ada.email, role, 'terminal:test');
    assert.equal((await person.send('/admin/accounts')).status, status, role);
  }
  await pages.access.accounts.setRole(ada.email, 'operator', 'terminal:test');
  await pages.access.accounts.suspend(ada.email, {}, 'terminal:test');
  assert.equal((await person.send('/admin')).status, 303, 'to the sign-in');
  assert.ok(!(await isSignedIn(person)));
  assert.equal((await back(new Person(pages), await toProvider(new Person(pages)))).status, 400);
});
