/** The peers of the bench answer the same records as cratebase, so that their figures compare the same work. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { JoinedEvents, type PeerEvent } from '../../bench/peers/joins.ts';
import { openFts, openMiniSearch, type PeerSearch } from '../../bench/peers/names.ts';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import { openSearch } from '../../src/catalogue/search.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { parseRequest } from '../../src/rest/parse-request.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { feedLines, generate } from '../rest/filters/generated.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'peers.db');
importFeed(dataFile, feedLines(generate(7, { venues: 15, events: 120 })));
const sqlite = new Database(dataFile, { readonly: true });
const catalogue = { reader: openCatalogueReader(sqlite), search: openSearch(sqlite) };
after(() => {
  sqlite.close();
  folder.remove();
});

const now = Date.parse('2026-11-20T12:00:00Z');
function ask<T>(operation: OperationId, query: Record<string, string>, slug = ''): T {
  return JSON.parse(handleOperation(parseRequest(operation, { slug }, query, now), catalogue)) as T;
}
type Page = { data: PeerEvent[]; page: { next_cursor: string | null } };

/** The members of an event that the peers answer, too. */
const comparable = ({ slug, name, start_at, status, venue, lineup, genres }: PeerEvent): PeerEvent => ({
  slug,
  name,
  start_at,
  status,
  venue: { slug: venue.slug, name: venue.name, city: venue.city, country: venue.country },
  lineup: lineup.map((artist) => ({ slug: artist.slug, name: artist.name })),
  genres: genres.map((genre) => ({ slug: genre.slug, name: genre.name })),
});

describe('the peers of the bench', () => {
  const events = new JoinedEvents(dataFile);

  it('answer the same pages, by key and by offset', async () => {
    const keys = sqlite.prepare('SELECT start_ts AS start, id FROM events ORDER BY start_ts, id').all();
    let cursor: string | null = null;
    let seen = 0;
    do {
      const page: Page = ask('listEvents', { limit: '50', ...(cursor !== null && { cursor }) });
      const expected = page.data.map(comparable);
      const before = (keys[seen - 1] ?? { start: -1e15, id: 0 }) as { start: number; id: number };
      assert.deepEqual((await events.after(before, 50)).map(comparable), expected);
      assert.deepEqual((await events.at(seen, 50)).map(comparable), expected);
      seen += page.data.length;
      cursor = page.page.next_cursor;
    } while (cursor !== null);
    assert.equal(seen, 120);
  });

  it('answer the same details', async () => {
    for (const slug of sqlite.prepare('SELECT slug FROM events').pluck().all() as string[]) {
      const { data } = ask<{ data: PeerEvent }>('getEvent', {}, slug);
      const event = await events.bySlug(slug);
      assert.deepEqual(event && comparable(event), comparable(data));
    }
    assert.equal(await events.bySlug('no-such-event'), null);
  });

  const searches: [string, PeerSearch][] = [
    ['FTS5', openFts(dataFile)],
    ['MiniSearch', openMiniSearch(dataFile)],
  ];
  for (const [title, search] of searches) {
    it(`find the same names: ${title}`, () => {
      const names = sqlite.prepare("SELECT name FROM names WHERE kind IN ('venue', 'artist')").pluck().all();
      for (const name of [...(names as string[]), 'hall', 'night 11', 'nig']) {
        const { data } = ask<{ data: { type: string; slug: string }[] }>('search', { q: name, limit: '25' });
        const own = data.map(({ type, slug }) => `${type} ${slug}`).sort();
        const all = search(name, 1_000).map(({ kind, slug }) => `${kind} ${slug}`);
        const missing = own.filter((hit) => !all.includes(hit));
        assert.deepEqual(missing, [], name);
        if (own.length < 25) assert.deepEqual([...new Set(all)].sort(), own, name);
      }
      assert.deepEqual(search('zzyzx', 10), []);
    });
  }
});
