/**
 * The cluster of a service: its accounts in PostgreSQL, its nodes, and copies from and to data files. Loaded on first
 * use.
 */
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';
import { type ClusterAddressParts, parseClusterAddress } from '../cluster/address.ts';
import type { ClusterAccess } from '../cluster/cluster-access.ts';
import type { RemovedNode } from '../cluster/leave.ts';
import type { MovedObjects } from '../cluster/publication/move-objects.ts';
import type { ObjectFacts } from '../cluster/publication/probe-objects.ts';
import type { ClusterFacts } from '../cluster/server-facts.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { useClusterSecret } from '../store/instance-secret.ts';
import { onDatabase, withAdvice } from './cluster-advice.ts';
import type { ClusterNode, NodeOptions } from './cluster-node.ts';

export type { ClusterAddressParts } from '../cluster/address.ts';
export type { ClusterAccess } from '../cluster/cluster-access.ts';
export type { ObjectFacts } from '../cluster/publication/probe-objects.ts';
export type { ClusterFacts } from '../cluster/server-facts.ts';

/** Returns the address of the cluster that the settings name; null: there is none. */
export function readCluster({
  cluster,
  clusterCa,
}: Pick<Settings, 'cluster' | 'clusterCa'>): ClusterAddressParts | null {
  if (cluster === null && clusterCa !== null)
    throw new Failure('--cluster-ca works only together with --cluster.', 2);
  return cluster === null ? null : parseClusterAddress(cluster, clusterCa);
}

/**
 * Opens the accounts of a cluster, and uses its secret in this process. Throws a `Failure` with advice if PostgreSQL
 * cannot be reached.
 */
export async function openCluster(address: ClusterAddressParts, clock: Clock): Promise<ClusterAccess> {
  const { openClusterAccess } = await import('../cluster/cluster-access.ts');
  return onDatabase(address, async () => {
    const access = await openClusterAccess(address, clock);
    useClusterSecret(access.secret);
    return access;
  });
}

/**
 * The same with a secret that is known already (`readKeptSecret`). PostgreSQL may be away: callers get 503 until it is
 * back.
 */
export async function openClusterWith(
  address: ClusterAddressParts,
  clock: Clock,
  secret: Buffer,
): Promise<ClusterAccess> {
  const { openClusterAccessWith } = await import('../cluster/cluster-access.ts');
  useClusterSecret(secret);
  return openClusterAccessWith(address, secret, clock);
}

/**
 * Returns the secret of the cluster that an earlier node kept in a folder, with a catalogue that can be served; null:
 * it did not.
 */
export async function readKeptNode(folder: string): Promise<Buffer | null> {
  const { readKeptSecret } = await import('../cluster/publication/kept-secret.ts');
  return (await readServedPublication(folder)) === null ? null : readKeptSecret(folder);
}

/** Opens the store of objects that `--objects` names, with the credentials of the environment. */
export const objectsOpener =
  (place: string | null): NonNullable<NodeOptions['openObjects']> =>
  async (database) => {
    const { openObjects } = await import('../cluster/publication/open-objects.ts');
    return openObjects(database, place, process.env);
  };

/** Opens the folder of a node, and brings it to the published catalogue. Throws a `Failure` if that is not possible. */
export async function openNode(options: NodeOptions): Promise<ClusterNode> {
  const { ClusterNode: Node } = await import('./cluster-node.ts');
  return withAdvice(() => Node.open(options));
}

/** Opens the folder of a node while PostgreSQL is away; null: it has no catalogue that can be served. */
export async function openNodeAway(options: NodeOptions): Promise<ClusterNode | null> {
  const { ClusterNode: Node } = await import('./cluster-node.ts');
  return withAdvice(() => Node.openAway(options));
}

/** Reads the state of a cluster: PostgreSQL, its nodes and their leases. */
export async function readClusterState(address: ClusterAddressParts): Promise<ClusterFacts> {
  const { readClusterFacts } = await import('../cluster/server-facts.ts');
  return onDatabase(address, () => readClusterFacts(address));
}

/** Removes nodes that crashed or lost their machine (`cluster/leave.ts`). */
export async function removeNodes(
  address: ClusterAddressParts,
  id: string | null,
  actor: Actor,
): Promise<RemovedNode[]> {
  const [{ leaveCluster }, { isProcessAlive }] = await Promise.all([
    import('../cluster/leave.ts'),
    import('../cluster/process-id.ts'),
  ]);
  return onDatabase(address, () =>
    leaveCluster(address, { id, machine: hostname(), isAlive: isProcessAlive, actor }),
  );
}

/** Tests the store of objects (`cluster/publication/probe-objects.ts`). */
export async function checkObjects(address: ClusterAddressParts, place: string | null): Promise<ObjectFacts> {
  const [{ PublicationDatabase }, { openObjects }, { probeObjects }] = await Promise.all([
    import('../cluster/publication/database.ts'),
    import('../cluster/publication/open-objects.ts'),
    import('../cluster/publication/probe-objects.ts'),
  ]);
  const database = new PublicationDatabase(address);
  try {
    const store = await openObjects(database, place, process.env);
    try {
      return await probeObjects(database, store);
    } finally {
      await store.close?.();
    }
  } finally {
    await database.close();
  }
}

/** Moves the objects of a cluster to another place (`cluster/publication/move-objects.ts`). */
export async function moveClusterObjects(
  address: ClusterAddressParts,
  place: string | null,
  options: { actor: Actor; onWait: () => void },
): Promise<MovedObjects> {
  const [{ PublicationDatabase }, { moveObjects }, { recordClusterAction }] = await Promise.all([
    import('../cluster/publication/database.ts'),
    import('../cluster/publication/move-objects.ts'),
    import('../cluster/audit.ts'),
  ]);
  return onDatabase(address, async () => {
    const database = new PublicationDatabase(address);
    try {
      const moved = await moveObjects(database, place, process.env, { onWait: options.onWait });
      await recordClusterAction(database, {
        ...{ actor: options.actor, action: 'cluster.objects', subject: moved.to.kind },
        details: { from: moved.from, to: moved.to },
      });
      return moved;
    } finally {
      await database.close();
    }
  });
}

/** The publication that the folder of a node serves; null: none. Another process may use the folder. */
export async function readServedPublication(folder: string): Promise<number | null> {
  const { readServing } = await import('../cluster/publication/slot-file.ts');
  return readServing(folder)?.publication ?? null;
}
