/** The workers of a service end with it, also those that ended just before. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/store/database.ts';
import { temporaryFolder } from '../support/program.ts';

const fileAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Starts a pool and kills a worker while this process is busy and the worker has sent a message: Node.js reports its
 * exit before the end of its connection, and lists it still. Prints whether it was listed, and ends with the pool.
 */
const script = (data: string) => `
  import cluster from 'node:cluster';
  import { readServeConfig } from ${JSON.stringify(fileAt('src/config.ts'))};
  import { findFreePort, WorkerPool } from ${JSON.stringify(fileAt('src/cli/serve/worker-pool.ts'))};
  cluster.setupPrimary({ exec: ${JSON.stringify(fileAt('bin/cratebase.mjs'))} });
  const flags = { data: ${JSON.stringify(data)}, workers: '2', metricsToken: 'a-token-of-more-than-16-characters' };
  const port = await findFreePort('127.0.0.1');
  const pool = new WorkerPool({ ...readServeConfig(flags, {}), port }, () => {});
  await pool.start();
  const [worker] = Object.values(cluster.workers);
  const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const ended = new Promise((resolve) =>
    worker.once('exit', () => {
      console.log('listed', worker.id in cluster.workers);
      resolve(pool.stop().then(() => pool.stop()));
    }),
  );
  // It reports its counts every second.
  block(1_500);
  worker.process.kill('SIGKILL');
  block(300);
  await ended;
  console.log('ended');`;

test('a pool ends although a worker that has just died is still listed', (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const data = `${folder.path}/served.db`;
  openDatabase(data, { create: true }).close();
  const main = `${folder.path}/main.mts`;
  writeFileSync(main, script(data));
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main], {
    cwd: fileAt('.'),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(stdout, 'listed true\nended\n', stderr);
});
