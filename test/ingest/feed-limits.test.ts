/** Lists and ids of a record have a maximum length: the longest that is allowed is accepted, a longer one is rejected with a reason. */
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

test('ids at other services have no control characters, and at most 1,000 characters', () => {
  const parseIds = (ids: Record<string, unknown>) => {
    const line = { ...leastOf('artist'), external_ids: ids };
    const parsed = parseRecord(line);
    assert.deepEqual(validateFast(line)?.statement, 'statement' in parsed ? parsed.statement : null);
    return 'statement' in parsed ? (parsed.statement as { external_ids?: unknown }).external_ids : null;
  };
  assert.deepEqual(
    parseIds({
      musicbrainz: '\u0001/evil\u001b[31m',
      'disc\u0001ogs': 12,
      ra: '',
      spotify: null,
      wikidata: '\u0001',
      songkick: '9'.repeat(1_000),
    }),
    { musicbrainz: '/evil[31m', discogs: '12', songkick: '9'.repeat(1_000) },
  );
  for (const [ids, reason] of [
    [{ musicbrainz: '9'.repeat(1_001) }, 'external_ids.musicbrainz is longer than 1,000 characters'],
    [
      { ['s'.repeat(1_001)]: '1' },
      'external_ids has a name of a service that is longer than 1,000 characters',
    ],
  ] as const) {
    const line = { ...leastOf('artist'), external_ids: ids };
    assert.equal(validateFast(line), null);
    assert.throws(() => parseRecord(line), new InvalidLine(reason, { kind: 'artist', externalId: '1' }));
  }
});
