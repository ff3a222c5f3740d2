/** The published catalogue of a cluster for commands: a copy to read, and changes that are published. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { OpenCatalogueNode } from '../cluster/publication/catalogue-node.ts';
import type { ChangeOptions } from '../cluster/publication/change-catalogue.ts';
import { Failure } from '../failure.ts';
import { schemaVersion } from '../store/database.ts';
import { type ClusterAddressParts, objectsOpener, openCluster } from './cluster.ts';
import { onDatabase, withAdvice } from './cluster-advice.ts';

/** A service may read sources for minutes before it ends its lease. */
const waitMs = 3_600_000;
const usageErrorStatus = 2;

export type ClusterCatalogueOptions = {
  address: ClusterAddressParts;
  /** Where objects are stored; null: in PostgreSQL. */
  objects: string | null;
  /** The folder of the node on this machine, below which commands keep a copy; null: a temporary one. */
  folder: string | null;
};

/** Uses the secret of the cluster in this process. */
export async function adoptClusterSecret(address: ClusterAddressParts): Promise<void> {
  await (await openCluster(address, systemClock)).closed();
}

/**
 * Brings a copy of the catalogue to the head, and returns its path. The copy is not changed by other processes until
 * this one ends.
 */
export async function fetchForReading(options: ClusterCatalogueOptions): Promise<string> {
  await adoptClusterSecret(options.address);
  const { folder, remove } = folderOf(options.folder);
  process.once('exit', remove);
  const node = await openNode(options, folder);
  try {
    await withAdvice(() => node.follower.step());
    const { serving } = node.slots;
    if (serving === null)
      throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init`.');
    return serving.path;
  } finally {
    // The folder stays locked until the process ends.
    await node.slots.work.close();
    await node.database.forget(node.node).catch(() => {});
    await node.objects.close?.();
    await node.database.close();
  }
}

/**
 * Waits for the lease, runs a change on a copy of the head, and publishes it.
 * @param change changes the data file at a path in another process. The signal aborts when the lease is lost
 * @returns its result, and the number of the publication; null if nothing was changed
 */
export async function changeForCommand<T>(
  options: ClusterCatalogueOptions & Pick<ChangeOptions, 'onWait' | 'onUnfinished' | 'onStored'>,
  change: (path: string, signal: AbortSignal) => Promise<T>,
): Promise<{ result: T; published: number | null }> {
  const { changeCatalogue } = await import('../cluster/publication/change-catalogue.ts');
  const { folder, remove } = folderOf(options.folder);
  // Also after a failure, such as a wrong place of objects, and after a signal.
  process.once('exit', remove);
  const node = await openNode(options, folder);
  const { onWait, onUnfinished, onStored } = options;
  try {
    const { result, published } = await withAdvice(() =>
      changeCatalogue(
        node,
        async (path, signal) => {
          await requireSchema(node);
          return change(path, signal);
        },
        {
          waitMs,
          ...(onWait && { onWait }),
          ...(onUnfinished && { onUnfinished }),
          ...(onStored && { onStored }),
        },
      ),
    );
    return { result, published: published?.number ?? null };
  } finally {
    await node.close();
    remove();
  }
}

/** A command never upgrades the schema: nodes of the old version could not read what it publishes. */
async function requireSchema({ database, follower }: OpenCatalogueNode): Promise<void> {
  const [head] = await database.readPublications(follower.head.head);
  if (head !== undefined && head.schemaVersion !== schemaVersion)
    throw new Failure(
      `The catalogue of the cluster has schema ${head.schemaVersion}, and this program writes ${schemaVersion}. Use the version of the nodes: \`cratebase cluster status\`.`,
    );
}

async function openNode(
  { address, objects }: ClusterCatalogueOptions,
  folder: string,
): Promise<OpenCatalogueNode> {
  const { openCatalogueNode } = await import('../cluster/publication/catalogue-node.ts');
  return onDatabase(address, () =>
    openCatalogueNode({
      address,
      folder,
      openObjects: objectsOpener(objects),
    }),
  );
}

/** The folder of commands below that of the node, which a service uses itself. */
function folderOf(data: string | null): { folder: string; remove: () => void } {
  if (data === null) {
    const folder = mkdtempSync(join(tmpdir(), 'cratebase-cluster-'));
    return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
  }
  if (statSync(data, { throwIfNoEntry: false })?.isFile())
    throw new Failure(
      `--data names the file ${data}, which the cluster does not serve. With --cluster, name the folder of the node, or none.`,
      usageErrorStatus,
    );
  return { folder: join(data, 'commands'), remove: () => {} };
}
