/**
 * The two copies of the catalogue of a node: `a.db` and `b.db`. One serves and is never written; the other, the
 * spare, is brought up to date. `slot.json` says which publication each holds; a slot without an entry was being
 * written.
 */
import { chmodSync, closeSync, fstatSync, fsync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { openExclusively } from '../../store/file/exclusive-open.ts';
import { replaceDurably } from './durable.ts';
import { PageWork } from './page-work.ts';
import { emptySlots, readSlotFile, type SlotFile, type SlotName, type SlotState } from './slot-file.ts';

/** `change`: how often the slots had changed places when it was read. */
export type Slot = SlotState & { name: SlotName; path: string; file: number; change: number };

/** What reads the slots of a node. */
export type SlotReaders = {
  /** Opens the spare before it serves, so that it can be served at once. */
  prepare(slot: Slot): Promise<void>;
  /** Closes a file that is about to be written, as soon as no response reads it. */
  release(path: string): Promise<void>;
};

const otherSlot = { a: 'b', b: 'a' } as const;

/** The slots in the folder of one node, which this process has locked until `close`. */
export class Slots {
  /** The readers of the slots; by default there are none. */
  readers: SlotReaders = { prepare: async () => {}, release: async () => {} };
  /** Compares, packs and writes the pages of the slots. */
  readonly work: PageWork = new PageWork();
  readonly folder: string;
  /** `slot.json` cannot be read: what the slots hold is not known. */
  readonly isNoteDamaged: boolean;
  #lock: FolderLock;
  /** They stay open: closing one would release the locks of SQLite in this process on that file. */
  readonly #files: Record<SlotName, number>;
  #state: SlotFile;
  /** How often another slot came to serve. */
  #changes = 0;
  #isServingDamaged = false;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, lock: FolderLock) {
    this.folder = folder;
    this.#lock = lock;
    this.#files = { a: openFile(this.#pathOf('a')), b: openFile(this.#pathOf('b')) };
    const slotFile = readSlotFile(folder);
    this.isNoteDamaged = slotFile === null;
    this.#state = slotFile ?? emptySlots;
  }

  /**
   * Opens the folder of a node, and creates it if it is missing.
   * @throws Failure if another process uses it
   */
  static open(folder: string): Slots {
    return new Slots(folder, lockFolder(folder));
  }

  /** The slot that serves; null before the first publication. */
  get serving(): Slot | null {
    const { serving } = this.#state;
    return serving === null ? null : this.#slotOf(serving);
  }

  /** The other slot if it holds a publication; null if it is empty or was being written. */
  get spare(): Slot | null {
    return this.#slotOf(this.#spareName);
  }

  /** The paths of both slots. */
  get paths(): string[] {
    return [this.#pathOf('a'), this.#pathOf('b')];
  }

  /** The slot that serves, if its pages are known not to be those of its publication; null: they are, or may be. */
  get damaged(): Slot | null {
    return this.#isServingDamaged ? this.serving : null;
  }

  /** Notes that a slot is damaged, unless another one serves since. */
  noteDamage(slot: Slot): void {
    if (this.isServing(slot)) this.#isServingDamaged = true;
  }

  /** Whether a slot has served without a break since it was read from `serving`. */
  isServing({ name, change }: Slot): boolean {
    const { serving } = this;
    return serving?.name === name && serving.change === change;
  }

  get spareFile(): number {
    return this.#files[this.#spareName];
  }

  get sparePath(): string {
    return this.#pathOf(this.#spareName);
  }

  /**
   * Trusts no more what the slots hold: the spare, or both. What is needed of them is fetched again. A copy from an
   * earlier process may be damaged, and only the one that serves is verified.
   */
  distrust(which: 'spare' | 'both'): void {
    this.#state = which === 'both' ? emptySlots : { ...this.#state, [this.#spareName]: null };
  }

  /** Whether the file of a slot was deleted or replaced: what opens its path does not read what is open here. */
  isLost({ path, file }: Pick<Slot, 'path' | 'file'>): boolean {
    return isReplaced(path, fstatSync(file, { bigint: true }));
  }

  /**
   * Checks that what was written into the spare by its path and by its descriptor is in one file.
   * @throws Failure if the file was deleted or replaced since `beginWriting`
   */
  requireSpareFile(): void {
    if (this.isLost({ path: this.sparePath, file: this.spareFile }))
      throw new Failure(
        `The slot ${this.sparePath} was deleted or replaced while it was written. What was written is dropped; try again in a minute.`,
      );
  }

  /** Runs work on the spare alone: other work on it waits. */
  use<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  /**
   * Notes that the spare is being written, before the first byte is. A file that is lost is created again, empty; so
   * is the folder.
   * @throws Failure if another process took the folder since it was lost
   */
  async beginWriting(): Promise<void> {
    this.#keepFolder();
    await this.readers.release(this.sparePath);
    await this.#write({ ...this.#state, [this.#spareName]: null });
    // A log that a killed import left must never be applied to other pages.
    for (const end of ['-wal', '-shm', '-journal']) rmSync(this.sparePath + end, { force: true });
    if (this.isLost({ path: this.sparePath, file: this.spareFile })) this.#replaceSpare();
  }

  /** Notes what the spare holds, once it is on disk. */
  async finishWriting(state: SlotState): Promise<void> {
    await promisify(fsync)(this.spareFile);
    this.requireSpareFile();
    await this.#write({ ...this.#state, [this.#spareName]: state });
    if (this.spare !== null) await this.readers.prepare(this.spare);
  }

  /** Makes the spare the slot that serves. */
  async changePlaces(): Promise<void> {
    if (this.spare === null) throw new Error('the spare slot holds no publication');
    await this.#write({ ...this.#state, serving: this.#spareName });
    this.#changes += 1;
    this.#isServingDamaged = false;
  }

  /** Releases the folder once work on the spare is done. Connections of SQLite to the slots must be closed before. */
  async close(): Promise<void> {
    await this.#queue;
    await this.work.close();
    for (const file of Object.values(this.#files)) closeSync(file);
    this.#lock.connection.close();
  }

  /** Makes the folder again if it was deleted. Its lock would be held by nobody. */
  #keepFolder(): void {
    if (!isReplaced(lockPathOf(this.folder), this.#lock)) return;
    const lock = lockFolder(this.folder);
    this.#lock.connection.close();
    this.#lock = lock;
  }

  #replaceSpare(): void {
    const former = this.spareFile;
    // What is there now may be a link to a file that is none of the node's.
    rmSync(this.sparePath, { force: true });
    this.#files[this.#spareName] = openFile(this.sparePath);
    // Its readers are closed: no lock of SQLite is released.
    closeSync(former);
  }

  get #spareName(): SlotName {
    return this.#state.serving === null ? 'a' : otherSlot[this.#state.serving];
  }

  #slotOf(name: SlotName): Slot | null {
    const state = this.#state[name];
    if (state === null) return null;
    return { ...state, name, path: this.#pathOf(name), file: this.#files[name], change: this.#changes };
  }

  #pathOf(name: SlotName): string {
    return join(this.folder, `${name}.db`);
  }

  async #write(state: SlotFile): Promise<void> {
    const path = join(this.folder, 'slot.json');
    await replaceDurably(path, `${path}.new`, `${JSON.stringify(state)}\n`);
    this.#state = state;
  }
}

/** A file by its place on the disk. */
type FileIdentity = { ino: bigint; dev: bigint };
type FolderLock = FileIdentity & { connection: Database.Database };

const lockPathOf = (folder: string): string => join(folder, 'slots.lock');

/** Whether another file, or none, has the path of an open one. */
function isReplaced(path: string, { ino, dev }: FileIdentity): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  return there === undefined || there.ino !== ino || there.dev !== dev;
}

/** Locks a folder for this process, and creates it if it is missing. SQLite's lock ends with the process, however that ends. */
function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = lockPathOf(folder);
  closeSync(openSync(path, 'a', 0o600));
  const connection = openExclusively(path);
  if (connection === null)
    throw new Failure(
      `Another process uses the folder ${folder}. Name another one for each node with --data, or stop that process.`,
    );
  const { ino, dev } = statSync(path, { bigint: true });
  return { connection, ino, dev };
}

/** Opens a slot for reading and writing, and creates an empty one. */
function openFile(path: string): number {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return openSync(path, 'r+');
}
