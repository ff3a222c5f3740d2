/**
 * Keeps a node at the head: prepares the next publication in the spare slot, and changes places when it becomes the
 * head.
 */
import { Failure } from '../../failure.ts';
import { applyStep, Damage } from './apply-step.ts';
import type { Head, PublicationDatabase } from './database.ts';
import type { ObjectStore } from './objects.ts';
import { baseMissingCode, damagedSlot } from './refusals.ts';
import { describeLoss, restoreServing } from './restore-serving.ts';
import { chooseRoutes, type Route } from './routes.ts';
import type { Slot, Slots } from './slots.ts';

/** A publication cannot be read from PostgreSQL or the store of objects: other nodes probably cannot either. */
class FetchFailure extends Failure {}

const maxProblemLength = 300;
const stepEveryMs = 1_000;
/** How often a node asks that has the next publication ready (ms): all nodes change places within this time. */
const soonMs = 50;

export type FollowerOptions = {
  /** The name of the node, one for each process. */
  node: string;
  database: PublicationDatabase;
  objects: ObjectStore;
  slots: Slots;
  /** The key that encrypts objects (`PublicationDatabase.readKey`). */
  key: Uint8Array;
  /**
   * Serves another slot to readers from now on. If it rejects, the former slot serves on, and it is called again. The
   * former one is written when `SlotReaders.release` resolves.
   */
  onChange: (slot: Slot) => Promise<void>;
  onProblem: (failure: unknown) => void;
};

/**
 * Follows the head of a cluster for one node. After `start` it takes a step each second; commands call `step`
 * themselves.
 */
export class Follower {
  readonly #options: FollowerOptions;
  #head: Head = { head: 0, headRoot: '', next: null, nextRoot: null };
  #wantsBase = false;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stepping: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Whether the node serves another publication than the head, as far as it knows: `/readyz` answers 503 then. */
  get isBehind(): boolean {
    return this.#options.slots.serving?.root !== this.#head.headRoot;
  }

  /** Why this node cannot prepare a publication, such as a full disk; null: it can. Others do not wait for it. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether the objects are not enough to build the head, so that another node must store the whole file. */
  get wantsBase(): boolean {
    return this.#wantsBase;
  }

  /** The head and the next publication as the node last heard. */
  get head(): Head {
    return this.#head;
  }

  /** Checks the slot that serves, and from now on follows the head once a second. */
  start(): void {
    this.#stepping = this.verify().then(() => {}, this.#options.onProblem);
    this.#plan(0);
  }

  /** Ends once the step under way is done, which fetches no more objects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#options.database.hurry();
    await this.#stepping;
  }

  /** Says that another publication is the head, as `admit` returns it: a prepared one is served at once. */
  notice(head: number): void {
    if (head > this.#head.head) this.#plan(0);
  }

  /**
   * Reports the node, then prepares what is next and changes places if that is the head. Steps run one after the other.
   */
  step(): Promise<void> {
    const step = this.#stepping.then(() => this.#step());
    this.#stepping = step.catch(() => {});
    return step;
  }

  async #step(): Promise<void> {
    await this.#report();
    try {
      await this.#advance();
    } catch (failure) {
      if (failure instanceof FetchFailure || this.#isStopped) throw failure;
      const described = describeProblem(failure, this.#options.slots.folder);
      await this.#noteProblem(described);
      throw described;
    }
    if (this.#problem !== null) await this.#noteProblem(null);
  }

  async #advance(): Promise<void> {
    this.#dropLostSpare();
    if (await this.#changeTo(this.#head.headRoot)) await this.#report();
    // A node that is new or was away serves the head first: what is next may not become the head soon.
    if (this.isBehind) await this.#reach(this.#head.head, this.#head.headRoot);
    await this.#replaceLostServing();
    await this.#replaceDamaged();
    const { next, nextRoot } = this.#head;
    if (next !== null) await this.#reach(next, nextRoot ?? '');
  }

  /** Prepares a publication unless a slot has it, and serves it if it is the head. */
  async #reach(publication: number, root: string): Promise<void> {
    if (publication === 0 || this.#has(publication, root)) return;
    await this.#prepare(publication);
    await this.#report();
    if (await this.#changeTo(this.#head.headRoot)) await this.#report();
  }

  /**
   * Reads the slot that serves, and replaces it if its pages are not those of its publication. Returns whether they
   * were.
   */
  async verify(): Promise<boolean> {
    const { slots } = this.#options;
    const { serving } = slots;
    if (serving === null) return true;
    const { root } = await slots.work.run({ kind: 'summarize', file: serving.file });
    if (root === serving.root || !slots.isServing(serving)) return true;
    slots.noteDamage(serving);
    this.#options.onProblem(damagedSlot(serving.path));
    await this.#replaceDamaged();
    return false;
  }

  /** Replaces the slot that serves if it is damaged. */
  async #replaceDamaged(): Promise<void> {
    const { damaged } = this.#options.slots;
    if (damaged === null) return;
    await this.#prepare(damaged.publication);
    await this.#changeTo(damaged.root, true);
  }

  /** Readers would open another file than the one that was prepared. */
  #dropLostSpare(): void {
    const { slots, onProblem } = this.#options;
    const { spare } = slots;
    if (spare === null || !slots.isLost(spare)) return;
    onProblem(describeLoss(spare));
    slots.distrust('spare');
  }

  /**
   * Serves a copy in the other slot if the file of the one that serves was deleted or replaced. Until then, the open
   * connections go on reading the former file. Its pages are fetched if the former file does not have them.
   */
  async #replaceLostServing(): Promise<void> {
    const { slots } = this.#options;
    const { serving } = slots;
    if (serving === null || !slots.isLost(serving)) return;
    if (await restoreServing(this.#options)) return this.#report();
    await this.#prepare(serving.publication);
    if (await this.#changeTo(serving.root, true)) await this.#report();
  }

  /** Reports why this node cannot prepare a publication. Without PostgreSQL, nothing waits for it. */
  async #noteProblem(failure: Error | null): Promise<void> {
    const former = this.#problem;
    this.#problem = failure === null ? null : failure.message.slice(0, maxProblemLength);
    try {
      await this.#report();
    } catch (away) {
      this.#problem = former;
      throw away;
    }
  }

  #plan(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isStopped) return;
      void this.step()
        .catch((failure: unknown) => {
          if (!this.#isStopped) this.#options.onProblem(failure);
        })
        .then(() => this.#plan(this.#awaitsHead() ? soonMs : stepEveryMs));
    }, delayMs);
  }

  /** Whether the next publication is ready here, and not active yet. */
  #awaitsHead(): boolean {
    const { next, nextRoot } = this.#head;
    return next !== null && this.#has(next, nextRoot ?? '');
  }

  /** Numbers are given again if PostgreSQL lost its last commits: the root says which publication it is. */
  #has(publication: number, root: string): boolean {
    const { serving, spare } = this.#options.slots;
    return [serving, spare].some((slot) => slot?.publication === publication && slot.root === root);
  }

