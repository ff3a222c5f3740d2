/**
 * Where listings and houses are filed to be looked for. Keys are hashes: each goes to another place of their tree, which
 * is soon larger than any memory. So they are filed in a small tree first, and go over into the large one a stretch at a
 * time, when several of them belong on each page that is touched.
 */
import type Database from 'better-sqlite3';
import { keyChecksum } from '../integrity/checksums.ts';

/** The number of the range it lies in, the record, the scope. */
export type BlockingKeyRow = [range: number, record: number, scope: number];
type BlockingKeyHit = [range: number, record: number, scope: number, key: number];

/** So many rows of one range are looked at, the first by key and record: a key of more tells nothing. */
const maxRowsPerRange = 100;
/** The small tree holds so many rows, about 10 MB; and so many at least go over at once. */
const defaultMaxRecentRows = 400_000;
const minMovedRows = 200;

const compareHits = (a: BlockingKeyHit, b: BlockingKeyHit): number =>
  a[3] - b[3] || a[1] - b[1] || a[2] - b[2];

/** Of each range the first rows, each once: what is looked at must not depend on which tree a row lies in. */
function firstPerRange(found: BlockingKeyHit[]): BlockingKeyHit[] {
  const counts: number[] = [];
  for (const [range] of found) counts[range] = (counts[range] ?? 0) + 1;
  if (!counts.some((count) => count > maxRowsPerRange)) return found;
  const taken: number[] = [];
  return found.toSorted(compareHits).filter((row, at, sorted) => {
    const before = sorted[at - 1];
    if (before !== undefined && before[0] === row[0] && compareHits(before, row) === 0) return false;
    taken[row[0]] = (taken[row[0]] ?? 0) + 1;
    return (taken[row[0]] as number) <= maxRowsPerRange;
  });
}

export class BlockingKeyIndex {
  readonly #sqlite: Database.Database;
  readonly #maxRecentRows: number;
  readonly #near: Database.Statement[] = [];
  readonly #add: Database.Statement[] = [];
  readonly #drops: Database.Statement[];
  readonly #end: Database.Statement;
  readonly #copy: Database.Statement;
  readonly #clear: Database.Statement;
  readonly #count: Database.Statement;
  /** About how many rows the small tree has; null where they have to be counted. */
  #size: number | null = null;
  /** Where the next stretch begins that goes over. */
  #from = 0;

  /** @param maxRecentRows rows that the small tree may hold */
  constructor(sqlite: Database.Database, maxRecentRows = defaultMaxRecentRows) {
    this.#sqlite = sqlite;
    this.#maxRecentRows = maxRecentRows;
    this.#drops = ['blocking_keys', 'recent_blocking_keys'].map((table) =>
      sqlite.prepare(`DELETE FROM ${table} WHERE key = ? AND record_id = ? AND scope = ?`),
    );
    this.#count = sqlite.prepare('SELECT count(*) FROM recent_blocking_keys').pluck();
    this.#end = sqlite
      .prepare('SELECT key FROM recent_blocking_keys WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?')
      .pluck();
    const stretch = 'FROM recent_blocking_keys WHERE key BETWEEN ? AND ?';
    this.#copy = sqlite.prepare(
      `INSERT OR IGNORE INTO blocking_keys SELECT key, record_id, scope, checksum ${stretch} ORDER BY key, record_id, scope`,
    );
    this.#clear = sqlite.prepare(`DELETE ${stretch}`);
  }

  /**
   * Records filed under keys.
   * @param ranges the first and last key of each range, one after the other
   * @returns rows with the number of their range
   */
  find(ranges: readonly number[]): BlockingKeyRow[] {
    const count = ranges.length / 2;
    if (count === 0) return [];
    this.#near[count] ??= this.#sqlite.prepare(this.#reading(count)).raw();
    const found = this.#near[count].all([...ranges, ...ranges]) as BlockingKeyHit[];
    return (found.length <= maxRowsPerRange ? found : firstPerRange(found)) as unknown as BlockingKeyRow[];
  }

  #reading(count: number): string {
    const first = (table: string, at: number) =>
      `SELECT * FROM (SELECT ${at}, record_id, scope, key FROM ${table} WHERE key BETWEEN ? AND ?
       ORDER BY key, record_id, scope LIMIT ${maxRowsPerRange})`;
    return ['blocking_keys', 'recent_blocking_keys']
      .flatMap((table) => Array.from({ length: count }, (_, at) => first(table, at)))
      .join(' UNION ALL ');
  }

  /** Files a record under keys. */
  add(keys: readonly number[], record: number, scope: number): void {
    if (keys.length === 0) return;
    this.#add[keys.length] ??= this.#sqlite.prepare(
      `INSERT OR IGNORE INTO recent_blocking_keys (key, record_id, scope, checksum) VALUES ${keys.map(() => '(?, ?, ?, ?)').join(', ')}`,
    );
    this.#add[keys.length]?.run(keys.flatMap((key) => [key, record, scope, keyChecksum(key, record, scope)]));
    if (this.#size !== null) this.#size += keys.length;
  }

  remove(key: number, record: number, scope: number): void {
    for (const drop of this.#drops) drop.run(key, record, scope);
  }

  /** Has keys go over once the small tree has grown too large; to be called in each batch, before its end. */
  moveToMainTree(): void {
    this.#size ??= this.#count.get() as number;
    const tooMany = this.#size - this.#maxRecentRows;
    if (tooMany < minMovedRows) return;
    const end = this.#end.get(this.#from, tooMany) as number | undefined;
    const stretch = [this.#from, end ?? Number.MAX_SAFE_INTEGER];
    this.#copy.run(stretch);
    const moved = this.#clear.run(stretch).changes;
    // At the end of a round they are counted anew: lines that were undone are not there, what others filed is.
    this.#size = end === undefined ? null : this.#size - moved;
    this.#from = end === undefined ? 0 : end + 1;
  }
}
