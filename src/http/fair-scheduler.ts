/**
 * Work that may wait: a little of it is done at a time, then as long a time is left for other requests. Tasks wait in lanes
 * that take turns, one task each: a long lane delays no other.
 */
import { performance } from 'node:perf_hooks';
import { Problem } from '../contract/errors.ts';

/** More tasks are begun in a turn only while less time than this (ms) has passed in it. */
const maxSliceMs = 1;
/** A turn that took less than this (ms) is followed by the next as soon as the event loop has looked for requests. */
const shortSliceMs = 0.5;
/** A task that would wait behind more is refused instead. */
const maxPerQueue = 200;
const maxWaiting = 5_000;

type ScheduledTask = () => void;

export class FairScheduler {
  readonly #lanes = new Map<string, ScheduledTask[]>();
  #waiting = 0;
  /** No turn runs or is to come. */
  #isIdle = true;

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `task` when its turn comes, at the earliest when the present callback has ended.
   * @param queueKey whose task it is: a network, a credential
   * @returns what the task returns; rejects with what it throws, and with `unavailable` where too many wait
   */
  run<T>(queueKey: string, task: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const tasks = this.#lanes.get(queueKey) ?? [];
      if (tasks.length >= maxPerQueue || this.#waiting >= maxWaiting) {
        reject(new Problem('unavailable', 'Too many requests wait here. Try again shortly.'));
        return;
      }
      tasks.push(() => {
        try {
          resolve(task());
        } catch (failure) {
          reject(failure);
        }
      });
      this.#lanes.set(queueKey, tasks);
      this.#waiting += 1;
      if (this.#isIdle) {
        this.#isIdle = false;
        setImmediate(() => this.#turn());
      }
    });
  }

  #turn(): void {
    const began = performance.now();
    let took: number;
    do {
      this.#take()();
      took = performance.now() - began;
    } while (this.#waiting > 0 && took < maxSliceMs);
    if (this.#waiting === 0) {
      this.#isIdle = true;
      return;
    }
    // Requested within an immediate, the next one runs after the loop has looked for new requests.
    if (took < shortSliceMs) setImmediate(() => this.#turn());
    else setTimeout(() => this.#turn(), took);
  }

  /** The first task of the lane that has waited longest for its turn; the lane goes to the end. */
  #take(): ScheduledTask {
    const [name, tasks] = this.#lanes.entries().next().value as [string, ScheduledTask[]];
    const task = tasks.shift() as ScheduledTask;
    this.#lanes.delete(name);
    if (tasks.length > 0) this.#lanes.set(name, tasks);
    this.#waiting -= 1;
    return task;
  }
}
