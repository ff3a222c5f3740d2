/**
 * A Bloom filter of all prefixes of all words in names. A text that it does not contain is no prefix. This rules
 * out most of the hundreds of spellings that a mistyped word may stand for without reading the file.
 *
 * It is filled in steps, in the order in which records last changed, so the same steps add the changes of
 * imports. Words of deleted names stay, which only costs an occasional look-up.
 */
import type Database from 'better-sqlite3';
import { nameStartMark } from './index-terms.ts';

/** Shorter prefixes are not stored: nearly all of them exist. */
export const minPrefixLength = 3;
/** Longer prefixes are not stored: query words with typo correction are shorter. */
const maxPrefixLength = 26;
const recordsPerStep = 100;
const bitsPerEntry = 16;
const minBits = 1 << 20;
const maxBits = 1 << 28;
const hashProbes = 4;
/** Maximum number of recently added words in memory; words repeat often. */
const maxAddedCache = 20_000;

type WordRow = { id: number; revision: number; terms: string | null };

export class PrefixFilter {
  readonly #page: Database.Statement;
  #bits: Uint32Array;
  /** Number of added prefixes, without those that seemed to be present. */
  #entries = 0;
  /** Position of the last record read, in the order of last change. */
  #position = { revision: -1, id: 0 };
  readonly #added = new Set<string>();

  constructor(sqlite: Database.Database) {
    this.#page = sqlite.prepare(
      `SELECT r.id, r.revision, n.terms
       FROM (SELECT id, revision FROM records WHERE (revision, id) > (@revision, @id) ORDER BY revision, id LIMIT ${recordsPerStep}) r
       LEFT JOIN names n ON n.record_id = r.id ORDER BY r.revision, r.id`,
    );
    const records = sqlite.prepare('SELECT max(id) FROM records').pluck().get() as number | null;
    this.#bits = emptyBits((records ?? 0) * 4);
  }

  /**
   * Reads the next records that the filter has not seen in their present state.
   * @returns whether it has all of them, so that `mayContainPrefix` is reliable
   */
  loadNext(): boolean {
    const rows = this.#page.all(this.#position) as WordRow[];
    const last = rows.at(-1);
    if (last === undefined) return true;
    for (const { terms } of rows) {
      if (terms === null || terms === '') continue;
      for (const term of terms.split(' ')) if (!term.startsWith(nameStartMark)) this.#add(term);
    }
    this.#position = { revision: last.revision, id: last.id };
    if (this.#entries * bitsPerEntry > this.#bits.length * 32 && this.#bits.length * 32 < maxBits)
      this.#grow();
    return this.#position.id === last.id && new Set(rows.map(({ id }) => id)).size < recordsPerStep;
  }

  /** Returns false if no word of a name has this prefix. Reliable only after `loadNext` returned true. */
  mayContainPrefix(text: string): boolean {
    if (text.length < minPrefixLength || text.length > maxPrefixLength) return true;
    let state = seed;
    for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), prime);
    return this.#probe(state, false);
  }

  #add(term: string): void {
    if (this.#added.has(term)) return;
    if (this.#added.size >= maxAddedCache) this.#added.clear();
    this.#added.add(term);
    let state = seed;
    const end = Math.min(term.length, maxPrefixLength);
    for (let at = 0; at < end; at++) {
      state = Math.imul(state ^ term.charCodeAt(at), prime);
      if (at + 1 >= minPrefixLength && !this.#probe(state, true)) this.#entries += 1;
    }
  }

  /** Whether all bits of a hash are set; with `set`, sets them. */
  #probe(state: number, set: boolean): boolean {
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    const one = mix(state, 0x85ebca6b);
    // Uses other bits than the first probe. Otherwise words that share the first bit would share all of them.
    const step = mix(state ^ 0x9e3779b9, 0xc2b2ae35) | 1;
    let isThere = true;
    for (let probe = 0; probe < hashProbes; probe++) {
      const bit = (one + Math.imul(probe, step)) & mask;
      const flag = 1 << (bit & 31);
      if (((bits[bit >>> 5] as number) & flag) === 0) {
        isThere = false;
        if (!set) return false;
        bits[bit >>> 5] = (bits[bit >>> 5] as number) | flag;
      }
    }
    return isThere;
  }

  /** Restarts with twice the size. */
  #grow(): void {
    this.#bits = emptyBits(this.#bits.length * 64);
    this.#entries = 0;
    this.#position = { revision: -1, id: 0 };
    this.#added.clear();
  }
}

/** FNV-1a over UTF-16 code units; the bits are mixed before use. */
const seed = 0x811c9dc5;
const prime = 0x01000193;

/** Spreads every bit of a hash over all bits. */
function mix(hash: number, factor: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), factor);
  const whole = Math.imul(half ^ (half >>> 13), 0x27d4eb2f);
  return whole ^ (whole >>> 15);
}

/** Creates an empty filter of at least this many bits, rounded up to a power of two. */
function emptyBits(atLeast: number): Uint32Array {
  let bits = minBits;
  while (bits < atLeast && bits < maxBits) bits *= 2;
  return new Uint32Array(bits / 32);
}
