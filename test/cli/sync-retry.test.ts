/** The scheduler of `serve` when the sync process fails before it reads a source: the next attempt comes with the next poll. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { startScheduler } from '../../src/cli/serve/scheduler.ts';
import { folder } from '../support/cli-run.ts';

/** Starts a scheduler whose sync process fails at once, and returns how often it asked for due sources. */
async function countPolls(crashed: string[]): Promise<number> {
  const script = join(folder(), 'fail.mjs');
  writeFileSync(script, "console.error('cratebase: The disk is full.'); process.exit(1);\n");
  const [node, ...args] = process.argv as [string, ...string[]];
  process.argv = [node, script];
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let polls = 0;
  const recorded = Promise.withResolvers<void>();
  const app = {
    file: { state: { fault: null } },
    sourceRuns: {
      recordCrashed: async (exited?: object) => {
        if (exited !== undefined) setImmediate(recorded.resolve);
        return exited === undefined ? [] : crashed;
      },
      due: () => {
        polls += 1;
        return polls === 1 ? ['club'] : [];
      },
      hasUnfinishedWork: async () => false,
    },
  };
  const config = { data: 'none.db', baseUrl: null, fetchAllow: [] };
  const scheduler = startScheduler(app as never, config as never, () => {});
  try {
    mock.timers.tick(1_000);
    await recorded.promise;
    await new Promise(setImmediate);
    mock.timers.tick(5_000);
    await new Promise(setImmediate);
    return polls;
  } finally {
    await scheduler.stop();
    mock.timers.reset();
    process.argv = [node, ...args];
  }
}

test('a sync process that fails before it reads a source is not started again each second', async () => {
  assert.equal(await countPolls([]), 1);
});

test('after a source at which the process died, the others are read soon', async () => {
  assert.equal(await countPolls(['club']), 2);
});
