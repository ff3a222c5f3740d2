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

export type OpenCatalogueNode = CatalogueNode & {
  /** Ends the work under way, and releases the folder. */
  close(): Promise<void>;
};

/**
 * Opens the folder of a node. Start its follower for a service; `changeCatalogue` takes the steps that it needs itself.
 * @throws Failure if another process uses the folder
 */
export async function openCatalogueNode({
  address,
  folder,
  openObjects = (database) => new PostgresObjects(database),
  readers: given,
  onProblem = () => {},
}: CatalogueNodeOptions): Promise<OpenCatalogueNode> {
  const slots = Slots.open(folder);
  const readers = given && new UpgradedCopies(given, slots.work);
  if (readers !== undefined) slots.readers = readers;
  const onChange = async (slot: Slot) => readers?.serve(slot);
  const database = new PublicationDatabase(address);
  try {
    await readers?.clear(slots);
    const node = createProcessId(given === undefined ? 'command' : 'node');
    const objects = await openObjects(database);
    const key = await database.readKey();
    const follower = new Follower({ node, database, objects, slots, key, onChange, onProblem });
    await serveKept(slots, onChange, onProblem);
    const close = async () => {
      await follower.stop();
      await slots.close();
      // Others would wait until this node prepares what they publish.
      await database.forget(node).catch(() => {});
      await objects.close?.();
      await database.close();
    };
    return { node, database, objects, slots, follower, key, close };
  } catch (failure) {
    await slots.close();
    await database.close();
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
