/** Programmes that others recorded, imported whole: what they list is what the API gives. Their folder lies beside the repository. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Ended, run } from './cli-run.ts';

const recorded = fileURLToPath(new URL('../../shared/data/', import.meta.url));
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
  const doubts = JSON.parse((await command('duplicates')).stdout) as { data: { kind: string }[] };
  assert.deepEqual(
    doubts.data.map(({ kind }) => kind),
    ['event'],
  );
  const edition = JSON.parse((await command('show', 'edition', 'tomorrowland/2024')).stdout) as {
    lineup_count: number;
  };
  assert.equal(edition.lineup_count, 819);
});
