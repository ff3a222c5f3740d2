/** An import of what a source said before writes none of its records, and still withdraws what is missing from it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { temporaryFolder } from '../support/program.ts';

const now = Date.UTC(2026, 10, 23);
const count = 700;
const lineOf = (at: number) =>
  `${JSON.stringify({
    kind: 'event',
    external_id: `night-${at}`,
    name: `Night ${at}`,
    start_at: `202${at % 2 === 0 ? 7 : 5}-12-${String((at % 28) + 1).padStart(2, '0')}T23:00`,
    venue: { name: `Hall ${at % 20}`, city: 'Berlin', country: 'DE' },
  })}\n`;
const all = Array.from({ length: count }, (_, at) => at);

async function read(sqlite: Database.Database, numbers: readonly number[], more: string[] = []) {
  async function* input() {
    for (const line of [...numbers.map(lineOf), ...more]) yield Buffer.from(line);
  }
  const report = await importFeed(sqlite, {
    source: 'club',
    type: 'feed',
    now,
    input: input(),
    alone: true,
    complete: true,
  });
  return { ...report.kinds.event, refused: report.refused, rejected: report.rejected.length };
}

test('only records that changed or are missing are written', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const sqlite = openDatabase(join(folder.path, 'one.db'), { create: true });
  t.after(() => sqlite.close());
  const rows = () => sqlite.prepare('SELECT * FROM source_records ORDER BY rowid').all();
  const listed = () =>
    sqlite.prepare('SELECT count(*) FROM source_records WHERE withdrawn_ts IS NULL').pluck().get();
  await read(sqlite, all);
  const before = rows();
  for (let round = 0; round < 2; round++) {
    const report = await read(sqlite, all);
    assert.deepEqual([report.unchanged, report.withdrawn, report.refused], [count, 0, null]);
    assert.deepEqual(rows(), before);
  }
  // More than one page of 200, from all parts of the order.
  const kept = all.filter((at) => at % 5 > 1);
  const less = await read(sqlite, kept);
  assert.deepEqual([less.unchanged, less.withdrawn], [kept.length, count - kept.length]);
  assert.equal(listed(), kept.length);
  const refused = await read(sqlite, kept.slice(0, 10));
  assert.match(refused.refused ?? '', new RegExp(`no longer lists ${kept.length - 10} of ${kept.length}`));
  assert.equal(listed(), kept.length);
  const again = await read(sqlite, all);
  assert.deepEqual([again.unchanged, again.updated], [kept.length, count - kept.length]);
  assert.equal(listed(), count);
});

test('a second line that differs from an unchanged one is rejected at each read', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const sqlite = openDatabase(join(folder.path, 'one.db'), { create: true });
  t.after(() => sqlite.close());
  const other = lineOf(0).replace('Night 0', 'Another Night');
  await read(sqlite, [0, 1]);
  for (let round = 0; round < 2; round++) {
    const report = await read(sqlite, [0, 1], [other]);
    assert.deepEqual([report.unchanged, report.updated, report.rejected], [2, 0, 1]);
  }
});
