/** Signing in with a real OpenID provider: the flow, who gets which account, and what happens when something is wrong. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { isSignedIn, type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { clientId, passProvider, serveOpenId, type TestProvider } from '../support/openid-provider.ts';
import { runJson } from '../support/program.ts';

const start = '/account/sign-in/openid';
const ada = { sub: 'ada', email: 'Ada@Example.org', email_verified: true };
const email = 'ada@example.org';

async function setUp(
  flags: Record<string, string> = {},
  more: Parameters<typeof serveOpenId>[1] = {},
): Promise<{ pages: Pages; provider: TestProvider }> {
  let url = '';
  const provider = await serveOpenId(() => `${url}/account/openid/callback`, more);
  const pages = await servePages({
    oidcIssuer: provider.issuer,
    oidcClientId: clientId,
    oidcClientSecret: provider.secret,
    oidcName: 'Our club',
    // Lists are arrays on the command line.
    fetchAllow: ['127.0.0.1'] as unknown as string,
    ...flags,
  });
  url = pages.url;
  return { pages, provider };
}

/** Goes to the provider and returns the path that it sends the browser back to. */
async function toProvider(person: Person, { issuer }: TestProvider, path = start): Promise<string> {
  const answer = await person.send(path);
  assert.equal(answer.status, 303, answer.text);
  const back = new URL(await passProvider(answer.headers.location as string, issuer));
  return back.pathname + back.search;
}
const signIn = async (person: Person, provider: TestProvider, path = start) =>
  person.send(await toProvider(person, provider, path));

function lastRefusal({ log }: Pages): Record<string, string> {
  const line = log.findLast((one) => one.includes('"sign-in failed"')) ?? '[null,null,{}]';
  return (JSON.parse(line) as unknown[])[2] as Record<string, string>;
}

test('a first sign-in creates a confirmed account without a password, later ones find it by the subject', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  const person = new Person(pages);
  assert.match((await person.open('/account/sign-in')).text, /Sign in with Our club/);
  const answer = await person.send(start);
  const asked = new URL(answer.headers.location as string);
  const parameters = Object.fromEntries(asked.searchParams);
  assert.equal(parameters.response_type, 'code');
  assert.equal(parameters.code_challenge_method, 'S256');
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.match(parameters[name] ?? '', /^[\w-]{43}$/);
  const cookie = answer.headers['set-cookie']?.find((line) => line.startsWith('cratebase_openid=')) ?? '';
  assert.match(cookie, /HttpOnly; SameSite=Lax; Max-Age=600/);
  assert.ok(!cookie.includes(parameters.state as string), 'the state is encrypted');
  const back = new URL(await passProvider(asked.href, provider.issuer));
  const done = await person.send(back.pathname + back.search);
  assert.equal(done.headers.location, '/account/developer', done.text);
  assert.ok(await isSignedIn(person));
  assert.equal(person.cookies.get('cratebase_openid'), undefined);
  const { id, sign_in } = await pages.access.accounts.show(email);
  assert.ok(!sign_in.password && sign_in.verified_at !== null);
  assert.deepEqual(
    sign_in.external_logins.map((login) => [login.issuer, login.email]),
    [[provider.issuer, email]],
  );
  provider.person = { ...ada, email: 'other@example.org' };
  const again = new Person(pages);
  assert.equal((await signIn(again, provider)).status, 303);
  assert.deepEqual(
    (await pages.access.accounts.list()).map((account) => account.id),
    [id],
    'the subject decides, not the email',
  );
});

test('it continues where it was asked for, and only within this site', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  const first = await signIn(new Person(pages), provider, `${start}?next=%2Fdocs`);
  assert.equal(first.headers.location, '/docs');
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const answer = await signIn(new Person(pages), provider, `${start}?next=${encodeURIComponent(next)}`);
    assert.equal(answer.headers.location, '/account/developer');
  }
});

test('a confirmed account is linked; one that a stranger may have made is linked with its password only', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  await pages.access.accounts.create({ email, password });
  const person = new Person(pages);
  const first = await signIn(person, provider);
  assert.equal(first.headers.location, '/account/openid/link');
  assert.ok(!(await isSignedIn(person)));
  const wrong = await person.fill('/account/openid/link', { password: 'wrong' });
  assert.equal(wrong.status, 401);
  const done = await person.fill('/account/openid/link', { password });
  assert.equal(done.headers.location, '/account/developer');
  assert.ok(await isSignedIn(person));
  assert.equal((await signIn(new Person(pages), provider)).headers.location, '/account/developer');

  provider.person = { sub: 'bob', email: 'bob@example.org', email_verified: true };
  await pages.access.accounts.create({ email: 'bob@example.org', password });
  const confirmed = runJson(['accounts', 'confirm-address', 'bob@example.org', '--data', pages.dataFile]);
  assert.deepEqual(confirmed, { email: 'bob@example.org', changed: true });
  assert.equal((await signIn(new Person(pages), provider)).headers.location, '/account/developer');

  provider.person = { sub: 'cleo', email: 'cleo@example.org', email_verified: true };
  await pages.access.accounts.create({ email: 'cleo@example.org' });
  assert.equal((await signIn(new Person(pages), provider)).headers.location, '/account/developer');
  assert.equal((await pages.access.accounts.list()).length, 3);
});

