/** Embedded lists and the installed app in a real browser: Debian's chromium. */
import assert from 'node:assert/strict';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { assertUsable } from '../support/accessibility.ts';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const skip = skipWithoutBrowser;

const folder = temporaryFolder();
let server: Server;
let browser: Browser | undefined;
/** Another site, which embeds a page of the service. */
let other: HttpServer;
before(async () => {
  const dataFile = join(folder.path, 'site.db');
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow });
  other = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site.test').searchParams.get('page');
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      `<!doctype html><html lang="en"><title>Site</title><iframe title="List" width="100%" height="480" src="${server.url}${path}"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  if (skip === false) browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  other.close();
  await server.stop();
  folder.remove();
});

async function openWindow(): Promise<Page> {
  const context = await (browser as Browser).newContext({ baseURL: server.url, locale: 'en' });
  context.setDefaultTimeout(10_000);
  return context.newPage();
}
const siteWith = (path: string): string =>
  `http://localhost:${(other.address() as AddressInfo).port}/?page=${encodeURIComponent(path)}`;

test('another site shows a list in a frame, and no other page', { skip }, async () => {
  const page = await openWindow();
  await page.goto(siteWith('/embed/events?city=berlin&theme=dark'));
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  assert.match((await frame.locator('h1').textContent()) ?? '', /Events in Berlin/);
  const background = await frame
    .locator('body')
    .evaluate(
      (body) =>
        (
          globalThis as unknown as { getComputedStyle: (node: unknown) => { backgroundColor: string } }
        ).getComputedStyle(body).backgroundColor,
    );
  assert.equal(background, 'rgb(19, 18, 17)', 'the theme that the address names');
  assert.deepEqual(await page.context().cookies(), []);
  await page.goto(siteWith('/cities/berlin'));
  await page.waitForTimeout(300);
  // The browser shows an error of its own in the frame.
  assert.equal(await page.frameLocator('iframe').getByRole('link', { name: 'cratebase' }).count(), 0);
});

test('an embedded list is accessible, in both themes and on a phone, and opens a new tab', {
  skip,
}, async () => {
  const page = await openWindow();
  for (const theme of ['light', 'dark'])
    for (const width of [1_000, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(`/embed/events?city=berlin&theme=${theme}`);
      await assertUsable(page);
    }
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.className'), 'name');
  const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await opened.waitForURL('**/events/**');
});

test('the code to embed a list is found by keyboard, and the page stays accessible', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/cities/berlin');
  const summary = page.locator('details.embed > summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  assert.match((await page.locator('#embed-code').textContent()) ?? '', /^<iframe src="http/);
  await assertUsable(page);
});

test('without a connection, opened pages stay, and others say so; nothing of an account is kept', {
  skip,
}, async () => {
  const page = await openWindow();
  await page.goto('/');
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await page.waitForFunction('navigator.serviceWorker.controller !== null');
  await page.goto('/artists/ben-klock');
  await page.goto('/account/sign-in');
  await page.goto('/admin');
  await page.goto('/artists/ben-klock');
  const kept = (await page.evaluate(`(async () => {
    const paths = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
    return paths;
  })()`)) as string[];
  assert.ok(kept.includes('/artists/ben-klock') && kept.includes('/offline'), kept.join(' '));
  assert.deepEqual(
    kept.filter((path) => /account|admin|oauth|api|mcp/.test(path)),
    [],
  );
  await server.stop();
  await page.goto('/artists/ben-klock');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Ben Klock');
  await page.goto('/labels');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'You are offline');
  await assert.rejects(page.goto('/account/sign-in'), /ERR_CONNECTION_REFUSED/);
});
