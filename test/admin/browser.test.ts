/** The console in a real browser: from the link of the first start to an event that programs see; and its accessibility. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { assertUsable } from '../support/accessibility.ts';
import { password, servePages } from '../support/account-pages.ts';
import { openActions } from '../support/admin-pages.ts';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';

const skip = skipWithoutBrowser;

const pages = await servePages({}, undefined, (data) => openActions(data, ['127.0.0.0/8']));
const { access } = pages;
let started: Promise<Browser> | undefined;
after(async () => (await started)?.close());

/** The calendar of a club, with one event in the future. */
const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//club//EN',
  'BEGIN:VEVENT',
  'UID:1@club.example',
  'DTSTART:20991231T220000Z',
  'SUMMARY:The Last Night',
  'LOCATION:Club One\\, Berlin\\, Germany',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
const club = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar),
);
await new Promise<void>((resolve) => club.listen(0, '127.0.0.1', resolve));
after(() => club.close());
const calendarUrl = `http://127.0.0.1:${(club.address() as AddressInfo).port}/events.ics`;

async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  started ??= startBrowser();
  const context = await (await started).newContext({ baseURL: pages.url, ...options });
  context.setDefaultTimeout(15_000);
  return context.newPage();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('without scripts: from the link to an event in the API', { skip }, async () => {
  const page = await openWindow({ javaScriptEnabled: false });
  const link = await access.operatorLinks.createFirst();
  await page.goto(`/admin/start?token=${link?.token}`);
  assert.equal(page.url(), `${pages.url}/admin/start`);
  await page.getByLabel('Email').fill('first@example.com');
  await page.getByLabel('Password').fill(password);
  await button(page, 'Create the operator').click();
  await page.getByRole('heading', { name: 'You are the operator' }).waitFor();
  await page.getByLabel('Address').fill(calendarUrl);
  await page.getByLabel('Name').fill('Club One');
  await button(page, 'Preview').click();
  await page.getByText('The Last Night').waitFor();
  await button(page, 'Add the source').click();
  await page.waitForURL('**/admin/source?**');

  const { key } = await access.keys.create('first@example.com', 'test');
  const names = async () => {
    const answer = await fetch(`${pages.url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  for (let tries = 0; tries < 100 && (await names()).length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(await names(), ['The Last Night']);
  await page.goto('/admin/sources');
  await page.getByText('Club One').first().waitFor();
});

test('the menu leads from the dashboard to the console, for people with a role only', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/account/sign-up');
  await page.getByLabel('Email').fill('menu@example.com');
  await page.getByLabel('Password').fill(password);
  await button(page, 'Create account').click();
  await page.waitForURL('**/account/developer');
  assert.equal(await page.getByRole('link', { name: 'Admin', exact: true }).count(), 0);
  await access.accounts.setRole('menu@example.com', 'editor', 'terminal:test');
  await page.reload();
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.deepEqual(
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link').allTextContents(),
    ['Overview', 'Sources', 'Review', 'Records', 'Audit log'],
  );
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out.').waitFor();
});

test('every page is accessible, in light and dark, and fits a phone', { skip }, async () => {
  const email = 'looks@example.com';
  await access.accounts.create({ email, password });
  await access.accounts.setRole(email, 'operator', 'terminal:test');
  await access.accounts.suspend('menu@example.com', { reason: 'a test' }, 'terminal:test');
  await access.keys.create(email, 'laptop');
  await access.pending.request('waiting@example.com', password, '192.0.2.1');
  const { id } = await access.accounts.show(email);
  const link = await access.operatorLinks.create('terminal:test');
  const paths = ['', '/sources', '/sources/add', '/accounts', `/accounts/${id}`, `/accounts/${id}/delete`];
  paths.push('/audit', '/settings', '/welcome', '/nothing', `/start?token=${link.token}`);
  const page = await openWindow({ reducedMotion: 'reduce' });
  await page.goto('/account/sign-in?next=%2Fadmin');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.waitForURL('**/admin');
  for (const path of paths) {
    await page.goto(`/admin${path}`);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
      [320, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await assertUsable(page, `${path} at ${width} px, ${colorScheme}`);
    }
  }
});

/** What the style sheet counts before the headings of a page, as it is drawn: A1, A2, B1. */
const sectionNumbers = `(() => {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const style = rules.find((rule) => rule instanceof CSSCounterStyleRule && rule.name === 'sides');
  const symbols = style?.symbols.match(/\\w+/g) ?? [];
  let count = 0;
  return [...document.querySelectorAll('.side')].map((section) => {
    if (getComputedStyle(section).counterIncrement === 'side 1') count += 1;
    const label = section.querySelector('.label');
    const { content } = getComputedStyle(label, '::before');
    return label.textContent || (content === 'counter(side, sides)' && label.offsetWidth > 0 ? symbols[count - 1] : '');
  });
})()`;

test('the sections of a page are numbered without gaps, whichever are shown', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/account/sign-in?next=%2Faccount%2Fsecurity');
  await page.getByLabel('Email').fill('looks@example.com');
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.waitForURL('**/account/security');
  const order = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2', 'E1', 'E2'];
  const { id } = await access.accounts.show('looks@example.com');
  for (const path of ['/account/security', '/account/developer', '/admin', `/admin/accounts/${id}`]) {
    await page.goto(path);
    const numbers = (await page.evaluate(sectionNumbers)) as string[];
    assert.ok(numbers.length >= 3, path);
    assert.deepEqual(numbers, order.slice(0, numbers.length), path);
  }
});
