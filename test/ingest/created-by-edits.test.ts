/** Records that exist because an edit names them: the report lists them, and its undo deletes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { RecordFinder } from '../../src/store/records/record-finder.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

const edits = (sqlite: Database.Database) => new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' });
const slugsOf = (records: readonly { kind: string; slug: string }[]) =>
  records.map(({ kind, slug }) => `${kind}/${slug}`);
const exists = (sqlite: Database.Database, kind: 'city' | 'artist' | 'genre', slug: string) =>
  new RecordFinder(sqlite).bySlug(kind, slug) !== null;

async function oneNight(t: Parameters<typeof freshFile>[0]) {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    {
      kind: 'event',
      external_id: 'e1',
      name: 'Opening',
      start_at: '2027-12-04T23:00',
      venue: { external_id: 'v1', name: 'Kino Union', city: 'Ljubljana', country: 'SI' },
      lineup: [{ name: 'Ben Klock' }],
    },
  ]);
  return sqlite;
}
const night = 'event/opening-2027-12-04';

test('a city with a typing error is listed, and goes with the undo, also when events show it', async (t) => {
  const sqlite = await oneNight(t);
  const report = await edits(sqlite).set('venue/kino-union', [parseChange('city=Ljublana')]);
  assert.deepEqual(slugsOf(report.created), ['city/ljublana']);
  assert.deepEqual(slugsOf(edits(sqlite).createdBy(edits(sqlite).history('venue/kino-union')[0] as never)), [
    'city/ljublana',
  ]);
  const undo = await edits(sqlite).undo(report.audit_id as number);
  assert.ok(!exists(sqlite, 'city', 'ljublana'));
  // The undo is undone: the city is new again.
  await edits(sqlite).undo(undo.audit_id as number);
  assert.ok(exists(sqlite, 'city', 'ljublana'));
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});

test('an undo keeps a new record that another one names, that has an edit, or that was merged', async (t) => {
  const sqlite = await oneNight(t);
  const change = [
    parseChange('lineup+=Vera Lindt'),
    parseChange('lineup+=Klara Otto'),
    parseChange('genres=Tekno'),
  ];
  const { audit_id, created } = await edits(sqlite).set(night, change);
  assert.deepEqual(slugsOf(created), ['artist/vera-lindt', 'artist/klara-otto', 'genre/tekno']);
  await says(sqlite, 'two', [
    {
      kind: 'event',
      external_id: 'e9',
      name: 'Other',
      start_at: '2027-12-09',
      city: 'Graz',
      country: 'AT',
      lineup: [{ name: 'Vera Lindt' }],
    },
  ]);
  await edits(sqlite).set('artist/klara-otto', [parseChange('country=DE')]);
  await edits(sqlite).undo(audit_id as number);
  assert.ok(exists(sqlite, 'artist', 'vera-lindt') && exists(sqlite, 'artist', 'klara-otto'));
  assert.ok(!exists(sqlite, 'genre', 'tekno'));
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});

test('records that the catalogue has are not new, nor is a record that is added itself', async (t) => {
  const sqlite = await oneNight(t);
  const known = await edits(sqlite).set(night, [
    parseChange('lineup+=ben klock'),
    parseChange('name=Opening Night'),
  ]);
  assert.deepEqual(known.created, []);
  const added = await edits(sqlite).addRecords([
    {
      kind: 'event',
      name: 'Closing',
      start_at: '2027-12-31',
      venue: { name: 'Kino Union', city: 'Ljubljana', country: 'SI' },
      lineup: [{ name: 'Ben Klock' }, { name: 'Orrin' }],
    },
    { kind: 'artist', name: 'Marta Kolar' },
  ]);
  assert.deepEqual(
    added.records.map(({ created }) => slugsOf(created)),
    [['artist/orrin'], []],
  );
});
