/** A node that waits to publish its schema tries again while another node has the lease. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterNode } from '../../src/app.ts';
import type { NodeChanges } from '../../src/cli/serve/node/changes.ts';
import { startSchemaUpgrade } from '../../src/cli/serve/node/schema-upgrade.ts';
import { LeaseTaken } from '../../src/cluster/publication/held-lease.ts';

test('a lease of another node is no failure', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  let attempts = 0;
  const node = { hasOlderSchema: true, async requireNewNodes() {} } as unknown as ClusterNode;
  const changes = {
    isRunning: false,
    async run() {
      attempts += 1;
      throw new LeaseTaken();
    },
  } as unknown as NodeChanges;
  const upgrade = startSchemaUpgrade({ node, changes, log: (_, message) => lines.push(message) });
  for (const _ of [1, 2, 3]) {
    t.mock.timers.tick(2_000);
    await new Promise(setImmediate);
  }
  await upgrade.stop();
  assert.deepEqual(lines, []);
  assert.equal(attempts, 3);
});
