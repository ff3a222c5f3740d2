/** The space of new objects stays at about 16 MB under load, and gets that size again after V8 made it small. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('../../src/server/heap-size.ts', import.meta.url));

/** Prints the size of the space in MB: the largest while objects are made, then after an idle time, then while more are made. */
const program = `
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as pause } from 'node:timers/promises';
import { limitYoungGeneration } from ${JSON.stringify(module)};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
const work = async () => {
  let largest = 0;
  let kept = [];
  for (const until = performance.now() + 2500; performance.now() < until; ) {
    for (let made = 0; made < 200; made++) kept.push(new Array(20).fill(made));
    if (kept.length > 100_000) kept = [];
    largest = Math.max(largest, size());
    await pause(1);
  }
  return largest;
};
limitYoungGeneration();
const busy = await work();
await pause(6000);
collectGarbage();
const idle = size();
const again = await work();
console.log(JSON.stringify({ busy, idle, again }));
`;

it('the space of new objects stays at about 16 MB, also after an idle time', { timeout: 60_000 }, () => {
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  const { busy, idle, again } = JSON.parse(stdout) as Record<'busy' | 'idle' | 'again', number>;
  // Without a limit: 64 MB.
  assert.ok(busy >= 8 && busy <= 32, `${busy} MB while busy`);
  assert.ok(idle <= 4, `V8 no longer makes the space small while a process is idle: ${idle} MB`);
  assert.ok(again >= 8 && again <= 32, `${again} MB while busy again`);
});
