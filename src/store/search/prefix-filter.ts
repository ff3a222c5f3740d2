/**
 * A Bloom filter of all beginnings of all words of names. What it does not have, no name has: most of the hundreds of
 * spellings that a mistyped word may stand for are ruled out without a look at the file. What it has may be there.
 *
 * It is filled in steps, in the order in which records changed last, so the same steps also take in what a sync changes.
 * Words of names that are gone stay in it, which costs a look-up now and then, and nothing else.
 */
import type Database from 'better-sqlite3';
import { nameStartMark } from './index-terms.ts';

/** Beginnings of fewer letters are not kept: nearly all of them exist. */
export const minPrefixLength = 3;
/** Longer beginnings are not kept. A word of the query that is forgiven a typo is shorter. */
const maxPrefixLength = 26;
const recordsPerStep = 100;
const bitsPerEntry = 16;
const minBits = 1 << 20;
const maxBits = 1 << 28;
const hashProbes = 4;
/** Words are met again and again: so many are remembered as added. */
const maxAddedCache = 20_000;

type WordRow = { id: number; revision: number; terms: string | null };

export class PrefixFilter {
  readonly #page: Database.Statement;
  #bits: Uint32Array;
  /** How many beginnings were added, but for those that seemed to be there. */
  #entries = 0;
  /** Up to where the records were read, in the order of their last change. */
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
   * Reads further records: some that the filter has not seen in their present state.
   * @returns whether it now has all of them, so that `mayContainPrefix` can be relied on
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

  /** False: no word of a name begins with `text`. To be relied on only when `step` has said so. */
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

  /** Whether all bits of a hash are set; with `set`, they are afterwards. */
  #probe(state: number, set: boolean): boolean {
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    const one = mix(state, 0x85ebca6b);
    // From other bits of the hash than the first place: or all names in one place would be in the same others too.
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

  /** Begins anew with twice the room. */
  #grow(): void {
    this.#bits = emptyBits(this.#bits.length * 64);
    this.#entries = 0;
    this.#position = { revision: -1, id: 0 };
    this.#added.clear();
  }
}

/** FNV-1a over UTF-16 code units; its bits are mixed before they are used. */
const seed = 0x811c9dc5;
const prime = 0x01000193;

/** Spreads every bit of a hash over all bits. */
function mix(hash: number, factor: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), factor);
  const whole = Math.imul(half ^ (half >>> 13), 0x27d4eb2f);
  return whole ^ (whole >>> 15);
}

/** At least so many bits, a power of two of them. */
function emptyBits(atLeast: number): Uint32Array {
  let bits = minBits;
  while (bits < atLeast && bits < maxBits) bits *= 2;
  return new Uint32Array(bits / 32);
}
