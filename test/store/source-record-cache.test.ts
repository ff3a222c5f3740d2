/** Comparisons read source records from a cache: whatever writes them, the cache returns what the file has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { openDatabase } from '../../src/store/database.ts';
import { ForgetStore } from '../../src/store/resolution/forget-store.ts';
import { MergeStore } from '../../src/store/resolution/merge-store.ts';
import { SourcePurgeStore } from '../../src/store/resolution/source-purge.ts';
import { sourceRecordCacheOf } from '../../src/store/resolution/source-record-cache.ts';
import { SourceRecords } from '../../src/store/resolution/source-records.ts';
import { ScheduleStore } from '../../src/store/schedule/schedules.ts';
import { freshFile, says } from '../support/matching.ts';

const show = (id: number, more: object = {}) => ({
  kind: 'event',
  external_id: `e${id}`,
  name: `Tiefdruck ${id}`,
  start_at: `2027-12-0${id}T23:00`,
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  ...more,
});

/** A file with four events of one source, its source records, and the records of the events. */
async function eventFile(t: { after(fn: () => void): void }) {
  const sqlite = freshFile(t);
  await says(
    sqlite,
    'club',
    [1, 2, 3, 4].map((id) => show(id)),
  );
  const sources = new SourceRecords(sqlite);
  const { id: source } = sources.findSource('club') as { id: number };
  const key = (id: number) => ({ source, kind: 'event' as const, externalId: `e${id}` });
  const [first, second, third, fourth] = [1, 2, 3, 4].map(
    (id) => (sources.find(key(id)) as { record_id: number }).record_id,
  ) as [number, number, number, number];
  sourceRecordCacheOf(sqlite).onCommitted();
  return {
    sqlite,
    sources,
    source,
    key,
    first,
    second,
    third,
    fourth,
    records: [first, second, third, fourth],
  };
}
type EventFile = Awaited<ReturnType<typeof eventFile>>;

const isCached = ({ sources }: EventFile, record: number): boolean =>
  new Set([sources.cachedSourceRecordsOf(record), sources.cachedSourceRecordsOf(record)]).size === 1;

function assertCurrent({ sources, records }: EventFile, when: string): void {
  sources.startReading();
  for (const record of records)
    assert.deepEqual(sources.cachedSourceRecordsOf(record), sources.statementsOf(record), when);
}

/** Everything that writes source records, or what is read with them, over the connection of the cache. */
const writers: Record<string, (file: EventFile) => unknown> = {
  'a new source record': ({ sources, key, first }) => sources.bind(key(9), first, '{"name":"x"}', 5, 1),
  'other content': ({ sources, key }) => sources.update(key(1), '{"name":"x"}', 5, 1),
  'a withdrawal': ({ sources, key }) => sources.withdraw(key(1), 5, 1),
  'content that is cleared': ({ sources, key }) => sources.clearStatement(key(1), 1),
  'a source record that moves': ({ sources, key, second }) => sources.move(key(1), second),
  'a source record that is deleted': ({ sources, key }) => sources.remove(key(1)),
  'two records that are merged': ({ sqlite, first, second }) =>
    new MergeStore(sqlite).merge('event', second, first),
  'a source that is purged': ({ sqlite, source, first }) =>
    new SourcePurgeStore(sqlite).deleteRows(source, first),
  'an artist that is forgotten': ({ sqlite }) =>
    new ForgetStore(sqlite).replaceContent(rowidOf(sqlite, 'e1'), 'gone', '{"name":"x"}'),
  'another clock of the source': ({ sqlite, source }) =>
    new ScheduleStore(sqlite).setSource(source, { clock: 'local' }),
};
const rowidOf = (sqlite: Database.Database, externalId: string): number =>
  sqlite.prepare('SELECT rowid FROM source_records WHERE external_id = ?').pluck().get(externalId) as number;

for (const [what, write] of Object.entries(writers)) {
  test(`the cache of source records has no old rows after ${what}`, async (t) => {
    const file = await eventFile(t);
    const { sqlite, sources, records } = file;
    assertCurrent(file, 'before');
    assert.ok(records.every((record) => isCached(file, record)));
    const before = records.map((record) => sources.statementsOf(record));

    sqlite.exec('BEGIN IMMEDIATE');
    write(file);
    assertCurrent(file, 'in the transaction');
    assert.notDeepEqual(
      records.map((record) => sources.statementsOf(record)),
      before,
      'it writes',
    );
    sqlite.exec('ROLLBACK');
    assertCurrent(file, 'after the rollback');
    assert.deepEqual(
      records.map((record) => sources.statementsOf(record)),
      before,
    );

    sqlite.exec('BEGIN IMMEDIATE; SAVEPOINT line');
    write(file);
    assertCurrent(file, 'in the savepoint');
    sqlite.exec('ROLLBACK TO line; COMMIT');
    sourceRecordCacheOf(sqlite).onCommitted();
    assertCurrent(file, 'after the rollback to the savepoint');

    sqlite.exec('BEGIN IMMEDIATE');
    write(file);
    assertCurrent(file, 'before the commit');
    sqlite.exec('COMMIT');
    sourceRecordCacheOf(sqlite).onCommitted();
    assertCurrent(file, 'after the commit');
    assert.ok(
      records.every((record) => isCached(file, record)),
      'committed rows are kept again',
    );
    // The checksums that the end of the test verifies are not written by all of these.
    sqlite.exec('DELETE FROM source_records');
  });
}

test('the cache of source records has no old rows after a commit of another connection', async (t) => {
  const file = await eventFile(t);
  assertCurrent(file, 'before');
  const other = openDatabase(file.sqlite.name, { create: false });
  t.after(() => other.close());
  const cached = file.sources.cachedSourceRecordsOf(file.first);
  new SourceRecords(other).update(file.key(1), '{"name":"x"}', 5, 1);
  assertCurrent(file, 'after');
  assert.notDeepEqual(file.sources.cachedSourceRecordsOf(file.first), cached);
});

test('rows that the file keeps are the same array, which the parsed forms are kept by', async (t) => {
  const file = await eventFile(t);
  file.sources.startReading();
  const cached = file.sources.cachedSourceRecordsOf(file.second);
  file.sources.update(file.key(1), '{"name":"x"}', 5, 1);
  file.sources.startReading();
  assert.equal(file.sources.cachedSourceRecordsOf(file.second), cached);
});
