/** The pages of signing in, in a real browser: WCAG AA, phone and desktop, light and dark, and without scripts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { isAccessible } from '../support/accessibility.ts';
import { password, servePages } from '../support/account-pages.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { serveMail } from '../support/smtp.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const mailbox = await serveMail();
const pages = await servePages({
  smtpUrl: mailbox.url,
  mailFrom: 'noreply@example.org',
  oidcIssuer: 'https://login.example.org',
  oidcClientId: 'x',
});

let started: Promise<Browser> | undefined;
const launched = (): Promise<Browser> => {
  started ??= startBrowser();
  return started;
};
after(async () => (await started)?.close());

let made = 0;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** From a reset link to a second factor, looking at each page. */
async function tour(page: Page, look: (page: Page) => Promise<void>): Promise<void> {
  const email = `person${++made}@example.com`;
  await pages.access.accounts.create({ email });
  const open = async (path: string) => {
    await page.goto(path);
    await look(page);
  };
  await open('/account/sign-in');
  await open('/account/forgot/sent');
  await open('/account/forgot');
  const { path } = await pages.access.signIn.resets.create(email, 'terminal:test');
  await open(path);
  await page.getByLabel('New password').fill(password);
  await button(page, 'Set password').click();
  await page.getByText('Your new password is set.').waitFor();
  await open(path);
  await page.goto('/account/sign-in');
  const signIn = async () => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await button(page, 'Sign in').click();
  };
  await signIn();
  await page.waitForURL('**/account/developer');
  await open('/account/security');
  await open('/account/security/second-factor');
  await page.getByLabel('Your password').fill(password);
  await button(page, 'Set up').click();
  await page.locator('#key').waitFor();
  await look(page);
  const key = ((await page.locator('#key').textContent()) ?? '').replaceAll(' ', '');
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  await page.locator('input[name=code]').fill('000000');
  await button(page, 'Turn on').click();
  await page.getByText('The code is not right').waitFor();
  await look(page);
  await page.locator('input[name=code]').fill(code);
  await button(page, 'Turn on').click();
  await page.locator('#codes').waitFor();
  await look(page);
  const [recovery = ''] = ((await page.locator('#codes').textContent()) ?? '').split('\n');
  await open('/account/security/second-factor');
  await page.context().clearCookies();
  await page.goto('/account/sign-in');
  await signIn();
  await page.waitForURL('**/account/sign-in/code');
  await look(page);
  await page.getByLabel('Code').fill(recovery);
  await button(page, 'Sign in').click();
  await page.waitForURL('**/account/developer');
}

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  test(`axe finds nothing: ${colorScheme}, ${width} px wide`, { skip }, async () => {
    const browser = await launched();
    const context = await browser.newContext({
      baseURL: pages.url,
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    context.setDefaultTimeout(20_000);
    await tour(await context.newPage(), isAccessible);
  });
}

test('the pages work without scripts, and request nothing from elsewhere', { skip }, async () => {
  const browser = await launched();
  const context = await browser.newContext({ baseURL: pages.url, javaScriptEnabled: false });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  watch(page, { origin: pages.url });
  await tour(page, async () => {
    assert.equal(await page.getByText('passkey', { exact: false }).and(page.locator('button')).count(), 0);
  });
});
