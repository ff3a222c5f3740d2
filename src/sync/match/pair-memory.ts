/** How pairs were judged: each pair once, however often its two meet. */
import { LRUCache } from 'lru-cache';

/** A pair of numbers below this is one number still. */
const mostNumbers = 2 ** 26;

/** Remembers what was found of pairs of objects, by the objects themselves: who reads the same anew has to give the same object. */
export class PairMemory<T extends object, Found extends object> {
  #numbers = new WeakMap<T, number>();
  #count = 0;
  readonly #known: LRUCache<number, Found>;

  /** @param most so many pairs are kept */
  constructor(most: number) {
    this.#known = new LRUCache({ max: most });
  }

  get(a: T, b: T): Found | undefined {
    return this.#known.get(this.#keyOf(a, b));
  }

  set(a: T, b: T, found: Found): void {
    this.#known.set(this.#keyOf(a, b), found);
  }

  #keyOf(a: T, b: T): number {
    const [one, two] = [this.#numberOf(a), this.#numberOf(b)];
    return one < two ? one * mostNumbers + two : two * mostNumbers + one;
  }

  #numberOf(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) {
      if (this.#count === mostNumbers) this.#beginAnew();
      number = this.#count++;
      this.#numbers.set(thing, number);
    }
    return number;
  }

  /** Out of numbers: what was known under them is another's from here on. */
  #beginAnew(): void {
    this.#numbers = new WeakMap();
    this.#known.clear();
    this.#count = 0;
  }
}