test('the page of the link asks nothing from a browser that did not come from the provider', async () => {
  const { pages } = await setUp();
  const person = new Person(pages);
  assert.equal((await person.send('/account/openid/link')).headers.location, '/account/sign-in');
});

test('an email that is missing or not verified opens nothing', async () => {
  const { pages, provider } = await setUp();
  await pages.access.accounts.create({ email });
  for (const person of [
    { sub: 'eve', email, email_verified: false },
    { sub: 'eve', email },
    { sub: 'eve' },
    { sub: 'eve', email: 'a@b\u202ec', email_verified: true },
  ]) {
    provider.person = person;
    const browser = new Person(pages);
    const answer = await signIn(browser, provider);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Your email is not verified/);
    assert.ok(!(await isSignedIn(browser)));
  }
  assert.equal(lastRefusal(pages).reason, 'unverified');
});

test('only allowed domains, also for an account that is linked already', async () => {
  const { pages, provider } = await setUp({
    oidcDomains: ['Example.org', 'club.example'] as unknown as string,
  });
  provider.person = ada;
  assert.equal((await signIn(new Person(pages), provider)).status, 303);
  for (const wrong of ['ada@evil.example', 'ada@sub.example.org', 'ada@example.org.evil.example']) {
    provider.person = { ...ada, email: wrong };
    const answer = await signIn(new Person(pages), provider);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Only addresses of example\.org, club\.example/);
  }
  provider.person = { ...ada, email_verified: false };
  const browser = new Person(pages);
  const unverified = await signIn(browser, provider);
  assert.equal(unverified.status, 403);
  assert.match(unverified.text, /Your email is not verified/);
  assert.ok(!(await isSignedIn(browser)));
});

test('--registration decides about new accounts', async () => {
  const closed = await setUp({ registration: 'closed' });
  closed.provider.person = ada;
  const refused = await signIn(new Person(closed.pages), closed.provider);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /Ask the operator/);
  await closed.pages.access.accounts.create({ email });
  assert.equal((await signIn(new Person(closed.pages), closed.provider)).status, 303);

  const { pages, provider } = await setUp({ registration: 'approval' });
  provider.person = ada;
  await pages.access.pending.request(email, 'the password of a stranger', '198.51.100.7');
  const waiting = await signIn(new Person(pages), provider);
  assert.equal(waiting.status, 403);
  assert.match(waiting.text, /not admitted yet/);
  assert.deepEqual(await pages.access.accounts.list(), []);
  await pages.access.pending.approve(email);
  const stranger = await new Person(pages).signIn(email, 'the password of a stranger');
  assert.equal(stranger.status, 401, 'the confirmed request replaced that of the stranger');
  const person = new Person(pages);
  assert.equal((await signIn(person, provider)).headers.location, '/account/developer');
});

test('a suspended account stays out', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  await signIn(new Person(pages), provider);
  const file = new Database(pages.dataFile);
  file.prepare('UPDATE accounts SET suspended_ts = 1').run();
  file.close();
  const person = new Person(pages);
  const answer = await signIn(person, provider);
  assert.equal(answer.status, 403);
  assert.match(answer.text, /suspended/);
  assert.ok(!(await isSignedIn(person)));
});

test('the second factor is required after the provider too', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  await signIn(new Person(pages), provider);
  const account = await pages.access.accounts.show(email);
  const { secondFactors } = pages.access.signIn;
  const { Secret, TOTP } = await import('otpauth');
  const { key } = await secondFactors.begin(account, 'test');
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  const [recovery = ''] = await secondFactors.confirm(account.id, code, { address: '::1', userAgent: '' });
  const person = new Person(pages);
  const answer = await signIn(person, provider, `${start}?next=%2Fdocs`);
  assert.equal(answer.headers.location, '/account/sign-in/code');
  assert.ok(!(await isSignedIn(person)));
  assert.equal((await person.fill('/account/sign-in/code', { code: recovery })).headers.location, '/docs');
});

test('an answer of another browser, twice, with a wrong state, or without a beginning opens nothing', async () => {
  const { pages, provider } = await setUp();
  provider.person = ada;
  const attacker = new Person(pages);
  const back = await toProvider(attacker, provider);
  const victim = new Person(pages);
  const forced = await victim.send(back);
  assert.equal(forced.status, 400);
  assert.match(forced.text, /not begun here/);
  assert.equal(lastRefusal(pages).reason, 'state');
  await victim.send(start);
  const mixed = await victim.send(back);
  assert.equal(mixed.status, 400, 'the state belongs to another sign-in');
  assert.ok(!(await isSignedIn(victim)));
  assert.equal((await attacker.send(back)).status, 303);
  assert.equal((await attacker.send(back)).status, 400, 'once');
  const other = new Person(pages);
  const own = await toProvider(other, provider);
  assert.equal((await other.send(own.replace(/code=[^&]+/, 'code=invented'))).status, 400);
  assert.equal(lastRefusal(pages).reason, 'invalid');
  assert.ok(!(await isSignedIn(other)));
});

