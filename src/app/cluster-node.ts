/** A node of a cluster: it follows the published catalogue, and changes it under the lease. Loaded on first use. */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { checkDatabase } from '../cluster/cluster-access.ts';
import { NodeReporter } from '../cluster/nodes.ts';
import {
  type CatalogueNodeOptions,
  connectNode,
  type NodeFolder,
  type OpenCatalogueNode,
  openNodeFolder,
} from '../cluster/publication/catalogue-node.ts';
import {
  type Change,
  type ChangeOptions,
  changeCatalogue,
  hasOlderSchema,
} from '../cluster/publication/change-catalogue.ts';
import { keepSecret } from '../cluster/publication/kept-secret.ts';
import { ServingGuard } from '../cluster/publication/restore-serving.ts';
import { SlotCheck, type SlotCheckPace, type SlotDamage } from '../cluster/publication/slot-check.ts';
import type { Slot } from '../cluster/publication/slots.ts';
import { requireNewNodes } from '../cluster/publication/upgraded-copies.ts';
import { Failure } from '../failure.ts';
import { withAdvice } from './cluster-advice.ts';
import { isClusterAway } from './cluster-away.ts';

export type NodeOptions = CatalogueNodeOptions & {
  /** The secret of the cluster. */
  secret: Buffer;
  /** When the slot that serves is checked for damage; only tests set it. */
  checkPace?: Partial<SlotCheckPace>;
};
export type { Slot };

export type NodeState = SlotDamage & {
  serving: number;
  head: number;
  isBehind: boolean;
  isFailing: boolean;
};

/** How a service describes its node in the list of nodes. */
export type NodeDescription = { url: string; version: string; schemas: { min: number; max: number } };

/** How long a node may take to change to the active publication (ms): it asks once a second. */
const graceMs = 3_000;
/** How often a node that started without PostgreSQL tries to connect (ms). */
const connectEveryMs = 500;

/**
 * A node of a cluster in this process: its folder with two copies of the catalogue, the follower of the published
 * one, and the way to change it (docs/decisions/44-nodes-of-a-cluster.md). Open it with `open`, or with `openAway`
 * while PostgreSQL is away.
 */
