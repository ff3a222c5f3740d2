import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSearch } from '../../src/catalogue/search.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { temporaryFolder } from '../support/program.ts';

test('a typo in the beginning of a word that many names have, and none at its start', async () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const sqlite = openDatabase(join(folder.path, 'words.db'), { create: true });
  after(() => sqlite.close());
  const now = Date.UTC(2026, 10, 20);
  async function* lines() {
    for (let at = 0; at < 700; at++) {
      const artist = { kind: 'artist', external_id: `${at}`, name: `The Kraftwerk${at}` };
      yield Buffer.from(`${JSON.stringify(artist)}\n`);
    }
  }
  await importFeed(sqlite, { source: 'words', type: 'feed', now, input: lines() });
  const search = openSearch(sqlite);
  for (const text of ['krafwe', 'krfatwe', 'krafwerk', 'kraftewrk', 'kratfwerk1']) {
    const hits = search.search(text, 5, now).map((json) => (JSON.parse(json) as { name: string }).name);
    assert.equal(hits.length, 5, text);
    for (const name of hits) assert.match(name, /^The Kraftwerk\d+$/);
  }
});
