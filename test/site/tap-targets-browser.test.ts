/** On a phone, what can be tapped is large enough for a thumb, on every kind of public page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { smallTargets, targetsOf } from '../support/tap-targets.ts';

const skip = skipWithoutBrowser;
/** In CSS pixels; WCAG 2.2 asks for 24. */
const minHeight = 40;

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

const paths = [
  '/',
  '/events',
  '/events?when=2026-12-05',
  '/events?when=2026-W50',
  '/events?when=2026-12',
  '/events?genre=techno&city=berlin',
  '/artists',
  '/venues',
  '/cities',
  '/labels',
  '/festivals',
  '/genres',
  '/podcasts',
  '/stats',
  '/about',
  '/changelog',
  '/cities/berlin',
  '/cities/berlin?when=tonight',
  '/cities/berlin?when=2026-12',
  '/events/marathon-2026-11-18',
  '/artists/ben-klock',
  '/venues/berghain',
  '/festivals/dekmantel',
  '/festivals/dekmantel/editions/2026',
  '/labels/ostgut-ton',
  '/genres/techno',
  '/podcasts/ra-podcast',
  '/search?q=nova',
  '/search?q=techno+in+Berlin+in+December',
  '/search?q=nothing+that+there+is',
  '/nothing-here',
  '/embed/events?limit=3',
  '/docs',
  '/docs/guides',
  '/docs/guides/first-call',
  '/account/sign-in',
  '/account/sign-up',
  '/account/forgot',
];

test('on a phone every link, button and field outside of sentences suits a thumb', {
  skip,
  timeout: 300_000,
}, async () => {
  const context = await (browser as Browser).newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const [episode = ''] = /\/episodes\/[a-z0-9-]+/.exec((await server.get('/podcasts/ra-podcast')).text) ?? [];
  const [event = ''] = /\/events\/[a-z0-9-]+/.exec((await server.get('/cities/berlin')).text) ?? [];
  let count = 0;
  for (const path of [...paths, episode, event, `${event}?lang=de`]) {
    const answer = await page.goto(path);
    assert.equal(answer?.status(), path === '/nothing-here' ? 404 : 200, path);
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    const targets = await targetsOf(page);
    count += targets.length;
    assert.ok(targets.length > 0, path);
    const small = smallTargets(targets, minHeight).map(
      ({ text, width, height, html }) => `${text}: ${width} × ${height} px in ${html}`,
    );
    assert.deepEqual(small, [], path);
  }
  assert.ok(count > 500, `${count} targets`);
});

test('the measurement finds what is small, what is covered, and leaves out sentences', { skip }, async () => {
  const page = await (browser as Browser).newPage();
  await page.setContent(`<body style="margin: 0; font: 16px/20px sans-serif">
    <p>Words and <a href="#">a link</a> within them.</p>
    <p><a href="#">Alone</a></p>
    <p style="position: relative; height: 48px"><a href="#" style="position: absolute; inset: 0">Large</a></p>
    <p style="position: relative; height: 48px"><a href="#" style="position: absolute; inset: 0">Covered</a>
      <span style="position: absolute; inset: 10px 0 0">above</span></p>
    <button style="width: 10px; height: 44px; padding: 0">N</button>`);
  const small = smallTargets(await targetsOf(page), minHeight).map(({ text }) => text);
  assert.deepEqual(small, ['Alone', 'Covered', 'N']);
});
