/** Programmes that others recorded, imported whole: what they list is what the API gives. Their folder lies beside the repository. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { normalizeForSearch } from '../../src/text/fold.ts';
import { type Ended, run } from '../support/cli-run.ts';

const recorded = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const skip = existsSync(recorded) ? false : `needs the recorded data in ${recorded}`;

test('a club of nine years and a festival of fourteen stages, whole', { skip }, async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'cratebase-recorded-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const command = async (...args: string[]): Promise<Ended> => {
    const ended = await run([...args, '--data', 'recorded.db', '--json'], { cwd });
    assert.equal(ended.status, 0, ended.stderr);
    return ended;
  };
  await command('import', join(recorded, 'berghain/feed.ndjson'), '--source', 'club');
  await command('import', join(recorded, 'festivals/tomorrowland-2024.ndjson'), '--source', 'festival');
  const stats = JSON.parse((await command('stats')).stdout) as Record<string, number>;
  // One concert is listed under two ids of the club's, with no clock that would tell whether it was one.
  assert.equal(stats.events, 2_497);
  const doubts = JSON.parse((await command('duplicates')).stdout) as {
    data: { kind: string; rule: string }[];
  };
  const typos = doubts.data.filter(({ rule }) => rule === 'one letter apart');
  assert.deepEqual(
    doubts.data.filter((pair) => !typos.includes(pair)).map(({ kind }) => kind),
    ['event'],
  );
  // "Ryan Elliot" and "Ryan Elliott": the club's list of nine years has names with one letter less or more.
  assert.ok(typos.length >= 20 && typos.every(({ kind }) => kind === 'artist'), `${typos.length} typos`);
  const edition = JSON.parse((await command('show', 'edition', 'tomorrowland/2024')).stdout) as {
    lineup_count: number;
  };
  assert.equal(edition.lineup_count, 819);
});

test('artists, labels, houses of several sources are the same in whatever order these come', {
  skip,
}, async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'cratebase-recorded-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const seed = fileURLToPath(new URL('../../seed/', import.meta.url));
  const dumps = ['artists', 'labels'].map((kind) =>
    join(recorded, `discogs/discogs_20200806_${kind}.xml.gz`),
  );
  const sources: string[][] = [
    [...readdirSync(seed).map((file) => join(seed, file)), '--source', 'starter', '--trust', '90'],
    [...dumps, '--source', 'discogs', '--type', 'discogs'],
    [join(recorded, 'musicbrainz'), '--source', 'musicbrainz', '--type', 'musicbrainz'],
    [join(recorded, 'berghain/feed.ndjson'), '--source', 'club'],
    [join(recorded, 'festivals/tomorrowland-2024.ndjson'), '--source', 'festival'],
  ];
  const kinds = ['artist', 'label', 'venue', 'festival', 'city'];
  const filled = async (data: string, order: string[][]) => {
    for (const source of order) await run(['import', ...source, '--data', data, '--json'], { cwd });
    const names: string[] = [];
    for (const kind of kinds) {
      const { stdout } = await run(['export', '--kind', kind, '--data', data], { cwd });
      for (const line of stdout.trim().split('\n')) {
        const { name, change } = JSON.parse(line) as { name: string; change?: string };
        // How the one that was named first is spelt depends on who came first.
        if (change !== 'merged') names.push(`${kind} ${normalizeForSearch(name)}`);
      }
    }
    return names.sort();
  };
  const [one, other] = [await filled('a.db', sources), await filled('b.db', sources.toReversed())];
  assert.deepEqual(one, other);
  assert.ok(one.length > 9_000);
  assert.equal(one.filter((name) => name === 'artist aphex twin').length, 1);
  assert.equal(
    one.filter((name) => name === 'artist afx').length,
    1,
    'an alias of an artist that is one of its own',
  );
  assert.equal(one.filter((name) => name === 'venue berghain').length, 1);
});
