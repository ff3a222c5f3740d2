/** `npm start` and its end by a signal, which npm gets and the service does not. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folder } from '../support/cli-run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('a service that npm started ends with npm', async () => {
  const data = join(folder(), 'cratebase.db');
  const npm = spawn('npm', ['start', '--', '--empty', '--no-sync', '--port', '0', '--data', data], {
    cwd: root,
    stdio: 'pipe',
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>) => {
    for (let waits = 0; !(await isTrue()); waits++) {
      assert.ok(waits < 600, `${what}: ${output}`);
      await delay(100);
    }
  };
  await until('it listens', () => /listening on http/.test(output));
  const [, url = ''] = /listening on (http\S+)/.exec(output) ?? [];
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await until('the service ends', async () => {
    try {
      await fetch(`${url}/healthz`);
      return false;
    } catch {
      return true;
    }
  });
  await until('it has stopped', () => /"stopped"/.test(output));
});
