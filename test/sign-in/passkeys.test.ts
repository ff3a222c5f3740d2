/** Passkeys in a real browser with a virtual authenticator, and answers that were changed, repeated or moved. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { passkeySite } from '../../src/account/sign-in-passkey.tsx';
import { createSiteUrl } from '../../src/pages/site-url.ts';
import { hiddenFields, type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { runJson } from '../support/program.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();

let started: Promise<Browser> | undefined;
const launched = (): Promise<Browser> => {
  started ??= startBrowser();
  return started;
};
after(async () => (await started)?.close());

/** A service at localhost: browsers allow no passkeys at an IP address. */
async function serveAtLocalhost(): Promise<Pages> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const pages = await servePages({
    port: String(port),
    baseUrl: `http://localhost:${port}`,
    name: 'Our club',
  });
  return { ...pages, url: `http://localhost:${port}` };
}

/** A window with an authenticator; what the page complains of fails the test. */
async function openWindow(
  pages: Pages,
  isUserVerified = true,
): Promise<{ page: Page; cdp: CDPSession; id: string }> {
  const context = await (await launched()).newContext({ baseURL: pages.url });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  watch(page, { origin: pages.url });
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { page, cdp, id };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/account/sign-up');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Create account').click();
  await page.waitForURL('**/account/developer');
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/account/security');
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Your password').fill(password);
  await button(page, 'Continue').click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create the passkey').click();
  await page.getByText('Your passkey is added.').waitFor();
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Sign out').first().click();
  await page.waitForURL('**/account/sign-in?done=signed-out');
}

test('add, sign in with it, rename, remove', { skip }, async () => {
  const pages = await serveAtLocalhost();
  const { page, cdp, id } = await openWindow(pages);
  const email = 'ada@example.com';
  await signUp(page, email);
  await addPasskey(page, 'my phone');
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
  assert.equal(credentials.length, 1);
  assert.ok(credentials[0]?.isResidentCredential);
  const account = await pages.access.accounts.show(email);
  assert.equal(Buffer.from(credentials[0]?.userHandle ?? '', 'base64').toString(), account.id);
  await page.goto('/account/security');
  await signOut(page);
  await page.goto('/account/sign-in?next=%2Fdocs');
  await button(page, 'Sign in with a passkey').click();
  await page.waitForURL('**/docs');
  const [passkey] = (await pages.access.accounts.show(email)).sign_in.passkeys;
  assert.equal(passkey?.name, 'my phone');
  assert.ok(passkey?.last_used_at !== null);
  const shown = runJson<{ sign_in: { passkeys: { name: string }[] } }>([
    'accounts',
    'show',
    email,
    '--data',
    pages.dataFile,
  ]);
  assert.deepEqual(
    shown.sign_in.passkeys.map(({ name }) => name),
    ['my phone'],
  );

  await page.goto('/account/security');
  await page.getByRole('link', { name: 'Rename or remove my phone' }).click();
  await page.getByLabel('Name').fill('old phone');
  await button(page, 'Rename').click();
  await page.getByText('old phone').waitFor();
  await page.getByRole('link', { name: 'Rename or remove old phone' }).click();
  await button(page, 'Remove passkey').click();
  await page.getByText('The passkey is removed.').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('does not belong to an account here').waitFor();
  const log = pages.log.join('');
  assert.ok(
    log.includes('passkey added') && log.includes('passkey removed') && log.includes('"by":"passkey"'),
  );
});

