/** The shown title of an event with several sources, and the titles by which search finds it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { openSearch } from '../../src/catalogue/search.ts';
import type { ReviewSide } from '../../src/contract/review-items.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { toRecordSummary } from '../../src/ingest/corrections/explain.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { titleAliases, titleOwner } from '../../src/ingest/records/event-titles.ts';
import type { SourceRecord } from '../../src/ingest/records/survivorship.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { forecastMerge, toSide } from '../../src/ingest/review/sides.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { RecordFinder, type RecordIdentity } from '../../src/store/records/record-finder.ts';
import { SourceRecords, type SourceStatementRow } from '../../src/store/resolution/source-records.ts';
import { normalizeForSearch } from '../../src/text/fold.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
const venue = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
const lineup = [{ name: 'Vera Lindt' }, { name: 'Klara Otto' }];

/** Source records of equal trust with these titles, in the order of precedence. */
const records = (titles: readonly string[], trusts: readonly number[] = []) =>
  titles.map(
    (name, at) =>
      ({ trust: trusts[at] ?? 50, statement: { name, start_at: '2027-10-12', venue, lineup } }) as never,
  ) as SourceRecord<'event'>[];
const chosen = (titles: readonly string[], trusts?: readonly number[]) =>
  titleOwner(records(titles, trusts)).statement.name;

/** Each title beats the ones behind it, in any order of precedence. */
const contests: readonly (readonly [string, ...string[]])[] = [
  ['Klubnacht', 'KLUBNACHT 12.10.', 'Kornspeicher', '12.10.2027', 'Vera Lindt, Klara Otto', 'TBA'],
  [
    'Klubnacht',
    'Klubnacht 12.10.',
    'Klubnacht @ Kornspeicher',
    'Klubnacht (SOLD OUT)',
    'Samstag im Kornspeicher',
  ],
  [
    'Tiefdruck',
    'Kornspeicher Hamburg',
    'Hamburg',
    'Techno Party',
    'Club Night',
    'Nordton presents Vera Lindt',
  ],
  ['Tiefdruck mit Vera Lindt und Klara Otto', 'Tiefdruck mit Vera Lindt un…', 'Tiefdruck mit Vera Lin'],
  ['Vera Lindt – Nordlicht Tour', 'Vera Lindt', 'Vera Lindt Tickets'],
  ['ABBA Nacht', 'ABBA NACHT IM KORNSPEICHER'],
];

for (const [best, ...others] of contests) {
  test(`of equal trust, "${best}" is shown`, () => {
    for (const other of others) {
      assert.equal(chosen([best, other]), best, other);
      assert.equal(chosen([other, best]), best, other);
    }
    assert.equal(chosen([...others, best]), best);
  });
}

test('higher trust wins, and the order of precedence among equally good titles', () => {
  assert.equal(chosen(['KLUBNACHT 12.10.', 'Klubnacht'], [60, 50]), 'KLUBNACHT 12.10.');
  assert.equal(chosen(['TBA', 'Klubnacht'], [60, 50]), 'Klubnacht');
  assert.equal(chosen(['Tiefdruck', 'Nordton']), 'Tiefdruck');
  assert.equal(chosen(['Nordton', 'Tiefdruck']), 'Nordton');
  assert.equal(chosen(['TBA', 'TBC']), 'TBA');
});

test('titles with other words become aliases', () => {
  const titles = ['Klubnacht', 'KLUBNACHT', 'Klubnacht 12.10.', 'TBA', 'Nacht der Clubs', '12.10. klubnacht'];
  assert.deepEqual(titleAliases(records(titles), 'Klubnacht'), ['Klubnacht 12.10.', 'Nacht der Clubs']);
  assert.deepEqual(titleAliases(records(['Klubnacht']), 'Klubnacht'), []);
  const many = Array.from({ length: 40 }, (_, at) => `Nacht ${at}`);
  assert.equal(titleAliases(records(many), 'Klubnacht').length, 15);
});

