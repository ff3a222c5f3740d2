/** A node of a cluster: it follows the published catalogue, and changes it under the lease. Loaded on first use. */
import { hostname } from 'node:os';
import { NodeReporter } from '../cluster/nodes.ts';
import { type CatalogueNodeOptions, openCatalogueNode } from '../cluster/publication/catalogue-node.ts';
import {
  type Change,
  type ChangeOptions,
  changeCatalogue,
  hasOlderSchema,
} from '../cluster/publication/change-catalogue.ts';
import type { Slot } from '../cluster/publication/slots.ts';
import { requireNewNodes } from '../cluster/publication/upgraded-copies.ts';
import { Failure } from '../failure.ts';

export type { SlotReaders } from '../cluster/publication/slots.ts';
export type NodeOptions = CatalogueNodeOptions;
export type { Slot };

/** How a service describes its node in the list of nodes. */
export type NodeDescription = { url: string; version: string; schemas: { min: number; max: number } };

/** How long a node may take to change to the active publication (ms): it asks once a second. */
const graceMs = 3_000;

export class ClusterNode {
  readonly #options: CatalogueNodeOptions;
  readonly #node: Awaited<ReturnType<typeof openCatalogueNode>>;
  #reporter: NodeReporter | null = null;
  #behindSince: number | null = null;

  private constructor(options: CatalogueNodeOptions, node: Awaited<ReturnType<typeof openCatalogueNode>>) {
    this.#options = options;
    this.#node = node;
  }

  /** Opens the folder of a node and brings it to the head. */
  static async open(options: CatalogueNodeOptions): Promise<ClusterNode> {
    const node = await openCatalogueNode(options);
    try {
      await node.follower.step();
      if (node.follower.head.head === 0)
        throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init` first.');
      return new ClusterNode(options, node);
    } catch (failure) {
      await node.close();
      throw failure;
    }
  }

  /** The publication that the node serves. */
  get serving(): Slot {
    return this.#node.slots.serving as Slot;
  }

  /** Whether a publication is not active although all nodes could have it: the node that made it has ended. */
  get hasUnfinished(): boolean {
    return this.#node.follower.head.next !== null;
  }

  /** What it serves, whether that is older than what the cluster serves, and whether it can take more, for `/readyz`. */
  state(): { serving: number; head: number; isBehind: boolean; isFailing: boolean } {
    const { follower } = this.#node;
    if (!follower.isBehind) this.#behindSince = null;
    else this.#behindSince ??= performance.now();
    const isBehind = this.#behindSince !== null && performance.now() - this.#behindSince > graceMs;
    return {
      serving: this.serving.publication,
      head: follower.head.head,
      isBehind,
      isFailing: follower.problem !== null,
    };
  }

  /** Whether the catalogue of the cluster has an older schema: this node serves an upgraded copy of it. */
  get hasOlderSchema(): boolean {
    return hasOlderSchema(this.#node);
  }

  /**
   * Checks that all live nodes can read what this one publishes.
   * @throws OlderNodes
   */
  async requireNewNodes(): Promise<void> {
    if (this.hasOlderSchema) await requireNewNodes(this.#node.database, this.#node.node);
  }

  /** Follows the head from now on, and says so in the list of nodes. */
  start(description: NodeDescription): void {
    this.#node.follower.start();
    const facts = { ...description, machine: hostname(), pid: process.pid };
    this.#reporter = new NodeReporter(
      this.#options.address,
      facts,
      () => this.serving.revision,
      this.#node.node,
    );
  }

  /** Tells the node the number of the active publication, as an answer of PostgreSQL has it. */
  notice(head: number): void {
    this.#node.follower.notice(head);
  }

  /** Changes the catalogue of the cluster (`changeCatalogue`). While older nodes run, it leaves the lease to them. */
  async change<T>(
    change: (path: string, signal: AbortSignal) => Promise<T>,
    options: ChangeOptions,
  ): Promise<Change<T>> {
    await this.requireNewNodes();
    return changeCatalogue(this.#node, change, options);
  }

  /** Removes the node from the list, and releases its folder. */
  async close(): Promise<void> {
    await this.#node.follower.stop();
    await this.#reporter?.stop();
    await this.#node.close();
  }
}
