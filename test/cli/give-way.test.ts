/** Long commands beside a service have a lower priority than it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { folder, start } from '../support/cli-run.ts';

const artist = (name: string) => `${JSON.stringify({ kind: 'artist', external_id: name, name })}\n`;

/** The priority of this process, which others inherit. */
const own = getPriority();
const lowered = Math.max(own, 10);

/** Starts an import that waits for more input. Returns its priority while it runs, and ends it. */
async function priorityOfImport(cwd: string, expected: number): Promise<number> {
  const child = start(['import', '-', '--source', 'club', '--data', 'c.db', '--json'], { cwd });
  const closed = once(child, 'close');
  child.stdout.resume();
  child.stdin.write(artist('Vera Lindt'));
  let priority = getPriority(child.pid);
  // A priority that stays the same is looked at for two seconds.
  for (let wait = 0; wait < (expected === own ? 40 : 600) && priority === own; wait++) {
    await delay(50);
    priority = getPriority(child.pid);
  }
  child.stdin.end(artist('Vera Lund'));
  assert.deepEqual(await closed, [0, null]);
  return priority;
}

test('an import has a lower priority than the service on the file', async () => {
  const cwd = folder();
  assert.equal(await priorityOfImport(cwd, own), own);
  const service = start(['serve', '--port', '0', '--no-sync', '--data', 'c.db'], { cwd });
  const closed = once(service, 'close');
  service.stderr.resume();
  await once(service.stdout, 'data');
  assert.equal(await priorityOfImport(cwd, lowered), lowered);
  assert.equal(getPriority(service.pid), own);
  service.kill('SIGTERM');
  await closed;
});
