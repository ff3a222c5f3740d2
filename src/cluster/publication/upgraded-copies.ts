/**
 * Copies of slots for a program that is newer than the catalogue of the cluster
 * (docs/decisions/44-nodes-of-a-cluster.md). The slots stay equal to what was published; `upgraded-a.db` and
 * `upgraded-b.db` beside them have the schema of the program and are read.
 */
import { readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../failure.ts';
import { schemaVersion } from '../../store/database.ts';
import { JobFailure } from '../../thread-jobs.ts';
import type { PublicationDatabase } from './database.ts';
import type { PageWork } from './page-work.ts';
import { ChangeRefused } from './refusals.ts';
import type { Slot, SlotReaders, Slots } from './slots.ts';

/** Where SQLite keeps `user_version` in the header of a file. */
const versionOffset = 60;
/** A copy that failed is not tried again before this time (ms): its disk may be full. */
const retryMs = 5_000;

export type ServingReaders = SlotReaders & { serve(slot: Slot): Promise<void> };

/** Live nodes cannot read the schema of this program: they change the catalogue until they are updated. */
export class OlderNodes extends ChangeRefused {
  constructor(schema: number) {
    super(
      'older_nodes',
      `Nodes of an older version run, which cannot read schema ${schemaVersion}: the catalogue keeps schema ${schema}, and only those nodes change it. Update them, or make the change on one of them (\`cratebase cluster status\`).`,
    );
  }
}

/** The schema of the catalogue in a slot. */
export function readSchema({ file }: Pick<Slot, 'file'>): number {
  const bytes = Buffer.alloc(4);
  readSync(file, bytes, 0, bytes.length, versionOffset);
  return bytes.readInt32BE();
}

/**
 * Checks that all live nodes can read the schema of this program.
 * @param node the node that wants to publish it
 * @throws OlderNodes
 */
export async function requireNewNodes(database: PublicationDatabase, node: string): Promise<void> {
  const oldest = await database.readOldestProgram(node);
  if (oldest !== null && oldest < schemaVersion) throw new OlderNodes(oldest);
}

/** Brings the spare to the schema of this program, as a part of the next publication. */
export async function upgradeSpare({ work, sparePath: path, spareFile }: Slots): Promise<void> {
  const copy = copyOf(path);
  try {
    // Of a copy: SQLite must not close a slot that stays open, and a failure leaves the slot as it is.
    await upgrade(work, path, copy);
    await work.run({ kind: 'copyFile', path: copy, to: spareFile });
  } finally {
    await remove(copy);
  }
}

/** Reads of slots with an older schema go to copies of them, which are made when a slot is prepared. */
export class UpgradedCopies implements ServingReaders {
  readonly #readers: ServingReaders;
  readonly #work: PageWork;
  /** The root of the publication of each whole copy, by its path. Copies of earlier processes are not trusted. */
  readonly #made = new Map<string, string>();
  readonly #removals = new Map<string, Promise<void>>();
  #failed: { root: string; at: number; failure: unknown } | null = null;
  #serving: string | null = null;

  constructor(readers: ServingReaders, work: PageWork) {
    this.#readers = readers;
    this.#work = work;
  }

  /** Removes what an earlier process left in the folder of the slots. */
  async clear(slots: Slots): Promise<void> {
    for (const path of slots.paths) await remove(copyOf(path));
  }

  async prepare(slot: Slot): Promise<void> {
    await this.#readers.prepare(await this.#toReadable(slot));
  }

  async serve(slot: Slot): Promise<void> {
    const readable = await this.#toReadable(slot);
    await this.#readers.serve(readable);
    const former = this.#serving;
    this.#serving = readable.path;
    // Its space is free as soon as no response reads it.
    if (former !== null && former !== readable.path && this.#made.has(former)) void this.#remove(former);
  }

  async release(path: string): Promise<void> {
    await this.#readers.release(path);
    const copy = copyOf(path);
    if (this.#made.has(copy) || this.#removals.has(copy)) await this.#remove(copy);
  }

  /** Returns the slot, with the path of its copy if its schema is older. */
  async #toReadable(slot: Slot): Promise<Slot> {
    const schema = readSchema(slot);
    if (schema >= schemaVersion) return slot;
    const { root } = slot;
    const path = copyOf(slot.path);
    await this.#removals.get(path);
    if (this.#made.get(path) === root) return { ...slot, path };
    if (this.#failed?.root === root && performance.now() - this.#failed.at < retryMs)
      throw this.#failed.failure;
    if (this.#made.has(path)) await this.#remove(path);
    try {
      await upgrade(this.#work, slot.path, path);
    } catch (failure) {
      await remove(path);
      const { message } = failure as Error;
      const text = `The catalogue of the cluster has schema ${schema}. No copy of schema ${schemaVersion} could be made, which this program reads: ${message}`;
      this.#failed = { root, at: performance.now(), failure: new Failure(text) };
      throw this.#failed.failure;
    }
    this.#failed = null;
    this.#made.set(path, root);
    return { ...slot, path };
  }

  /** Removes a copy once it is not read. */
  #remove(path: string): Promise<void> {
    const earlier = this.#removals.get(path);
    if (earlier !== undefined) return earlier;
    this.#made.delete(path);
    const removal = this.#readers
      .release(path)
      .then(() => remove(path))
      .catch(() => {})
      .finally(() => this.#removals.delete(path));
    this.#removals.set(path, removal);
    return removal;
  }
}

async function upgrade(work: PageWork, path: string, to: string): Promise<void> {
  await remove(to);
  try {
    await work.run({ kind: 'upgrade', path, to });
  } catch (failure) {
    throw failure instanceof JobFailure ? new Failure(failure.message) : failure;
  }
}

const copyOf = (path: string): string => join(dirname(path), `upgraded-${basename(path)}`);

async function remove(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true });
}
