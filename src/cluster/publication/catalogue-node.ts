/** Opens what a process needs to follow and change the catalogue of a cluster. */

import { Failure } from '../../failure.ts';
import type { ClusterAddress } from '../connection.ts';
import { createProcessId } from '../process-id.ts';
import type { CatalogueNode } from './change-catalogue.ts';
import { PublicationDatabase } from './database.ts';
import { Follower } from './follow.ts';
import { type ObjectStore, PostgresObjects } from './objects.ts';
import { measurePages } from './pages.ts';
import { type Slot, Slots } from './slots.ts';
import { type ServingReaders, UpgradedCopies } from './upgraded-copies.ts';

export type CatalogueNodeOptions = {
  address: ClusterAddress;
  /** The folder of the slots, which no other process uses. */
  folder: string;
  /** Opens the store of objects; by default they are in PostgreSQL. */
  openObjects?: (database: PublicationDatabase) => ObjectStore | Promise<ObjectStore>;
  /** What reads the slots; by default there is nothing. `serve` serves another one (`FollowerOptions.onChange`). */
  readers?: ServingReaders;
  onProblem?: (failure: unknown) => void;
};

/** The folder of a node. What an earlier process left in it is served; PostgreSQL is not needed for that. */
export type NodeFolder = {
  readonly slots: Slots;
  /** Serves another slot to the readers. */
  readonly onChange: (slot: Slot) => Promise<void>;
};

export type OpenCatalogueNode = CatalogueNode & {
  /** Ends the work under way and the connections. The folder stays open. */
  disconnect(): Promise<void>;
  /** Ends the work under way, and releases the folder. */
  close(): Promise<void>;
};

/**
 * Opens the folder of a node, and serves what an earlier process left.
 * @throws Failure if another process uses the folder
 */
export async function openNodeFolder({
  folder,
  readers: given,
  onProblem = () => {},
}: Pick<CatalogueNodeOptions, 'folder' | 'readers' | 'onProblem'>): Promise<NodeFolder> {
  const slots = Slots.open(folder);
  try {
    const readers = given && new UpgradedCopies(given, slots.work);
    if (readers !== undefined) slots.readers = readers;
    await readers?.clear(slots);
    const onChange = async (slot: Slot) => readers?.serve(slot);
    await serveKept(slots, onChange, onProblem);
    return { slots, onChange };
  } catch (failure) {
    await slots.close();
    throw failure;
  }
}

/** Connects the open folder of a node to PostgreSQL and the objects. The folder stays open if that fails. */
export async function connectNode(
  { slots, onChange }: NodeFolder,
  {
    address,
    openObjects = (database) => new PostgresObjects(database),
    readers,
    onProblem = () => {},
  }: CatalogueNodeOptions,
): Promise<OpenCatalogueNode> {
  const database = new PublicationDatabase(address);
  try {
    const node = createProcessId(readers === undefined ? 'command' : 'node');
    const objects = await openObjects(database);
    const key = await database.readKey();
    const follower = new Follower({ node, database, objects, slots, key, onChange, onProblem });
    const end = async (closeFolder: () => Promise<void>) => {
      await follower.stop();
      await closeFolder();
      // Others would wait until this node prepares what they publish. A node that could not fetch the catalogue stays in
      // the list, so that another one stores a base for its next start.
      if (!follower.wantsBase) await database.forget(node).catch(() => {});
      await objects.close?.();
      await database.close();
    };
    const disconnect = () => end(async () => {});
    const close = () => end(() => slots.close());
    return { node, database, objects, slots, follower, key, disconnect, close };
  } catch (failure) {
    await database.close();
    throw failure;
  }
}

/**
 * Opens the folder of a node, and connects it. Start its follower for a service; `changeCatalogue` takes the steps
 * that it needs itself.
 * @throws Failure if another process uses the folder
 */
export async function openCatalogueNode(options: CatalogueNodeOptions): Promise<OpenCatalogueNode> {
  const folder = await openNodeFolder(options);
  try {
    return await connectNode(folder, options);
  } catch (failure) {
    await folder.slots.close();
    throw failure;
  }
}

/** Serves what an earlier process left. What is damaged is dropped: the follower fetches the head then. */
async function serveKept(
  slots: Slots,
  onChange: (slot: Slot) => Promise<void>,
  onProblem: (failure: unknown) => void,
): Promise<void> {
  if (slots.isNoteDamaged)
    onProblem(
      new Failure(`The file slot.json in ${slots.folder} is damaged. The catalogue is fetched again.`),
    );
  slots.distrust('spare');
  const { serving } = slots;
  if (serving === null) return;
  try {
    measurePages(serving.file);
    await onChange(serving);
  } catch (failure) {
    const { root } = await slots.work.run({ kind: 'summarize', file: serving.file });
    if (root === serving.root) throw failure;
    onProblem(new Failure(`The slot ${serving.path} is damaged. The catalogue is fetched again.`));
    slots.distrust('both');
  }
}
