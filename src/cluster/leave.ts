/**
 * Removes nodes and commands that ended but are still listed. Then publications do not wait for them, and their leases are
 * free.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import { recordClusterAction } from './audit.ts';
import { type ClusterAddress, connectToPrimary } from './connection.ts';
import { leaseMs } from './lease.ts';
import { listNodes, type NodeSummary } from './nodes.ts';
import { isEndedProcess, isOnThisMachine, parseProcessId } from './process-id.ts';

/** How long a node may take to report (ms); it does so once a second. */
const reportTimeMs = 2_500;
const usageErrorStatus = 2;

export type LeaveOptions = {
  /** The id of the node or holder of a lease; null: those of this machine whose process ended. */
  id: string | null;
  machine: string;
  isAlive: (pid: number) => boolean;
  actor: Actor;
};

/** A command has no entry of its own: it was seen when it last renewed its lease. `machine` may be unknown (empty). */
export type RemovedNode = Pick<NodeSummary, 'id' | 'machine' | 'pid' | 'seen_at'>;

/**
 * Removes nodes from the list and ends their leases. A paused node that comes back is listed again.
 * @returns the nodes that were removed
 * @throws Failure if there is no node of this id, or it still runs
 */
export async function leaveCluster(
  address: ClusterAddress,
  { id, machine, isAlive, actor }: LeaveOptions,
): Promise<RemovedNode[]> {
  const client = await connectToPrimary(address);
  try {
    const isMeant = (node: RemovedNode) =>
      id !== null
        ? node.id === id
        : isEndedProcess(node.id, isAlive) ||
          // After a restart of the machine, its process numbers say nothing about earlier nodes; the operator does.
          (parseProcessId(node.id)?.kind !== 'command' && node.machine === machine && !isAlive(node.pid));
    const members = (await listMembers(client)).filter(isMeant);
    for (const node of members) refuseRunningCommand(node, isAlive);
    if (id !== null && members.length === 0)
      throw new Failure(
        `There is no node or holder of a lease ${id}. \`cratebase cluster status\` lists them.`,
        usageErrorStatus,
      );
    if (id !== null) await refuseRunningNode(client, members);
    const ids = members.map((node) => node.id);
    // A later holder of the lease gets a higher term, so these nodes cannot publish any more.
    await client.query('UPDATE leases SET holder = NULL, until_ts = 0 WHERE holder = ANY ($1)', [ids]);
    await client.query('DELETE FROM nodes WHERE id = ANY ($1)', [ids]);
    for (const node of members) {
      const details = { id: node.id, pid: node.pid };
      await recordClusterAction(client, { actor, action: 'cluster.leave', subject: node.machine, details });
    }
    return members;
  } finally {
    await client.end();
  }
}

/** Lists the nodes, the commands among them, and the holders of leases that are not in the list. */
async function listMembers(client: pg.ClientBase): Promise<RemovedNode[]> {
  const nodes = await listNodes(client);
  const { rows } = await client.query<{ holder: string; until_ts: number }>(
    'SELECT holder, until_ts FROM leases WHERE holder IS NOT NULL',
  );
  const holders = rows
    .filter(({ holder }) => !nodes.some(({ id }) => id === holder))
    .map(({ holder, until_ts }) => ({
      ...{ id: holder, machine: '', pid: 0 },
      seen_at: new Date(until_ts - leaseMs).toISOString(),
    }));
  return [...nodes, ...holders].map(({ id, machine, pid, seen_at }) => ({
    ...{ id, machine, pid, seen_at },
    ...processOf(id),
  }));
}

function processOf(id: string): { machine: string; pid: number } | null {
  const about = parseProcessId(id);
  return about && { machine: about.machine, pid: about.pid };
}

/**
 * The process number of a command on another machine says nothing here. It cannot publish any more without its lease.
 */
function refuseRunningCommand({ id }: RemovedNode, isAlive: LeaveOptions['isAlive']): void {
  const about = parseProcessId(id);
  if (about?.kind === 'command' && isOnThisMachine(about) && isAlive(about.pid))
    throw new Failure(`The command still runs: process ${about.pid} on ${about.machine}. Stop it first.`);
}

/** Waits as long as a node needs to report, and refuses nodes that have. Commands do not report. */
async function refuseRunningNode(client: pg.ClientBase, nodes: readonly RemovedNode[]): Promise<void> {
  await pause(reportTimeMs);
  const later = await listNodes(client);
  for (const { id, seen_at } of nodes) {
    const node = later.find((one) => one.id === id);
    if (node !== undefined && node.seen_at !== seen_at)
      throw new Failure(
        `The node still runs: process ${node.pid} on ${node.machine}. Stop it there; it leaves by itself.`,
      );
  }
}