test('a device that does not verify its user cannot sign in', { skip }, async () => {
  const pages = await serveAtLocalhost();
  const { page, cdp, id } = await openWindow(pages);
  await signUp(page, 'ada@example.com');
  await addPasskey(page, 'key');
  await signOut(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('No passkey was used.').waitFor();
});

/** Takes the answer of a passkey out of the browser instead of sending it. */
async function captureAnswer(page: Page): Promise<Record<string, string>> {
  await page.goto('/account/sign-in');
  // As a text: tsx adds helpers to functions that a browser does not have.
  await page.evaluate(
    'HTMLFormElement.prototype.submit = function () { document.title = JSON.stringify(Object.fromEntries(new FormData(this))); }',
  );
  await button(page, 'Sign in with a passkey').click();
  await page.waitForFunction('document.title.startsWith("{")');
  return JSON.parse(await page.title()) as Record<string, string>;
}

test('an answer works once, in its browser, unchanged; failures are slowed down; no code is asked for', {
  skip,
}, async () => {
  const pages = await serveAtLocalhost();
  const { page } = await openWindow(pages);
  const email = 'ada@example.com';
  await signUp(page, email);
  await addPasskey(page, 'key');
  await signOut(page);
  const person = new Person(pages);
  const cookies = async () => {
    for (const { name, value } of await page.context().cookies()) person.cookies.set(name, value);
  };
  const send = (fields: Record<string, string>, by = person) =>
    by.post('/account/sign-in/passkey', fields, { origin: pages.url });

  const answer = await captureAnswer(page);
  await cookies();
  const other = new Person(pages);
  const form = hiddenFields((await other.open('/account/sign-in')).text, '/account/sign-in/passkey');
  assert.equal((await send({ ...answer, csrf: form.csrf as string }, other)).status, 401, 'another browser');
  assert.equal(
    (await send({ ...form, answer: answer.answer as string }, other)).status,
    401,
    'another challenge',
  );
  const parsed = JSON.parse(answer.answer as string) as { response: Record<string, string>; id: string };
  const changed = (members: Record<string, string>) =>
    JSON.stringify({ ...parsed, response: { ...parsed.response, ...members } });
  const foreign = Buffer.from(parsed.response.clientDataJSON as string, 'base64url')
    .toString()
    .replace(pages.url, 'https://evil.example');
  for (const forged of [
    changed({ signature: `${parsed.response.signature?.slice(0, -4)}AAAA` }),
    changed({ clientDataJSON: Buffer.from(foreign).toString('base64url') }),
    changed({ userHandle: Buffer.from('acc_another').toString('base64url') }),
    JSON.stringify({ ...parsed, id: 'unknown' }),
    '{}',
    'null',
    '[1]',
    'x'.repeat(13_000),
    JSON.stringify({ id: parsed.id, response: {} }),
  ]) {
    assert.equal((await send({ ...answer, answer: forged })).status, 401, forged.slice(0, 200));
  }
  const once = await Promise.all([send(answer), send(answer)]);
  assert.deepEqual(once.map(({ status }) => status).sort(), [303, 401], 'one of two at once');
  assert.equal((await send(answer)).status, 401, 'and not again');

  const account = await pages.access.accounts.show(email);
  const { Secret, TOTP } = await import('otpauth');
  const { key } = await pages.access.signIn.secondFactors.begin(account, 'test');
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  await pages.access.signIn.secondFactors.confirm(account.id, code, { address: '::1', userAgent: '' });
  await page.context().clearCookies();
  const second = await captureAnswer(page);
  await cookies();
  const done = await send(second);
  assert.equal(done.headers.location, '/account/developer', 'a passkey is two factors');

  await page.context().clearCookies();
  const third = await captureAnswer(page);
  await cookies();
  const file = new Database(pages.dataFile);
  file.prepare('UPDATE accounts SET suspended_ts = 1').run();
  file.close();
  assert.equal((await send(third)).status, 403, 'suspended');
  const statuses: number[] = [];
  for (let round = 0; round < 25; round += 1) statuses.push((await send({ ...third, answer: '{}' })).status);
  assert.equal(statuses.at(-1), 429);
});

test('passkeys are offered at https and localhost only, and need a password or a new session to be added', async () => {
  const site = (url: string) => passkeySite(createSiteUrl(url, 'x'))?.rpId ?? null;
  assert.equal(site('https://music.example.org/in'), 'music.example.org');
  assert.equal(site('http://localhost:4880'), 'localhost');
  for (const url of [
    'http://music.example.org',
    'http://127.0.0.1:4880',
    'https://127.0.0.1',
    'https://[::1]',
  ])
    assert.equal(site(url), null, url);
  const plain = await servePages();
  const ada = new Person(plain);
  assert.doesNotMatch((await ada.open('/account/sign-in')).text, /passkey/i);
  const pages = await servePages({ baseUrl: 'https://music.example.org' });
  const bob = new Person(pages);
  const { text } = await bob.open('/account/sign-in');
  assert.match(text, /<form [^>]*data-passkey="get"[^>]* hidden/, 'hidden without JavaScript');
  const csrf = hiddenFields(text, '/account/sign-in').csrf as string;
  const made = hiddenFields((await bob.open('/account/sign-up')).text, '/account/sign-up').csrf as string;
  const origin = { origin: 'https://music.example.org' };
  await bob.post('/account/sign-up', { csrf: made, email: 'bob@example.com', password }, origin);
  const asked = hiddenFields(
    (await bob.open('/account/security/passkeys/new')).text,
    '/account/security/passkeys/new',
  );
  const wrong = await bob.post('/account/security/passkeys/new', { ...asked, password: 'wrong' }, origin);
  assert.equal(wrong.status, 401);
  assert.doesNotMatch(wrong.text, /data-options/);
  const missing = await bob.post('/account/security/passkeys/abc/remove', asked, origin);
  assert.equal(missing.status, 404);
  assert.ok(csrf);
});
