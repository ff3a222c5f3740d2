/**
 * Checks the slot that serves for damage while the node runs, in a thread with a small share of one core
 * (docs/decisions/54-damage-check.md). The root of its publication says what its pages must be. A damaged slot is noted,
 * and the follower replaces it.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import { Failure } from '../../failure.ts';
import type { DamageCheckPace } from '../../store/file/damage-check.ts';
import { damagedSlot } from './refusals.ts';
import type { SlotCheckOptions, SlotCheckResult } from './slot-check-thread.ts';
import type { Slot, Slots } from './slots.ts';

/** `retryMs`: also after a check whose slot stopped to serve, and between two that requests asked for. */
export type SlotCheckPace = DamageCheckPace;
const defaultPace: SlotCheckPace = {
  firstMs: 60_000,
  everyMs: 3_600_000,
  retryMs: 60_000,
  pauseFactor: 24,
};

/** The last complete check (ms since 1970; null before the first), and what is damaged now. */
export type SlotDamage = { checkedTs: number | null; damage: readonly string[] };

/**
 * Plans the checks of the slot that serves. `onProblem` gets a `Failure` for damage, and for a check that could
 * not be made.
 */
export class SlotCheck {
  readonly #slots: Slots;
  readonly #onProblem: (failure: unknown) => void;
  readonly #pace: SlotCheckPace;
  #checkedTs: number | null = null;
  #thread: Worker | null = null;
  /** Resolves when the threads that were ended are over. */
  #ended: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #hurriedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(slots: Slots, onProblem: (failure: unknown) => void, pace: Partial<SlotCheckPace> = {}) {
    this.#slots = slots;
    this.#onProblem = onProblem;
    this.#pace = { ...defaultPace, ...pace };
  }

  get state(): SlotDamage {
    const { damaged } = this.#slots;
    return {
      checkedTs: this.#checkedTs,
      damage: damaged === null ? [] : [`${damaged.path} is not what was published`],
    };
  }

  /** Makes the first check after a while, and then others. */
  start(): void {
    if (!this.#isStopped) this.#plan(this.#pace.firstMs);
  }

  /** Checks at once and without pauses, because a request met damage; once a minute at most. */
  hurry(): void {
    const now = performance.now();
    if (this.#isStopped || this.#slots.damaged !== null || now - this.#hurriedAt < this.#pace.retryMs) return;
    this.#hurriedAt = now;
    this.#endThread();
    this.#check(0);
  }

  /** Ends a running check. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#endThread();
    await this.#ended;
  }

  #plan(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(this.#pace.pauseFactor), ms).unref();
  }

  #check(pauseFactor: number): void {
    clearTimeout(this.#timer);
    const { serving } = this.#slots;
    // The follower replaces it; a lost slot is copied again.
    if (serving === null || this.#slots.damaged !== null || this.#slots.isLost(serving)) {
      this.#plan(this.#pace.retryMs);
      return;
    }
    try {
      const options: SlotCheckOptions = { file: serving.file, pauseFactor };
      const thread = startThread('cluster/publication/slot-check-thread', options);
      this.#thread = thread;
      thread.unref();
      const end = (result: SlotCheckResult) => {
        if (this.#thread !== thread || this.#isStopped) return;
        this.#thread = null;
        this.#finish(serving, result);
      };
      thread.once('message', end);
      thread.once('error', (failure: unknown) => end({ root: null, error: String(failure) }));
      thread.once('exit', () => end({ root: null, error: 'The thread ended early.' }));
    } catch (failure) {
      this.#finish(serving, { root: null, error: String(failure) });
    }
  }

  #finish(slot: Slot, { root, error }: SlotCheckResult): void {
    const { path } = slot;
    // What was read is not what serves now, and may have been written meanwhile.
    const isOver = !this.#slots.isServing(slot);
    if (error !== null || isOver) {
      if (!isOver) this.#onProblem(new Failure(`The slot ${path} could not be checked for damage: ${error}`));
      this.#plan(this.#pace.retryMs);
      return;
    }
    this.#plan(this.#pace.everyMs);
    this.#checkedTs = Date.now();
    if (root === slot.root) return;
    this.#slots.noteDamage(slot);
    this.#onProblem(damagedSlot(path));
  }

  #endThread(): void {
    this.#ended = Promise.all([this.#ended, this.#thread?.terminate()]);
    this.#thread = null;
  }
}
