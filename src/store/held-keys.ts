/** Keys of matching that wait for the end of their batch; what waits is found all the same. */
import type Database from 'better-sqlite3';
import { type Held, heldRows } from './held-rows.ts';

/** The number of the range it lies in, the record, the tag. */
type KeyRow = [range: number, record: number, tag: number];

export class HeldKeys {
  readonly #held: Held;
  /** What waits, by key: records and tags, one after the other. */
  readonly #waiting = new Map<number, number[]>();

  constructor(sqlite: Database.Database) {
    this.#held = heldRows(sqlite).table('match_keys', ['key', 'record_id', 'tag'], ['key', 'record_id']);
  }

  add(key: number, record: number, tag: number): void {
    this.#forgetWritten();
    this.#held.add([key, record, tag]);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [record, tag]);
    else waiting.push(record, tag);
  }

  /**
   * Those that wait and lie in ranges of a few keys each.
   * @param ranges the first and last key of each range, one after the other
   */
  within(ranges: readonly number[]): KeyRow[] {
    this.#forgetWritten();
    const found: KeyRow[] = [];
    if (this.#waiting.size === 0) return found;
    for (let at = 0; at < ranges.length; at += 2) {
      for (let key = ranges[at] as number; key <= (ranges[at + 1] as number); key++) {
        const waiting = this.#waiting.get(key) ?? [];
        for (let one = 0; one < waiting.length; one += 2)
          found.push([at / 2, waiting[one] as number, waiting[one + 1] as number]);
      }
    }
    return found;
  }

  flush(): void {
    this.#held.flush();
    this.#forgetWritten();
  }

  /** Somebody else had all that waits written, or forgotten. */
  #forgetWritten(): void {
    if (this.#held.size === 0 && this.#waiting.size > 0) this.#waiting.clear();
  }
}
