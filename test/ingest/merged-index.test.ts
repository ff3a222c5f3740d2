/** After an import, searches read one segment of the full-text index, or a large and a few small ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameIndexWriter } from '../../src/store/search/name-index.ts';
import { freshFile, says } from '../support/matching.ts';

const artists = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'artist',
    external_id: `a${first + index}`,
    name: `Vera ${(first + index) * 7919} Lindt ${first + index}`,
  }));

test('an import merges the full-text index if it added much to it', async (t) => {
  const sqlite = freshFile(t);
  const segments = () =>
    sqlite
      .prepare<[], { id: number; pages: number }>(
        'SELECT segid AS id, count(*) AS pages FROM name_search_idx GROUP BY segid',
      )
      .all();
  await says(sqlite, 'club', artists(1, 3_000));
  const [large, ...others] = segments();
  assert.equal(others.length, 0);
  await says(sqlite, 'city', artists(10_000, 3));
  assert.ok(
    segments().some(({ id }) => id === large?.id),
    'three names do not write the whole index',
  );
  await says(sqlite, 'tickets', artists(20_000, 1_500));
  assert.equal(segments().length, 1);
  assert.ok((segments()[0]?.pages ?? 0) > (large?.pages ?? 0));
});

test('small transactions merge the index in small steps, and leave few segments', (t) => {
  const sqlite = freshFile(t);
  const names = openNameIndexWriter(sqlite);
  names.startBuffering();
  const count = <T>(text: string) => sqlite.prepare<[], T>(text).pluck().get() as T;
  const addRecord = sqlite.prepare(
    "INSERT INTO records (kind, revision, created_revision) VALUES ('artist', 1, 1)",
  );
  let longest = 0;
  for (let step = 0; step < 1_500; step++) {
    sqlite.exec('BEGIN IMMEDIATE');
    for (let one = 0; one < 4; one++) {
      const id = Number(addRecord.run().lastInsertRowid);
      names.write('artist', id, `Vera ${id * 7919} Lindt${id}`, [], { prominence: 0 }, '', true);
    }
    const before = count<number>('SELECT total_changes()');
    names.flush();
    sqlite.exec('COMMIT');
    longest = Math.max(longest, count<number>('SELECT total_changes()') - before);
  }
  assert.ok(longest < 150, `${longest} rows of the index changed in one transaction`);
  const segments = count<number>('SELECT count(DISTINCT segid) FROM name_search_idx');
  assert.ok(segments < 40, `${segments} segments`);
});
