/**
 * A Bloom filter of all prefixes of all words in names. A text that it does not contain is no prefix. This rules
 * out most of the hundreds of spellings that a mistyped word may stand for without reading the file.
 *
 * It is filled in steps: all names in the order of the table first, then the names of records that changed since, so
 * that later steps add the changes of imports. Words of deleted names stay, which only costs an occasional look-up.
 */
import type Database from 'better-sqlite3';
import { prepareValue } from '../statement.ts';
import { nameStartMark } from './index-terms.ts';

/** Shorter prefixes are not stored: nearly all of them exist. */
export const minPrefixLength = 3;
/** Longer prefixes are not stored: query words with typo correction are shorter. */
const maxPrefixLength = 26;
const namesPerStep = 250;
const recordsPerStep = 100;
const bitsPerEntry = 16;
const minBits = 1 << 20;
const maxBits = 1 << 28;
const hashProbes = 4;
/** Maximum number of recently added words in memory; words repeat often. */
const maxAddedCache = 20_000;

type NameRow = { id: number; terms: string };
/** The last name that was read, and the newest revision of a record when the first one was. */
type FirstPass = { name: number; revision: number };
type WordRow = { id: number; revision: number; terms: string | null };

/**
 * Tells whether a word of a name may begin with a text. Positive answers may be wrong, negative ones are certain once it
 * is loaded.
 */
export class PrefixFilter {
  readonly #names: Database.Statement<[number], NameRow>;
  readonly #revision;
  readonly #page: Database.Statement;
  #bits: Uint32Array;
  /** Number of added prefixes, without those that seemed to be present. */
  #entries = 0;
  /** Null once all names are read. */
  #first: FirstPass | null = null;
  /** Position of the last changed record read, in the order of last change. */
  #position = { revision: -1, id: 0 };
  readonly #added = new Set<string>();

  constructor(sqlite: Database.Database) {
    this.#names = sqlite.prepare(
      `SELECT id, terms FROM names WHERE id > ? ORDER BY id LIMIT ${namesPerStep}`,
    );
    this.#revision = prepareValue<number>(sqlite, 'SELECT coalesce(max(revision), 0) FROM records');
    this.#page = sqlite.prepare(
      `SELECT r.id, r.revision, n.terms
       FROM (SELECT id, revision FROM records WHERE (revision, id) > (@revision, @id) ORDER BY revision, id LIMIT ${recordsPerStep}) r
       LEFT JOIN names n ON n.record_id = r.id ORDER BY r.revision, r.id`,
    );
    const records = prepareValue<number | null>(sqlite, 'SELECT max(id) FROM records').one();
    this.#bits = emptyBits((records ?? 0) * 4);
    this.#restart();
  }

  /**
   * Reads the next records that the filter has not seen in their present state.
   * @returns whether it has all of them, so that `mayContainPrefix` is reliable
   */
  loadNext(): boolean {
    if (this.#first !== null) {
      this.#loadNames(this.#first);
      if (this.#first !== null) return false;
    }
    const rows = this.#page.all(this.#position) as WordRow[];
    const last = rows.at(-1);
    if (last === undefined) return true;
    for (const { terms } of rows) this.#addAll(terms);
    this.#position = { revision: last.revision, id: last.id };
    return !this.#growIfFull() && new Set(rows.map(({ id }) => id)).size < recordsPerStep;
  }

  #loadNames(first: FirstPass): void {
    const rows = this.#names.all(first.name);
    for (const { terms } of rows) this.#addAll(terms);
    first.name = rows.at(-1)?.id ?? first.name;
    if (this.#growIfFull() || rows.length === namesPerStep) return;
    // Records of that revision may have been written since, too.
    this.#position = { revision: first.revision - 1, id: Number.MAX_SAFE_INTEGER };
    this.#first = null;
  }

  #addAll(terms: string | null): void {
    if (terms === null || terms === '') return;
    for (const term of terms.split(' ')) if (!term.startsWith(nameStartMark)) this.#add(term);
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

  /** Restarts with twice the size if it has too many entries. */
  #growIfFull(): boolean {
    const size = this.#bits.length * 32;
    if (this.#entries * bitsPerEntry <= size || size >= maxBits) return false;
    this.#bits = emptyBits(2 * size);
    this.#restart();
    return true;
  }

  #restart(): void {
    this.#entries = 0;
    this.#added.clear();
    this.#first = { name: 0, revision: this.#revision.one() };
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
