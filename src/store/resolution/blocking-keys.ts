/**
 * The index of blocking keys. Keys are hashes, so inserts hit random pages of a tree that soon exceeds memory.
 * New keys therefore go to a small tree first. Ranges of it move to the main tree when several keys belong on
 * each touched page.
 */
import type Database from 'better-sqlite3';
import { getOrCreate } from '../../memoize.ts';
import { keyChecksum } from '../integrity/checksums.ts';
import { type TableBuffer, writeBufferOf } from '../records/write-buffer.ts';
import { prepareValue } from '../statement.ts';
import type { AddedKeys } from './added-keys.ts';
import { RowChains } from './row-chains.ts';

/** The number of the range, the record, the scope, the key. */
export type BlockingKeyRow = readonly [range: number, record: number, scope: number, key: number];
/** The rows of a range in the main and in the small tree, with the number that the range had when it was read. */
type FoundRange = { main: readonly BlockingKeyRow[]; recent: readonly BlockingKeyRow[] };

/** Rows read per range, the first by key and record: a key with more rows is not distinctive. */
const maxRowsPerRange = 100;
/** Ranges of more keys are long: they may contain others. */
const maxShortRange = 8;

/** Ranges that were found. Their owner clears them when keys may have changed. */
export class FoundRanges {
  /** By their first key. */
  readonly #short = new Map<number, { last: number; rows: FoundRange }>();
  readonly #long: { first: number; last: number; rows: FoundRange }[] = [];

  /** The rows of a range, also from a longer one all of whose rows were read. */
  get(first: number, last: number): FoundRange | undefined {
    const short = this.#short.get(first);
    if (short?.last === last) return short.rows;
    const around = this.#long.find((one) => one.first <= first && last <= one.last);
    if (around === undefined) return undefined;
    const { main, recent } = around.rows;
    if (around.first === first && around.last === last) return around.rows;
    if (main.length >= maxRowsPerRange || recent.length >= maxRowsPerRange) return undefined;
    const isWithin = ([, , , key]: BlockingKeyRow): boolean => key >= first && key <= last;
    return { main: main.filter(isWithin), recent: recent.filter(isWithin) };
  }

  set(first: number, last: number, rows: FoundRange): void {
    if (last - first < maxShortRange) this.#short.set(first, { last, rows });
    else this.#long.push({ first, last, rows });
  }

  clear(): void {
    this.#short.clear();
    this.#long.length = 0;
  }
}
/** Maximum size of the small tree (about 10 MB), and minimum number of rows per move. */
const defaultMaxRecentRows = 400_000;
const minMovedRows = 200;

const compareHits = (a: BlockingKeyRow, b: BlockingKeyRow): number =>
  a[3] - b[3] || a[1] - b[1] || a[2] - b[2];

/** The first distinct rows of each range. The result must not depend on which tree holds a row. */
function firstPerRange(hits: BlockingKeyRow[]): BlockingKeyRow[] {
  const counts: number[] = [];
  for (const [range] of hits) counts[range] = (counts[range] ?? 0) + 1;
  if (!counts.some((count) => count > maxRowsPerRange)) return hits;
  const rowCounts: number[] = [];
  return hits.toSorted(compareHits).filter((row, at, sorted) => {
    const before = sorted[at - 1];
    if (before !== undefined && before[0] === row[0] && compareHits(before, row) === 0) return false;
    rowCounts[row[0]] = (rowCounts[row[0]] ?? 0) + 1;
    return (rowCounts[row[0]] as number) <= maxRowsPerRange;
  });
}

/** Buffered keys are found by stretches of this many keys: a year of a page is in up to four of them. */
const stretchLength = 2 ** 8;
const stretchOf = (key: number): number => Math.floor(key / stretchLength);

/** Look-ups in the buffer that read all of it. More of them in one batch are answered from an index. */
const maxScans = 20;

/**
 * The new keys of a connection. They are inserted at the end of the batch in their order, and are found before. An import
 * into an empty file looks up few of them, so they are indexed only when that is worth it.
 */
class NewKeys {
  readonly buffer: TableBuffer;
  /** The rows of the buffer by stretch. */
  readonly #rows = new RowChains();
  #scanCount = 0;

  constructor(sqlite: Database.Database) {
    const columns = ['key', 'record_id', 'scope', 'checksum'];
    this.buffer = writeBufferOf(sqlite).table('recent_blocking_keys', columns, ['key', 'record_id']);
  }

  add(key: number, record: number, scope: number): void {
    // The batch ended, or was rolled back.
    if (this.buffer.size === 0) this.#clear();
    this.buffer.add(key, [record, scope, keyChecksum(key, record, scope)]);
  }

