/** Young garbage is collected when there is much of it, and the flags of V8 are as before. */
import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { Script } from 'node:vm';
import { YoungGarbage } from '../../src/ingest/write-lock/young-garbage.ts';

const youngSpace = () => {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  assert.ok(space);
  return space;
};

/** Makes objects that are garbage afterwards, until they fill half of what the space takes, and 2 MB. */
function makeGarbage(): void {
  const objects: unknown[] = [];
  const isMuch = () => {
    const { space_used_size: used, space_size: size } = youngSpace();
    return used > 2 << 20 && used > size / 4;
  };
  // While objects stay alive, V8 makes the space larger.
  for (let round = 0; round < 100_000 && !isMuch(); round++)
    objects.push(Array.from({ length: 100 }, (_, at) => ({ at, round })));
  assert.ok(isMuch());
}

describe('young garbage', () => {
  it('is collected at once when there is much, and then only after a while', async () => {
    const kinds: unknown[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        kinds.push((entry as PerformanceEntry & { detail: { kind: number } }).detail.kind);
    });
    observer.observe({ entryTypes: ['gc'] });
    const garbage = new YoungGarbage();
    makeGarbage();
    const before = youngSpace().space_used_size;
    assert.equal(garbage.collectIfMuch(), true);
    assert.ok(youngSpace().space_used_size < before);
    makeGarbage();
    assert.equal(garbage.collectIfMuch(), false, 'it has just looked');
    await pause(20);
    makeGarbage();
    assert.equal(garbage.collectIfMuch(), true);
    await pause(20);
    observer.disconnect();
    assert.ok(kinds.includes(constants.NODE_PERFORMANCE_GC_MINOR));
  });

  it('is left where there is little', async () => {
    const garbage = new YoungGarbage();
    makeGarbage();
    assert.equal(garbage.collectIfMuch(), true);
    // What survives a collection is moved out of the space by the next one.
    let more = 0;
    for (await pause(20); garbage.collectIfMuch(); await pause(20)) more++;
    assert.ok(more <= 3, `${more} more`);
  });

  it('leaves no flag behind: code caches of before are accepted', () => {
    const cache = new Script('(function before() { return 1; })').createCachedData();
    new YoungGarbage();
    // The same text under the same name would be found in memory.
    const again = new Script('(function before() { return 1; })', { filename: 'again', cachedData: cache });
    assert.equal(again.cachedDataRejected, false);
    assert.equal(typeof globalThis.gc, 'undefined');
  });
});