test('a person who refuses, a wrong secret, and a provider that is down: pages that say what to do', async () => {
  const { pages, provider } = await setUp();
  const person = new Person(pages);
  const denied = await signIn(person, provider);
  assert.equal(denied.status, 403);
  assert.match(denied.text, /the sign-in was cancelled/);
  provider.person = ada;
  const back = await toProvider(person, provider);
  await provider.stop();
  const down = await person.send(back);
  assert.equal(down.status, 503);
  assert.match(down.text, /Our club does not answer/);
  assert.equal(lastRefusal(pages).reason, 'unreachable');

  const wrong = await setUp({ oidcClientSecret: 'wrong' });
  wrong.provider.person = ada;
  assert.equal((await signIn(new Person(wrong.pages), wrong.provider)).status, 400);
  assert.ok(!wrong.pages.log.join('').includes('a secret with'));

  const nowhere = await setUp({ oidcIssuer: 'http://127.0.0.1:9/' });
  const answer = await new Person(nowhere.pages).send(start);
  assert.equal(answer.status, 503);
  const { reason, error } = lastRefusal(nowhere.pages);
  assert.equal(reason, 'unreachable');
  assert.ok(error);
});

test('a provider whose metadata have no address to sign in: a page, and the reason in the log', async () => {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    const metadata = JSON.stringify({ issuer: `http://127.0.0.1:${port}` });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(metadata);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { pages } = await setUp({ oidcIssuer: `http://127.0.0.1:${port}` });
  const answer = await new Person(pages).send(start);
  assert.equal(answer.status, 400, answer.text);
  assert.equal(lastRefusal(pages).reason, 'invalid');
});

test('a provider at a private address is asked only if --fetch-allow lists it', async () => {
  const { pages, provider } = await setUp({ fetchAllow: [] as unknown as string });
  const answer = await new Person(pages).send(start);
  assert.equal(answer.status, 503);
  assert.match(lastRefusal(pages).error as string, /--fetch-allow/);
  assert.ok(provider.issuer);
});

test('providers that take the secret in the form, and claims in the ID token', async () => {
  const { pages, provider } = await setUp(
    {},
    {
      clientAuthMethods: ['client_secret_post'],
      clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
      conformIdTokenClaims: false,
    },
  );
  provider.person = ada;
  assert.equal((await signIn(new Person(pages), provider)).headers.location, '/account/developer');
});

test('failed returns slow down their network', async () => {
  const { pages } = await setUp();
  const statuses: number[] = [];
  for (let round = 0; round < 22; round += 1) {
    const person = new Person(pages);
    await person.send(start);
    statuses.push((await person.send('/account/openid/callback?state=x&code=y')).status);
  }
  assert.equal(statuses[0], 400);
  assert.equal(statuses.at(-1), 429);
});

test('callbacks of a sign-in that was not begun here throttle no other client', async () => {
  const { pages, provider } = await setUp();
  for (let round = 0; round < 30; round += 1) {
    const { status } = await new Person(pages).send('/account/openid/callback?state=x&code=y');
    assert.equal(status, 400);
  }
  provider.person = ada;
  assert.equal((await signIn(new Person(pages), provider)).headers.location, '/account/developer');
});

test('without local passwords, the provider is the only form of the page', async () => {
  const { pages, provider } = await setUp({ localPasswords: 'off' });
  provider.person = ada;
  await pages.access.accounts.create({ email, password });
  await pages.access.signIn.externalLogins.confirmAddress(email, 'terminal:test');
  const person = new Person(pages);
  const { text } = await person.open('/account/sign-in');
  assert.doesNotMatch(text, /name="password"|Forgot/);
  assert.equal((await person.send('/account/sign-up')).headers.location, '/account/sign-in');
  assert.equal((await person.send('/account/forgot')).status, 403);
  const { path } = await pages.access.signIn.resets.create(email, 'terminal:test');
  assert.equal((await person.send(path)).status, 403);
  const plain = await servePages();
  const form = (await new Person(plain).open('/account/sign-in')).text;
  assert.match(form, /name="password"/);
  person.cookies.set('cratebase_form', 'x'.repeat(43));
  const csrf = pages.access.formToken('x'.repeat(43));
  assert.equal((await person.post('/account/sign-in', { csrf, email, password })).status, 403);
  assert.equal(
    (await person.post('/account/sign-up', { csrf, email: 'b@example.org', password })).status,
    403,
  );
  assert.equal((await signIn(person, provider)).status, 303);
  const security = await person.open('/account/security');
  assert.doesNotMatch(security.text, /name="new_password"/);
  assert.equal((await person.post('/account/security/password', { csrf: 'x' })).status, 403);
  const gone = await person.fill('/account/delete', { email });
  assert.equal(gone.headers.location, '/account/sign-in?done=deleted', 'a new session is the proof');
});
