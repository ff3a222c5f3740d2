/** Forgetting an artist of many events and purging a large source hold the write lock for moments only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { LockTimes } from '../../src/ingest/write-lock/lock-times.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

/** Processor time in ms; the duration belongs to other programs on a busy machine. */
const maxCpuMs = 25;
const events = Array.from({ length: 300 }, (_, at) => ({
  kind: 'event',
  external_id: `${at}`,
  name: `Nacht ${at}`,
  start_at: `2027-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}T23:00`,
  venue: { name: `Haus ${at % 9}`, city: 'Hamburg', country: 'DE' },
  lineup: [{ name: 'Yolanda Zwirn' }, { name: `Act number ${at % 30}` }],
}));

test('each transaction of forget and purge takes little processor time', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', events);
  const works: { summary: string; cpuMs: number }[] = [];
  const original = LockTimes.prototype.add;
  LockTimes.prototype.add = function (this: LockTimes, ms: number, cpuMs: number, describe: () => string) {
    works.push({ summary: describe(), cpuMs });
    original.call(this, ms, cpuMs, describe);
  };
  t.after(() => {
    LockTimes.prototype.add = original;
  });
  const removals = new Removals(sqlite, { now: matchingNow, actor: 'terminal:ada' });
  for (const change of [
    () => removals.forget('artist/yolanda-zwirn', { name: 'remove' }),
    () => removals.purgeSource('one'),
  ]) {
    works.length = 0;
    await change();
    assert.ok(works.length > 10, `${works.length} transactions`);
    const long = works.filter(({ cpuMs }) => cpuMs > maxCpuMs);
    assert.deepEqual(long, []);
  }
});
