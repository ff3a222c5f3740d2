/** The lines that wait to be taken, and those that the batch under way took: where it is undone, they wait again. */
import type { RecordKey } from '../../sources/common/input-items.ts';
import type { ParsedItem } from './parse-items.ts';

/** What is to be done: a line that was read, or could not be; or a record that a skipped line still lists. */
export type Item = ParsedItem | { listed: RecordKey };

export class WorkQueue {
  #items: Item[] = [];
  #next = 0;
  /** What the batch under way did. */
  #done: Item[] = [];

  fill(items: Item[]): void {
    this.#items = items;
    this.#next = 0;
  }

  get isOver(): boolean {
    return this.#next >= this.#items.length;
  }
  /** How many wait, the one under way included. */
  get left(): number {
    return this.#items.length - this.#next;
  }
  /** The item under way. */
  get current(): Item {
    return this.#items[this.#next] as Item;
  }
  set current(item: Item) {
    this.#items[this.#next] = item;
  }
  /** How many items the batch under way did. */
  get doneCount(): number {
    return this.#done.length;
  }
  /** The item that the batch under way did last. */
  get lastDone(): Item | undefined {
    return this.#done.at(-1);
  }

  /** Goes on to the next item. */
  advance(): void {
    this.#next++;
  }
  /** Notes that the batch under way did an item. */
  done(item: Item): void {
    this.#done.push(item);
  }
  /** The item that was noted last was not done. */
  undoLast(): void {
    this.#done.pop();
  }
  /** A batch begins or ends: nothing is to be done again. */
  clearDone(): void {
    this.#done = [];
  }

  /** The batch is undone: what it did waits again, before the rest. `advance` then leads to the first of it. */
  undo(): void {
    this.#items = [...this.#done, ...this.#items.slice(this.#next + 1)];
    this.#next = -1;
    this.#done = [];
  }

  /**
   * The same where the item under way was not done either: `instead` waits in its place.
   * @param isAmbiguousCode whether a batch was under way, that is whether there is something to be done again
   */
  replaceCurrent(instead: readonly Item[], isOpen: boolean): void {
    const item = this.current;
    const done = isOpen ? this.#done.filter((one) => one !== item) : [];
    this.#items = [...done, ...instead, ...this.#items.slice(this.#next + 1)];
    this.#next = 0;
    this.#done = [];
  }
}
