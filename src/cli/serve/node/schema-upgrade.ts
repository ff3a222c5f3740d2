/** Publishes the catalogue in the schema of this program, once all live nodes can read it. */
import { type ClusterNode, refusalOf } from '../../../app.ts';
import { describeFailure, type Log } from '../../../log.ts';
import type { Scheduler } from '../scheduler.ts';
import type { NodeChanges } from './changes.ts';

const pollMs = 2_000;
/** After a failure, such as a full disk (ms). */
const retryMs = 60_000;

export type SchemaUpgradeOptions = { node: ClusterNode; changes: NodeChanges; log: Log };

/** Starts to poll. It does nothing while the catalogue has the schema of this program. */
export function startSchemaUpgrade({ node, changes, log }: SchemaUpgradeOptions): Scheduler {
  let notBefore = 0;
  let isNoted = false;
  const upgrade = async () => {
    if (!node.hasOlderSchema || changes.isRunning || performance.now() < notBefore) return;
    try {
      await node.requireNewNodes();
      // A change upgrades the catalogue first.
      await changes.run(async () => {});
    } catch (failure) {
      const refusal = refusalOf(failure);
      if (refusal === 'lease_taken') return;
      if (refusal === 'older_nodes') {
        if (!isNoted) log('info', 'nodes of an older version change the catalogue until they are updated');
        isNoted = true;
        return;
      }
      notBefore = performance.now() + retryMs;
      log('warn', 'the catalogue could not be upgraded', describeFailure(failure));
    }
  };
  let current: Promise<void> | null = null;
  const timer = setInterval(() => {
    current ??= upgrade().finally(() => {
      current = null;
    });
  }, pollMs);
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