export class ClusterNode {
  readonly #failed = Promise.withResolvers<Failure>();
  /**
   * Resolves with the reason why a node that started without PostgreSQL must end: the cluster that it found is not
   * the one that it serves, or needs another program.
   */
  readonly failed = this.#failed.promise;
  readonly #options: NodeOptions;
  readonly #folder: NodeFolder;
  readonly #guard: ServingGuard;
  readonly #check: SlotCheck;
  /** Null until PostgreSQL is there. */
  #node: OpenCatalogueNode | null = null;
  #reporter: NodeReporter | null = null;
  #behindSince: number | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: NodeOptions, folder: NodeFolder) {
    this.#options = options;
    this.#folder = folder;
    const { onProblem = () => {}, checkPace } = options;
    this.#guard = new ServingGuard({ ...folder, onProblem });
    this.#check = new SlotCheck(folder.slots, onProblem, checkPace);
  }

  /** Opens the folder of a node and brings it to the head. */
  static async open(options: NodeOptions): Promise<ClusterNode> {
    const node = new ClusterNode(options, await openNodeFolder(options));
    try {
      node.#node = await connectNode(node.#folder, options);
      const { follower } = node.#node;
      await follower.step();
      if (follower.head.head === 0)
        throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init` first.');
      await node.#keepSecret();
      return node;
    } catch (failure) {
      await node.close();
      throw failure;
    }
  }

  /**
   * Opens the folder of a node while PostgreSQL is away, and serves what an earlier process left. `start` connects it
   * as soon as PostgreSQL is there.
   * @returns null if the folder has no catalogue that can be served
   */
  static async openAway(options: NodeOptions): Promise<ClusterNode | null> {
    const node = new ClusterNode(options, await openNodeFolder(options));
    if (node.#folder.slots.serving !== null) return node;
    await node.close();
    return null;
  }

  /** The publication that the node serves. */
  get serving(): Slot {
    return this.#folder.slots.serving as Slot;
  }

  /** Whether a publication is not active although all nodes could have it: the node that made it has ended. */
  get hasUnfinished(): boolean {
    return this.#node !== null && this.#node.follower.head.next !== null;
  }

  /** Whether another node or a command cannot fetch the catalogue, which this one serves and can store again. */
  async isBaseWanted(): Promise<boolean> {
    if (this.#node === null) return false;
    const { follower, database } = this.#node;
    return !follower.isBehind && follower.problem === null && database.isBaseWanted();
  }

  /**
   * What it serves, whether that is older than what the cluster serves or damaged, and whether it can take more, for
   * `/readyz`.
   */
  state(): NodeState {
    const serving = this.serving.publication;
    const isLost = this.#guard.isFailing;
    const damage = this.#check.state;
    if (this.#node === null) return { serving, head: serving, isBehind: false, isFailing: isLost, ...damage };
    const { follower } = this.#node;
    if (!follower.isBehind) this.#behindSince = null;
    else this.#behindSince ??= performance.now();
    const isBehind = this.#behindSince !== null && performance.now() - this.#behindSince > graceMs;
    const isFailing = isLost || follower.problem !== null;
    return { serving, head: follower.head.head, isBehind, isFailing, ...damage };
  }

  /** Checks the slot that serves at once: a request met damage. */
  checkSoon(): void {
    this.#check.hurry();
  }

  /** Whether the catalogue of the cluster has an older schema: this node serves an upgraded copy of it. */
  get hasOlderSchema(): boolean {
    return this.#node !== null && hasOlderSchema(this.#node);
  }

  /**
   * Checks that all live nodes can read what this one publishes.
   * @throws OlderNodes
   */
  async requireNewNodes(): Promise<void> {
    if (this.#node !== null && this.hasOlderSchema)
      await requireNewNodes(this.#node.database, this.#node.node);
  }

  /** Follows the head from now on, and says so in the list of nodes; as soon as PostgreSQL is there. */
  start(description: NodeDescription): void {
    this.#guard.start();
    this.#check.start();
    if (this.#node !== null) this.#follow(this.#node, description);
    else this.#connecting = this.#connect(description);
  }

  /** Tells the node the number of the active publication, as an answer of PostgreSQL has it. */
  notice(head: number): void {
    this.#node?.follower.notice(head);
  }

  /** Changes the catalogue of the cluster (`changeCatalogue`). While older nodes run, it leaves the lease to them. */
  async change<T>(
    change: (path: string, signal: AbortSignal) => Promise<T>,
    options: ChangeOptions,
  ): Promise<Change<T>> {
    if (this.#node === null)
      throw new Failure('PostgreSQL cannot be reached at present. The catalogue was not changed.');
    await this.requireNewNodes();
    return changeCatalogue(this.#node, change, options);
  }

  /** Removes the node from the list, and releases its folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const guarding = Promise.all([this.#guard.stop(), this.#check.stop()]);
    await this.#connecting;
    await this.#node?.follower.stop();
    await guarding;
    await this.#reporter?.stop();
    if (this.#node !== null) await this.#node.close();
    else await this.#folder.slots.close();
  }

  #follow(node: OpenCatalogueNode, description: NodeDescription): void {
    node.follower.start();
    const facts = { ...description, machine: hostname(), pid: process.pid };
    this.#reporter = new NodeReporter(this.#options.address, facts, () => this.serving.revision, node.node);
  }

  /** Connects once PostgreSQL is there. */
  async #connect(description: NodeDescription): Promise<void> {
    const { address, secret } = this.#options;
    while (!this.#isClosed) {
      try {
        const node = await withAdvice(async () => {
          await checkDatabase(address, secret);
          return connectNode(this.#folder, this.#options);
        });
        this.#node = node;
        this.#follow(node, description);
        return;
      } catch (failure) {
        if (!isClusterAway(failure)) {
          this.#failed.resolve(failure instanceof Failure ? failure : new Failure(String(failure)));
          return;
        }
      }
      await pause(connectEveryMs);
    }
  }

  /** Without it, this node could not start while PostgreSQL is away, and nothing else. */
  async #keepSecret(): Promise<void> {
    const { folder, secret, onProblem } = this.#options;
    await keepSecret(folder, secret).catch((failure: unknown) => onProblem?.(failure));
  }
}
