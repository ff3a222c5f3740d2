/** Events at closed venues, at their source: in the terminal with --json, and in the console in both languages. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { load } from 'cheerio/slim';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { run } from '../support/cli-run.ts';

const pages = await serveAdmin();
const editor = await personWithRole(pages, 'editor@example.com', 'editor');
const folder = dirname(pages.dataFile);
const place = { city: 'Hamburg', country: 'DE' };
const write = (name: string, lines: object[]): string => {
  writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'));
  return join(folder, name);
};
const venues = write('venues.ndjson', [
  { kind: 'venue', external_id: 'k', name: 'Kornspeicher', ...place, closed_at: '2024-12-31' },
]);
const events = write('events.ndjson', [
  {
    kind: 'event',
    external_id: '1',
    name: 'Night',
    start_at: '2099-05-01',
    venue: { name: 'Kornspeicher', ...place },
  },
]);
const cratebase = (...args: string[]) => run([...args, '--data', pages.dataFile], { cwd: folder });
const registry = await pages.app.sources({ baseUrl: null, fetchAllow: [] });
registry.add({ name: 'seed', type: 'feed', url: venues }, 'terminal:test');
await registry.sync('seed');
registry.add({ name: 'club', type: 'feed', url: events }, 'terminal:test');
const report = await registry.sync('club');

const line =
  /1 event at 1 venue that closed before\. They are in the catalogue\. Check the dates:\n {2}Kornspeicher \(Hamburg, closed 2024-12-31\): 1 event, 2099-05-01\. If it opened again: cratebase edit venue\/kornspeicher closed=/;

test('the report of a run names them, and so do sources list and show', async () => {
  assert.deepEqual(report.closed_venues, {
    events: 1,
    venue_count: 1,
    venues: [
      {
        id: report.closed_venues.venues[0]?.id as string,
        slug: 'kornspeicher',
        name: 'Kornspeicher',
        city: 'Hamburg',
        closed_at: '2024-12-31',
        events: 1,
        next_date: '2099-05-01',
      },
    ],
  });
  const synced = await cratebase('sync', 'club', '--fresh');
  assert.match(synced.stdout, new RegExp(`club: ${line.source}`));
  const listed = await cratebase('sources', 'list');
  assert.match(listed.stderr, new RegExp(`club: ${line.source}`));
  assert.doesNotMatch(listed.stderr, /seed:/);
  assert.match((await cratebase('sources', 'show', 'club')).stdout, line);
  const { data } = JSON.parse((await cratebase('sources', 'list', '--json')).stdout);
  assert.deepEqual(
    data.map(({ name, closed_venues }: { name: string; closed_venues: { events: number } }) => [
      name,
      closed_venues.events,
    ]),
    [
      ['club', 1],
      ['seed', 0],
    ],
  );
  const shown = JSON.parse((await cratebase('sources', 'show', 'club', '--json')).stdout);
  assert.equal(shown.closed_venues.venues[0].slug, 'kornspeicher');
});

test('an import by hand says it as well', async () => {
  const imported = await cratebase('import', events, '--source', 'other');
  assert.match(imported.stderr, line);
  const json = JSON.parse((await cratebase('import', events, '--source', 'other', '--json')).stdout);
  assert.equal(json.closed_venues.events, 1);
});

for (const [language, count, since] of [
  ['en', '1 event at closed venues', 'closed since 31 December 2024 · 1 event, 1 May 2099'],
  ['de', '1 Event an geschlossenen Orten', 'geschlossen seit 31. Dezember 2024 · 1 Event, 1. Mai 2099'],
] as const)
  test(`the console in ${language}`, async () => {
    editor.cookies.set('cratebase_language', language);
    const list = load((await editor.open('/admin/sources')).text);
    assert.ok(list('#live li').text().includes(count));
    const $ = load((await editor.open('/admin/source?name=club')).text);
    const text = $('main').text().replace(/\s+/g, ' ');
    assert.ok(text.includes(count), text);
    assert.ok(text.includes(since), text);
    assert.equal(
      (await editor.send($('#live a[href*="/admin/records/ven_"]').attr('href') ?? '')).status,
      200,
    );
    const other = load((await editor.open('/admin/source?name=seed')).text);
    assert.equal(other('a[href*="/admin/records/ven_"]').length, 0);
  });
