/** Venues and labels that closed, artists and festivals that ended (docs/spec/resources.md#closed-and-ended-records). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { isPartialDate } from '../../src/contract/partial-date.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const lines = [
  { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'venue', external_id: 'v', name: 'Kornspeicher', city: 'Berlin', country: 'DE', closed_at: 2016 },
  { kind: 'venue', external_id: 'w', name: 'Wasserwerk', city: 'Berlin', country: 'DE' },
  { kind: 'artist', external_id: 'a', name: 'Vera Lindt', ended_at: '2020-09-23' },
  { kind: 'label', external_id: 'l', name: 'Tiefgang', closed_at: '2019-04' },
  { kind: 'festival', external_id: 'f', name: 'Nachtlager', ended_at: '2027' },
];

const only = (
  sqlite: Database.Database,
  operation: Parameters<typeof ask>[1],
  slug: string,
  now?: number,
) => {
  const { closed_at, ended_at, status } = ask(sqlite, operation, {
    slug,
    ...(now === undefined ? {} : { now }),
  });
  return [closed_at ?? ended_at ?? null, status];
};

test('a partial date is a year, a month or a day that exists', () => {
  for (const good of ['2016', '2016-02', '2016-02-29']) assert.ok(isPartialDate(good), good);
  for (const bad of ['16', '2016-13', '2016-02-30', '2016-2', '2016-02-', 'soon', '2016-02-29T10:00'])
    assert.ok(!isPartialDate(bad), bad);
});

test('the status follows from the date, in details and lists', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', lines);
  assert.deepEqual(only(sqlite, 'getVenue', 'kornspeicher'), ['2016', 'closed']);
  assert.deepEqual(only(sqlite, 'getVenue', 'wasserwerk'), [null, 'open']);
  assert.deepEqual(only(sqlite, 'getArtist', 'vera-lindt'), ['2020-09-23', 'ended']);
  assert.deepEqual(only(sqlite, 'getLabel', 'tiefgang'), ['2019-04', 'closed']);
  assert.deepEqual(only(sqlite, 'getFestival', 'nachtlager'), ['2027', 'active'], 'its year has not come');
  const later = Date.parse('2027-01-01T00:00:00Z');
  assert.deepEqual(only(sqlite, 'getFestival', 'nachtlager', later - 1), ['2027', 'active']);
  assert.deepEqual(only(sqlite, 'getFestival', 'nachtlager', later), ['2027', 'ended']);
  assert.deepEqual(
    ask(sqlite, 'listVenues').map(({ name, status }: { name: string; status: string }) => [name, status]),
    [
      ['Kornspeicher', 'closed'],
      ['Wasserwerk', 'open'],
    ],
  );
  const reader = openCatalogueReader(sqlite);
  assert.notEqual(reader.epoch(later - 1, 1), reader.epoch(later, 1), 'a new day, a new ETag');
});

test('a date that is none rejects the line; an editor sets it, and an export carries it', async (t) => {
  const sqlite = freshFile(t);
  const bad = {
    kind: 'venue',
    external_id: 'x',
    name: 'Halle',
    city: 'Berlin',
    country: 'DE',
    closed_at: '2016-13',
  };
  const { rejected } = await says(sqlite, 'one', [...lines, bad]);
  assert.match(JSON.stringify(rejected), /closed_at.*is not a year, month or day/);
  const edits = new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' });
  await edits.set('venue/wasserwerk', [parseChange('closed=2024-12-31')]);
  assert.deepEqual(only(sqlite, 'getVenue', 'wasserwerk'), ['2024-12-31', 'closed']);
  await assert.rejects(edits.set('artist/vera-lindt', [parseChange('ended_at=last year')]), /ended_at/);
  await edits.set('artist/vera-lindt', [parseChange('ended_at=')]);
  assert.deepEqual(only(sqlite, 'getArtist', 'vera-lindt'), [null, 'active']);
  const copy = freshFile(t);
  await says(
    copy,
    'copy',
    [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line) as object),
  );
  assert.deepEqual(only(copy, 'getVenue', 'wasserwerk'), ['2024-12-31', 'closed']);
  assert.deepEqual(only(copy, 'getLabel', 'tiefgang'), ['2019-04', 'closed']);
  for (const { name, problems } of [...checkFile(sqlite), ...checkFile(copy)])
    assert.deepEqual(problems, [], name);
});
