/** How pairs were judged: each pair once, however often its two meet. */

/** A pair of numbers below this is one number still. */
const maxNumbers = 2 ** 26;

/** Remembers what was found of pairs of objects, by the objects themselves: who reads the same anew has to give the same object. */
export class PairCache<T extends object, Found extends object> {
  readonly #maxPairs: number;
  #numbers = new WeakMap<T, number>();
  #count = 0;
  /** What was found or asked for lately, and before that: the older half is forgotten when the newer is full. */
  #newer = new Map<number, Found>();
  #older = new Map<number, Found>();

  /** @param most so many pairs are kept */
  constructor(most: number) {
    this.#maxPairs = most;
  }

  get(a: T, b: T): Found | undefined {
    const key = this.#keyOf(a, b);
    const found = this.#newer.get(key);
    if (found !== undefined) return found;
    const older = this.#older.get(key);
    if (older !== undefined) this.#keep(key, older);
    return older;
  }

  set(a: T, b: T, found: Found): void {
    this.#keep(this.#keyOf(a, b), found);
  }

  #keep(key: number, found: Found): void {
    if (this.#newer.size >= this.#maxPairs / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, found);
  }

  #keyOf(a: T, b: T): number {
    const [one, two] = [this.#numberOf(a), this.#numberOf(b)];
    return one < two ? one * maxNumbers + two : two * maxNumbers + one;
  }

  #numberOf(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) {
      if (this.#count === maxNumbers) this.#reset();
      number = this.#count++;
      this.#numbers.set(thing, number);
    }
    return number;
  }

  /** Out of numbers: what was known under them is another's from here on. */
  #reset(): void {
    this.#numbers = new WeakMap();
    this.#newer.clear();
    this.#older.clear();
    this.#count = 0;
  }
}
