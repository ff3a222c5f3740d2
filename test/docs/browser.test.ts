/** The reference and the guides in a real browser: Debian's chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { guides } from '../../src/contract/guides.ts';
import { operations } from '../../src/contract/operations.ts';
import { Person, password, servePages } from '../support/account-pages.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = await servePages({ empty: true });
let started: Promise<Browser> | undefined;
const launched = (): Promise<Browser> => {
  started ??= startBrowser();
  return started;
};
after(async () => (await started)?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A window of its own; whatever is refused by the policy, or asked of another host, fails the test. */
async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await launched()).newContext({ baseURL: pages.url, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  watch(page, { origin: pages.url });
  return page;
}

/** Sends the open operation's form, and gives the status of the answer. */
async function execute(page: Page): Promise<string> {
  await button(page, 'Execute').click();
  const status = page.locator('.live-responses-table tbody .response-col_status').first();
  await status.waitFor();
  return ((await status.textContent()) ?? '').trim();
}

test('who is signed in makes a key on the page, asks with it, and revokes it', { skip }, async () => {
  const email = 'ada@example.com';
  await new Person(pages).signUp(email);
  const page = await openWindow();
  await page.goto('/docs');
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.waitForURL('**/docs');
  await page.goto('about:blank');
  await page.goto('/docs#/Catalogue/getStats');
  await button(page, 'Make a key for this page').click();
  await page.getByText('in your account as “Reference”').waitFor();
  assert.match(await execute(page), /^200/);
  assert.ok((await page.locator('.curl').textContent())?.includes('Authorization: Bearer cb_live_'));

  await page.reload();
  await page.getByText('in your account as “Reference”').waitFor();
  await button(page, 'Revoke it').click();
  await button(page, 'Use this key').waitFor();
  assert.match(await execute(page), /^401/);
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
});

test('a key is pasted; what is none is not taken', { skip }, async () => {
  const ada = new Person(pages);
  await ada.signUp('grace@example.com');
  const key = await ada.createKey('laptop');
  const page = await openWindow();
  await page.goto('/docs#/Events/listEvents');
  await page.getByLabel('API key').fill('cb_live_oops');
  await button(page, 'Use this key').click();
  await page.getByText('That is not a key').waitFor();
  await page.getByLabel('API key').fill(` ${key} `);
  await button(page, 'Use this key').click();
  await page.getByText(`Requests from this page carry ${key.slice(0, 15)}…`).waitFor();
  assert.match(await execute(page), /^200/);
  await button(page, 'Forget the key').click();
  await page.getByText('Requests from this page need a key').waitFor();
  // Another tab knows nothing of it.
  assert.equal(await page.evaluate('localStorage.length'), 0);
});

test('every operation is drawn, with an address of its own and values to begin with', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/docs#/Artists/getArtist');
  const open = page.locator('.opblock.is-open');
  await open.waitFor();
  assert.equal(await page.locator('.opblock').count(), Object.keys(operations).length);
  assert.equal(await open.locator('.opblock-summary-path').getAttribute('data-path'), '/artists/{slug}');
  assert.equal(await open.locator('input').first().inputValue(), 'ben-klock');
  assert.ok((await open.locator('.example').first().textContent())?.includes('"ben-klock"'));
});

test('the viewer is loaded for who opens an endpoint, and opens that one', { skip }, async () => {
  const page = await openWindow();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/docs', { waitUntil: 'networkidle' });
  assert.ok(!asked.some((url) => url.includes('swagger')), asked.join(' '));
  assert.equal(await page.getByText('Try it with a key').isVisible(), true);
  await page.getByRole('link', { name: '/api/v1/artists/{slug}', exact: true }).click();
  const open = page.locator('.opblock.is-open');
  await open.waitFor();
  assert.equal(await open.locator('.opblock-summary-path').getAttribute('data-path'), '/artists/{slug}');
  // Our looks have the last word over the viewer's.
  assert.equal(await page.locator('.scheme-container').first().isVisible(), false);
});

test('without scripts the endpoints are listed, and nothing is offered that needs them', {
  skip,
}, async () => {
  const page = await openWindow({ javaScriptEnabled: false });
  await page.goto('/docs');
  assert.equal(await page.locator('.endpoints li').count(), Object.keys(operations).length);
  assert.equal(await page.getByText('Try it with a key').isVisible(), false);
});

test('on a phone no line of code and no guide of the list is cut off', { skip }, async () => {
  const page = await openWindow({ viewport: { width: 390, height: 844 } });
  for (const { name } of guides) {
    await page.goto(`/docs/guides/${name}`);
    const cut = await page.evaluate(`[...document.querySelectorAll('.snippet .code, .guides a')]
      .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.textContent)`);
    assert.deepEqual(cut, [], name);
  }
  const text = await page.locator('.snippet code').first().evaluate('(code) => code.textContent');
  assert.doesNotMatch(String(text), /\n\n\n/, 'what is copied has the lines as they were written');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no axe violation, nothing wider than a phone (${colorScheme})`, { skip }, async () => {
    const page = await openWindow({ colorScheme, viewport: { width: 390, height: 844 } });
    const paths = [
      '/docs/guides',
      ...guides.map(({ name }) => `/docs/guides/${name}`),
      '/changelog',
      '/docs/nope',
    ];
    for (const path of [...paths, '/docs', '/docs#/Catalogue/search']) {
      await page.goto('about:blank');
      await page.goto(path);
      if (path.includes('#/')) await page.locator('.opblock').first().waitFor();
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(wider) <= 0, `${path} is ${wider} px too wide`);
      // In a world of its own, where the policy of the page does not reach.
      const session = await page.context().newCDPSession(page);
      const { frameTree } = await session.send('Page.getFrameTree');
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
        frameId: frameTree.frame.id,
        worldName: 'axe',
      });
      await session.send('Runtime.evaluate', { expression: axe, contextId });
      // What Swagger UI writes is its own: of that, only the colours are ours.
      const expression = `(async () => {
        const own = await axe.run({ exclude: ['#drawn'] });
        const drawn = document.querySelector('#drawn');
        const colours = drawn ? await axe.run(drawn, { runOnly: ['color-contrast'] }) : { violations: [] };
        return JSON.stringify([...own.violations, ...colours.violations].map((one) => [one.id, ...one.nodes.map((node) => node.target + ' ' + node.failureSummary)]));
      })()`;
      const found = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        awaitPromise: true,
        returnByValue: true,
      });
      assert.deepEqual(JSON.parse(String(found.result.value)), [], path);
      await session.detach();
    }
  });
}
