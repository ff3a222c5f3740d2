/** After an import, searches read one segment of the full-text index, or a large and a few small ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
