/**
 * Publishes the catalogue: the node that holds the lease changes its spare slot, and uploads what differs from the
 * head.
 */
import { Failure } from '../../failure.ts';
import type { Lease, PublicationDatabase } from './database.ts';
import type { ObjectStore } from './objects.ts';
import type { ObjectEntry, PackSummary } from './pack.ts';
import { measurePages } from './pages.ts';
import { ChangeRefused } from './refusals.ts';
import type { Slots } from './slots.ts';
import { readSchema, requireNewNodes } from './upgraded-copies.ts';

/** Objects of unfinished uploads are deleted after this time (ms). */
const maxOrphanMs = 24 * 3_600_000;

/** What a publication has just done. */
export type PublishStep = 'aligned' | 'changed' | 'stored' | 'uploaded' | 'published';

export type PublisherOptions = {
  database: PublicationDatabase;
  objects: ObjectStore;
  slots: Slots;
  /** The key that encrypts objects (`PublicationDatabase.readKey`). */
  key: Uint8Array;
  lease: Lease;
  onStep?: (step: PublishStep) => void | Promise<void>;
};

/** `pages` and `bytes` are what the nodes fetch. */
export type Published = { number: number; revision: number; pages: number; bytes: number; objects: number };

/** Another node has the lease, or took it meanwhile. What was changed is dropped. */
export class LeaseLost extends ChangeRefused {
  constructor() {
    super('lease_lost', 'Another node has the lease to change the catalogue. Nothing was published.');
  }
}

/**
 * Changes the catalogue and publishes it as the next publication, which `activate` makes the head.
 * @param change changes the data file at a path, and closes it; it may run in another process
 * @returns null if no page was changed
 * @throws LeaseLost; Failure if this node is not at the head, or another publication waits to be activated
 */
export function publishChanges(
  options: PublisherOptions,
  change: (path: string) => Promise<void>,
): Promise<Published | null> {
  return options.slots.use(() => changeAndPublish(options, change));
}

async function changeAndPublish(
  options: PublisherOptions,
  change: (path: string) => Promise<void>,
): Promise<Published | null> {
  const { database, slots, key, lease, onStep } = options;
  const { head, headRoot, next } = await database.readHead();
  const { serving, work } = slots;
  if (serving?.root !== headRoot)
    throw new Failure(`This node does not serve the head, publication ${head}. Try again in a minute.`);
  if (next !== null)
    throw new Failure(`Publication ${next} is not active on all nodes yet. Try again in a minute.`);
  await slots.beginWriting();
  const aligned = await work.run({ kind: 'align', from: serving.file, to: slots.spareFile, key });
  if (aligned.root !== serving.root) {
    slots.noteDamage(serving);
    throw new Failure(`The slot ${serving.path} is damaged. The node repairs it; try again in a minute.`);
  }
  await onStep?.('aligned');
  await change(slots.sparePath);
  const { revision, schemaVersion } = await work.run({ kind: 'settle', path: slots.sparePath });
  slots.requireSpareFile();
  await onStep?.('changed');
  const isSameSize = measurePages(slots.spareFile).pageSize === aligned.pageSize;
  // Pages of another size cannot be compared: all nodes take the whole file.
  const { entries, summary } = await upload(options, isSameSize ? serving.file : null);
  const state = { publication: head, revision, root: summary.root };
  if (summary.changed === 0 && summary.pageCount === aligned.pageCount) {
    await slots.finishWriting(state);
    return null;
  }
  await onStep?.('uploaded');
  const { pageSize, pageCount, root } = summary;
  const lists = { objects: isSameSize ? entries : null, base: isSameSize ? null : entries };
  // A node of an older version may have started meanwhile.
  if (schemaVersion > readSchema(serving)) await requireNewNodes(database, lease.node);
  const publication = { parent: head, revision, schemaVersion, pageSize, pageCount, root, ...lists };
  if (!(await database.publish(lease, publication))) throw new LeaseLost();
  await onStep?.('published');
  await slots.finishWriting({ ...state, publication: head + 1 });
  return toPublished(head + 1, revision, summary, entries);
}

/**
 * Publishes a data file as the first publication, with its whole content, and makes it the head.
 * @param path a data file of the catalogue alone that no process has open
 */