const show = (name: string, more: object = {}) => ({
  kind: 'event',
  external_id: '1',
  name,
  start_at: '2027-12-04T23:00',
  venue,
  lineup,
  ...more,
});
const titles = (sqlite: Database.Database): string[] =>
  ask(sqlite, 'listEvents').map(({ name }: { name: string }) => name);
/** The names of the events that search finds, by REST and by the filters of agents. */
function find(sqlite: Database.Database, q: string): string[] {
  const hits = openSearch(sqlite)
    .search(q, 10, matchingNow)
    .map((hit) => JSON.parse(hit))
    .filter(({ type }) => type === 'event')
    .map(({ name }) => name);
  const events = openCatalogueReader(sqlite).eventNames.find(normalizeForSearch(q), {}, 10);
  assert.deepEqual(
    events.map((item) => JSON.parse(item).name),
    hits,
    q,
  );
  return hits;
}
function assertSound(sqlite: Database.Database): void {
  for (const { name, ok, problems } of checkFile(sqlite)) assert.ok(ok, `${name}: ${problems.join('; ')}`);
  const buffered = sqlite
    .prepare(
      "SELECT count(*) FROM names WHERE kind = 'event' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = record_id)",
    )
    .pluck()
    .get();
  assert.equal(buffered, 0);
}

test('an event is found by the title of each source, until that changes or leaves', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [show('Tiefdruck')]);
  await says(sqlite, 'two', [show('TIEFDRUCK: Zimmer 12.10.', { url: 'https://two.example/1' })]);
  assert.deepEqual(titles(sqlite), ['Tiefdruck']);
  for (const q of ['tiefdruck', 'tiefdruck zimmer', 'zimm', 'TIEFDRUCK: Zimmer 12.10.'])
    assert.deepEqual(find(sqlite, q), ['Tiefdruck'], q);
  assertSound(sqlite);
  const { revision } = await says(sqlite, 'two', [
    show('TIEFDRUCK: Zimmer 12.10.', { url: 'https://two.example/1' }),
  ]);
  assert.equal(revision, (await says(sqlite, 'one', [show('Tiefdruck')])).revision);

  await says(sqlite, 'two', [show('TIEFDRUCK: Keller', { url: 'https://two.example/1' })]);
  assert.deepEqual([find(sqlite, 'zimmer'), find(sqlite, 'keller')], [[], ['Tiefdruck']]);
  // Of the changed title nothing is left to find the event by.
  await says(sqlite, 'two', [show('TIEFDRUCK', { url: 'https://two.example/1' })]);
  assert.deepEqual(find(sqlite, 'keller'), []);
  await says(sqlite, 'two', [show('TIEFDRUCK: Keller', { url: 'https://two.example/1' })]);
  await says(sqlite, 'two', [show('Anderes', { external_id: '2', start_at: '2028-02-04T23:00' })], {
    complete: true,
    force: true,
  });
  assert.deepEqual(find(sqlite, 'keller'), []);
  assertSound(sqlite);
});

/** The events of a file as the review compares them, with their source records. */
function sidesOf(sqlite: Database.Database): { side: ReviewSide; statements: SourceStatementRow[] }[] {
  const finder = new RecordFinder(sqlite);
  return ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => {
    const record = finder.bySlug('event', slug) as RecordIdentity;
    const statements = new SourceRecords(sqlite).statementsOf(record.id);
    const side = toSide(toRecordSummary(record), ask(sqlite, 'getEvent', { slug }), statements, {});
    return { side, statements };
  });
}

