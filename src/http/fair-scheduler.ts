/** Turns for work that must not hold up requests with a key: pages of visitors, long answers, changes and exports. */
import { performance } from 'node:perf_hooks';
import { Problem } from '../contract/errors.ts';
import { FairQueue } from '../fair-queue.ts';

/** A slice starts no further task after this time, in ms. */
const maxSliceMs = 1;
/** After a slice shorter than this (ms), the next starts as soon as the event loop has looked for requests. */
const shortSliceMs = 0.5;
/** Tasks beyond these bounds are rejected. */
const maxPerQueue = 200;
const maxWaiting = 5_000;

/**
 * Runs short synchronous tasks in slices, in which callers alternate. After a slice it leaves as much time for other requests as
 * the slice took.
 */
export class FairScheduler {
  readonly #queue = new FairQueue<() => void>();
  /** No slice runs or is scheduled. */
  #isIdle = true;

  /**
   * Runs `task` when its turn comes, after the current callback at the earliest.
   * @param queueKey the caller: a network, a credential
   * @param isContinued whether it continues a task: it precedes the caller's other tasks, and is not rejected
   * @returns the result of the task; rejects with its error, or with `unavailable` if too many tasks wait
   */
  run<T>(queueKey: string, task: () => T, isContinued = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const isFull = this.#queue.sizeOf(queueKey) >= maxPerQueue || this.#queue.size >= maxWaiting;
      if (isFull && !isContinued) {
        reject(new Problem('unavailable', 'Too many requests wait here. Try again shortly.'));
        return;
      }
      const settle = () => {
        try {
          resolve(task());
        } catch (failure) {
          reject(failure);
        }
      };
      this.#queue.push(queueKey, settle, isContinued);
      if (this.#isIdle) {
        this.#isIdle = false;
        setImmediate(() => this.#runSlice());
      }
    });
  }

  /** Runs tasks until the slice has taken its time, with what their promises do in this turn of the event loop. */
  #runSlice(): void {
    const startedAt = performance.now();
    const next = () => {
      this.#queue.shift()?.();
      afterContinuations(() => {
        const elapsedMs = performance.now() - startedAt;
        if (this.#queue.size > 0 && elapsedMs < maxSliceMs) next();
        else this.#endSlice(elapsedMs);
      });
    };
    next();
  }

  #endSlice(elapsedMs: number): void {
    if (this.#queue.size === 0) {
      this.#isIdle = true;
      return;
    }
    // An immediate set within an immediate runs after the event loop has looked for new requests.
    if (elapsedMs < shortSliceMs) setImmediate(() => this.#runSlice());
    else setTimeout(() => this.#runSlice(), elapsedMs);
  }
}

/**
 * Calls back in this turn of the event loop, after the promises that are settled by now have continued. Most requests do
 * much of their work there, which counts for the time of a turn.
 */
export function afterContinuations(callback: () => void): void {
  // Callbacks of `nextTick` run before those of promises, except if one of these sets them.
  queueMicrotask(() => process.nextTick(callback));
}
