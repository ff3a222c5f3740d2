/** The public pages in a real browser: Debian's chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const folder = temporaryFolder();
let server: Server;
let browser: Browser | undefined;
before(async () => {
  const dataFile = join(folder.path, 'site.db');
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow });
  if (skip === false) browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server.stop();
  folder.remove();
});

/** A window of its own; what the page complains of on its console, or loads from elsewhere, fails the test. */
async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (browser as Browser).newContext({ baseURL: server.url, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  watch(page, { origin: server.url });
  return page;
}

const box = (page: Page) => page.getByRole('combobox');
const options = (page: Page) => page.getByRole('option');

test('suggestions while typing: keyboard navigation, and announcements for screen readers', {
  skip,
}, async () => {
  const page = await openWindow();
  await page.goto('/');
  await box(page).pressSequentially('ben klo');
  await options(page).first().waitFor();
  assert.equal(await box(page).getAttribute('aria-expanded'), 'true');
  assert.match((await options(page).first().textContent()) ?? '', /Artist.*Ben Klock/);
  await page
    .getByRole('status')
    .filter({ hasText: /suggestion/ })
    .waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await box(page).getAttribute('aria-activedescendant');
  assert.equal(active, await options(page).first().getAttribute('id'));
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowUp');
  assert.equal(await box(page).getAttribute('aria-activedescendant'), null);
  await page.keyboard.press('ArrowUp');
  assert.equal(await options(page).last().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Escape');
  assert.equal(await options(page).count(), 0, 'nothing of the list is to be seen');
  assert.equal(await box(page).getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/artists/ben-klock');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Ben Klock');
});

test('a click on a suggestion; the last leads to all results; Enter alone searches', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/events');
  await box(page).pressSequentially('tres');
  await options(page).filter({ hasText: 'Tresor' }).first().click();
  await page.waitForURL('**/venues/tresor');
  await box(page).pressSequentially('nova');
  // While the answer to less is still shown, its last leads elsewhere.
  await options(page).filter({ hasText: '“nova”' }).click();
  await page.waitForURL('**/search?q=nova');
  assert.ok((await page.locator('.hits li').count()) >= 2);
  await page.goto('/');
  await box(page).fill('nova');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=nova');
});

test('only the answer to what was typed last is shown; an empty box shows nothing', { skip }, async () => {
  const page = await openWindow();
  await page.goto('/');
  await page.route('**/search/hits?q=n', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue().catch(() => {});
  });
  await box(page).pressSequentially('n');
  await page.waitForTimeout(200);
  await box(page).fill('tresor');
  await options(page).filter({ hasText: 'Tresor' }).first().waitFor();
  await page.waitForTimeout(1_000);
  assert.match((await options(page).first().textContent()) ?? '', /Tresor/);
  await box(page).fill('');
  await options(page).first().waitFor({ state: 'detached' });
});

test('without scripts: search by a form, and the whole way from there to an event', { skip }, async () => {
  const page = await openWindow({ javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('searchbox').fill('ben klock');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Ben Klock' }).first().click();
  await page.getByRole('link', { name: 'Marathon' }).click();
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Marathon');
  await page.goto('/genres');
  const techno = page.locator('summary').filter({ hasText: 'Techno' });
  await techno.click();
  await page.getByRole('link', { name: 'Dub Techno' }).click();
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Dub Techno');
});

const paths = [
  '/',
  '/events',
  '/artists',
  '/genres',
  '/stats',
  '/search?q=nova',
  '/nothing-here',
  '/events/marathon-2026-11-18',
  '/artists/ben-klock',
  '/venues/berghain',
  '/festivals/dekmantel',
  '/festivals/dekmantel/editions/2026',
  '/cities',
  '/cities/berlin',
  '/cities/berlin?when=tonight',
  '/cities/berlin?when=2026-12',
  '/cities/berlin?when=2026-W50',
  '/events?when=2026-12-05',
  '/search?q=techno+in+Berlin+in+December',
  '/labels/ostgut-ton',
  '/genres/techno',
  '/podcasts/ra-podcast',
];

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] };
const check = `(async () => {
  ${axe}
  return (await axe.run(document, { resultTypes: ['violations'] })).violations;
})()`;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${colorScheme}; no page is wider than a phone`, {
    skip,
    timeout: 120_000,
  }, async () => {
    const page = await openWindow({ colorScheme, viewport: { width: 390, height: 844 }, bypassCSP: false });
    const { text } = await server.get('/podcasts/ra-podcast');
    const [episode = ''] = /\/episodes\/[a-z0-9-]+/.exec(text) ?? [];
    for (const path of [...paths, episode]) {
      const answer = await page.goto(path);
      assert.equal(answer?.status(), path === '/nothing-here' ? 404 : 200, path);
      const violations = (await page.evaluate(check)) as Violation[];
      const messages = violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes
            .slice(0, 3)
            .map((node) => `  ${node.html.slice(0, 200)}\n  ${node.failureSummary}`)
            .join('\n')}`,
      );
      assert.deepEqual(messages, [], path);
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok((over as number) <= 0, `${path} is ${over} px too wide`);
    }
    await page.goto('/');
    await box(page).pressSequentially('berl');
    await options(page).first().waitFor();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(
      ((await page.evaluate(check)) as Violation[]).map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      [],
      'suggestions',
    );
  });
}

/**
 * What of links and boxes a reader cannot see: beside the window, or cut off by what they stand in. The rows of days and
 * genres are moved sideways.
 */
