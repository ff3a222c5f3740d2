/**
 * Remembers which keys a connection added to a table that was empty before: most look-ups of an import into an empty file
 * find nothing, and need not read the file then.
 */
import type Database from 'better-sqlite3';
import { fnv1a } from '../../fnv1a.ts';

/** Bits of the filter: one megabyte. A million keys are found by mistake in 4 % of cases, which costs one look-up each. */
const bitCount = 2 ** 23;

/** Whether another connection committed since the object was created. */
export class ForeignCommits {
  readonly #dataVersion: Database.Statement;
  readonly #version: unknown;
  #hasAny = false;
  /** Whether this connection holds the write lock, so that no other can commit. */
  #isLocked = false;

  /** Must be called outside of a transaction. */
  constructor(sqlite: Database.Database) {
    this.#dataVersion = sqlite.prepare('PRAGMA data_version').pluck();
    this.#version = this.#dataVersion.get();
  }

  /** Whether there was such a commit; once true, it stays true. */
  hasAny(): boolean {
    if (!this.#isLocked && !this.#hasAny) this.#hasAny = this.#dataVersion.get() !== this.#version;
    return this.#hasAny;
  }

  /** Reads the version once for a write transaction. Must be called within it. */
  onBegun(): void {
    this.hasAny();
    this.#isLocked = true;
  }

  /** Must be called before the transaction ends. */
  beforeEnd(): void {
    this.#isLocked = false;
  }
}

/**
 * The keys that a connection added to a table, as a filter that may find a key by mistake but misses none
 * (docs/decisions/69-imports-into-empty-files.md).
 */
export class AddedKeys {
  readonly #foreignCommits: ForeignCommits;
  /** Two bits for each key, a Bloom filter; null if the table may have other rows. */
  #bits: Uint32Array | null;

  /**
   * Must be called outside of a transaction: a rollback could bring rows back that it deleted.
   * @param isEmpty whether the table has no rows
   */
  constructor(foreignCommits: ForeignCommits, isEmpty: () => boolean) {
    this.#foreignCommits = foreignCommits;
    this.#bits = isEmpty() ? new Uint32Array(bitCount / 32) : null;
  }

  /** Must be called before a row with a key of this hash is added. A rollback need not take it back. */
  add(hash: number): void {
    const bits = this.#bits;
    if (bits === null) return;
    const mixed = mix(hash);
    setBit(bits, firstBit(mixed));
    setBit(bits, secondBit(mixed));
  }

  /** Whether the table may have a row with a key of one of these hashes. */
  mayHaveAny(hashes: readonly number[]): boolean {
    const bits = this.#bits;
    if (bits === null) return true;
    // Another connection may have added rows since.
    if (this.#foreignCommits.hasAny()) {
      this.#bits = null;
      return true;
    }
    for (const hash of hashes) {
      const mixed = mix(hash);
      if (isBitSet(bits, firstBit(mixed)) && isBitSet(bits, secondBit(mixed))) return true;
    }
    return false;
  }
}

/** Mixes a hash, which may have up to 53 bits, into 32 bits. */
function mix(hash: number): number {
  const mixed = Math.imul((hash >>> 0) ^ Math.imul(Math.floor(hash / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

const firstBit = (mixed: number): number => (mixed >>> 0) % bitCount;
function secondBit(mixed: number): number {
  const two = Math.imul(mixed, 0xc2b2ae35);
  return ((two ^ (two >>> 13)) >>> 0) % bitCount;
}

function setBit(bits: Uint32Array, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
}
const isBitSet = (bits: Uint32Array, bit: number): boolean =>
  ((bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;

/** A hash of 32 bits of two texts. */
export const hashOf = (first: string, second: string): number => fnv1a(second, fnv1a(first));
