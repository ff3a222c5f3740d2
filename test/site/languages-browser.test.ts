/** The pages in German and under an identity of their own, in a real browser: Debian's chromium. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { defaultIdentity, type Logo } from '../../src/contract/identity.ts';
import { logoPath, sendAsset } from '../../src/pages/assets.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, runJson, type Server, startServer, temporaryFolder } from '../support/program.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const folder = temporaryFolder();
let server: Server;
let browser: Browser | undefined;
before(async () => {
  const dataFile = join(folder.path, 'languages.db');
  importFeed(dataFile, feed);
  const logoFile = join(folder.path, 'logo.svg');
  writeFileSync(
    logoFile,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 9"><path d="M0 0h99v9H0z" fill="#0057b8"/></svg>',
  );
  const values = [
    'name=Veranstaltungskalender',
    'accent=#ffcc00',
    `logo=${logoFile}`,
    'contact=https://klub.example/kontakt',
    'imprint=https://klub.example/impressum',
    'privacy=https://klub.example/datenschutz',
    'terms=https://klub.example/nutzungsbedingungen',
    'footer=Von Menschen gemacht, die gern tanzen gehen und sich merken, wo.',
    'home-city=berlin',
  ];
  runJson(['settings', 'set', ...values, '--data', dataFile]);
  server = await startServer({ dataFile, now: feedNow });
  if (skip === false) browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server.stop();
  folder.remove();
});

/** A window of a German browser; an error on its console or a request to another host fails the test. */
async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (browser as Browser).newContext({ baseURL: server.url, locale: 'de-DE', ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  watch(page, { origin: server.url });
  return page;
}

const paths = [
  '/',
  '/events',
  '/artists',
  '/genres',
  '/stats',
  '/about',
  '/search?q=nova',
  '/nothing-here',
  '/events/marathon-2026-11-18',
  '/artists/ben-klock',
  '/venues/berghain',
  '/festivals/dekmantel',
  '/festivals/dekmantel/editions/2026',
  '/cities/berlin',
  '/labels/ostgut-ton',
  '/genres/techno',
  '/podcasts/ra-podcast',
  '/oauth/authorize?client_id=unknown',
];

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] };
const check = `(async () => {
  ${axe}
  return (await axe.run(document, { resultTypes: ['violations'] })).violations;
})()`;

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing in German with an own colour, ${colorScheme}; nothing is wider than its window`, {
    skip,
    timeout: 120_000,
  }, async () => {
    const page = await openWindow({ colorScheme, viewport: { width: 390, height: 844 } });
    for (const path of paths) {
      await page.goto(path);
      assert.equal(await page.locator('html').getAttribute('lang'), 'de', path);
      const violations = (await page.evaluate(check)) as Violation[];
      assert.deepEqual(
        violations.map(
          ({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
        ),
        [],
        path,
      );
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        assert.ok(over <= 0, `${path} is ${over} px too wide at ${width}`);
      }
      await page.setViewportSize({ width: 390, height: 844 });
    }
  });

test('the switch leads to the other language and is remembered; suggestions are announced in it', {
  skip,
}, async () => {
  const page = await openWindow();
  await page.goto('/events?city=berlin');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Events in Berlin');
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('**/events?city=berlin&lang=en');
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await page.getByRole('link', { name: 'Venues', exact: true }).click();
  await page.waitForURL('**/venues');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Venues');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Städte', exact: true }).click();
  await page.waitForURL('**/cities');
  // The page that the browser had in English is asked for again.
  await page.goto('/venues');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Orte');
  await page.getByRole('combobox').pressSequentially('tres');
  await page.getByRole('option').filter({ hasText: 'Tresor' }).first().waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /Vorschl/ })
    .waitFor();
  assert.match((await page.getByRole('option').last().textContent()) ?? '', /^Alle Treffer für „tres“$/);
});

test('the colour of the operator is used, in light and dark, so that it can be read', { skip }, async () => {
  const colours: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openWindow({ colorScheme });
    await page.goto('/about');
    colours.push(
      String(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")),
    );
    assert.ok(Number(await page.evaluate("document.querySelector('.mark img').naturalWidth")) > 0);
  }
  assert.notEqual(colours[0], '#ffcc00');
  assert.equal(colours[1], '#ffcc00');
});

test('a hostile SVG that passed every check would still run nothing when it is opened', {
  skip,
}, async () => {
  const content = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" onload="fetch('/ran-by-handler')">
      <script>fetch('/ran'); document.documentElement.setAttribute('data-ran', '1');</script>
      <image href="/loaded.png" width="9" height="9"/>
      <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/framed"/></foreignObject>
    </svg>`,
  );
  const logo: Logo = { type: 'image/svg+xml', ending: 'svg', content, digest: 'abcdefabcdef' };
  const asked: string[] = [];
  const handle = sendAsset(() => ({ ...defaultIdentity(), logo }));
  const host = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === logoPath(logo)) handle(request, response);
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  try {
    const context = await (browser as Browser).newContext();
    const page = await context.newPage();
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}${logoPath(logo)}`;
    await page.goto(url);
    await page.waitForTimeout(500);
    assert.equal(await page.locator('svg').first().getAttribute('data-ran'), null);
    assert.deepEqual(
      asked.filter((path) => path !== '/favicon.ico'),
      [logoPath(logo)],
    );
  } finally {
    host.closeAllConnections();
    host.close();
  }
});
