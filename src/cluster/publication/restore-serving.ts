/**
 * Restores the slot that serves when its file is deleted or replaced while the node runs. The file stays open here, so
 * its pages are copied into the other slot, also while PostgreSQL is away.
 */
import { Failure } from '../../failure.ts';
import type { Slot, Slots } from './slots.ts';

type Folder = {
  slots: Slots;
  /** Serves another slot to readers. */
  onChange: (slot: Slot) => Promise<void>;
  onProblem: (failure: unknown) => void;
};

/** How often the file that serves is looked at (ms). */
const checkEveryMs = 500;

/** Describes a slot whose path no longer leads to its open file. */
export const describeLoss = ({ path }: Slot): Failure =>
  new Failure(
    `The slot ${path} was deleted or replaced while the node runs. The node makes a new copy of it, and goes on serving meanwhile.`,
  );

/**
 * Copies the slot that serves from its open file into the other slot, and serves that, if its path was lost.
 * @returns false if the open file does not have the pages of its publication: they must be fetched
 */
export async function restoreServing({ slots, onChange, onProblem }: Folder): Promise<boolean> {
  const isLost = () => slots.serving !== null && slots.isLost(slots.serving);
  if (!isLost()) return true;
  return slots.use(async () => {
    const { serving } = slots;
    if (serving === null || !isLost()) return true;
    onProblem(describeLoss(serving));
    await slots.beginWriting();
    const { root } = await slots.work.run({ kind: 'copyPages', from: serving.file, to: slots.spareFile });
    const { publication, revision } = serving;
    if (root !== serving.root) return false;
    await slots.finishWriting({ publication, revision, root });
    await onChange(slots.spare as Slot);
    await slots.changePlaces();
    slots.distrust('spare');
    return true;
  });
}

/** Looks at the slot that serves twice a second, and restores it. It needs no PostgreSQL. */
export class ServingGuard {
  readonly #folder: Folder;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /** Whether the slot that serves is lost and could not be restored, such as on a full disk. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check().then(() => this.start());
    }, checkEveryMs);
  }

  /** Ends once the copy under way is made. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  async #check(): Promise<void> {
    try {
      this.#isFailing = !(await restoreServing(this.#folder));
    } catch (failure) {
      this.#isFailing = true;
      this.#folder.onProblem(failure);
    }
  }
}
