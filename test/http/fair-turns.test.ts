/** Work that takes turns: what arrives meanwhile is answered in between, and a long lane delays no other. */
import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { FairScheduler } from '../../src/http/fair-scheduler.ts';

/** Holds the event loop for longer than a turn. */
function work(): void {
  const until = performance.now() + 3;
  while (performance.now() < until);
}

test('between two long tasks the event loop answers others', async (t) => {
  const order: string[] = [];
  const server = createServer((_request, response) => {
    order.push('request');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const turns = new FairScheduler();
  const tasks = Array.from({ length: 200 }, () =>
    turns.run('one', () => {
      order.push('task');
      work();
    }),
  );
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, (response) => response.resume().once('end', resolve)).once(
      'error',
      reject,
    );
  });
  const before = order.indexOf('request');
  assert.ok(before >= 0 && before < 200, `the request was answered after ${before} of 200 tasks`);
  await Promise.all(tasks);
});

test('lanes take turns, whatever waits in each', async () => {
  const turns = new FairScheduler();
  const order: string[] = [];
  const lanes = [...'aaaaab', 'c'];
  await Promise.all(lanes.map((lane) => turns.run(lane, () => order.push(lane))));
  assert.equal(order.join(''), 'abcaaaa');
});

test('a lane that is full refuses, and no other', async () => {
  const turns = new FairScheduler();
  const results = await Promise.allSettled([
    ...Array.from({ length: 201 }, () => turns.run('full', () => 'done')),
    turns.run('other', () => 'done'),
  ]);
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.match(String((refused[0] as PromiseRejectedResult).reason), /Too many requests wait here/);
  assert.equal(results.at(-1)?.status, 'fulfilled');
});

test('an error of a task rejects that task alone', async () => {
  const turns = new FairScheduler();
  await assert.rejects(
    turns.run('one', () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.equal(await turns.run('one', () => 1), 1);
});

test('a task may leave another one behind', async () => {
  const turns = new FairScheduler();
  const order: string[] = [];
  const inner: Promise<unknown>[] = [];
  await turns.run('one', () => {
    order.push('outer');
    inner.push(turns.run('one', () => order.push('inner')));
  });
  await Promise.all(inner);
  await turns.run('one', () => order.push('later'));
  assert.deepEqual(order, ['outer', 'inner', 'later']);
});

test('the work that promises of a task do counts for the time of a turn', async () => {
  const turns = new FairScheduler();
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const workTurns = new Map<number, number>();
  const later = async () => {
    await null;
    await null;
    work();
    workTurns.set(turn, (workTurns.get(turn) ?? 0) + 1);
  };
  const works: Promise<void>[] = [];
  await Promise.all(Array.from({ length: 20 }, () => turns.run('one', () => void works.push(later()))));
  await Promise.all(works);
  isDone = true;
  assert.deepEqual(
    [...workTurns.values()],
    Array.from({ length: 20 }, () => 1),
  );
});
