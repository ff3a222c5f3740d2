/**
 * Lets a few tasks run at once; the others wait in lanes that take turns, so that a flood in one lane (forged keys with
 * one public id) holds up nobody in another.
 */
import { Problem } from '../contract/errors.ts';

/** Who would wait longer behind so many gets an answer now instead. */
const maxQueueLength = 100;

type Queue = (() => void)[];

export class FairLimiter {
  readonly #lanes = new Map<string, Queue>();
  #free: number;

  /** @param findPlaces how many tasks may run at once */
  constructor(places: number) {
    this.#free = places;
  }

  /** What `task` gives, when its turn has come; rejects with `unavailable` where its lane is full. */
  async run<T>(queueKey: string, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(queueKey);
    try {
      return await task();
    } finally {
      this.#next();
    }
  }

  #turn(name: string): Promise<void> {
    const lane = this.#lanes.get(name) ?? [];
    if (lane.length >= maxQueueLength) {
      throw new Problem('unavailable', 'Too many keys and passwords wait to be checked. Try again shortly.');
    }
    return new Promise((enter) => {
      lane.push(enter);
      this.#lanes.set(name, lane);
    });
  }

  /** Hands the place on to the lane that waited longest for its turn. */
  #next(): void {
    const first = this.#lanes.entries().next();
    if (first.done) {
      this.#free += 1;
      return;
    }
    const [name, lane] = first.value;
    const enter = lane.shift();
    this.#lanes.delete(name);
    if (lane.length > 0) this.#lanes.set(name, lane);
    enter?.();
  }
}
