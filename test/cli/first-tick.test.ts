/**
 * The objects of `process.nextTick` keep their shape, although garbage is collected while none is waiting. It needs a process
 * in which nothing was kept before, so this file has one test.
 */
import assert from 'node:assert/strict';
import { executionAsyncResource } from 'node:async_hooks';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepFirstTick } from '../../src/cli/first-tick.ts';

setFlagsFromString('--expose-gc');
setFlagsFromString('--allow-natives-syntax');
const collectGarbage = runInNewContext('gc') as () => void;
const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (
  a: object,
  b: object,
) => boolean;

it('later objects have the shape of the one that is kept', async () => {
  const kept = keepFirstTick();
  await nextTurn();
  assert.equal(kept.length, 1);
  const [first] = kept as [object];
  const others: boolean[] = [];
  for (let round = 0; round < 20; round++) {
    process.nextTick(() => others.push(haveSameShape(first, executionAsyncResource())));
    await nextTurn();
    collectGarbage();
  }
  assert.deepEqual(others, Array(20).fill(true));
  assert.ok(!haveSameShape(first, {}), 'the comparison tells shapes apart');
});
