/** The preview of a festival's feed in the console: editions with days, acts and sets. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { load } from 'cheerio/slim';
import { servePages } from '../support/account-pages.ts';
import { openActions, personWithRole } from '../support/admin-pages.ts';
import { festivalFeed } from '../support/sites.ts';
import { serve } from '../support/source-server.ts';

const pages = await servePages({}, undefined, (data) => openActions(data, ['127.0.0.0/8']));
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const url = await serve({ after } as unknown as TestContext, (_, response) =>
  response.setHeader('content-type', 'application/x-ndjson').end(festivalFeed),
);

for (const [language, found, listed] of [
  [
    'en',
    '1 festival edition, 1 other record',
    '19 Jul 2030 – 21 Jul 2030 · Berlin · 1 festival edition, 2 acts, 2 sets with a time',
  ],
  [
    'de',
    '1 Festivalausgabe, 1 anderer Eintrag',
    '19. Juli 2030 – 21. Juli 2030 · Berlin · 1 Festivalausgabe, 2 Acts, 2 Sets mit Uhrzeit',
  ],
] as const)
  test(`in ${language}: days, acts and sets of the edition`, async () => {
    editor.cookies.set('cratebase_language', language);
    const form = { url: `${url}/festival.ndjson`, name: '', type: '' };
    const { status, text } = await editor.fill('/admin/sources/add', form, '/admin/sources/preview');
    assert.equal(status, 200);
    const $ = load(text);
    const facts = $('main').text().replace(/\s+/g, ' ');
    assert.ok(facts.includes(found), facts);
    assert.ok(facts.includes(listed), facts);
  });
