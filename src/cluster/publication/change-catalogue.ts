/** Changes the catalogue of a cluster: the one way in which a service and commands do it. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import { schemaVersion } from '../../store/database.ts';
import type { Lease, PublicationDatabase } from './database.ts';
import type { Follower } from './follow.ts';
import { type HoldOptions, holdLease } from './held-lease.ts';
import type { ObjectStore } from './objects.ts';
import { LeaseLost, maintainPublications, type Published, publishChanges } from './publish.ts';
import type { Slot, Slots } from './slots.ts';
import { readSchema, requireNewNodes, upgradeSpare } from './upgraded-copies.ts';

/** What a process has that follows and changes the catalogue of a cluster (`openCatalogueNode`). */
export type CatalogueNode = {
  /** The name of the node, which holds the lease. */
  readonly node: string;
  readonly database: PublicationDatabase;
  readonly objects: ObjectStore;
  readonly slots: Slots;
  readonly follower: Follower;
  /** The key that encrypts objects. */
  readonly key: Uint8Array;
};

export type ChangeOptions = HoldOptions & {
  /** Is called with each part of the work as it begins. */
  onStep?: (step: 'lease' | 'head' | 'change' | 'publish' | 'activate') => void;
  /** Is called with a publication that an interrupted process has stored: it becomes active before this change. */
  onUnfinished?: (publication: number) => void;
  /**
   * Is called with the publication of this change when it is stored: from now on, it becomes active also if this
   * process ends.
   */
  onStored?: (publication: number) => void;
  /** Is called if publications could not be tidied up afterwards, which the next change does. */
  onProblem?: (failure: unknown) => void;
};

/** `published` is null if nothing was changed. */
export type Change<T> = { result: T; published: Published | null };

const pollMs = 50;
/** A publication is activated after a minute at the latest; this node may need some time for the next one. */
const headTimeoutMs = 150_000;

/**
 * Takes the lease, brings the spare slot to the head, runs a change on it, publishes it, and waits until it is the
 * head and this node serves it. A catalogue of an older schema is upgraded first. If the change fails, or the lease
 * is lost, what was changed is dropped.
 * @param change changes the data file at a path, and closes it; it may run in another process. The signal aborts when
 *   the lease is lost
 * @throws LeaseTaken if another node has the lease; LeaseLost; OlderNodes; what the change throws
 */
export function changeCatalogue<T>(
  node: CatalogueNode,
  change: (path: string, signal: AbortSignal) => Promise<T>,
  options: ChangeOptions = {},
): Promise<Change<T>> {
  return holdLease(
    node.database,
    node.node,
    (lease, signal) => changeWithLease(node, lease, signal, change, options),
    options,
  );
}

async function changeWithLease<T>(
  node: CatalogueNode,
  lease: Lease,
  signal: AbortSignal,
  change: (path: string, signal: AbortSignal) => Promise<T>,
  { onStep, onUnfinished, onStored, onProblem }: ChangeOptions,
): Promise<Change<T>> {
  await node.objects.requireCurrent?.();
  const { next } = await node.database.readHead();
  if (next !== null) onUnfinished?.(next);
  onStep?.('head');
  await reachHead(node, lease, signal);
  const isOlder = hasOlderSchema(node);
  if (isOlder) await requireNewNodes(node.database, node.node);
  let outcome: { result: T } | undefined;
  onStep?.('change');
  const publish = () =>
    publishChanges({ ...node, lease }, async (path) => {
      if (isOlder) await upgradeSpare(node.slots);
      outcome = { result: await change(path, signal) };
      if (signal.aborted) throw new LeaseLost();
      onStep?.('publish');
    });
  const publication = await publish().catch(async (failure: unknown) => {
    // A damaged slot is found before the change. Commands have no service that replaces it.
    if (node.slots.damaged === null || outcome !== undefined) throw failure;
    await reachHead(node, lease, signal);
    return publish();
  });
  onStep?.('activate');
  if (publication !== null) onStored?.(publication.number);
  if (publication !== null) await reachHead(node, lease, signal);
  await maintainPublications({ ...node, lease }).catch((failure: unknown) => onProblem?.(failure));
  return { ...(outcome as { result: T }), published: publication };
}

/** Whether the catalogue that a node serves has an older schema than this program: the next change upgrades it. */
export const hasOlderSchema = ({ slots }: CatalogueNode): boolean =>
  slots.serving !== null && readSchema(slots.serving as Slot) < schemaVersion;

/** Activates the publication that waits, if there is one, and brings this node to the head. */
export async function reachHead(node: CatalogueNode, lease: Lease, signal: AbortSignal): Promise<void> {
  const { database, follower, slots } = node;
  const until = performance.now() + headTimeoutMs;
  for (;;) {
    if (signal.aborted) throw new LeaseLost();
    await follower.step();
    if (follower.head.next !== null) {
      if ((await database.activate(lease)) === null) throw new LeaseLost();
      await follower.step();
    }
    const { head, headRoot, next } = follower.head;
    if (head === 0) throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init`.');
    if (next === null && slots.serving?.root === headRoot) return;
    if (performance.now() > until)
      throw new Failure(`Publication ${next ?? head} is not active on all nodes yet. Try again in a minute.`);
    await pause(pollMs);
  }
}
