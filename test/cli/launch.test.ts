/** Processes of a service are started by a thread: starting one in the service itself stops its event loop. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createActionProcesses } from '../../src/cli/serve/action-process.ts';
import { launch } from '../../src/cli/serve/launch/launch.ts';
import { folder, program } from '../support/cli-run.ts';
import { importFeed } from '../support/program.ts';

const run = (script: string) =>
  launch({ command: process.execPath, args: ['-e', script], env: { PATH: process.env.PATH ?? '' } });

async function outputOf(child: ReturnType<typeof launch>) {
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (piece: string) => {
      text[stream] += piece;
    });
  const [status, signal] = await once(child, 'close');
  return { ...text, status, signal };
}

test('input, output, status and priority of a process', async () => {
  const child = run('process.stdin.pipe(process.stdout); console.error("so"); process.exitCode = 3');
  child.stdin.write('grüße ');
  child.stdin.end('alle\n');
  assert.deepEqual(await outputOf(child), {
    stdout: 'grüße alle\n',
    stderr: 'so\n',
    status: 3,
    signal: null,
  });
  assert.equal(child.exitCode, 3);
  const large = run('process.stdout.write("x".repeat(3_000_000))');
  assert.equal((await outputOf(large)).stdout.length, 3_000_000);
});

test('a process is ended by a signal, and one that cannot start reports an error', async () => {
  const child = run('setInterval(() => {}, 1000); console.log("ready")');
  await once(child.stdout, 'data');
  assert.ok((child.pid as number) > 0);
  child.kill();
  const [status, signal] = await once(child, 'close');
  assert.deepEqual([status, signal, child.signalCode], [null, 'SIGTERM', 'SIGTERM']);
  const missing = launch({ command: '/nowhere/cratebase', args: [], env: {} });
  const errors: string[] = [];
  missing.on('error', ({ message }) => errors.push(message));
  await new Promise((resolve) => missing.once('close', resolve));
  assert.match(errors.join(), /ENOENT/);
});

test('a process that cannot be started leaves the others alone', async () => {
  const other = run('process.stdin.resume(); process.stdin.on("end", () => console.log("whole"))');
  const result = outputOf(other);
  const invalid = launch({ command: process.execPath, args: ['a\0b'], env: {} });
  const errors: string[] = [];
  invalid.on('error', ({ message }) => errors.push(message));
  await new Promise((resolve) => invalid.once('close', resolve));
  assert.match(errors.join(), /null bytes/);
  const huge = launch({ command: process.execPath, args: ['x'.repeat(200_000)], env: {} });
  huge.on('error', ({ message }) => errors.push(message));
  await new Promise((resolve) => huge.once('close', resolve));
  assert.match(errors.join(), /E2BIG/);
  other.stdin.end();
  assert.deepEqual(await result, { stdout: 'whole\n', stderr: '', status: 0, signal: null });
});

test('an action of the console starts its process outside the thread that serves', async () => {
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  diagnostics.subscribe('child_process', count);
  const data = join(folder(), 'test.db');
  importFeed(data, [{ kind: 'city', external_id: 'Berlin', name: 'Berlin', country: 'DE' }]);
  const actions = createActionProcesses({
    config: { data, baseUrl: null, fetchAllow: [] },
    log: () => {},
    program: { command: process.execPath, args: [program] },
  });
  try {
    const before = started;
    assert.deepEqual(
      await actions
        .run('source.list', {}, { actor: 'account:ada@example.com', role: 'editor' })
        .then(Array.isArray),
      true,
    );
    assert.equal(started, before);
  } finally {
    await actions.stop();
    diagnostics.unsubscribe('child_process', count);
  }
});

test('the channel reports a process that this thread starts itself', async () => {
  const { spawn } = await import('node:child_process');
  const reported = new Promise((resolve) => diagnostics.subscribe('child_process', resolve));
  await once(spawn(process.execPath, ['-e', '0']), 'close');
  await reported;
  assert.equal(spawnSync(process.execPath, ['-e', '0']).status, 0);
});
