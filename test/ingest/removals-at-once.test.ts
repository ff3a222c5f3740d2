/** Removals beside imports, and after the process was killed between two transactions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { withWriteLease } from '../../src/ingest/write-lock/write-lease.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ask, assertSettled, freshFile, matchingNow, partition, says } from '../support/matching.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const module = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
const actor = 'terminal:ada' as const;
const removalsOf = (sqlite: Database.Database) => new Removals(sqlite, { now: matchingNow, actor });
const nights = (count: number) =>
  Array.from({ length: count }, (_, day) => ({
    kind: 'event',
    external_id: `e${day}`,
    name: `Nacht ${day}`,
    start_at: `${new Date(matchingNow + day * 86_400_000).toISOString().slice(0, 10)}T22:00`,
    venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
    lineup: [{ name: 'Vera Lindt' }, { name: `Act ${day % 5}` }],
  }));

const namesOf = (sqlite: Database.Database): string[] =>
  sqlite.prepare('SELECT name FROM artists ORDER BY name').pluck().all() as string[];

test('a removal during an import waits for it, and holds afterwards', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', nights(3));
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  const order: string[] = [];
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* input() {
    yield Buffer.from(`${JSON.stringify(nights(4)[3])}\n`);
    await gate;
    yield Buffer.from(
      nights(3)
        .map((line) => JSON.stringify({ ...line, description: 'New' }))
        .join('\n'),
    );
  }
  const importing = withWriteLease(sqlite, { what: 'an import of one', wait: true }, () =>
    importFeed(sqlite, { source: 'one', type: 'feed', now: matchingNow, input: input() }),
  ).then(() => order.push('imported'));
  await delay(50);
  const waits: string[] = [];
  const removals = new Removals(other, { now: matchingNow, actor, onWait: (what) => waits.push(what) });
  const hiding = removals.hide('artist/vera-lindt').then(() => order.push('hidden'));
  await delay(50);
  release();
  await Promise.all([importing, hiding]);
  assert.deepEqual(order, ['imported', 'hidden']);
  assert.deepEqual(waits, ['an import of one']);
  assert.equal(namesOf(sqlite).includes('Vera Lindt'), false);
  assert.equal(partition(sqlite).length, 4);
  assertSettled(sqlite);
});

/** Calls a method of `Removals` in a process that kills itself after so many transactions; false if it ended before. */
function runUntilKilled(sqlite: Database.Database, call: string, transactions: number): boolean {
  const code = `
    import { WriteBatches } from ${module('ingest/write-lock/write-batches.ts')};
    import { Removals } from ${module('ingest/removals/removals.ts')};
    import { openDatabase } from ${module('store/database.ts')};
    const { end } = WriteBatches.prototype;
    let left = ${transactions};
    WriteBatches.prototype.end = function () {
      const isOpen = this.isOpen;
      end.call(this);
      if (isOpen && --left === 0) process.kill(process.pid, 'SIGKILL');
    };
    const sqlite = openDatabase(${JSON.stringify(sqlite.name)}, { create: false });
    await new Removals(sqlite, { now: ${matchingNow}, actor: 'terminal:ada' }).${call};`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { signal, status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.ok(signal === 'SIGKILL' || status === 0, stderr);
  return signal === 'SIGKILL';
}

test('a killed removal of an artist happened or did not, and can be repeated', async (t) => {
  for (const transactions of [2, 4, 6]) {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', nights(120));
    assert.ok(runUntilKilled(sqlite, "hide('artist/vera-lindt')", transactions));
    // The next import finishes the work that was left.
    await says(sqlite, 'two', []);
    const isHidden = sqlite.prepare('SELECT count(*) FROM removed_records').pluck().get() === 1;
    const lineups = ask(sqlite, 'listEvents').map(({ lineup }: { lineup: unknown[] }) => lineup.length);
    assert.deepEqual(new Set(lineups), new Set([isHidden ? 1 : 2]), `after ${transactions} transactions`);
    assertSettled(sqlite);
    await removalsOf(sqlite).hide('artist/vera-lindt');
    assert.equal(namesOf(sqlite).includes('Vera Lindt'), false);
    await removalsOf(sqlite).unhide('artist/vera-lindt');
    const again = ask(sqlite, 'listEvents').map(({ lineup }: { lineup: unknown[] }) => lineup.length);
    assert.deepEqual(new Set(again), new Set([2]));
    assertSettled(sqlite);
  }
});

test('a killed forget is completed by repeating it', async (t) => {
  for (const transactions of [3, 6, 12]) {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [
      { kind: 'artist', external_id: 'vl', name: 'Vera Lindt', real_name: 'Zacharias Quittenbaum' },
      ...nights(20),
    ]);
    const { id } = ask(sqlite, 'getArtist', { slug: 'vera-lindt' });
    assert.ok(runUntilKilled(sqlite, "forget('artist/vera-lindt', { name: 'remove' })", transactions));
    await removalsOf(sqlite).forget(id, { name: 'remove' });
    const texts = sqlite.prepare('SELECT content FROM source_records').pluck().all().join('\n');
    assert.ok(!/Lindt|Quittenbaum/.test(texts), `after ${transactions} transactions`);
    assert.deepEqual(namesOf(sqlite), ['Act 0', 'Act 1', 'Act 2', 'Act 3', 'Act 4']);
    assert.ok(!JSON.stringify(ask(sqlite, 'listEvents')).includes('Lindt'));
    assertSettled(sqlite);
  }
});