test('titles follow a merge, its undo, a split, hiding and showing', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [show('Klubnacht')]);
  const elsewhere = { venue: { ...venue, name: 'Alte Werft' }, lineup: [{ name: 'Mo Park' }] };
  await says(sqlite, 'two', [show('NACHTSCHICHT', elsewhere)], { now: matchingNow + 60_000 });
  assert.deepEqual(find(sqlite, 'nachtschicht'), ['NACHTSCHICHT']);
  const merging = new Corrections(sqlite, matchingNow);
  // The source of the poorer title is the newer one.
  const rows = sidesOf(sqlite);
  const [one, two] = rows.map(({ side }) => side) as [ReviewSide, ReviewSide];
  const forecast = forecastMerge(
    one,
    two,
    rows.flatMap(({ statements }) => statements),
  );
  assert.deepEqual([forecast.name, forecast.name_from], ['Klubnacht', 'one']);
  const merged = await merging.merge('event/klubnacht-2027-12-04', 'event/nachtschicht-2027-12-04');
  assert.deepEqual(merged.name_from, { source: 'one', external_id: '1', because: 'title' });
  assert.deepEqual(titles(sqlite), ['Klubnacht']);
  assert.deepEqual(find(sqlite, 'nachtschicht'), ['Klubnacht']);
  assertSound(sqlite);

  const removals = new Removals(sqlite, { now: matchingNow, actor });
  await removals.hide('event/klubnacht-2027-12-04');
  assert.deepEqual([find(sqlite, 'nachtschicht'), find(sqlite, 'klubnacht')], [[], []]);
  await removals.unhide('event/klubnacht-2027-12-04');
  assert.deepEqual(find(sqlite, 'nachtschicht'), ['Klubnacht']);

  const [record = '', , ...statements] = merged.undo;
  await merging.split(record, statements);
  assert.deepEqual(titles(sqlite).toSorted(), ['Klubnacht', 'NACHTSCHICHT']);
  assert.deepEqual(
    [find(sqlite, 'klubnacht'), find(sqlite, 'nachtschicht')],
    [['Klubnacht'], ['NACHTSCHICHT']],
  );
  assertSound(sqlite);
});

test('an edited title replaces all titles', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [show('Tiefdruck')]);
  await says(sqlite, 'two', [show('Tiefdruck Keller')]);
  await new Edits(sqlite, { now: matchingNow, actor }).set(`event/${ask(sqlite, 'listEvents')[0].slug}`, [
    { field: 'name', operation: 'set', value: 'Hochdruck' },
  ]);
  assert.deepEqual([find(sqlite, 'hochdruck'), find(sqlite, 'keller')], [['Hochdruck'], []]);
  assertSound(sqlite);
});

test('a forgotten artist leaves the titles that are not shown', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [show('Tiefdruck')]);
  await says(sqlite, 'two', [show('Tiefdruck mit Vera Lindt 4.12.')]);
  const shown = titles(sqlite);
  assert.deepEqual(find(sqlite, 'tiefdruck lindt'), shown);
  await new Removals(sqlite, { now: matchingNow, actor }).forget('artist/vera-lindt', { name: 'remove' });
  assert.deepEqual(find(sqlite, 'lindt'), []);
  assert.equal(sqlite.prepare("SELECT count(*) FROM names WHERE name LIKE '%Lindt%'").pluck().get(), 0);
  await says(sqlite, 'two', [show('Tiefdruck mit Vera Lindt 4.12.')]);
  assert.deepEqual(find(sqlite, 'lindt'), []);
  assertSound(sqlite);
});

test('many events with two titles each: each is listed once, the earliest first', async (t) => {
  const sqlite = freshFile(t);
  const nights = (name: string) =>
    Array.from({ length: 30 }, (_, at) =>
      show(name, {
        external_id: String(at),
        start_at: `2027-${String(1 + (at % 12)).padStart(2, '0')}-${String(1 + at).padStart(2, '0')}T23:00`,
      }),
    );
  await says(sqlite, 'one', nights('Tiefdruck'));
  await says(sqlite, 'two', nights('Tiefdruck Keller'));
  const events = openCatalogueReader(sqlite).eventNames;
  for (const limit of [1, 7, 20, 50]) {
    const found = events.find('tiefdruck', {}, limit).map((item) => JSON.parse(item).start_at);
    assert.equal(found.length, Math.min(30, limit));
    assert.deepEqual(found, [...new Set(found)].toSorted());
  }
});
