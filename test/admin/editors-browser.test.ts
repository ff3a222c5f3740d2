/** Tasks of editors in a real browser, from sign-in to the effect in the API: Debian's chromium. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { assertUsable } from '../support/accessibility.ts';
import { failOnComplaints, skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { folder, run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const skip = skipWithoutBrowser;
const watch = failOnComplaints();
const password = 'correct horse battery staple';
const cwd = folder();

const house = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' } };
const event = (id: string, name: string, day: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: `${day}T23:00`,
  ...house,
  ...more,
});
const lineup = (name: string) => ({ lineup: [{ name }] });
const feeds = {
  one: [
    event('1', 'Club Night', '2027-12-03', lineup('Vera Lindt')),
    event('2', 'Club Night', '2027-12-10', lineup('Orrin')),
    event('3', 'Brain Break', '2027-12-17', lineup('Juno Vale')),
    { kind: 'artist', external_id: 'a', name: 'Vera Lindt', country: 'DE' },
  ],
  two: [event('1', 'Friday Party', '2027-12-03'), event('2', 'Friday Party', '2027-12-10')],
};
const calendar = (summary: string) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//club//EN',
    'BEGIN:VEVENT',
    'UID:night-1@club.example',
    'DTSTAMP:20261101T000000Z',
    'DTSTART;TZID=Europe/Berlin:20271203T220000',
    `SUMMARY:${summary}`,
    'LOCATION:Haus am See, Berlin, Germany',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

const club = createServer(({ url }, response) => {
  if (url === '/programme')
    return response.end('<html><body><a href="/events.ics">Subscribe</a></body></html>');
  response.writeHead(200, { 'content-type': 'text/calendar' });
  response.end(calendar('Seekonzert mit Ada'));
});
let served: Served;
let browser: Browser | undefined;
let clubUrl = '';

const command = async (...words: string[]) => {
  const { status, stderr, stdout } = await run([...words, '--data', join(cwd, 'cratebase.db')], { cwd });
  assert.equal(status, 0, stderr);
  return stdout;
};

before(async () => {
  if (skip !== false) return;
  for (const [source, lines] of Object.entries(feeds)) {
    writeFileSync(join(cwd, `${source}.ndjson`), lines.map((line) => JSON.stringify(line)).join('\n'));
    await command('import', join(cwd, `${source}.ndjson`), '--source', source);
  }
  await new Promise<void>((resolve) => club.listen(0, '127.0.0.1', resolve));
  clubUrl = `http://127.0.0.1:${(club.address() as AddressInfo).port}/events.ics`;
  // Steps that wait for a source ask the API again and again.
  served = await serve('--dev --no-sync --fetch-allow 127.0.0.0/8 --window 1000000', { cwd });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  club.closeAllConnections();
  club.close();
});

/** The answer of the API. */
async function api(path: string): Promise<{ status: number; body: { data?: Record<string, unknown> } }> {
  const answer = await fetch(`${served.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${served.key}` },
  });
  return { status: answer.status, body: (await answer.json()) as { data?: Record<string, unknown> } };
}