  async #report(): Promise<void> {
    const { database, node, slots } = this.#options;
    const [serving, spare] = [slots.serving?.publication ?? null, slots.spare?.publication ?? null];
    const prepared = serving === null && spare === null ? null : Math.max(serving ?? 0, spare ?? 0);
    this.#head = await database.report({
      node,
      serving,
      prepared,
      wantsBase: this.#wantsBase,
      problem: this.#problem,
    });
  }

  /** Changes places if the spare holds the publication with this root. Returns whether it did. */
  async #changeTo(root: string, isRepair = false): Promise<boolean> {
    const { slots, onChange } = this.#options;
    const isDue = () => slots.spare?.root === root && (isRepair || slots.serving?.root !== root);
    if (!isDue()) return false;
    return slots.use(async () => {
      const { spare } = slots;
      if (spare === null || !isDue()) return false;
      await onChange(spare);
      await slots.changePlaces();
      return true;
    });
  }

  /** Brings the spare to a publication, by the route with the fewest bytes whose objects are whole. */
  async #prepare(target: number): Promise<void> {
    const { database, slots, onProblem } = this.#options;
    await slots.use(async () => {
      const publications = await database.readPublications(target).catch(failFetch);
      const routes = chooseRoutes(publications, target, slots.serving);
      for (const route of routes) {
        try {
          await this.#take(route);
          this.#wantsBase = false;
          return;
        } catch (failure) {
          if (!(failure instanceof Damage)) throw failure;
          onProblem(failure);
        }
      }
      // A base would be stored in the new place, too.
      await this.#options.objects.requireCurrent?.();
      this.#wantsBase = true;
      throw new Failure(
        `Publication ${target} cannot be fetched whole: objects are missing or damaged. A node that serves it stores a whole copy within a minute.`,
        1,
        { code: baseMissingCode },
      );
    });
  }

  /** A whole file may take minutes: a slot that was being written is written again at the next start. */
  #fetchObject(name: string): Promise<Uint8Array | null> {
    if (this.#isStopped) return Promise.reject(new FetchFailure('The node is stopping.'));
    return this.#options.objects.get(name).catch(failFetch);
  }

  async #take({ from, steps }: Route): Promise<void> {
    const { slots, key } = this.#options;
    const { work } = slots;
    await slots.beginWriting();
    const to = slots.spareFile;
    if (from === null) {
      await work.run({ kind: 'clear', to, key });
    } else {
      const { root } = await work.run({ kind: 'align', from: from.file, to, key });
      if (root !== from.root) {
        slots.noteDamage(from);
        throw new Damage(`The slot ${from.path} is damaged.`);
      }
    }
    for (const step of steps) await applyStep(work, (name) => this.#fetchObject(name), step);
    const { number, revision, root } = (steps.at(-1) as Route['steps'][number]).publication;
    await slots.finishWriting({ publication: number, revision, root });
  }
}

function failFetch(failure: unknown): never {
  const reason = failure instanceof Error && failure.message !== '' ? failure.message : String(failure);
  throw new FetchFailure(reason);
}

/** A full disk, as the system and SQLite say it. */
const isDiskFull = (message: string): boolean => /ENOSPC|EDQUOT|disk is full/.test(message);

function describeProblem(failure: unknown, folder: string): Error {
  if (!(failure instanceof Error)) return new Failure(String(failure));
  if (!isDiskFull(failure.message)) return failure;
  return new Failure(
    `The disk of ${folder} is full: this node cannot take what is published. Make room; it goes on by itself.`,
  );
}
