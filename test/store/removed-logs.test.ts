/** The write-ahead log is removed by the last process that closes the file, at any moment of another one's checks. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { whyUnwritable } from '../../src/store/database.ts';
import { folder } from '../support/cli-run.ts';

/** Creates and removes the log at `path`, until it is told to stop. */
const createAndRemove = `
  const { rmSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { path, stop } = workerData;
  const flag = new Int32Array(stop);
  parentPort.postMessage('running');
  while (Atomics.load(flag, 0) === 0) {
    writeFileSync(path, '');
    rmSync(path);
  }
`;

test('a log that another process removes during the checks is not reported as unwritable', async () => {
  const path = join(folder(), 'shared.db');
  writeFileSync(path, '');
  const stop = new SharedArrayBuffer(4);
  const worker = new Worker(createAndRemove, { eval: true, workerData: { path: `${path}-wal`, stop } });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('message', resolve));
  const reported: string[] = [];
  for (let round = 0; round < 200; round++) {
    for (let check = 0; check < 200; check++) {
      const why = whyUnwritable(path);
      if (why !== null) reported.push(why.message);
    }
    await setImmediate();
  }
  Atomics.store(new Int32Array(stop), 0, 1);
  await exited;
  assert.deepEqual(reported, []);
});
