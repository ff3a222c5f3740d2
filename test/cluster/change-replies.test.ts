/** The outcome of a change that a worker asks the primary process for: the worker throws what the primary threw. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeChanges } from '../../src/cli/serve/node/changes.ts';
import { describeOutcome, readOutcome } from '../../src/cli/serve/node/node-change.ts';
import { ActionDelayed } from '../../src/contract/action-runner.ts';
import { Problem } from '../../src/contract/errors.ts';
import { Failure } from '../../src/failure.ts';
import type { Log } from '../../src/log.ts';

/** Sends an outcome as processes of Node do, in JSON, and returns what is logged. */
async function send(work: Promise<unknown>): Promise<{ read: () => unknown; lines: string }> {
  const lines: unknown[] = [];
  const log: Log = (...parts) => void lines.push(parts);
  const reply = JSON.parse(JSON.stringify(await describeOutcome(work, log)));
  return { read: () => readOutcome(reply), lines: JSON.stringify(lines) };
}

test('a result and a refusal', async () => {
  assert.deepEqual((await send(Promise.resolve({ id: 7 }))).read(), { id: 7 });
  assert.equal((await send(Promise.resolve(undefined))).read(), null);
  const details = { code: 'undone_already', value: 7 };
  const refused = await send(Promise.reject(new Failure('Entry 7 is undone already.', 2, details)));
  assert.throws(refused.read, (failure: unknown) => {
    assert.ok(failure instanceof Failure);
    assert.deepEqual(
      [failure.message, failure.exitStatus, failure.details],
      [...['Entry 7 is undone already.', 2, details]],
    );
    return true;
  });
  assert.equal(refused.lines, '[]');
});

test('a change that goes on is told apart from a refusal', async () => {
  for (const writer of [null, 'an import of club'])
    for (const kind of ['read', 'change'] as const) {
      const { read } = await send(Promise.reject(new ActionDelayed(writer, kind)));
      const expected = new ActionDelayed(writer, kind);
      assert.throws(read, (failure: unknown) => {
        assert.ok(failure instanceof ActionDelayed);
        assert.deepEqual(
          [failure.kind, failure.writer, failure.message, failure.details],
          [...[kind, writer, expected.message, expected.details]],
        );
        return true;
      });
    }
});

test('accounts that are away are a problem, with its status', async () => {
  const { read } = await send(Promise.reject(new Problem('unavailable', 'Try again shortly.')));
  assert.throws(read, (failure: unknown) => failure instanceof Problem && failure.type === 'unavailable');
});

test('an unexpected error is logged, and its text is not shown', async () => {
  const { read, lines } = await send(Promise.reject(new TypeError('x.secret is not a function')));
  assert.throws(read, (failure: unknown) => {
    assert.ok(failure instanceof Failure);
    assert.equal(failure.details.code, 'unexpected');
    assert.doesNotMatch(failure.message, /secret/);
    return true;
  });
  assert.match(lines, /error.*x\.secret is not a function.*stack/);
});

test('a change that the stop of the node prevents has a code, by which pages find its text', async () => {
  const begun = Promise.withResolvers<void>();
  const node = {
    change: async (work: (path: string) => Promise<void>) => {
      await begun.promise;
      await work('a.db');
      return { published: null };
    },
  };
  const changes = new NodeChanges(node as never, () => {});
  const first = changes.run(async () => {});
  const waiting = assert.rejects(
    changes.runForPerson(async () => {}),
    { details: { code: 'stopped_before' } },
  );
  const stopped = changes.stop();
  await assert.rejects(
    changes.runForPerson(async () => {}),
    { details: { code: 'stopping' } },
  );
  begun.resolve();
  await Promise.all([first, waiting, stopped]);
});
