/** The schedule of backups and exports while the clock of the machine is set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDueCommand } from '../../src/cli/serve/due-command.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-20T12:00:00Z');

for (const [name, outcome] of [
  ['a failure', { error: 'The disk is full.' }],
  ['a run of another service', { error: null, result: { skipped: true, newest_at: '2026-11-20T12:00:00Z' } }],
] as const)
  test(`a clock that is set back by a month does not delay the next attempt after ${name}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let nowMs = startMs;
    t.mock.method(Date, 'now', () => nowMs);
    let runs = 0;
    const scheduler = startDueCommand(
      {
        command: {
          run: async () => {
            runs += 1;
            return outcome as never;
          },
          stop: async () => {},
        } as never,
        words: ['backup'],
        folder: '/backups',
        everyMs: dayMs,
        firstPollDelayMs: 1_000,
        texts: { subject: 'the backup', plural: 'the backups', process: 'The backup process' },
        isUsable: () => true,
        lastSuccessTs: () => null,
        report: () => {},
        record: async () => {},
      },
      () => {},
    );
    t.after(() => scheduler.stop());
    const poll = async () => {
      t.mock.timers.tick(30_000);
      await new Promise(setImmediate);
    };
    await poll();
    assert.equal(runs, 1);
    await poll();
    assert.equal(runs, 1, 'it waits');
    nowMs -= 30 * dayMs;
    await poll();
    assert.equal(runs, 2);
  });
