/** Artists of one name: an edit of a line-up keeps the record that the editor chose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { Failure } from '../../src/failure.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const nina = (id: string, country: string, genre: string) => ({
  kind: 'artist',
  external_id: id,
  name: 'Nina',
  country,
  external_ids: { discogs: id },
  genres: [genre],
});
const night = (lineup: object[]) => ({
  kind: 'event',
  external_id: 'e1',
  name: 'Tiefdruck',
  start_at: '2027-12-04T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  lineup,
});
const slug = 'tiefdruck-2027-12-04';
const edits = (sqlite: Database.Database) => new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' });
const actsOf = (sqlite: Database.Database): string[] =>
  ask(sqlite, 'listEventLineup', { slug }).map((one: { slug: string }) => one.slug);

async function twoNinas(t: Parameters<typeof freshFile>[0]) {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    nina('1', 'DE', 'Techno'),
    nina('2', 'US', 'House'),
    night([{ name: 'Orrin' }]),
  ]);
  const slugs = sqlite.prepare("SELECT slug FROM artists WHERE name = 'Nina' ORDER BY id").pluck().all() as [
    string,
    string,
  ];
  assert.equal(slugs.length, 2);
  return { sqlite, slugs };
}

test('a line-up names one of two artists of one name, and keeps it through syncs and merges', async (t) => {
  const { sqlite, slugs } = await twoNinas(t);
  for (const chosen of slugs) {
    await edits(sqlite).set(`event/${slug}`, [parseChange(`lineup=artist/${chosen}`)]);
    assert.deepEqual(actsOf(sqlite), [chosen]);
    await says(sqlite, 'one', [night([{ name: 'Orrin' }, { name: 'Somebody Else' }])]);
    assert.deepEqual(actsOf(sqlite), [chosen]);
  }
  // Both at once, with members of an act.
  const both = slugs.map((one, at) => ({ name: 'Nina', record: `artist/${one}`, stage: `Floor ${at}` }));
  await edits(sqlite).set(`event/${slug}`, [{ field: 'lineup', operation: 'set', value: both }]);
  assert.deepEqual(actsOf(sqlite), slugs);
  const { fields } = edits(sqlite).fields(`event/${slug}`);
  const shown = fields.find(({ name }) => name === 'lineup')?.value as { external_id: string }[];
  assert.deepEqual(
    shown.map((one) => one.external_id),
    slugs,
  );
  // The record that it was merged into takes its place.
  await new Corrections(sqlite, matchingNow).merge(`artist/${slugs[1]}`, 'artist/orrin', { force: true });
  assert.equal(actsOf(sqlite).length, 2);
  assert.ok(actsOf(sqlite).includes(slugs[0]));
  assert.ok(actsOf(sqlite).some((one) => one !== slugs[0]));
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});

test('an artist that does not exist is refused, and undo brings the line-up back', async (t) => {
  const { sqlite, slugs } = await twoNinas(t);
  const record = `event/${slug}`;
  await assert.rejects(
    edits(sqlite).set(record, [
      { field: 'lineup', operation: 'set', value: [{ name: 'Nina', record: 'artist/nina-99' }] },
    ]),
    /There is no artist "artist\/nina-99"\./,
  );
  const { audit_id } = await edits(sqlite).set(record, [parseChange(`lineup+=artist/${slugs[1]}`)]);
  assert.deepEqual(actsOf(sqlite), ['orrin', slugs[1]]);
  await edits(sqlite).undo(audit_id as number);
  assert.deepEqual(actsOf(sqlite), ['orrin']);
});

test('a name of several artists is refused, and the message lists them', async (t) => {
  const { sqlite, slugs } = await twoNinas(t);
  const record = `event/${slug}`;
  for (const change of [
    parseChange('lineup+=nina'),
    parseChange('lineup=[{"name": "Nina", "is_live": true}]'),
  ])
    await assert.rejects(edits(sqlite).set(record, [change]), (failure: Failure) => {
      assert.match(
        failure.message,
        /^2 artists are named "[Nn]ina": artist\/nina \(DE · Techno · 0 events\);/,
      );
      assert.match(failure.message, /artist\/nina-us \(US · House · 0 events\)\. Write one of these/);
      assert.deepEqual([failure.exitStatus, failure.details.field], [2, 'lineup']);
      return true;
    });
  assert.deepEqual(actsOf(sqlite), ['orrin']);
  // The record says which one is meant.
  await edits(sqlite).set(record, [parseChange(`lineup+=artist/${slugs[1]}`)]);
  assert.deepEqual(actsOf(sqlite), ['orrin', slugs[1]]);
  // A removal takes the name that the list has.
  await edits(sqlite).set(record, [parseChange('lineup-=Nina')]);
  assert.deepEqual(actsOf(sqlite), ['orrin']);
});

test('a source cannot choose a record by an id of this catalogue', async (t) => {
  const { sqlite, slugs } = await twoNinas(t);
  const id = ask(sqlite, 'getArtist', { slug: slugs[1] }).id as string;
  const forged = [`\u0002${id}`, id].map((external_id, at) => ({ external_id, name: `Forged ${at}` }));
  await says(sqlite, 'other', [{ ...night(forged), external_id: 'e9', name: 'Hochdruck' }]);
  const acts = ask(sqlite, 'listEventLineup', { slug: 'hochdruck-2027-12-04' }) as { name: string }[];
  assert.ok(acts.every(({ name }) => name.startsWith('Forged')));
});
