/**
 * A node in a process of its own, which kills itself at a point of its work, as `kill -9` does.
 * Input: JSON as the first argument.
 */

import type { ClusterAddress } from '../../src/cluster/connection.ts';
import type { Lease } from '../../src/cluster/publication/database.ts';
import { PostgresObjects } from '../../src/cluster/publication/objects.ts';
import { type PublishStep, publishChanges } from '../../src/cluster/publication/publish.ts';
import { openDatabase } from '../../src/store/database.ts';
import { changeEvents, TestNode } from './publication.ts';

/**
 * Where a node dies: after a step of a publication (`PublishStep`); `changing`: with changes in the log of the spare;
 * `activated`: after the publication became the head, before this node serves it; `following`: with one of the
 * objects that lead to the head written into its spare.
 */
export type KillPoint = PublishStep | 'changing' | 'activated' | 'following';

export type ChildInput = {
  address: ClusterAddress;
  folder: string;
  lease: Lease;
  round: number;
  killAt: KillPoint;
};

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  // The signal ends the process before this wait does.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('not reached');
};

async function publishUntil({ address, folder, lease, round, killAt }: ChildInput): Promise<void> {
  const node = await TestNode.open(address, folder);
  await node.follower.step();
  const publisher = node.publisher(lease, (step) => (step === killAt ? die() : undefined));
  await publishChanges(publisher, async (path) => {
    await changeEvents(path, round, 40);
    if (killAt !== 'changing') return;
    const sqlite = openDatabase(path, { create: false });
    sqlite.exec("UPDATE events SET description = 'never published' WHERE rowid % 50 = 0");
    die();
  });
  await node.database.query('UPDATE publication_head SET next_ms = 0');
  await node.database.activate(lease);
  die();
}

async function followUntil({ address, folder }: ChildInput): Promise<void> {
  let fetched = 0;
  const { get } = PostgresObjects.prototype;
  // The next object is asked for while one is written, and the one after it once that is done.
  PostgresObjects.prototype.get = function (name) {
    fetched += 1;
    return fetched === 3 ? die() : get.call(this, name);
  };
  const node = await TestNode.open(address, folder);
  await node.follower.step();
}

const input = JSON.parse(process.argv[2] as string) as ChildInput;
await (input.killAt === 'following' ? followUntil(input) : publishUntil(input));
