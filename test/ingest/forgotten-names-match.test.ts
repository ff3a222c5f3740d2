/** After an artist is forgotten, "removed artist" in the names of other records joins none of them. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { readSetting } from '../../src/store/database.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

const forget = (sqlite: Database.Database, artist: string) =>
  new Removals(sqlite, { now: matchingNow, actor: 'terminal:ada' }).forget(artist, { name: 'remove' });
const names = (sqlite: Database.Database, table: string): string[] =>
  sqlite.prepare(`SELECT name FROM ${table} ORDER BY name, id`).pluck().all() as string[];
const artist = (id: string, name: string) => ({ kind: 'artist', external_id: id, name });
const venue = (id: string, name: string) => ({
  kind: 'venue',
  external_id: id,
  name,
  city: 'Hamburg',
  country: 'DE',
});
const label = (id: string, name: string) => ({ kind: 'label', external_id: id, name });
const podcast = (id: string, name: string) => ({ kind: 'podcast', external_id: id, name });

test('venues, labels and podcasts of forgotten names stay apart through every import', async (t) => {
  const sqlite = freshFile(t);
  const first = [
    artist('a1', 'Yolanda Zwirn'),
    artist('a2', 'Bertram Kohl'),
    venue('v1', 'Yolanda Zwirn Club'),
    label('l1', 'Yolanda Zwirn Records'),
    podcast('p1', 'Yolanda Zwirn Podcast'),
  ];
  await says(sqlite, 'one', first);
  await forget(sqlite, 'artist/yolanda-zwirn');
  await forget(sqlite, 'artist/bertram-kohl');
  const second = [
    venue('v8', 'Yolanda Zwirn Cellar'),
    venue('v9', 'Bertram Kohl Club'),
    label('l9', 'Bertram Kohl Records'),
    podcast('p9', 'Bertram Kohl Podcast'),
  ];
  await says(sqlite, 'two', second);
  await says(sqlite, 'three', [venue('v7', 'Bertram Kohl Keller')]);
  const expected = {
    venues: ['Cellar', 'Club', 'Club', 'Keller'],
    labels: ['Records', 'Records'],
    podcasts: ['Podcast', 'Podcast'],
  };
  for (const round of [1, 2]) {
    for (const [table, ends] of Object.entries(expected))
      assert.deepEqual(
        names(sqlite, table),
        ends.map((end) => `removed artist ${end}`),
        `${table}, ${round}`,
      );
    await says(sqlite, 'one', first);
    await says(sqlite, 'two', second);
  }
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});

test('a file of an early build, which has digests of whole names only, keeps the name out of texts', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('a1', 'Yolanda Zwirn')]);
  await forget(sqlite, 'artist/yolanda-zwirn');
  const digests = sqlite.prepare('SELECT digest FROM forgotten_names').pluck().all() as string[];
  const key = Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex');
  const early = [
    ['artist', 'name', 'yolanda zwirn'],
    ['artist', 'source-id', 'one', 'a1'],
  ].map((texts) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['forgotten', ...texts]))
      .digest('base64url'),
  );
  for (const digest of early) assert.ok(digests.includes(digest));
  const remove = sqlite.prepare('DELETE FROM forgotten_names WHERE digest = ?');
  for (const digest of digests) if (!early.includes(digest)) remove.run(digest);
  await says(sqlite, 'two', [venue('v1', 'Yolanda Zwirn Club'), label('l1', 'Friends of Yolanda Zwirn')]);
  assert.deepEqual(names(sqlite, 'venues'), ['removed artist Club']);
  assert.deepEqual(names(sqlite, 'labels'), ['Friends of removed artist']);
  // An artist who is forgotten now has all digests, the other one still has not.
  await says(sqlite, 'two', [artist('a9', 'Bertram Kohl')]);
  await forget(sqlite, 'artist/bertram-kohl');
  await says(sqlite, 'three', [label('l2', 'Bertram Kohl and Yolanda Zwirn')]);
  assert.ok(names(sqlite, 'labels').includes('removed artist and removed artist'));
});
