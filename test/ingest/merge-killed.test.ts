/**
 * A merge of a record that very many events show takes several transactions (docs/decisions/15-write-lock.md). Where it
 * is killed between two, the next write completes it, or leads everything back.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { findRowProblems } from '../../src/store/integrity/rows.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const module = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** More than are led to another record in one transaction. */
const shows = 1_200;
const events = Array.from({ length: shows }, (_, index) => ({
  kind: 'event',
  external_id: `e${index}`,
  name: `Night ${index}`,
  start_at: `${new Date(matchingNow + index * 86_400_000).toISOString().slice(0, 10)}T22:00`,
  venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
  lineup: [{ name: 'Vera Lindt' }, { name: `Act ${index % 20}` }],
}));

/** Merges in a process that kills itself after so many transactions. */
function mergeUntilKilled(sqlite: Database.Database, merged: [string, string], transactions: number): void {
  const code = `
    import { WriteBatches } from ${module('ingest/write-lock/write-batches.ts')};
    import { Corrections } from ${module('ingest/corrections/corrections.ts')};
    import { openDatabase } from ${module('store/database.ts')};
    const { end } = WriteBatches.prototype;
    let left = ${transactions};
    WriteBatches.prototype.end = function () {
      end.call(this);
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
    };
    const sqlite = openDatabase(${JSON.stringify(sqlite.name)}, { create: false });
    await new Corrections(sqlite, ${matchingNow}).merge(...${JSON.stringify(merged)});`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { signal, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(signal, 'SIGKILL', stderr);
}

/** What every event shows and refers to. */
const shown = (sqlite: Database.Database) =>
  sqlite
    .prepare(
      `SELECT e.id, e.item_json AS item, v.slug AS venue, (
         SELECT group_concat(a.slug ORDER BY l.position) FROM lineups l JOIN artists a ON a.id = l.artist_id WHERE l.record_id = e.id
       ) AS lineup, (
         SELECT count(*) FROM event_artists x WHERE x.event_id = e.id
       ) AS artists
       FROM events e LEFT JOIN venues v ON v.id = e.venue_id ORDER BY e.id`,
    )
    .all();
const waiting = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT count(*) FROM stale_records').pluck().get() as number;

for (const [kind, stays, goes] of [
  ['venue', 'ganz-anders', 'kornspeicher'],
  ['artist', 'klara-otto', 'vera-lindt'],
] as const) {
  test(`of two records of the kind ${kind}: killed, repeated and completed`, async (t) => {
    const sqlite = freshFile(t);
    const other =
      kind === 'venue'
        ? { kind, external_id: 'x', name: 'Ganz Anders', city: 'Berlin', country: 'DE' }
        : { kind, external_id: 'x', name: 'Klara Otto' };
    await says(sqlite, 's', [other, ...events]);
    const before = shown(sqlite);
    const merged: [string, string] = [`${kind}/${stays}`, `${kind}/${goes}`];

    // Some are led to the record that stays, and the merge itself did not happen.
    mergeUntilKilled(sqlite, merged, 1);
    assert.ok(waiting(sqlite) >= 1_000);
    assert.notDeepEqual(shown(sqlite), before);
    await says(sqlite, 'next', []);
    assert.equal(waiting(sqlite), 0);
    assert.deepEqual(shown(sqlite), before);
    assert.deepEqual(findRowProblems(sqlite), []);

    // All are led, the merge happened, and the events wait to be worked out.
    mergeUntilKilled(sqlite, merged, 3);
    assert.equal(waiting(sqlite) >= shows, true);
    await says(sqlite, 'next', []);
    const killed = shown(sqlite);
    assert.equal(waiting(sqlite), 0);
    const slugs = new Set(JSON.stringify(killed).match(new RegExp(`${stays}|${goes}`, 'g')));
    assert.deepEqual([...slugs], [stays]);
    assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);

    // As a merge that nothing disturbed.
    const undisturbed = freshFile(t);
    await says(undisturbed, 's', [other, ...events]);
    const { moved } = await new Corrections(undisturbed, matchingNow).merge(...merged);
    assert.equal(moved.records.event, shows);
    assert.deepEqual(shown(undisturbed), killed);
  });
}