  #clear(): void {
    this.#rows.clear();
    this.#scanCount = 0;
  }

  /** The buffered keys of a range, which has a number. */
  find(range: number, first: number, last: number): BlockingKeyRow[] {
    if (this.buffer.size === 0) return [];
    const [firstStretch, lastStretch] = [stretchOf(first), stretchOf(last)];
    const isLonger = lastStretch - firstStretch > this.buffer.size;
    if (isLonger || this.#scanCount++ < maxScans) return this.#scan(range, first, last);
    this.#index();
    const hits: BlockingKeyRow[] = [];
    for (let stretch = firstStretch; stretch <= lastStretch; stretch++)
      for (let row = this.#rows.latest(stretch); row >= 0; row = this.#rows.before(row)) {
        const key = this.buffer.numberAt(row, 0);
        if (key >= first && key <= last) hits.push(this.#rowOf(range, row));
      }
    return hits;
  }

  #scan(range: number, first: number, last: number): BlockingKeyRow[] {
    const hits: BlockingKeyRow[] = [];
    for (let row = 0; row < this.buffer.size; row++) {
      const key = this.buffer.numberAt(row, 0);
      if (key >= first && key <= last) hits.push(this.#rowOf(range, row));
    }
    return hits;
  }

  #index(): void {
    while (this.#rows.rowCount < this.buffer.size)
      this.#rows.add(stretchOf(this.buffer.numberAt(this.#rows.rowCount, 0)));
  }

  #rowOf(range: number, row: number): BlockingKeyRow {
    const { buffer } = this;
    return [range, buffer.numberAt(row, 1), buffer.numberAt(row, 2), buffer.numberAt(row, 0)];
  }
}

const newKeys = new WeakMap<Database.Database, NewKeys>();

/** Adds buffered rows to those of the small tree, as if they were stored in it. */
function withBuffered(
  rows: readonly BlockingKeyRow[],
  buffered: readonly BlockingKeyRow[],
): readonly BlockingKeyRow[] {
  if (buffered.length === 0) return rows;
  return [...rows, ...buffered]
    .sort(compareHits)
    .filter((row, at, all) => at === 0 || compareHits(all[at - 1] as BlockingKeyRow, row) !== 0)
    .slice(0, maxRowsPerRange);
}

/** Adds the rows of one tree, each with the number that its range has now. */
function addHits(
  hits: BlockingKeyRow[],
  ranges: readonly (FoundRange | undefined)[],
  tree: 'main' | 'recent',
): void {
  for (let range = 0; range < ranges.length; range++)
    for (const row of ranges[range]?.[tree] ?? [])
      hits.push(row[0] === range ? row : [range, row[1], row[2], row[3]]);
}

/** Whether there may be a key in one of these ranges. */
function mayHaveAny(added: AddedKeys, ranges: readonly number[]): boolean {
  const keys: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    // Ranges of several keys are rarely empty.
    if (ranges[at] !== ranges[at + 1]) return true;
    keys.push(ranges[at] as number);
  }
  return added.mayHaveAny(keys);
}

/**
 * Finds, adds and removes blocking keys in both trees and the write buffer (docs/decisions/05-matching.md). A range
 * gives up to 100 rows, the first by key and record, whichever of the three holds them.
 */
export class BlockingKeyIndex {
  readonly #sqlite: Database.Database;
  readonly #maxRecentRows: number;
  readonly #new: NewKeys;
  readonly #added: AddedKeys | undefined;
  readonly #select: Database.Statement[] = [];
  readonly #deletes: Database.Statement[];
  readonly #rangeEnd;
  readonly #copyRange: Database.Statement;
  readonly #deleteRange: Database.Statement;
  readonly #count;
  /** Approximate number of rows in the small tree; null: must be counted. */
  #size: number | null = null;
  /** The start of the next range to move. */
  #from = 0;

