/** Lists of a record have a greatest length: the longest that is allowed goes in, one entry more is refused with a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedRecordSchemas, maxEntries } from '../../src/contract/feed.ts';
import { validateFast } from '../../src/ingest/import/fast-validate.ts';
import { InvalidLine, parseRecord } from '../../src/ingest/import/parse-record.ts';

const entryOf: Record<keyof typeof maxEntries, (index: number) => unknown> = {
  aliases: (index) => `Other name ${index}`,
  artists: (index) => ({ name: `Artist ${index}` }),
  external_ids: (index) => index,
  genres: (index) => `Genre ${index}`,
  lineup: (index) => ({ name: `Act ${index}` }),
  links: (index) => ({ type: 'website', url: `https://page.example/${index}` }),
  tickets: (index) => ({ seller: 'Seller', url: `https://seller.example/${index}` }),
  tracklist: (index) => ({ title: `Title ${index}` }),
};
const least = {
  name: 'Name',
  country: 'DE',
  city: 'Berlin',
  start_at: '2026-12-31',
  festival: { name: 'Festival' },
  edition: '2026',
  podcast: { name: 'Podcast' },
};
const leastOf = (kind: string) => ({
  ...least,
  ...(kind === 'event' ? { festival: undefined } : {}),
  kind,
  external_id: '1',
});

function withList(kind: string, list: keyof typeof maxEntries, count: number) {
  const entries = Array.from({ length: count }, (_, index) => entryOf[list](index));
  const value =
    list === 'external_ids' ? Object.fromEntries(entries.map((id) => [`s${id}`, `${id}`])) : entries;
  return { ...leastOf(kind), [list]: value };
}

for (const [kind, schema] of Object.entries(feedRecordSchemas)) {
  for (const list of Object.keys(maxEntries) as (keyof typeof maxEntries)[]) {
    if (!(list in schema.shape)) continue;
    test(`${kind}: ${list} has at most ${maxEntries[list]} entries`, () => {
      const longest = withList(kind, list, maxEntries[list]);
      assert.equal(schema.safeParse(longest).success, true);
      assert.ok(validateFast(longest));
      const tooLong = withList(kind, list, maxEntries[list] + 1);
      assert.equal(validateFast(tooLong), null);
      assert.equal(schema.safeParse(tooLong).success, false);
      const [counted, most] = [maxEntries[list] + 1, maxEntries[list]].map((count) =>
        count.toLocaleString('en'),
      );
      assert.throws(
        () => parseRecord(tooLong),
        (failure: InvalidLine) => {
          assert.equal(
            failure.message,
            `${list} has ${counted} entries, more than the ${most} that it may have`,
          );
          assert.deepEqual(failure.recordKey, { kind, externalId: '1' });
          return failure instanceof InvalidLine;
        },
      );
    });
  }
}
