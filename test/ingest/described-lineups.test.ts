/** Events whose sources state no line-up get the one that a description lists behind a label (docs/decisions/36-descriptions.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';
import { tribeEvent, tribePage } from '../support/sites.ts';
import { read, serve } from '../support/source-server.ts';

const night = (description: string, more: object = {}) => ({
  kind: 'event',
  external_id: '1',
  name: 'Tiefdruck',
  start_at: '2027-12-04T23:00',
  timezone: 'Europe/Berlin',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  description,
  ...more,
});
const slug = 'tiefdruck-2027-12-04';
const acts = (sqlite: Database.Database, event = slug): string[] =>
  ask(sqlite, 'getEvent', { slug: event }).lineup.map(({ name }: { name: string }) => name);
const derived = (sqlite: Database.Database, event = slug) =>
  new Corrections(sqlite, matchingNow).explain(`event/${event}`).derived;
const edit = (sqlite: Database.Database, ...changes: string[]) =>
  new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' }).set(
    `event/${slug}`,
    changes.map(parseChange),
  );

test('a labelled list gives the line-up, and explain says where it is from', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'calendar', [night('Line-up: Vera Lindt, Orrin Vale')]);
  assert.deepEqual(acts(sqlite), ['Vera Lindt', 'Orrin Vale']);
  assert.deepEqual(derived(sqlite), [
    { field: 'lineup', value: ['Vera Lindt', 'Orrin Vale'], from: 'description' },
  ]);
});

test('a stated line-up of any source wins, also an empty one', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'calendar', [night('Line-up: Vera Lindt, Orrin Vale')]);
  await says(sqlite, 'seller', [night('', { lineup: [{ name: 'Milo Strand' }] })], { trust: 1 });
  assert.deepEqual(acts(sqlite), ['Milo Strand']);
  assert.deepEqual(derived(sqlite), []);
  await says(sqlite, 'seller', [night('', { lineup: [] })], { trust: 1, now: matchingNow + 1 });
  assert.deepEqual(acts(sqlite), []);
});

test('acts of the title that the description leaves out are added', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'calendar', [
    night('Live: Vera Lindt', { name: 'Tiefdruck w/ Orrin Vale, Vera Lindt' }),
  ]);
  const event = ask(sqlite, 'listEvents', {}).at(0).slug as string;
  assert.deepEqual(acts(sqlite, event), ['Vera Lindt', 'Orrin Vale']);
  await says(sqlite, 'calendar', [night('', { name: 'Tiefdruck w/ Orrin Vale' })], { now: matchingNow + 1 });
  assert.deepEqual(derived(sqlite, event), [{ field: 'lineup', value: ['Orrin Vale'], from: 'title' }]);
});

test('an editor adds and takes away acts of a derived line-up', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'calendar', [night('Line-up: Vera Lindt, Orrin Vale')]);
  await edit(sqlite, 'lineup-=Orrin Vale', 'lineup+=Milo Strand');
  assert.deepEqual(acts(sqlite), ['Vera Lindt', 'Milo Strand']);
  assert.deepEqual(derived(sqlite), [{ field: 'lineup', value: ['Vera Lindt'], from: 'description' }]);
  await edit(sqlite, 'lineup=[{"name":"Hanne Brocker"}]');
  assert.deepEqual(acts(sqlite), ['Hanne Brocker']);
  assert.deepEqual(derived(sqlite), []);
});

/** A night as three formats write it, with the list in the description. */
const pages = [
  [
    'ical',
    'text/calendar',
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART;TZID=Europe/Berlin:20271204T230000',
      'SUMMARY:Tiefdruck',
      'LOCATION:Kornspeicher\\, Speicherstr. 1\\, 20457 Hamburg\\, Germany',
      'DESCRIPTION:We open at eleven.\\n\\nLINE-UP\\nVera Lindt (live)\\nOrrin Vale\\n\\nTickets: 12 EUR',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  ],
  [
    'jsonld',
    'text/html',
    `<script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'MusicEvent',
      name: 'Tiefdruck',
      startDate: '2030-12-04T23:00:00+01:00',
      location: {
        '@type': 'Place',
        name: 'Kornspeicher',
        address: { addressLocality: 'Hamburg', addressCountry: 'DE' },
      },
      description:
        '<p>We open at eleven.</p><p><b>Line-up:</b> Vera Lindt, Orrin Vale</p><p>Tickets: 12 EUR</p>',
    }).replaceAll('<', '\\u003c')}</script>`,
  ],
  [
    'wordpress',
    'application/json',
    JSON.stringify(
      tribePage([
        tribeEvent(1, {
          title: 'Tiefdruck',
          description:
            '<p>We open at eleven.</p>\n<h3>LINE-UP</h3>\n<ul>\n<li>Vera Lindt (live)</li>\n<li>Orrin Vale</li>\n</ul>',
        }),
      ]),
    ),
  ],
] as const;

for (const [type, contentType, body] of pages)
  test(`${type}: the list in the description`, async (t) => {
    const url = await serve(t, (_, response) => response.setHeader('content-type', contentType).end(body));
    const { records, rejected } = await read(type, `${url}/`);
    assert.deepEqual(rejected, []);
    const sqlite = freshFile(t);
    await says(sqlite, 'site', records);
    const [{ slug: event }] = ask(sqlite, 'listEvents', {});
    assert.deepEqual(acts(sqlite, event), ['Vera Lindt', 'Orrin Vale']);
    assert.equal(derived(sqlite, event)[0]?.from, 'description');
  });