const cutOff = `[...document.querySelectorAll('.bar a, .bar input, .bar button, main nav a')].flatMap((one) => {
  if (one.closest('.days, .genre-chips')) return [];
  const { left, right } = one.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && one.scrollWidth <= one.clientWidth + 1 ? [] : [one.textContent];
})`;

test('on a phone all of the bar is in sight, the present part among it; the search box shows what it is for', {
  skip,
}, async () => {
  for (const width of [320, 390]) {
    const page = await openWindow({ viewport: { width, height: 844 } });
    for (const path of ['/', '/genres', '/podcasts', '/docs/guides/first-call', '/artists']) {
      await page.goto(path);
      assert.deepEqual(await page.evaluate(cutOff), [], `${path} at ${width}`);
      if (path === '/genres' || path === '/podcasts')
        assert.ok(await page.locator('.sections [aria-current]').isVisible(), path);
    }
    await page.goto('/');
    const room = await page.evaluate(`(() => {
      const box = document.querySelector('main input[name=q]');
      const { font, paddingLeft, paddingRight } = getComputedStyle(box);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = font;
      return box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - pen.measureText(box.placeholder).width;
    })()`);
    if (width === 390) assert.ok(Number(room) >= 0, `the placeholder is ${-Number(room)} px too long`);
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(over) <= 0, `${over} px too wide at ${width}`);
  }
});

test('on a phone cities above events and sets of a timetable are large enough for a thumb', {
  skip,
}, async () => {
  const page = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  let count = 0;
  for (const path of ['/events?when=2026-12-05', '/festivals/dekmantel/editions/2026']) {
    await page.goto(path);
    const heights = (await page.evaluate(
      `[...document.querySelectorAll('.listing h3 a, .sets a')].map((one) => one.getBoundingClientRect().height)`,
    )) as number[];
    for (const height of heights) assert.ok(height >= 40, `${path}: ${height} px`);
    count += heights.length;
  }
  assert.ok(count > 0);
});

test('in a frame the whole entry of an event is its link, and the link to all events suits a thumb', {
  skip,
}, async () => {
  const page = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto('/embed/events?limit=3');
  const targets = await page.evaluate(`[...document.querySelectorAll('.listing li')].map((entry) => {
    const { left, bottom } = entry.getBoundingClientRect();
    return document.elementFromPoint(left + 4, bottom - 4)?.className;
  })`);
  assert.deepEqual(targets, ['name', 'name', 'name']);
  const height = (await page.locator('footer a').boundingBox())?.height ?? 0;
  assert.ok(height >= 40, `${height} px`);
});

test('on a phone the days are one row with the present one first, large enough for a thumb, and events follow', {
  skip,
}, async () => {
  const page = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const path of ['/', '/cities/berlin', '/cities/berlin?when=month', '/events']) {
    await page.goto(path);
    const boxes = (await page.evaluate(
      `[...document.querySelectorAll('.days .chips a, .sections a')].map((one) => {
        const { top, height } = one.getBoundingClientRect();
        return { top, height, isDay: one.closest('.days') !== null };
      })`,
    )) as { top: number; height: number; isDay: boolean }[];
    const days = boxes.filter(({ isDay }) => isDay);
    assert.equal(new Set(days.map(({ top }) => Math.round(top))).size, 1, path);
    for (const { height } of boxes) assert.ok(height >= 44, `${path}: ${height} px`);
    const current = page.locator('.days .chips [aria-current]');
    if ((await current.count()) > 0)
      assert.ok(((await current.boundingBox())?.x ?? 400) < 100, `${path}: the present day is out of sight`);
  }
  await page.goto('/');
  const first = await page.locator('.listing a.name, .empty').first().boundingBox();
  assert.ok((first?.y ?? 2_000) < 844, `the first event begins at ${first?.y} px`);
  // The whole entry is the link.
  await page.goto('/events');
  const entry = await page.locator('.listing li').first().boundingBox();
  await page.touchscreen.tap((entry?.x ?? 0) + 10, (entry?.y ?? 0) + (entry?.height ?? 0) - 8);
  await page.waitForURL('**/events/*');
});

test('near me: a click asks for the position, and a rounded one leads to the nearest city', {
  skip,
}, async () => {
  const context = await (browser as Browser).newContext({
    baseURL: server.url,
    geolocation: { latitude: 52.512345, longitude: 13.398765 },
    permissions: ['geolocation'],
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (one) => asked.push(one.url()));
  await page.goto('/cities');
  await page.getByRole('button', { name: 'Near me' }).click();
  await page.waitForURL(/\/cities\/.+/);
  assert.deepEqual(
    asked.filter((url) => url.includes('/near')),
    [`${server.url}/near?at=52.5,13.4`],
  );
  await context.close();
  const without = await openWindow({ javaScriptEnabled: false });
  await without.goto('/cities');
  assert.equal(await without.getByRole('button', { name: 'Near me' }).count(), 0);
});

test('a remembered city begins the home page, until it is forgotten, without scripts', { skip }, async () => {
  const page = await openWindow({ javaScriptEnabled: false });
  await page.goto('/');
  await page.goto('/cities/berlin');
  await page.getByRole('button', { name: 'Remember Berlin' }).click();
  await page.getByRole('heading', { name: 'Tonight in Berlin' }).waitFor();
  await page.getByRole('button', { name: 'Forget Berlin' }).click();
  await page.waitForURL('/');
  assert.equal(await page.getByRole('heading', { name: 'Tonight in Berlin' }).count(), 0);
});
