/** The preview of an address in the console: events without a place or a time zone, and line-ups that would get shorter. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { load } from 'cheerio/slim';
import { servePages } from '../support/account-pages.ts';
import { openActions, personWithRole } from '../support/admin-pages.ts';
import { floatingCalendar, lineupFeed } from '../support/sites.ts';
import { serve } from '../support/source-server.ts';

const pages = await servePages({}, undefined, (data) => openActions(data, ['127.0.0.0/8']));
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const url = await serve({ after } as unknown as TestContext, (request, response) => {
  if (request.url === '/club.ics') response.setHeader('content-type', 'text/calendar').end(floatingCalendar);
  else
    response
      .setHeader('content-type', 'application/x-ndjson')
      .end(lineupFeed(request.url === '/seller.ndjson'));
});

async function preview(fields: Record<string, string>) {
  const form = { name: '', type: '', ...fields };
  const { status, text } = await editor.fill('/admin/sources/add', form, '/admin/sources/preview');
  assert.equal(status, 200, text.slice(0, 500));
  const $ = load(text);
  return { $, text: $('main').text().replace(/\s+/g, ' ') };
}

test('a calendar without a place has the date alone, and a form for its place', async () => {
  const { $, text } = await preview({ url: `${url}/club.ics` });
  assert.match(text, /3 May 2030/);
  assert.doesNotMatch(text, /23:00/);
  assert.match(text, /One event has no city\./);
  assert.match(text, /One event has a clock time of an unknown time zone, so only the date is shown\./);
  const form = $('form').has('input[name=city]').first();
  assert.deepEqual(
    form
      .find('input:not([type=hidden]), select')
      .map((_, input) => $(input).attr('name'))
      .get(),
    ['city', 'country', 'timezone'],
  );
  const sent = Object.fromEntries(
    form
      .find('input[type=hidden]:not([name=csrf])')
      .map((_, input) => [[$(input).attr('name') ?? '', $(input).attr('value') ?? '']])
      .get(),
  );
  const again = await preview({ ...sent, city: 'Berlin', country: 'DE', timezone: '' });
  assert.match(again.text, /3 May 2030, 23:00 · Berlin/);
  assert.doesNotMatch(again.text, /no city|unknown time zone/);
  // The source is added with what was given.
  assert.equal(
    again.$('form[action$="/admin/sources/add"] [name=options]').attr('value'),
    'city=Berlin\ncountry=DE',
  );
});

test('events that would lose acts are named', async () => {
  const first = await preview({ url: `${url}/club.ndjson`, name: 'club' });
  assert.doesNotMatch(first.text, /would lose acts/);
  const sources = await pages.app.sources({ baseUrl: null, fetchAllow: ['127.0.0.0/8'] });
  sources.add({ name: 'club', type: 'feed', url: `${url}/club.ndjson` }, 'account:editor@example.com');
  await sources.sync('club', {});
  const { text } = await preview({ url: `${url}/seller.ndjson`, name: 'seller' });
  assert.match(text, /Events that would lose acts/);
  assert.match(text, /Lange Nacht ?4 May 2030 · without Bob Beispiel, Cy Muster/);
});
