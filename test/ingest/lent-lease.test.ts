/** People change the catalogue while a long import runs: it lends them the write lease (docs/decisions/57-turns-of-sources.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { type HeldLease, withWriteLease } from '../../src/ingest/write-lock/write-lease.ts';
import { openDatabase } from '../../src/store/database.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

/** Opens further connections to a new data file. */
function connections(t: Parameters<typeof freshFile>[0], count: number): Database.Database[] {
  const sqlite = freshFile(t);
  const others = Array.from({ length: count - 1 }, () => openDatabase(sqlite.name, { create: false }));
  t.after(() => {
    for (const other of others) other.close();
  });
  return [sqlite, ...others];
}
const leases = (sqlite: Database.Database) => sqlite.prepare('SELECT * FROM write_leases').all();
async function untilWanted(lease: HeldLease): Promise<void> {
  while (!lease.isWanted()) await delay(20);
}

test('brief work gets the lease in between, and long work that waits does not', async (t) => {
  const [one, two, three, four] = connections(t, 4) as [
    Database.Database,
    Database.Database,
    Database.Database,
    Database.Database,
  ];
  const order: string[] = [];
  const waiting: Promise<unknown>[] = [];
  const work = (sqlite: Database.Database, what: string, isBrief: boolean) =>
    withWriteLease(sqlite, { what, wait: true, isBrief }, async () => {
      order.push(`${what} begins`);
      await delay(150);
      order.push(`${what} ends`);
    });
  await withWriteLease(one, { what: 'an import', wait: true }, async (lease) => {
    assert.equal(lease.isWanted(), false);
    waiting.push(work(two, 'a sync', false), work(three, 'an edit', true), work(four, 'a merge', true));
    await untilWanted(lease);
    await lease.lendToOthers();
    order.push('the import goes on');
    // Whoever asked later has its turn later.
    while (order.filter((what) => what.endsWith('ends')).length < 2) {
      await untilWanted(lease);
      await lease.lendToOthers();
    }
    order.push('the import ends');
  });
  await Promise.all(waiting);
  assert.deepEqual(order.slice(-3), ['the import ends', 'a sync begins', 'a sync ends']);
  const briefs = order.filter((what) => /edit|merge/.test(what));
  for (const [at, what] of briefs.entries())
    if (at % 2 === 1) assert.equal(what.replace('ends', 'begins'), briefs[at - 1]);
  assert.equal(briefs.length, 4);
  assert.deepEqual(leases(one), []);
});

test('a lease that was lent is free when its lender ended meanwhile', async (t) => {
  const [one, two] = connections(t, 2) as [Database.Database, Database.Database];
  const stopped = new AbortController();
  let edit = Promise.resolve();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const lender = withWriteLease(
    one,
    { what: 'an import', wait: true, signal: stopped.signal },
    async (lease) => {
      edit = withWriteLease(two, { what: 'an edit', wait: true, isBrief: true }, async () => {
        end();
        await assert.rejects(lender);
      });
      await untilWanted(lease);
      // The edit has begun when the lender is ended.
      void ended.then(() => stopped.abort(new Error('ended')));
      await Promise.race([
        lease.lendToOthers(),
        ended.then(() => {
          throw new Error('ended');
        }),
      ]);
    },
  );
  await assert.rejects(lender, /ended/);
  await edit;
  assert.deepEqual(leases(two), []);
});

test('an edit is made while an import of the same record runs, and the import goes on after it', async (t) => {
  const [sqlite, other] = connections(t, 2) as [Database.Database, Database.Database];
  await says(sqlite, 'people', [{ kind: 'artist', external_id: 'a0', name: 'Vera Lindt', country: 'DE' }]);
  let isEdited = false;
  let read = 0;
  let edit: Promise<unknown> = Promise.resolve();
  const most = 500;
  async function* artists() {
    edit = new Edits(other, { now: matchingNow, actor: 'terminal:ada' })
      .set('artist/vera-lindt', [{ field: 'country', operation: 'set', value: 'AT' }])
      .then(() => {
        isEdited = true;
      });
    // As if the source were endless: it goes on until the edit is made.
    while (!isEdited && read < most) {
      await delay(20);
      yield { record: { kind: 'artist', external_id: `b${read++}`, name: `Ada Kern ${read}` } };
    }
    yield { record: { kind: 'artist', external_id: 'a0', name: 'Vera Lindt', country: 'CH' } };
  }
  const report = await withWriteLease(sqlite, { what: 'an import', wait: true }, (lease) =>
    importFeed(sqlite, { source: 'people', type: 'feed', now: matchingNow, lease, records: artists() }),
  );
  await edit;
  assert.ok(read < most, 'the edit waited for the end of the import');
  assert.equal(report.kinds.artist?.created, read);
  assert.equal(report.kinds.artist?.updated, 1);
  const country = sqlite.prepare("SELECT country FROM artists WHERE name = 'Vera Lindt'").pluck().get();
  assert.equal(country, 'AT');
  assert.deepEqual(leases(sqlite), []);
});