let editors = 0;
/** A window in which an editor is signed in. */
async function signedIn(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await (browser as Browser).newContext({ baseURL: served.url, ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  watch(page, { origin: served.url });
  const email = `editor${++editors}@example.com`;
  await page.goto('/account/sign-up');
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.locator('main form button').first().click();
  await page.waitForURL(/\/account\/developer/);
  await command('accounts', 'set-role', email, 'editor');
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a pair is decided by keys and undone; the API follows', { skip }, async () => {
  const page = await signedIn();
  await page.goto('/admin/review');
  assert.match((await page.textContent('main')) ?? '', /2 to decide: are these one event\?/);
  assert.equal(await page.locator('tr.differs th').first().textContent(), 'Name (differs)');
  await assertUsable(page);
  const slugs = await page.locator('.compare tbody tr:last-child a').allTextContents();
  assert.equal(slugs.length, 2);
  await page.keyboard.press('s');
  await page.waitForURL(/done=same/);
  assert.match((await page.textContent('main')) ?? '', /Merged\.[\s\S]*1 to decide/);
  const [stays, merged] = await Promise.all(slugs.map((slug) => api(`/events/${slug}`)));
  assert.equal(stays?.body.data?.id, merged?.body.data?.id);
  await page.keyboard.press('u');
  await page.waitForURL(/done=undone/);
  const again = await Promise.all(slugs.map((slug) => api(`/events/${slug}`)));
  assert.notEqual(again[0]?.body.data?.id, again[1]?.body.data?.id);
  await page.context().close();
});

test('two editors open one pair: the second sees who decided it, and then the next pair', {
  skip,
}, async () => {
  const [one, two] = [await signedIn(), await signedIn({ javaScriptEnabled: false })];
  await one.goto('/admin/review');
  await two.goto('/admin/review');
  await button(one, /^Different/).click();
  await one.waitForURL(/done=different/);
  await button(two, /^Same/).click();
  await two.waitForSelector('[role=alert]');
  assert.match(
    (await two.textContent('[role=alert]')) ?? '',
    /decided already: editor\d@example\.com decided that they are different just now/,
  );
  assert.match((await two.textContent('main')) ?? '', /1 to decide: are these one event\?/);
  await button(two, /^Later/).click();
  await two.waitForSelector('.notice.good');
  assert.match((await two.textContent('main')) ?? '', /All pairs are decided/);
  await one.context().close();
  await two.context().close();
});

test('a source is added by its address, read, and removed with all it brought', { skip }, async () => {
  const page = await signedIn();
  await page.goto('/admin/sources');
  await page.getByRole('link', { name: 'Add a source' }).click();
  await assertUsable(page);
  await page.fill('input[name=url]', new URL('/programme', clubUrl).href);
  await button(page, 'Preview').click();
  await page.waitForSelector('#preview');
  assert.match((await page.textContent('main')) ?? '', /a calendar that the page links to: .*events\.ics/);
  assert.match((await page.textContent('main')) ?? '', /Calendar[\s\S]*1 event[\s\S]*Seekonzert mit Ada/);
  await page.fill('input[name=name]', 'Haus am See');
  await button(page, 'Add the source').click();
  await page.waitForURL(/done=added/);
  const found = async () => (await api('/search?q=seekonzert')).body.data as unknown as { slug: string }[];
  for (let tries = 0; (await found()).length === 0 && tries < 200; tries++) await delay(100);
  const slug = (await found())[0]?.slug;
  assert.ok(slug);
  // The events are there before the run is: it ends when the rest of its work is done.
  const isRead = () => page.locator('.tag.good').first().isVisible();
  for (let tries = 0; !(await isRead()) && tries < 200; tries++) {
    await delay(100);
    await page.reload();
  }
  assert.ok(await isRead());
  assert.match((await page.textContent('main')) ?? '', /ok[\s\S]*3 only here|ok[\s\S]*only here/);
  await assertUsable(page);
  await page.fill('textarea[name="exclude"]', '*karaoke*');
  await button(page, 'Save').click();
  await page.waitForURL(/done=saved/);
  assert.equal(await page.inputValue('textarea[name="exclude"]'), '*karaoke*');
  await button(page, 'Pause').click();
  await page.waitForURL(/done=paused/);
  assert.match((await page.textContent('#content dl')) ?? '', /paused/);

  await page.getByRole('link', { name: 'Remove …' }).click();
  assert.match((await page.textContent('main')) ?? '', /1 event[\s\S]*This cannot be undone/);
  await assertUsable(page);
  await page.getByLabel('Delete these records for good').check();
  await button(page, 'Remove with its records').click();
  await page.waitForURL(/done=purging/);
  for (let tries = 0; (await api(`/events/${slug}`)).status !== 404 && tries < 200; tries++) await delay(100);
  assert.equal((await api(`/events/${slug}`)).status, 404);
  await page.context().close();
});

test('an address that cannot be read is refused above the form, which keeps it', { skip }, async () => {
  const page = await signedIn({ javaScriptEnabled: false });
  await page.goto('/admin/sources/add');
  await page.fill('input[name=url]', '/etc/passwd');
  await button(page, 'Preview').click();
  await page.waitForSelector('[role=alert]');
  assert.match((await page.textContent('[role=alert]')) ?? '', /begins with https/);
  assert.equal(await page.inputValue('input[name=url]'), '/etc/passwd');
  await page.context().close();
});

test('an event is hidden and shown again, without scripts', { skip }, async () => {
  const page = await signedIn({ javaScriptEnabled: false });
  await page.goto('/admin/records');
  await page.fill('input[name=q]', 'brain break');
  await button(page, 'Search').click();
  await page.getByRole('link', { name: 'Brain Break' }).click();
  await page.fill('input[name=reason]', 'a private party');
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.waitForURL(/done=hide/);
  assert.equal((await api('/events/brain-break-2027-12-17')).status, 404);
  await page.goto('/admin/records?q=brain');
  assert.match((await page.textContent('#removed ~ *, section:last-of-type')) ?? '', /a private party/);
  await page.getByRole('link', { name: 'Brain Break' }).click();
  await button(page, 'Show it again').click();
  await page.waitForURL(/done=unhide/);
  assert.equal((await api('/events/brain-break-2027-12-17')).status, 200);
  await page.context().close();
});

test('a country is corrected, stands above the source, and is undone in the history', { skip }, async () => {
  const page = await signedIn();
  await page.goto('/admin/records/artist~vera-lindt');
  await assertUsable(page);
  await page.fill('input[name="field.country"]', 'FR');
  await button(page, 'Save').click();
  await page.waitForURL(/done=saved/);
  assert.equal((await api('/artists/vera-lindt')).body.data?.country, 'FR');
  assert.match((await page.textContent('main')) ?? '', /edited by editor\d@example\.com[\s\S]*sources: DE/);
  await command('import', join(cwd, 'one.ndjson'), '--source', 'one');
  assert.equal((await api('/artists/vera-lindt')).body.data?.country, 'FR');
  await button(page, 'Undo').first().click();
  await page.waitForURL(/done=undo/);
  assert.equal((await api('/artists/vera-lindt')).body.data?.country, 'DE');
  await page.context().close();
});

test('an event is added by hand, on a phone', { skip }, async () => {
  const page = await signedIn({ viewport: { width: 390, height: 800 } });
  await page.goto('/admin/add-record');
  await assertUsable(page);
  await page.fill('input[name=name]', 'Winterfest');
  await page.fill('input[name=start_at]', '2027-12-18T22:00');
  await page.fill('input[name=venue]', 'Kornspeicher');
  await page.fill('input[name=city]', 'Hamburg');
  await page.fill('input[name=country]', 'DE');
  await page.fill('input[name="lineup.0.name"]', 'Vera Lindt');
  await page.fill('input[name="lineup.1.name"]', 'Orrin');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForURL(/done=added/);
  await assertUsable(page);
  const added = await api('/events/winterfest-2027-12-18');
  assert.deepEqual(
    (added.body.data as { lineup: { name: string }[] }).lineup.map(({ name }) => name),
    ['Vera Lindt', 'Orrin'],
  );
  await page.goto('/admin/review');
  await assertUsable(page);
  await page.context().close();
});

test('records are merged after a confirmation', { skip }, async () => {
  const page = await signedIn();
  await page.goto('/admin/records/artist~vera-lindt');
  await page.fill('input[name=other]', 'artist/orrin');
  await button(page, 'Continue').click();
  await page.waitForSelector('h1.ask');
  assert.match((await page.textContent('h1')) ?? '', /Merge Orrin into Vera Lindt\?/);
  await button(page, 'Merge').click();
  await page.waitForURL(/done=merge/);
  assert.equal((await api('/artists/orrin')).body.data?.slug, 'vera-lindt');
  await button(page, 'Undo').first().click();
  await page.waitForURL(/done=undo/);
  assert.equal((await api('/artists/orrin')).body.data?.slug, 'orrin');
  await page.context().close();
});
