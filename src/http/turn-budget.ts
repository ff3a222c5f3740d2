/** The time of callers with a key in one turn of the event loop. */
import { performance } from 'node:perf_hooks';
import { Problem } from '../contract/errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { afterContinuations } from './fair-scheduler.ts';

/** A turn starts no further task after this time, in ms. A task itself may be longer. */
const maxTurnMs = 4;
/** Tasks beyond these bounds are rejected: one connection may send any number of requests before it reads answers. */
const maxPerQueue = 1_000;
const maxWaiting = 5_000;

/**
 * Bounds how long the requests of one turn of the event loop run, however many connections send one at once. Further
 * requests run in later turns, in which callers alternate.
 */
export class TurnBudget {
  readonly #queue = new FairQueue<() => void>();
  readonly #now: () => number;
  /** When the first task of this turn came, in ms; null before. */
  #startedAt: number | null = null;
  #isScheduled = false;

  /** @param now a clock in ms, for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a task may run in this turn: none waits, and the tasks before it took less than the bound. */
  hasTime(): boolean {
    if (this.#startedAt === null) {
      this.#startedAt = this.#now();
      this.#schedule();
    } else if (this.#now() - this.#startedAt >= maxTurnMs) return false;
    return this.#queue.size === 0;
  }

  /**
   * Keeps a task, which must not throw, for a later turn.
   * @param queueKey the caller, such as the id of its credential
   * @param isContinued whether it continues a task: it precedes the caller's other tasks, and is not rejected
   * @throws Problem `unavailable` if too many tasks wait
   */
  defer(queueKey: string, task: () => void, isContinued = false): void {
    const isFull = this.#queue.sizeOf(queueKey) >= maxPerQueue || this.#queue.size >= maxWaiting;
    if (isFull && !isContinued)
      throw new Problem('unavailable', 'Too many requests wait here. Try again shortly.');
    this.#queue.push(queueKey, task, isContinued);
    this.#schedule();
  }

  /**
   * Runs a task in this turn if it has time, otherwise in a later one.
   * @param isContinued as for `defer`
   * @returns the result of the task; rejects with its error, or with `unavailable` if too many tasks wait
   */
  run<T>(queueKey: string, task: () => T, isContinued = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        try {
          resolve(task());
        } catch (failure) {
          reject(failure);
        }
      };
      if (this.hasTime()) settle();
      else this.defer(queueKey, settle, isContinued);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#endTurn());
  }

  /** Runs tasks that wait, one at least, in the time that is left. It is called after the requests of the turn came. */
  #endTurn(): void {
    const startedAt = this.#startedAt ?? this.#now();
    const next = () => {
      this.#queue.shift()?.();
      afterContinuations(() => {
        if (this.#queue.size > 0 && this.#now() - startedAt < maxTurnMs) next();
        else this.#finishTurn();
      });
    };
    if (this.#queue.size > 0) next();
    else this.#finishTurn();
  }

  #finishTurn(): void {
    this.#startedAt = null;
    this.#isScheduled = false;
    // An immediate set within an immediate runs after the event loop has looked for new requests.
    if (this.#queue.size > 0) this.#schedule();
  }
}

/** The budget of this process: all entry points for callers with a key share it. */
export const turnBudget = new TurnBudget();
