/** Many requests in one turn of the event loop: each turn runs a few, and callers alternate. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openAccess } from '../../src/access/access.ts';
import { openApp } from '../../src/app.ts';
import { systemClock } from '../../src/clock.ts';
import { readServeConfig } from '../../src/config.ts';
import { Problem } from '../../src/contract/errors.ts';
import { TurnBudget, turnBudget } from '../../src/http/turn-budget.ts';
import { startServer } from '../../src/server.ts';
import { openDatabase } from '../../src/store/database.ts';
import { feed } from '../support/feed.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

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

test('requests with a key to the API, the agents and the change feed wait for a turn with time', async (t) => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'turns.db');
  importFeed(data, feed);
  const app = openApp({ data, create: false });
  const server = await startServer(app, {
    config: readServeConfig({ data, port: '0' }, {}),
    log: () => {},
  });
  t.after(async () => {
    await server.close();
    app.close();
    folder.remove();
  });
  const access = openAccess(openDatabase(data, { create: false }), systemClock);
  t.after(() => access.close());
  await access.accounts.ensure('a@example.com', 'pro');
  const { key } = await access.keys.create('a@example.com', 'test');
  const authorization = `Bearer ${key}`;
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_events', arguments: { city: 'Berlin' } },
  };
  // No turn has time, so each request waits once or more.
  t.mock.method(turnBudget, 'hasTime', () => false);
  const defer = t.mock.method(turnBudget, 'defer');
  const requests: [path: string, init: RequestInit][] = [
    ['/api/v1/events', { headers: { authorization } }],
    ['/changes?since=0', { headers: { authorization } }],
    ['/mcp', { method: 'POST', headers: { authorization, ...json }, body: JSON.stringify(call) }],
  ];
  for (const [path, init] of requests) {
    const before = defer.mock.callCount();
    const response = await fetch(server.baseUrl + path, init);
    assert.equal(response.status, 200, `${path}: ${await response.text()}`);
    assert.ok(defer.mock.callCount() > before, `${path} did not wait`);
  }
});