export function publishFirst(options: PublisherOptions, path: string): Promise<Published> {
  return options.slots.use(() => publishFile(options, path));
}

async function publishFile(options: PublisherOptions, path: string): Promise<Published> {
  const { database, slots, lease } = options;
  const { work } = slots;
  if ((await database.readHead()).head !== 0)
    throw new Failure('The cluster has a catalogue already. Import into it instead.');
  await slots.beginWriting();
  await work.run({ kind: 'copyFile', path, to: slots.spareFile });
  const { revision, schemaVersion } = await work.run({ kind: 'settle', path: slots.sparePath });
  slots.requireSpareFile();
  const { entries, summary } = await upload(options, null);
  const { pageSize, pageCount, root } = summary;
  const publication = {
    parent: 0,
    revision,
    schemaVersion,
    pageSize,
    pageCount,
    root,
    objects: null,
    base: entries,
  };
  // Another `cluster init` may have named another place meanwhile.
  await options.objects.requireCurrent?.();
  if (!(await database.publish(lease, publication))) throw new LeaseLost();
  await slots.finishWriting({ publication: 1, revision, root });
  if ((await database.activate(lease)) !== 1) throw new LeaseLost();
  return toPublished(1, revision, summary, entries);
}

/** Uploads the whole file of the head, for new nodes and nodes that were away for long. Returns its size in bytes. */
export function publishBase(options: PublisherOptions): Promise<number> {
  const { database, slots, lease } = options;
  return slots.use(async () => {
    const { serving } = slots;
    if (serving === null)
      throw new Failure('The cluster has no catalogue yet. Run `cratebase cluster init`.');
    const { entries, summary } = await upload(options, null, serving.file);
    if (summary.root !== serving.root) {
      slots.noteDamage(serving);
      throw new Failure(`The slot ${serving.path} is damaged. The node repairs it; try again in a minute.`);
    }
    if (!(await database.addBase(lease, serving.publication, entries))) throw new LeaseLost();
    return sumOfBytes(entries);
  });
}

/**
 * What the node with the lease does after each publication: adds a base when one is due, and deletes publications of
 * more than 48 hours ago and objects without a publication.
 * @throws LeaseLost
 */
export async function maintainPublications(options: PublisherOptions): Promise<void> {
  const { database, lease, slots, objects } = options;
  const { headRoot } = await database.readHead();
  if (slots.serving?.root === headRoot && (await database.isBaseDue())) await publishBase(options);
  if ((await database.prune(lease)) === null) throw new LeaseLost();
  await sweepObjects(database, objects);
}

/** Deletes objects that no publication lists and that were stored more than a day ago. Returns their names. */
export async function sweepObjects(
  database: PublicationDatabase,
  objects: ObjectStore,
  maxAgeMs = maxOrphanMs,
): Promise<string[]> {
  const storedNames: string[] = [];
  for await (const { name } of objects.list()) storedNames.push(name);
  // Read after the list: a publication that was made meanwhile names what it uploaded before.
  const listedNames = await database.readObjectNames();
  const orphans = storedNames.filter((name) => !listedNames.has(name));
  for (const name of orphans) await objects.delete(name, maxAgeMs);
  return orphans;
}

/** Packs a file, by default the spare, and stores its objects. */
async function upload(
  { objects, slots, key, onStep }: PublisherOptions,
  parent: number | null,
  file: number = slots.spareFile,
): Promise<{ entries: ObjectEntry[]; summary: PackSummary }> {
  const { work } = slots;
  const entries: ObjectEntry[] = [];
  await work.run({ kind: 'pack', parent, file, key });
  for (;;) {
    const part = await work.run({ kind: 'takeObject' });
    if ('summary' in part) return { entries, summary: part.summary };
    const { content, ...entry } = part.object;
    await objects.put(entry.sha256, content);
    entries.push(entry);
    await onStep?.('stored');
  }
}

const sumOfBytes = (entries: readonly ObjectEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0);

const toPublished = (
  number: number,
  revision: number,
  { changed }: PackSummary,
  entries: readonly ObjectEntry[],
): Published => ({ number, revision, pages: changed, bytes: sumOfBytes(entries), objects: entries.length });