  /**
   * @param maxRecentRows maximum number of rows in the small tree
   * @param added the keys that the present import added
   */
  constructor(sqlite: Database.Database, maxRecentRows = defaultMaxRecentRows, added?: AddedKeys) {
    this.#sqlite = sqlite;
    this.#maxRecentRows = maxRecentRows;
    this.#added = added;
    this.#new = getOrCreate(newKeys, sqlite, () => new NewKeys(sqlite));
    this.#deletes = ['blocking_keys', 'recent_blocking_keys'].map((table) =>
      sqlite.prepare(`DELETE FROM ${table} WHERE key = ? AND record_id = ? AND scope = ?`),
    );
    this.#count = prepareValue<number>(sqlite, 'SELECT count(*) FROM recent_blocking_keys');
    this.#rangeEnd = prepareValue<number>(
      sqlite,
      'SELECT key FROM recent_blocking_keys WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?',
    );
    const stretch = 'FROM recent_blocking_keys WHERE key BETWEEN ? AND ?';
    this.#copyRange = sqlite.prepare(
      `INSERT OR IGNORE INTO blocking_keys SELECT key, record_id, scope, checksum ${stretch} ORDER BY key, record_id, scope`,
    );
    this.#deleteRange = sqlite.prepare(`DELETE ${stretch}`);
  }

  /**
   * Finds records by blocking key.
   * @param ranges the first and last key of each range, one after the other
   * @param cache ranges that are not read again; those read are added
   * @returns rows with the number of their range
   */
  find(ranges: readonly number[], cache?: FoundRanges): BlockingKeyRow[] {
    if (this.#added !== undefined && !mayHaveAny(this.#added, ranges)) return [];
    const results: (FoundRange | undefined)[] = [];
    for (let at = 0; at < ranges.length; at += 2)
      results.push(cache?.get(ranges[at] as number, ranges[at + 1] as number));
    this.#read(ranges, results, cache);
    const hits: BlockingKeyRow[] = [];
    addHits(hits, results, 'main');
    addHits(hits, results, 'recent');
    return hits.length <= maxRowsPerRange ? hits : firstPerRange(hits);
  }

  /** Reads the missing ranges in one statement. Loops have no iterators: imports spend much of their time here. */
  #read(
    ranges: readonly number[],
    results: (FoundRange | undefined)[],
    cache: FoundRanges | undefined,
  ): void {
    const unreadRanges: number[] = [];
    for (let range = 0; range < results.length; range++)
      if (results[range] === undefined) unreadRanges.push(range);
    const count = unreadRanges.length;
    if (count === 0) return;
    const values = new Array<number>(4 * count);
    for (let at = 0; at < count; at++) {
      const range = unreadRanges[at] as number;
      values[2 * at] = values[2 * (count + at)] = ranges[2 * range] as number;
      values[2 * at + 1] = values[2 * (count + at) + 1] = ranges[2 * range + 1] as number;
    }
    this.#select[count] ??= this.#sqlite.prepare(this.#selectSql(count)).raw();
    const main = unreadRanges.map((): BlockingKeyRow[] => []);
    const recent = unreadRanges.map((): BlockingKeyRow[] => []);
    for (const row of this.#select[count].all(values) as [number, number, number, number][]) {
      const part = row[0];
      const at = part < count ? part : part - count;
      row[0] = unreadRanges[at] as number;
      (part < count ? main : recent)[at]?.push(row);
    }
    for (let at = 0; at < count; at++) {
      const range = unreadRanges[at] as number;
      const [first, last] = [ranges[2 * range] as number, ranges[2 * range + 1] as number];
      const buffered = this.#new.find(range, first, last);
      const one = {
        main: main[at] as BlockingKeyRow[],
        recent: withBuffered(recent[at] as BlockingKeyRow[], buffered),
      };
      cache?.set(first, last, one);
      results[range] = one;
    }
  }

  #selectSql(count: number): string {
    const first = (table: string, at: number) =>
      `SELECT * FROM (SELECT ${at}, record_id, scope, key FROM ${table} WHERE key BETWEEN ? AND ?
       ORDER BY key, record_id, scope LIMIT ${maxRowsPerRange})`;
    return ['blocking_keys', 'recent_blocking_keys']
      .flatMap((table, tree) => Array.from({ length: count }, (_, at) => first(table, tree * count + at)))
      .join(' UNION ALL ');
  }

  /** Adds blocking keys of a record. */
  add(keys: readonly number[], record: number, scope: number): void {
    for (const key of keys) {
      this.#added?.add(key);
      this.#new.add(key, record, scope);
    }
    if (this.#size !== null) this.#size += keys.length;
  }

  remove(key: number, record: number, scope: number): void {
    this.#new.buffer.flush();
    for (const drop of this.#deletes) drop.run(key, record, scope);
  }

  /** Moves a range to the main tree if the small one is too large. Call it in each batch before its end. */
  moveToMainTree(): void {
    this.#new.buffer.flush();
    this.#size ??= this.#count.one();
    const excess = this.#size - this.#maxRecentRows;
    if (excess < minMovedRows) return;
    const end = this.#rangeEnd.get(this.#from, excess);
    const stretch = [this.#from, end ?? Number.MAX_SAFE_INTEGER];
    this.#copyRange.run(stretch);
    const moved = this.#deleteRange.run(stretch).changes;
    // Recount after a full round: the estimate ignores rollbacks and keys of other processes.
    this.#size = end === undefined ? null : this.#size - moved;
    this.#from = end === undefined ? 0 : end + 1;
  }
}
