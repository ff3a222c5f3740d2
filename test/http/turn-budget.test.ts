/** Many requests in one turn of the event loop: each turn runs a few, and callers alternate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../src/contract/errors.ts';
import { TurnBudget } from '../../src/http/turn-budget.ts';

/** A budget with a clock that only the tasks advance, and the names of the tasks that ran. */
function openBudget() {
  let now = 0;
  const order: string[] = [];
  const budget = new TurnBudget(() => now);
  const run = (name: string, ms: number, queueKey = 'one') =>
    budget.run(queueKey, () => {
      now += ms;
      order.push(name);
    });
  return { budget, order, run };
}

test('a turn starts no further task after 4 ms', async () => {
  const { order, run } = openBudget();
  const all = Promise.all(Array.from({ length: 9 }, (_, at) => run(String(at), 1)));
  const counts = [order.length];
  while (order.length < 9) {
    await nextTurn();
    counts.push(order.length);
  }
  await all;
  // The task that waits is never overtaken, and each turn runs one at least.
  assert.deepEqual(counts, [4, 5, 9]);
  assert.equal(order.join(''), '012345678');
});

test('tasks longer than a turn run one per turn', async () => {
  const { order, run } = openBudget();
  const all = Promise.all(['a', 'b', 'c'].map((name) => run(name, 30)));
  assert.equal(order.length, 1);
  await nextTurn();
  assert.equal(order.length, 2);
  await all;
});

test('callers alternate', async () => {
  const { order, run } = openBudget();
  const all = [run('first', 5, 'one')];
  for (const name of ['1a', '1b', '1c']) all.push(run(name, 5, 'one'));
  all.push(run('2a', 5, 'two'));
  await Promise.all(all);
  assert.deepEqual(order, ['first', '1a', '2a', '1b', '1c']);
});

test('a caller with 1,000 waiting requests is refused, and no other', async () => {
  const { run } = openBudget();
  const waiting = [run('first', 5), ...Array.from({ length: 1_000 }, () => run('', 0))];
  await assert.rejects(run('', 0), (failure) => failure instanceof Problem && failure.type === 'unavailable');
  await run('', 0, 'other');
  await Promise.all(waiting);
});

test('what a task throws is its own', async () => {
  const { budget } = openBudget();
  await assert.rejects(
    budget.run('one', () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.equal(await budget.run('one', () => 1), 1);
});
