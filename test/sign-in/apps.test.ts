/** An app asks for access: the person signs in by any way, and the request of the app continues. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { clientId, passProvider, serveOpenId } from '../support/openid-provider.ts';

const email = 'ada@example.com';
const redirectUri = 'http://127.0.0.1:5599/callback';

/** Registers an app and opens its request in the browser; returns the path of the sign-in page. */
async function askForAccess(pages: Pages, person: Person): Promise<string> {
  const registered = await fetch(`${pages.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test app', redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update('x'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
  });
  const asked = await person.send(`/oauth/authorize?${query}`);
  const interaction = new URL(asked.headers.location as string, pages.url).pathname;
  const answer = await person.send(interaction);
  assert.equal(answer.status, 303, answer.text);
  const { pathname, search } = new URL(answer.headers.location as string, pages.url);
  assert.equal(pathname, '/account/sign-in');
  return pathname + search;
}

/** Follows a redirect to the consent page. */
async function isAskedForConsent(person: Person, location: string): Promise<void> {
  assert.match(location, /^\/oauth\/interaction\//);
  const { text } = await person.open(location);
  assert.match(text, /Test app/);
  assert.match(text, /name="decision" value="allow"/);
}

/** An account with a second factor, and its recovery codes. */
async function createAccount({ access }: Pages): Promise<string[]> {
  const account = await access.accounts.create({ email, password });
  const { secondFactors } = access.signIn;
  const { key } = await secondFactors.begin(account, 'test');
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  return secondFactors.confirm(account.id, code, { address: '::1', userAgent: '' });
}

test('with password and code', async () => {
  const pages = await servePages();
  const [code = ''] = await createAccount(pages);
  const person = new Person(pages);
  const page = await askForAccess(pages, person);
  const first = await person.fill(page, { email, password }, '/account/sign-in');
  assert.equal(first.headers.location, '/account/sign-in/code');
  const shown = await person.open('/account/sign-in/code');
  const policy = String(shown.headers['content-security-policy']);
  assert.doesNotMatch(policy, /form-action/, 'the form may end at the app');
  const done = await person.fill('/account/sign-in/code', { code });
  await isAskedForConsent(person, done.headers.location as string);
});

test('with an OpenID provider', async () => {
  let url = '';
  const provider = await serveOpenId(() => `${url}/account/openid/callback`);
  const pages = await servePages({
    oidcIssuer: provider.issuer,
    oidcClientId: clientId,
    oidcClientSecret: provider.secret,
    oidcName: 'Our club',
    fetchAllow: ['127.0.0.1'] as unknown as string,
  });
  url = pages.url;
  provider.person = { sub: 'ada', email, email_verified: true };
  const person = new Person(pages);
  const { text } = await person.open(await askForAccess(pages, person));
  const link = /href="(\/account\/sign-in\/openid[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') as string;
  const start = await person.send(link);
  const back = new URL(await passProvider(start.headers.location as string, provider.issuer));
  const done = await person.send(back.pathname + back.search);
  await isAskedForConsent(person, done.headers.location as string);
});
