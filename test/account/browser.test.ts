/** The pages of accounts in a real browser: Debian's chromium. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ConnectedApp } from '../../src/access/access.ts';
import { isAccessible } from '../support/accessibility.ts';
import { password, servePages } from '../support/account-pages.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();

const pages = await servePages();
let started: Promise<Browser> | undefined;
const launched = (): Promise<Browser> => {
  started ??= startBrowser();
  return started;
};
after(async () => (await started)?.close());

let made = 0;
const freshEmail = () => `browser${++made}@example.com`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A window of its own; what its page complains of fails the test. */
async function openWindow(options: BrowserContextOptions = {}, url = pages.url): Promise<Page> {
  const context = await (await launched()).newContext({ baseURL: url, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  watch(page, { origin: url });
  return page;
}

async function signUp(page: Page, email = freshEmail()): Promise<string> {
  await page.goto('/account/sign-up');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Create account').click();
  await page.waitForURL('**/account/developer');
  return email;
}

const statusOf = async (key: string): Promise<number> =>
  (await fetch(`${pages.url}/api/v1/stats`, { headers: { authorization: `Bearer ${key}` } })).status;

/** A whole life of a key, with or without scripts. */
async function lifeOfKey(page: Page): Promise<void> {
  await signUp(page);
  await page.getByLabel('Name of a new key').fill('laptop');
  await button(page, 'Create API key').click();
  await page.getByRole('heading', { name: 'Your new key' }).waitFor();
  const key = (await page.locator('#key').textContent()) ?? '';
  assert.match(key, /^cb_live_\w{6}_\w{38}$/);
  assert.equal(await statusOf(key), 200);
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await page.getByText('1 of 10,000 requests').waitFor();
  assert.ok(!(await page.content()).includes(key));
  await page.getByRole('link', { name: 'Revoke laptop' }).click();
  await button(page, 'Revoke key').click();
  await page.getByText('The key is revoked.').waitFor();
  assert.equal(await statusOf(key), 401);
}

test('sign up, create a key, call the API, see it counted, revoke it, see 401', { skip }, async () => {
  await lifeOfKey(await openWindow());
});

test('the same without scripts', { skip }, async () => {
  const page = await openWindow({ javaScriptEnabled: false });
  await lifeOfKey(page);
  assert.equal(
    await page.getByRole('button', { name: /Copy/ }).count(),
    0,
    'no button that would do nothing',
  );
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out.').waitFor();
});

test('a key is copied with a button; a reload shows it no more and makes no other', { skip }, async () => {
  const page = await openWindow({ permissions: ['clipboard-read', 'clipboard-write'] });
  await signUp(page);
  await page.getByLabel('Name of a new key').fill('clip');
  await button(page, 'Create API key').click();
  const key = await page.locator('#key').textContent();
  await button(page, 'Copy key').click();
  await button(page, 'Copied').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
  await page.reload();
  await page.getByText('This form was sent before').waitFor();
  assert.ok(!(await page.content()).includes(key as string));
  assert.equal(await page.getByRole('link', { name: 'Revoke clip' }).count(), 1);
});

test('after signing out the back button shows nothing of the account', { skip }, async () => {
  const page = await openWindow();
  const email = await signUp(page);
  await page.goto('/account/security');
  await button(page, 'Sign out').first().click();
  await page.getByText('You are signed out.').waitFor();
  await page.goBack();
  await page.waitForLoadState();
  assert.ok(!(await page.content()).includes(email), await page.content());
  assert.match(page.url(), /\/account\/sign-in\?next=/);
});

test('two tabs: what was opened before signing out, or in another account, changes nothing', {
  skip,
}, async () => {
  const one = await openWindow();
  await signUp(one);
  const two = await one.context().newPage();
  await two.goto('/account/developer');
  await button(one, 'Sign out').click();
  await one.getByText('You are signed out.').waitFor();
  await two.getByLabel('Name of a new key').fill('stale');
  await button(two, 'Create API key').click();
  await two.waitForURL('**/account/sign-in');
  await signUp(one);
  await two.goto('/account/developer');
  await button(one, 'Sign out').click();
  await signUp(one);
  await two.getByLabel('Name of a new key').fill('of the other account');
  await button(two, 'Create API key').click();
  await two.getByRole('heading', { name: 'This form is out of date' }).waitFor();
  await one.reload();
  await one.getByText('No keys yet').waitFor();
});

/** Presses Tab until the element of this role and name has the focus, which must be seen. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).first();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      const outline = await page.evaluate(
        '(({ outlineStyle, outlineWidth }) => outlineStyle + " " + outlineWidth)(getComputedStyle(document.activeElement))',
      );
      assert.equal(outline, 'solid 3px');
      return;
    }
  }
  assert.fail(`Tab does not reach ${role} ${name}`);
}

test('with the keyboard alone', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/account/sign-in');
  await tabTo(page, 'link', 'Create an account');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/account/sign-up*');
  // The first field has the focus already.
  await page.keyboard.type(freshEmail());
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/account/developer');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content', 'the menu can be skipped');
  await tabTo(page, 'textbox', 'Name of a new key');
  await page.keyboard.type('typed');
  await tabTo(page, 'button', 'Create API key');
  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'I have copied it');
  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'Revoke typed');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Revoke key');
  await page.keyboard.press('Enter');
  await page.getByText('The key is revoked.').waitFor();
});

const connected = { createdTs: Date.now(), lastUsedTs: null, scopes: ['catalogue:read'] };
const apps: ConnectedApp[] = [
  { ...connected, id: 'one', name: 'Claude', uri: 'https://claude.ai', host: 'claude.ai', verified: true },
  { ...connected, id: 'two', name: 'W'.repeat(120), uri: null, host: null, verified: false, scopes: [] },
];

/** Every page, empty and full, right and wrong. */
async function tour(page: Page, look: (page: Page) => Promise<void>): Promise<void> {
  const visit = async (path: string) => {
    await page.goto(path);
    await look(page);
  };
  await visit('/account/sign-in');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password').fill('wrong password');
  await button(page, 'Sign in').click();
  await page.getByRole('alert').waitFor();
  await look(page);
  await visit('/account/sign-up');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('short');
  await button(page, 'Create account').click();
  await page.getByText('this one has 5').waitFor();
  await look(page);
  const email = `${'long.'.repeat(8)}${freshEmail().replace('@', `@${'long.'.repeat(30)}`)}`;
  await signUp(page, email);
  await look(page);
  const { id } = await pages.access.accounts.show(email);
  const { key } = await pages.access.keys.create(email, 'W'.repeat(100));
  await pages.access.keys.create(email, '<b>bold</b> 電気グルーヴ');
  for (let calls = 0; calls < 3; calls += 1) await statusOf(key);
  assert.ok(await pages.access.usage.forAccount(id));
  await visit('/account/developer');
  await page.getByRole('link', { name: /^Revoke W/ }).click();
  await look(page);
  await button(page, 'Revoke key').click();
  await page.getByText('The key is revoked.').waitFor();
  await look(page);
  await page.getByLabel('Name of a new key').fill('shown');
  await button(page, 'Create API key').click();
  await page.locator('#key').waitFor();
  await look(page);
  await visit('/account/developer/apps/two/disconnect');
  await visit('/account/security');
  await visit('/account/delete');
  await visit('/account/nothing');
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`axe finds nothing: ${colorScheme}, ${width} px wide`, { skip }, async (t) => {
      t.mock.method(pages.access.apps, 'list', async () => apps);
      // The pages' own policy lets no foreign script in, axe neither.
      const page = await openWindow({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      await tour(page, isAccessible);
    });
  }
}

test('asking for an account that the operator admits, 320 px wide', { skip }, async () => {
  const own = await servePages({ registration: 'approval' });
  const options = { viewport: { width: 320, height: 800 }, bypassCSP: true };
  const page = await openWindow(options, own.url);
  const fill = async () => {
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill(password);
  };
  await page.goto('/account/sign-up');
  await isAccessible(page);
  await fill();
  await button(page, 'Ask for an account').click();
  await page.getByRole('heading', { name: 'Your request was received' }).waitFor();
  await isAccessible(page);
  const signIn = async () => {
    await page.goto('/account/sign-in');
    await fill();
    await button(page, 'Sign in').click();
  };
  await signIn();
  await page.getByRole('heading', { name: 'Your account is not admitted yet' }).waitFor();
  await isAccessible(page);
  await own.access.pending.approve('ada@example.com');
  await signIn();
  await page.waitForURL('**/account/developer');
});
