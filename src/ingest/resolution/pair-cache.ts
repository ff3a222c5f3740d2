/** Caches results of comparing pairs. */

import { getOrCreate } from '../../memoize.ts';
import { RecentResults } from './recent-results.ts';

/** Two numbers below this bound fit into one safe integer. */
const maxNumbers = 2 ** 26;

/** Caches results by the identity of both objects, so callers must reuse the object of unchanged facts. */
export class PairCache<T extends object, Found extends object> {
  #numbers = new WeakMap<T, number>();
  #count = 0;
  readonly #results: RecentResults<Found>;

  /** @param maxPairs maximum number of cached pairs */
  constructor(maxPairs: number) {
    this.#results = new RecentResults(maxPairs);
  }

  /** The cached result of two objects, in either order; undefined if there is none. */
  get(a: T, b: T): Found | undefined {
    return this.#results.get(this.#keyOf(a, b));
  }

  /** Caches the result of two objects. */
  set(a: T, b: T, result: Found): void {
    this.#results.set(this.#keyOf(a, b), result);
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
    this.#results.clear();
    this.#count = 0;
  }
}
