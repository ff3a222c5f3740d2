/** A source that is being read: its page says so and updates itself; without scripts it has a link to reload. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { assertUsable } from '../support/accessibility.ts';
import { servePages } from '../support/account-pages.ts';
import { openActions, personWithRole } from '../support/admin-pages.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const fetchAllow = ['127.0.0.0/8'];

const event = {
  kind: 'event',
  external_id: '1',
  name: 'Slow Night',
  start_at: '2099-05-01T22:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
};
/** Ends the response that the feed's server holds back. */
let finish: () => void = () => {};
const club = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.write(`${JSON.stringify(event)}\n`);
  finish = () => response.end();
});

const pages = await servePages({}, undefined, (data) => openActions(data, fetchAllow));
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
let browser: Browser | undefined;

before(async () => {
  if (skip !== false) return;
  await new Promise<void>((resolve) => club.listen(0, '127.0.0.1', resolve));
  const { port } = club.address() as AddressInfo;
  const registry = await pages.app.sources({ baseUrl: null, fetchAllow });
  for (const name of ['one', 'two'])
    registry.add({ name, type: 'feed', url: `http://127.0.0.1:${port}/${name}.ndjson` }, 'terminal:test');
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  club.closeAllConnections();
  club.close();
});

async function openPage(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await (browser as Browser).newContext({ baseURL: pages.url, ...options });
  context.setDefaultTimeout(30_000);
  await context.addCookies([...editor.cookies].map(([name, value]) => ({ name, value, url: pages.url })));
  const page = await context.newPage();
  watch(page, { origin: pages.url, refusesStatuses: true });
  return page;
}

const notice = (page: Page) => page.locator('[role=status]').first();

test('the page of a source follows its run, and keeps what is typed', { skip }, async () => {
  const page = await openPage();
  await page.goto('/admin/source?name=one');
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('The source is being read.', { exact: true }).waitFor();
  assert.ok(await page.getByRole('link', { name: 'Reload' }).isHidden());
  await assertUsable(page);
  const list = await openPage();
  await list.goto('/admin/sources');
  await list.getByText('being read', { exact: true }).waitFor();

  await page.fill('input[name=city]', 'typed');
  finish();
  await page.getByText('The source was read. The page shows the result.').waitFor();
  assert.match((await page.textContent('#live')) ?? '', /ok[\s\S]*1 record listed[\s\S]*done/);
  assert.equal(await page.inputValue('input[name=city]'), 'typed');
  await list.getByText('No source is being read any more.').waitFor();
  assert.match((await list.textContent('#live')) ?? '', /one[\s\S]*ok[\s\S]*1 record listed/);
  await page.context().close();
  await list.context().close();
});

test('without scripts, a link reloads the page until the run has ended', { skip }, async () => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/admin/source?name=two');
  // Before the click: on a busy machine, the source may be asked before the page shows its link.
  finish = () => {};
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('link', { name: 'Reload' }).waitFor();
  const reload = async (text: RegExp) => {
    for (let tries = 0; tries < 100 && !text.test((await notice(page).textContent()) ?? ''); tries++) {
      await page.waitForTimeout(100);
      await page.getByRole('link', { name: 'Reload' }).click();
      await page.waitForLoadState();
      finish();
    }
    assert.match((await notice(page).textContent()) ?? '', text);
  };
  await reload(/The source was read/);
  assert.equal(await page.getByRole('link', { name: 'Reload' }).count(), 0);
  assert.match((await page.textContent('#live')) ?? '', /1 record listed/);
  await page.context().close();
});

test('the list shows that a source is being removed, until it is gone', { skip }, async () => {
  const page = await openPage();
  await page.goto('/admin/source/remove?name=two');
  await page.getByLabel('Delete these records for good').check();
  await page.getByRole('button', { name: 'Remove with its records' }).click();
  await page.getByText('two and its records are removed.').waitFor();
  assert.doesNotMatch((await page.textContent('#live')) ?? '', /two/);
  await page.context().close();
});
