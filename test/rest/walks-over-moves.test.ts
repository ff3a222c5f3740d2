/**
 * Walks of lists of which most records move between two pages, more than are looked up at once. Each is met exactly once, at
 * its former position (docs/spec/lists.md#cursors).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { parseRequest } from '../../src/rest/parse-request.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

const count = 1_300;
type List = {
  operation: OperationId;
  slug?: string;
  query: Record<string, string>;
  has: (index: number) => boolean;
};
const isBusy = (index: number): boolean => index % 40 !== 0;
const lists: readonly List[] = [
  { operation: 'listEvents', query: {}, has: () => true },
  { operation: 'listEvents', query: { country: 'DE' }, has: isBusy },
  { operation: 'listEvents', query: { country: 'DE,FR' }, has: () => true },
  { operation: 'listVenueEvents', slug: 'busy-hall', query: {}, has: isBusy },
  { operation: 'listVenueEvents', slug: 'quiet-hall', query: {}, has: (index) => !isBusy(index) },
  { operation: 'listArtistEvents', slug: 'rare-act', query: {}, has: (index) => index % 25 === 0 },
];

/** An event; `hours` later than at first. Every seventh never moves. */
function event(index: number, hours: number): object {
  const start = Date.UTC(2027, 0, 1, 20) + index * 3_600_000 + (index % 7 === 0 ? 0 : hours * 3_600_000);
  return {
    kind: 'event',
    external_id: `e${index}`,
    name: `Night ${index}`,
    start_at: new Date(start).toISOString(),
    venue: isBusy(index)
      ? { name: 'Busy Hall', city: 'Berlin', country: 'DE' }
      : { name: 'Quiet Hall', city: 'Paris', country: 'FR' },
    lineup: [{ name: `Act ${index}` }, ...(index % 25 === 0 ? [{ name: 'Rare Act' }] : [])],
  };
}

const events = (hours: number): object[] => Array.from({ length: count }, (_, index) => event(index, hours));

test('walks over more moved records than are looked up at once meet each exactly once', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'hall', events(0));
  const reader = openCatalogueReader(sqlite);
  const read = ({ operation, slug = '', query }: List, limit: number, cursor: string | null) => {
    const parameters = { ...query, limit: String(limit), ...(cursor === null ? {} : { cursor }) };
    const request = parseRequest(operation, { slug }, parameters, matchingNow);
    return JSON.parse(handleOperation(request, { reader, search: { search: () => [] } as never })) as {
      data: { name: string }[];
      page: { next_cursor: string | null };
    };
  };
  const begun = lists.map((list) => read(list, 3, null));
  // Most by more than the whole length of the list, so that an old cursor lies before all of them.
  await says(sqlite, 'hall', events(2_000));
  const moves = sqlite.prepare('SELECT count(DISTINCT record_id) FROM sort_key_history').pluck().get();
  assert.equal(moves, count - Math.ceil(count / 7));
  for (const [at, list] of lists.entries()) {
    const found = begun[at]?.data.map(({ name }) => name) ?? [];
    let cursor = begun[at]?.page.next_cursor ?? null;
    while (cursor !== null) {
      const { data, page } = read(list, 40, cursor);
      found.push(...data.map(({ name }) => name));
      cursor = page.next_cursor;
    }
    const expected = Array.from({ length: count }, (_, index) => index).filter(list.has);
    assert.deepEqual(
      found,
      expected.map((index) => `Night ${index}`),
      JSON.stringify(list),
    );
  }
});
