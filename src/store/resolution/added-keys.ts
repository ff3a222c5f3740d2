/**
 * Remembers which keys a connection added to a table that was empty before: most look-ups of an import into an empty file
 * find nothing, and need not read the file then.
 */
import type Database from 'better-sqlite3';
import { fnv1a } from '../../fnv1a.ts';

/** Bits of the filter: one megabyte. A million keys are found by mistake in 4 % of cases, which costs one look-up each. */
const bitCount = 2 ** 23;

export class AddedKeys {
  readonly #dataVersion: Database.Statement;
  readonly #version: unknown;
  /** Two bits for each key, a Bloom filter; null if the table may have other rows. */
  #bits: Uint32Array | null;

  /**
   * Must be called outside of a transaction: a rollback could bring rows back that it deleted.
   * @param isEmpty whether the table has no rows
   */
  constructor(sqlite: Database.Database, isEmpty: () => boolean) {
    this.#dataVersion = sqlite.prepare('PRAGMA data_version').pluck();
    this.#version = this.#dataVersion.get();
    this.#bits = isEmpty() ? new Uint32Array(bitCount / 32) : null;
  }

  /** Must be called before a row with a key of this hash is added. A rollback need not take it back. */
  add(hash: number): void {
    const bits = this.#bits;
    if (bits === null) return;
    for (const bit of bitsOf(hash)) bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
  }

  /** Whether the table may have a row with a key of one of these hashes. */
  mayHaveAny(hashes: readonly number[]): boolean {
    const bits = this.#bits;
    if (bits === null) return true;
    // Another connection may have added rows since.
    if (this.#dataVersion.get() !== this.#version) {
      this.#bits = null;
      return true;
    }
    const isSet = (bit: number) => ((bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
    return hashes.some((hash) => bitsOf(hash).every(isSet));
  }
}

/** The bits of a hash, which may have up to 53 bits. */
function bitsOf(hash: number): [number, number] {
  const mixed = Math.imul((hash >>> 0) ^ Math.imul(Math.floor(hash / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  const one = mixed ^ (mixed >>> 15);
  const two = Math.imul(one, 0xc2b2ae35);
  return [(one >>> 0) % bitCount, ((two ^ (two >>> 13)) >>> 0) % bitCount];
}

/** A hash of 32 bits of two texts. */
export const hashOf = (first: string, second: string): number => fnv1a(second, fnv1a(first));
