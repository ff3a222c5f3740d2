/** The priority of `import` and `sync` beside a service, as the system has it. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder, run, start } from '../support/cli-run.ts';
import { serve } from '../support/serve-process.ts';

const skip = process.platform === 'linux' ? false : 'the system has no /proc';
const venue = `${JSON.stringify({ kind: 'venue', external_id: 'v1', name: 'Salon', city: 'Berlin', country: 'DE' })}\n`;

/** The nice values of all threads of a process, without repetitions; none if it has ended. */
function niceValues(pid: number): number[] {
  try {
    const values = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      // The 19th field; the second, a name in parentheses, may contain spaces.
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
    });
    return [...new Set(values)];
  } catch {
    return [];
  }
}

/** The nice value of the tests, which processes inherit. */
const usual = niceValues(process.pid);

/** Waits until all threads of a running process have a nice value, for 20 s at most; returns the values. */
async function waitForNice(child: ChildProcess, value: number): Promise<number[]> {
  let values: number[] = [];
  for (let left = 200; left > 0 && child.exitCode === null; left--) {
    values = niceValues(child.pid as number);
    if (values.length === 1 && values[0] === value) break;
    await sleep(100);
  }
  return values;
}

/** Starts an import that waits for its standard input. */
const startImport = (cwd: string) => start(['import', '-', '--source', 'hall', '--data', 'c.db'], { cwd });

/** Ends the input of an import. Returns its exit status. */
async function finish(child: ReturnType<typeof startImport>): Promise<number> {
  const exit = once(child, 'exit');
  child.stdin.end(venue);
  const [status] = await exit;
  return status as number;
}

test('an import beside a service has a lower priority in all its threads', { skip }, async () => {
  const cwd = folder();
  assert.equal(
    (await run(['import', '-', '--source', 'first', '--data', 'c.db'], { cwd, input: venue })).status,
    0,
  );
  const service = await serve('--data c.db --no-sync', { cwd });
  const child = startImport(cwd);
  try {
    assert.deepEqual(await waitForNice(child, 10), [10]);
    assert.deepEqual(niceValues(service.child.pid as number), usual, 'the service keeps its own');
    assert.equal(await finish(child), 0);
  } finally {
    child.kill('SIGKILL');
    await service.stop();
  }
});

test('a sync beside a service has a lower priority', { skip }, async () => {
  const cwd = folder();
  // `sources add` looks at the feed; the answer to `sync` never comes.
  let isHeld = false;
  const source = createServer((_request, response) => void (isHeld || response.end(venue)));
  after(() => {
    source.closeAllConnections();
    source.close();
  });
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/feed.ndjson`;
  const options = ['--fetch-allow', '127.0.0.1', '--data', 'c.db'];
  const added = await run(['sources', 'add', 'hall', '--type', 'feed', '--url', url, '--data', 'c.db'], {
    cwd,
  });
  assert.equal(added.status, 0, added.stderr);
  isHeld = true;
  const service = await serve('--data c.db --no-sync', { cwd });
  const child = start(['sync', 'hall', ...options], { cwd });
  try {
    assert.deepEqual(await waitForNice(child, 10), [10]);
  } finally {
    child.kill('SIGKILL');
    await service.stop();
  }
});

test('an import without a service keeps its priority', { skip }, async () => {
  const cwd = folder();
  const child = startImport(cwd);
  try {
    await sleep(2_000);
    assert.deepEqual(niceValues(child.pid as number), usual);
    assert.equal(await finish(child), 0);
  } finally {
    child.kill('SIGKILL');
  }
});
