/** Seeded random numbers, the same in every run. Each record has a sequence of its own, so that no state is kept. */

/** A short sequence of numbers that look random (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** An index below `count`, low ones far more often than high ones: few play everywhere, many play once. */
  favourite(count: number): number {
    return Math.floor(count * this.next() ** 3);
  }
}

/** The sequence of one record. */
export function randomOf(kind: string, index: number): Random {
  let seed = Math.imul(index + 1, 0x9e3779b1);
  for (const letter of kind) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193);
  return new Random(seed ^ (seed >>> 13));
}
