/** Caches results of comparing pairs. */

import { getOrCreate } from '../../memoize.ts';

/** Two numbers below this bound fit into one safe integer. */
const maxNumbers = 2 ** 26;

/** Caches results by the identity of both objects, so callers must reuse the object of unchanged facts. */
export class PairCache<T extends object, Found extends object> {
  readonly #maxPairs: number;
  #numbers = new WeakMap<T, number>();
  #count = 0;
  /** Recent and older results: when the newer map is full, the older one is dropped. */
  #newer = new Map<number, Found>();
  #older = new Map<number, Found>();

  /** @param maxPairs maximum number of cached pairs */
  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs;
  }

  get(a: T, b: T): Found | undefined {
    const key = this.#keyOf(a, b);
    const cached = this.#newer.get(key);
    if (cached !== undefined) return cached;
    const older = this.#older.get(key);
    if (older !== undefined) this.#keep(key, older);
    return older;
  }

  set(a: T, b: T, result: Found): void {
    this.#keep(this.#keyOf(a, b), result);
  }

  #keep(key: number, result: Found): void {
    if (this.#newer.size >= this.#maxPairs / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, result);
  }

  #keyOf(a: T, b: T): number {
    const [one, two] = [this.#numberOf(a), this.#numberOf(b)];
    return one < two ? one * maxNumbers + two : two * maxNumbers + one;
  }

  #numberOf(thing: T): number {
    return getOrCreate(this.#numbers, thing, () => {
      if (this.#count === maxNumbers) this.#reset();
      return this.#count++;
    });
  }

  /** The numbers are used up: all keys get new ones. */
  #reset(): void {
    this.#numbers = new WeakMap();
    this.#newer.clear();
    this.#older.clear();
    this.#count = 0;
  }
}
