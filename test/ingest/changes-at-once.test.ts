/** Two people, or a person and a sync, who change the same thing at once: each change is whole, and the second one is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { withWriteLease } from '../../src/ingest/write-lock/write-lease.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ask, assertSettled, freshFile, matchingNow, says } from '../support/matching.ts';

const removalsOf = (sqlite: Database.Database, actor = 'ada') =>
  new Removals(sqlite, { now: matchingNow, actor: `terminal:${actor}` });
const editsOf = (sqlite: Database.Database, actor = 'ada') =>
  new Edits(sqlite, { now: matchingNow, actor: `terminal:${actor}` });
const nights = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, day) => ({
    kind: 'event',
    external_id: `e${day}`,
    name: `Nacht ${day}`,
    start_at: `${new Date(matchingNow + day * 86_400_000).toISOString().slice(0, 10)}T22:00`,
    venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
    lineup: [{ name: 'Vera Lindt' }, { name: `Act ${day % 5}` }],
    ...more,
  }));
const slugOf = (sqlite: Database.Database, name: string) =>
  `event/${sqlite.prepare('SELECT slug FROM events WHERE name = ?').pluck().get(name)}`;
const count = (sqlite: Database.Database, table: string): number =>
  sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

function twoConnections(t: Parameters<typeof freshFile>[0]): [Database.Database, Database.Database] {
  const sqlite = freshFile(t);
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  return [sqlite, other];
}
const outcomes = (results: PromiseSettledResult<unknown>[]): string[] =>
  results.map((one) => (one.status === 'fulfilled' ? 'done' : String((one.reason as Error).message))).sort();

test('two purges of one source at once: one removes it, the other says that it is gone', async (t) => {
  const [sqlite, other] = twoConnections(t);
  await says(sqlite, 'wrong', nights(150));
  await says(
    sqlite,
    'right',
    nights(3, { name: 'Other night', venue: { name: 'Haus', city: 'Köln', country: 'DE' } }),
  );
  const results = await Promise.allSettled([
    removalsOf(sqlite).purgeSource('wrong'),
    removalsOf(other, 'bob').purgeSource('wrong'),
  ]);
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length >= 1, true);
  for (const one of results)
    if (one.status === 'rejected')
      assert.match(String((one.reason as Error).message), /There is no source wrong/);
  assert.equal(count(sqlite, 'sources'), 1);
  assert.ok(!ask(sqlite, 'listEvents').some(({ name }: { name: string }) => name.startsWith('Nacht')));
  assertSettled(sqlite);
});

test('a purge while its source is imported: it waits, and nothing of the source is left', async (t) => {
  const [sqlite, other] = twoConnections(t);
  await says(sqlite, 'wrong', nights(30));
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* input() {
    yield Buffer.from(
      `${nights(60)
        .map((line) => JSON.stringify(line))
        .join('\n')}\n`,
    );
    await gate;
    yield Buffer.from(
      nights(90)
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
  }
  const importing = withWriteLease(sqlite, { what: 'an import of wrong', wait: true }, () =>
    importFeed(sqlite, { source: 'wrong', type: 'feed', now: matchingNow, input: input() }),
  );
  await delay(50);
  const purging = removalsOf(other).purgeSource('wrong');
  await delay(50);
  release();
  await Promise.all([importing, purging]);
  assert.deepEqual(
    [count(sqlite, 'events'), count(sqlite, 'source_records'), count(sqlite, 'sources')],
    [0, 0, 0],
  );
  assertSettled(sqlite);
  // An import that begins before the purge ends follows it, and is a new source.
  await says(sqlite, 'wrong', nights(20));
  await Promise.all([
    removalsOf(other).purgeSource('wrong'),
    delay(5).then(() => says(sqlite, 'wrong', nights(10), { alone: false })),
  ]);
  assert.ok([0, 10].includes(count(sqlite, 'events')), String(count(sqlite, 'events')));
  assertSettled(sqlite);
});

test('an edit while a sync writes the same record stands afterwards, with the other values of the sync', async (t) => {
  const [sqlite, other] = twoConnections(t);
  await says(sqlite, 'one', nights(40));
  const event = slugOf(sqlite, 'Nacht 7');
  await Promise.all([
    withWriteLease(sqlite, { what: 'an import of one', wait: true }, () =>
      says(sqlite, 'one', nights(40, { description: 'New', status: 'cancelled' }), { alone: false }),
    ),
    editsOf(other).set(event, [{ field: 'status', operation: 'set', value: 'postponed' }]),
  ]);
  const shown = ask(sqlite, 'getEvent', { slug: event.slice('event/'.length) });
  assert.deepEqual([shown.status, shown.description], ['postponed', 'New']);
  assertSettled(sqlite);
});

test('undo twice at once takes back once', async (t) => {
  const [sqlite, other] = twoConnections(t);
  await says(sqlite, 'one', nights(3));
  const event = slugOf(sqlite, 'Nacht 1');
  for (const status of ['postponed', 'cancelled']) {
    const { audit_id: id } = await editsOf(sqlite).set(event, [
      { field: 'status', operation: 'set', value: status },
    ]);
    const results = await Promise.allSettled([
      editsOf(sqlite).undo(id as number),
      editsOf(other, 'bob').undo(id as number),
    ]);
    const [done, refused] = outcomes(results).reverse();
    assert.equal(done, 'done');
    assert.match(String(refused), /is undone already/);
    assert.equal(ask(sqlite, 'getEvent', { slug: event.slice('event/'.length) }).status, null);
  }
  assertSettled(sqlite);
});

test('hide and delete at once: the record is gone, and one step back shows it again', async (t) => {
  for (const order of [0, 1]) {
    const [sqlite, other] = twoConnections(t);
    await says(sqlite, 'one', nights(5));
    const event = slugOf(sqlite, 'Nacht 2');
    const id = sqlite.prepare("SELECT id FROM events WHERE name = 'Nacht 2'").pluck().get() as number;
    const changes = [() => removalsOf(sqlite).hide(event), () => removalsOf(other, 'bob').delete(event)];
    const results = await Promise.allSettled((order === 0 ? changes : changes.reverse()).map((one) => one()));
    assert.ok(results.some(({ status }) => status === 'fulfilled'));
    assert.ok(!ask(sqlite, 'listEvents').some(({ name }: { name: string }) => name === 'Nacht 2'));
    const state = sqlite.prepare('SELECT state FROM removed_records WHERE record_id = ?').pluck().get(id);
    assert.equal(count(sqlite, 'removed_records'), 1);
    const back = state === 'hidden' ? removalsOf(sqlite).unhide(event) : removalsOf(sqlite).restore(event);
    await back;
    assert.ok(ask(sqlite, 'listEvents').some(({ name }: { name: string }) => name === 'Nacht 2'));
    assertSettled(sqlite);
  }
});
