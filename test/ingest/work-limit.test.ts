/** A sync that makes little progress ends, so that the next source is read (docs/decisions/57-turns-of-sources.md). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { SourceRegistry } from '../../src/ingest/schedule/source-registry.ts';
import { freshFile, matchingNow } from '../support/matching.ts';

/** A catalogue with two due sources of 40 records each: `slow`, then `other`. */
function dueSources(t: Parameters<typeof freshFile>[0]) {
  const sqlite = freshFile(t);
  const clock = { time: matchingNow, now: () => clock.time };
  const registry = new SourceRegistry(sqlite, clock, {
    fetch: createGuardedFetch({ allow: [], userAgent: 'test' }),
    secretSettings: () => ({}),
    blockedHostOf: () => null,
  });
  const url = (name: string) => join(dirname(sqlite.name), `${name}.ndjson`);
  for (const name of ['slow', 'other']) {
    const lines = Array.from({ length: 40 }, (_, at) =>
      JSON.stringify({ kind: 'artist', external_id: `${at}`, name: `Vera ${name} ${at}` }),
    );
    writeFileSync(url(name), lines.join('\n'));
    registry.add(
      { name, type: 'feed', url: url(name), complete: true } as Parameters<typeof registry.add>[0],
      'terminal:ada',
    );
    clock.time += 1_000;
  }
  const listed = (name: string) =>
    sqlite
      .prepare(
        `SELECT count(*) FROM source_records r JOIN sources s ON s.id = r.source_id
         WHERE s.name = ? AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL`,
      )
      .pluck()
      .get(name);
  return { registry, url, listed, clock };
}
/** Processor time in ms that grows by this much with each record. */
function growing(ms: number) {
  let now = 0;
  return () => (now += ms);
}

test('a run whose records take long ends with what it has, and the next one continues', async (t) => {
  const { registry, listed, clock } = dueSources(t);
  assert.deepEqual(registry.due(), ['slow', 'other']);
  const first = await registry.sync('slow', { processorTime: growing(30_000) });
  assert.equal(first.outcome, 'partial');
  assert.match(
    first.error ?? '',
    /^Reading was stopped after 11 records, because they took 330 s of processor time\. What was read is in/,
  );
  assert.equal(listed('slow'), 11);
  // It is tried again later, after the other source.
  assert.deepEqual(registry.due(), ['other']);
  assert.equal(registry.summary('slow').failures, 1);
  clock.time += 600_000;
  const second = await registry.sync('slow');
  assert.deepEqual(
    [second.outcome, second.kinds.artist?.unchanged, second.kinds.artist?.created],
    ['done', 11, 29],
  );
  // A run that was ended withdraws nothing, although the source lists everything.
  const third = await registry.sync('slow', { fresh: true, processorTime: growing(30_000) });
  assert.equal(third.outcome, 'partial');
  assert.equal(listed('slow'), 40);
});

test('records that take as long as ordinary ones are all read', async (t) => {
  const { registry, listed } = dueSources(t);
  // More than five minutes for the first record, then a little for each.
  let isFirst = true;
  const report = await registry.sync('slow', {
    processorTime: () => {
      const now = isFirst ? 0 : 300_000;
      isFirst = false;
      return now;
    },
  });
  assert.equal(report.outcome, 'done', report.error ?? '');
  assert.equal(listed('slow'), 40);
});

test('a source that repeats a record has no more time for that', async (t) => {
  const { registry, url, listed } = dueSources(t);
  const line = JSON.stringify({ kind: 'artist', external_id: 'x', name: 'Vera' });
  writeFileSync(url('slow'), `${line}\n`.repeat(17_000));
  // Each takes a little less than a record may take.
  const report = await registry.sync('slow', { processorTime: growing(19) });
  assert.equal(report.outcome, 'partial');
  assert.match(report.error ?? '', /^Reading was stopped after 15,\d{3} records, because they took 300 s/);
  assert.equal(listed('slow'), 1);
});
