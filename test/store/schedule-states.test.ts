/** The states of schedules are read without the reports of their runs, which are large. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { firstPosition, ListedRecords } from '../../src/store/schedule/listed-records.ts';
import { ScheduleStates, statesQuery } from '../../src/store/schedule/schedule-states.ts';
import { ScheduleStore } from '../../src/store/schedule/schedules.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

const now = Date.UTC(2026, 10, 1);

/** A new data file, which is removed after the test. */
function openNewFile(t: TestContext) {
  const folder = temporaryFolder();
  const sqlite = openDatabase(join(folder.path, 'test.db'), { create: true });
  t.after(() => {
    sqlite.close();
    folder.remove();
  });
  return sqlite;
}

test('states come from the index alone, and equal those of the schedules', (t) => {
  const sqlite = openNewFile(t);
  const store = new ScheduleStore(sqlite);
  for (const [at, name] of ['berghain', 'about-blank', 'sisyphos'].entries())
    store.add(
      {
        ...{ name, type: 'feed', url: `https://${name}.example/feed`, trust: null, clock: null },
        ...{ everyMs: 86_400_000, complete: false, options: {}, nextTs: now - at },
      },
      now,
    );
  const rejected = Array.from({ length: 100 }, (_, line) => ({ line, reason: 'start_at is no date' }));
  sqlite
    .prepare('UPDATE schedules SET failures = 2, last_report = ? WHERE source_id = 1')
    .run(JSON.stringify({ rejected, rejected_count: 412 }));
  sqlite.prepare('UPDATE schedules SET paused_ts = ? WHERE source_id = 2').run(now);

  const states = new ScheduleStates(sqlite);
  const expected = store
    .all()
    .map(({ source_id, name, next_ts, last_success_ts, failures, rejected: count }) => {
      return { source_id, name, next_ts, last_success_ts, failures, rejected: count };
    });
  assert.deepEqual(states.all(), expected);
  assert.deepEqual(
    states.all().map(({ name, rejected: count }) => [name, count]),
    [
      ['about-blank', 0],
      ['berghain', 412],
      ['sisyphos', 0],
    ],
  );
  assert.deepEqual(states.due(now), ['sisyphos', 'berghain']);
  assert.deepEqual(states.due(now - 1), ['sisyphos']);

  const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${statesQuery}`).all() as { detail: string }[];
  assert.match(plan.map(({ detail }) => detail).join('\n'), /SEARCH c USING COVERING INDEX schedules_states/);
});

test('a run that was planned by a clock that was ahead is due, and not after a small correction', (t) => {
  const sqlite = openNewFile(t);
  const store = new ScheduleStore(sqlite);
  const dayMs = 86_400_000;
  for (const [name, nextTs] of [
    ['planned', now + dayMs],
    ['corrected', now + dayMs + 60_000],
    ['ahead', now + 32 * dayMs],
    ['paused', now + 32 * dayMs],
  ] as const)
    store.add(
      {
        ...{ name, type: 'feed', url: `https://${name}.example/feed`, trust: null, clock: null },
        ...{ everyMs: dayMs, complete: false, options: {}, nextTs },
      },
      now,
    );
  sqlite.prepare("UPDATE schedules SET paused_ts = ? WHERE url LIKE '%paused%'").run(now);
  assert.deepEqual(new ScheduleStates(sqlite).due(now), ['ahead']);
  assert.deepEqual(
    store.due(now).map(({ name }) => name),
    ['ahead'],
  );
});

test('listed records are counted in pages that follow the key', (t) => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'test.db');
  const city = (name: string) => ({ kind: 'city', external_id: name, name, country: 'DE' });
  importFeed(path, ['Berlin', 'Hamburg', 'Köln', 'Leipzig', 'Mainz'].map(city), 'cities');
  importFeed(path, [city('Bonn')], 'other');
  const sqlite = openDatabase(path, { create: false });
  t.after(() => {
    sqlite.close();
    folder.remove();
  });
  sqlite.prepare("UPDATE source_records SET withdrawn_ts = 1 WHERE external_id = 'Köln'").run();
  const id = sqlite.prepare("SELECT id FROM sources WHERE name = 'cities'").pluck().get() as number;
  const pages = [];
  const listed = new ListedRecords(sqlite);
  for (let after: typeof firstPosition | null = firstPosition; after !== null; ) {
    const page = listed.count(id, after, 2);
    pages.push(page.records);
    after = page.next;
  }
  assert.deepEqual(pages, [2, 1, 1]);
});
